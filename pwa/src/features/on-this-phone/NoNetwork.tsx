import type { TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import { useShallow } from 'zustand/react/shallow';
import { isConnectionError } from '../../data/server/api.ts';
import { useIsStalled, useReachability } from '../../data/server/reachability.ts';
import { scopeName, searchableScopes, usePacks } from '../../offline/packs/pack-status.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { useShownLocation } from '../../ui/hydration.ts';

/** True for a broken connection, and for a page instead of data, such as that of a network that wants a sign-in. */
const isNetworkFailure = (error: unknown) => isConnectionError(error) || error instanceof SyntaxError;

/**
 * True while a screen without content waits in vain for the network, and when its call has failed by the network, unless
 * the server answers and no state is on this phone: then the screen shows its error. `loading` names what loads, null when
 * nothing does.
 */
export function useHasNoNetwork(loading: string | null, error: unknown): boolean {
  const isUnreachable = useReachability(({ status }) => status === 'unreachable');
  const hasPack = usePacks((packs) => searchableScopes(packs).length > 0);
  const isStalled = useIsStalled(loading);
  return isStalled || (isNetworkFailure(error) && (isUnreachable || hasPack));
}

/** Why there is no content. */
function useReason(hasFailed: boolean): string {
  const { status, silentReads } = useReachability();
  if (status === 'unreachable') return 'No connection';
  if (hasFailed) return 'No response from the server';
  return status === 'silent' || silentReads > 0 ? 'The network is not responding' : 'The network is very slow';
}

interface NoNetworkProps {
  /** What is missing here, as the beginning of a sentence: 'Assam', 'This tender'. */
  missing: string;
  /** The search to repeat in a state that is on this phone; null for its whole list. */
  search: TenderListQuery | null;
  heading?: 'h1';
  /** Set when the call has failed; without one it is still pending. */
  error?: unknown;
  onRetry: () => void;
}

/** No content, because the network does not respond: offers the states that are on this phone. */
export function NoNetwork({ missing, search, heading, error, onRetry }: NoNetworkProps) {
  const isUnreachable = useReachability(({ status }) => status === 'unreachable');
  // A failed call is repeated when an unreachable server answers again.
  const hasFailed = error !== undefined && !isUnreachable;
  const reason = useReason(hasFailed);
  const scopes = usePacks(useShallow(searchableScopes));
  // The same search, so a received id still opens its tender.
  const location = useShownLocation();
  const names = scopes.map(scopeName);
  const isAre = names.length > 1 ? 'are' : 'is';
  return (
    <EmptyState
      title={reason}
      alert
      {...(heading && { heading })}
      actions={
        <>
          {scopes.map((scope) => (
            <ButtonLink
              key={scope}
              to={`/tenders/results?${addressIn(scopeName(scope), search)}`}
              state={search && location.state}
            >
              Search in {scopeName(scope)}
            </ButtonLink>
          ))}
          <Button onClick={onRetry}>Try Again</Button>
        </>
      }
    >
      {missing} is not on this phone.{!hasFailed && ' Nivida keeps trying.'}
      {names.length > 0 && ` ${names.join(', ')} ${isAre} on this phone: search there.`}
    </EmptyState>
  );
}

function addressIn(state: string, search: TenderListQuery | null): string {
  const ofState = search && { ...search, state, districts: [], departments: [], page: 1 };
  return ofState ? tenderFilterParams(ofState).toString() : new URLSearchParams({ state }).toString();
}

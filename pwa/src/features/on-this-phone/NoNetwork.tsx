import { plural, t } from '@lingui/core/macro';
import type { TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import { useShallow } from 'zustand/react/shallow';
import { isConnectionError } from '../../data/server/api.ts';
import { useIsStalled, useReachability } from '../../data/server/reachability.ts';
import { scopeName, searchableScopes, stateOfScope, usePacks } from '../../offline/packs/pack-status.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useShownLocation } from '../../ui/browser-state.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';

/**
 * True for a broken connection. Also true when a page arrives instead of data: some networks answer with a
 * page for signing in.
 */
const isNetworkFailure = (error: unknown) => isConnectionError(error) || error instanceof SyntaxError;

/**
 * True when a screen has no content because of the network: its call is stalled, or its call has failed by
 * the network. Exception: if the server answers other calls and no state is on this phone, the screen shows
 * the error of its call.
 *
 * `loading` names what loads; null when nothing does.
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
  if (status === 'unreachable') return t`No connection`;
  if (hasFailed) return t`No response from the server`;
  return status === 'silent' || silentReads > 0 ? t`The network is not responding` : t`The network is very slow`;
}

interface NoNetworkProps {
  /** What is missing, as the beginning of a sentence: 'Assam', 'This tender'. */
  missing: string;
  /** The search to repeat in a state on this phone. Null opens the state's whole list. */
  search: TenderListQuery | null;
  heading?: 'h1';
  /** The error of the failed call. Undefined while the call is pending. */
  error?: unknown;
  onRetry: () => void;
}

/** Replaces the content when the network does not respond. Offers the states that are on this phone. */
export function NoNetwork({ missing, search, heading, error, onRetry }: NoNetworkProps) {
  const isUnreachable = useReachability(({ status }) => status === 'unreachable');
  // While the server is unreachable, the call does not count as failed: it is repeated when the server answers.
  const hasFailed = error !== undefined && !isUnreachable;
  const reason = useReason(hasFailed);
  const scopes = usePacks(useShallow(searchableScopes));
  // The links repeat the same search, so that a received id still opens its tender.
  const location = useShownLocation();
  const names = scopes.map(scopeName);
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
              to={`/tenders/results?${addressIn(scope, search)}`}
              state={search && location.state}
            >
              {t`Search in ${{ state: scopeName(scope) }}`}
            </ButtonLink>
          ))}
          <Button onClick={onRetry}>{t`Try Again`}</Button>
        </>
      }
    >
      {t`${missing} is not on this phone.`}
      {!hasFailed && <> {t`Nivida keeps trying.`}</>}
      {names.length > 0 && <> {searchThereText(names)}</>}
    </EmptyState>
  );
}

function searchThereText(names: readonly string[]): string {
  const states = names.join(', ');
  return plural(names.length, {
    one: `${states} is on this phone: search there.`,
    other: `${states} are on this phone: search there.`,
  });
}

function addressIn(scope: string, search: TenderListQuery | null): string {
  const state = stateOfScope(scope) ?? '';
  const ofState = search && { ...search, state, districts: [], departments: [], page: 1 };
  return ofState ? tenderFilterParams(ofState).toString() : new URLSearchParams(state && { state }).toString();
}

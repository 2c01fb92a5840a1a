import type { TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { isConnectionError } from '../../../data/server/api.ts';
import { SILENT_AFTER_MS, useReachability } from '../../../data/server/reachability.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { useShownLocation } from '../../../ui/hydration.ts';
import { scopeName, searchableScopes, usePacks } from '../packs/pack-status.ts';

/** True when `isLoading` has lasted as long as a silence that counts. */
function useIsLate(isLoading: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setIsLate(true), SILENT_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isLoading]);
  return isLate;
}

/**
 * True while a screen without content waits in vain for the network: a call is silent, or the server is unreachable. Its
 * own call may be silent while the server answers others.
 */
export function useHasNoNetwork(isLoading: boolean, error: unknown): boolean {
  const status = useReachability((reachability) => reachability.status);
  const hasSilentRead = useReachability(({ silentReads }) => silentReads > 0);
  const isLate = useIsLate(isLoading);
  const isSilent = status !== 'reachable' || (hasSilentRead && isLate);
  return (isLoading && isSilent) || (isConnectionError(error) && status === 'unreachable');
}

interface NoNetworkProps {
  /** What is missing here, as the beginning of a sentence: 'Assam', 'This tender'. */
  missing: string;
  /** The search to repeat in a state that is on this phone; null for its whole list. */
  search: TenderListQuery | null;
  heading?: 'h1';
  onRetry: () => void;
}

/** No content, because the network does not respond: offers the states that are on this phone. */
export function NoNetwork({ missing, search, heading, onRetry }: NoNetworkProps) {
  const isSilent = useReachability(({ status }) => status !== 'unreachable');
  const scopes = usePacks(useShallow(searchableScopes));
  // The same search, so a received id still opens its tender.
  const location = useShownLocation();
  const names = scopes.map(scopeName);
  const isAre = names.length > 1 ? 'are' : 'is';
  return (
    <EmptyState
      title={isSilent ? 'The network is not responding' : 'No signal'}
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
      {missing} is not on this phone. Nivida keeps trying.
      {names.length > 0 && ` ${names.join(', ')} ${isAre} on this phone: search there.`}
    </EmptyState>
  );
}

function addressIn(state: string, search: TenderListQuery | null): string {
  const ofState = search && { ...search, state, districts: [], departments: [], page: 1 };
  return ofState ? tenderFilterParams(ofState).toString() : new URLSearchParams({ state }).toString();
}

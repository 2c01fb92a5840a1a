import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { type FoundInList, findInList, readTenderList } from '@nivida/contract/tenders/tender-list';
import { useEffect, useMemo, useState } from 'react';
import { currentTime } from '../../data/clock.ts';
import { useLiveRows } from '../../data/device/live-query.ts';
import { usePackVersions } from '../../offline/queries/device-tenders.ts';
import { useOnline } from '../../ui/browser-state.ts';
import { loadAddedList } from './useHasAddedList.ts';

/** A list that was looked up longer ago is looked up again when it is opened. */
const FRESH_FOR_MS = 10 * 60_000;

export interface AddedListState {
  /** Undefined while it is read; null without a list. */
  found: FoundInList | null | undefined;
  /** Some lines wait for a connection. */
  isWaiting: boolean;
  /** The device or the server is being asked. */
  isSearching: boolean;
  /** The device's database failed. */
  error: unknown;
}

/** The user's list with the tenders of the device and, when it can be reached, of the server. */
export function useAddedList(): AddedListState {
  const { rows: list, error } = useLiveRows(loadAddedList);
  const isOnline = useOnline();
  const packs = usePackVersions();
  const text = list?.text;
  const lines = useMemo(() => (text === undefined ? [] : readTenderList(text, location.host)), [text]);
  const [device, setDevice] = useState<{ lines: unknown; tenders: TenderSummary[] }>();
  const [isAsking, setIsAsking] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `packs` changes when a pack has arrived
  useEffect(() => {
    if (lines.length === 0) return;
    let isCurrent = true;
    void import('./look-up-list.ts')
      .then(({ findListOnDevice }) => findListOnDevice(lines, currentTime()))
      .catch(() => [])
      .then((tenders) => isCurrent && setDevice({ lines, tenders }));
    return () => {
      isCurrent = false;
    };
  }, [lines, packs]);

  const askedAt = list?.askedAt ?? null;
  const isDue = text !== undefined && (askedAt === null || currentTime().getTime() - askedAt > FRESH_FOR_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another list
  useEffect(() => {
    if (!isDue || !isOnline) return;
    setIsAsking(true);
    void import('./look-up-list.ts')
      .then(({ lookUpAddedList }) => lookUpAddedList())
      // The next sync asks again.
      .catch(() => undefined)
      .finally(() => setIsAsking(false));
  }, [isDue, isOnline, text]);

  const found = useMemo(() => {
    if (!list) return list;
    return findInList(lines, [...(device?.tenders ?? []), ...list.known]);
  }, [list, lines, device]);
  const isSearching = Boolean(list) && ((lines.length > 0 && device?.lines !== lines) || isAsking);
  return { found, isWaiting: Boolean(list) && askedAt === null, isSearching, error };
}

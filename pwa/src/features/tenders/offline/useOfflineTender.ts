/** One tender, from the device at once and from the server when it answers. */
import type { Tender } from '@nivida/contract/tenders/tender';
import { useEffect } from 'react';
import { create } from 'zustand';
import { currentTime } from '../../../data/clock.ts';
import type { TenderRow } from '../../../data/device/schema.ts';
import { isNotFoundError } from '../../../data/server/api.ts';
import { useTender } from '../../../data/server/tenders.ts';
import { findTenderOnDevice, storeOpenedTender } from '../packs/local-engines.ts';

/** A tender as it can be shown; without one `error` says why, or is undefined while it loads. */
export interface OfflineTenderState {
  tender: Tender | undefined;
  error: unknown;
  /** Set when the server could not be asked or no longer has it: when the device's copy was saved. */
  savedAt: Date | null;
  /** The server answered that there is no such tender. */
  isGone: boolean;
}

/** What the device has of the last tender that was looked up. */
const useFound = create<{ id: string; row: TenderRow | undefined }>(() => ({ id: '', row: undefined }));

/** Looks a tender up on the device, and saves what the server sends, so that it can be read offline. */
export function useLookUp(id: string): void {
  const { answer, receivedAt } = useTender(id);
  useEffect(() => {
    let isWanted = true;
    void findTenderOnDevice(id, currentTime()).then((row) => isWanted && useFound.setState({ id, row }));
    return () => {
      isWanted = false;
    };
  }, [id]);

  useEffect(() => {
    if (answer && receivedAt) void storeOpenedTender(answer, receivedAt.getTime());
  }, [answer, receivedAt]);
}

/** The tender of an id, for its screen and its page header. */
export function useOfflineTender(id: string): OfflineTenderState {
  const { answer, error } = useTender(id);
  const found = useFound();
  const isLookedUp = found.id === id;
  const row = isLookedUp ? found.row : undefined;
  const isGone = error !== undefined && isNotFoundError(error);
  const isFromDevice = answer === undefined && row !== undefined;
  return {
    tender: answer ?? row?.tender,
    // what the device may still have is not yet missing
    error: answer === undefined && isLookedUp && !row ? error : undefined,
    savedAt: isFromDevice && error !== undefined ? new Date(row.savedAt) : null,
    isGone,
  };
}

/** One tender: from the device at once, then from the server. */
import type { Tender } from '@nivida/contract/tenders/tender';
import { useEffect } from 'react';
import { create } from 'zustand';
import type { TenderRow } from '../../data/device/schema.ts';
import { isNotFoundError } from '../../data/server/api.ts';
import { useReachability } from '../../data/server/reachability.ts';
import { useTender } from '../../data/server/tenders.ts';
import { isNewerRow } from '../../data/tenders/tender-rows.ts';
import { findTenderOnDevice, storeOpenedTender } from '../packs/local-engines.ts';

/** Without a tender, `error` is the reason; it is undefined while the tender loads. */
export interface OfflineTenderState {
  tender: Tender | undefined;
  error: unknown;
  /** When the tender was saved on the device; set when the server cannot be reached or no longer has it. */
  savedAt: Date | null;
  /** The server has answered that the tender does not exist. */
  isGone: boolean;
  /** The device has been searched. */
  isLookedUp: boolean;
  /** Asks the server again. */
  reload: () => void;
}

/** The device's row of the last tender that was looked up. */
const useFound = create<{ id: string; row: TenderRow | undefined }>(() => ({ id: '', row: undefined }));

/** Looks up a tender on the device, and stores the server's answer for reading offline. */
export function useLookUp(id: string): void {
  const { answer, receivedAt } = useTender(id);
  useEffect(() => {
    let isWanted = true;
    void findTenderOnDevice(id).then((row) => isWanted && useFound.setState({ id, row }));
    return () => {
      isWanted = false;
    };
  }, [id]);

  useEffect(() => {
    if (answer && receivedAt) void storeOpenedTender(answer, receivedAt.getTime());
  }, [answer, receivedAt]);
}

/** Returns the newer one of the device's row and the server's answer. */
export function useOfflineTender(id: string): OfflineTenderState {
  const { answer, error, receivedAt, reload } = useTender(id);
  const isSilent = useReachability(({ status }) => status !== 'reachable');
  const found = useFound();
  const isLookedUp = found.id === id;
  const row = isLookedUp ? found.row : undefined;
  const isGone = error !== undefined && isNotFoundError(error);
  const isFromDevice = row !== undefined && (!answer || !receivedAt || isNewerRow(row, answer, receivedAt.getTime()));
  return {
    tender: isFromDevice ? row.tender : answer,
    // No error is shown until the lookup on the device has ended.
    error: answer === undefined && isLookedUp && !row ? error : undefined,
    // An answer with an error comes from a stored page.
    savedAt:
      isFromDevice && (error !== undefined || isSilent)
        ? new Date(row.savedAt)
        : error === undefined
          ? null
          : receivedAt,
    isGone,
    isLookedUp,
    reload,
  };
}

/** One tender, from the device at once and from the server when it answers. */
import type { Tender } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
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

/** The tender of an id; what the server sends is kept, so that it can be read offline. */
export function useOfflineTender(id: string): OfflineTenderState {
  const { answer, receivedAt, error } = useTender(id);
  const [found, setFound] = useState<{ id: string; row: TenderRow | undefined }>();

  useEffect(() => {
    let isWanted = true;
    void findTenderOnDevice(id, currentTime()).then((row) => isWanted && setFound({ id, row }));
    return () => {
      isWanted = false;
    };
  }, [id]);

  useEffect(() => {
    if (answer && receivedAt) void storeOpenedTender(answer, receivedAt.getTime());
  }, [answer, receivedAt]);

  const isLookedUp = found?.id === id;
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

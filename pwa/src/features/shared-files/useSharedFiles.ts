import { useEffect } from 'react';
import { withDatabase } from '../../data/device/database.ts';
import { type DeviceQuery, type LiveRows, useLiveRows } from '../../data/device/live-query.ts';
import type { SharedFileRow } from '../../data/device/schema.ts';
import { useSpaceRows } from '../../data/firms/useSpaceRows.ts';
import { useOwner } from '../../data/session.ts';
import type { BidChoice } from './bid-choices.ts';

const loadFiles = async (): Promise<DeviceQuery<SharedFileRow[]>> =>
  (await import('../../data/shared-files/shared-file-rows.ts')).listSharedFiles;

/** The user's shared files, the newest first. Files that came while the app was closed become the signed-in user's. */
export function useSharedFiles(): LiveRows<SharedFileRow[]> {
  const owner = useOwner();
  const shared = useLiveRows(loadFiles);
  const isNew = shared.rows?.some((row) => row.owner === '') ?? false;
  useEffect(() => {
    if (owner === '' || !isNew) return;
    void import('../../data/shared-files/shared-file-rows.ts')
      .then(({ adoptSharedFiles }) => withDatabase((db) => adoptSharedFiles(db, owner)))
      .catch(() => undefined);
  }, [owner, isNew]);
  return shared;
}

const loadChoices = async (): Promise<DeviceQuery<BidChoice[]>> => (await import('./bid-choices.ts')).readBidChoices;

/** Undefined while they are read. */
export const useBidChoices = (): BidChoice[] | undefined => useSpaceRows(loadChoices).rows;

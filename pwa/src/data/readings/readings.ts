/** What was read in the official documents of a tender: the stored reading at once, then the server's. */
import type { TenderReading } from '@nivida/contract/documents/tender-reading';
import { useEffect, useState } from 'react';
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import type { ReadingRow } from '../device/schema.ts';
import { type DeviceWriter, writeForUser } from '../device/storage-quota.ts';
import { apiOf, isConnectionError } from '../server/api.ts';
import { createQueryCache, useQuery } from '../server/query-cache.ts';
import { useOwner } from '../session.ts';

/** Fetches and stores a tender's reading for an owner. Throws the errors of the request. */
export async function fetchReading(owner: string, tenderId: string, write: DeviceWriter): Promise<ReadingRow> {
  const savedAt = currentTime().getTime();
  const {
    readingCounts,
    readingVersion,
    TenderReading: Answer,
  } = await import('@nivida/contract/documents/tender-reading');
  const reading = await apiOf(owner)
    .get(`api/tenders/${encodeURIComponent(tenderId)}/reading`)
    .json(Answer);
  const row = { owner, tenderId, reading, version: readingVersion(readingCounts(reading)), savedAt };
  const { storeReading } = await import('./reading-rows.ts');
  // Without storage the reading is shown online only.
  await withDatabase((db) => write(db, () => storeReading(db, row))).catch(() => undefined);
  return row;
}

const keyOf = (owner: string, tenderId: string) => `${tenderId} ${owner}`;

const readings = createQueryCache((key: string) => {
  const [tenderId = '', owner = ''] = key.split(' ');
  return fetchReading(owner, tenderId, writeForUser);
});

/** Asks the server again: after a purchase, or after a file was kept with the tender. */
export const refreshReading = (owner: string, tenderId: string): Promise<void> =>
  readings.refresh(keyOf(owner, tenderId));

/**
 * `reading` and `savedAt` (its age) are set whenever something is stored or was sent, also beside an error.
 * 'offline': nothing is stored and there is no connection. 'failed': nothing is stored and the server refused.
 */
export interface StoredReadingState {
  state: 'loading' | 'ready' | 'offline' | 'failed';
  reading: TenderReading | undefined;
  savedAt: Date | null;
  error: unknown;
  reload: () => void;
}

/** A tender's reading for the current owner. Null loads nothing. */
export function useTenderReading(tenderId: string | null): StoredReadingState {
  const owner = useOwner();
  const key = tenderId === null ? null : keyOf(owner, tenderId);
  const { answer, error, reload } = useQuery(readings, key);
  const [stored, setStored] = useState<{ key: string; row: ReadingRow | undefined }>();

  useEffect(() => {
    if (tenderId === null || key === null) return;
    let isWanted = true;
    withDatabase((db) => db.readings.get([owner, tenderId]))
      .catch(() => undefined)
      .then((row) => isWanted && setStored({ key, row }));
    return () => {
      isWanted = false;
    };
  }, [key, owner, tenderId]);

  const isRead = stored?.key === key;
  const row = answer ?? (isRead ? stored?.row : undefined);
  const isFailed = row === undefined && error !== undefined && isRead;
  return {
    state: row ? 'ready' : isFailed ? (isConnectionError(error) ? 'offline' : 'failed') : 'loading',
    reading: row?.reading,
    savedAt: row ? new Date(row.savedAt) : null,
    error: isRead || answer ? error : undefined,
    reload,
  };
}

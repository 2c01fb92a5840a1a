/** Awards from the device, for screens without an answer of the server. */
import type { Tender } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
import { hasDatabase, withDatabase } from '../../../data/device/database.ts';
import type { DeviceDatabase } from '../../../data/device/schema.ts';
import type { SavedOffice, SavedWork } from './award-packs.ts';

const loadPacks = () => import('./award-packs.ts');
type Packs = Awaited<ReturnType<typeof loadPacks>>;

/** Reads the database of awards. Null on a new device; its database is not opened. */
async function readDevice<T>(read: (packs: Packs, db: DeviceDatabase) => Promise<T | null>): Promise<T | null> {
  if (!(await hasDatabase())) return null;
  const packs = await loadPacks();
  return withDatabase((db) => read(packs, db));
}

/**
 * The value read for a key. Undefined while it is read; null when the device has none. A null key reads
 * nothing.
 */
function useDeviceRead<T>(
  key: string | null,
  read: (packs: Packs, db: DeviceDatabase) => Promise<T | null>,
): T | null | undefined {
  const [found, setFound] = useState<{ key: string; value: T | null }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies what `read` reads
  useEffect(() => {
    if (key === null) return;
    let isWanted = true;
    readDevice(read)
      .catch(() => null)
      .then((value) => isWanted && setFound({ key, value }));
    return () => {
      isWanted = false;
    };
  }, [key]);
  return found && found.key === key ? found.value : undefined;
}

/** The statistics of a tender's office. They are read only while the server has not answered. */
export const useSavedTenderOffice = (tender: Tender, isAnswered: boolean): SavedOffice | null | undefined =>
  useDeviceRead(isAnswered ? null : tender._id, (packs, db) => packs.savedTenderOffice(db, tender));

export const useSavedOffice = (id: string, isAnswered: boolean): SavedOffice | null | undefined =>
  useDeviceRead(isAnswered ? null : id, (packs, db) => packs.savedOfficeById(db, id));

/** Past works like a tender. They are read only when the server cannot be asked. */
export const useSavedSimilarWorks = (
  tender: Tender,
  isRead: boolean,
): { works: (SavedWork & { likeness: 'let-before' | 'related' })[]; savedAt: Date } | null | undefined =>
  useDeviceRead(isRead ? tender._id : null, (packs, db) => packs.savedSimilarWorks(db, tender));

/** Lists of the signed-in user's account, readable offline. */
import { useEffect, useState } from 'react';
import { type QueryCache, type QueryResult, useQuery } from '../server/query-cache.ts';
import { withDatabase } from './database.ts';
import type { AccountListRow, DeviceDatabase } from './schema.ts';

type ListKind = AccountListRow['kind'];
type ListOfKind<K extends ListKind> = Extract<AccountListRow, { kind: K }>['list'];

interface StoredList<K extends ListKind> {
  list: ListOfKind<K>;
  savedAt: Date;
}

async function readStoredList<K extends ListKind>(owner: string, kind: K): Promise<StoredList<K> | null> {
  const row = await withDatabase((db) => db.accountLists.get([owner, kind])).catch(() => undefined);
  // The key fixes the kind of the list.
  return row ? { list: row.list as ListOfKind<K>, savedAt: new Date(row.savedAt) } : null;
}

/** A list of an owner (the user's id): the stored one at once, then the server's, which is stored too. */
export function useAccountList<K extends ListKind>(
  owner: string,
  kind: K,
  answers: QueryCache<ListOfKind<K>>,
): QueryResult<ListOfKind<K>> {
  const { answer, receivedAt, error, reload } = useQuery(answers, owner);
  const [stored, setStored] = useState<StoredList<K> | null>();

  // A fresh cached response is not enough: a purchase of a moment ago must be in the list.
  useEffect(() => void answers.refresh(owner), [answers, owner]);

  useEffect(() => {
    let isWanted = true;
    void readStoredList(owner, kind).then((row) => isWanted && setStored(row));
    return () => {
      isWanted = false;
    };
  }, [owner, kind]);

  useEffect(() => {
    if (!answer || !receivedAt) return;
    const row = { owner, kind, list: answer, savedAt: receivedAt.getTime() } as AccountListRow;
    // A browser without storage shows the list online only.
    void withDatabase((db) => db.accountLists.put(row)).catch(() => undefined);
  }, [answer, receivedAt, owner, kind]);

  const shown = answer ?? stored?.list;
  return {
    answer: shown,
    receivedAt: receivedAt ?? stored?.savedAt ?? null,
    // No error is shown until the stored list has been read.
    error: stored === undefined && answer === undefined ? undefined : error,
    isLoading: shown === undefined && (stored === undefined || error === undefined),
    reload,
  };
}

/** Removes an owner's stored lists, documents, readings of documents and shared files. */
export async function deleteAccountData(db: DeviceDatabase, owner: string): Promise<void> {
  await db.transaction('rw', db.accountLists, db.packageFiles, db.readings, db.sharedFiles, async () => {
    await db.accountLists.where('owner').equals(owner).delete();
    await db.packageFiles.where('owner').equals(owner).delete();
    await db.readings.where('owner').equals(owner).delete();
    await db.sharedFiles.where('owner').equals(owner).delete();
  });
}

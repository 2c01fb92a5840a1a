/** Lists of the signed-in user's account, kept on the device to be read without signal. */
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
  const row = await withDatabase((db) => db.ownedLists.get([owner, kind])).catch(() => undefined);
  // the key says which kind of list it is
  return row ? { list: row.list as ListOfKind<K>, savedAt: new Date(row.savedAt) } : null;
}

/** The list of an owner (the user's id): the device's copy at once, the server's when it answers, which is then kept. */
export function useAccountList<K extends ListKind>(
  owner: string,
  kind: K,
  answers: QueryCache<ListOfKind<K>>,
): QueryResult<ListOfKind<K>> {
  const { answer, receivedAt, error, reload } = useQuery(answers, owner);
  const [kept, setKept] = useState<StoredList<K> | null>();

  // what was bought a moment ago must be there: a young answer is not enough
  useEffect(() => void answers.refresh(owner), [answers, owner]);

  useEffect(() => {
    let isWanted = true;
    void readStoredList(owner, kind).then((row) => isWanted && setKept(row));
    return () => {
      isWanted = false;
    };
  }, [owner, kind]);

  useEffect(() => {
    if (!answer || !receivedAt) return;
    const row = { owner, kind, list: answer, savedAt: receivedAt.getTime() } as AccountListRow;
    // a browser that keeps nothing shows it with a connection only
    void withDatabase((db) => db.ownedLists.put(row)).catch(() => undefined);
  }, [answer, receivedAt, owner, kind]);

  const shown = answer ?? kept?.list;
  return {
    answer: shown,
    receivedAt: receivedAt ?? kept?.savedAt ?? null,
    // what the device may still have is not yet missing
    error: kept === undefined && answer === undefined ? undefined : error,
    isLoading: shown === undefined && (kept === undefined || error === undefined),
    reload,
  };
}

/** Removes what is kept of an owner's account: lists and documents. */
export async function deleteAccountData(db: DeviceDatabase, owner: string): Promise<void> {
  await db.transaction('rw', db.ownedLists, db.packageFiles, async () => {
    await db.ownedLists.where('owner').equals(owner).delete();
    await db.packageFiles.where('owner').equals(owner).delete();
  });
}

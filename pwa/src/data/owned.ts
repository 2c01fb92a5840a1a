/** Lists of the signed-in user's account, kept on the device to be read without signal. */
import { useEffect, useState } from 'react';
import { type Answers, type Shown, useAnswer } from './answers.ts';
import type { DeviceDatabase, OwnedListRow } from './db.ts';
import { onDevice } from './device.ts';

type Kind = OwnedListRow['kind'];
type ListOf<K extends Kind> = Extract<OwnedListRow, { kind: K }>['list'];

interface KeptList<K extends Kind> {
  list: ListOf<K>;
  savedAt: Date;
}

async function readKept<K extends Kind>(owner: string, kind: K): Promise<KeptList<K> | null> {
  const row = await onDevice((db) => db.ownedLists.get([owner, kind])).catch(() => undefined);
  // the key says which kind of list it is
  return row ? { list: row.list as ListOf<K>, savedAt: new Date(row.savedAt) } : null;
}

/** The list of an owner (the user's id): the device's copy at once, the server's when it answers, which is then kept. */
export function useOwnedList<K extends Kind>(owner: string, kind: K, answers: Answers<ListOf<K>>): Shown<ListOf<K>> {
  const { answer, receivedAt, error, reload } = useAnswer(answers, owner);
  const [kept, setKept] = useState<KeptList<K> | null>();

  // what was bought a moment ago must be there: a young answer is not enough
  useEffect(() => void answers.refresh(owner), [answers, owner]);

  useEffect(() => {
    let isWanted = true;
    void readKept(owner, kind).then((row) => isWanted && setKept(row));
    return () => {
      isWanted = false;
    };
  }, [owner, kind]);

  useEffect(() => {
    if (!answer || !receivedAt) return;
    const row = { owner, kind, list: answer, savedAt: receivedAt.getTime() } as OwnedListRow;
    // a browser that keeps nothing shows it with a connection only
    void onDevice((db) => db.ownedLists.put(row)).catch(() => undefined);
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
export async function clearOwned(db: DeviceDatabase, owner: string): Promise<void> {
  await db.transaction('rw', db.ownedLists, db.packageFiles, async () => {
    await db.ownedLists.where('owner').equals(owner).delete();
    await db.packageFiles.where('owner').equals(owner).delete();
  });
}

/** Live queries: they run again after each change of the rows they read, by this tab or another one. */
import { useEffect, useState } from 'react';
import { useSession } from '../session.ts';
import { withDatabase } from './database.ts';
import type { DeviceDatabase } from './schema.ts';

/** Reads the rows of an owner: a user's id, or '' for the signed-out device. */
export type DeviceQuery<Rows> = (db: DeviceDatabase, owner: string) => Promise<Rows>;

/** Runs `query` now and after each change until the returned function is called. After an error it does not run again. */
export function observeDevice<Rows>(
  query: (db: DeviceDatabase) => Promise<Rows>,
  onRows: (rows: Rows) => void,
  onError: (error: unknown) => void = () => undefined,
): () => void {
  let isStopped = false;
  let stop = () => {
    isStopped = true;
  };
  async function subscribe() {
    const db = await withDatabase(async (opened) => opened);
    if (isStopped) return;
    const subscription = db.live(query).subscribe({ next: onRows, error: onError });
    stop = () => subscription.unsubscribe();
  }
  subscribe().catch(onError);
  return () => stop();
}

/** Neither `rows` nor `error` while the rows are read; `error` when the device's database failed. */
export interface LiveRows<Rows> {
  rows?: Rows;
  error?: unknown;
}

/**
 * The signed-in user's rows, or those of the signed-out device. The first render has no rows, on the server and on the
 * device. `loadQuery` must be the same function at each render; it imports the query, so that no screen loads Dexie.
 */
export function useLiveRows<Rows>(loadQuery: () => Promise<DeviceQuery<Rows>>): LiveRows<Rows> {
  const owner = useSession()?.user._id ?? '';
  const [state, setState] = useState<LiveRows<Rows> & { owner: string }>({ owner });

  useEffect(() => {
    let isUnmounted = false;
    let stop: (() => void) | undefined;
    const onError = (error: unknown) => !isUnmounted && setState({ owner, error });
    loadQuery().then((query) => {
      if (isUnmounted) return;
      stop = observeDevice(
        (db) => query(db, owner),
        (rows) => setState({ owner, rows }),
        onError,
      );
    }, onError);
    return () => {
      isUnmounted = true;
      stop?.();
    };
  }, [owner, loadQuery]);

  return state.owner === owner ? state : {};
}

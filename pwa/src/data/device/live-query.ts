/** Live queries: they run again after each change of the rows they read, by this tab or another one. */
import { useEffect, useState } from 'react';
import { useSession } from '../session.ts';
import type { DeviceDatabase } from './schema.ts';

/** Reads the rows of an owner: a user's id, or '' for the signed-out device. */
export type DeviceQuery<Rows> = (db: DeviceDatabase, owner: string) => Promise<Rows>;

/** Neither `rows` nor `error` while the rows are read; `error` when the device's database failed. */
export interface LiveRows<Rows> {
  rows?: Rows;
  error?: unknown;
}

/**
 * The signed-in user's rows, or those of the signed-out device. The first render has no rows, on the server and on the
 * device. `loadQuery` must be the same function at each render; it imports the query, since no screen loads the database at first.
 */
export function useLiveRows<Rows>(loadQuery: () => Promise<DeviceQuery<Rows>>): LiveRows<Rows> {
  const owner = useSession()?.user._id ?? '';
  const [state, setState] = useState<LiveRows<Rows> & { owner: string }>({ owner });

  useEffect(() => {
    let isUnmounted = false;
    let stop: (() => void) | undefined;
    const onError = (error: unknown) => !isUnmounted && setState({ owner, error });
    Promise.all([loadQuery(), import('./database.ts')]).then(([query, { observeDevice }]) => {
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

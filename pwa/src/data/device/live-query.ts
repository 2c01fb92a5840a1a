/** Live queries: they run again after each change of the rows they read, by this tab or another one. */
import { useObservable } from 'dexie-react-hooks';
import { useOwner } from '../session.ts';
import { loadCode, observeDevice } from './database.ts';
import type { DeviceDatabase } from './schema.ts';

/** Reads the rows of an owner: a user's id, or '' for the signed-out device. */
export type DeviceQuery<Rows> = (db: DeviceDatabase, owner: string) => Promise<Rows>;

/** Neither `rows` nor `error` while the rows are read; `error` when the device's database failed. */
export interface LiveRows<Rows> {
  rows?: Rows;
  error?: unknown;
}

type OwnedRows<Rows> = LiveRows<Rows> & { owner: string };

/** The rows of an owner as an observable, which loads the query and the database when it is subscribed to. */
function observeRows<Rows>(loadQuery: () => Promise<DeviceQuery<Rows>>, owner: string) {
  return {
    // there are no rows before the subscription
    hasValue: () => false,
    subscribe(next: (state: OwnedRows<Rows>) => void): () => void {
      let isStopped = false;
      let stop: (() => void) | undefined;
      const onError = (error: unknown) => !isStopped && next({ owner, error });
      loadCode(loadQuery()).then((query) => {
        if (isStopped) return;
        stop = observeDevice(
          (db) => query(db, owner),
          (rows) => next({ owner, rows }),
          onError,
        );
      }, onError);
      return () => {
        isStopped = true;
        stop?.();
      };
    },
  };
}

/**
 * The signed-in user's rows, or those of the signed-out device. The first render has no rows, on the server and on the
 * device. `loadQuery` must be the same function at each render; it imports the query, since no screen loads the database at first.
 */
export function useLiveRows<Rows>(loadQuery: () => Promise<DeviceQuery<Rows>>): LiveRows<Rows> {
  const owner = useOwner();
  const initial: OwnedRows<Rows> = { owner };
  const state = useObservable(() => observeRows(loadQuery, owner), [loadQuery, owner], initial);
  return state.owner === owner ? state : {};
}

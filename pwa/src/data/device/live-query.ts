/** Live queries. They run again after each change of the rows that they read, by this tab or another one. */
import { useEffect, useState } from 'react';
import { useOwner } from '../session.ts';
import { loadCode, observeDevice } from './database.ts';
import type { DeviceDatabase } from './schema.ts';

/** Reads the rows of an owner: a user's id, or '' for the signed-out device. */
export type DeviceQuery<Rows> = (db: DeviceDatabase, owner: string) => Promise<Rows>;

/**
 * Neither `rows` nor `error` is set while the rows are read. `error` is set when the device's database
 * failed.
 */
export interface LiveRows<Rows> {
  rows?: Rows;
  error?: unknown;
}

/** Loads the query and the database. Reports the rows of an owner until the returned function is called. */
function observeRows<Rows>(
  loadQuery: () => Promise<DeviceQuery<Rows>>,
  owner: string,
  onState: (state: LiveRows<Rows>) => void,
): () => void {
  let isStopped = false;
  let stop: (() => void) | undefined;
  const onError = (error: unknown) => !isStopped && onState({ error });
  loadCode(loadQuery()).then((query) => {
    if (isStopped) return;
    stop = observeDevice(
      (db) => query(db, owner),
      (rows) => onState({ rows }),
      onError,
    );
  }, onError);
  return () => {
    isStopped = true;
    stop?.();
  };
}

/**
 * The signed-in user's rows, or those of the signed-out device. The first render has no rows, on the server and on the
 * device. `loadQuery` must be the same function at each render; it imports the query, since no screen loads the database at first.
 */
export function useLiveRows<Rows>(loadQuery: () => Promise<DeviceQuery<Rows>>): LiveRows<Rows> {
  const owner = useOwner();
  const [read, setRead] = useState<LiveRows<Rows> & { owner: string }>({ owner });
  useEffect(() => observeRows(loadQuery, owner, (state) => setRead({ owner, ...state })), [loadQuery, owner]);
  return read.owner === owner ? read : {};
}

/** Live queries. They run again after each change of the rows that they read, by this tab or another one. */
import { useSyncExternalStore } from 'react';
import { useOwner } from '../session.ts';
import { loadCode, observeDevice } from './database.ts';
import type { DeviceDatabase } from './schema.ts';

/** Reads the rows of an owner: a user's id, '' for the signed-out device, or the owner of a firm's records. */
export type DeviceQuery<Rows> = (db: DeviceDatabase, owner: string) => Promise<Rows>;

/**
 * Neither `rows` nor `error` is set while the rows are read. `error` is set when the device's database
 * failed.
 */
export interface LiveRows<Rows> {
  rows?: Rows;
  error?: unknown;
}

type LoadQuery<Rows> = () => Promise<DeviceQuery<Rows>>;

/** Loads the query and the database. Reports the rows of an owner until the returned function is called. */
function observeRows<Rows>(
  loadQuery: LoadQuery<Rows>,
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

const UNREAD = {};

/** The rows of one query and owner, read once for all components that show them. */
interface SharedRows<Rows> {
  subscribe: (onChange: () => void) => () => void;
  state: () => LiveRows<Rows>;
}

function shareRows<Rows>(loadQuery: LoadQuery<Rows>, owner: string): SharedRows<Rows> {
  const listeners = new Set<() => void>();
  let state: LiveRows<Rows> = UNREAD;
  let stop: (() => void) | undefined;
  const onState = (next: LiveRows<Rows>) => {
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    subscribe: (onChange) => {
      listeners.add(onChange);
      stop ??= observeRows(loadQuery, owner, onState);
      return () => {
        listeners.delete(onChange);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
        state = UNREAD;
      };
    },
  };
}

const sharedRows = new WeakMap<LoadQuery<unknown>, Map<string, SharedRows<unknown>>>();

function sharedRowsOf<Rows>(loadQuery: LoadQuery<Rows>, owner: string): SharedRows<Rows> {
  const byOwner = sharedRows.get(loadQuery) ?? new Map<string, SharedRows<Rows>>();
  sharedRows.set(loadQuery, byOwner);
  const shared = byOwner.get(owner) ?? shareRows(loadQuery, owner);
  byOwner.set(owner, shared);
  return shared as SharedRows<Rows>;
}

/**
 * The signed-in user's rows, or those of the signed-out device. The first render has no rows, on the server and on the
 * device. Components with the same `loadQuery` get new rows in the same render. `loadQuery` must be the same function
 * at each render; it imports the query, since no screen loads the database at first.
 */
export function useLiveRows<Rows>(loadQuery: LoadQuery<Rows>): LiveRows<Rows> {
  return useRowsOf(loadQuery, useOwner());
}

/** `useLiveRows` for the rows of a given owner. */
export function useRowsOf<Rows>(loadQuery: LoadQuery<Rows>, owner: string): LiveRows<Rows> {
  const { subscribe, state } = sharedRowsOf(loadQuery, owner);
  return useSyncExternalStore(subscribe, state, () => UNREAD);
}

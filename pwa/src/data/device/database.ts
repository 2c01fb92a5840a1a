/** The device's database. It opens after the first paint and opens again when the browser has lost the connection. */
import { create } from 'zustand';
import { whenPainted } from '../first-screen.ts';
import type { DeviceDatabase } from './schema.ts';

/** Some browsers never answer the request to open. After this time the database counts as unavailable. */
const MAX_OPEN_MS = 10_000;

/** 'unavailable': the browser stores nothing (private mode, no IndexedDB, blocked). The app then works online only. */
export type DatabaseState = 'closed' | 'ready' | 'unavailable';

/** The state of the database; 'closed' until the first use. */
export const useDatabaseState = create<{ state: DatabaseState }>(() => ({ state: 'closed' }));

/** Thrown by `withDatabase` when the database is unavailable. */
export class DatabaseUnavailableError extends Error {
  override name = 'DatabaseUnavailableError';
}

let databasePromise: Promise<DeviceDatabase> | undefined;

function withOpenTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the database did not open')), MAX_OPEN_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** True for the errors of Safari and Chromium after they have lost the connection. */
function isConnectionLost(error: unknown): boolean {
  const names = ['InvalidStateError', 'UnknownError', 'DatabaseClosedError'];
  const inner = error instanceof Error && 'inner' in error ? error.inner : undefined;
  return [error, inner].some((each) => each instanceof Error && names.includes(each.name));
}

async function openOnce(): Promise<DeviceDatabase> {
  await whenPainted();
  const { DeviceDatabase } = await import('./schema.ts');
  const db = new DeviceDatabase();
  try {
    await withOpenTimeout(Promise.resolve(db.open()));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

async function openWithRetry(): Promise<DeviceDatabase> {
  try {
    const db = await openOnce().catch((error: unknown) => {
      if (isConnectionLost(error)) return openOnce();
      throw error;
    });
    useDatabaseState.setState({ state: 'ready' });
    return db;
  } catch (error) {
    useDatabaseState.setState({ state: 'unavailable' });
    throw new DatabaseUnavailableError('The device database is unavailable.', { cause: error });
  }
}

/**
 * Runs `work` on the device's database. After a lost connection the database opens again and `work` runs once more, so it
 * must be repeatable: one transaction, or reads. Throws DatabaseUnavailableError and the errors of `work`.
 */
export async function withDatabase<T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T> {
  if (useDatabaseState.getState().state === 'unavailable')
    throw new DatabaseUnavailableError('The device database is unavailable.');
  databasePromise ??= openWithRetry();
  const usedPromise = databasePromise;
  const db = await usedPromise;
  try {
    return await work(db);
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    // Another caller may have opened it again already.
    if (databasePromise === usedPromise) {
      db.close();
      databasePromise = openWithRetry();
    }
    return work(await databasePromise);
  }
}

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

/** Closes the database. The next `withDatabase` opens it again, also after 'unavailable'. */
export async function closeDatabase(): Promise<void> {
  const usedPromise = databasePromise;
  databasePromise = undefined;
  useDatabaseState.setState({ state: 'closed' });
  await usedPromise?.then(
    (db) => db.close(),
    () => undefined,
  );
}

/** The way to the device's database: opened late, reopened once when the browser has lost it, absent in private mode. */
import { create } from 'zustand';
import { whenPainted } from '../first-screen.ts';
import type { DeviceDatabase } from './schema.ts';

/** A database that does not open within this time counts as absent: some browsers leave the request hanging. */
const MAX_OPEN_MS = 10_000;

/** 'unavailable': this browser keeps nothing (private mode, no IndexedDB, blocked); the app then works online only. */
export type DatabaseState = 'closed' | 'ready' | 'unavailable';

/** Whether this browser keeps anything; 'closed' until something has asked for the database. */
export const useDatabaseState = create<{ state: DatabaseState }>(() => ({ state: 'closed' }));

/** Thrown by `withDatabase` when there is no database to work on. */
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

/** True for what Safari and Chromium throw when they have lost the connection to a database that is there. */
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
    throw new DatabaseUnavailableError('This browser keeps nothing.', { cause: error });
  }
}

/**
 * Runs `work` on the device's database. When the connection was lost it is opened anew and `work` runs once more, so
 * `work` must be repeatable: one transaction, or reads. Throws DatabaseUnavailableError where the browser keeps nothing, and
 * whatever `work` throws.
 */
export async function withDatabase<T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T> {
  if (useDatabaseState.getState().state === 'unavailable')
    throw new DatabaseUnavailableError('This browser keeps nothing.');
  databasePromise ??= openWithRetry();
  const usedPromise = databasePromise;
  const db = await usedPromise;
  try {
    return await work(db);
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    // others may have noticed first and opened it already
    if (databasePromise === usedPromise) {
      db.close();
      databasePromise = openWithRetry();
    }
    return work(await databasePromise);
  }
}

/** Closes the database; the next `withDatabase` opens it again, also after it had been unavailable. */
export async function closeDatabase(): Promise<void> {
  const usedPromise = databasePromise;
  databasePromise = undefined;
  useDatabaseState.setState({ state: 'closed' });
  await usedPromise?.then(
    (db) => db.close(),
    () => undefined,
  );
}

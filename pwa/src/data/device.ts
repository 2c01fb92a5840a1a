/** The way to the device's database: opened late, reopened once when the browser has lost it, absent in private mode. */
import { create } from 'zustand';
import type { DeviceDatabase } from './db.ts';
import { painted } from './first-screen.ts';

/** A database that does not open within this time counts as absent: some browsers leave the request hanging. */
const OPEN_WITHIN_MS = 10_000;

/** 'unavailable': this browser keeps nothing (private mode, no IndexedDB, blocked); the app then works online only. */
export type DeviceState = 'closed' | 'ready' | 'unavailable';

/** Whether this browser keeps anything; 'closed' until something has asked for the database. */
export const useDevice = create<{ state: DeviceState }>(() => ({ state: 'closed' }));

/** Thrown by `onDevice` when there is no database to work on. */
export class DeviceUnavailable extends Error {
  override name = 'DeviceUnavailable';
}

let opened: Promise<DeviceDatabase> | undefined;

function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the database did not open')), OPEN_WITHIN_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** True for what Safari and Chromium throw when they have lost the connection to a database that is there. */
function isLostConnection(error: unknown): boolean {
  const names = ['InvalidStateError', 'UnknownError', 'DatabaseClosedError'];
  const inner = error instanceof Error && 'inner' in error ? error.inner : undefined;
  return [error, inner].some((each) => each instanceof Error && names.includes(each.name));
}

async function tryToOpen(): Promise<DeviceDatabase> {
  await painted();
  const { DeviceDatabase } = await import('./db.ts');
  const db = new DeviceDatabase();
  try {
    await inTime(Promise.resolve(db.open()));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

async function openDatabase(): Promise<DeviceDatabase> {
  try {
    const db = await tryToOpen().catch((error: unknown) => {
      if (isLostConnection(error)) return tryToOpen();
      throw error;
    });
    useDevice.setState({ state: 'ready' });
    return db;
  } catch (error) {
    useDevice.setState({ state: 'unavailable' });
    throw new DeviceUnavailable('This browser keeps nothing.', { cause: error });
  }
}

/**
 * Runs `work` on the device's database. When the connection was lost it is opened anew and `work` runs once more, so
 * `work` must be repeatable: one transaction, or reads. Throws DeviceUnavailable where the browser keeps nothing, and
 * whatever `work` throws.
 */
export async function onDevice<T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T> {
  if (useDevice.getState().state === 'unavailable') throw new DeviceUnavailable('This browser keeps nothing.');
  opened ??= openDatabase();
  const used = opened;
  const db = await used;
  try {
    return await work(db);
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    // others may have noticed first and opened it already
    if (opened === used) {
      db.close();
      opened = openDatabase();
    }
    return work(await opened);
  }
}

/** Closes the database; the next `onDevice` opens it again, also after it had been unavailable. */
export async function closeDevice(): Promise<void> {
  const used = opened;
  opened = undefined;
  useDevice.setState({ state: 'closed' });
  await used?.then(
    (db) => db.close(),
    () => undefined,
  );
}

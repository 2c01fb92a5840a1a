/** The device's database. It opens after the first paint and opens again when the browser has lost the connection. */
import { t } from '@lingui/core/macro';
import { create } from 'zustand';
import { afterInput, whenPainted } from '../first-screen.ts';
import { whenUsed } from '../when-used.ts';
import type { DeviceDatabase } from './schema.ts';

const DATABASE_NAME = 'nivida';
/**
 * Some browsers never answer the request to open the database. After this time the app continues without it.
 */
export const MAX_OPEN_MS = 3_000;
/** The part of `MAX_OPEN_MS` that the browser's list of databases may take. */
const MAX_LIST_MS = 1_000;

/**
 * 'unavailable': the browser stores nothing (private mode, no IndexedDB, blocked). The app then works online
 * only.
 */
type DatabaseState = 'closed' | 'ready' | 'unavailable';

interface DatabaseStatus {
  state: DatabaseState;
  /** The database is unavailable because it does not answer. */
  isSilent: boolean;
  /** The database is unavailable because the phone has no space for it. */
  isFull?: boolean | undefined;
  /** The code of the database or of a query could not be loaded. */
  isCodeMissing?: boolean | undefined;
}

/** The state of the database. It is 'closed' until the first use. */
export const useDatabaseState = create<DatabaseStatus>(() => ({
  state: 'closed',
  isSilent: false,
}));

/** Thrown by `withDatabase` when the database is unavailable. */
export class DatabaseUnavailableError extends Error {
  override name = 'DatabaseUnavailableError';
}

/** Why nothing can be saved on this device, as the first half of a sentence. */
export function storageProblem(): string {
  const { isSilent, isFull, isCodeMissing } = useDatabaseState.getState();
  if (isCodeMissing) return t`A part of the app could not be loaded`;
  if (isSilent) return t`The storage of this browser does not answer`;
  return isFull ? t`The storage of this phone is full` : t`This browser blocks storage`;
}

let databasePromise: Promise<DeviceDatabase> | undefined;

/** The database, or the browser's list of databases, does not answer. */
class SilentDatabaseError extends Error {
  override name = 'SilentDatabaseError';
}

/** When the browser was asked for its list of databases. Undefined once it has answered. */
let listAskedAt: number | undefined;

/** The time that remains for opening. A list that has not come yet has used a part of it. */
function openTimeout(): number {
  const waitedMs = listAskedAt === undefined ? 0 : performance.now() - listAskedAt;
  return MAX_OPEN_MS - Math.min(waitedMs, MAX_LIST_MS);
}

function withTimeout<T>(work: Promise<T>, maxMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new SilentDatabaseError('the database did not answer')), maxMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** True for the errors that Safari and Chromium throw after they have lost the connection. */
function isConnectionLost(error: unknown): boolean {
  const names = ['InvalidStateError', 'UnknownError', 'DatabaseClosedError'];
  const inner = error instanceof Error && 'inner' in error ? error.inner : undefined;
  return [error, inner].some((each) => each instanceof Error && names.includes(each.name));
}

/** Waits for an import of device data. A failure is shown in the state of the database. */
export async function loadCode<T>(code: Promise<T>): Promise<T> {
  return code.catch((error: unknown) => {
    useDatabaseState.setState({ isCodeMissing: true });
    throw error;
  });
}

function ignoreFailure(): void {}

/** Uses a database that has opened after the app had continued without it. */
function adoptLate(db: DeviceDatabase): void {
  if (useDatabaseState.getState().isSilent) {
    databasePromise = Promise.resolve(db);
    useDatabaseState.setState({ state: 'ready', isSilent: false });
  } else db.close();
}

async function openOnce(): Promise<DeviceDatabase> {
  const maxMs = openTimeout();
  await whenPainted();
  const { DeviceDatabase } = await loadCode(import('./schema.ts'));
  await afterInput();
  const db = new DeviceDatabase(DATABASE_NAME);
  const opening = Promise.resolve(db.open());
  try {
    await withTimeout(opening, maxMs);
    return db;
  } catch (error) {
    useDatabaseState.setState({ isCodeMissing: undefined });
    if (error instanceof SilentDatabaseError) opening.then(() => adoptLate(db), ignoreFailure);
    else db.close();
    throw error;
  }
}

async function openWithRetry(): Promise<DeviceDatabase> {
  try {
    const db = await openOnce().catch((error: unknown) => {
      if (isConnectionLost(error)) return openOnce();
      throw error;
    });
    useDatabaseState.setState({ state: 'ready', isSilent: false });
    return db;
  } catch (error) {
    const isSilent = error instanceof SilentDatabaseError;
    const isFull = (error as Error).name === 'QuotaExceededError' || undefined;
    useDatabaseState.setState({ state: 'unavailable', isSilent, isFull });
    throw new DatabaseUnavailableError('The device database is unavailable.', { cause: error });
  }
}

function openDatabase(): Promise<DeviceDatabase> {
  databasePromise ??= openWithRetry();
  return databasePromise;
}

async function listDatabases(): Promise<IDBDatabaseInfo[] | undefined> {
  listAskedAt ??= performance.now();
  try {
    return await globalThis.indexedDB?.databases?.();
  } finally {
    listAskedAt = undefined;
  }
}

/**
 * False on a new device: it has nothing to read, and opening the database would load its code. True when it
 * is unknown. If the browser does not answer within a second, the database is opened in the rest of the three
 * seconds.
 */
export async function hasDatabase(): Promise<boolean> {
  if (databasePromise) return true;
  try {
    const databases = await withTimeout(listDatabases(), MAX_LIST_MS);
    return databases?.some(({ name }) => name === DATABASE_NAME) ?? true;
  } catch (error) {
    // Later callers must not wait for the list again.
    if (error instanceof SilentDatabaseError) openDatabase().catch(ignoreFailure);
    return true;
  }
}

/**
 * Waits until the device's database is worth opening, for work that can wait. Resolves at once on a device with a
 * database. On a new device it resolves when the app is used or when its database is open.
 */
export async function whenDatabaseIsWanted(): Promise<void> {
  if (await hasDatabase()) return;
  await new Promise<void>((resolve) => {
    const stopWatching = useDatabaseState.subscribe(({ state }) => state !== 'closed' && resolve());
    whenUsed(() => {
      stopWatching();
      resolve();
    });
  });
}

/**
 * Runs `work` on the device's database. After a lost connection the database is opened again and `work` runs
 * a second time, so `work` must be repeatable: one transaction, or only reads. Throws
 * DatabaseUnavailableError and the errors of `work`.
 */
export async function withDatabase<T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T> {
  if (useDatabaseState.getState().state === 'unavailable')
    throw new DatabaseUnavailableError('The device database is unavailable.');
  const usedPromise = openDatabase();
  const db = await usedPromise;
  try {
    return await work(db);
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    // Another caller may already have opened it again.
    if (databasePromise === usedPromise) {
      db.close();
      databasePromise = openWithRetry();
    }
    return work(await openDatabase());
  }
}

/**
 * Runs `query` now and after each change, until the returned function is called. After an error it does not
 * run again, unless a database that did not answer opens later.
 */
export function observeDevice<Rows>(
  query: (db: DeviceDatabase) => Promise<Rows>,
  onRows: (rows: Rows) => void,
  onError: (error: unknown) => void = () => undefined,
): () => void {
  let isStopped = false;
  let stop: () => void = ignoreFailure;
  async function subscribe() {
    const db = await withDatabase(async (opened) => opened);
    if (isStopped) return;
    const subscription = db.live(query).subscribe({ next: onRows, error: onError });
    stop = () => subscription.unsubscribe();
  }
  function start(): void {
    subscribe().catch((error: unknown) => {
      onError(error);
      if (!isStopped && useDatabaseState.getState().isSilent) startWhenReady();
    });
  }
  function startWhenReady(): void {
    stop = useDatabaseState.subscribe(({ state }) => {
      if (state !== 'ready') return;
      stop();
      start();
    });
  }
  start();
  return () => {
    isStopped = true;
    stop();
  };
}

/** Closes the database. The next `withDatabase` opens it again, even after 'unavailable'. */
export async function closeDatabase(): Promise<void> {
  const usedPromise = databasePromise;
  databasePromise = undefined;
  listAskedAt = undefined;
  useDatabaseState.setState({ state: 'closed', isSilent: false, isFull: undefined, isCodeMissing: undefined });
  await usedPromise?.then(
    (db) => db.close(),
    () => undefined,
  );
}

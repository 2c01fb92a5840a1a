/**
 * The device's database for the service worker. It uses plain IndexedDB, because Dexie is larger than the
 * worker.
 */
import type {
  BookmarkRow,
  OutboxRow,
  PushDeviceRow,
  PushEventRow,
  PushedChangeRow,
  SettingRow,
  SharedFileRow,
  SupportFileRow,
  SupportThreadRow,
  TenderRow,
} from './schema.ts';

interface RowTypes {
  pushDevice: PushDeviceRow;
  pushedChanges: PushedChangeRow;
  pushEvents: PushEventRow;
  tenders: TenderRow;
  bookmarks: BookmarkRow;
  settings: SettingRow;
  outbox: OutboxRow;
  supportThreads: SupportThreadRow;
  supportFiles: SupportFileRow;
  sharedFiles: SharedFileRow;
}

/**
 * The key in `settings` of the bookmarks that a notification's button has removed. The app reads and empties
 * it.
 */
export const REMOVED_BOOKMARKS_KEY = 'bookmarksRemoved';

/** The key in `settings` of the one-time tokens; see `send-tokens.ts`. */
export const SEND_TOKENS_KEY = 'send tokens';

/** The key in `settings` of the app's language when something was last left to the worker. */
export const LANGUAGE_KEY = 'language';

/** The tokens of one user. */
export interface SendTokensSetting {
  owner: string;
  tokens: string[];
}

/** True for a setting of this shape. */
export function isSendTokensSetting(value: unknown): value is SendTokensSetting {
  const { owner, tokens }: Partial<Record<string, unknown>> = { ...(value as object | null) };
  return typeof owner === 'string' && Array.isArray(tokens);
}

type StoreName = keyof RowTypes;

/** One table within a transaction. */
interface WorkerStore<Row> {
  get(key: IDBValidKey): Promise<Row | undefined>;
  all(): Promise<Row[]>;
  put(row: Row): void;
  delete(key: IDBValidKey): void;
}

function requestResult<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function openWorkerDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('nivida');
  // Only the app creates the database.
  request.onupgradeneeded = () => request.transaction?.abort();
  return requestResult(request);
}

function wrapStore<Row>(store: IDBObjectStore): WorkerStore<Row> {
  return {
    get: (key) => requestResult(store.get(key)),
    all: () => requestResult(store.getAll()),
    put: (row) => void store.put(row),
    delete: (key) => void store.delete(key),
  };
}

/**
 * Runs `work` in one transaction. Throws when the app has not created the tables, or the browser stores nothing. `isSynced`:
 * it ends when the disk has the rows.
 */
export async function withStores<Name extends StoreName, T>(
  names: readonly Name[],
  mode: 'readonly' | 'readwrite',
  work: (stores: { [N in Name]: WorkerStore<RowTypes[N]> }) => Promise<T>,
  isSynced = false,
): Promise<T> {
  const db = await openWorkerDatabase();
  try {
    const transaction = db.transaction([...names], mode, { durability: isSynced ? 'strict' : 'default' });
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const stores = Object.fromEntries(names.map((name) => [name, wrapStore(transaction.objectStore(name))]));
    const [value] = await Promise.all([work(stores as { [N in Name]: WorkerStore<RowTypes[N]> }), ended]);
    return value;
  } finally {
    db.close();
  }
}

/**
 * The push subscription of this device. Undefined when there is none, or when the database cannot be read.
 */
export async function readPushDeviceRow(): Promise<PushDeviceRow | undefined> {
  try {
    return await withStores(['pushDevice'], 'readonly', ({ pushDevice }) => pushDevice.get('device'));
  } catch {
    return undefined;
  }
}

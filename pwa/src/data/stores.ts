/** The device's database as the service worker opens it: without Dexie, which is larger than the worker. */
import type {
  BookmarkRow,
  OutboxRow,
  PatchRow,
  PushDeviceRow,
  PushEventRow,
  SearchWishRow,
  SettingRow,
  TenderRow,
  WishRow,
} from './db.ts';

interface Rows {
  pushDevice: PushDeviceRow;
  patches: PatchRow;
  pushEvents: PushEventRow;
  tenders: TenderRow;
  bookmarks: BookmarkRow;
  wishes: WishRow;
  settings: SettingRow;
  outbox: OutboxRow;
  searchWishes: SearchWishRow;
}

/** The key in `settings` of the one-time tokens; see `send-tokens.ts`. */
export const SEND_TOKENS = 'send tokens';

/** The tokens of one user. */
export interface SendTokensSetting {
  owner: string;
  tokens: string[];
}

/** True for a setting of this shape. */
export function isSendTokens(value: unknown): value is SendTokensSetting {
  const { owner, tokens }: Partial<Record<string, unknown>> = { ...(value as object | null) };
  return typeof owner === 'string' && Array.isArray(tokens);
}

type StoreName = keyof Rows;

/** One table within a transaction. */
export interface Store<Row> {
  get(key: IDBValidKey): Promise<Row | undefined>;
  all(): Promise<Row[]>;
  put(row: Row): void;
  delete(key: IDBValidKey): void;
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('nivida');
  // there is none yet: it is the app that makes it
  request.onupgradeneeded = () => request.transaction?.abort();
  return answerOf(request);
}

function toStore<Row>(store: IDBObjectStore): Store<Row> {
  return {
    get: (key) => answerOf(store.get(key)),
    all: () => answerOf(store.getAll()),
    put: (row) => void store.put(row),
    delete: (key) => void store.delete(key),
  };
}

/**
 * Runs `work` on some tables in one transaction. Throws where the app has not made them yet, or the browser keeps nothing.
 */
export async function onStores<Name extends StoreName, T>(
  names: readonly Name[],
  mode: 'readonly' | 'readwrite',
  work: (stores: { [N in Name]: Store<Rows[N]> }) => Promise<T>,
): Promise<T> {
  const db = await open();
  try {
    const transaction = db.transaction([...names], mode);
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const stores = Object.fromEntries(names.map((name) => [name, toStore(transaction.objectStore(name))]));
    const [value] = await Promise.all([work(stores as { [N in Name]: Store<Rows[N]> }), ended]);
    return value;
  } finally {
    db.close();
  }
}

/** Answers of the server kept in memory: shown at once when asked for again, refreshed behind what is shown. */
import { useEffect, useSyncExternalStore } from 'react';
import { createStore, type StoreApi } from 'zustand';
import { currentTime } from '../clock.ts';
import { type PageData, page, usePage } from '../page.ts';

/** An answer younger than this is not asked for again. */
const FRESH_FOR_MS = 60_000;
/** Beyond this many the oldest is forgotten; a page of ten tenders is some 10 KB. */
const MAX_CACHED = 50;

/** `error` beside an `answer` means that the last refresh failed and the older answer stands. */
export interface CachedAnswer<T> {
  answer?: T;
  /** When the answer came; null when there is none. */
  receivedAt: Date | null;
  error?: unknown;
}

/** What a screen gets: `isLoading` only while there is nothing to show; `reload` asks again at once. */
export interface QueryResult<T> {
  answer: T | undefined;
  receivedAt: Date | null;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
}

/** The kept answers of one kind of call, by key. */
export interface QueryCache<T> {
  store: StoreApi<Record<string, CachedAnswer<T>>>;
  /** Answers that a page brought: the server snapshot of the store. The same object for the same page. */
  ofPage: (page: PageData) => Record<string, CachedAnswer<T>>;
  /** Asks now; whoever asks for the same key meanwhile waits for the same call. Never throws. */
  refresh: (key: string) => Promise<void>;
  /** Asks unless the kept answer is younger than a minute at `now`. */
  refreshIfOld: (key: string, now: Date) => Promise<void>;
}

/** Takes the answer of a page when its call begins with `prefix`; the rest of the call is the key. */
export interface PageSource<T> {
  prefix: string;
  /** Undefined for an answer of another shape. */
  check: (given: unknown) => T | undefined;
}

function answersOfPage<T>(
  { answer: given }: PageData,
  { prefix, check }: PageSource<T>,
): Record<string, CachedAnswer<T>> {
  if (!given?.call.startsWith(prefix)) return {};
  const answer = check(given.answer);
  const receivedAt = new Date(given.at);
  if (answer === undefined || Number.isNaN(receivedAt.getTime())) return {};
  return { [given.call.slice(prefix.length)]: { answer, receivedAt } };
}

const NO_ANSWERS = {};

/** A store of answers; `ask` is the call for a key and may throw, `source` takes the answer that the page brought. */
export function createQueryCache<T>(fetchAnswer: (key: string) => Promise<T>, source?: PageSource<T>): QueryCache<T> {
  const byPage = new WeakMap<PageData, Record<string, CachedAnswer<T>>>();
  function ofPage(given: PageData): Record<string, CachedAnswer<T>> {
    const answers = byPage.get(given) ?? (source ? answersOfPage(given, source) : NO_ANSWERS);
    byPage.set(given, answers);
    return answers;
  }
  const store = createStore<Record<string, CachedAnswer<T>>>(() => ofPage(page));
  const pendingCalls = new Map<string, Promise<void>>();

  function storeAnswer(key: string, entry: CachedAnswer<T>): void {
    const { [key]: _replaced, ...others } = store.getState();
    const newest = Object.entries(others).slice(1 - MAX_CACHED);
    store.setState({ ...Object.fromEntries(newest), [key]: entry }, true);
  }

  async function fetchAndStore(key: string): Promise<void> {
    const entry = store.getState()[key];
    // an error without an answer gives way to "loading"; beside an answer it stays until we know better
    if (entry && entry.answer === undefined) storeAnswer(key, { receivedAt: null });
    try {
      const answer = await fetchAnswer(key);
      storeAnswer(key, { answer, receivedAt: currentTime() });
    } catch (error) {
      storeAnswer(key, { receivedAt: null, ...store.getState()[key], error });
    }
  }

  function refresh(key: string): Promise<void> {
    let call = pendingCalls.get(key);
    if (!call) {
      call = fetchAndStore(key).finally(() => pendingCalls.delete(key));
      pendingCalls.set(key, call);
    }
    return call;
  }

  async function refreshIfOld(key: string, now: Date): Promise<void> {
    const receivedAt = store.getState()[key]?.receivedAt;
    // an answer from the future means a wrong clock on the device: the next answer's date corrects it
    if (!receivedAt || Math.abs(now.getTime() - receivedAt.getTime()) >= FRESH_FOR_MS) await refresh(key);
  }

  return { store, ofPage, refresh, refreshIfOld };
}

/** What is known of `key`, without asking. */
export function useKnown<T>({ store, ofPage }: QueryCache<T>, key: string | null): CachedAnswer<T> | undefined {
  const rendered = usePage();
  const read = (all: Record<string, CachedAnswer<T>>) => (key === null ? undefined : all[key]);
  return useSyncExternalStore(
    store.subscribe,
    () => read(store.getState()),
    () => read(ofPage(rendered)),
  );
}

/** The answer of `key`, asked for when missing or old, and again when the device is back online; null asks nothing. */
export function useQuery<T>(answers: QueryCache<T>, key: string | null): QueryResult<T> {
  const { refresh, refreshIfOld } = answers;
  const cached = useKnown(answers, key);
  const reload = () => {
    if (key !== null) void refresh(key);
  };

  useEffect(() => {
    if (key === null) return;
    void refreshIfOld(key, currentTime());
    const onOnline = () => void refresh(key);
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [key, refresh, refreshIfOld]);

  return {
    answer: cached?.answer,
    receivedAt: cached?.receivedAt ?? null,
    error: cached?.error,
    isLoading: cached?.answer === undefined && cached?.error === undefined,
    reload,
  };
}

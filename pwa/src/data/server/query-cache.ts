/** The server's answers cached in memory: shown at once when requested again, and refreshed in the background. */
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { createStore, type StoreApi } from 'zustand';
import { currentTime } from '../clock.ts';
import { isSavedNoteShown, removeSavedNote } from '../stored-pages/shown-page.ts';
import { type PageData, page, usePage } from './page.ts';
import { useReachability } from './reachability.ts';

/** An answer younger than this is not requested again. */
const FRESH_FOR_MS = 60_000;
/** Maximum number of entries; the oldest is removed. A page of ten tenders is some 10 KB. */
const MAX_CACHED = 50;

/** `error` beside an `answer` means that the last refresh failed and the older answer is still shown. */
export interface CachedAnswer<T> {
  answer?: T;
  /** When the answer came; null when there is none. */
  receivedAt: Date | null;
  error?: unknown;
}

/** A query's state for a screen: `isLoading` only while there is nothing to show; `reload` calls again at once. */
export interface QueryResult<T> {
  answer: T | undefined;
  receivedAt: Date | null;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
}

/** How often an answer is requested again that broke in the middle or did not come in time. */
const MAX_REPEATS = 2;

/**
 * True when the connection broke after the headers of an answer, which is the browser's own error, or when the answer did
 * not come in time. Other errors of requests are those of ky, which repeats them itself; it is not imported here, because
 * every first page would load it.
 */
const isBrokenAnswer = (error: unknown): boolean =>
  (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) &&
  globalThis.navigator?.onLine !== false;

async function fetchAgain<T>(fetchAnswer: () => Promise<T>, repeats = MAX_REPEATS): Promise<T> {
  try {
    return await fetchAnswer();
  } catch (error) {
    if (repeats === 0 || !isBrokenAnswer(error)) throw error;
    return fetchAgain(fetchAnswer, repeats - 1);
  }
}

/** The cached answers of one kind of call, by key. */
export interface QueryCache<T> {
  store: StoreApi<Record<string, CachedAnswer<T>>>;
  /** Answers embedded in a page: the server snapshot of the store. Returns the same object for the same page. */
  ofPage: (page: PageData) => Record<string, CachedAnswer<T>>;
  /** Calls now; concurrent callers of the same key share one call. Never throws. */
  refresh: (key: string) => Promise<void>;
  /** Calls unless the cached answer is younger than a minute at `now`. That of a saved page is always requested again. */
  refreshIfOld: (key: string, now: Date) => Promise<void>;
}

/** Uses the answer of a page when its call begins with `prefix`; the rest of the call is the key. */
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

/** A cache of answers. `fetchAnswer` is the call for a key and may throw; `source` reads the answer embedded in the page. */
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
    // a retry after an error shows loading; an error beside an answer stays until the retry ends
    if (entry && entry.answer === undefined) storeAnswer(key, { receivedAt: null });
    let received: CachedAnswer<T>;
    try {
      received = { answer: await fetchAgain(() => fetchAnswer(key)), receivedAt: currentTime() };
      // other answers leave the content of the saved page as it is
      if (source && page.answer?.call === source.prefix + key) removeSavedNote();
    } catch (error) {
      received = { receivedAt: null, ...store.getState()[key], error };
    }
    // a screen that shows it may ask again at once
    pendingCalls.delete(key);
    storeAnswer(key, received);
  }

  function refresh(key: string): Promise<void> {
    let call = pendingCalls.get(key);
    if (!call) {
      call = fetchAndStore(key);
      pendingCalls.set(key, call);
    }
    return call;
  }

  async function refreshIfOld(key: string, now: Date): Promise<void> {
    const entry = store.getState()[key];
    const receivedAt = entry?.receivedAt;
    // a reload that the server did not answer shows a stored page of any age
    const isOfSavedPage = entry !== undefined && entry === ofPage(page)[key] && isSavedNoteShown();
    // an answer from the future means a wrong device clock, which the next answer's date corrects
    if (isOfSavedPage || !receivedAt || Math.abs(now.getTime() - receivedAt.getTime()) >= FRESH_FOR_MS)
      await refresh(key);
  }

  return { store, ofPage, refresh, refreshIfOld };
}

/** The cached answer of `key`, without a call. */
export function useKnown<T>({ store, ofPage }: QueryCache<T>, key: string | null): CachedAnswer<T> | undefined {
  const rendered = usePage();
  const read = (all: Record<string, CachedAnswer<T>>) => (key === null ? undefined : all[key]);
  return useSyncExternalStore(
    store.subscribe,
    () => read(store.getState()),
    () => read(ofPage(rendered)),
  );
}

/**
 * The answer of `key`: requested when missing or old, also when the app becomes visible again, and when the server answers
 * again. Null makes no call.
 */
export function useQuery<T>(answers: QueryCache<T>, key: string | null): QueryResult<T> {
  const { store, refresh, refreshIfOld } = answers;
  const cached = useKnown(answers, key);
  const reload = useCallback(() => {
    if (key !== null) void refresh(key);
  }, [key, refresh]);

  useEffect(() => {
    if (key === null) return;
    void refreshIfOld(key, currentTime());
    const refreshNow = () => void refresh(key);
    // a tab may come back after hours
    const refreshWhenVisible = () => {
      if (document.visibilityState === 'visible') void refreshIfOld(key, currentTime());
    };
    window.addEventListener('online', refreshNow);
    document.addEventListener('visibilitychange', refreshWhenVisible);
    const unsubscribe = useReachability.subscribe(({ status }, before) => {
      const failed = store.getState()[key]?.error !== undefined;
      if (status === 'reachable' && before.status === 'unreachable' && failed) refreshNow();
    });
    return () => {
      window.removeEventListener('online', refreshNow);
      document.removeEventListener('visibilitychange', refreshWhenVisible);
      unsubscribe();
    };
  }, [key, refresh, refreshIfOld, store]);

  return {
    answer: cached?.answer,
    receivedAt: cached?.receivedAt ?? null,
    error: cached?.error,
    isLoading: cached?.answer === undefined && cached?.error === undefined,
    reload,
  };
}

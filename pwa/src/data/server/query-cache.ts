/**
 * The server's answers, cached in memory. A cached answer is shown at once and refreshed in the background.
 */
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { createStore, type StoreApi } from 'zustand';
import { currentTime } from '../clock.ts';
import { isSavedNoteShown, removeSavedNote } from '../stored-pages/shown-page.ts';
import { type PageData, page, usePage } from './page.ts';
import { useReachability } from './reachability.ts';

/** A younger answer is not requested again. */
const FRESH_FOR_MS = 60_000;
/** Maximum number of entries; the oldest is removed. A page of ten tenders is about 10 KB. */
const MAX_CACHED = 50;

/** When `answer` and `error` are both set, the last refresh failed and the older answer is still shown. */
interface CachedAnswer<T> {
  answer?: T;
  /** When the answer arrived; null when there is none. */
  receivedAt: Date | null;
  error?: unknown;
}

/**
 * A query's state for a screen. `isLoading` is true only while there is nothing to show. `reload` calls again
 * at once.
 */
export interface QueryResult<T> {
  answer: T | undefined;
  receivedAt: Date | null;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
}

/** Maximum number of retries for an answer that broke in the middle or came too late. */
const MAX_REPEATS = 2;

/**
 * True when the connection broke after the headers of an answer (an error of the browser itself), or when the
 * answer came too late. Other errors are ky's, which retries them itself. ky is not imported here, because
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
  /** Answers embedded in a page; the store's server snapshot. Returns the same object for the same page. */
  ofPage: (page: PageData) => Record<string, CachedAnswer<T>>;
  /** Calls now; concurrent callers of the same key share one call. Never throws. */
  refresh: (key: string) => Promise<void>;
  /**
   * Calls unless the cached answer is younger than a minute at `now`. The answer of a stored page is always
   * requested again.
   */
  refreshIfOld: (key: string, now: Date) => Promise<void>;
}

/** Uses the answer embedded in a page when its call begins with `prefix`. The rest of the call is the key. */
interface PageSource<T> {
  prefix: string;
  /** Validates an answer. Undefined for an answer of another shape. */
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

/**
 * A cache of answers. `fetchAnswer` makes the call for a key and may throw. `source` reads the answer
 * embedded in the page.
 */
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
    // Without an answer, a retry shows that it loads. With an answer, the error stays until the retry has
    // ended.
    if (entry && entry.answer === undefined) storeAnswer(key, { receivedAt: null });
    let received: CachedAnswer<T>;
    try {
      received = { answer: await fetchAgain(() => fetchAnswer(key)), receivedAt: currentTime() };
      // Answers to other calls do not change the content of the stored page.
      if (source && page.answer?.call === source.prefix + key) removeSavedNote();
    } catch (error) {
      received = { receivedAt: null, ...store.getState()[key], error };
    }
    // A screen that shows the answer may ask again at once.
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
    // After a reload that the server did not answer, a stored page of any age is shown.
    const isOfSavedPage = entry !== undefined && entry === ofPage(page)[key] && isSavedNoteShown();
    // An answer from the future means that the device's clock is wrong; the next answer's date corrects it.
    if (isOfSavedPage || !receivedAt || Math.abs(now.getTime() - receivedAt.getTime()) >= FRESH_FOR_MS)
      await refresh(key);
  }

  return { store, ofPage, refresh, refreshIfOld };
}

/** The cached answer for `key`. Makes no call. */
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
 * The answer for `key`. It is requested when it is missing or old, when the app becomes visible again, and
 * when the server answers again. Null makes no call.
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
    // The user may come back to a tab after hours.
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

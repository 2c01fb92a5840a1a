/** Answers of the server kept in memory: shown at once when asked for again, refreshed behind what is shown. */
import { useEffect } from 'react';
import { type StoreApi, useStore } from 'zustand';
import { currentTime } from './clock.ts';
import { presentStore } from './present-store.ts';

/** An answer younger than this is not asked for again. */
const FRESH_MS = 60_000;
/** Beyond this many the oldest is forgotten; a page of ten tenders is some 10 KB. */
const MOST_KEPT = 50;

/** `error` beside an `answer` means that the last refresh failed and the older answer stands. */
export interface Kept<T> {
  answer?: T;
  /** When the answer came; null when there is none. */
  receivedAt: Date | null;
  error?: unknown;
}

/** What a screen gets: `isLoading` only while there is nothing to show; `reload` asks again at once. */
export interface Shown<T> {
  answer: T | undefined;
  receivedAt: Date | null;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
}

/** The kept answers of one kind of call, by key. */
export interface Answers<T> {
  store: StoreApi<Record<string, Kept<T>>>;
  /** Asks now; whoever asks for the same key meanwhile waits for the same call. Never throws. */
  refresh: (key: string) => Promise<void>;
  /** Asks unless the kept answer is younger than a minute at `now`. */
  refreshIfOld: (key: string, now: Date) => Promise<void>;
}

/** A store of answers, `first` being known already; `ask` is the call for a key and may throw. */
export function keepAnswers<T>(ask: (key: string) => Promise<T>, first: Record<string, Kept<T>> = {}): Answers<T> {
  const store = presentStore<Record<string, Kept<T>>>(() => first);
  const asking = new Map<string, Promise<void>>();

  function put(key: string, kept: Kept<T>): void {
    const { [key]: _replaced, ...others } = store.getState();
    const newest = Object.entries(others).slice(1 - MOST_KEPT);
    store.setState({ ...Object.fromEntries(newest), [key]: kept }, true);
  }

  async function askAndPut(key: string): Promise<void> {
    const kept = store.getState()[key];
    // an error without an answer gives way to "loading"; beside an answer it stays until we know better
    if (kept && kept.answer === undefined) put(key, { receivedAt: null });
    try {
      const answer = await ask(key);
      put(key, { answer, receivedAt: currentTime() });
    } catch (error) {
      put(key, { receivedAt: null, ...store.getState()[key], error });
    }
  }

  function refresh(key: string): Promise<void> {
    let call = asking.get(key);
    if (!call) {
      call = askAndPut(key).finally(() => asking.delete(key));
      asking.set(key, call);
    }
    return call;
  }

  async function refreshIfOld(key: string, now: Date): Promise<void> {
    const receivedAt = store.getState()[key]?.receivedAt;
    if (!receivedAt || now.getTime() - receivedAt.getTime() >= FRESH_MS) await refresh(key);
  }

  return { store, refresh, refreshIfOld };
}

/** The answer of `key`, asked for when missing or old, and again when the device is back online; null asks nothing. */
export function useAnswer<T>({ store, refresh, refreshIfOld }: Answers<T>, key: string | null): Shown<T> {
  const kept = useStore(store, (all) => (key === null ? undefined : all[key]));
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
    answer: kept?.answer,
    receivedAt: kept?.receivedAt ?? null,
    error: kept?.error,
    isLoading: kept?.answer === undefined && kept?.error === undefined,
    reload,
  };
}

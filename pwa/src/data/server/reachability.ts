/**
 * Whether the server answers, judged by the app's own calls. `navigator.onLine` is true in a network that
 * carries nothing, and some devices never send an `online` event.
 */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { GrowingPause } from './growing-pause.ts';

/**
 * 'silent': a read has waited without a byte. 'unreachable': reads fail, and a request with a deadline has
 * failed too.
 */
export type Reachability = 'reachable' | 'silent' | 'unreachable';

interface ReachabilityState {
  status: Reachability;
  /** Number of reads that wait without a byte, even while others are answered. */
  silentReads: number;
}

export const useReachability = create<ReachabilityState>(() => ({ status: 'reachable', silentReads: 0 }));

/** A read without a byte for this time counts as silent. */
export const SILENT_AFTER_MS = 3_000;
/** Content that loads for this time counts as stalled, even if some bytes arrive. */
const SLOW_AFTER_MS = 20_000;
/** The deadline of the request that checks whether the server answers. */
const PROBE_DEADLINE_MS = 3_000;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

const pause = new GrowingPause(FIRST_PAUSE_MS, MAX_PAUSE_MS);
let timer: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | undefined;
/** A byte of another answer has arrived since the running check began. */
let hasByteSince = false;

function setStatus(status: Reachability): void {
  if (useReachability.getState().status !== status) useReachability.setState({ status });
}

/** Call when a byte of an answer has arrived. */
export function noteByte(): void {
  clearTimeout(timer);
  hasByteSince = true;
  pause.reset();
  setStatus('reachable');
}

/** Call when a read waits for its first or next byte. Returns a function to call when it no longer waits. */
export function noteSilence(): () => void {
  const countRead = (change: 1 | -1) =>
    useReachability.setState(({ silentReads }) => ({ silentReads: silentReads + change }));
  countRead(1);
  // With another status a check is already due. One check serves all reads that are silent at the same time.
  if (useReachability.getState().status === 'reachable') {
    setStatus('silent');
    probeLater();
  }
  return () => countRead(-1);
}

/** Call when a read has failed without an answer. */
export function noteFailure(): void {
  hasByteSince = false;
  void probe();
}

function probeLater(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void probe(), pause.ms);
}

/** True for an answer of the server. A network that requires a sign-in answers with its own page. */
async function isAnswered(): Promise<boolean> {
  // Without any network the request would only fail. The next attempt checks again.
  if (globalThis.navigator?.onLine === false) return false;
  const abort = new AbortController();
  const deadline = setTimeout(() => abort.abort(), PROBE_DEADLINE_MS);
  try {
    const answer = await fetch('/api/health', { cache: 'no-store', signal: abort.signal });
    return answer.headers.get('content-type')?.includes('json') ?? false;
  } catch {
    return false;
  } finally {
    clearTimeout(deadline);
  }
}

async function askServer(): Promise<void> {
  hasByteSince = false;
  if (await isAnswered()) return noteByte();
  // A slow network carries bytes, but answers come too late.
  if (hasByteSince) return;
  setStatus('unreachable');
  probeLater();
  pause.grow();
}

/** Checks the server now, and again after growing pauses, until it answers or a byte arrives. */
function probe(): Promise<void> {
  running ??= askServer().finally(() => {
    running = undefined;
  });
  return running;
}

/**
 * Calls `callback` with the earlier status when the server answers again. Returns a function that ends the
 * calls.
 */
export function onReachable(callback: (before: Exclude<Reachability, 'reachable'>) => void): () => void {
  return useReachability.subscribe(({ status }, before) => {
    if (status === 'reachable' && before.status !== 'reachable') callback(before.status);
  });
}

/**
 * False without a network, and in a network that carries nothing. The network may be back before this is
 * noticed, so calls may still be tried.
 */
export function hasConnection(): boolean {
  return globalThis.navigator?.onLine !== false && useReachability.getState().status !== 'unreachable';
}

function onReachabilityChange(changed: () => void): () => void {
  const unsubscribe = useReachability.subscribe(changed);
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    unsubscribe();
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** `hasConnection` for a component; true on the server. */
export function useHasConnection(): boolean {
  return useSyncExternalStore(onReachabilityChange, hasConnection, () => true);
}

/** True when `key` has been loading for `ms`. */
function useHasLasted(key: string | null, ms: number): boolean {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    if (key === null) return;
    const timer = setTimeout(() => setLate(key), ms);
    return () => {
      clearTimeout(timer);
      setLate(null);
    };
  }, [key, ms]);
  return key !== null && late === key;
}

/**
 * True while a load is stalled: the server is unreachable, or a read is silent and this load takes over three
 * seconds, or this load takes over 20 seconds. `key` is what loads; null when nothing does. Stays true until
 * `key` is loaded or changes, because a byte may arrive now and then.
 */
export function useIsStalled(key: string | null): boolean {
  const isUnreachable = useReachability(({ status }) => status === 'unreachable');
  const isSilent = useReachability(({ status, silentReads }) => status === 'silent' || silentReads > 0);
  const isLate = useHasLasted(key, SILENT_AFTER_MS);
  const isSlow = useHasLasted(key, SLOW_AFTER_MS);
  const stalledKey = useRef<string | null>(null);
  if (isUnreachable || (isSilent && isLate) || isSlow) stalledKey.current = key;
  else if (stalledKey.current !== key) stalledKey.current = null;
  return key !== null && stalledKey.current === key;
}

/** Follows the browser's events. Where the browser sends them, they report a change sooner than a request. */
function followBrowser(): void {
  const noteOffline = () => {
    setStatus('unreachable');
    probeLater();
  };
  if (navigator.onLine === false) noteOffline();
  window.addEventListener('offline', noteOffline);
  window.addEventListener('online', () => void probe());
}

if (typeof window !== 'undefined') followBrowser();

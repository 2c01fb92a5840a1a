/**
 * Whether the server answers, from the app's own calls: `navigator.onLine` is true in a network that carries nothing, and
 * some devices never send an `online` event.
 */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { GrowingPause } from './growing-pause.ts';

/** 'silent': a read waits without a byte. 'unreachable': reads fail, and a request with a deadline has failed too. */
export type Reachability = 'reachable' | 'silent' | 'unreachable';

interface ReachabilityState {
  status: Reachability;
  /** Reads that wait without a byte, also while others are answered. */
  silentReads: number;
}

export const useReachability = create<ReachabilityState>(() => ({ status: 'reachable', silentReads: 0 }));

/** A read without a byte for this long counts as silent. */
export const SILENT_AFTER_MS = 3_000;
/** Content that loads for this long is given up for now, although some bytes come. */
const SLOW_AFTER_MS = 20_000;
/** The deadline of the request that asks whether the server answers. */
const PROBE_DEADLINE_MS = 3_000;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

const pause = new GrowingPause(FIRST_PAUSE_MS, MAX_PAUSE_MS);
let timer: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | undefined;
/** A byte of another answer has come since the running request began. */
let hasByteSince = false;

function setStatus(status: Reachability): void {
  if (useReachability.getState().status !== status) useReachability.setState({ status });
}

/** A byte of an answer has come. */
export function noteByte(): void {
  clearTimeout(timer);
  hasByteSince = true;
  pause.reset();
  setStatus('reachable');
}

/** A read waits for its first or next byte. Returns what is called when it waits no longer. */
export function noteSilence(): () => void {
  const countRead = (change: 1 | -1) =>
    useReachability.setState(({ silentReads }) => ({ silentReads: silentReads + change }));
  countRead(1);
  // With another status a request is due already: one is for all reads that are silent at the same time.
  if (useReachability.getState().status === 'reachable') {
    setStatus('silent');
    probeLater();
  }
  return () => countRead(-1);
}

/** A read has failed without an answer. */
export function noteFailure(): void {
  hasByteSince = false;
  void probe();
}

function probeLater(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void probe(), pause.ms);
}

/** True for our own answer; a network that wants a sign-in answers with its page. */
async function isAnswered(): Promise<boolean> {
  // Without any network the request would only fail; the next attempt looks again.
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
  // A slow network carries bytes, and answers too late.
  if (hasByteSince) return;
  setStatus('unreachable');
  probeLater();
  pause.grow();
}

/** Asks the server now, and again after growing pauses until it answers or a byte comes. */
function probe(): Promise<void> {
  running ??= askServer().finally(() => {
    running = undefined;
  });
  return running;
}

/** Calls `callback` when the server answers again, with the status before. Returns the function that ends the calls. */
export function onReachable(callback: (before: Exclude<Reachability, 'reachable'>) => void): () => void {
  return useReachability.subscribe(({ status }, before) => {
    if (status === 'reachable' && before.status !== 'reachable') callback(before.status);
  });
}

/** False without a network, and in one that carries nothing. The network may be back before it is known: calls may try. */
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

/** True when the load of `key` has lasted for `ms`. */
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
 * True while something loads in vain: the server is unreachable, or a call is silent and this load takes three seconds, or
 * it takes 20 seconds. `key` is what loads, null when nothing does. Stays true until it is loaded or another key loads,
 * because a byte may come now and then.
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

/** Follows the browser's events, which report a change sooner than a request, where the browser sends them. */
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

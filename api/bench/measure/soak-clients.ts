/** A simulated phone: its calls, their order and their latencies. */
import { STATES } from '@nivida/contract/regions/states';
import type { MeasuredPlace } from './fill-tenders.ts';
import { post } from './harness/server-processes.ts';
import type { LoadClient } from './harness/workload.ts';
import { type BenchmarkMetrics, percentile } from './metrics.ts';

const WORDS = [
  'retaining wall',
  'transformers',
  'bituminous',
  'footbridge',
  'canal',
  'class rooms',
  'trasformers',
  'road',
];
const MAX_WAIT_MS = 30_000;
/** A phone with an account signs in once: each call before it is the sign-in with a chance of 1 / SIGN_IN_OF. */
const SIGN_IN_OF = 5;

const stateSlug = (state: string) => STATES.find(({ name }) => name === state)?.slug;

export interface SoakClient {
  place: MeasuredPlace;
  /** The address that the proxy forwards. */
  address: string;
  account: LoadClient | undefined;
  password: string;
  hasSignedIn: boolean;
  /** Cursor of its stored state. */
  cursor: string | undefined;
  /** Ids of tenders that it has listed. */
  seen: string[];
}

/** The server that phones call, and the recorded calls. */
export interface SoakTarget {
  origins: string[];
  tally: CallStatistics;
}

type CallKind = 'manifest' | 'segment' | 'delta' | 'search' | 'list' | 'detail' | 'bookmarks' | 'sign-in';

/** Latencies in milliseconds, and errors, of each kind of call. */
export class CallStatistics {
  private readonly times = new Map<CallKind, number[]>();
  private readonly errors = new Map<string, number>();
  private resets = 0;

  get count(): number {
    return [...this.times.values()].reduce((sum, { length }) => sum + length, 0);
  }

  recordTime(kind: CallKind, ms: number): void {
    const times = this.times.get(kind);
    if (times) times.push(ms);
    else this.times.set(kind, [ms]);
  }

  recordError(kind: CallKind, what: string): void {
    const name = `${kind}: ${what}`;
    this.errors.set(name, (this.errors.get(name) ?? 0) + 1);
  }

  recordReset(): void {
    this.resets += 1;
  }

  /** Prints count and latencies of each kind; the kinds in `others` have their own limit. */
  report(figures: BenchmarkMetrics, maxP99Ms: number, others: Partial<Record<CallKind, number>>): void {
    for (const [name, count] of this.errors) process.stderr.write(`${count} times ${name}\n`);
    const failures = [...this.errors.values()].reduce((sum, count) => sum + count, 0);
    figures.check('errors', failures, 'most', 0);
    figures.record('packs_restarted', this.resets);
    for (const [kind, times] of this.times) {
      const name = kind.replace('-', '_');
      figures.record(`${name}_calls`, times.length);
      figures.record(`${name}_p50_ms`, percentile(times, 0.5));
      figures.check(`${name}_p99_ms`, percentile(times, 0.99), 'most', others[kind] ?? maxP99Ms);
    }
  }
}

/** Makes the phone's next call: first it downloads its state, then it browses. */
export async function runNextCall(caller: SoakTarget, client: SoakClient): Promise<void> {
  if (client.cursor === undefined) return download(caller, client);
  const dice = Math.random();
  if (client.account && !client.hasSignedIn && dice < 1 / SIGN_IN_OF) return signIn(caller, client, client.account);
  if (client.account && dice < 0.35) return syncBookmarks(caller, client, client.account);
  if (dice < 0.25) return update(caller, client);
  if (dice < 0.5 && client.seen.length > 0) return openTender(caller, client);
  return search(caller, client, dice < 0.75);
}

async function download(caller: SoakTarget, phone: SoakClient): Promise<void> {
  const text = await call(caller, phone, 'manifest', `/api/sync/${stateSlug(phone.place.state)}`, {}, [200, 503]);
  if (!text) return;
  const manifest = JSON.parse(text) as {
    cursor?: string;
    segments?: { list: { url: string }; detail: { url: string } }[];
  };
  // The server is preparing the pack; the phone asks again.
  if (!manifest.segments) return;
  for (const { list, detail } of manifest.segments)
    for (const { url } of [list, detail]) await call(caller, phone, 'segment', url);
  phone.cursor = manifest.cursor;
}

async function update(caller: SoakTarget, phone: SoakClient): Promise<void> {
  const path = `/api/sync/${stateSlug(phone.place.state)}/delta?cursor=${phone.cursor}`;
  const text = await call(caller, phone, 'delta', path, {}, [200, 204, 409]);
  const { cursor, reset } = JSON.parse(text || '{}') as { cursor?: string; reset?: boolean };
  if (reset) caller.tally.recordReset();
  phone.cursor = reset ? undefined : (cursor ?? phone.cursor);
}

async function search(caller: SoakTarget, phone: SoakClient, hasWords: boolean): Promise<void> {
  const { state, district, department } = phone.place;
  const word = WORDS[Math.floor(Math.random() * WORDS.length)] ?? '';
  const query = new URLSearchParams(
    hasWords ? { state, q: word, limit: '20' } : { state, district, department, sort: 'closing_date', limit: '20' },
  );
  const text = await call(caller, phone, hasWords ? 'search' : 'list', `/api/tenders?${query}`);
  if (text) phone.seen = (JSON.parse(text) as { tenders: { _id: string }[] }).tenders.map(({ _id }) => _id);
}

async function openTender(caller: SoakTarget, phone: SoakClient): Promise<void> {
  const id = phone.seen[Math.floor(Math.random() * phone.seen.length)];
  await call(caller, phone, 'detail', `/api/tenders/${id}`);
}

async function syncBookmarks(caller: SoakTarget, phone: SoakClient, { headers }: LoadClient): Promise<void> {
  const changes = phone.seen.slice(0, 3).map((tenderId) => ({ tenderId, wanted: Math.random() < 0.7 }));
  await call(caller, phone, 'bookmarks', '/api/bookmarks/sync', post({ changes }, headers));
}

async function signIn(caller: SoakTarget, phone: SoakClient, { mobileNo }: LoadClient): Promise<void> {
  phone.hasSignedIn = true;
  await call(caller, phone, 'sign-in', '/api/auth/login', post({ mobileNo, password: phone.password }));
}

/** The body of a good response; '' for others, which are counted. */
async function call(
  { origins, tally }: SoakTarget,
  { address }: SoakClient,
  kind: CallKind,
  path: string,
  options: RequestInit = {},
  right = [200],
): Promise<string> {
  const origin = origins[Math.floor(Math.random() * origins.length)];
  const started = performance.now();
  try {
    const headers = { 'x-forwarded-for': address, ...(options.headers as Record<string, string>) };
    const answer = await fetch(`${origin}${path}`, { ...options, headers, signal: AbortSignal.timeout(MAX_WAIT_MS) });
    const text = await answer.text();
    tally.recordTime(kind, performance.now() - started);
    if (right.includes(answer.status)) return text;
    tally.recordError(kind, `${answer.status} ${text.slice(0, 120)}`);
  } catch (error) {
    tally.recordTime(kind, performance.now() - started);
    tally.recordError(kind, String((error as Error).cause ?? error));
  }
  return '';
}

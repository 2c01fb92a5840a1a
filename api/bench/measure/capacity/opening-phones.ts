/** Phones whose users open the app within a time, in a process of its own: arrivals do not wait for answers. */
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { STATES } from '@nivida/contract/regions/states';
import type { MeasuredPlace } from '../fill-tenders.ts';
import { percentile } from '../metrics.ts';

const MAX_WAIT_MS = 20_000;
/** Every fourth phone is signed in, and every tenth of these has changes to send. */
const SIGNED_IN_OF = 4;
const CHANGED_OF = 10;
/** Share of the users who open a list, and who open a tender. */
const LIST_SHARE = 0.3;
const TENDER_SHARE = 0.3;
/** Seconds after the opening of the app. */
const LIST_AFTER = 2;
const TENDER_AFTER = 4;

export const OPENING_CALLS = ['delta', 'site_status', 'bookmarks', 'changes', 'list', 'tender'] as const;
export type OpeningCall = (typeof OPENING_CALLS)[number];

export interface WavePlan {
  origin: string;
  phones: number;
  seconds: number;
  places: readonly MeasuredPlace[];
  /** Cursors of the former heads of each state. */
  cursors: Record<string, string[]>;
  /** Headers of signed-in phones. */
  authorizations: string[];
  tenderIds: number[];
}

export interface WaveReport {
  /** Milliseconds from the planned instant of a call until its whole answer. */
  times: Record<OpeningCall, number[]>;
  /** Deltas answered 204. */
  unchanged: number;
  /** Failed calls by kind and reason. */
  errors: Record<string, number>;
  /** Bytes of bodies. */
  bytes: number;
  /** 99 of 100 calls left at most this long after their planned instant. */
  lagP99Ms: number;
}

interface PlannedCall {
  kind: OpeningCall;
  /** Milliseconds after the start. */
  at: number;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** In the child process: makes the calls of each plan that the parent sends, and answers with a report. */
export function servePhones(): void {
  process.on('message', (plan) => void runWave(plan as WavePlan).then((report) => process.send?.(report)));
  // Between two plans nothing else keeps the process running.
  process.channel?.ref();
  process.send?.('ready');
}

async function runWave(plan: WavePlan): Promise<WaveReport> {
  const agent = new Agent({ keepAlive: true });
  const report: WaveReport = {
    times: { delta: [], site_status: [], bookmarks: [], changes: [], list: [], tender: [] },
    ...{ unchanged: 0, errors: {}, bytes: 0, lagP99Ms: 0 },
  };
  const lags: number[] = [];
  const calls = Array.from({ length: plan.phones }, (_, phone) => callsOf(phone, plan)).flat();
  const start = performance.now();
  await Promise.all(
    calls.map(async (call) => {
      await wait(call.at);
      const planned = start + call.at;
      lags.push(performance.now() - planned);
      const { status, bytes } = await send(plan.origin, agent, call);
      report.times[call.kind].push(performance.now() - planned);
      report.bytes += bytes;
      if (call.kind === 'delta' && status === 204) report.unchanged += 1;
      if (status === 200 || status === 204) return;
      const name = `${call.kind}: ${status}`;
      report.errors[name] = (report.errors[name] ?? 0) + 1;
    }),
  );
  agent.destroy();
  return { ...report, lagP99Ms: percentile(lags, 0.99) };
}

function callsOf(phone: number, plan: WavePlan): PlannedCall[] {
  const at = Math.random() * plan.seconds * 1_000;
  const { state, district, department } = pick(plan.places);
  const slug = STATES.find(({ name }) => name === state)?.slug ?? '';
  const headers = {
    'accept-encoding': 'br',
    // Four phones share an address, as in mobile networks.
    'x-forwarded-for': `100.64.${(phone >> 10) & 255}.${(phone >> 2) & 255}`,
  };
  const calls: PlannedCall[] = [
    { kind: 'delta', at, headers, path: `/api/sync/${slug}/delta?cursor=${pick(plan.cursors[slug] ?? [])}&details=1` },
  ];
  if (phone % SIGNED_IN_OF === 0) {
    const authorization = plan.authorizations[(phone / SIGNED_IN_OF) % plan.authorizations.length] ?? '';
    const signedIn = { ...headers, authorization };
    calls.push({ kind: 'site_status', at, headers: signedIn, path: '/api/site-status' });
    calls.push({ kind: 'bookmarks', at, headers: signedIn, path: '/api/tenders/bookmarked' });
    if (phone % (SIGNED_IN_OF * CHANGED_OF) === 0)
      calls.push({
        ...{ kind: 'changes', at, path: '/api/bookmarks/sync' },
        headers: { ...signedIn, 'content-type': 'application/json' },
        body: JSON.stringify({ changes: [{ tenderId: String(pick(plan.tenderIds)), wanted: true }] }),
      });
  }
  if (Math.random() < LIST_SHARE) {
    const query = new URLSearchParams({ state, district, department, sort: 'closing_date', limit: '20' });
    calls.push({ kind: 'list', at: at + LIST_AFTER * 1_000, headers, path: `/api/tenders?${query}` });
  }
  if (Math.random() < TENDER_SHARE)
    calls.push({
      kind: 'tender',
      at: at + TENDER_AFTER * 1_000,
      headers,
      path: `/api/tenders/${pick(plan.tenderIds)}`,
    });
  return calls;
}

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** The status of the whole answer, or the error without one. */
function send(
  origin: string,
  agent: Agent,
  { path, headers, body }: PlannedCall,
): Promise<{ status: number | string; bytes: number }> {
  return new Promise((done) => {
    const fail = (error: Error) => done({ status: (error as NodeJS.ErrnoException).code ?? error.message, bytes: 0 });
    const options = { agent, headers, method: body ? 'POST' : 'GET', timeout: MAX_WAIT_MS };
    const call = request(`${origin}${path}`, options, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on('end', () => done({ status: answer.statusCode ?? 0, bytes }));
      answer.on('error', fail);
    });
    call.on('timeout', () => call.destroy(new Error('no answer')));
    call.on('error', fail);
    call.end(body);
  });
}

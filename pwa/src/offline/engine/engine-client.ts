/** The page's asynchronous interface to the engine, which runs in a worker, or in this thread without workers. */
import type { Suggestion } from '@nivida/contract/search/suggest-works';
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import type { DetailRow } from '@nivida/contract/sync/sync-wire';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import type { TrustedScriptURL } from 'trusted-types/lib';
import { CorruptSegmentIndexError } from '../segments/segment-index-file.ts';
import type { EngineHost, LoadResult, StoredEngineInput, StoredIndex } from './engine-host.ts';
import type { NewestResult } from './newest.ts';
import type { EngineAnswer, EngineQuery } from './query.ts';
// Not `new Worker(new URL(…))`: the page's policy requires a trusted script URL.
import workerUrl from './worker.ts?worker&url';
import {
  callHost,
  type EngineCall,
  type EngineFailure,
  type EngineReply,
  type EngineRequest,
} from './worker-protocol.ts';

type CallEngine = <Name extends EngineCall>(
  call: Name,
  args: Parameters<EngineHost[Name]>,
  transfer?: Transferable[],
) => Promise<Awaited<ReturnType<EngineHost[Name]>>>;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): TrustedScriptURL };
}

let workerAddress: string | undefined;

/** The worker's URL as a trusted script URL of policy `nivida-engine`, where the browser supports Trusted Types. */
function trustedWorkerUrl(): string {
  // A policy can be created only once.
  if (workerAddress !== undefined) return workerAddress;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('nivida-engine', { createScriptURL: () => workerUrl });
  // The DOM's types accept only strings here.
  workerAddress = (policy?.createScriptURL('') ?? workerUrl) as string;
  return workerAddress;
}

/** Blobs are read in the worker and need no transfer. */
const isBuffer = (stored: StoredIndex | null): stored is ArrayBuffer => stored instanceof ArrayBuffer;

/** Create one with `start`. */
export class EngineClient {
  /** A newer search cancels older ones; their answer is null. */
  readonly search: (query: EngineQuery, now: Date) => Promise<EngineAnswer | null>;
  /** A newer call cancels older ones; their answer is null. */
  readonly suggest: (text: string, query: Partial<EngineQuery>, now: Date) => Promise<Suggestion[] | null>;

  private constructor(
    private readonly ask: CallEngine,
    readonly stop: () => void,
  ) {
    this.search = runLatestOnly((query, now) => ask('search', [query, now]));
    this.suggest = runLatestOnly((text, query, now) => ask('suggest', [text, query, now]));
  }

  static start(): EngineClient {
    if (typeof Worker === 'undefined') return new EngineClient(callInThread(), () => undefined);
    const worker = new Worker(trustedWorkerUrl(), { type: 'module' });
    return new EngineClient(callWorker(worker), () => worker.terminate());
  }

  /**
   * Transfers the buffers. Rejects with CorruptSegmentIndexError; the engine then keeps its earlier indexes.
   */
  load(input: StoredEngineInput): Promise<LoadResult> {
    return this.ask('load', [input], [...input.indexes, input.delta].filter(isBuffer));
  }

  /** `buildSegmentIndex` in the worker. */
  build(list: ListRows, details: DetailRows | null): Promise<ArrayBuffer> {
    return this.ask('build', [list, details]);
  }

  /**
   * The details of these tenders in the index. Transfers the buffer. Rejects with CorruptSegmentIndexError.
   */
  details(segmentIndex: StoredIndex, ids: readonly number[]): Promise<DetailRow[]> {
    return this.ask('details', [segmentIndex, ids], [segmentIndex].filter(isBuffer));
  }

  /** A search that newer searches do not cancel, for screens whose parts search at the same time. */
  list(query: EngineQuery, now: Date): Promise<EngineAnswer> {
    return this.ask('search', [query, now]);
  }

  /** `Engine.newest`. */
  newest(query: EngineQuery, above: number, limit: number, now: Date): Promise<NewestResult> {
    return this.ask('newest', [query, above, limit, now]);
  }

  /** A whole tender; null when it or its details are not on the device. */
  tender(id: number, now: Date): Promise<Tender | null> {
    return this.ask('tender', [id, now]);
  }

  /** The tenders that are on the device, in the order of `ids`. */
  summaries(ids: readonly number[], now: Date): Promise<TenderSummary[]> {
    return this.ask('summaries', [ids, now]);
  }

  /** `Engine.numbered`. */
  numbered(numbers: readonly string[], now: Date): Promise<TenderSummary[]> {
    return this.ask('numbered', [numbers, now]);
  }
}

function callInThread(): CallEngine {
  const host = import('./engine-host.ts').then(({ EngineHost }) => new EngineHost());
  // TypeScript does not see that the type of an awaited answer is the same for each call.
  return async (call, args) => (await callHost(await host, call, args)) as never;
}

function callWorker(worker: Worker): CallEngine {
  type Waiting = { resolve(answer: unknown): void; reject(error: Error): void };
  const waiting = new Map<number, Waiting>();
  let last = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<EngineReply>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) asked?.reject(errorOfFailure(data.error));
    else asked?.resolve(data.answer);
  });
  // The script could not be fetched or is broken: no call will be answered.
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(message || 'The search engine did not start'));
    waiting.clear();
  });
  return (call, args, transfer = []) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve: resolve as Waiting['resolve'], reject });
      worker.postMessage({ id: last, call, args } satisfies EngineRequest, transfer);
    });
}

function errorOfFailure({ name, message, part }: EngineFailure): Error {
  if (name !== 'CorruptSegmentIndexError') return Object.assign(new Error(message), { name });
  return Object.assign(new CorruptSegmentIndexError(message), { part });
}

/** Runs one call at a time. A newer call cancels the earlier ones: they resolve to null. */
function runLatestOnly<Args extends unknown[], Answer>(
  run: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer | null> {
  let newest = 0;
  let running: Promise<unknown> = Promise.resolve();
  return async (...args) => {
    newest += 1;
    const own = newest;
    await running.catch(() => undefined);
    if (own !== newest) return null;
    const answer = run(...args);
    running = answer;
    const answered = await answer;
    return own === newest ? answered : null;
  };
}

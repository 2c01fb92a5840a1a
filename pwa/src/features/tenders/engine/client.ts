/** The page's way to the engine: calls that answer later, from a worker, or in this thread where there is none. */
import type { DetailRows, ListRows } from '@nivida/contract/sync';
import type { DetailRow } from '@nivida/contract/sync-wire';
import type { Tender, TenderSummary } from '@nivida/contract/tender';
import type { TrustedScriptURL } from 'trusted-types/lib';
import { type Call, callHost, type Failure, type Reply, type Request } from './calls.ts';
import type { EngineParts } from './engine.ts';
import type { EngineHost, Loaded } from './host.ts';
import type { EngineNews } from './newest.ts';
import { CorruptPackError } from './pack-file.ts';
import type { EngineAnswer, EngineQuery } from './query.ts';
// Not `new Worker(new URL(…))`: the page's policy wants the address as a trusted one.
import workerUrl from './worker.ts?worker&url';

type Ask = <Name extends Call>(
  call: Name,
  args: Parameters<EngineHost[Name]>,
  transfer?: Transferable[],
) => Promise<ReturnType<EngineHost[Name]>>;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): TrustedScriptURL };
}

let address: string | undefined;

/** The worker's address in the form that the page's policy `nivida-engine` asks for, where the browser knows policies. */
function trustedUrl(): string {
  // A policy can be made only once.
  if (address !== undefined) return address;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('nivida-engine', { createScriptURL: () => workerUrl });
  // The DOM's types know only texts here.
  address = (policy?.createScriptURL('') ?? workerUrl) as string;
  return address;
}

/** The engine of this page; `start` it once and keep it. */
export class EngineClient {
  /** A newer search takes the place of older ones, whose answer is then null: nobody waits for what was typed over. */
  readonly search: (query: EngineQuery, now: Date) => Promise<EngineAnswer | null>;
  /** Likewise. */
  readonly suggest: (text: string, query: Partial<EngineQuery>, now: Date, most?: number) => Promise<string[] | null>;

  private constructor(
    private readonly ask: Ask,
    /** Ends the worker. */
    readonly stop: () => void,
  ) {
    this.search = latestOnly((query, now) => ask('search', [query, now]));
    this.suggest = latestOnly((text, query, now, most) => ask('suggest', [text, query, now, most]));
  }

  /** Starts the worker; without workers the engine runs in this thread. */
  static start(): EngineClient {
    if (typeof Worker === 'undefined') return new EngineClient(askHere(), () => undefined);
    const worker = new Worker(trustedUrl(), { type: 'module' });
    return new EngineClient(askWorker(worker), () => worker.terminate());
  }

  /** Gives the packs away: their buffers are empty here afterwards. Rejects with CorruptPackError; then the packs before stay. */
  load(parts: EngineParts): Promise<Loaded> {
    return this.ask('load', [parts], parts.delta ? [...parts.packs, parts.delta] : [...parts.packs]);
  }

  /** `buildPack` out of this thread. */
  build(list: ListRows, details: DetailRows | null): Promise<ArrayBuffer> {
    return this.ask('build', [list, details]);
  }

  /** Gives the pack away. The details of those of the tenders that it has; rejects with CorruptPackError. */
  details(pack: ArrayBuffer, ids: readonly number[]): Promise<DetailRow[]> {
    return this.ask('details', [pack, ids], [pack]);
  }

  /** `Engine.newest`. */
  newest(query: EngineQuery, above: number, most: number, now: Date): Promise<EngineNews> {
    return this.ask('newest', [query, above, most, now]);
  }

  /** Everything of a tender; null when it is not here or its details are not. */
  tender(id: number, now: Date): Promise<Tender | null> {
    return this.ask('tender', [id, now]);
  }

  /** Those of the tenders that are here, in the given order. */
  summaries(ids: readonly number[], now: Date): Promise<TenderSummary[]> {
    return this.ask('summaries', [ids, now]);
  }
}

function askHere(): Ask {
  const host = import('./host.ts').then(({ EngineHost }) => new EngineHost());
  return async (call, args) => callHost(await host, call, args);
}

function askWorker(worker: Worker): Ask {
  type Waiting = { resolve(answer: unknown): void; reject(error: Error): void };
  const waiting = new Map<number, Waiting>();
  let last = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) asked?.reject(toError(data.error));
    else asked?.resolve(data.answer);
  });
  // The script could not be fetched or is broken: nothing will ever be answered.
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(message || 'The search engine did not start'));
    waiting.clear();
  });
  return (call, args, transfer = []) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve: resolve as Waiting['resolve'], reject });
      worker.postMessage({ id: last, call, args } satisfies Request, transfer);
    });
}

function toError({ name, message, part }: Failure): Error {
  if (name !== 'CorruptPackError') return Object.assign(new Error(message), { name });
  return Object.assign(new CorruptPackError(message), { part });
}

/** One call at a time; those that a newer one overtakes answer null, and are not made at all if they still waited. */
function latestOnly<Args extends unknown[], Answer>(
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

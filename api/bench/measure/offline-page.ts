/** The browser page of `offline-search`: both engines run on its main thread, where CPU throttling applies. */
import { MATCH_QUALITY, parseQuery } from '@nivida/contract/search/query-words';
import MiniSearch from 'minisearch';
import { Engine } from '../../../pwa/src/offline/engine/engine.ts';
import type { EngineQuery } from '../../../pwa/src/offline/engine/query.ts';

/** A tender as MiniSearch gets it; `terms` are the terms that our index has too. */
export interface PlainTender {
  id: number;
  /** One per line. */
  terms: string;
  state: string;
  district: string | null;
  department: string | null;
  price: number | null;
  publishedAt: number;
  closesAt: number;
}

/** The measurements of a page; all times in milliseconds. */
export interface OfflinePage {
  /** Fetches `count` packs and stores them in IndexedDB, one row each, as the app does. */
  store(count: number): Promise<void>;
  /** Reads the packs, opens them and answers one query. */
  start(query: EngineQuery, now: number): Promise<{ read: number; open: number; first: number; megabytes: number }>;
  /** One pass without warm-up. */
  search(queries: EngineQuery[], now: number): { times: number[]; totals: number[] };
  /** Fetches the plain tenders and indexes them. */
  index(): Promise<void>;
  /** Sends the same questions to MiniSearch: its search, filter and prefix, then sorting and a page. */
  searchOther(queries: EngineQuery[], now: number): { times: number[]; totals: number[] };
}

const request = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

function openStore(): Promise<IDBDatabase> {
  const opening = indexedDB.open('packs', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('packs');
  return request(opening);
}

function timed(queries: EngineQuery[], run: (query: EngineQuery) => number): { times: number[]; totals: number[] } {
  const times: number[] = [];
  const totals: number[] = [];
  for (const query of queries) {
    const started = performance.now();
    totals.push(run(query));
    times.push(performance.now() - started);
  }
  return { times, totals };
}

let engine: Engine;
let other: MiniSearch<PlainTender>;

const page: OfflinePage = {
  async store(count) {
    const database = await openStore();
    for (let at = 0; at < count; at += 1) {
      const pack = await (await fetch(`/packs/${at}`)).blob();
      await request(database.transaction('packs', 'readwrite').objectStore('packs').put(pack, at));
    }
    database.close();
  },

  async start(query, now) {
    const started = performance.now();
    const database = await openStore();
    const blobs: Blob[] = await request(database.transaction('packs').objectStore('packs').getAll());
    const packs = await Promise.all(blobs.map((blob) => blob.arrayBuffer()));
    const read = performance.now();
    engine = Engine.open({ indexes: packs, delta: null, removed: [] });
    const opened = performance.now();
    engine.search(query, new Date(now));
    const answered = performance.now();
    const bytes = packs.reduce((sum, pack) => sum + pack.byteLength, 0);
    return { read: read - started, open: opened - read, first: answered - opened, megabytes: bytes / 1e6 };
  },

  search: (queries, now) => timed(queries, (query) => engine.search(query, new Date(now)).fullTotal),

  async index() {
    const tenders: PlainTender[] = await (await fetch('/tenders')).json();
    other = new MiniSearch({
      fields: ['terms'],
      storeFields: ['state', 'district', 'department', 'price', 'publishedAt', 'closesAt'],
      // Terms are already split, so that both engines index the same ones.
      tokenize: (terms) => terms.split('\n'),
      processTerm: (term) => term,
    });
    other.addAll(tenders);
  },

  searchOther: (queries, now) => timed(queries, (query) => searchOther(query, now)),
};

const isOneOf = (names: readonly string[], name: string | null) =>
  names.length === 0 || (name !== null && names.includes(name));

function searchOther(query: EngineQuery, now: number): number {
  // Only the typed terms: MiniSearch does not search the dictionary's synonyms, which our engine does.
  const words = parseQuery(query.q, 'always').map(({ alternatives }) =>
    // The last word as it was typed also stands for its prefix.
    alternatives.filter(({ quality }, at) => at === 0 || quality === MATCH_QUALITY.prefix),
  );
  const found = other.search(
    words.length === 0
      ? MiniSearch.wildcard
      : {
          combineWith: 'AND',
          queries: words.map((alternatives) => ({
            combineWith: 'OR',
            queries: alternatives.map(({ terms, quality }) => ({
              combineWith: 'AND',
              queries: terms.map((term, at) => ({
                queries: [term],
                prefix: quality === MATCH_QUALITY.prefix && at === terms.length - 1,
                tokenize: (text) => [text],
              })),
            })),
          })),
        },
    {
      filter: (tender) =>
        tender.publishedAt <= now &&
        tender.closesAt > now === query.open &&
        (query.state === '' || tender.state === query.state) &&
        isOneOf(query.districts, tender.district) &&
        isOneOf(query.departments, tender.department),
    },
  );
  const key = query.sort === 'price' ? 'price' : 'closesAt';
  const sign = query.order === 'asc' ? 1 : -1;
  found.sort((one, next) => {
    if (one[key] === null || next[key] === null) return Number(one[key] === null) - Number(next[key] === null);
    return sign * (one[key] - next[key]) || one.id - next.id;
  });
  found.slice((query.page - 1) * query.limit, query.page * query.limit);
  return found.length;
}

(globalThis as unknown as { offline: OfflinePage }).offline = page;

/** The engine's calls inside the worker. */
import type { Suggestion } from '@nivida/contract/search/suggest-works';
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import type { DetailRow } from '@nivida/contract/sync/sync-wire';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { buildSegmentIndex } from '../segments/build-segment-index.ts';
import { SegmentIndex } from '../segments/segment-index.ts';
import { CorruptSegmentIndexError } from '../segments/segment-index-file.ts';
import { Engine, type EngineInput, type RebuiltIndex, suggestWithoutTenders } from './engine.ts';
import type { NewestResult } from './newest.ts';
import type { EngineAnswer, EngineQuery } from './query.ts';

/** An index as it is stored. */
export type StoredIndex = Blob | ArrayBuffer;

/** The engine's input as it is stored. */
export interface StoredEngineInput extends Omit<EngineInput, 'indexes'> {
  indexes: readonly StoredIndex[];
}

/**
 * Throws CorruptSegmentIndexError when the browser has lost the file. `part` is the place of the index in the
 * engine's `indexes`, or null when the index is not one of them.
 */
async function readStoredIndex(stored: StoredIndex, part: number | null): Promise<ArrayBuffer> {
  if (stored instanceof ArrayBuffer) return stored;
  try {
    return await stored.arrayBuffer();
  } catch (error) {
    throw Object.assign(new CorruptSegmentIndexError('A pack cannot be read', { cause: error }), { part });
  }
}

export interface LoadResult {
  rows: number;
  isComplete: boolean;
  rebuilt: readonly RebuiltIndex[];
}

/** Holds the engine between calls. All calls but `build`, `details`, `load` and `suggest` throw before the first load. */
export class EngineHost {
  private engine: Engine | null = null;

  /** Replaces the opened indexes. Throws CorruptSegmentIndexError and then keeps the earlier ones. */
  async load(input: StoredEngineInput): Promise<LoadResult> {
    const indexes = await Promise.all(input.indexes.map((index, part) => readStoredIndex(index, part)));
    this.engine = Engine.open({ ...input, indexes });
    const { rows, isComplete, rebuilt } = this.engine;
    return { rows, isComplete, rebuilt };
  }

  build(list: ListRows, details: DetailRows | null): ArrayBuffer {
    return buildSegmentIndex(list, details);
  }

  /** The details of these tenders in the index, as the server sent them. Throws CorruptSegmentIndexError. */
  async details(segmentIndex: StoredIndex, ids: readonly number[]): Promise<DetailRow[]> {
    const opened = SegmentIndex.open(await readStoredIndex(segmentIndex, null));
    const rows = ids.map((id) => opened.rowOf(id)).filter((row) => row >= 0);
    return rows.map((row) => opened.detailsAt(row)).filter((details) => details !== undefined);
  }

  search(query: EngineQuery, now: Date): EngineAnswer {
    return this.loaded.search(query, now);
  }

  newest(query: EngineQuery, above: number, limit: number, now: Date): NewestResult {
    return this.loaded.newest(query, above, limit, now);
  }

  suggest(text: string, query: Partial<EngineQuery>, now: Date): Suggestion[] {
    // Before the first pack arrives, only places, departments and works are suggested.
    return this.engine?.suggest(text, query, now) ?? suggestWithoutTenders(text, query.state ?? '');
  }

  tender(id: number, now: Date): Tender | null {
    return this.loaded.tender(id, now);
  }

  /** The tenders that are on the device, in the order of `ids`. */
  summaries(ids: readonly number[], now: Date): TenderSummary[] {
    return ids.map((id) => this.loaded.summary(id, now)).filter((summary) => summary !== null);
  }

  /** `Engine.numbered`. */
  numbered(numbers: readonly string[], now: Date): TenderSummary[] {
    return this.loaded.numbered(numbers, now);
  }

  private get loaded(): Engine {
    if (!this.engine) throw new Error('No tenders were loaded');
    return this.engine;
  }
}

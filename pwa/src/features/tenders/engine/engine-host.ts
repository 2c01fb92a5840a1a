/** What the worker does for the page. One call at a time, each with one answer, so that both ends read like functions. */
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import type { DetailRow } from '@nivida/contract/sync/sync-wire';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { buildSegmentIndex } from '../segments/build-segment-index.ts';
import { SegmentIndex } from '../segments/segment-index.ts';
import { Engine, type EngineInput } from './engine.ts';
import type { NewestResult } from './newest.ts';
import type { EngineAnswer, EngineQuery } from './query.ts';

/** What an opened engine holds. */
export interface LoadResult {
  rows: number;
  isComplete: boolean;
}

/** Holds the engine between calls. Every call but `build`, `details` and `load` throws until something was loaded. */
export class EngineHost {
  private engine: Engine | null = null;

  /** Opens these packs in place of the ones before; on CorruptSegmentIndexError the ones before stay. */
  load(input: EngineInput): LoadResult {
    this.engine = Engine.open(input);
    return { rows: this.engine.rows, isComplete: this.engine.isComplete };
  }

  build(list: ListRows, details: DetailRows | null): ArrayBuffer {
    return buildSegmentIndex(list, details);
  }

  /** The details of those of the tenders that a pack has, as the server sent them; throws CorruptSegmentIndexError. */
  details(segmentIndex: ArrayBuffer, ids: readonly number[]): DetailRow[] {
    const opened = SegmentIndex.open(segmentIndex);
    const rows = ids.map((id) => opened.rowOf(id)).filter((row) => row >= 0);
    return rows.map((row) => opened.detailsAt(row)).filter((details) => details !== undefined);
  }

  search(query: EngineQuery, now: Date): EngineAnswer {
    return this.loaded.search(query, now);
  }

  newest(query: EngineQuery, above: number, limit: number, now: Date): NewestResult {
    return this.loaded.newest(query, above, limit, now);
  }

  suggest(text: string, query: Partial<EngineQuery>, now: Date, limit?: number): string[] {
    return this.loaded.suggest(text, query, limit, now);
  }

  tender(id: number, now: Date): Tender | null {
    return this.loaded.tender(id, now);
  }

  /** Those of the ids that are here, in their order. */
  summaries(ids: readonly number[], now: Date): TenderSummary[] {
    return ids.map((id) => this.loaded.summary(id, now)).filter((summary) => summary !== null);
  }

  private get loaded(): Engine {
    if (!this.engine) throw new Error('No tenders were loaded');
    return this.engine;
  }
}

/** The bidder's rates for the BOQ of a tender. They are records, stored at each keystroke. */
import { t } from '@lingui/core/macro';
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import type { RecordFields } from '@nivida/contract/bids/records';
import type { BoqItem } from '@nivida/contract/documents/boq';
import type { EarlierRate } from '@nivida/contract/rates/boq-rate-changes';
import { cutText, MAX_RATE_TEXT, MAX_RATE_UNIT } from '@nivida/contract/rates/item-words';
import type { PastRate } from '@nivida/contract/rates/rate-book';
import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { withDatabase } from '../../data/device/database.ts';
import type { DeviceQuery, LiveRows } from '../../data/device/live-query.ts';
import type { RecordRow } from '../../data/device/schema.ts';
import { currentRecordOwner, inPresentSpace } from '../../data/firms/space.ts';
import { useSpaceRows } from '../../data/firms/useSpaceRows.ts';
import type { RecordWrite } from '../../data/records/record-rows.ts';
import { saveFailureText } from '../../data/records/records.ts';
import { sendRecordsSoon } from '../../data/records/sync-records.ts';
import { showToast } from '../../ui/feedback/toast.ts';

type RateRows = RecordRow<'rate'>[];
const queries = new Map<string, () => Promise<DeviceQuery<RateRows>>>();

/** The current owner's rates for all BOQs of a tender, renewed after each change. */
export function useTenderRates(tenderId: string): LiveRows<RateRows> {
  const load =
    queries.get(tenderId) ??
    (async () => {
      const { readRecords } = await import('../../data/records/record-rows.ts');
      return (db, owner) => readRecords(db, owner, 'rate', { tenderId });
    });
  queries.set(tenderId, load);
  return useSpaceRows(load);
}

/** A BOQ for which rates are entered. */
export interface RatedBoq {
  tenderId: string;
  /** Title of the tender. */
  source: string;
  /** SHA-256 of the file. */
  file: string;
}

/** Row of the per cent of a percentage BOQ. */
export const PERCENT_ROW = 0;

export const rateIdOf = ({ tenderId, file }: RatedBoq, row: number): string =>
  recordIdFor('rate', tenderId, file, String(row));

const common = ({ tenderId, file, source }: RatedBoq, row: number) => ({
  ...{ tenderId, file, row, source: cutText(source, MAX_RATE_TEXT), ratedAt: currentTime().toISOString() },
});

/** The change that sets the rate of an item; null removes it. */
export const rateWrite = (boq: RatedBoq, { row, text, unit }: BoqItem, rate: string | null): RecordWrite => ({
  ...{ kind: 'rate', id: rateIdOf(boq, row) },
  change: {
    ...common(boq, row),
    ...{ rate, text: cutText(text, MAX_RATE_TEXT), unit: unit === null ? null : cutText(unit, MAX_RATE_UNIT) },
  },
});

/** The change that sets the per cent of a percentage BOQ; null removes it. */
export const percentWrite = (boq: RatedBoq, percent: string | null): RecordWrite => ({
  ...{ kind: 'rate', id: rateIdOf(boq, PERCENT_ROW), change: { ...common(boq, PERCENT_ROW), percent } },
});

/** Pause after the last keystroke before the rates are sent. They are stored at once. */
const SEND_AFTER_MS = 2_000;
const waiting = new Map<string, RecordWrite>();
let storing: Promise<void> | undefined;
let sendTimer: ReturnType<typeof setTimeout> | undefined;

async function storeWaiting(): Promise<void> {
  try {
    const { writeRecords } = await import('../../data/records/record-rows.ts');
    while (waiting.size > 0) {
      const [owner, writes] = [currentRecordOwner(), [...waiting.values()]];
      waiting.clear();
      await withDatabase((db) => writeRecords(db, owner, writes, currentTime().getTime()));
    }
  } catch (error) {
    showToast({ text: saveFailureText(error, 'bids') });
  } finally {
    storing = undefined;
  }
}

/** Stores rates, the last value of each row. Never throws; a failure is shown. */
export function storeRates(writes: readonly RecordWrite[]): Promise<void> {
  for (const write of writes) {
    waiting.delete(write.id);
    waiting.set(write.id, write);
  }
  storing ??= storeWaiting();
  void requestPersistentStorage();
  clearTimeout(sendTimer);
  sendTimer = setTimeout(sendRecordsSoon, SEND_AFTER_MS);
  return storing;
}

/** Stores several rates at once and offers to undo that. */
export function storeRatesWithUndo(writes: readonly RecordWrite[], undo: readonly RecordWrite[], text: string): void {
  void storeRates(writes);
  const run = inPresentSpace(() => void storeRates(undo));
  showToast({ text, action: { label: t`Undo`, run }, passing: true });
}

/** Rates of one file by row. */
export function ratesOf(rows: readonly RecordRow<'rate'>[], file: string): Map<number, string> {
  const own = rows.filter(({ fields }) => fields.file === file && fields.rate !== undefined);
  return new Map(own.map(({ fields }) => [fields.row ?? PERCENT_ROW, fields.rate ?? '']));
}

/** The per cent of a file; null without one. */
export const percentOfFile = (rows: readonly RecordRow<'rate'>[], file: string): string | null =>
  rows.find(({ fields }) => fields.file === file && fields.row === PERCENT_ROW)?.fields.percent ?? null;

/** Rates of other files of the same tender, which a corrigendum has replaced. */
export const ratesOfEarlierFiles = (rows: readonly RecordRow<'rate'>[], files: ReadonlySet<string>): EarlierRate[] =>
  rows.flatMap(({ fields: { file, rate, text = '', unit = '', ratedAt = '' } }) =>
    file !== undefined && !files.has(file) && rate !== undefined ? [{ text, unit, rate, ratedAt }] : [],
  );

/** The last per cent of other files of the same tender, which a corrigendum has replaced; null without one. */
export function percentOfEarlierFiles(rows: readonly RecordRow<'rate'>[], files: ReadonlySet<string>): string | null {
  const earlier = rows
    .map(({ fields }) => fields)
    .filter(({ file, percent }) => file !== undefined && !files.has(file) && percent !== undefined)
    .sort((one, other) => ((one.ratedAt ?? '') < (other.ratedAt ?? '') ? 1 : -1));
  return earlier[0]?.percent ?? null;
}

/** An entry of the rate book; undefined for a record without a rate. */
export function toPastRate({ id, fields, at }: { id: string; fields: RecordFields<'rate'>; at: number }) {
  const { tenderId = '', file = '', row = PERCENT_ROW, rate, text = '', unit = '', source = '' } = fields;
  if (rate === undefined) return undefined;
  const ratedAt = fields.ratedAt ?? new Date(at).toISOString();
  return { id, tenderId, file, row, rate, text, unit, source, ratedAt } satisfies PastRate;
}

/** The owner's rate book, the last rate first. */
export const toRateBook = (rows: readonly RecordRow<'rate'>[]): PastRate[] =>
  rows
    .flatMap((row) => toPastRate(row) ?? [])
    .sort((one, other) => (one.ratedAt < other.ratedAt ? 1 : one.ratedAt > other.ratedAt ? -1 : 0));

/** Items of the operator's schedules of rates that resemble the lines of a BOQ. They are shown, never filled in. */
import * as v from 'valibot';
import { Decimal } from './decimals.ts';

/** Items shown for one line of a BOQ. */
export const MAX_RATE_CANDIDATES = 3;

/** A schedule of rates of a state. */
export const RateSchedule = v.object({
  id: v.string(),
  name: v.string(),
  /** The Indian day from which its rates hold, YYYY-MM-DD; null when the operator did not say. */
  from: v.nullable(v.string()),
});
export type RateSchedule = v.InferOutput<typeof RateSchedule>;

/** An item with its rate in rupees for one unit. */
export const RateItem = v.object({
  scheduleId: v.string(),
  /** As the schedule numbers it; empty without one. */
  code: v.string(),
  /** With the texts of the headings above it. */
  text: v.string(),
  /** As the schedule writes it. Its `normalUnit` is that of the line. */
  unit: v.string(),
  rate: Decimal,
});
export type RateItem = v.InferOutput<typeof RateItem>;

/** Answer of `GET /api/tenders/{id}/rate-candidates`. Empty for a reader without the package. */
export const RateCandidates = v.object({
  /** The schedules that `lines` name. */
  schedules: v.array(RateSchedule),
  /** The lines of `TenderReading.boqs` with a candidate, by file and row; the most similar item first. */
  lines: v.array(v.object({ fileId: v.string(), row: v.number(), items: v.array(RateItem) })),
});
export type RateCandidates = v.InferOutput<typeof RateCandidates>;

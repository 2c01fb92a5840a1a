/** What was found in the text of official documents: lines by topic, with their page. */
import * as v from 'valibot';

export const FACT_TOPICS = [
  'emd',
  'fee',
  'estimate',
  'period',
  'validity',
  'security',
  'similarWorks',
  'turnover',
  'class',
  'registration',
  'jointVenture',
  'mse',
  'priceVariation',
  'defectLiability',
  'preBid',
  'originals',
  'documents',
] as const;
export type FactTopic = (typeof FACT_TOPICS)[number];

export const MAX_QUOTE_CHARACTERS = 600;

/** A value that label and line give beyond doubt. Rupees are a decimal with two places, as in a tender. */
export const FactValue = v.variant('unit', [
  v.strictObject({ unit: v.literal('rupees'), amount: v.pipe(v.string(), v.regex(/^\d{1,15}\.\d{2}$/)) }),
  v.strictObject({
    unit: v.literal('days'),
    amount: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000)),
  }),
  v.strictObject({
    unit: v.literal('months'),
    amount: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3_000)),
  }),
]);
export type FactValue = v.InferOutput<typeof FactValue>;

/** A line of a document. `quote` stands on its page word for word. */
export const DocumentFact = v.object({
  topic: v.picklist(FACT_TOPICS),
  /** From 1. */
  page: v.number(),
  quote: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_QUOTE_CHARACTERS)),
  /** Null: the line is shown without a value of its own. */
  value: v.nullable(FactValue),
});
export type DocumentFact = v.InferOutput<typeof DocumentFact>;

/**
 * How the reading of a file ended. `part`: `unreadPages` could not be read. `pictures`, `font`: no page could be read.
 * `template`: a workbook without items. `other`: a format that is not read.
 */
export const READING_STATES = [
  'waiting',
  'done',
  'part',
  'pictures',
  'font',
  'locked',
  'broken',
  'too-large',
  'template',
  'other',
] as const;
export type ReadingState = (typeof READING_STATES)[number];

/** Why a page was not read. */
export const UNREAD_REASONS = ['picture', 'font', 'broken', 'limit'] as const;
export const UnreadPage = v.object({ page: v.number(), why: v.picklist(UNREAD_REASONS) });
export type UnreadPage = v.InferOutput<typeof UnreadPage>;

/** Facts of a tender that a row must not empty all at once. A row that loses most of them usually comes from a scraper whose session had expired. */
import { TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import type { Rejection, SourceTender } from './source-tender.ts';

/** A row that empties more facts of its tender than this, and more than half of them, is rejected. */
const MAX_LOST_FACTS = 3;

/** A stored tender by column name. */
export type StoredColumns = Record<string, unknown>;

/** A field with its name in messages, and whether it is filled in a stored tender and in a source tender. */
export interface CheckedField {
  name: string;
  wasFilled(stored: StoredColumns): boolean;
  isFilled(tender: SourceTender): boolean;
}

const simpleField = (name: string, column: string, property: keyof SourceTender): CheckedField => ({
  name,
  wasFilled: (stored) => stored[column] !== null,
  isFilled: (tender) => (tender[property] ?? null) !== null,
});

export const CHECKED_FIELDS: CheckedField[] = [
  {
    name: 'Tender Value',
    wasFilled: ({ price }) => price !== null,
    isFilled: (n) => (n.price ?? n.priceText) !== null,
  },
  simpleField('EMD Amount', 'emd', 'emd'),
  ...TENDER_FIELD_LIST.map(({ source, name, key }) => simpleField(source, name, key)),
  simpleField('Tender Reference Number', 'reference', 'reference'),
  simpleField('Tender Category', 'category', 'category'),
  simpleField('Bid Submission Start Date', 'bid_start_at', 'bidStartAt'),
  simpleField('Bid Opening Date', 'opens_at', 'opensAt'),
  simpleField('Pre Bid Meeting Date', 'pre_bid_at', 'preBidAt'),
  {
    name: 'Work Description',
    wasFilled: ({ title, description }) => description !== title,
    isFilled: ({ title, description }) => description !== title,
  },
  {
    name: 'the hour of Bid Submission End Date',
    wasFilled: ({ closing_time_known }) => closing_time_known === true,
    isFilled: ({ closingTimeKnown }) => closingTimeKnown,
  },
  {
    name: 'Cover Documents',
    wasFilled: ({ documents }) => (documents as unknown[]).length > 0,
    isFilled: ({ documents }) => documents.length > 0,
  },
  {
    name: 'Tender Stage',
    wasFilled: ({ stage }) => stage !== 'published',
    isFilled: ({ stage }) => stage !== 'published',
  },
];

const patterns = new Map<string, readonly CheckedField[]>();

/** The filled fields of a tender. Tenders with the same fields share one list, to save memory in a large file. */
export function filledFields(tender: SourceTender): readonly CheckedField[] {
  const filled = CHECKED_FIELDS.filter((field) => field.isFilled(tender));
  const pattern = filled.map(({ name }) => name).join();
  const known = patterns.get(pattern) ?? filled;
  patterns.set(pattern, known);
  return known;
}

/** The rejection of a row that empties most of the `filled` facts; null for any other row. `kept` says where the facts come from. */
export function lostFactsRejection(
  emptied: readonly string[],
  filled: number,
  { line, value, kept }: Pick<Rejection, 'line' | 'value'> & { kept: 'stored' | 'earlier' },
): Rejection | null {
  if (emptied.length <= MAX_LOST_FACTS || emptied.length <= filled / 2) return null;
  const reason = `would empty ${emptied.length} of ${filled} ${kept} facts at once, so the ${kept} ones stay`;
  return { line, column: emptied.slice(0, MAX_LOST_FACTS).join(', '), value, reason };
}

/**
 * How many tenders of the reference contain a term. The table is fixed, so that server and device weigh words alike.
 * `npm run bench -- term-frequencies` creates it from imported tenders. It has terms of at least five tenders.
 */
import json from './term-frequencies.json' with { type: 'json' };

/** Tenders of the reference. */
export const REFERENCE_TENDERS = json.tenders;

// Terms of the same frequency share an entry, which halves the file.
const frequencies = new Map(
  Object.entries(json.terms).flatMap(([count, terms]) =>
    terms.split(' ').map((term) => [term, Number(count)] as const),
  ),
);

/** Tenders of the reference with this term; 0 when fewer than five have it. */
export function termFrequency(term: string): number {
  return frequencies.get(term) ?? 0;
}

/** All terms of the table with their frequencies. */
export function termFrequencies(): ReadonlyMap<string, number> {
  return frequencies;
}

/** The terms under which a tender is found, on the server and on a device. */
import { asciiDigits } from '../digits.ts';
import type { Tender } from '../tenders/tender.ts';
import { searchTerms, WARD_PATTERN, wholeIdTerm } from './terms.ts';

/** A class of searched fields: A is title and ids, B the description, C organisation, department and places. */
export type FieldClass = 'A' | 'B' | 'C';

/** The fields that `indexTerms` reads, by class, best class first. */
const FIELDS_BY_CLASS = [
  ['A', ['title', 'source_tender_id', 'reference_number']],
  ['B', ['description']],
  ['C', ['organisation_chain', 'district', 'second_district', 'department', 'place', 'pincode']],
] as const satisfies readonly (readonly [FieldClass, readonly (keyof Tender)[]])[];

export const SEARCHED_FIELDS = FIELDS_BY_CLASS.flatMap(([, fields]) => [...fields]);

/** The searched fields of a tender; unknown ones are null. */
export type SearchedTender = Pick<Tender, (typeof SEARCHED_FIELDS)[number]>;

/**
 * Version of the rules of index terms. Raise it with every change of the rules. The worker then stores the terms of all
 * tenders again, and devices build their indexes again.
 */
export const INDEX_TERMS_VERSION = 5;

/** Limits the size of the index; PostgreSQL's limit for a tsvector is 1 MB. */
const MAX_TENDER_TERMS = 1_000;

function wardTerms(text: string): string[] {
  return Array.from(asciiDigits(text).matchAll(WARD_PATTERN), ([, number]) => `ward${number}`);
}

/** Words before parts of a work: "Road at A including side drains" is about a road. */
const PARTS_PATTERN = /\b(?:including|incl\.?|i\/c|along with)(?![\p{L}\p{N}])/iu;

function splitTitle(title: string): { work: string; parts: string } {
  const at = title.search(PARTS_PATTERN);
  return at <= 0 ? { work: title, parts: '' } : { work: title.slice(0, at), parts: title.slice(at) };
}

/**
 * The index terms of a tender, at most 1,000, each with the best class of the fields that have it. The fields of a class
 * are joined by line breaks, which no rule of `searchTerms` crosses.
 */
export function indexTerms(tender: SearchedTender): Map<string, FieldClass> {
  // Nearly half of all descriptions repeat the title, so it is read once.
  const description = tender.description === tender.title ? '' : tender.description;
  const { work, parts } = splitTitle(tender.title);
  const searched = { ...tender, title: work, description: `${parts}\n${description}` };
  const classes = new Map<string, FieldClass>();
  const id = wholeIdTerm(tender.source_tender_id);
  if (id !== undefined) classes.set(id, 'A');
  for (const [fieldClass, fields] of FIELDS_BY_CLASS) {
    const text = fields
      .flatMap((field) => searched[field] ?? '')
      .filter(Boolean)
      .join('\n');
    for (const term of searchTerms(text).concat(wardTerms(text))) {
      if (classes.size >= MAX_TENDER_TERMS) return classes;
      if (!classes.has(term)) classes.set(term, fieldClass);
    }
  }
  return classes;
}

/** What ranked search costs in bytes per tender, against terms without classes, PIN codes and wards. */
import { indexTerms, type SearchedTender } from '@nivida/contract/search/index-terms';
import { searchTerms } from '@nivida/contract/search/terms';
import type { DataSource } from 'typeorm';
import { buildSegmentIndex } from '../../../pwa/src/offline/segments/build-segment-index.ts';
import { toCompactNumbers } from '../../../pwa/src/offline/segments/compact-numbers.ts';
import { packTexts } from '../../../pwa/src/offline/segments/packed-texts.ts';
import { readSegmentIndex } from '../../../pwa/src/offline/segments/segment-index-file.ts';
import { NEXT_SEARCHED_TENDERS, UPDATE_WORDS } from '../../src/ingest/ingest.sql.ts';
import type { ScopeRows } from '../../src/sync/scope-rows.sql.ts';

const BATCH_SIZE = 5_000;
const MAX_INTEGER_ID = 2_147_483_647;
/** Sections of a segment index that only word search reads. */
const SEARCH_SECTIONS = ['terms', 'termStarts', 'postings', 'postingStarts'];

/** The terms of a tender before classes: no PIN code, no numbered ward. */
function plainTerms(tender: SearchedTender): string[] {
  const counted = new Set(
    searchTerms(
      [
        tender.title,
        tender.description === tender.title ? '' : tender.description,
        tender.source_tender_id,
        tender.reference_number,
        ...tender.organisation_chain,
        tender.district,
        tender.department,
        tender.place,
      ].join('\n'),
    ),
  );
  return [...indexTerms(tender).keys()].filter((term) => counted.has(term));
}

/** Stores terms without classes, as they were before lists were ranked. */
async function storePlainTerms(dataSource: DataSource): Promise<Set<string>> {
  const vocabulary = new Set<string>();
  for (let below = MAX_INTEGER_ID; ; ) {
    const rows: (SearchedTender & { id: number })[] = await dataSource.query(NEXT_SEARCHED_TENDERS, [
      below,
      BATCH_SIZE,
    ]);
    if (rows.length === 0) return vocabulary;
    below = rows.at(-1)?.id as number;
    const terms = rows.map(plainTerms);
    for (const term of terms.flat()) vocabulary.add(term);
    const vectors = terms.map((each) => each.map((term) => `'${term}'`).join(' '));
    await dataSource.query(UPDATE_WORDS, [rows.map(({ id }) => id), vectors]);
  }
}

/** Bytes per tender that tables and indexes have more than before classes. Leaves plain terms in the table. */
export async function serverSearchBytes(dataSource: DataSource): Promise<{ now: number; before: number }> {
  const [{ tenders }] = await dataSource.query('SELECT count(*)::int AS tenders FROM tender');
  const sizeOf = async (table: string): Promise<number> => {
    await dataSource.query(`VACUUM FULL ${table}`);
    const [{ bytes }] = await dataSource.query('SELECT pg_total_relation_size($1)::float8 AS bytes', [table]);
    return bytes / tenders;
  };
  const now = await sizeOf('tender');
  const vocabulary = await storePlainTerms(dataSource);
  // The vocabulary for corrections was a table of its own.
  await dataSource.query('CREATE TABLE plain_word (word text COLLATE "C" PRIMARY KEY)');
  await dataSource.query('INSERT INTO plain_word SELECT unnest($1::text[])', [[...vocabulary]]);
  return { now, before: (await sizeOf('tender')) + (await sizeOf('plain_word')) };
}

/** Bytes of one segment's word search on the device, and of the same without classes, PIN codes and wards. */
export function deviceSearchBytes({ list, details }: ScopeRows): { now: number; before: number; whole: number } {
  const index = buildSegmentIndex(list, details);
  const { sections } = readSegmentIndex(index);
  const bytesOf = (name: string) => {
    const section = sections[name];
    if (!section) throw new Error(`A segment index has no section ${name}`);
    return section.byteLength;
  };
  const now = SEARCH_SECTIONS.reduce((sum, name) => sum + bytesOf(name), 0);
  const terms = list.id.map((_, at) =>
    plainTerms({
      title: list.title[at] as string,
      description: details.description[at] || (list.title[at] as string),
      source_tender_id: list.sourceTenderId[at] as string,
      reference_number: details.reference[at] ?? null,
      organisation_chain: details.organisationChain[at] ?? [],
      district: list.district[at] ?? null,
      second_district: list.secondDistrict[at] ?? null,
      department: list.department[at] ?? null,
      place: details.place[at] ?? null,
      pincode: details.pincode[at] ?? null,
    }),
  );
  const texts = packTexts([...new Set(terms.flat())]);
  const postings = toCompactNumbers(new Uint8Array(terms.flat().length), terms.length);
  // Each term has the start of its text and of its postings.
  const before = texts.bytes.byteLength + 2 * texts.starts.byteLength + postings.byteLength;
  return { now, before, whole: index.byteLength };
}

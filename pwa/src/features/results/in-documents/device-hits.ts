/** Searches what is stored on the device of official documents. Its code has the dictionary, so it is loaded when it is needed. */
import { type DocumentHits, MAX_DOCUMENT_HITS } from '@nivida/contract/documents/document-hits';
import { documentSnippet, findInReading, hasQueryWords } from '@nivida/contract/documents/find-in-documents';
import type { TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { indexTerms } from '@nivida/contract/search/index-terms';
import { toSearchedWords } from '@nivida/contract/search/query-words';
import { readTypedQuery } from '@nivida/contract/search/read-query';
import type { QueryPlace, Tender } from '@nivida/contract/tenders/tender';
import type { DeviceDatabase } from '../../../data/device/schema.ts';

const closesAt = ({ closing_date }: Pick<Tender, 'closing_date'>) => Date.parse(closing_date);
const NOTHING: DocumentHits = { total: 0, hits: [], words: [] };

/**
 * Tenders of an owner's stored readings with all words, as the server's answer. A search with filters other than place,
 * department and open or closed finds nothing, because it is not decided here.
 */
export async function findOnDevice(
  db: DeviceDatabase,
  owner: string,
  search: TenderListQuery,
  now: Date,
): Promise<DocumentHits> {
  const { q, literal, min, max, within, hour, publishedWithin, category } = search;
  const { words, place, conditions } = readTypedQuery(q, search, literal, now);
  const others = [min, max, within, hour, publishedWithin, category];
  if (conditions.length > 0 || others.some((value) => value !== null)) return NOTHING;
  const searched = toSearchedWords(words);
  const rows = await db.readings.where({ owner }).toArray();
  const tenders = await db.tenders.bulkGet(rows.map(({ tenderId }) => tenderId));
  const hits = rows.flatMap(({ reading }, at) => {
    const tender = tenders[at]?.tender;
    if (!tender || !isUnder(search, place, tender, now)) return [];
    if (hasQueryWords(new Set(indexTerms(tender).keys()), words)) return [];
    const found = findInReading(reading, words);
    if (!found) return [];
    const { text, ...where } = found;
    return [{ ...where, snippet: documentSnippet(text, searched, found.page !== null), tender }];
  });
  const order = search.open ? 1 : -1;
  hits.sort(
    (one, other) =>
      Number(other.item !== null) - Number(one.item !== null) ||
      order * (closesAt(one.tender) - closesAt(other.tender)) ||
      Number(one.tender._id) - Number(other.tender._id),
  );
  return { total: hits.length, hits: hits.slice(0, MAX_DOCUMENT_HITS), words: searched };
}

function isUnder(search: TenderListQuery, place: QueryPlace | null, tender: Tender, now: Date): boolean {
  const { state, district, second_district, department } = tender;
  const isIn = (districts: readonly string[]) =>
    districts.length === 0 || [district, second_district].some((each) => each !== null && districts.includes(each));
  const pairs = place?.districts ?? [];
  return (
    closesAt(tender) > now.getTime() === search.open &&
    (search.state === '' || state === search.state) &&
    isIn(search.districts) &&
    (search.departments.length === 0 || (department !== null && search.departments.includes(department))) &&
    (!place || place.state === null || place.state === state) &&
    (pairs.length === 0 || pairs.some((each) => each.state === state && isIn([each.district])))
  );
}

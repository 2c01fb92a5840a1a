/** Lists of tenders as CSV. Names of columns are English in every language, because programs read them. */
import { csvLine } from '@nivida/contract/csv';
import { currentLanguage } from '@nivida/contract/i18n';
import { pathIn } from '@nivida/contract/languages';
import { INDIAN_OFFSET_MS } from '@nivida/contract/time';
import type { FeedTender } from '../../tenders/tenders.service.ts';

/** Excel needs it to detect UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

type Cell = string | number | boolean | null;

/** Columns in their order. Later ones are added at the end. */
const COLUMNS: readonly [name: string, read: (tender: FeedTender, origin: string) => Cell][] = [
  ['id', ({ _id }) => _id],
  ['portal', ({ source_portal }) => source_portal],
  ['tender_id', ({ source_tender_id }) => source_tender_id],
  ['reference', ({ reference_number }) => reference_number],
  ['title', ({ title }) => title],
  ['organisation', ({ org_name }) => org_name],
  ['department', ({ department }) => department],
  ['category', ({ category }) => category],
  ['state', ({ state }) => state],
  ['district', ({ district }) => district],
  ['second_district', ({ second_district }) => second_district],
  ['pincode', ({ pincode }) => pincode],
  ['value', ({ price }) => price],
  ['value_other_currency', ({ price_text }) => price_text],
  ['emd', ({ emd }) => emd],
  ['published', ({ published_date }) => indianTime(published_date)],
  ['bid_start', ({ bid_start_date }) => bid_start_date && indianTime(bid_start_date)],
  ['closing', ({ closing_date }) => indianTime(closing_date)],
  ['closing_hour_known', ({ closing_time_known }) => closing_time_known],
  ['status', ({ status }) => status],
  ['changed', ({ last_corrigendum }) => last_corrigendum],
  ['from_list_only', ({ is_listed }) => is_listed ?? false],
  ['demonstration', ({ demonstration }) => demonstration],
  ['updated', ({ updated_at }) => indianTime(updated_at)],
  ['address', ({ _id }, origin) => `${origin}${pathIn(currentLanguage(), `/tenders/${_id}`)}`],
];

/** The list as CSV with a line of names. Times are ISO 8601 with the Indian offset; money is rupees. */
export function listCsv(tenders: readonly FeedTender[], origin: string): string {
  const lines = tenders.map((tender) => csvLine(COLUMNS.map(([, read]) => String(read(tender, origin) ?? ''))));
  return `${BYTE_ORDER_MARK}${csvLine(COLUMNS.map(([name]) => name))}${lines.join('')}`;
}

/** '2026-04-15T11:00:00+05:30' */
function indianTime(instant: string): string {
  return `${new Date(Date.parse(instant) + INDIAN_OFFSET_MS).toISOString().slice(0, 19)}+05:30`;
}

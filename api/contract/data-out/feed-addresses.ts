/** Feeds of lists and saved searches: their addresses and formats. */
import type { TenderListQuery } from '../filter/tender-filter.ts';
import { tenderFilterParams } from '../filter/tender-filter.ts';
import type { Language } from '../languages.ts';

export const FEED_FORMATS = ['atom', 'csv', 'ics'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

export const FEED_MEDIA_TYPES: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml',
  csv: 'text/csv',
  ics: 'text/calendar',
};

/** Maximum entries of an Atom feed. The other formats have as many as a list. */
export const MAX_ATOM_ENTRIES = 100;

/** The order in which the app asks for a format, so that a limit leaves out what matters least. Absent: that of the list. */
export const FEED_ORDERS: Readonly<Partial<Record<FeedFormat, string>>> = {
  atom: 'sort=published_date&order=desc',
  ics: 'sort=closing_date&order=asc',
};

/** The path of a list's feed, with its query. The list is that of `GET /api/tenders` with the same query. */
export function feedPath(format: FeedFormat, search: TenderListQuery, language: Language): string {
  const params = tenderFilterParams({ ...search, page: 1 });
  for (const [name, value] of new URLSearchParams(FEED_ORDERS[format])) params.set(name, value);
  if (language !== 'en') params.set('lang', language);
  const query = params.toString();
  return `/feeds/tenders.${format}${query ? `?${query}` : ''}`;
}

/** The path of a saved search's feed. The token is its secret. */
export const searchFeedPath = (format: FeedFormat, token: string, language: Language): string =>
  `/feeds/searches/${token}.${format}${language === 'en' ? '' : `?lang=${language}`}`;

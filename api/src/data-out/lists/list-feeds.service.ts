import { Inject, Injectable } from '@nestjs/common';
import { type FeedFormat, MAX_ATOM_ENTRIES } from '@nivida/contract/data-out/feed-addresses';
import { resultsTitle } from '@nivida/contract/filter/filter-texts';
import { parseListQuery, tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import type { TenderQuery } from '@nivida/contract/filter/tender-query';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { listedPlace } from '@nivida/contract/regions/regions';
import { listCalendar } from '@nivida/contract/tenders/calendar';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { TendersService } from '../../tenders/tenders.service.ts';
import { atomFeed } from './atom.ts';
import { listCsv } from './list-csv.ts';

/** What a feed shows. `title`, `key` and `self` are those of a saved search, or derived from the query. */
export interface FeedRequest {
  format: FeedFormat;
  query: TenderQuery;
  language: Language;
  title?: string;
  key?: string;
  /** Path and query of a public feed. */
  self?: string;
}

/** Lists of tenders as feeds. Each has the rows of `GET /api/tenders` with the same query, in the same order. */
@Injectable()
export class ListFeedsService {
  constructor(
    private readonly tenders: TendersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async render({ format, query, language, self, ...named }: FeedRequest): Promise<string> {
    const limit = format === 'atom' ? MAX_ATOM_ENTRIES : undefined;
    const tenders = await this.tenders.feed({ ...query, notices: false, page: 1, limit });
    const { publicOrigin: origin } = this.config;
    // A query may name a state by its slug; titles and addresses have the listed names.
    const listed = { ...query, ...listedPlace(query) };
    const page = listAddress(listed);
    const { title = inLanguage(language, () => resultsTitle(listed)), key = `list?${page.query}` } = named;
    return inLanguage(language, () => {
      if (format === 'csv') return listCsv(tenders, origin);
      if (format === 'ics') return listCalendar(tenders, ['Nivida', title].join(': '), origin);
      return atomFeed(tenders, { title, key, origin, page: page.path, ...(self && { self }) });
    });
  }
}

/** The list's address in the app. Its order is one that the app has. */
function listAddress(query: TenderQuery): { path: string; query: string } {
  const { sort, order } = query;
  const given = new URLSearchParams({ ...(sort && { sort }), ...(order && { order }), q: query.q });
  const shown = parseListQuery(given);
  const text = tenderFilterParams({ ...query, sort: shown.sort, order: shown.order, page: 1 }).toString();
  return { path: `/tenders/results${text ? `?${text}` : ''}`, query: text };
}

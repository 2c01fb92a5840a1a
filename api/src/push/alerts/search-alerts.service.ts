import { Inject, Injectable } from '@nestjs/common';
import type { SavedFilter } from '@nivida/contract/filter/saved-search';
import { indianDay } from '@nivida/contract/format';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import { PaymentGateway } from '../../payments/payment-gateway.port.ts';
import {
  COMMON_TERMS,
  FIND_SEARCHES,
  INSERT_MATCH_NOTICES,
  INSERT_SEARCH_PROBES,
  OPEN_TENDERS,
  PUBLISHED_BATCH_SIZE,
  PUBLISHED_CHANGES,
  SEARCHES_WITHOUT_PROBES,
  STORE_CURSOR,
} from './alerts.sql.ts';
import { lockUnreadChanges } from './change-notices.ts';
import { nextDigest } from './reminders.ts';
import {
  type MatchedTender,
  matchesSearch,
  type PreparedSearch,
  prepareSearch,
  searchProbes,
  tenderProbes,
} from './search-match.ts';

/** Setting that stores the cursor in the history. */
export const MATCHES_CURSOR_KEY = 'push matches up to';
/** Maximum number of cached filters. The cache is valid for a day, because 'closing today' is another day tomorrow. */
const MAX_PREPARED_SEARCHES = 50_000;
/** A term in more than this share of all tenders is common. */
const COMMON_SHARE = 0.05;

interface NewTender extends MatchedTender {
  /** When it was published, at most now. */
  since: Date;
}

interface FoundSearch {
  probe: string;
  id: string;
  userId: string;
  filter: SavedFilter;
  createdAt: Date;
}

/** A tender for a user, with the matching searches. */
interface SearchHit {
  tender: NewTender;
  userId: string;
  searchIds: string[];
}

/** Finds saved searches that match new tenders. The cost depends on the number of matches, not on the number of searches. */
@Injectable()
export class SearchAlertsService {
  private readonly preparedSearches = new Map<string, PreparedSearch | undefined>();
  private preparedOn: number | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Creates notices of open tenders that were published since the last run, for users whose plan or trial covers the
   * state now (R46). Any number of processes may run it. Returns the number of notices.
   */
  async createMatchNotices(): Promise<number> {
    await this.dataSource.transaction((manager) => storeSearchProbes(manager, this.now()));
    for (let total = 0; ; ) {
      const batch = await this.dataSource.transaction((manager) => this.matchBatch(manager));
      if (!batch) return total;
      total += batch.created;
    }
  }

  private async matchBatch(manager: EntityManager): Promise<{ created: number } | undefined> {
    const now = this.now();
    const { after, upTo } = await lockUnreadChanges(manager, MATCHES_CURSOR_KEY);
    if (upTo <= after) return undefined;
    const published: { id: number; change_no: number; at: Date }[] = await manager.query(PUBLISHED_CHANGES, [
      after,
      upTo,
      now,
    ]);
    const tenders = await readTenders(manager, published, now);
    const hits = await this.findHits(manager, tenders, now);
    const created = hits.length > 0 ? await this.insertNotices(manager, hits, now) : 0;
    const readUpTo = published.length < PUBLISHED_BATCH_SIZE ? upTo : published.at(-1)?.change_no;
    await manager.query(STORE_CURSOR, [MATCHES_CURSOR_KEY, readUpTo]);
    return { created };
  }

  private async findHits(manager: EntityManager, tenders: NewTender[], now: Date): Promise<SearchHit[]> {
    const byProbe = new Map<string, NewTender[]>();
    for (const tender of tenders)
      for (const probe of tenderProbes(tender)) {
        const tendersOfProbe = byProbe.get(probe);
        if (tendersOfProbe) tendersOfProbe.push(tender);
        else byProbe.set(probe, [tender]);
      }
    const terms = new Map(tenders.map(({ id, words }) => [id, new Set(words)]));
    const found: FoundSearch[] = await manager.query(FIND_SEARCHES, [[...byProbe.keys()], now, this.gateway.live]);
    const hits = new Map<string, SearchHit>();
    const day = indianDay(now);
    if (this.preparedOn !== day) this.preparedSearches.clear();
    this.preparedOn = day;
    for (const { probe, id, userId, filter, createdAt } of found) {
      const search = this.prepare(id, filter, now);
      if (!search) continue;
      for (const tender of byProbe.get(probe) ?? []) {
        if (createdAt > tender.since || !matchesSearch(search, tender, terms.get(tender.id) as Set<string>, now))
          continue;
        const key = `${userId} ${tender.id}`;
        const hit = hits.get(key);
        if (!hit) hits.set(key, { tender, userId, searchIds: [id] });
        else if (!hit.searchIds.includes(id)) hit.searchIds.push(id);
      }
    }
    return [...hits.values()];
  }

  private async insertNotices(manager: EntityManager, hits: SearchHit[], now: Date): Promise<number> {
    const [{ count }] = await manager.query(INSERT_MATCH_NOTICES, [
      hits.map(({ tender }) => tender.id),
      now,
      hits.map(({ userId }) => userId),
      hits.map(({ searchIds }) => searchIds.join()),
      hits.map(({ tender }) => nextDigest(tender.since)),
      this.gateway.live,
    ]);
    return count;
  }

  private prepare(id: string, filter: SavedFilter, now: Date): PreparedSearch | undefined {
    if (!this.preparedSearches.has(id)) {
      if (this.preparedSearches.size >= MAX_PREPARED_SEARCHES) this.preparedSearches.clear();
      this.preparedSearches.set(id, prepareSearch(filter, now));
    }
    return this.preparedSearches.get(id);
  }
}

async function readTenders(
  manager: EntityManager,
  published: { id: number; at: Date }[],
  now: Date,
): Promise<NewTender[]> {
  const since = new Map(published.map(({ id, at }) => [id, at]));
  const rows: Omit<NewTender, 'since'>[] = await manager.query(OPEN_TENDERS, [[...since.keys()], now]);
  return rows.map((row) => ({ ...row, since: since.get(row.id) as Date }));
}

/** Stores the probes of new saved searches. */
async function storeSearchProbes(manager: EntityManager, now: Date): Promise<void> {
  const rows: { id: string; filter: SavedFilter }[] = await manager.query(SEARCHES_WITHOUT_PROBES);
  if (rows.length === 0) return;
  const common = await commonTerms(manager);
  const probes = rows.flatMap(({ id, filter }) =>
    searchProbes(prepareSearch(filter, now), common).map((probe) => ({ id, probe })),
  );
  await manager.query(INSERT_SEARCH_PROBES, [probes.map(({ probe }) => probe), probes.map(({ id }) => id)]);
}

/** Common terms by the statistics of PostgreSQL; empty before the first ANALYZE. */
async function commonTerms(manager: EntityManager): Promise<Set<string>> {
  const rows: { term: string; share: number }[] = await manager.query(COMMON_TERMS);
  return new Set(rows.filter(({ term, share }) => term && share > COMMON_SHARE).map(({ term }) => term));
}

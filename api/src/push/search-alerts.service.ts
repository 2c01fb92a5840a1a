import { Inject, Injectable } from '@nestjs/common';
import type { SavedSearch } from '@nivida/contract/saved-search';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK } from '../http/tokens.ts';
import type { JobContext } from '../jobs/schedule.ts';
import { PaymentGateway } from '../payments/gateway.service.ts';
import { takeHistory } from './changes.ts';
import { MATCH_TIME, tellStatement } from './fan-out.sql.ts';
import { isMatch, type MatchedTender, probesOfSearch, probesOfTender, type ReadySearch, readSearch } from './match.ts';
import { nextDigest } from './reminders.ts';
import { PushSender } from './sender.service.ts';

/** Where the history was read up to. */
const CURSOR = 'push matches up to';
/** New tenders that are looked at together. */
const BATCH = 500;
/** Parsed searches that are kept; their filters never change. */
const MOST_READY = 50_000;
/** A term that more than this share of all tenders hold is common. */
const COMMON_SHARE = 0.05;

/** Tells users of new tenders that match their saved searches, and sends what is due. Gives the number of messages sent. */
export async function searchAlerts({ find }: JobContext): Promise<number> {
  await (await find(SearchAlerts)).match();
  return (await find(PushSender)).sendDue();
}

interface NewTender extends MatchedTender {
  /** When it appeared, at most now. */
  since: Date;
}

interface Found {
  probe: string;
  id: string;
  userId: string;
  filter: SavedSearch['filter'];
  createdAt: Date;
}

/** A tender for a user, and by which of his searches. */
interface Hit {
  tender: NewTender;
  userId: string;
  searchIds: string[];
}

/** Finds the saved searches of new tenders; its cost grows with what matches, not with how many searches there are. */
@Injectable()
export class SearchAlerts {
  private readonly ready = new Map<string, ReadySearch | undefined>();

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(PaymentGateway) private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Makes notices of all tenders that were published since the last time and are open, for users whose plan or trial
   * covers the state now (RESOLUTIONS R46). Any number of processes may do so at once. Gives the number of notices.
   */
  async match(): Promise<number> {
    await this.dataSource.transaction(fileSearches);
    for (let told = 0; ; ) {
      const batch = await this.dataSource.transaction((manager) => this.matchBatch(manager));
      if (!batch) return told;
      told += batch.told;
    }
  }

  private async matchBatch(manager: EntityManager): Promise<{ told: number } | undefined> {
    const now = this.now();
    const { after, upTo } = await takeHistory(manager, CURSOR);
    if (upTo <= after) return undefined;
    const published: { id: number; change_no: number; at: Date }[] = await manager.query(
      `SELECT tender_id AS id, change_no::float8, least(at, $3) AS at FROM tender_history
       WHERE kind = 'published' AND change_no > $1 AND change_no <= $2 ORDER BY change_no LIMIT ${BATCH}`,
      [after, upTo, now],
    );
    const tenders = await readTenders(manager, published, now);
    const hits = await this.findHits(manager, tenders, now);
    const told = hits.length > 0 ? await this.tell(manager, hits, now) : 0;
    const readUpTo = published.length < BATCH ? upTo : published.at(-1)?.change_no;
    await manager.query('UPDATE setting SET value = to_jsonb($2::bigint) WHERE key = $1', [CURSOR, readUpTo]);
    return { told };
  }

  private async findHits(manager: EntityManager, tenders: NewTender[], now: Date): Promise<Hit[]> {
    const byProbe = new Map<string, NewTender[]>();
    for (const tender of tenders)
      for (const probe of probesOfTender(tender)) {
        const held = byProbe.get(probe);
        if (held) held.push(tender);
        else byProbe.set(probe, [tender]);
      }
    const terms = new Map(tenders.map(({ id, words }) => [id, new Set(words)]));
    const found: Found[] = await manager.query(FIND, [[...byProbe.keys()], now, this.gateway.live]);
    const hits = new Map<string, Hit>();
    for (const { probe, id, userId, filter, createdAt } of found) {
      const search = this.read(id, filter);
      if (!search) continue;
      for (const tender of byProbe.get(probe) ?? []) {
        if (createdAt > tender.since || !isMatch(search, tender, terms.get(tender.id) as Set<string>, now)) continue;
        const key = `${userId} ${tender.id}`;
        const hit = hits.get(key);
        if (!hit) hits.set(key, { tender, userId, searchIds: [id] });
        else if (!hit.searchIds.includes(id)) hit.searchIds.push(id);
      }
    }
    return [...hits.values()];
  }

  private async tell(manager: EntityManager, hits: Hit[], now: Date): Promise<number> {
    const [{ count }] = await manager.query(TELL, [
      hits.map(({ tender }) => tender.id),
      now,
      hits.map(({ userId }) => userId),
      hits.map(({ searchIds }) => searchIds.join()),
      hits.map(({ tender }) => nextDigest(tender.since)),
      this.gateway.live,
    ]);
    return count;
  }

  private read(id: string, filter: SavedSearch['filter']): ReadySearch | undefined {
    if (!this.ready.has(id)) {
      if (this.ready.size >= MOST_READY) this.ready.clear();
      this.ready.set(id, readSearch(filter));
    }
    return this.ready.get(id);
  }
}

/** A plan or trial that counts now: of all India, or of the states that it names. */
const HELD = (userId: string, live: string) => `
  SELECT e.plan_id = 'enterprise' AS "isAll", e.states FROM entitlement e
  WHERE e.user_id = ${userId} AND e.kind IN ('plan', 'trial') AND e.revoked_at IS NULL
    AND e.starts_at <= $2 AND e.ends_at > $2 AND NOT (${live}::boolean AND e.is_test)`;

/**
 * Searches under one of the probes $1, of users who have any plan or trial. Each is looked up by itself (OFFSET 0): the
 * planner, who cannot know how few there will be, would read all searches.
 */
const FIND = `
  SELECT q.probe, s.id, s.user_id AS "userId", s.filter, s.created_at AS "createdAt" FROM unnest($1::text[]) q(probe)
  CROSS JOIN LATERAL (SELECT search_id FROM search_probe p WHERE p.probe = q.probe OFFSET 0) p
  CROSS JOIN LATERAL (SELECT * FROM saved_search s WHERE s.id = p.search_id OFFSET 0) s
  CROSS JOIN LATERAL (SELECT deleted_at FROM account a WHERE a.id = s.user_id OFFSET 0) a
  WHERE a.deleted_at IS NULL AND EXISTS (${HELD('s.user_id', '$3')} OFFSET 0)
  ORDER BY s.search_no`;

/** Of the works of one NIT one is told of, for all. */
const TELL = tellStatement(
  `
  SELECT DISTINCT ON (h.user_id, coalesce(t.nit_key, t.id::text)) h.user_id, NULL::uuid AS subscription_id,
    h.user_id AS recipient, h.tender_id, 'match' AS kind, 0 AS version, 'due' AS state, t.nit_key AS nit,
    (count(*) OVER (PARTITION BY h.user_id, coalesce(t.nit_key, t.id::text)))::int AS works, NULL::jsonb AS detail,
    string_to_array(h.search_ids, ',')::uuid[] AS search_ids, h.digest_at
  FROM unnest($1::int[], $3::uuid[], $4::text[], $5::timestamptz[]) h(tender_id, user_id, search_ids, digest_at)
  JOIN tender t ON t.id = h.tender_id
  WHERE EXISTS (SELECT 1 FROM (${HELD('h.user_id', '$6')}) e WHERE e."isAll" OR t.state = ANY (e.states))
  ORDER BY h.user_id, coalesce(t.nit_key, t.id::text), length(t.source_id), t.source_id`,
  MATCH_TIME,
);

async function readTenders(
  manager: EntityManager,
  published: { id: number; at: Date }[],
  now: Date,
): Promise<NewTender[]> {
  const since = new Map(published.map(({ id, at }) => [id, at]));
  const rows: Omit<NewTender, 'since'>[] = await manager.query(
    `SELECT id, state, district, department, category, price::float8, closes_at AS "closesAt",
       tsvector_to_array(words) AS words
     FROM tender WHERE id = ANY($1) AND closes_at > $2 AND stage NOT IN ('cancelled', 'retendered')`,
    [[...since.keys()], now],
  );
  return rows.map((row) => ({ ...row, since: since.get(row.id) as Date }));
}

/** Files the searches that were saved since the last time. */
async function fileSearches(manager: EntityManager): Promise<void> {
  const rows: { id: string; filter: SavedSearch['filter'] }[] = await manager.query(
    'SELECT id, filter FROM saved_search s WHERE NOT EXISTS (SELECT 1 FROM search_probe p WHERE p.search_id = s.id)',
  );
  if (rows.length === 0) return;
  const common = await commonTerms(manager);
  const filed = rows.flatMap(({ id, filter }) =>
    probesOfSearch(readSearch(filter), common).map((probe) => ({ id, probe })),
  );
  await manager.query(
    'INSERT INTO search_probe SELECT probe, id FROM unnest($1::text[], $2::uuid[]) f(probe, id) ON CONFLICT DO NOTHING',
    [filed.map(({ probe }) => probe), filed.map(({ id }) => id)],
  );
}

/** What the database has noticed of the words of tenders; nothing before it has looked at them. */
async function commonTerms(manager: EntityManager): Promise<Set<string>> {
  const rows: { term: string; share: number }[] = await manager.query(
    `SELECT unnest(most_common_elems::text::text[]) AS term, unnest(most_common_elem_freqs) AS share FROM pg_stats
     WHERE schemaname = 'public' AND tablename = 'tender' AND attname = 'words'`,
  );
  return new Set(rows.filter(({ term, share }) => term && share > COMMON_SHARE).map(({ term }) => term));
}

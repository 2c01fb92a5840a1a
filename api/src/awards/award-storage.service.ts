import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { officeOf } from '@nivida/contract/awards/office';
import { dayText } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { takeChangeLock } from '../database/locks.sql.ts';
import { type Award, isAcceptedBid } from './award.entity.ts';
import {
  ATTACHED_AWARD_KEYS,
  FILLED_FACTS,
  HAS_KNOWN_RESULT,
  MARK_AWARDED_OF_PORTALS,
  MARK_AWARDED_TENDERS,
  MOVE_AWARDS_TO_TENDERS,
  RAISE_STATES,
  REMOVE_GENERATED_AWARDS,
  UPSERT_AWARDS,
} from './awards.sql.ts';
import { nameHash } from './name-hash.ts';
import { awardFacts, isNotAdmitted, isRefusedTechnical } from './statistics/award-facts.ts';

/** How a batch is stored. */
export interface StoreAwardsOptions {
  now: Date;
  origin: 'portal' | 'generated';
  /** False: no winner is stored (AWARD_NAMES=off). */
  withNames: boolean;
  dryRun: boolean;
}

/** Rolls back the transaction of a dry run. */
class DryRunRollback extends Error {}

/** The id of an office: the same in every installation. */
export const officeId = (state: string, key: string): string =>
  createHash('sha256').update(`${state}\0${key}`).digest('hex').slice(0, 12);

/** Removes the demonstration awards of states that get real data. */
export async function removeGeneratedAwards(manager: EntityManager, states: readonly string[]): Promise<void> {
  await manager.query(REMOVE_GENERATED_AWARDS, [states]);
}

/** Gives closed tenders of portals the stage "awarded" when their award is known. The caller holds the change lock. */
export async function markAwardedTenders(manager: EntityManager, portals: readonly string[], now: Date): Promise<void> {
  await manager.query(MARK_AWARDED_OF_PORTALS, [portals, now]);
}

/** Moves awards of attached sources to the tenders they are attached to. The caller holds the change lock. */
export async function moveAwardsToTenders(
  manager: EntityManager,
  tenderIds: readonly number[],
  now: Date,
): Promise<void> {
  const changed: { id: number; state: string }[] = await manager.query(MOVE_AWARDS_TO_TENDERS, [tenderIds]);
  if (changed.length === 0) return;
  await manager.query(RAISE_STATES, [[...new Set(changed.map(({ state }) => state))]]);
  await manager.query(MARK_AWARDED_TENDERS, [changed.map(({ id }) => id), now]);
}

/** Whether the portal's award of a tender is known at `now`. */
export async function hasKnownResult(
  manager: EntityManager,
  { portal, sourceId }: { portal: string; sourceId: string },
  now: Date,
): Promise<boolean> {
  const [{ known }] = await manager.query(HAS_KNOWN_RESULT, [portal, sourceId, now]);
  return known;
}

/** Stores awards by (portal, source id). An award that has not changed stays as it is. */
@Injectable()
export class AwardStorageService {
  private readonly clearedStates = new Set<string>();

  constructor(private readonly dataSource: DataSource) {}

  /** The names of the file columns that the stored award of each tender already fills; an empty list for an unknown award. */
  async readFilledFacts(awards: readonly Award[]): Promise<string[][]> {
    const found: { n: number; filled: string[] }[] = await this.dataSource.query(FILLED_FACTS, [
      awards.map(({ portal }) => portal),
      awards.map(({ sourceId }) => sourceId),
    ]);
    const filled = new Map(found.map((row) => [row.n, row.filled]));
    return awards.map((_, n) => filled.get(n) ?? []);
  }

  /** Stores one batch without repeated tenders. Returns the numbers of new and changed awards. */
  async store(awards: readonly Award[], options: StoreAwardsOptions): Promise<{ added: number; changed: number }> {
    const counts = { added: 0, changed: 0 };
    await this.dataSource
      .transaction(async (manager) => {
        await takeChangeLock(manager);
        Object.assign(counts, await this.storeBatch(manager, awards, options));
        if (options.dryRun) throw new DryRunRollback();
      })
      .catch((error) => {
        if (!(error instanceof DryRunRollback)) throw error;
      });
    return counts;
  }

  private async storeBatch(manager: EntityManager, awards: readonly Award[], options: StoreAwardsOptions) {
    await this.removeGenerated(manager, awards, options);
    const rows = await withOwnKeys(
      manager,
      awards.map((award) => toRow(award, options)),
    );
    const written: { id: number; state: string; isNew: boolean }[] = await manager.query(UPSERT_AWARDS, [
      JSON.stringify(rows),
      options.now,
    ]);
    if (written.length > 0) {
      await manager.query(RAISE_STATES, [[...new Set(written.map(({ state }) => state))]]);
      if (options.origin === 'portal')
        await manager.query(MARK_AWARDED_TENDERS, [written.map(({ id }) => id), options.now]);
    }
    const added = written.filter(({ isNew }) => isNew).length;
    return { added, changed: written.length - added };
  }

  /** The first import for a state removes that state's generated awards. */
  private async removeGenerated(manager: EntityManager, awards: readonly Award[], { origin }: StoreAwardsOptions) {
    if (origin === 'generated') return;
    const states = [...new Set(awards.map(({ state }) => state))].filter((state) => !this.clearedStates.has(state));
    if (states.length === 0) return;
    await removeGeneratedAwards(manager, states);
    for (const state of states) this.clearedStates.add(state);
  }
}

type AwardRow = ReturnType<typeof toRow>;

const keyOf = ({ portal, source_id }: { portal: string; source_id: string }) => `${portal}\0${source_id}`;

/** Gives rows of attached sources the key of their tender. If a tender has two rows, the one of its own portal is stored. */
async function withOwnKeys(manager: EntityManager, rows: AwardRow[]): Promise<AwardRow[]> {
  const attached: Record<'portal' | 'source_id' | 'own_portal' | 'own_id', string>[] = await manager.query(
    ATTACHED_AWARD_KEYS,
    [rows.map(({ portal }) => portal), rows.map(({ source_id }) => source_id)],
  );
  if (attached.length === 0) return rows;
  const own = new Map(attached.map((each) => [keyOf(each), each]));
  const byKey = new Map<string, AwardRow>();
  for (const row of rows) {
    const found = own.get(keyOf(row));
    const stored = found ? { ...row, portal: found.own_portal, source_id: found.own_id, reported_by: row.portal } : row;
    if (!found || !byKey.has(keyOf(stored))) byKey.set(keyOf(stored), stored);
  }
  return [...byKey.values()];
}

/** The row to store. The statement adds the district. */
function toRow(award: Award, { origin, withNames }: StoreAwardsOptions) {
  const office = officeOf(award);
  const facts = awardFacts(award);
  const isCounted = typeof facts !== 'string';
  const accepted = award.bids.filter(isAcceptedBid);
  const winner = withNames && accepted.length === 1 ? (accepted[0]?.bidder ?? null) : null;
  return {
    portal: award.portal,
    source_id: award.sourceId,
    state: award.state,
    title: award.title,
    office_id: office && officeId(award.state, office.key),
    office_key: office?.key ?? null,
    department: office?.department ?? null,
    category: award.category,
    pincode: award.pincode,
    estimate: award.estimate,
    awarded_value: award.awardedValue,
    published_on: award.publishedOn,
    closes_on: award.closesOn,
    contract_on: award.contractOn,
    known_on: isCounted ? dayText(facts.knownOn) : null,
    bidders: award.bids.length,
    accepted: accepted.length,
    refused_technical: award.bids.filter(isRefusedTechnical).length,
    not_admitted: award.bids.filter(isNotAdmitted).length,
    price: isCounted && typeof facts.price === 'number' ? facts.price : null,
    days_to_contract: isCounted ? facts.daysToContract : null,
    exclusion: isCounted ? (typeof facts.price === 'string' ? facts.price : null) : facts,
    submitted: award.bids.flatMap(({ submittedAt }) => submittedAt ?? []),
    winner,
    winner_hash: winner === null ? null : nameHash(winner),
    reported_by: null as string | null,
    origin,
    content_hash: createHash('sha256')
      .update(JSON.stringify([award, withNames]))
      .digest('base64url')
      .slice(0, 22),
  };
}

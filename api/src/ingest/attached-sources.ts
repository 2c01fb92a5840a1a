/**
 * Recognises a tender that a second portal publishes again. It is stored once, and the second portal's facts are attached
 * to it. Ids are unique per portal only, so reference, title and closing must agree too. The state must agree unless one
 * of the portals is a central one.
 */
import { indianDay } from '@nivida/contract/format';
import { isCentralPortal } from '@nivida/contract/tenders/portals';
import { DAY_MS } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import { moveAwardsToTenders } from '../awards/award-storage.service.ts';
import { foldCell } from './cells/doubled-cells.ts';
import {
  ATTACHED_SOURCES,
  INSERT_ATTACHED_SOURCES,
  PORTAL_RANGE,
  RAISE_CHANGE_NUMBERS,
  SAME_ID_TENDERS,
  UPDATE_ATTACHED_SOURCES,
} from './ingest.sql.ts';
import { type SourceTender, sourceTenderKey } from './source-tender.ts';
import type { WriteOptions } from './tender-rows.ts';

/** A source that is attached to a stored tender; its closing is the portal's own. */
interface AttachedSource {
  portal: string;
  source_id: string;
  tender_id: number;
  closes_at: Date;
  closing_time_known: boolean;
  stage: string;
}

/** A stored tender of another portal with the same id. */
interface Candidate {
  /** Number of the tender that was asked for. */
  n: number;
  id: number;
  portal: string;
  source_id: string;
  state: string;
  title: string;
  reference: string | null;
  closes_at: Date;
  closing_time_known: boolean;
  shift_days: number;
  /** Closings before those that corrigenda have moved. */
  earlier_closings: string[];
}

type Facts = Pick<SourceTender, 'sourceId' | 'title' | 'reference' | 'closesAt' | 'closingTimeKnown'>;

/** The id without the prefix of an ocid, if a portal's id follows the prefix. The index `tender_bare_id` uses the same form. */
const bareId = (sourceId: string) => sourceId.replace(/^ocds-[a-z0-9]{6}-(?=\d{4}_)/i, '');

/** Whether two closings agree. If one has no hour, only the Indian days are compared. */
function closingsAgree(one: Facts, other: Facts): boolean {
  if (one.closingTimeKnown && other.closingTimeKnown) return one.closesAt.getTime() === other.closesAt.getTime();
  return indianDay(one.closesAt) === indianDay(other.closesAt);
}

/** The reference in comparable form. OCDS files often repeat the end of the ocid instead; that gives ''. */
function foldReference({ sourceId, reference }: Facts): string {
  const isOfOcid = bareId(sourceId) !== sourceId && reference === bareId(sourceId);
  return isOfOcid ? '' : foldCell(reference ?? '');
}

/** Whether reference, title and closing agree. False without a reference. */
function factsAgree(one: Facts, other: Facts): boolean {
  const reference = foldReference(one);
  return (
    reference !== '' &&
    reference === foldReference(other) &&
    foldCell(one.title) === foldCell(other.title) &&
    closingsAgree(one, other)
  );
}

/** Whether two tenders are the same. An older file may have a closing that a corrigendum has moved since, so earlier closings match too. */
function isSameAsStored(tender: SourceTender, stored: Candidate): boolean {
  const { source_id: sourceId, title, reference, closes_at, shift_days, earlier_closings } = stored;
  const isSameState = tender.state === stored.state || [tender.portal, stored.portal].some(isCentralPortal);
  if (!isSameState) return false;
  const closings = [closes_at, ...earlier_closings.map((at) => new Date(at))];
  return closings.some((at) => {
    const closesAt = new Date(at.getTime() - shift_days * DAY_MS);
    const closingTimeKnown = stored.closing_time_known;
    return factsAgree(tender, { sourceId, title, reference, closesAt, closingTimeKnown });
  });
}

const keysOf = (tenders: readonly SourceTender[]) => [
  tenders.map(({ portal }) => portal),
  tenders.map(({ sourceId }) => sourceId),
];

const toRow = ({ portal, sourceId, closesAt, closingTimeKnown, stage }: SourceTender) => ({
  portal,
  source_id: sourceId,
  closes_at: closesAt,
  closing_time_known: closingTimeKnown,
  stage,
});

/** The attached sources among some tenders, by key. */
export async function findAttached(
  manager: EntityManager,
  tenders: readonly SourceTender[],
): Promise<Map<string, AttachedSource>> {
  if (tenders.length === 0) return new Map();
  const [{ isAnyAttached }] = await manager.query(PORTAL_RANGE);
  if (!isAnyAttached) return new Map();
  const found: AttachedSource[] = await manager.query(ATTACHED_SOURCES, keysOf(tenders));
  return new Map(found.map((source) => [sourceTenderKey({ ...source, sourceId: source.source_id }), source]));
}

/** Stores the present facts of attached sources. Returns how many changed. The caller holds the change lock. */
export async function updateAttached(
  manager: EntityManager,
  found: readonly { tender: SourceTender; source: AttachedSource }[],
  now: Date,
): Promise<number> {
  if (found.length === 0) return 0;
  const changed = found.filter(
    ({ tender, source }) =>
      tender.closesAt.getTime() !== source.closes_at.getTime() ||
      tender.closingTimeKnown !== source.closing_time_known ||
      tender.stage !== source.stage,
  );
  await manager.query(UPDATE_ATTACHED_SOURCES, [JSON.stringify(found.map(({ tender }) => toRow(tender))), now]);
  await manager.query(RAISE_CHANGE_NUMBERS, [changed.map(({ source }) => source.tender_id)]);
  return changed.length;
}

/** Attaches tenders that another portal has already published, and returns their keys. The caller holds the change lock. */
export async function attachSources(
  manager: EntityManager,
  tenders: readonly SourceTender[],
  { now, origin }: WriteOptions,
): Promise<Set<string>> {
  if (tenders.length === 0 || origin === 'generated') return new Set();
  const [{ first, last }] = await manager.query(PORTAL_RANGE);
  if (tenders.every(({ portal }) => (first ?? portal) === portal && (last ?? portal) === portal)) return new Set();
  const candidates: Candidate[] = await manager.query(SAME_ID_TENDERS, [
    tenders.map(({ portal }) => portal),
    tenders.map(({ sourceId }) => bareId(sourceId)),
    origin,
  ]);
  const matches = new Map<SourceTender, number>();
  for (const candidate of candidates) {
    const tender = tenders[candidate.n] as SourceTender;
    if (!matches.has(tender) && isSameAsStored(tender, candidate)) matches.set(tender, candidate.id);
  }
  if (matches.size === 0) return new Set();
  const rows = [...matches].map(([tender, id]) => ({ ...toRow(tender), tender_id: id }));
  await manager.query(INSERT_ATTACHED_SOURCES, [JSON.stringify(rows), now]);
  await manager.query(RAISE_CHANGE_NUMBERS, [[...matches.values()]]);
  if (origin === 'portal') await moveAwardsToTenders(manager, [...matches.values()], now);
  return new Set([...matches.keys()].map(sourceTenderKey));
}

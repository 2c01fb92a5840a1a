/** Derives districts and departments of stored tenders again, after the PIN table or the rules have changed. */
import { findRegion } from '@nivida/contract/regions/regions';
import type { DataSource, EntityManager } from 'typeorm';
import { takeChangeLock } from '../../database/locks.sql.ts';
import { applyStated, endCorrections, isDerived, readCorrections } from '../corrections/apply-corrections.ts';
import type { CorrectionEntity } from '../corrections/correction.entity.ts';
import { departmentOf, type StoredRow, toSearchedTender, toTsvector } from '../stored-row.ts';
import { PINCODES, STORE_PLACES, TENDERS_AFTER } from './places.sql.ts';
import { deriveDistrict, type PincodeTable, pincodeKey } from './places.ts';

/** The stored PIN table as shares of districts. */
export async function readPincodes(database: Pick<DataSource, 'query'>): Promise<PincodeTable> {
  const rows: { pincode: string; state: string; district: string; share: number }[] = await database.query(PINCODES);
  const shares = new Map<string, Map<string, number>>();
  for (const { pincode, state, district, share } of rows) {
    const key = pincodeKey(state, pincode);
    shares.set(key, (shares.get(key) ?? new Map<string, number>()).set(district, share));
  }
  return shares;
}

interface PlacedTender {
  id: number;
  state: string;
  district: string | null;
  second_district: string | null;
  department: string | null;
  pincode: string | null;
  title: string;
  description: string;
  source_id: string;
  reference: string | null;
  place: string | null;
  address: string | null;
  organisation_chain: string[];
}

/**
 * Stores the places that differ. Devices receive each of these changes; there is no corrigendum. Returns the number of
 * tenders. Each batch is one transaction, unless `database` is a manager with a transaction of its own.
 */
export async function rederivePlaces(database: DataSource | EntityManager, now: Date): Promise<number> {
  const pincodes = await readPincodes(database);
  let found = 0;
  for (let after = 0; ; ) {
    const from = after;
    const { last, changed } = await database.transaction((manager) => placeBatch(manager, from, pincodes, now));
    found += changed;
    if (last === undefined) return found;
    after = last;
  }
}

/** `last` is the id of the last tender that was read; undefined at the end. */
interface PlacedBatch {
  last: number | undefined;
  changed: number;
}

/** Reads the rows under the change lock, so that changes of a concurrent import are not lost. */
async function placeBatch(
  manager: EntityManager,
  after: number,
  pincodes: PincodeTable,
  now: Date,
): Promise<PlacedBatch> {
  await takeChangeLock(manager);
  const batch: PlacedTender[] = await manager.query(TENDERS_AFTER, [after]);
  const corrections = await readCorrections(
    manager,
    batch.map(({ id }) => id),
  );
  const ended: CorrectionEntity[] = [];
  const changed = batch.flatMap((tender) => rederivePlace(tender, pincodes, corrections.get(tender.id) ?? [], ended));
  await endCorrections(manager, ended, 'source', now);
  if (changed.length > 0) await storePlaces(manager, changed, now);
  return { last: batch.at(-1)?.id, changed: changed.length };
}

function rederivePlace(
  tender: PlacedTender,
  pincodes: PincodeTable,
  corrections: readonly CorrectionEntity[],
  ended: CorrectionEntity[],
) {
  const region = findRegion(tender.state);
  if (!region) return [];
  const texts = { ...tender, organisationChain: tender.organisation_chain, sourceId: tender.source_id };
  const found = deriveDistrict(region, texts, pincodes);
  const row = {
    district: found.district,
    second_district: found.secondDistrict ?? null,
    district_confidence: found.confidence,
    department: departmentOf(region, texts.organisationChain),
  };
  ended.push(...applyStated(row as unknown as StoredRow, corrections.filter(isDerived)));
  const { district, second_district: secondDistrict, district_confidence: confidence, department } = row;
  const changes = [
    { field: 'district', old: tender.district, new: district },
    { field: 'second_district', old: tender.second_district, new: secondDistrict },
    { field: 'department', old: tender.department, new: department },
  ].filter((change) => change.old !== change.new);
  if (changes.length === 0) return [];
  const words = toTsvector(toSearchedTender(texts, { district, secondDistrict }, department));
  return [{ id: tender.id, district, second_district: secondDistrict, confidence, department, words, changes }];
}

async function storePlaces(manager: EntityManager, changed: unknown[], now: Date): Promise<void> {
  await manager.query(STORE_PLACES, [JSON.stringify(changed), now]);
}

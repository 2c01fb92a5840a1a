/** Derives districts and departments of stored tenders again, after the PIN table or the rules have changed. */
import { findRegion } from '@nivida/contract/regions/regions';
import { tenderTerms } from '@nivida/contract/search/search';
import type { DataSource, EntityManager } from 'typeorm';
import { takeChangeLock } from '../../database/locks.ts';
import { findListedDepartment, toSearchedTender, toTsvector } from '../stored-row.ts';
import { deriveDistrict, type PincodeTable, pincodeKey } from './places.ts';

/** Rows of one transaction. */
const BATCH_SIZE = 1_000;

/** The stored PIN table as shares of districts. */
export async function readPincodes(database: Pick<DataSource, 'query'>): Promise<PincodeTable> {
  const rows: { pincode: string; state: string; district: string; share: number }[] = await database.query(
    'SELECT pincode, state, district, share FROM pincode',
  );
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
 * Stores the places that differ, each as a change of our copy: devices receive it, and there is no corrigendum. Gives
 * the number of tenders. Each batch is a transaction, or all of them are part of the manager's own.
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

/** `last` is the id of the last tender that was read; undefined when there was none. */
interface PlacedBatch {
  last: number | undefined;
  changed: number;
}

/** The rows are read under the change lock: an import at the same time must not lose what it stores. */
async function placeBatch(
  manager: EntityManager,
  after: number,
  pincodes: PincodeTable,
  now: Date,
): Promise<PlacedBatch> {
  await takeChangeLock(manager);
  const batch: PlacedTender[] = await manager.query(
    `SELECT id, state, district, department, pincode, title, description, source_id, reference, place, address, organisation_chain
     FROM tender WHERE id > $1 ORDER BY id LIMIT ${BATCH_SIZE}`,
    [after],
  );
  const changed = batch.flatMap((tender) => rederivePlace(tender, pincodes));
  if (changed.length > 0) await storePlaces(manager, changed, now);
  return { last: batch.at(-1)?.id, changed: changed.length };
}

function rederivePlace(tender: PlacedTender, pincodes: PincodeTable) {
  const region = findRegion(tender.state);
  if (!region) return [];
  const texts = { ...tender, organisationChain: tender.organisation_chain, sourceId: tender.source_id };
  const { district, confidence } = deriveDistrict(region, texts, pincodes);
  const department = findListedDepartment(region, texts.organisationChain);
  const changes = [
    { field: 'district', old: tender.district, new: district },
    { field: 'department', old: tender.department, new: department },
  ].filter((change) => change.old !== change.new);
  if (changes.length === 0) return [];
  const words = toTsvector(tenderTerms(toSearchedTender(texts, district, department)));
  return [{ id: tender.id, district, confidence, department, words, changes }];
}

async function storePlaces(manager: EntityManager, changed: unknown[], now: Date): Promise<void> {
  await manager.query(
    `WITH placed AS (
       UPDATE tender t SET district = r.district, district_confidence = r.confidence, department = r.department,
         words = r.words::tsvector, version = t.version + 1, updated_at = $2,
         change_no = CASE WHEN t.change_no IS NULL THEN NULL ELSE nextval('tender_change_no') END
       FROM jsonb_to_recordset($1) r(id int, district text, confidence real, department text, words text, changes jsonb)
       WHERE t.id = r.id
       RETURNING t.change_no, t.id, t.state, t.version, r.changes
     )
     INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
     SELECT change_no, id, state, version, 'changed', changes, $2 FROM placed WHERE change_no IS NOT NULL`,
    [JSON.stringify(changed), now],
  );
}

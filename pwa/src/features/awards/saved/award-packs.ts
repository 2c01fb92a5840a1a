/**
 * Awards on the device: statistics of the offices of saved states, and past works that the user has
 * requested.
 */
import { packedKeys, unpackOffice } from '@nivida/contract/awards/award-pack';
import { AwardPack, AwardStatesResponse, AwardWorksPack, OfficeAwards } from '@nivida/contract/awards/awards';
import { departmentKey, officeOf } from '@nivida/contract/awards/office';
import { findSimilarWorks, type SimilarTo } from '@nivida/contract/awards/similar-works';
import { STATES } from '@nivida/contract/regions/states';
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import type { Tender } from '@nivida/contract/tenders/tender';
import { DAY_MS } from '@nivida/contract/time';
import * as v from 'valibot';
import { currentTime } from '../../../data/clock.ts';
import { isMeteredConnection } from '../../../data/device/connection.ts';
import { observeDevice, withDatabase } from '../../../data/device/database.ts';
import type { AwardPackRow, DeviceDatabase } from '../../../data/device/schema.ts';
import { readSetting, WIFI_ONLY_KEY } from '../../../data/device/settings.ts';
import {
  downloadUnlessFull,
  isQuotaExceeded,
  worksDownload,
  writeInBackground,
  writeWithEviction,
} from '../../../data/device/storage-quota.ts';
import { hashContent } from '../../../data/hash.ts';
import { withLock } from '../../../data/lock.ts';
import { api } from '../../../data/server/api.ts';

/** Past works are large and change little, so an older version is replaced only after this time. */
const WORKS_AGE_MS = 14 * DAY_MS;

/** Statistics from the device, with the time when the server confirmed them. */
export interface SavedOffice {
  statistics: OfficeAwards;
  savedAt: Date;
}

/** A past work on the device. */
export interface SavedWork {
  id: string;
  title: string;
  estimate: number;
  price: number | null;
  knownOn: string | null;
}

/** Slugs of the states that are saved, or 'india'. */
async function savedScopes(db: DeviceDatabase): Promise<Set<string>> {
  const rows = await db.scopes.toArray();
  return new Set(rows.flatMap(({ scope, current, isPaused }) => (current && !isPaused ? scope : [])));
}

const slugOf = (state: string) => STATES.find(({ name }) => name === state)?.slug ?? '';

const isWanted = (scopes: ReadonlySet<string>, state: string) => scopes.has(INDIA_SCOPE) || scopes.has(slugOf(state));

const awardTables = (db: DeviceDatabase) => [db.awardPacks, db.awardFiles] as const;

/** Removes the awards of states that are no longer saved. Awards of a paused state stay. */
async function deleteUnwanted(db: DeviceDatabase): Promise<void> {
  const scopes = new Set(await db.scopes.toCollection().primaryKeys());
  await db.transaction('rw', awardTables(db), async () => {
    for (const state of await db.awardPacks.toCollection().primaryKeys()) {
      if (isWanted(scopes, state)) continue;
      await db.awardPacks.delete(state);
      await db.awardFiles.bulkDelete([
        [state, 'offices'],
        [state, 'works'],
      ]);
    }
  });
}

type ListedState = AwardStatesResponse['states'][number];

/** If an award is older, its age is shown first. */
const OLD_AWARD_MS = 365 * DAY_MS;

/** The id of an office, derived as on the server. */
const officeId = async (state: string, key: unknown) => (await hashContent(`${state}\0${key}`)).slice(0, 12);

/** One office of a pack, in the shape of the server's answer. Null when it cannot be read. */
async function readOffice({ state, columns }: AwardPack, at: number): Promise<OfficeAwards | null> {
  const { office, ...row } = unpackOffice(columns, at, state);
  const age = currentTime().getTime() - Date.parse(String(row.lastKnownOn));
  const id = await officeId(state, office.key);
  const read = v.safeParse(OfficeAwards, { ...row, isOld: age > OLD_AWARD_MS, office: { ...office, id } });
  return read.success ? read.output : null;
}

/**
 * The figures of a department, for an office that the pack leaves out. The number of the office's own awards
 * is unknown.
 */
function withoutOfficeAwards(statistics: OfficeAwards): OfficeAwards {
  const { bidders, price, daysToContract } = statistics;
  const isUnknown = { officeAwards: null };
  return {
    ...statistics,
    bidders: { ...bidders, ...isUnknown },
    price: { ...price, ...isUnknown },
    daysToContract: { ...daysToContract, ...isUnknown },
  };
}

async function refreshOffices(db: DeviceDatabase, listed: ListedState): Promise<void> {
  const { state, awards } = listed;
  const known = await db.awardPacks.get(state);
  const savedAt = currentTime().getTime();
  if (known && known.version === listed.version) {
    await db.awardPacks.update(state, { savedAt, awards });
    return;
  }
  await downloadUnlessFull({ download: `offices of ${state}`, version: listed.version, waitMs: DAY_MS }, async () => {
    const pack = await api.get(`api/awards/packs/${encodeURIComponent(state)}`).json(AwardPack);
    const bytes = JSON.stringify(pack).length;
    await writeInBackground(db, () =>
      db.transaction('rw', awardTables(db), async () => {
        const works = (await db.awardPacks.get(state))?.works ?? null;
        await db.awardPacks.put({ state, version: pack.version, awards, savedAt, bytes, works });
        await db.awardFiles.put({ state, kind: 'offices', pack });
      }),
    );
  });
}

function areWorksDue({ version, works }: AwardPackRow, now: number): boolean {
  if (works === null) return false;
  return works === 'wanted' || (works.version !== version && now - works.savedAt > WORKS_AGE_MS);
}

/**
 * Downloads past works. On a full device they may replace other packs only if the user has just requested
 * them.
 */
async function refreshWorks(db: DeviceDatabase, state: string, protectedScope: string): Promise<void> {
  const row = await db.awardPacks.get(state);
  const savedAt = currentTime().getTime();
  if (!row || !areWorksDue(row, savedAt)) return;
  await downloadUnlessFull({ download: worksDownload(state), version: row.version, waitMs: DAY_MS }, async () => {
    // About 1 MB: a slow download must not be aborted.
    const call = api.get(`api/awards/packs/${encodeURIComponent(state)}/works`, { timeout: false });
    const pack = await call.json(AwardWorksPack);
    const bytes = JSON.stringify(pack).length;
    const write = () =>
      db.transaction('rw', awardTables(db), async () => {
        // The user may have removed the state or the works in the meantime.
        if (!(await db.awardPacks.get(state))?.works) return;
        await db.awardPacks.update(state, { works: { version: pack.version, savedAt, bytes } });
        await db.awardFiles.put({ state, kind: 'works', pack });
      });
    await (row.works === 'wanted' ? writeWithEviction(db, protectedScope, write) : writeInBackground(db, write));
  });
}

/** Goes on when the device is full: the next file may be smaller, or requested by the user. */
function ignoreQuota(error: unknown): void {
  if (!isQuotaExceeded(error)) throw error;
}

/**
 * Removes the awards of removed states. Downloads the awards of saved states that are new or have changed.
 */
export async function refreshAwardPacks(db: DeviceDatabase): Promise<void> {
  await deleteUnwanted(db);
  const scopes = await savedScopes(db);
  if (scopes.size === 0) return;
  if (isMeteredConnection() && (await readSetting(WIFI_ONLY_KEY)) === true) return;
  const { states } = await api.get('api/awards').json(AwardStatesResponse);
  for (const listed of states) {
    if (!isWanted(scopes, listed.state)) continue;
    await refreshOffices(db, listed).catch(ignoreQuota);
    await refreshWorks(db, listed.state, scopes.has(INDIA_SCOPE) ? INDIA_SCOPE : slugOf(listed.state)).catch(
      ignoreQuota,
    );
  }
}

const refreshOnce = () => withLock('award-packs', () => withDatabase(refreshAwardPacks));

let isWatching = false;

/**
 * Refreshes the awards now. Later refreshes them whenever a state is saved or removed, or past works are
 * requested.
 */
export async function syncAwardPacks(): Promise<void> {
  if (!isWatching) {
    isWatching = true;
    let seen = '';
    const stop = observeDevice(
      async (db) => {
        const wanted = await db.awardPacks.filter(({ works }) => works === 'wanted').primaryKeys();
        return [...(await savedScopes(db)), ...(await db.scopes.toCollection().primaryKeys()), ...wanted].join();
      },
      (present) => {
        if (present === seen) return;
        seen = present;
        void refreshOnce().catch(() => undefined);
      },
      () => {
        isWatching = false;
        // The next sync starts watching again.
        stop();
      },
    );
  }
  await refreshOnce();
}

async function savedPack(db: DeviceDatabase, state: string): Promise<{ pack: AwardPack; savedAt: Date } | null> {
  const row = await db.awardPacks.get(state);
  const file = row && (await db.awardFiles.get([state, 'offices']));
  return row && file?.kind === 'offices' ? { pack: file.pack, savedAt: new Date(row.savedAt) } : null;
}

const tenderOffice = (tender: Tender) =>
  officeOf({ organisationChain: tender.organisation_chain, pincode: tender.pincode });

/** The statistics of a tender's office, or of its department when there are none. Null without both. */
export async function savedTenderOffice(db: DeviceDatabase, tender: Tender): Promise<SavedOffice | null> {
  const office = tenderOffice(tender);
  const saved = office && (await savedPack(db, tender.state));
  if (!saved) return null;
  const { pack, savedAt } = saved;
  const keys = packedKeys(pack.columns);
  const own = keys.indexOf(office.key);
  if (own >= 0) {
    const statistics = await readOffice(pack, own);
    return statistics && { statistics, savedAt };
  }
  const at = keys.indexOf(departmentKey(office.department));
  const department = at < 0 ? null : await readOffice(pack, at);
  return department && { statistics: withoutOfficeAwards(department), savedAt };
}

/** The statistics of the office with this id; null when there are none. */
export async function savedOfficeById(db: DeviceDatabase, id: string): Promise<SavedOffice | null> {
  for (const state of await db.awardPacks.toCollection().primaryKeys()) {
    const saved = await savedPack(db, state);
    const ids = await Promise.all(packedKeys(saved?.pack.columns ?? {}).map((key) => officeId(state, key)));
    const at = ids.indexOf(id);
    const statistics = saved && at >= 0 ? await readOffice(saved.pack, at) : null;
    if (saved && statistics) return { statistics, savedAt: saved.savedAt };
  }
  return null;
}

/** Past works on the device that are like a tender. Null when the works of its state are not stored. */
export async function savedSimilarWorks(
  db: DeviceDatabase,
  tender: Tender,
): Promise<{ works: SimilarTo<SavedWork>[]; savedAt: Date } | null> {
  const row = await db.awardPacks.get(tender.state);
  const file = row && (await db.awardFiles.get([tender.state, 'works']));
  const office = tenderOffice(tender);
  if (file?.kind !== 'works' || !row?.works || row.works === 'wanted') return null;
  const { offices, works } = file.pack;
  const place = office ? offices.indexOf(await officeId(tender.state, office.key)) : -1;
  const found: SavedWork[] = works.office.flatMap((office, at) =>
    office === place && works.tenderId[at] !== tender._id
      ? {
          id: works.id[at] ?? '',
          title: works.title[at] ?? '',
          estimate: works.estimate[at] ?? 0,
          price: works.price[at] ?? null,
          knownOn: works.knownOn[at] ?? null,
        }
      : [],
  );
  const { title, price } = tender;
  return { works: findSimilarWorks({ title, estimate: price }, found), savedAt: new Date(row.works.savedAt) };
}

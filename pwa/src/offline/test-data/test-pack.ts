/** Stores a pack on the device, for tests. */
import { withDatabase } from '../../data/device/database.ts';
import type { OfflinePack } from '../../data/device/schema.ts';
import { setRows } from '../packs/pack-status.ts';
import { packFileName, readScopes } from '../packs/pack-store.ts';
import { packTestRows, type TestRow } from './test-rows.ts';

let packs = 0;

/** Stores tenders as the complete pack of a scope. `savedAt` is when the server confirmed it. */
export async function storeTestPack(scope: string, rows: readonly TestRow[], savedAt: number): Promise<void> {
  packs += 1;
  const file = (name: string) => ({
    hash: `${name} ${packs}`,
    bytes: 1_000,
    size: 2_000,
    url: `/api/sync/segments/${name}-${packs}`,
  });
  const segment = { rows: rows.length, list: file('list'), detail: file('detail') };
  const name = packFileName.index(segment);
  const current: OfflinePack = {
    ...{ epoch: `e${packs}`, cursor: `e${packs} 1`, rows: rows.length },
    ...{ segments: [segment], checked: {} },
  };
  await withDatabase(async (db) => {
    await db.scopes.put({ scope, current, next: null, files: { [name]: 1_000 }, savedAt, changed: 0, replaces: null });
    await db.packFiles.put({ scope, name, kind: 'index', index: packTestRows(rows) });
  });
  setRows(await withDatabase(readScopes));
}

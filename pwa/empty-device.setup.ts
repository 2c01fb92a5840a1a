/** Test files of one worker share their modules. With this setup each file starts with an empty device. */
import './own-channels.ts';
import { Dexie } from 'dexie';
import { beforeAll } from 'vitest';
import { closeDatabase } from './src/data/device/database.ts';

beforeAll(async () => {
  await closeDatabase();
  if (!('indexedDB' in globalThis)) return;
  // Dexie reads these globals when it is loaded. Another file of the worker may have loaded it when there was
  // no database.
  Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange });
  for (const { name = '' } of await indexedDB.databases())
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = resolve;
      request.onerror = reject;
    });
});

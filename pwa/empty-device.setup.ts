/** Test files of one worker share their modules. Each file begins with an empty device. */
import { Dexie } from 'dexie';
import type { Window } from 'happy-dom';
import { beforeAll } from 'vitest';
import { closeDatabase } from './src/data/device/database.ts';

beforeAll(async () => {
  // A click that saves a file would leave the page of the tests after it.
  if ('happyDOM' in window)
    (window as unknown as Window).happyDOM.settings.navigation.disableMainFrameNavigation = true;
  await closeDatabase();
  if (!('indexedDB' in globalThis)) return;
  // Dexie takes these when it is loaded, which another file of the worker may have done without a database.
  Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange });
  for (const { name = '' } of await indexedDB.databases())
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = resolve;
      request.onerror = reject;
    });
});

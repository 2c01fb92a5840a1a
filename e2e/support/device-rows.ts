import type { Page } from '@playwright/test';

/** All rows of one of the app's tables on the device. */
export function rowsOf<Row>(page: Page, table: string): Promise<Row[]> {
  return page.evaluate(
    (name) =>
      new Promise<Row[]>((resolve, reject) => {
        const request = indexedDB.open('nivida');
        request.onsuccess = () => {
          const read = request.result.transaction(name).objectStore(name).getAll();
          read.onsuccess = () => {
            request.result.close();
            resolve(read.result);
          };
          read.onerror = () => reject(read.error);
        };
      }),
    table,
  );
}

/** Runs in a page. From now on, records that the page writes are not stored before the page is left. */
export function holdRecords(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('nivida');
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const records = request.result.transaction('records', 'readwrite').objectStore('records');
      const hold = () => {
        records.count().onsuccess = hold;
      };
      hold();
      resolve();
    };
  });
}

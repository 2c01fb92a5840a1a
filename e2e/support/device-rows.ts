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

import 'fake-indexeddb/auto';
import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { useOpenedFiles } from './useOpenedFiles.ts';

type Consumer = (launch: { files: { getFile(): Promise<File> }[] }) => void;

function Opened() {
  useOpenedFiles();
  return null;
}

afterEach(async () => {
  await closeTestPages();
  await closeDatabase();
  Reflect.deleteProperty(window, 'launchQueue');
});

test('a CSV that the operating system opens with the app is the list of tenders', async () => {
  let launch: Consumer | undefined;
  const launchQueue = {
    setConsumer: (consumer: Consumer) => {
      launch = consumer;
    },
  };
  Object.defineProperty(window, 'launchQueue', { configurable: true, value: launchQueue });
  const { router } = await openTestPage(<Opened />, '/files');
  // A launch without files opens the page only.
  await act(async () => launch?.({ files: [] }));
  expect(router.state.location.pathname).toBe('/files');
  const list = new File(['Work,Tender\nFootbridge,2026_MC_71_1\n'], 'Old list.CSV', { type: 'text/csv' });
  await act(async () => launch?.({ files: [{ getFile: async () => list }] }));
  await expect.poll(() => router.state.location.pathname).toBe('/add-tenders');
  const saved = await withDatabase((db) => db.settings.toArray());
  expect(JSON.stringify(saved)).toContain('2026_MC_71_1');
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readScreenFiles } from '../../src/pages/screen-files.ts';

const app = join(import.meta.dirname, '../../../pwa/dist');
const screenFilesOf = await readScreenFiles(app);

/** What the manifest of Vite's build says of a chunk. */
interface Chunk {
  file: string;
  name?: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}
const DESK = 'src/screens/desk/desk.tsx';

/** Bytes of a page's scripts and styles beside the app's own, as they are sent. */
const bytesOf = (page: string) =>
  screenFilesOf(page).reduce((bytes, file) => bytes + readFileSync(join(app, `${file}.br`)).length, 0);

describe('the code of a first screen stays small, compressed', () => {
  test.each([
    ['/tenders', 91_000],
    ['/tenders/results', 102_500],
    ['/tenders/1', 110_000],
    ['/contact', 47_000],
    ['/pricing', 56_000],
  ])('%s has at most %i bytes', (page, limit) => {
    expect(bytesOf(page)).toBeGreaterThan(10_000);
    expect(bytesOf(page)).toBeLessThanOrEqual(limit);
  });
});

test('a first screen loads neither the database nor code of the bid desk, of the account or of other screens', () => {
  const foreign = /\/(?:schema|bid-documents|checklist|eligibility|deposits|account|profile|awards)-/;
  for (const page of ['/tenders', '/tenders/results', '/tenders/1', '/contact', '/pricing'])
    expect(screenFilesOf(page).filter((file) => foreign.test(file))).toEqual([]);
});

test('no page of visitors loads a file of the desk, and the service worker stores none', () => {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(app, '.vite/manifest.json'), 'utf8'));
  const reached = (starts: string[], isStopped: (key: string) => boolean): Set<string> => {
    const found = new Set<string>();
    const visit = (key: string): void => {
      if (found.has(key) || isStopped(key)) return;
      found.add(key);
      for (const next of [...(manifest[key]?.imports ?? []), ...(manifest[key]?.dynamicImports ?? [])]) visit(next);
    };
    starts.forEach(visit);
    return found;
  };
  const ofVisitors = reached(['index.html', 'src/early.ts'], (key) => key === DESK);
  const ofDesk = [...reached([DESK], (key) => ofVisitors.has(key))];
  expect(ofDesk).toEqual(expect.arrayContaining([DESK, '../texts/hi.po?part=desk']));
  // Only the frame of all pages knows the desk, and it loads it when its address is opened.
  const importers = Object.keys(manifest).filter((key) => manifest[key]?.dynamicImports?.includes(DESK));
  expect(importers).toEqual(['index.html']);
  expect(Object.values(manifest).filter(({ imports }) => imports?.includes(DESK))).toEqual([]);

  const files = ofDesk.flatMap((key) => [manifest[key]?.file ?? key, ...(manifest[key]?.css ?? [])]);
  const worker = readFileSync(join(app, 'sw.js'), 'utf8');
  expect(worker).toContain(manifest['index.html']?.file);
  expect(files.filter((file) => worker.includes(file))).toEqual([]);
  for (const page of ['/', '/tenders', '/tenders/results', '/tenders/1', '/status', '/dashboard'])
    expect(screenFilesOf(page).filter((file) => files.includes(file.slice(1)))).toEqual([]);
});

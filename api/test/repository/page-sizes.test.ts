import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readScreenFiles } from '../../src/pages/screen-files.ts';

const app = join(import.meta.dirname, '../../../pwa/dist');
const screenFilesOf = await readScreenFiles(app);

/** Bytes of a page's scripts and styles beside the app's own, as they are sent. */
const bytesOf = (page: string) =>
  screenFilesOf(page).reduce((bytes, file) => bytes + readFileSync(join(app, `${file}.br`)).length, 0);

describe('the code of a first screen stays small, compressed', () => {
  test.each([
    ['/tenders', 90_000],
    ['/tenders/results', 101_500],
    ['/tenders/1', 108_500],
    ['/contact', 47_000],
    ['/pricing', 55_000],
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

import { expect, test } from 'vitest';
import { readFilePath } from './read-dropped.ts';

test('the tender of a file is the id that its name begins with, or the name of its folder', () => {
  expect(
    [
      '2026_PWD_1_1/Notice.pdf',
      'tenders/2026_PWD_1_1/BOQ_7.xls',
      '2026_PWD_1_1 Notice.pdf',
      '2026_PWD_1_1.pdf',
      'Notice.pdf',
    ].map(readFilePath),
  ).toEqual([
    { tender: '2026_PWD_1_1', name: 'Notice.pdf' },
    { tender: '2026_PWD_1_1', name: 'BOQ_7.xls' },
    { tender: '2026_PWD_1_1', name: 'Notice.pdf' },
    { tender: '2026_PWD_1_1', name: '2026_PWD_1_1.pdf' },
    undefined,
  ]);
});

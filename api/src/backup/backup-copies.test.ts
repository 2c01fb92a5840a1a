import { expect, test } from 'vitest';
import { expiredBackups } from './backup-copies.ts';

const NOW = new Date('2026-11-23T21:00:00Z');
const nightly = (date: string, suffix = 'zip') => `nivida-${date}T203000Z.${suffix}`;
const RULE = { days: 14, months: 12 };

test('backups of the last days and the first of each month are retained', () => {
  const names = [
    '2025-10-01',
    '2025-12-01',
    '2025-12-02',
    '2026-10-30',
    '2026-10-31',
    '2026-11-09',
    '2026-11-10',
    '2026-11-23',
  ];
  expect(
    expiredBackups(
      names.map((date) => nightly(date)),
      RULE,
      NOW,
    ),
  ).toEqual([nightly('2025-10-01'), nightly('2025-12-02'), nightly('2026-10-31')]);
});

test('without months only the days count, and encrypted backups follow the same rule', () => {
  const names = [nightly('2026-11-01', 'zip.age'), nightly('2026-11-23', 'zip.age')];
  expect(expiredBackups(names, { days: 14, months: 0 }, NOW)).toEqual([nightly('2026-11-01', 'zip.age')]);
});

test('the newest backup stays however old it is, and files with other names are left alone', () => {
  const names = [nightly('2020-01-01'), nightly('2020-01-02'), 'notes.txt', 'nivida-before-update.zip'];
  expect(expiredBackups(names, RULE, NOW)).toEqual([nightly('2020-01-01')]);
});

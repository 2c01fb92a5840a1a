import { expect, test } from 'vitest';
import { exportFileName } from './export.ts';

test('the file of an account export is named after the Indian day', () => {
  expect(exportFileName('json', new Date('2026-11-20T19:00:00Z'))).toBe('nivida-my-data-2026-11-21.json');
  expect(exportFileName('csv', new Date('2026-11-20T18:00:00Z'))).toBe('nivida-my-data-2026-11-20.csv');
});

import { expect, test } from 'vitest';
import { exportName } from './export.ts';

test('a file of one’s data is named after the Indian day', () => {
  expect(exportName('json', new Date('2026-11-20T19:00:00Z'))).toBe('nivida-my-data-2026-11-21.json');
  expect(exportName('csv', new Date('2026-11-20T18:00:00Z'))).toBe('nivida-my-data-2026-11-20.csv');
});

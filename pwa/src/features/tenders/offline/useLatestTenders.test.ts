// @vitest-environment node
import { expect, test } from 'vitest';
import { latestTendersQuery } from './useLatestTenders.ts';

test('the latest tenders of several districts and departments are one request', () => {
  expect(latestTendersQuery({ state: 'Assam', districts: ['Dibrugarh'], departments: ['PWD', 'Health'] }, 5)).toBe(
    'state=Assam&district=Dibrugarh&department=Health&department=PWD&sort=published_date&limit=5',
  );
});

test('more departments than a list can have are all departments of the state', () => {
  const departments = Array.from({ length: 21 }, (_, at) => `Department ${at}`);
  expect(latestTendersQuery({ state: 'Assam', districts: [], departments }, 5)).toBe(
    'state=Assam&sort=published_date&limit=5',
  );
});

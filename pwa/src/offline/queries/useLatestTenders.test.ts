// @vitest-environment node
import { expect, test } from 'vitest';
import { areaPath, latestTendersQuery } from './useLatestTenders.ts';

test('the latest tenders of several districts and departments are one request', () => {
  expect(latestTendersQuery({ state: 'Assam', districts: ['Dibrugarh'], departments: ['PWD', 'Health'] }, 5)).toBe(
    'state=Assam&district=Dibrugarh&department=Health&department=PWD&sort=published_date&limit=5',
  );
});

test('as many departments as a list can have are all asked for, and link to the same results', () => {
  const departments = Array.from({ length: 20 }, (_, at) => `Department ${at}`);
  const area = { state: 'Assam', districts: [], departments };
  const asked = new URLSearchParams(latestTendersQuery(area, 5));
  expect(asked.getAll('department').toSorted()).toEqual(departments.toSorted());
  const [path, query] = areaPath(area).split('?');
  expect(path).toBe('/tenders/results');
  expect(new URLSearchParams(query).getAll('department')).toEqual(asked.getAll('department'));
});

test('more departments than a list can have are all departments of the state', () => {
  const departments = Array.from({ length: 21 }, (_, at) => `Department ${at}`);
  expect(latestTendersQuery({ state: 'Assam', districts: [], departments }, 5)).toBe(
    'state=Assam&sort=published_date&limit=5',
  );
});

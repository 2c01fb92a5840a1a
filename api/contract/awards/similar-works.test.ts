import { expect, test } from 'vitest';
import { findSimilarWorks } from './similar-works.ts';

const FILLER = Array.from({ length: 30 }, (_, n) => ({
  title: `Construction of footpath number ${n} near village panchayat`,
  estimate: 1_000_000,
  knownOn: '2025-01-01',
}));
const work = (title: string, estimate = 1_000_000) => ({ title, estimate, knownOn: '2025-03-01' });
const likenessOf = (title: string, ...past: string[]) =>
  findSimilarWorks({ title, estimate: 1_000_000 }, [...past.map((each) => work(each)), ...FILLER]).map(
    ({ likeness }) => likeness,
  );

test.each<[string, string, string[]]>([
  ['Repair of Kasauli Garkhal road Km 0/00 to 4/00', 'Repair of Kasauli Garkhal road km 0.0 to 4.0', ['let-before']],
  ['Annual repair of Rampur sewerage 2025-26', 'Annual repair of Rampur sewerage 2023-24', ['let-before']],
  ['Annual repair of Rampur sewerage 25-26', 'Annual repair of Rampur sewerage for the year 2023-24', ['let-before']],
  ['Capacity of Maijan wetland, Package 1', 'Capacity of Maijan wetland, Package 3', ['related']],
  ['Flood fighting material, geo textile (Zone-A)', 'Flood fighting material, geo textile (Zone-G)', ['related']],
  ['Embankment of river Pokoria Phase IV', 'Embankment of river Pokoria Phase II', ['related']],
  ['Repair of Kasauli Garkhal road, wall at RD 0/180', 'Repair of Kasauli Garkhal road, wall at RD 4/830', ['related']],
  ['HPSEBL/TED/NIT-74/2025-26', 'HPSEBL/TED/NIT-54/2023-24', []],
  ['HPSEBL/BED/DB-Tender JOB No.42/25-26', 'HPSEBL/BED/DB-Tender JOB.44', []],
  ['BMCTRD/NDRF/2025-26/BAR-09', 'BMCTRD/NDRF/2025-26/BAR-07', []],
  ['Package No. DSLT-Div-V/7', 'Package No. DSLT-Div-V/14', []],
])('%s and %s: %j', (title, past, expected) => {
  expect(likenessOf(title, past)).toEqual(expected);
});

test('a work of another size is not similar', () => {
  const title = 'Repair of Kasauli Garkhal road';
  expect(findSimilarWorks({ title, estimate: 1_000_000 }, [work(title, 4_000_001), ...FILLER])).toEqual([]);
  expect(findSimilarWorks({ title, estimate: null }, [work(title), ...FILLER])).toEqual([]);
});

test('a title that more than three works have names none of them', () => {
  const title = 'Construction of hostels at colleges';
  expect(likenessOf(title, title, title, title)).toEqual(['let-before', 'let-before', 'let-before']);
  expect(likenessOf(title, title, title, title, title)).toEqual(['related', 'related', 'related', 'related']);
});

import { expect, test } from 'vitest';
import { suggestPlaces, suggestWorks } from './suggest-works.ts';

test.each([
  ['retain', 'retaining wall'],
  ['dang', 'retaining wall'],
  ['street l', 'street light'],
  ['chardi', 'boundary wall'],
  ['पुश्ता', 'retaining wall'],
])('%s begins the work %s', (typed, work) => {
  expect(suggestWorks(typed, 5)).toContain(work);
});

test('places are suggested by their listed names, works are not places', () => {
  expect(suggestPlaces('man', 3)).toContain('Mandi');
  expect(suggestPlaces('himachal', 3)).toEqual(['Himachal Pradesh']);
  expect(suggestWorks('himachal', 5)).not.toContain('himachal pradesh');
});

test('one letter and no text suggest nothing', () => {
  expect([suggestWorks('r', 5), suggestPlaces('', 5), suggestWorks(' / ', 5)]).toEqual([[], [], []]);
});

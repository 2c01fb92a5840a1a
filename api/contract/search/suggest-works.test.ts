import { expect, test } from 'vitest';
import { suggestDepartments, suggestPlaces, suggestWords, suggestWorks } from './suggest-works.ts';

test.each([
  ['retain', 'retaining wall'],
  ['dang', 'retaining wall'],
  ['street l', 'street light'],
  ['chardi', 'boundary wall'],
  ['पुश्ता', 'retaining wall'],
  ['सड़', 'सड़क'],
  ['school', 'primary school'],
])('%s begins the work %s', (typed, work) => {
  expect(suggestWorks(typed, 5)).toContain(work);
});

test('works with the text in their name come before those with another spelling of it', () => {
  expect(suggestWorks('road', 5)).toEqual(['road safety', 'roadside drain', 'cc road', 'link road', 'village road']);
  expect(suggestWorks('light', 3)).toEqual(['flood light', 'street light', 'high mast']);
});

test('works that start with the text come before those with it in a later word, and the typed one is left out', () => {
  expect(suggestWorks('pump', 4)).toEqual(['pump set', 'pump house', 'pumping machinery', 'hand pump']);
  expect(suggestWorks('नाली', 5)).not.toContain('नाली');
  expect(suggestWorks('etaining', 5)).toEqual([]);
});

test('places are suggested by their listed names, works are not places', () => {
  expect(suggestPlaces('man', 3)[0]).toBe('Mandi');
  expect(suggestPlaces('himachal', 3)).toEqual(['Himachal Pradesh']);
  expect(suggestWorks('himachal', 5)).not.toContain('himachal pradesh');
});

test('places are those of the state, when there is one', () => {
  expect(suggestPlaces('ham', 5, 'Himachal Pradesh')).toEqual(['Hamirpur']);
  expect(suggestPlaces('man', 5, 'Assam')).toEqual([]);
});

test('departments are suggested by a word of the name or by their abbreviation, those of most states first', () => {
  expect(suggestDepartments('public', 2)).toEqual(['Public Works Department', 'Public Health Engineering Department']);
  expect(suggestDepartments('engineering', 5, 'Assam')).toEqual(['Public Health Engineering']);
  expect(suggestDepartments('phed', 5, 'Assam')).toEqual(['Public Health Engineering']);
  expect([suggestDepartments('p', 5), suggestDepartments('ublic', 5)]).toEqual([[], []]);
});

test('the last word is completed to words that tenders often have', () => {
  expect(suggestWords('bri', 3)).toContain('bridge');
  expect(suggestWords('repair of bri', 1)).toEqual(['repair of bridge']);
  expect([suggestWords('repair ', 3), suggestWords('b', 3), suggestWords('2026_pw', 3)]).toEqual([[], [], []]);
});

test('no more are suggested than are wanted: names that tenders often have, shortest works, departments of most states', () => {
  expect(suggestPlaces('ma', 6)).toEqual([
    ...['Mandi', 'Majuli', 'Madhya Pradesh', 'Markapuram', 'Madhepura', 'Madhubani'],
  ]);
  expect(suggestPlaces('ma', 2)).toEqual(['Mandi', 'Majuli']);
  // a district of two states is one name
  expect(suggestPlaces('hamirpur', 5)).toEqual(['Hamirpur']);
  expect([suggestPlaces('ham', 5, 'Uttar Pradesh'), suggestPlaces('assam', 3, 'Assam')]).toEqual([
    ['Hamirpur'],
    ['Assam'],
  ]);
  expect(suggestWorks('wall', 4)).toEqual(['toe wall', 'wing wall', 'breast wall', 'boundary wall']);
  expect(suggestWorks(' retaining wall ', 6)).toEqual([]);
  expect(suggestDepartments('pwd', 3)).toEqual(['Public Works Department', 'PWD (B&R)', 'Public Works (R&B)']);
  expect(suggestDepartments('electricity', 3)).toEqual([
    ...['Electricity Department', 'Department of Power', 'Assam Electricity Grid Corporation'],
  ]);
  expect(suggestDepartments('health', 2, 'Assam')).toEqual(['Health and Family Welfare', 'National Health Mission']);
});

test('words are completed to longer words of letters, most frequent first, in the case of the others as typed', () => {
  expect(suggestWords('con', 5)).toEqual(['construction', 'concrete', 'const', 'connecting', 'conservator']);
  expect(suggestWords('Repair of ROA', 2)).toEqual(['Repair of road']);
  expect(suggestWords('road', 5)).toEqual([]);
  expect(suggestWords('br', 2)).toEqual(['bridge', 'breast']);
});

test('one letter and no text suggest nothing', () => {
  expect([suggestWorks('r', 5), suggestPlaces('', 5), suggestWorks(' / ', 5)]).toEqual([[], [], []]);
});

// @vitest-environment node
import { addTexts, inLanguage } from '@nivida/contract/i18n';
import { expect, test } from 'vitest';
import { inOrderOf, placeChoices, visibleChoices } from './place-choices.ts';

const LISTED = ['Chamba', 'Kullu', 'Mandi', 'Una'];
const COUNTS = { Mandi: 9, Kullu: 12, 'Lahaul and Spiti': 9 };
const names = (choices: { name: string }[]) => choices.map(({ name }) => name);

test('those with most tenders come first, of equal numbers by name', () => {
  expect(placeChoices(LISTED, COUNTS, [])).toEqual([
    { name: 'Kullu', tenders: 12 },
    { name: 'Lahaul and Spiti', tenders: 9 },
    { name: 'Mandi', tenders: 9 },
    { name: 'Chamba', tenders: 0 },
    { name: 'Una', tenders: 0 },
  ]);
});

test('before they are counted all are offered by name, the chosen ones included', () => {
  const choices = placeChoices(LISTED, undefined, ['Harbour Trust']);
  expect(names(visibleChoices(choices, [], '', false))).toEqual(['Chamba', 'Harbour Trust', 'Kullu', 'Mandi', 'Una']);
});

test('those without tenders are hidden until all are shown, except chosen ones', () => {
  const choices = placeChoices(LISTED, COUNTS, ['Una']);
  expect(names(visibleChoices(choices, ['Una'], '', false))).toEqual(['Kullu', 'Lahaul and Spiti', 'Mandi', 'Una']);
  expect(visibleChoices(choices, [], '', true)).toHaveLength(5);
});

test.each([
  ['an', ['Lahaul and Spiti', 'Mandi']],
  [' CHAM', ['Chamba']],
  ['xyz', []],
])('the typed text "%s" finds %j, also without tenders', (typed, expected) => {
  expect(names(visibleChoices(placeChoices(LISTED, COUNTS, []), [], typed, false))).toEqual(expected);
});

test('in another language they are sorted and found by the name that is shown, and by the listed one', () => {
  addTexts('hi', { Chamba: ['चंबा'], Kullu: ['कुल्लू'], Mandi: ['मंडी'], Una: ['ऊना'] });
  inLanguage('hi', () => {
    const choices = placeChoices(LISTED, undefined, []);
    expect(names(choices)).toEqual(['Una', 'Kullu', 'Chamba', 'Mandi']);
    for (const typed of ['मंडी', 'mand']) expect(names(visibleChoices(choices, [], typed, false))).toEqual(['Mandi']);
  });
});

test('an open list keeps its rows in their order when their numbers change; new ones come last', () => {
  const first = ['Kullu', 'Lahaul and Spiti', 'Mandi'];
  const choices = inOrderOf(placeChoices([...LISTED, 'Lahaul and Spiti'], { Mandi: 30, Kullu: 2, Una: 7 }, []), first);
  expect(visibleChoices(choices, first, '', false)).toEqual([
    { name: 'Kullu', tenders: 2 },
    { name: 'Lahaul and Spiti', tenders: 0 },
    { name: 'Mandi', tenders: 30 },
    { name: 'Una', tenders: 7 },
  ]);
});

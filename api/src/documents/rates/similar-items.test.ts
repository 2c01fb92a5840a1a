import { expect, test } from 'vitest';
import { similarItems } from './similar-items.ts';

const item = (text: string, normalUnit = 'cum') => ({ text, normalUnit });
const SCHEDULE = [
  item('Earth work in excavation in foundation trenches in ordinary soil'),
  item('Earth work in excavation in foundation trenches in hard rock'),
  item('Earth work in excavation over areas in hard rock requiring blasting'),
  item('Earth work in excavation in foundation trenches in hard rock', 'sqm'),
  item('Providing and laying cement concrete 1:3:6 in foundation'),
  item('Providing and laying cement concrete 1:4:8 in foundation'),
  item('Dry stone masonry in retaining walls'),
];
const similar = similarItems(SCHEDULE);
const textsOf = (text: string, unit = 'cum', most = 3) => similar(item(text, unit), most).map((each) => each.text);

test('the item with the most common words is first, and common words alone are no resemblance', () => {
  expect(textsOf('Earth work in excavation in foundation trenches, hard rock', 'cum', 1)).toEqual([SCHEDULE[1]?.text]);
  expect(textsOf('Providing and fixing of steel doors in frames')).toEqual([]);
});

test('a number such as a mix decides between items that are else equal', () => {
  expect(textsOf('Cement concrete 1:4:8 in foundation')[0]).toBe(SCHEDULE[5]?.text);
  expect(textsOf('Cement concrete 1:3:6 in foundation')[0]).toBe(SCHEDULE[4]?.text);
});

test('an item of another unit is never one', () => {
  expect(textsOf('Earth work in excavation in foundation trenches in hard rock', 'sqm')).toHaveLength(1);
  expect(textsOf('Earth work in excavation in foundation trenches in hard rock', 'm')).toEqual([]);
});

test('no more than the asked number', () => {
  expect(textsOf('Earth work in excavation in foundation trenches in hard rock', 'cum', 2)).toHaveLength(2);
});

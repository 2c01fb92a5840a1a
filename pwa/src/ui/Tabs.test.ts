// @vitest-environment node
import { expect, test } from 'vitest';
import { tabIndexForKey } from './Tabs.tsx';

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowRight', 2, 0],
  ['ArrowLeft', 0, 2],
  ['ArrowLeft', 2, 1],
  ['Home', 2, 0],
  ['End', 0, 2],
])('%s on tab %i of three leads to tab %i', (key, from, to) => {
  expect(tabIndexForKey(key, from, 3)).toBe(to);
});

test('other keys leave the tab unchanged', () => {
  expect(tabIndexForKey('a', 1, 3)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { normaliseTypedMobile } from './mobile-number.ts';

test.each([
  ['9876543210', '9876543210'],
  ['98765 43210', '9876543210'],
  ['+91 98765 43210', '9876543210'],
  ['+91-98765-43210', '9876543210'],
  ['919876543210', '9876543210'],
  ['09876543210', '9876543210'],
  // the digits of an incomplete number stay
  ['91987', '91987'],
  ['+91987', '987'],
  ['9198765432', '9198765432'],
  ['98765432109', '9876543210'],
  ['98160411223344', '9816041122'],
  ['+9191234 56789', '9123456789'],
  ['98765-4321a', '987654321'],
  ['abc', ''],
  ['+65 9876 543210', '+659876543'],
])('the number typed or pasted as "%s" becomes "%s"', (typed, number) => {
  expect(normaliseTypedMobile(typed)).toBe(number);
});

test('a longer maximum shows a surplus digit', () => {
  expect(normaliseTypedMobile('987654321011', 11)).toBe('98765432101');
});

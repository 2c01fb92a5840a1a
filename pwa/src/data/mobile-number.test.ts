import { expect, test } from 'vitest';
import { normaliseTypedMobile } from './mobile-number.ts';

test.each([
  ['9876543210', '9876543210'],
  ['98765 43210', '9876543210'],
  ['+91 98765 43210', '9876543210'],
  ['+91-98765-43210', '9876543210'],
  ['919876543210', '9876543210'],
  ['09876543210', '9876543210'],
  // on the way to a whole number nothing is taken away
  ['91987', '91987'],
  ['+91987', '987'],
  ['9198765432', '9198765432'],
  ['98765432109', '9876543210'],
])('the number typed or pasted as "%s" becomes "%s"', (typed, number) => {
  expect(normaliseTypedMobile(typed)).toBe(number);
});

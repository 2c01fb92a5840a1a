import { expect, test } from 'vitest';
import { receiptFileName } from './orders.ts';

test.each([
  ['TN/26-27/0000001', 'nivida-TN-26-27-0000001.pdf'],
  ['TEST/26-27/0000012', 'nivida-TEST-26-27-0000012.pdf'],
])('the receipt %s is saved as %s', (number, name) => {
  expect(receiptFileName(number)).toBe(name);
});

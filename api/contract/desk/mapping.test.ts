import { expect, test } from 'vitest';
import { unitOfColumn } from './mapping.ts';

test.each([
  ['Estimated cost (Rs. in Lakh)', 'lakh'],
  ['value_in_lacs', 'lakh'],
  ['AmountInLakhs', 'lakh'],
  ['अनुमानित लागत (लाख में)', 'lakh'],
  ['Project cost in Cr.', 'crore'],
  ['लागत करोड़ में', 'crore'],
  ["Value (Rs. '000)", 'thousand'],
  ['Cost, ₹ thousands', 'thousand'],
  ['Tender Value in ₹', 'rupee'],
  ['Across the river', 'rupee'],
])('the amounts of “%s” are in %ss', (column, unit) => {
  expect(unitOfColumn(column)).toBe(unit);
});

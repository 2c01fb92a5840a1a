import { describe, expect, test } from 'vitest';
import { maskPeople } from './mask-people.ts';

describe('a text of a document', () => {
  test.each([
    ['contact the engineer, mobile 9800000001.', 'contact the engineer, mobile ••••••••••.'],
    ['Mob-98000-00001/94000 00002, +91-9800000003', 'Mob-••••••••••/••••••••••, ••••••••••'],
    ['Ph. 09800000001,9800000002', 'Ph. ••••••••••,••••••••••'],
    ['मोबाइल ९८०००००००१', 'मोबाइल ••••••••••'],
    ['mail to first.last@example.com or first[at]example[dot]com', 'mail to •@example.com or •[at]example[dot]com'],
  ])('does not show a number or an address of a person: %s', (text, shown) => {
    expect(maskPeople(text)).toBe(shown);
  });

  test.each([
    'Rs. 9800000001 and ₹ 9800000001, in words as below',
    '9800000001/- or 9800000001.00',
    'to account No. 9800000001',
    '2026_PWD_9800000001234',
    'Office 01700-000001, ee-works@example.gov.in, works[at]example[dot]nic[dot]in',
  ])('keeps amounts, accounts and offices: %s', (text) => {
    expect(maskPeople(text)).toBe(text);
  });

  test('of a million letters without a space is masked as a short one is', () => {
    const long = `${'a.'.repeat(500_000)} 9800000001`;
    expect(maskPeople(long)).toBe(`${'a.'.repeat(500_000)} ••••••••••`);
  });
});

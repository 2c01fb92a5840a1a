import { describe, expect, test } from 'vitest';
import { addTexts, inLanguage } from '../i18n.ts';
import { isOfficeId } from './awards.ts';
import { departmentKey, officeKind, officeLabel, officeName, officeOf, shownOfficeName } from './office.ts';

describe('the office of a tender', () => {
  test.each([
    [['PWD', 'Central Zone', 'Kullu Division'], '171001', 'PWD||Central Zone||Kullu Division', null],
    [['PWD'], '171001', 'PWD||pin:171001', '171001'],
    [['PWD'], null, 'PWD||pin:', null],
  ])('of %j at PIN code %s is %s', (organisationChain, pincode, key, ofPincode) => {
    expect(officeOf({ organisationChain, pincode })).toEqual({ key, department: 'PWD', pincode: ofPincode });
  });

  test('is unknown without an organisation', () => {
    expect(officeOf({ organisationChain: [], pincode: '171001' })).toBeNull();
  });
});

test.each([
  ['PWD||Central Zone||Kullu Division', 'chain', 'Kullu Division', 'Kullu Division'],
  ['PWD||pin:171001', 'pin', 'PIN 171001', 'PWD, PIN 171001'],
  ['PWD||pin:', 'pin', 'PIN not published', 'PWD, PIN not published'],
  ['PWD||', 'department', 'PWD', 'PWD'],
])('the office %s is a %s with the name %s, elsewhere %s', (key, kind, name, label) => {
  expect(officeKind(key)).toBe(kind);
  expect(officeName(key)).toBe(name);
  expect(officeLabel({ kind, name, department: 'PWD' })).toBe(label);
});

test('an office without a PIN code is named in the language of the app', () => {
  addTexts('hi', { 'PIN not published': ['PIN प्रकाशित नहीं'], PWD: ['x'] });
  const unnamed = { kind: 'pin', name: 'PIN not published', department: 'PWD' };
  expect(inLanguage('hi', () => officeLabel(unnamed))).toBe('PWD, PIN प्रकाशित नहीं');
  expect(inLanguage('hi', () => shownOfficeName({ kind: 'chain', name: 'PWD' }))).toBe('PWD');
});

test('the key of a department is that of no office', () => {
  expect(departmentKey('PWD')).toBe('PWD||');
  expect(officeOf({ organisationChain: ['PWD'], pincode: null })?.key).not.toBe(departmentKey('PWD'));
});

test.each([
  ['0123456789ab', true],
  ['0123456789a', false],
  ['0123456789abc', false],
  ['0123456789AB', false],
  ['0123456789ag', false],
  ['0123456789ab\n', false],
  ['', false],
])('%j can be the id of an office: %s', (id, isId) => {
  expect(isOfficeId(id)).toBe(isId);
});

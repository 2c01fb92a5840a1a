import { expect, test } from 'vitest';
import { isCompanyName, nameHash, nameKey } from './name-hash.ts';

test.each([
  ['M/s. Asha Builders (P) Private Limited', 'ASHA BUILDERS P PVT LTD'],
  ['Shri Ram Lal', 'ram lal'],
  ['Messrs Verma & Company', 'VERMA CO'],
  ['Er. Verma Enterprises', 'Verma Enterprise'],
  ['Sharma Constructions', 'SHARMA CONST.'],
  ['श्री निर्माण', 'श्री  निर्माण'],
])('%s and %s are the same name', (one, other) => {
  expect(nameKey(one)).toBe(nameKey(other));
  expect(nameHash(one)).toBe(nameHash(other));
  expect(nameHash(one)).toMatch(/^[\da-f]{32}$/);
});

test.each([
  ['Ram Lal', 'Sham Lal'],
  ['Drona Builders', 'Ona Builders'],
  ['Verma Cooperative', 'Verma Co Operative Ltd'],
])('%s and %s are different names', (one, other) => {
  expect(nameHash(one)).not.toBe(nameHash(other));
});

test.each(['M/s', 'Messrs', 'Mr', 'Mrs.', 'Ms', 'Shri', 'Sri', 'Smt.', 'Sh.', 'Dr', 'Er.'])(
  'the title %s is no part of a name',
  (title) => {
    expect(nameKey(`${title} Asha Verma`)).toBe('ASHAVERMA');
  },
);

test.each([
  ['Pvt', 'Private'],
  ['Ltd.', 'Limited'],
  ['Co.', 'Company'],
  ['Enterprise', 'Enterprises'],
  ['Const.', 'Construction'],
  ['Construction', 'Constructions'],
])('%s and %s in a name are the same', (one, other) => {
  expect(nameKey(`Verma ${one}`)).toBe(nameKey(`Verma ${other}`));
});

test.each([
  'Pvt',
  'Private',
  'Ltd',
  'Limited',
  'LLP',
  'Society',
  'Corporation',
  'Federation',
  'Cooperative',
  'Co-operative',
])('a name with %s is that of a company', (word) => {
  expect([isCompanyName(`Verma ${word}`), isCompanyName(`Verma${word} Builders`)]).toEqual([true, false]);
});

test.each([
  ['Asha Builders Pvt. Ltd.', true],
  ['Asha Builders LIMITED', true],
  ['Verma Infra LLP', true],
  ['The Kinnaur Labour Society', true],
  ['HP State Forest Corporation', true],
  ['Milk Co-operative Federation', true],
  ['Ram Lal', false],
  ['Asha Builders', false],
  ['Mr. Sultd Ram', false],
  ['', false],
])('%s is the name of a company: %s', (name, isCompany) => {
  expect(isCompanyName(name)).toBe(isCompany);
});

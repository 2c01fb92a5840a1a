import { describe, expect, test } from 'vitest';
import { STATES } from '../regions/states.ts';
import { gstStateCode, isGstin, stateOfGstin } from './gst.ts';

const VALID = [
  '02AAACB1234C1ZR',
  '03ABCDE1234F1ZA',
  '27AAPFU0939F1ZV',
  '07AAGCM1234K2ZI',
  '37AADCB2230M1ZS',
  '02ABCDE1088F1Z0',
];

describe('a GSTIN', () => {
  test.each(VALID)('%s is valid, and with any other check digit it is not', (gstin) => {
    expect(isGstin(gstin)).toBe(true);
    const others = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((digit) => digit !== gstin.at(-1));
    expect(others.filter((digit) => isGstin(gstin.slice(0, -1) + digit))).toEqual([]);
  });

  test.each(VALID)('%s with one wrong digit of the number is invalid', (gstin) => {
    for (const place of [0, 1, 7, 8, 9, 10])
      for (const digit of '0123456789')
        if (digit !== gstin[place]) expect(isGstin(gstin.slice(0, place) + digit + gstin.slice(place + 1))).toBe(false);
  });

  test.each([
    ['in small letters', '02aaacb1234c1zr'],
    ['with a space before it', ' 02AAACB1234C1ZR'],
    ['with a character after it', '02AAACB1234C1ZR1'],
    ['without its last character', '02AAACB1234C1Z'],
    ['with a letter in the code of the State', 'A2AAACB1234C1ZR'],
    ['with entity 0', '02AAACB1234C0ZS'],
    ['without the Z', '02AAACB1234C1YT'],
    ['that is empty', ''],
  ])('%s is invalid', (_how, text) => {
    expect(isGstin(text)).toBe(false);
  });

  test.each([
    ['02AAACB1234C1ZR', 'Himachal Pradesh'],
    ['27AAPFU0939F1ZV', 'Maharashtra'],
    ['37AADCB2230M1ZS', 'Andhra Pradesh'],
    // The code of a union territory that is part of another one since 2020.
    ['25AAACB1234C1ZJ', undefined],
    ['99AAACB1234C1ZR', undefined],
  ])('%s belongs to %s', (gstin, state) => {
    expect(stateOfGstin(gstin)).toBe(state);
  });
});

test('each State has the code of the GST law, any other name none', () => {
  const codes = STATES.map(({ name }) => `${gstStateCode(name)} ${name}`).toSorted();
  expect(codes).toEqual([
    '01 Jammu and Kashmir',
    '02 Himachal Pradesh',
    '03 Punjab',
    '04 Chandigarh',
    '05 Uttarakhand',
    '06 Haryana',
    '07 Delhi',
    '08 Rajasthan',
    '09 Uttar Pradesh',
    '10 Bihar',
    '11 Sikkim',
    '12 Arunachal Pradesh',
    '13 Nagaland',
    '14 Manipur',
    '15 Mizoram',
    '16 Tripura',
    '17 Meghalaya',
    '18 Assam',
    '19 West Bengal',
    '20 Jharkhand',
    '21 Odisha',
    '22 Chhattisgarh',
    '23 Madhya Pradesh',
    '24 Gujarat',
    '26 Dadra and Nagar Haveli and Daman and Diu',
    '27 Maharashtra',
    '29 Karnataka',
    '30 Goa',
    '31 Lakshadweep',
    '32 Kerala',
    '33 Tamil Nadu',
    '34 Puducherry',
    '35 Andaman and Nicobar Islands',
    '36 Telangana',
    '37 Andhra Pradesh',
    '38 Ladakh',
  ]);
  for (const code of codes) expect(stateOfGstin(`${code.slice(0, 2)}AAACB1234C1Z0`)).toBe(code.slice(3));
  expect(['himachal pradesh', ''].map(gstStateCode)).toEqual([undefined, undefined]);
});

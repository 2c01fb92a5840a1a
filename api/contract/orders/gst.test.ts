import { describe, expect, test } from 'vitest';
import { STATES } from '../regions/states.ts';
import { compactGstin, gstinError, gstinKind, gstStateCode, stateOfGstin } from './gst.ts';

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
    expect([gstinKind(gstin), gstinError(gstin)]).toEqual(['regular', undefined]);
    const others = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((digit) => digit !== gstin.at(-1));
    expect(others.filter((digit) => gstinKind(gstin.slice(0, -1) + digit))).toEqual([]);
  });

  test.each(VALID)('%s with one wrong digit of the number is invalid', (gstin) => {
    for (const place of [0, 1, 7, 8, 9, 10])
      for (const digit of '0123456789')
        if (digit !== gstin[place])
          expect(gstinKind(gstin.slice(0, place) + digit + gstin.slice(place + 1))).toBeUndefined();
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
    expect(gstinKind(text)).toBeUndefined();
    expect(gstinError(text)).toBe('Please enter a valid 15-character GSTIN');
  });

  test.each([
    ['0717UNO00157UNO', 'uin', undefined],
    ['0717EMB00021ON6', 'uin', undefined],
    ['02AAACB1234C1A6', 'regular', undefined],
    [
      '02AAACB1234C1D0',
      'tds',
      'This GSTIN is for deducting tax (TDS), a tax invoice cannot carry it. Enter the GSTIN under which the firm buys, or leave it empty',
    ],
    [
      '02SMLB01234C1DV',
      'tds',
      'This GSTIN is for deducting tax (TDS), a tax invoice cannot carry it. Enter the GSTIN under which the firm buys, or leave it empty',
    ],
    [
      '02AAACB1234C1C2',
      'tcs',
      'This GSTIN is for collecting tax (TCS), a tax invoice cannot carry it. Enter the GSTIN under which the firm buys, or leave it empty',
    ],
    [
      '0219USA00012NRD',
      'nrtp',
      'This GSTIN is of a non-resident taxable person, our tax invoice cannot carry it. Enter the GSTIN under which the firm buys, or leave it empty',
    ],
    [
      '9717USA00012NRY',
      'nrtp',
      'This GSTIN is of a non-resident taxable person, our tax invoice cannot carry it. Enter the GSTIN under which the firm buys, or leave it empty',
    ],
    [
      '9917USA00012OSR',
      'oidar',
      'This GSTIN is of an online service from outside India (OIDAR), a tax invoice cannot carry it. Enter the GSTIN under which the firm buys, or leave it empty',
    ],
    ['25AAACB1234C1ZJ', 'regular', 'Code 25 (Daman and Diu) ended in 2020: enter the GSTIN that begins with 26'],
    [
      '28AAACB1234C1ZD',
      'regular',
      'Code 28 (Andhra Pradesh before 2014) is not in use: enter the GSTIN that begins with 37, or 36 for Telangana',
    ],
    [
      '97AAACB1234C1Z8',
      'regular',
      'Code 97 is for places outside every State (other territory), our tax invoice cannot carry it. Leave it empty',
    ],
    [
      '99AAACB1234C1Z4',
      'regular',
      'Code 99 is for firms outside India, our tax invoice cannot carry it. Leave it empty',
    ],
    ['45AAACB1234C1ZH', 'regular', 'No State has the GST code 45'],
    ['00AAACB1234C1ZV', 'regular', 'No State has the GST code 00'],
    ['4517UNO00157UNO', 'uin', 'No State has the GST code 45'],
  ])('%s is of the kind %s; a tax invoice carries it, or says why not', (gstin, kind, error) => {
    expect([gstinKind(gstin), gstinError(gstin)]).toEqual([kind, error]);
    // The check digit counts for every kind.
    const wrong = gstin.slice(0, -1) + (gstin.endsWith('0') ? '1' : '0');
    expect([gstinKind(wrong), gstinError(wrong)]).toEqual([undefined, 'Please enter a valid 15-character GSTIN']);
  });

  test.each([' 02aaacb1234c1zr ', '02 AAACB 1234 C1ZR', '02-AAACB1234C-1ZR', '०२AAACB१२३४C१ZR'])(
    'is read from "%s"',
    (typed) => {
      expect(compactGstin(typed)).toBe('02AAACB1234C1ZR');
    },
  );

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

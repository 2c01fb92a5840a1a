import { describe, expect, test } from 'vitest';
import { InvalidValueError } from '../source-tender.ts';
import {
  cleanText,
  earliest,
  jsonDepth,
  optionalText,
  parseCategory,
  parseCount,
  parseDate,
  parseDesignation,
  parseEstimate,
  parsePincode,
  parseRupees,
  parseYesNo,
  stableKey,
  toClosingInstant,
  truncatedText,
} from './normalise.ts';

function refusal(read: () => unknown): InvalidValueError {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidValueError);
    return error as InvalidValueError;
  }
  throw new Error('not refused');
}

const EMPTY = [
  '',
  ' ',
  '\t',
  'NA',
  'NA ',
  'na',
  'N.A.',
  'n/a',
  'N/A',
  'Nil',
  'NIL',
  'null',
  'None',
  'Not Applicable',
  '-',
  '--',
  '...',
];

describe('money', () => {
  test.each([
    ['5,00,000', '500000.00'],
    ['12,34,56,789.50', '123456789.50'],
    ['1,404,910', '1404910.00'],
    ['INR 1,404,910', '1404910.00'],
    ['INR1,404,910.25', '1404910.25'],
    ['Rs. 500/-', '500.00'],
    ['Rs 500', '500.00'],
    ['rs.500 /-', '500.00'],
    ['₹ 5,00,000', '500000.00'],
    ['5,00,000 INR', '500000.00'],
    ['5,00,000inr', '500000.00'],
    ['RS.5,00,000', '500000.00'],
    ['₹5,00,000/-', '500000.00'],
    ['1,00,00,000', '10000000.00'],
    ['99,000', '99000.00'],
    ['999,999,999', '999999999.00'],
    ['133740', '133740.00'],
    ['133740.5', '133740.50'],
    ['133740.556', '133740.56'],
    ['0', '0.00'],
    ['0.00', '0.00'],
    ['\u00a0500\u200b', '500.00'],
    ['9999999999999', '9999999999999.00'],
    ['5 lakh', '500000.00'],
    ['45.50 Lakh', '4550000.00'],
    ['Rs. 2.75 Lacs', '275000.00'],
    ['₹ 1.2 Cr.', '12000000.00'],
    ['INR 12 Crores only', '120000000.00'],
    ['1,250 Lakhs', '125000000.00'],
    ['50 Thousand', '50000.00'],
    ['Rupees 5,00,000/- only', '500000.00'],
    ['5,00,000/=', '500000.00'],
    ['Free', '0.00'],
    ['Free of cost', '0.00'],
    ['â‚¹ 12,34,567', '1234567.00'],
  ])('%s is %s', (raw, rupees) => {
    expect(parseRupees('Tender Value in ₹', raw)).toBe(rupees);
  });

  test.each(EMPTY)('"%s" is no amount', (raw) => {
    expect(parseRupees('EMD Amount in ₹', raw)).toBeNull();
    expect(parseEstimate('Tender Value in ₹', raw)).toBeNull();
  });

  test.each([
    'five lakh',
    'nan',
    '<NA>',
    'Refer NIT',
    'As per tender document',
    '1.23E+07',
    '5 L',
    '2-3 lakh',
    '1 crore 20 lakh',
    '-500',
    '(500)',
    '12,34',
    '1,2345',
    '1.404.910',
    '1,40,4910',
    '1e5',
    '0x10',
    '500.',
    '500 + GST',
    'USD 500',
    '५००',
  ])('%s is refused', (raw) => {
    const refused = refusal(() => parseRupees('EMD Amount in ₹', raw));
    expect(refused).toMatchObject({ column: 'EMD Amount in ₹', value: raw, message: 'is not an amount in rupees' });
  });

  test.each(['10000000000000', '99,99,99,99,99,99,999', '9'.repeat(400)])('%s is too large for a tender', (raw) => {
    expect(refusal(() => parseRupees('Tender Value in ₹', raw)).message).toBe(
      'is larger than any tender (10 lakh crore)',
    );
  });

  test('an estimate of zero is unknown; an EMD of zero is not required', () => {
    expect(parseEstimate('Tender Value in ₹', '0.00')).toBeNull();
    expect(parseEstimate('Tender Value in ₹', 'Rs. 0/-')).toBeNull();
    expect(parseEstimate('Tender Value in ₹', '0.01')).toBe('0.01');
    expect(parseRupees('EMD Amount in ₹', '0')).toBe('0.00');
  });
});

describe('dates', () => {
  test.each([
    ['17-Sep-2025 09:00 AM', '2025-09-17T03:30:00.000Z'],
    ['17-SEP-2025 9:00 am', '2025-09-17T03:30:00.000Z'],
    ['17-Sep-2025 06:55 PM', '2025-09-17T13:25:00.000Z'],
    ['17-Sep-2025 12:00 AM', '2025-09-16T18:30:00.000Z'],
    ['17-Sep-2025 12:00 PM', '2025-09-17T06:30:00.000Z'],
    ['17-Sep-2025 12:59 AM', '2025-09-16T19:29:00.000Z'],
    ['17-Sep-2025 18:00', '2025-09-17T12:30:00.000Z'],
    ['7 September 2025, 11:00 AM', '2025-09-07T05:30:00.000Z'],
    ['17/09/2025 11:00 AM', '2025-09-17T05:30:00.000Z'],
    ['17.09.2025 11:00', '2025-09-17T05:30:00.000Z'],
    ['17 09 2025 23:59', '2025-09-17T18:29:00.000Z'],
    ['17-Sep-2025 09:00:45 AM', '2025-09-17T03:30:45.000Z'],
    ['17-Sep-2025 01:05PM', '2025-09-17T07:35:00.000Z'],
    ['01-Jan-1990 10:00 AM', '1990-01-01T04:30:00.000Z'],
    ['31-Dec-2100 10:00 AM', '2100-12-31T04:30:00.000Z'],
    ['2025-12-31T23:59:59', '2025-12-31T18:29:59.000Z'],
    ['29-Feb-2028 11:00 AM', '2028-02-29T05:30:00.000Z'],
    ['01-Jan-2026 12:15 AM', '2025-12-31T18:45:00.000Z'],
    ['2025-09-17T11:00', '2025-09-17T05:30:00.000Z'],
    ['2025-09-17 11:00:30', '2025-09-17T05:30:30.000Z'],
    ['2025-09-17T11:00:00Z', '2025-09-17T11:00:00.000Z'],
    ['2025-09-17T11:00:00.250Z', '2025-09-17T11:00:00.250Z'],
    ['2025-09-17T11:00:00+05:30', '2025-09-17T05:30:00.000Z'],
    ['2025-09-17T11:00:00+0530', '2025-09-17T05:30:00.000Z'],
    ['2025-09-17 11:00 -06:00', '2025-09-17T17:00:00.000Z'],
    // The hour as offices write it, where it has one meaning only.
    ['17-Sep-2025 15:00 PM', '2025-09-17T09:30:00.000Z'],
    ['17-Sep-2025 13:00 PM', '2025-09-17T07:30:00.000Z'],
    ['17-Sep-2025 00:30 AM', '2025-09-16T19:00:00.000Z'],
    ['17-Sep-2025 3:00 p.m.', '2025-09-17T09:30:00.000Z'],
    ['17-Sep-2025 03:00 P.M', '2025-09-17T09:30:00.000Z'],
    ['17-Sep-2025 03.00 PM', '2025-09-17T09:30:00.000Z'],
    ['17-Sep-2025 3 PM', '2025-09-17T09:30:00.000Z'],
    ['17-Sep-2025 15.00 hrs', '2025-09-17T09:30:00.000Z'],
    ['17-Sep-2025 1500 Hours', '2025-09-17T09:30:00.000Z'],
    ['17-Sep-2025 12:00 Noon', '2025-09-17T06:30:00.000Z'],
    ['17-Sep-2025 24:00', '2025-09-17T18:30:00.000Z'],
    ['17-Sep-2025 09:00 AM IST', '2025-09-17T03:30:00.000Z'],
    ['17-Sep-2025 09:00 AM (IST)', '2025-09-17T03:30:00.000Z'],
    ['17-Sep-2025 09:00 AM +05:30', '2025-09-17T03:30:00.000Z'],
    ['17-Sep-2025 09:00 UTC', '2025-09-17T09:00:00.000Z'],
    ['2025-09-17 03:00 PM IST', '2025-09-17T09:30:00.000Z'],
    ['2025/09/17 15:00', '2025-09-17T09:30:00.000Z'],
    ['17-Sept-2025 09:00 AM', '2025-09-17T03:30:00.000Z'],
    ['17th September, 2025 at 3:00 pm', '2025-09-17T09:30:00.000Z'],
    ['17-Sep-2025 upto 15:00', '2025-09-17T09:30:00.000Z'],
    ['Wednesday, 17 September 2025 15:00', '2025-09-17T09:30:00.000Z'],
    ['September 17, 2025 3:00 PM', '2025-09-17T09:30:00.000Z'],
  ])('%s is the instant %s', (raw, instant) => {
    const parsed = parseDate('Publish Date', raw);
    expect(parsed?.at.toISOString()).toBe(instant);
    expect(parsed?.timeKnown).toBe(true);
    expect(parsed && toClosingInstant(parsed).toISOString()).toBe(instant);
  });

  test('the months have their names and their numbers', () => {
    const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const days = names.map((name) => parseDate('Publish Date', `05-${name}-2026 10:00`)?.at.toISOString().slice(0, 10));
    const numbers = names.map((_, n) => parseDate('Publish Date', `05/${n + 1}/2026 10:00`)?.at.toISOString());
    expect(days).toEqual([
      '2026-01-05',
      '2026-02-05',
      '2026-03-05',
      '2026-04-05',
      '2026-05-05',
      '2026-06-05',
      '2026-07-05',
      '2026-08-05',
      '2026-09-05',
      '2026-10-05',
      '2026-11-05',
      '2026-12-05',
    ]);
    expect(numbers).toEqual(days.map((day) => `${day}T04:30:00.000Z`));
  });

  test('the earliest of several counts, and missing ones do not', () => {
    const [first, second, third] = ['2026-11-01', '2026-11-02', '2026-11-03'].map((day) => new Date(day));
    expect(earliest(second as Date, third, first, null, undefined)).toBe(first);
    expect(earliest(first as Date, third, second)).toBe(first);
    expect(earliest(second as Date)).toBe(second);
  });

  test.each(['17-Sep-2025', '17/09/2025', '17 Sep 2025', '2025-09-17'])(
    '%s has no hour: it begins the Indian day and closes with its last second',
    (raw) => {
      const parsed = parseDate('Bid Submission End Date', raw);
      expect(parsed).toEqual({ at: new Date('2025-09-16T18:30:00.000Z'), timeKnown: false });
      expect(parsed && toClosingInstant(parsed)).toEqual(new Date('2025-09-17T23:59:59+05:30'));
    },
  );

  test.each(EMPTY)('"%s" is no date', (raw) => {
    expect(parseDate('Bid Opening Date', raw)).toBeNull();
  });

  test.each([
    '31-Feb-2026 09:00 AM',
    '29-Feb-2026 09:00 AM',
    '31-Apr-2026',
    '00-Jan-2026',
    '17-Foo-2026',
    '17-13-2026',
    '17-00-2026',
    '17-Sep-0025',
    '17-Sep-1989',
    '17-Sep-2101',
    '17-Sep-2025 00:30 PM',
    '17-Sep-2025 15:00 AM',
    '17-Sep-2025 24:30',
    '17-Sep-2025 9',
    '17-Sep-2025 12:00 midnight',
    '17-Sep-2025 10:00-12:00',
    '17-Sep-2025 09:00 AM EST',
    '17-Sep-2025 09:00 or 10:00 AM',
    'NaT',
    'To be announced',
    '17-Sep-2025 09:60 AM',
    '17-Sep-2025 AM',
    '31-Jun-2026',
    '31-Dec-1989 11:59 PM',
    '01-Jan-2101',
    '2101-01-01',
    '2025-09-17T11:60:00Z',
    '2025-09-17T11:00:60Z',
    'on 17-Sep-2025',
    '2025-02-30',
    '2025-13-01T00:00:00Z',
    '2025-09-17T25:00:00Z',
    '2025-09-17T11:00:00+99:00',
    '20250917',
    '1758087000000',
    'tomorrow',
  ])('%s is refused', (raw) => {
    const refused = refusal(() => parseDate('Publish Date', raw));
    expect(refused).toMatchObject({
      column: 'Publish Date',
      value: raw,
      message: "is not a date like '17-Sep-2025 09:00 AM'",
    });
  });

  test.each(['17-09-25', '17-Sep-25 09:00 AM', '25-Dec-26'])('%s has two meanings and is refused', (raw) => {
    const refused = refusal(() => parseDate('Publish Date', raw));
    expect(refused.message).toBe('has a year of two digits, which could also be the day');
  });
});

describe('text', () => {
  test.each([
    ['  Road \t and\r\n bridge ', 'Road and bridge'],
    ['R&amp;D', 'R&D'],
    ['R&amp;amp;D', 'R&D'],
    ['Distt. &quot;Chamba&quot; &#8211; Phase&nbsp;II', 'Distt. "Chamba" – Phase II'],
    ['A & B', 'A & B'],
    ['a\u0000b\u0007c\u009fd', 'a b c d'],
    ['\ufeffTitle\u200b', 'Title'],
    ['Bri\u202edge\u202c \u2066at\u2069 Theog\u200e', 'Bridge at Theog'],
    ['Foot\u00adbri\u200cdge\u2060', 'Footbridge'],
    ['क्\u200cष और प्र\u200dदेश', 'क्\u200cष और प्र\u200dदेश'],
    ['क्\u200c\u200c\u200dष', 'क्\u200cष'],
    [`Ro${'\u0335'.repeat(40)}ad`, `Ro${'\u0335'.repeat(4)}ad`],
    ['क़ीं', 'क़ीं'.normalize('NFC')],
    ['line\u2028break', 'line break'],
    ['bad\ufffd\ufffdbytes', 'bad bytes'],
    ['e\u0301', 'é'],
    ['कूहल  की मरम्मत', 'कूहल की मरम्मत'],
    [null, ''],
    [undefined, ''],
    [12, '12'],
  ])('%j becomes %j', (raw, text) => {
    expect(cleanText(raw)).toBe(text);
  });

  test('a text without content is null', () => {
    for (const raw of EMPTY) expect(optionalText(raw)).toBeNull();
    expect(optionalText('Nilgiri')).toBe('Nilgiri');
    expect(optionalText('Nahan')).toBe('Nahan');
  });

  test('a text that the portal cut at 250 characters ends with …', () => {
    expect(truncatedText('x'.repeat(249))).toBe('x'.repeat(249));
    expect(truncatedText('x'.repeat(250))).toBe(`${'x'.repeat(250)}…`);
    expect(truncatedText(`short${' '.repeat(300)}`)).toBe('short');
    expect(truncatedText(`${'x'.repeat(125)}${' '.repeat(125)}`)).toBe('x'.repeat(125));
    expect(truncatedText(`${'x'.repeat(126)}${' '.repeat(124)}`)).toBe(`${'x'.repeat(126)}…`);
    expect(truncatedText('NA')).toBe('');
  });
});

test.each([
  ['171001', '171001'],
  ['171001.0', '171001'],
  ['171 001', '171001'],
  [' 171001 ', '171001'],
  [171001, '171001'],
  ['071001', null],
  ['17100', null],
  ['1710011', null],
  ['171001.5', null],
  ['NA', null],
  ['', null],
  [null, null],
])('the PIN code of %j is %j', (raw, pincode) => {
  expect(parsePincode(raw)).toBe(pincode);
});

test.each([
  ['120', 120],
  ['120.0', 120],
  ['1,200', 1200],
  ['0', 0],
  ['-5', null],
  ['2.5', null],
  ['NA', null],
  ['many', null],
  ['9999999', null],
  ['999999', 999_999],
  ['120.00', 120],
  [30, 30],
])('the count of %j is %j', (raw, count) => {
  expect(parseCount(raw)).toBe(count);
});

test.each([
  ['Yes', true],
  ['yes ', true],
  ['No', false],
  ['NO', false],
  ['True', true],
  ['false', false],
  ['Not applicable', null],
  ['NA', null],
  ['', null],
])('%j is parsed to %j', (raw, answer) => {
  expect(parseYesNo(raw)).toBe(answer);
});

test.each([
  ['Works', 'Works'],
  ['work', 'Works'],
  ['Goods', 'Goods'],
  ['Supply', 'Goods'],
  ['Supplies', 'Goods'],
  ['Services', 'Services'],
  ['Consultancy Services', 'Services'],
  ['Service', 'Services'],
  ['', null],
  ['Machinery', null],
  ['GOOD', 'Goods'],
  ['Works and goods', null],
  ['Roadwork', null],
  ['Dry goods', null],
  ['Services of doctors', null],
])('the category of %j is %j', (raw, category) => {
  expect(parseCategory(raw)).toBe(category);
});

describe('a contact is an office, never a person', () => {
  test.each([
    ['Er. Xyz Yadav, Executive Engineer', 'Executive Engineer'],
    ['EXECUTIVE ENGINEER', 'Executive Engineer'],
    ['Executive Engineer (Er. Xyz Thakur)', 'Executive Engineer'],
    ['XEN Kalpa', 'Executive Engineer'],
    ['E.E. B&amp;R Division', 'Executive Engineer'],
    ['Sr. Executive Engineer', 'Senior Executive Engineer'],
    ['S.E. 4th Circle', 'Superintending Engineer'],
    ['Shri Xyz, Superintending Engineer', 'Superintending Engineer'],
    ['Chief Engineer (South)', 'Chief Engineer'],
    ['Addl. Chief Engineer', 'Additional Chief Engineer'],
    ['Engineer-in-Chief', 'Engineer-in-Chief'],
    ['Assistant Engineer, Sub Division Rohru', 'Assistant Engineer'],
    ['Managing Director', 'Managing Director'],
    ['Dy. Director, Horticulture', 'Deputy Director'],
    ['Jt. Director (Xyz Rana)', 'Joint Director'],
    ['Dy General Manager', 'Deputy General Manager'],
    ['Additional Commissioner', 'Additional Commissioner'],
    ['Assistant Commissioner', 'Assistant Commissioner'],
    ['Addl. Deputy Commissioner', 'Additional Deputy Commissioner'],
    ['General Manager', 'General Manager'],
    ['Dr. Xyz, Medical Superintendent', 'Medical Superintendent'],
    ['B.D.O. Bangana', 'Block Development Officer'],
    ['Member Secretary', 'Member Secretary'],
    ['E-in-C', 'Engineer-in-Chief'],
    ['Additional Chief Engineer', 'Additional Chief Engineer'],
    ['C.E. (Operation)', 'Chief Engineer'],
    ['Senior Executive Engineer', 'Senior Executive Engineer'],
    ['Asst. Executive Engineer', 'Assistant Executive Engineer'],
    ['Junior Engineer', 'Junior Engineer'],
    ['Joint Managing Director', 'Joint Managing Director'],
    ['Director of Horticulture', 'Director'],
    ['Deputy Commissioner, Mandi', 'Deputy Commissioner'],
    ['Commissioner', 'Commissioner'],
    ['Executive Officer, Nagar Panchayat', 'Executive Officer'],
    ['Block Development Officer', 'Block Development Officer'],
    ['D.F.O. Rampur', 'Divisional Forest Officer'],
    ['Divisional Forest Officer', 'Divisional Forest Officer'],
    ['CMO Bilaspur', 'Chief Medical Officer'],
    ['Chief Medical Officer', 'Chief Medical Officer'],
    ['Superintendent of Police', 'Superintendent of Police'],
    ['Principal, Govt. College', 'Principal'],
    ['Deputy Registrar', 'Deputy Registrar'],
    ['Registrar', 'Registrar'],
    ['Under Secretary', 'Secretary'],
    ['Manager (Civil)', 'Manager'],
    ['Asst Manager', 'Assistant Manager'],
    ['SE Circle Nahan', 'Superintending Engineer'],
    ['CE (Projects)', 'Chief Engineer'],
    ['EE Rampur', 'Executive Engineer'],
    ['X.EN Kaza', 'Executive Engineer'],
    ['Sr Executive Engineer', 'Senior Executive Engineer'],
    ['Sr. XEN Mandi', 'Senior Executive Engineer'],
    ['Senior X.EN', 'Senior Executive Engineer'],
    ['BDO Nadaun', 'Block Development Officer'],
    ['DFO Renuka', 'Divisional Forest Officer'],
    ['C.M.O. Una', 'Chief Medical Officer'],
    ['Engineer in Chief', 'Engineer-in-Chief'],
    ['EinC', 'Engineer-in-Chief'],
    ['Asst Engineer', 'Assistant Engineer'],
    ['Addl Director', 'Additional Director'],
    ['Jt Secretary', 'Joint Secretary'],
    ['Dy. Commissioner', 'Deputy Commissioner'],
    ['Asst. Registrar', 'Assistant Registrar'],
    ['Tender Inviting Authority', 'Tender Inviting Authority'],
  ])('%s becomes %s', (raw, designation) => {
    expect(parseDesignation(raw)).toBe(designation);
  });

  test.each([
    'Sri A. B. Name',
    'Er. Xyz Yadav',
    'Smt. Xyz Devi',
    'DR XYZ KUMAR',
    'xyz.kumar@example.org',
    '98160 00000',
    'Xyz Leela',
    'Directorate of Fisheries',
    'Commissionerate',
    '',
    'NA',
  ])('%s is dropped', (raw) => {
    expect(parseDesignation(raw)).toBeNull();
  });
});

test('a key ignores case and spacing', () => {
  const key = stableKey('hptenders', '2026_PWD_100001', 'NIT-7 dated 1.4.2026');
  expect(stableKey('HPTenders', ' 2026_pwd_100001', 'nit-7  dated 1.4.2026 ')).toBe(key);
  expect(stableKey('hptenders', '2026_PWD_100001', 'NIT-8 dated 1.4.2026')).not.toBe(key);
  expect(stableKey('a', 'bc')).not.toBe(stableKey('ab', 'c'));
  expect(key).toMatch(/^[\w-]{12}$/);
});

test.each([
  [7, 0],
  [null, 0],
  [[], 1],
  [{ a: 1 }, 1],
  [{ a: [1, { b: [] }] }, 4],
  [[[1], [[2]], 3], 3],
])('the depth of %j is %i', (value, depth) => {
  expect(jsonDepth(value)).toBe(depth);
});

import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  emailField,
  indianMobileField,
  leftOutOfMobile,
  mobileField,
  newPasswordField,
  normaliseTypedCode,
  normaliseTypedMobile,
  otpField,
  passwordField,
  requiredText,
} from './fields.ts';

/** The first message for a value, or the parsed value. */
function parseResult(schema: v.GenericSchema, value: unknown): unknown {
  const parsed = v.safeParse(schema, value);
  return parsed.success ? { is: parsed.output } : parsed.issues[0].message;
}

describe('a required text', () => {
  test.each<[unknown, unknown]>([
    [undefined, 'Name is required'],
    [null, 'Name is required'],
    ['', 'Name is required'],
    [' \t\n', 'Name is required'],
    [7, 'Name is required'],
    [['Asha'], 'Name is required'],
    [{ toString: 'Asha' }, 'Name is required'],
    ['a'.repeat(101), 'At most 100 characters'],
    ['Asha\r\nBcc: ravi@firm.example', 'Line breaks and control characters are not allowed'],
    ['As\u0000ha', 'Line breaks and control characters are not allowed'],
    ['  Asha Verma ', { is: 'Asha Verma' }],
    ['आशा वर्मा', { is: 'आशा वर्मा' }],
    ['क'.repeat(100), { is: 'क'.repeat(100) }],
    ['👷'.repeat(100), { is: '👷'.repeat(100) }],
  ])('%j', (value, answer) => {
    expect(
      parseResult(
        requiredText(() => 'Name is required', 100),
        value,
      ),
    ).toEqual(answer);
  });
});

describe('an email', () => {
  const WRONG = 'Please enter a valid email address';
  test.each<[unknown, unknown]>([
    [undefined, 'Email is required'],
    [null, 'Email is required'],
    ['  ', 'Email is required'],
    [['asha@firm.example'], 'Email is required'],
    ['asha', WRONG],
    ['asha@firm', WRONG],
    ['@firm.example', WRONG],
    ['asha@', WRONG],
    ['asha@firm.', WRONG],
    ['asha@@firm.example', WRONG],
    ['asha verma@firm.example', WRONG],
    ['asha@firm.example,ravi@firm.example', WRONG],
    ['asha@firm.example;ravi@firm.example', WRONG],
    ['Asha <asha@firm.example>', WRONG],
    ['"asha"@firm.example', WRONG],
    ['asha@firm.example\nBcc: ravi@firm.example', WRONG],
    ['asha@firm.example\u0000', WRONG],
    [`${'a'.repeat(242)}@firm.example`, WRONG],
    [' asha@firm.example ', { is: 'asha@firm.example' }],
    ['Asha.Verma+tenders@Firm.EXAMPLE', { is: 'Asha.Verma+tenders@firm.example' }],
    ["o'neil@firm.co.in", { is: "o'neil@firm.co.in" }],
    ['आशा@फर्म.भारत', { is: 'आशा@फर्म.भारत' }],
    [`${'a'.repeat(241)}@firm.example`, { is: `${'a'.repeat(241)}@firm.example` }],
  ])('%j', (value, answer) => {
    expect(parseResult(emailField, value)).toEqual(answer);
  });
});

describe('a mobile number in a form', () => {
  const WRONG = 'Please enter a valid 10-digit mobile number';
  test.each<[unknown, unknown]>([
    [undefined, 'Mobile number is required'],
    ['', 'Mobile number is required'],
    ['  ', 'Mobile number is required'],
    [9_812_345_678, 'Mobile number is required'],
    ['981234567', WRONG],
    ['98123456789', WRONG],
    ['5812345678', WRONG],
    ['0812345678', WRONG],
    ['+449812345678', WRONG],
    ['98123x45678', WRONG],
    ['+919812345678', { is: '9812345678' }],
    ['98123 45678', { is: '9812345678' }],
    ['९८१२३४५६७८', { is: '9812345678' }],
    ['9812345678', { is: '9812345678' }],
    [' 6000000000 ', { is: '6000000000' }],
  ])('%j', (value, answer) => {
    expect(parseResult(mobileField, value)).toEqual(answer);
  });
});

describe('a mobile number in a request', () => {
  const WRONG = 'Invalid mobile number format';
  test.each<[unknown, unknown]>([
    [undefined, 'Mobile number is required'],
    ['', 'Mobile number is required'],
    ['98123', WRONG],
    ['5812345678', WRONG],
    ['+449812345678', WRONG],
    ['+91+919812345678', WRONG],
    ['00919812345', WRONG],
    ['919812345678', { is: '+919812345678' }],
    ['+91 9812345678', { is: '+919812345678' }],
    ['0091-98123-45678', { is: '+919812345678' }],
    ['+91 0 98123 45678', { is: '+919812345678' }],
    ['091 98123 45678', { is: '+919812345678' }],
    ['(0)98123.45678', { is: '+919812345678' }],
    ['\u202a+91 98123 45678\u202c', { is: '+919812345678' }],
    ['+९१ ९८१२३ ४५६७८', { is: '+919812345678' }],
    ['৯৮১২৩৪৫৬৭৮', { is: '+919812345678' }],
    ['੯੮੧੨੩੪੫੬੭੮', { is: '+919812345678' }],
    ['૯૮૧૨૩૪૫૬૭૮', { is: '+919812345678' }],
    ['୯୮୧୨୩୪୫୬୭୮', { is: '+919812345678' }],
    ['௯௮௧௨௩௪௫௬௭௮', { is: '+919812345678' }],
    ['౯౮౧౨౩౪౫౬౭౮', { is: '+919812345678' }],
    ['೯೮೧೨೩೪೫೬೭೮', { is: '+919812345678' }],
    ['൯൮൧൨൩൪൫൬൭൮', { is: '+919812345678' }],
    ['۹۸۱۲۳۴۵۶۷۸', { is: '+919812345678' }],
    ['٩٨١٢٣٤٥٦٧٨', { is: '+919812345678' }],
    ['9812345678\n9812345679', WRONG],
    ['9812345678', { is: '+919812345678' }],
    ['+919812345678', { is: '+919812345678' }],
  ])('%j', (value, answer) => {
    expect(parseResult(indianMobileField, value)).toEqual(answer);
  });
});

describe('a new password', () => {
  test.each<[unknown, unknown]>([
    [undefined, 'Password is required'],
    ['', 'Password is required'],
    [12_345_678, 'Password is required'],
    ['1234567', 'Password must be at least 8 characters'],
    ['👷'.repeat(7), 'Password must be at least 8 characters'],
    ['a'.repeat(129), 'Password must be at most 128 characters'],
    ['12345678', { is: '12345678' }],
    ['  spaces  ', { is: '  spaces  ' }],
    ['👷'.repeat(128), { is: '👷'.repeat(128) }],
    ['cafe\u0301-au-lait', { is: 'caf\u00e9-au-lait' }],
  ])('%j', (value, answer) => {
    expect(parseResult(newPasswordField, value)).toEqual(answer);
  });
});

describe('an existing password', () => {
  test.each<[unknown, unknown]>([
    [undefined, 'Password is required'],
    ['', 'Password is required'],
    ['12345', 'Password must be at least 6 characters'],
    ['a'.repeat(129), 'Password must be at most 128 characters'],
    ['123456', { is: '123456' }],
    ['      ', { is: '      ' }],
  ])('%j', (value, answer) => {
    expect(parseResult(passwordField, value)).toEqual(answer);
  });
});

describe('a code', () => {
  test.each<[unknown, unknown]>([
    [undefined, 'Please enter the OTP'],
    ['', 'Please enter the OTP'],
    [123_456, 'Please enter the OTP'],
    ['12345', 'The OTP has 6 digits'],
    ['1234567', 'The OTP has 6 digits'],
    ['12a456', 'The OTP has 6 digits'],
    ['१२३४५६', { is: '123456' }],
    ['௧௨௩ ௪௫௬', { is: '123456' }],
    ['123-456', { is: '123456' }],
    [' 012345 ', { is: '012345' }],
  ])('%j', (value, answer) => {
    expect(parseResult(otpField, value)).toEqual(answer);
  });
});

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
  ['0091 98765 43210', '9876543210'],
  ['0091987', '987'],
  ['+91 0 98765 43210', '9876543210'],
  ['091-98765-43210', '9876543210'],
  ['0091 09876543210', '9876543210'],
  ['09123456789', '9123456789'],
  // a prefix stays until the number is complete
  ['0987654', '0987654'],
  ['91987654321', '91987654321'],
  ['९८७६५ ४३२१०', '9876543210'],
  ['+৯১ ৯৮৭৬৫৪৩২১০', '9876543210'],
])('the number typed or pasted as "%s" becomes "%s"', (typed, number) => {
  expect(normaliseTypedMobile(typed)).toBe(number);
});

test.each(['+91 98765 43210', '+91 0 98765 43210', '0091 98765 43210', '091 98765 43210', '91 98765 43210'])(
  'a number that is typed key by key as "%s" is read',
  (keys) => {
    let shown = '';
    for (const key of keys) shown = normaliseTypedMobile(shown + key);
    expect(shown).toBe('9876543210');
  },
);

test.each([
  ['98765 43210', ''],
  ['+91 (0) 98765-43210', ''],
  ['9876', ''],
  ['98765432109', 'A mobile number has 10 digits. The rest was left out.'],
  ['98765a', 'Only digits are kept here.'],
])('what the field leaves out of "%s" is said: %j', (typed, said) => {
  expect(leftOutOfMobile(typed)).toBe(said);
});

test.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  ['१२३४५६', '123456'],
  ['Your code is 123456.', '123456'],
  // what is no digit stays visible
  ['12a', '12a'],
  ['1234567', '123456'],
])('the code typed or pasted as "%s" becomes "%s"', (typed, code) => {
  expect(normaliseTypedCode(typed)).toBe(code);
});

test('a longer maximum shows a surplus digit', () => {
  expect(normaliseTypedMobile('987654321011', 11)).toBe('98765432101');
});

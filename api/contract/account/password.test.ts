import { describe, expect, test } from 'vitest';
import { extractPasswordWord, isPatternPassword, withoutSubstitutes } from './password.ts';

describe('a pattern', () => {
  test.each([
    // the same part again
    'aaaaaaaa',
    'abcabcabc',
    '12341234',
    'ashaasha',
    'shimlashimla',
    // runs of the alphabet, of digits and of a row or column of keys
    'abcd1234',
    'Abcd@1234',
    'aabbccdd',
    '1122334455',
    '0987654321',
    'qwertyuiop',
    'asdf@1234',
    'zxcvbnm1',
    '1qaz2wsx',
    '1a2b3c4d',
    'a1a2a3b4b5b6',
    '11aa22bb',
    '!@#$%^&*',
    // digits alone
    '9876543210',
    '9418012345',
    '+91 94180 12345',
    '15/08/1947',
    '10203040',
    '839201756644102',
    // one word with a usual number
    'Pass@123',
    'Admin@123',
    'India@123',
    'Krishna@123',
    'Rahul@1990',
    'Mumbai@2024',
    'Sachin@10',
    'Om@12345',
    'Contractor@1',
    '123@Kangra',
    'Krishna#108',
    'Kullu-7712',
    'Manali-7712',
    'Zorawar@1990',
    'Kettlewrigh5',
    'भारत@123',
  ])('"%s"', (password) => {
    expect(isPatternPassword(password)).toBe(true);
  });
});

describe('no pattern', () => {
  test.each([
    'quiet-river-72-stones',
    'cloudy lamp 7',
    'monsoon-bridge-2026',
    'another-bridge',
    'zojila tunnel',
    'SnowyRidge7',
    'Snowy7Ridge',
    'bluedoor47kettle',
    'vermilionkettles5',
    'Sarson-Khet-2291',
    'Palampur-7712',
    'Manali-77123',
    'Zorawar@1890',
    'Kettlewright5',
    'Kx7#mQ2v',
    'kx7#mq2vkx7#mq2v',
    'tR9!pLw2',
    'Ltd-8r9w2x',
    '4b9d1f7c2e',
    '8392017566441029',
    'शिमला का मौसम ठंडा',
    'नदीकेपासघर',
  ])('"%s"', (password) => {
    expect(isPatternPassword(password)).toBe(false);
  });
});

test('the word of a password is the text between its digits and signs', () => {
  expect(extractPasswordWord('#1-Admin@2024!')).toEqual({ word: 'Admin', digits: '12024', hasAffixes: true });
  expect(extractPasswordWord('cloudy lamp')).toEqual({ word: 'cloudy lamp', digits: '', hasAffixes: false });
  expect(extractPasswordWord('2024')).toEqual({ word: '', digits: '2024', hasAffixes: true });
});

test('substitutes are replaced by their letters', () => {
  expect(withoutSubstitutes('p@55w0rd')).toBe('password');
  expect(withoutSubstitutes('$h1ml4')).toBe('shimla');
  expect(withoutSubstitutes('7!m3')).toBe('time');
});

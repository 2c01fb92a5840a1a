import { expect, test } from 'vitest';
import { passwordStrength } from './strength.ts';

const asha = ['Asha Verma', 'asha.verma@builders.example', '9876543210', 'Verma Builders'];

test.each([
  ['', 'short'],
  ['kT7#q!2', 'short'],
  // runs of the same, of the alphabet, of digits and along a row of keys count once
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['12345678', 'weak'],
  ['abcdefghijkl', 'weak'],
  ['qwertyuiop', 'weak'],
  // digits alone are few kinds of character
  ['94718263', 'weak'],
  // the user's name, number and company are guessed first
  ['ashaverma1', 'weak'],
  ['9876543210!', 'weak'],
  ['Builders@2026', 'weak'],
  ['Password@1', 'weak'],
  // one word with a usual number is refused by the server
  ['Krishna@123', 'weak'],
  ['kT7#q!2m', 'fair'],
  ['cloudy lamp 7', 'good'],
  ['cloudy lamp walks to mandi', 'strong'],
])('"%s" is %s', (password, strength) => {
  expect(passwordStrength(password, asha)).toBe(strength);
});

test('a password in Devanagari is counted by its characters', () => {
  expect(passwordStrength('नदीकेपासघर', asha)).not.toBe('short');
});

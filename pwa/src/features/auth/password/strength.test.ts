// @vitest-environment node
import { expect, test } from 'vitest';
import { passwordStrength } from './strength.ts';

const asha = ['Asha Verma', 'asha.verma@builders.example', '9876543210', 'Verma Builders'];

test.each([
  ['', 'short'],
  ['kT7#q!2', 'short'],
  // A run counts once: of one character, of the alphabet, of digits, or along a row of keys.
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
  // the limits of each strength, without the user's name
  ['asha-kT7#', 'weak'],
  ['asha-kT7#q', 'fair'],
  ['kT7#q!2m', 'fair'],
  ['cloudy la', 'fair'],
  ['cloudy lam', 'good'],
  ['cloudy lamp 7', 'good'],
  ['cloudy lamp 73', 'strong'],
  // a run along a row of keys may go backwards
  ['rewq-kT7', 'weak'],
  ['fdsa-kT7', 'weak'],
  ['zxcv-kT7', 'weak'],
  // digits alone count half
  ['83920175664410293', 'fair'],
  ['cloudy lamp walks to mandi', 'strong'],
])('"%s" is %s', (password, strength) => {
  expect(passwordStrength(password, asha)).toBe(strength);
});

test('a known word of three letters does not count, nor a longer one that contains it', () => {
  expect(passwordStrength('lamkT7#q', ['Lam'])).toBe('weak');
  expect(passwordStrength('ashok-kT7#', ['Ash Ashok'])).toBe('weak');
});

test('a mobile number is known with and without +91', () => {
  expect(passwordStrength('9418273645 kx m', ['9418273645'])).toBe('weak');
  expect(passwordStrength('9418273645 kx m', ['+919418273645'])).toBe('weak');
  expect(passwordStrength('9418273645 kx m', ['+919418273646'])).toBe('strong');
});

test('a password in Devanagari is counted by its characters', () => {
  expect(passwordStrength('नदीकेपासघर', asha)).not.toBe('short');
});

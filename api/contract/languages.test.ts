import { expect, test } from 'vitest';
import { currentLanguage, inLanguage } from './i18n.ts';
import { type Language, languageOfHome, pathIn, splitLanguage } from './languages.ts';
import { findPage } from './site/pages.ts';

test.each([
  ['/', 'en', '/'],
  ['/tenders/5', 'en', '/tenders/5'],
  ['/hi', 'hi', '/'],
  ['/hi/', 'hi', '/'],
  ['/hi/tenders/5', 'hi', '/tenders/5'],
  // Only a whole part of the path is a language.
  ['/hint', 'en', '/hint'],
  ['/en/tenders', 'en', '/en/tenders'],
  ['/toString', 'en', '/toString'],
])('the address %s is in %s, of the page %s', (address, language, path) => {
  expect(splitLanguage(address)).toEqual({ language, path });
});

test('a page has one address in each language', () => {
  expect(pathIn('en', '/')).toBe('/');
  expect(pathIn('hi', '/')).toBe('/hi');
  expect(pathIn('hi', '/tenders/5?tab=documents')).toBe('/hi/tenders/5?tab=documents');
});

test('a stored language that this version does not have is English', () => {
  const later = 'xx' as Language;
  expect(pathIn(later, '/tenders/5')).toBe('/tenders/5');
  expect(inLanguage(later, currentLanguage)).toBe('en');
});

test.each([
  ['/', 'en'],
  ['/hi', 'hi'],
  ['/xx', undefined],
  ['/hi/tenders', undefined],
  [undefined, undefined],
])('the home %s is that of the language %s', (home, language) => {
  expect(languageOfHome(home)).toBe(language);
});

test('the table of pages has paths without a language, so that no address has two', () => {
  expect(findPage('/tenders/5')?.path).toBe('/tenders/:id');
  expect(findPage('/hi/tenders/5')).toBeUndefined();
});

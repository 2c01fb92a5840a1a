import { describe, expect, it } from 'vitest';
import { languageOfRequest } from './request-language.ts';

describe('the language of an answer', () => {
  it.each([
    ['/api/tenders', undefined, 'en'],
    ['/api/tenders', 'hi', 'hi'],
    ['/api/tenders', 'hi-IN,hi;q=0.9,en;q=0.8', 'hi'],
    ['/api/tenders', 'en-IN,en;q=0.9,hi;q=0.8', 'en'],
    ['/api/tenders', 'en;q=0.5, hi;q=0.8', 'hi'],
    ['/api/tenders', 'hi;q=0, en', 'en'],
    ['/api/tenders', 'ta-IN, hi;q=0.5', 'hi'],
    ['/api/tenders', 'ta, *', 'en'],
    ['/api/tenders', ';;;q=,,', 'en'],
    ['/hi/tenders', 'en', 'hi'],
    ['/hi?src=pwa', 'en', 'hi'],
    ['/api/tenders', `a${' '.repeat(15_500)}b, hi`, 'en'],
  ])('of %s with %.40s is %s', (url, accepted, language) => {
    expect(languageOfRequest({ url, headers: accepted === undefined ? {} : { 'accept-language': accepted } })).toBe(
      language,
    );
  });
});

/** Every translated text says the same as its English: the same values and elements, for one and for many. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageDescriptor } from '@lingui/core';
import { formatter } from '@lingui/format-po';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { addTexts, i18n, inLanguage } from '@nivida/contract/i18n';
import { type Language, languages } from '@nivida/contract/languages';
import { describe, expect, test } from 'vitest';

type Tokens = ReturnType<typeof compileMessage>;

interface TranslatedText {
  english: string;
  translation: string;
}

const COUNTS = [0, 1, 2, 5, 100_000];

async function textsOf(language: Language): Promise<TranslatedText[]> {
  const file = readFileSync(join(import.meta.dirname, `../../../texts/${language}.po`), 'utf8');
  const catalog = await formatter().parse(file, { locale: language, sourceLocale: 'en', filename: `${language}.po` });
  return Object.entries(catalog).map(([id, { message, translation }]) => ({
    english: message ?? id,
    translation: translation ?? '',
  }));
}

/** The plurals of a text: their value and the names of their forms. */
function pluralsOf(tokens: Tokens): { value: string; forms: string[] }[] {
  if (typeof tokens === 'string') return [];
  return tokens.flatMap((token) => {
    if (typeof token === 'string') return [];
    const [value, kind, forms] = token;
    if (kind !== 'plural' || typeof forms !== 'object' || forms === null) return [];
    const written = Object.entries(forms).filter(([, form]) => form !== undefined);
    const inside = written.flatMap(([, form]) => pluralsOf(form as Tokens));
    return [{ value: String(value), forms: written.map(([name]) => name).sort() }, ...inside];
  });
}

/** A text in a language. Its plurals are of `count`; its other values are shown by their names. */
function format(language: Language, { english, translation }: TranslatedText, count: number): string {
  const counted = pluralsOf(compileMessage(english)).map(({ value }) => [value, count]);
  const named = [...english.matchAll(/\{(\w+)/g)].map(([, name]) => [name, `«${name}»`]);
  const values = Object.fromEntries([...named, ...counted]);
  const message = language === 'en' ? english : translation;
  addTexts(language, { text: message });
  return inLanguage(language, () => i18n._({ id: 'text', message, values } as MessageDescriptor));
}

/** Values and elements of a formatted text. Their order may differ between languages. */
const partsOf = (text: string): string[] => (text.match(/«\w+»|<\/?\d+\/?>/g) ?? []).sort();

/** Matches a text with this number. */
const hasNumber = (count: number): RegExp => new RegExp(`(?<!\\d)(?:${count}|${count.toLocaleString('en-IN')})(?!\\d)`);

describe.each(languages().filter((language) => language !== 'en'))('in %s', async (language) => {
  const texts = await textsOf(language);
  const plurals = texts.filter(({ english }) => pluralsOf(compileMessage(english)).length > 0);

  /** The texts whose values or elements differ from those of the English. */
  const differing = (all: readonly TranslatedText[], count: number) =>
    all.filter((text) => partsOf(format('en', text, count)).join() !== partsOf(format(language, text, count)).join());

  test('both forms of each plural are there, and count the same', () => {
    expect(plurals.length).toBeGreaterThan(50);
    const formsOf = (text: string) => pluralsOf(compileMessage(text));
    const countedOf = (text: string) => [...new Set(formsOf(text).map(({ value }) => value))].sort().join();
    const wrong = plurals.filter(
      ({ english, translation }) =>
        countedOf(english) !== countedOf(translation) ||
        formsOf(translation).some(({ forms }) => forms.join() !== 'one,other'),
    );
    expect(wrong).toEqual([]);
  });

  test.each(COUNTS)('each plural of %d has the number, values and elements of the English', (count) => {
    expect(differing(plurals, count)).toEqual([]);
    // Hindi has one form for 0 and 1, so that form must not say "one".
    const number = hasNumber(count);
    const uncounted = plurals.filter(
      (text) => number.test(format('en', text, count)) && !number.test(format(language, text, count)),
    );
    expect(uncounted).toEqual([]);
  });

  test('each other text has the values and elements of the English', () => {
    const others = texts.filter((text) => !plurals.includes(text));
    expect(differing(others, 0)).toEqual([]);
  });
});

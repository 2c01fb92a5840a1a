import { describe, expect, test } from 'vitest';
import { parseQuery } from '../query-words.ts';
import { foldText, searchTerms } from '../terms.ts';

/** Most of these spellings look alike, so they are written as code points. */
const write = (codes: string): string =>
  codes
    .split(' ')
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .join('');

describe('the spellings of one letter find each other', () => {
  test.each([
    // Malayalam, in a word of three letters: chillu as one character, and as consonant, virama, joiner
    ['chillu nn', '0D15 0D7A 0D15', '0D15 0D23 0D4D 200D 0D15'],
    ['chillu n', '0D15 0D7B 0D15', '0D15 0D28 0D4D 200D 0D15'],
    ['chillu rr', '0D15 0D7C 0D15', '0D15 0D30 0D4D 200D 0D15'],
    ['chillu rr of an old font', '0D15 0D7C 0D15', '0D15 0D31 0D4D 200D 0D15'],
    ['chillu l', '0D15 0D7D 0D15', '0D15 0D32 0D4D 200D 0D15'],
    ['chillu ll', '0D15 0D7E 0D15', '0D15 0D33 0D4D 200D 0D15'],
    ['chillu k', '0D15 0D7F 0D15', '0D15 0D15 0D4D 200D 0D15'],
    ['chillu at the end, joiner lost', '0D15 0D28 0D3E 0D7D', '0D15 0D28 0D3E 0D32 0D4D'],
    ['nta with chillu and virama', '0D0E 0D28 0D4D 0D31', '0D0E 0D7B 0D4D 0D31'],
    ['nta with chillu', '0D0E 0D28 0D4D 0D31', '0D0E 0D7B 0D31'],
    ['dot reph', '0D15 0D4E 0D15', '0D15 0D30 0D4D 0D15'],
    ['sign o', '0D15 0D4A', '0D15 0D46 0D3E'],
    ['sign o, parts exchanged', '0D15 0D4A', '0D15 0D3E 0D46'],
    ['sign o, parts with a joiner', '0D15 0D4A', '0D15 0D46 200C 0D3E'],
    ['sign oo', '0D15 0D4B', '0D15 0D47 0D3E'],
    ['sign au without its left part', '0D15 0D4C', '0D15 0D57'],
    ['sign au in parts', '0D15 0D57', '0D15 0D46 0D57'],
    ['sign ai in parts', '0D15 0D48', '0D15 0D46 0D46'],
    ['vowel ii', '0D08 0D15', '0D07 0D57 0D15'],
    ['vowel oo', '0D13 0D15', '0D12 0D3E 0D15'],
    ['the older half vowel', '0D05 0D24 0D4D', '0D05 0D24 0D41 0D4D'],
    // Bengali and Assamese
    ['khanda ta', '0989 09CE 09B8', '0989 09A4 09CD 200D 09B8'],
    ['khanda ta at the end, joiner lost', '09AC 09BF 09A6 09CE', '09AC 09BF 09A6 09A4 09CD'],
    ['ra of Assamese', '0995 09B0', '0995 09F0'],
    ['wa of Assamese', '0997 09C1 09AC 09BE', '0997 09C1 09F1 09BE'],
    ['ra as ba with a dot', '0995 09B0', '0995 09AC 09BC'],
    ['rra as one character', '09AC 09BE 09DC 09BF', '09AC 09BE 09A1 09BC 09BF'],
    ['rra, dot after the vowel', '09AC 09BE 09DC 09BF', '09AC 09BE 09A1 09BF 09BC'],
    ['yya as one character', '0995 09DF', '0995 09AF 09BC'],
    ['sign o', '0995 09CB', '0995 09C7 09BE'],
    ['sign o, parts exchanged', '0995 09CB', '0995 09BE 09C7'],
    ['sign au', '0995 09CC', '0995 09C7 09D7'],
    ['vowel aa', '0986 0995', '0985 09BE 0995'],
    // Gurmukhi
    ['tippi and bindi', '0A2A 0A70 0A1C', '0A2A 0A02 0A1C'],
    ['sha as one character', '0A36 0A39', '0A38 0A3C 0A39'],
    ['a dot left out', '0A5B 0A2E', '0A1C 0A2E'],
    ['rra as da with a dot', '0A38 0A5C 0A15', '0A38 0A21 0A3C 0A15'],
    ['adhak before the vowel sign', '0A26 0A3F 0A71 0A32', '0A26 0A71 0A3F 0A32'],
    ['vowel i', '0A07 0A15', '0A72 0A3F 0A15'],
    ['vowel oo', '0A13 0A15', '0A73 0A4B 0A15'],
    ['half ya', '0A15 0A75 0A15', '0A15 0A4D 0A2F 0A15'],
    // Gujarati
    ['vowel aa', '0A86 0A95', '0A85 0ABE 0A95'],
    ['vowel o in three parts', '0A93 0A95', '0A85 0ABE 0AC7 0A95'],
    ['sign o', '0A95 0ACB', '0A95 0ABE 0AC7'],
    ['candra o', '0A95 0AC9', '0A95 0AC5 0ABE'],
    ['a dot left out', '0A9C 0ABC 0AAE', '0A9C 0AAE'],
    // Odia
    ['sign ai', '0B15 0B48', '0B15 0B47 0B56'],
    ['sign ai, parts exchanged', '0B15 0B48', '0B15 0B56 0B47'],
    ['sign o', '0B15 0B4B', '0B15 0B47 0B3E'],
    ['sign au', '0B15 0B4C', '0B15 0B47 0B57'],
    ['vowel au', '0B14 0B15', '0B13 0B57 0B15'],
    ['wa and va below', '0B36 0B4D 0B71 0B30', '0B36 0B4D 0B35 0B30'],
    ['wa and ba below', '0B36 0B4D 0B71 0B30', '0B36 0B4D 0B2C 0B30'],
    ['ya below', '0B1C 0B4D 0B5F', '0B1C 0B4D 0B2F'],
    ['rra as one character', '0B13 0B5C 0B3F', '0B13 0B21 0B3C 0B3F'],
    ['a dot left out', '0B13 0B5C 0B3F', '0B13 0B21 0B3F'],
    // Tamil
    ['sign o', '0B95 0BCA', '0B95 0BC6 0BBE'],
    ['sign oo', '0B95 0BCB', '0B95 0BC7 0BBE'],
    ['sign oo, parts exchanged', '0B95 0BCB', '0B95 0BBE 0BC7'],
    ['sign au', '0B95 0BCC', '0B95 0BC6 0BD7'],
    ['sign au with the letter lla', '0B95 0BCC 0BB0', '0B95 0BC6 0BB3 0BB0'],
    ['vowel au with the letter lla', '0B94 0BB5 0BC8', '0B92 0BB3 0BB5 0BC8'],
    ['sign ai in parts', '0B95 0BC8', '0B95 0BC6 0BC6'],
    ['shri', '0BB6 0BCD 0BB0 0BC0', '0BB8 0BCD 0BB0 0BC0'],
    // Telugu
    ['sign ii', '0C15 0C40', '0C15 0C3F 0C55'],
    ['sign ee', '0C15 0C47', '0C15 0C46 0C55'],
    ['sign ai', '0C15 0C48', '0C15 0C46 0C56'],
    ['sign oo', '0C15 0C4B', '0C15 0C4A 0C55'],
    ['vowel oo', '0C13 0C15', '0C12 0C55 0C15'],
    ['n without a vowel', '0C15 0C5D', '0C15 0C28 0C4D'],
    // Kannada
    ['sign ii', '0C95 0CC0', '0C95 0CBF 0CD5'],
    ['sign oo in three parts', '0C95 0CCB', '0C95 0CC6 0CC2 0CD5'],
    ['sign oo, parts exchanged', '0C95 0CCB', '0C95 0CC6 0CD5 0CC2'],
    ['vowel au', '0C94 0C95', '0C92 0CCC 0C95'],
    ['reph with a joiner', '0C95 0CB0 0CCD 0C95', '0C95 0CB0 200D 0CCD 0C95'],
    ['a dot left out', '0CAB 0CBC 0C95', '0CAB 0C95'],
    // Devanagari
    ['eyelash ra', '0915 0931 094D 092F', '0915 0930 094D 200D 092F'],
    ['a letter with a dot', '0938 095C 0915', '0938 0921 093C 0915'],
    ['dot after the vowel', '0938 095C 093F', '0938 0921 093F 093C'],
    ['sign o in parts', '0915 094B', '0915 093E 0947'],
    ['sign au in parts', '0915 094C', '0915 093E 0948'],
    ['vowel o in three parts', '0913 0915', '0905 093E 0947 0915'],
    ['vowel ii of an old font', '0915 094B 0908', '0915 094B 0930 094D 0907'],
    ['anusvara before the vowel sign', '0939 0948 0902', '0939 0902 0948'],
    ['candra a of Marathi', '0972 0921', '090D 0921'],
    ['joiner and non-joiner', '0915 094D 0937 0924', '0915 094D 200C 0937 200D 0924'],
  ])('%s', (_, one, other) => {
    const [first, second] = [write(one), write(other)];
    expect(searchTerms(first)).toHaveLength(1);
    expect(searchTerms(second)).toEqual(searchTerms(first));
    expect(parseQuery(second)).toEqual(parseQuery(first));
  });

  test('letters that differ stay apart', () => {
    const pairs = [
      ['ba and bha', '09AC', '09AD'],
      ['da and rra of Bengali', '09A1 09BE', '09DC 09BE'],
      ['ya and yya of Bengali', '09AF 09BE', '09DF 09BE'],
      ['a letter with and without adhak', '0A2A 0A24 0A3E', '0A2A 0A71 0A24 0A3E'],
      ['light and a word with au in Tamil', '0B92 0BB3 0BBF', '0B94 0BB3 0BBF'],
      ['short and long vowels', '0D15 0D4A', '0D15 0D4B'],
      ['na and nna', '0D15 0D7B', '0D15 0D7A'],
    ] as const;
    for (const [what, one, other] of pairs) expect(foldText(write(one)), what).not.toBe(foldText(write(other)));
  });

  test.each([
    'वार्ड ०१२३४५६७८९',
    'ওয়ার্ড ০১২৩৪৫৬৭৮৯',
    'ਵਾਰਡ ੦੧੨੩੪੫੬੭੮੯',
    'વોર્ડ ૦૧૨૩૪૫૬૭૮૯',
    'ୱାର୍ଡ ୦୧୨୩୪୫୬୭୮୯',
    'வார்டு ௦௧௨௩௪௫௬௭௮௯',
    'వార్డు ౦౧౨౩౪౫౬౭౮౯',
    'ವಾರ್ಡ್ ೦೧೨೩೪೫೬೭೮೯',
    'വാർഡ് ൦൧൨൩൪൫൬൭൮൯',
    'وارڈ ۰۱۲۳۴۵۶۷۸۹',
    'وارڈ ٠١٢٣٤٥٦٧٨٩',
    'ᱣᱟᱨᱰ ᱐᱑᱒᱓᱔᱕᱖᱗᱘᱙',
    'ꯋꯥꯔꯗ ꯰꯱꯲꯳꯴꯵꯶꯷꯸꯹',
  ])('the digits of a number are read in %s', (text) => {
    expect(searchTerms(text).at(-1)).toBe('0123456789');
  });

  test('a ward has its number in any digits', () => {
    for (const text of ['Ward No ७', 'ward ൭', 'W.No-০৭']) expect(parseQuery(text)).toEqual(parseQuery('ward 7'));
  });
});

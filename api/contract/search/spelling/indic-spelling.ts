/**
 * Gives each letter of the nine Indian scripts one spelling. Unicode, keyboards and converters of old fonts write some
 * letters in several ways. The tables use code points, because most of these spellings look alike.
 */

/** First code points of the scripts. Each script has 128 code points, and signs of one kind have the same offset in all. */
const SCRIPTS = [0x900, 0x980, 0xa00, 0xa80, 0xb00, 0xb80, 0xc00, 0xc80, 0xd00];
const inAllScripts = (...places: number[]): string =>
  SCRIPTS.flatMap((script) => places.map((place) => String.fromCharCode(script + place))).join('');

const VIRAMAS = inAllScripts(0x4d);
const NUKTAS = inAllScripts(0x3c);
const VOWEL_SIGNS = inAllScripts(...Array.from({ length: 15 }, (_, at) => 0x3e + at), 0x55, 0x56, 0x57).replace(
  /[\u0d55\u0d56]/g, // letters of Malayalam
  '',
);
/** Chandrabindu, anusvara, visarga; in Gurmukhi also tippi and adhak. */
const FINAL_SIGNS = `${inAllScripts(1, 2, 3)}\u0a70\u0a71`;

type Spelling = readonly [written: string, read: string];

const readText = (codes: string): string =>
  codes
    .split(' ')
    .map((code) => String.fromCharCode(Number.parseInt(code, 16)))
    .join('');

/** 'A B=C' reads the code points A and B as C. */
function readSpellings(lines: readonly string[]): Spelling[] {
  return lines
    .flatMap((line) => line.split(', '))
    .map((entry) => entry.split('=').map(readText) as unknown as Spelling);
}

function replacer(lines: readonly string[]): (text: string) => string {
  const spellings = new Map(readSpellings(lines));
  const longestFirst = [...spellings.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.join('|'), 'g');
  return (text) => text.replace(pattern, (written) => spellings.get(written) as string);
}

/** Vowel signs that were typed as two parts, in either order, and that Unicode's composed form does not join. */
const joinVowelSigns = replacer([
  // Devanagari, Gujarati
  '093E 0947=094B, 0947 093E=094B, 093E 0948=094C, 0948 093E=094C, 093E 0945=0949, 0945 093E=0949',
  '093E 0946=094A, 0946 093E=094A',
  '0ABE 0AC7=0ACB, 0AC7 0ABE=0ACB, 0ABE 0AC8=0ACC, 0AC8 0ABE=0ACC, 0ABE 0AC5=0AC9, 0AC5 0ABE=0AC9',
  // Bengali, Odia
  '09BE 09C7=09CB, 09D7 09C7=09CC',
  '0B3E 0B47=0B4B, 0B57 0B47=0B4C, 0B56 0B47=0B48',
  // Tamil
  '0BBE 0BC6=0BCA, 0BBE 0BC7=0BCB, 0BD7 0BC6=0BCC, 0BC6 0BC6=0BC8',
  // Telugu, Kannada
  '0C3F 0C55=0C40, 0C46 0C55=0C47, 0C55 0C46=0C47, 0C4A 0C55=0C4B, 0C56 0C46=0C48',
  '0CD5 0CBF=0CC0, 0CD5 0CC6=0CC7, 0CD6 0CC6=0CC8, 0CC2 0CC6=0CCA, 0CC2 0CC7=0CCB, 0CC7 0CC2=0CCB',
  // Malayalam; the sign of 'au' is written with and without its left part
  '0D3E 0D46=0D4A, 0D3E 0D47=0D4B, 0D46 0D46=0D48, 0D57 0D46=0D57, 0D4C=0D57',
]);

/** Vowels that were typed as another vowel with a sign. */
const joinVowels = replacer([
  // Devanagari
  '0905 0946=0904, 0905 093E=0906, 0930 094D 0907=0908, 0909 0941=090A, 090F 0945=090D, 0905 0945=090D, 0972=090D',
  '090F 0946=090E, 090F 0947=0910, 0905 0949=0911, 0906 0945=0911, 0905 094A=0912, 0906 0946=0912, 0905 094B=0913',
  '0906 0947=0913, 0905 094C=0914, 0906 0948=0914, 0905 093A=0973, 0905 093B=0974, 0906 093A=0974, 0905 094F=0975',
  '0905 0956=0976, 0905 0957=0977',
  // Bengali
  '0985 09BE=0986, 098B 09C3=09E0, 098C 09E2=09E1, 0993 09D7=0994',
  // Gurmukhi
  '0A05 0A3E=0A06, 0A72 0A3F=0A07, 0A72 0A40=0A08, 0A73 0A41=0A09, 0A73 0A42=0A0A, 0A72 0A47=0A0F, 0A05 0A48=0A10',
  '0A73 0A4B=0A13, 0A05 0A4C=0A14',
  // Gujarati
  '0A85 0ABE=0A86, 0A85 0AC5=0A8D, 0A85 0AC7=0A8F, 0A85 0AC8=0A90, 0A85 0AC9=0A91, 0A86 0AC5=0A91, 0A85 0ACB=0A93',
  '0A86 0AC7=0A93, 0A85 0ACC=0A94, 0A86 0AC8=0A94',
  // Odia
  '0B05 0B3E=0B06, 0B0F 0B56=0B10, 0B0F 0B57=0B10, 0B13 0B57=0B14',
  // Tamil
  '0B85 0BC2=0B86',
  // Telugu, Kannada
  '0C12 0C55=0C13, 0C12 0C4C=0C14',
  '0C89 0CBE=0C8A, 0C92 0CCC=0C94, 0C8B 0CBE=0CE0',
  // Malayalam
  '0D07 0D57=0D08, 0D09 0D57=0D0A, 0D0E 0D46=0D10, 0D12 0D3E=0D13, 0D12 0D57=0D14',
]);

/** Consonants with several code points, and consonants that a neighbouring language writes differently. */
const joinConsonants = replacer([
  // Bengali: khanda ta; the 'ra' and 'wa' of Assamese; 'ra' as 'ba' with a dot
  '09CE=09A4 09CD, 09F0=09B0, 09F1=09AC, 09AC 09BC=09B0',
  // Gurmukhi: tippi and the dot with a bow are bindi; half ya; the hard 'ra' as 'da' with a dot
  '0A70=0A02, 0A01=0A02, 0A75=0A4D 0A2F, 0A21 0A3C=0A5C',
  // Odia: 'va' and 'wa' are 'ba', which they look like below a consonant; 'ya' below a consonant, and 'ya' as 'ja' with a dot
  '0B35=0B2C, 0B71=0B2C, 0B4D 0B5F=0B4D 0B2F, 0B4D 0B2F 0B3C=0B4D 0B2F, 0B2F 0B3C=0B5F',
  // Tamil: the two spellings of 'shri'
  '0BB8 0BCD 0BB0 0BC0=0BB6 0BCD 0BB0 0BC0',
  // Telugu, Kannada: 'n' without a vowel
  '0C5D=0C28 0C4D, 0CDD=0CA8 0CCD',
  // Malayalam: consonants without a vowel (chillu), dot reph, the older sign of the half vowel
  '0D7A=0D23 0D4D, 0D7B=0D28 0D4D, 0D7C=0D30 0D4D, 0D7D=0D32 0D4D, 0D7E=0D33 0D4D, 0D7F=0D15 0D4D',
  '0D54=0D2E 0D4D, 0D55=0D2F 0D4D, 0D56=0D34 0D4D, 0D4E=0D30 0D4D, 0D41 0D4D=0D4D',
]);

const INDIC_PATTERN = /[\u0900-\u0d7f]/;
const FINAL_BEFORE_VOWEL_PATTERN = new RegExp(`([${FINAL_SIGNS}]+)([${VOWEL_SIGNS}]+)`, 'g');
const NUKTA_AFTER_VOWEL_PATTERN = new RegExp(`([${VOWEL_SIGNS}]+)([${NUKTAS}])`, 'g');
const REPEATED_VIRAMA_PATTERN = new RegExp(`([${VIRAMAS}])[${VIRAMAS}]+`, 'g');
/** The dot of letters, which is often left out. Bengali is excluded, because there a dot makes another letter. */
const OPTIONAL_NUKTA_PATTERN = new RegExp(`[${NUKTAS.replace('\u09bc', '')}]`, 'g');
/** The Tamil sign of 'au' ends like the letter 'lla'. A real 'lla' has a sign of its own or ends the word. */
const TAMIL_AU_PATTERN = /([\u0bc6\u0b92])\u0bb3(?=[\u0b83-\u0bb9])/g;
/** Old fonts have one chillu for both letters 'ra' of Malayalam. */
const CHILLU_OF_RRA_PATTERN = /\u0d31\u0d4d\u200d/g;

/** Folds letters that are written with joiners. Call it before joiners are removed. */
export const foldJoinedLetters = (text: string): string => text.replace(CHILLU_OF_RRA_PATTERN, '\u0d30\u0d4d');

/**
 * The text in one spelling of each letter of Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada and
 * Malayalam. Takes a text in composed form (NFC) without joiners.
 */
export function foldIndicSpelling(text: string): string {
  if (!INDIC_PATTERN.test(text)) return text;
  const ordered = text.replace(FINAL_BEFORE_VOWEL_PATTERN, '$2$1').replace(NUKTA_AFTER_VOWEL_PATTERN, '$2$1');
  const vowels = joinVowels(joinVowelSigns(ordered)).replace(TAMIL_AU_PATTERN, (_, start) =>
    start === '\u0b92' ? '\u0b94' : '\u0bcc',
  );
  return joinConsonants(vowels).replace(OPTIONAL_NUKTA_PATTERN, '').replace(REPEATED_VIRAMA_PATTERN, '$1');
}

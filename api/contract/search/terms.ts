/**
 * The terms of tender search. The server's index and the device's engine both use them, so a query finds the same tenders
 * on both sides. Texts of tenders and queries are split by the same rules.
 */
import { asciiDigits } from '../digits.ts';
import { foldIndicSpelling, foldJoinedLetters } from './spelling/indic-spelling.ts';

/** The terms of one written word. */
export interface WordReading {
  term: string;
  /** The term without its plural removed, for a word that may be unfinished: 'beas' must not become 'bea…'. */
  typed: string;
  /** Terms that together mean the same as the word: '11' and 'kv' of '11kv'. */
  parts: readonly string[];
  /** True when the word is finished: a whole tender id, an abbreviation written with signs, or a single digit. */
  complete: boolean;
  /** True for a second reading of the same text, which only the index uses. */
  indexOnly: boolean;
}

/** `gap` is the text between this word and the one before it. */
interface TextToken {
  text: string;
  gap: string;
}

const MAX_TERM_CHARACTERS = 40;
const NON_ASCII_PATTERN = /[\u0080-\uffff]/;
const UNDERSCORE = 0x5f;
/** Words. It includes joiners, because the text may not be folded. */
const WORD_PATTERN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*(?:_+[\p{L}\p{M}\p{N}]+)*/gu;
const JOINED_WORDS_PATTERN = /[\p{L}\p{M}\p{N}_\u200c\u200d]+(?:[/.&-][\p{L}\p{M}\p{N}_]+)*/gu;
const TENDER_ID_PATTERN = /^\d{4}_[a-z0-9]+_\d+_\d+$/;
const JOINING_SIGN_PATTERN = /^[/.&-]$/;
const SHORT_WORD_PATTERN = /^[a-z]{1,3}$/;
const LATIN_LETTER_PATTERN = /^[a-z]$/;
const SPACE_PATTERN = /^ $/;
const ORDINAL_PATTERN = /^\d+(?:st|nd|rd|th)$/;
const WARD_TERM_PATTERN = /^ward\d{1,3}$/;
const NUMBER_AND_UNIT_PATTERN = /^(?:(\d+)([a-z]{1,6})|([a-z]{2,6})(\d+))$/;

/** Devanagari writes a nasal before a consonant of its own row in two ways: चम्बा and चंबा. */
const NASAL_CONSONANT_PATTERN = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])/g;

/** Ids of other portals: 'gem/2026/b/7654321', a long number with at most two letters. */
const OTHER_ID_PATTERN = /^gem\/\d{4}\/[a-z]+\/\d+$|^\d{8,}[a-z]{0,2}$/;

/** True when the text is exactly one tender id of a portal: '2026_PWD_77_1', 'GEM/2026/B/7654321', '30255012'. */
export function isTenderId(text: string): boolean {
  const folded = foldText(text.trim());
  return TENDER_ID_PATTERN.test(folded) || OTHER_ID_PATTERN.test(folded);
}

/** One word of at least two parts, such as '35-TRL-26-27'. Dates, years and amounts do not match. */
const PARTED_PATTERN = /^(?!\d+(?:\W\d+){1,2}$)[\p{L}\p{M}\p{N}]+(?:[/_.:-]+[\p{L}\p{M}\p{N}]+)+$/u;

/**
 * The term of a text that may be the whole id of a portal other than GePNIC; undefined for any other text. An id of two
 * parts needs more digits than one of three.
 */
export function wholeIdTerm(text: string): string | undefined {
  const folded = foldText(text.trim());
  const parts = PARTED_PATTERN.test(folded) && !TENDER_ID_PATTERN.test(folded) ? folded.split(/[/_.:-]+/) : [];
  const isId = folded.replace(/\D/g, '').length >= (parts.length > 2 ? 4 : 6);
  return parts.length > 0 && isId ? truncateTerm(parts.join('_')) : undefined;
}

/** Removed from a query unless nothing else remains. */
const STOP_WORDS = new Set(
  [
    'a an and at by from for in near of on or the to with tender tenders etender tendering etendering',
    'department dept deptt vibhag se me mein main ka ki ke ko aur kaam kam karya paas pass',
    'का की के को में मे से पर और व पास विभाग काम कार्य निविदा निविदाएं टेंडर',
  ].flatMap((line) => foldText(line).split(' ')),
);

/**
 * Removes insignificant differences:
 * - case, width, Latin accents, joiners and marks of direction;
 * - in Indian scripts, different spellings of one letter, and digits;
 * - in Devanagari, the nukta, and chandrabindu or a nasal consonant instead of anusvara.
 * Vowel signs of all scripts are kept.
 */
export function foldText(text: string): string {
  // Nearly all texts of portals are ASCII. Only case matters for them.
  if (!NON_ASCII_PATTERN.test(text)) return text.toLowerCase();
  const decomposed = foldJoinedLetters(text.normalize('NFKD').toLowerCase());
  const composed = decomposed
    .replace(/[\u0300-\u036f\u093c\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .normalize('NFC');
  return asciiDigits(foldIndicSpelling(composed))
    .replace(/\u0901/g, '\u0902')
    .replace(NASAL_CONSONANT_PATTERN, '\u0902');
}

/** 'bridges' → 'bridge', 'batteries' → 'battery', 'branches' → 'branch'; 'bus' and 'glass' stay. */
function singularForm(word: string): string {
  if (!/^[a-z]{3,}s$/.test(word) || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.slice(0, /(?:x|ch|sh|ss)es$/.test(word) ? -2 : -1);
}

function truncateTerm(word: string): string {
  return word.length <= MAX_TERM_CHARACTERS ? word : [...word].slice(0, MAX_TERM_CHARACTERS).join('');
}

const toTerm = (word: string): string => truncateTerm(singularForm(word));

function createReading(word: string, parts: readonly string[] = [], complete = false, indexOnly = false): WordReading {
  const terms = parts.filter((part) => !isLetter(part)).map(toTerm);
  return { term: toTerm(word), typed: truncateTerm(word), parts: terms, complete, indexOnly };
}

/** A single letter of any script, not a digit. */
function isLetter(word: string): boolean {
  return /^\p{L}$/u.test(word);
}

function tokenize(text: string): TextToken[] {
  const tokens: TextToken[] = [];
  let end = 0;
  const folded = foldText(text);
  for (const { index, word } of NON_ASCII_PATTERN.test(folded) ? findWords(folded) : findAsciiWords(folded)) {
    const gap = folded.slice(end, index);
    tokens.push({ text: word, gap: gap === ' ' ? gap : gap.replace(/^[^\S\r\n]$/, ' ') });
    end = index + word.length;
  }
  return tokens;
}

interface FoundWord {
  index: number;
  word: string;
}

function findWords(text: string): FoundWord[] {
  return Array.from(text.matchAll(WORD_PATTERN), ({ index, 0: word }) => ({ index, word }));
}

/** The words of WORD_PATTERN in a folded ASCII text, several times faster. */
function findAsciiWords(text: string): FoundWord[] {
  const words: FoundWord[] = [];
  for (let index = 0; index < text.length; index++) {
    if (!isAsciiAlphanumeric(text.charCodeAt(index))) continue;
    const end = asciiWordEnd(text, index);
    words.push({ index, word: text.slice(index, end) });
    index = end;
  }
  return words;
}

/** A word may contain underscores; it does not end with one. */
function asciiWordEnd(text: string, start: number): number {
  let end = start;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isAsciiAlphanumeric(code)) end = at + 1;
    else if (code !== UNDERSCORE) break;
  }
  return end;
}

function isAsciiAlphanumeric(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** How many consecutive tokens from `start` on match `tokenPattern`, with gaps that match `gapPattern`. */
function runLength(tokens: TextToken[], start: number, tokenPattern: RegExp, gapPattern: RegExp): number {
  let end = start;
  while (end < tokens.length) {
    const token = tokens[end] as TextToken;
    if (!tokenPattern.test(token.text) || (end > start && !gapPattern.test(token.gap))) break;
    end += 1;
  }
  return end - start;
}

/** 'C/o' → 'co'. Longer parts and runs of letters are terms too: 'H.P.SH' → 'hpsh', 'hp', 'sh'. */
function readAbbreviation(words: string[]): WordReading {
  const parts: string[] = [];
  let letters = '';
  for (const word of [...words, '']) {
    if (isLetter(word)) {
      letters += word;
      continue;
    }
    parts.push(...[letters, word].filter((part) => part.length > 1));
    letters = '';
  }
  const joined = words.join('');
  return createReading(
    joined,
    parts.filter((part) => part !== joined),
    words.every(isLetter),
  );
}

/**
 * Reads letters separated by one space, and the word after them, because portals replace signs by spaces. 'C o' → 'co',
 * 'R Wall' → 'rwall' and 'wall', 'C O R Wall' → 'co', 'rwall' and 'wall'. The index has both readings of the last letter.
 */
function readLetters(letters: string[], word: string | undefined): WordReading[] {
  const all = letters.join('');
  if (word === undefined) return all.length > 1 ? [createReading(all)] : [];
  const withWord = `${all.at(-1)}${word}`;
  if (all.length === 1) return [createReading(withWord, [word])];
  if (all.length === 2) return [createReading(all), createReading(withWord, [], false, true), createReading(word)];
  return [createReading(all.slice(0, -1)), createReading(all, [], false, true), createReading(withWord, [word])];
}

/** Cache of readings by word, because words repeat in texts. */
const readingsByWord = new Map<string, readonly WordReading[]>();
const MAX_CACHED_WORDS = 5_000;

function readWord(word: string): readonly WordReading[] {
  // Ids are not cached, because each tender has its own.
  if (word.includes('_')) return createReadings(word);
  let readings = readingsByWord.get(word);
  if (!readings) {
    readings = createReadings(word);
    if (readingsByWord.size >= MAX_CACHED_WORDS) readingsByWord.clear();
    readingsByWord.set(word, readings);
  }
  return readings;
}

function createReadings(word: string): WordReading[] {
  if (word.includes('_')) {
    const parts = word.split(/_+/);
    if (!TENDER_ID_PATTERN.test(word)) return [createReading(word, parts)];
    // An NIT has many ids. The whole id means one tender only.
    return [
      createReading(word, [], true),
      ...parts.filter((part) => !isLetter(part)).map((part) => createReading(part, [], false, true)),
    ];
  }
  if (WARD_TERM_PATTERN.test(word)) return [createReading(word, ['ward'], true)];
  const unit = ORDINAL_PATTERN.test(word) ? null : NUMBER_AND_UNIT_PATTERN.exec(word);
  if (unit) {
    return [
      createReading(
        word,
        unit.slice(1).filter((part) => part !== undefined),
      ),
    ];
  }
  return isLetter(word) ? [] : [createReading(word, [], /^\d$/.test(word))];
}

/** Splits a text into word readings, in order; the rules are at `searchTerms`. */
function readWords(text: string): WordReading[] {
  const tokens = tokenize(text);
  const pieces: WordReading[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { text: word, gap } = tokens[at] as TextToken;
    const joined = word.length > 3 ? 0 : runLength(tokens, at, SHORT_WORD_PATTERN, JOINING_SIGN_PATTERN);
    if (joined > 1) {
      const chain = tokens.slice(at, at + joined).map((token) => token.text);
      if (chain.some(isLetter)) {
        pieces.push(readAbbreviation(chain));
        at += joined;
        continue;
      }
    }
    // 'm' after a number means metres: '5 m span' is not 'mspan'.
    const isMetres = word === 'm' && gap.length <= 1 && /^\d+$/.test(tokens[at - 1]?.text ?? '');
    const letters = isMetres || word.length > 1 ? 0 : runLength(tokens, at, LATIN_LETTER_PATTERN, SPACE_PATTERN);
    if (letters === 0) {
      pieces.push(...readWord(word));
      at += 1;
      continue;
    }
    const next = tokens[at + letters];
    const tight = next !== undefined && /^[/.-]$/.test(next.gap);
    const spaced = next?.gap === ' ' && !STOP_WORDS.has(next.text) && !(letters === 1 && STOP_WORDS.has(word));
    const joins = next !== undefined && /^[a-z]{3,}$/.test(next.text) && (tight || spaced);
    pieces.push(
      ...readLetters(
        tokens.slice(at, at + letters).map((token) => token.text),
        joins ? next.text : undefined,
      ),
    );
    at += letters + (joins ? 1 : 0);
  }
  return pieces;
}

/**
 * The distinct index terms of a text in order of appearance, folded and singular.
 * - Single letters are not terms; single digits are. A term has at most 40 characters.
 * - Parts of up to three letters joined by `/ . & -`, one of them a single letter, give one term: 'C/o' → 'co'.
 * - A letter joined to a longer word by these signs or one space gives both: 'R/Wall', 'R Wall' → 'rwall', 'wall'.
 * - Words joined by `_` give the whole and the parts: '2025_PWD_109746_1' → itself, '2025', 'pwd', '109746', '1'.
 * - Number and unit give the whole and both parts: '11kV' → '11kv', '11', 'kv'; 'NH5' likewise. A query '11 kV' needs both
 *   parts. A query '11kV' needs the whole or both parts. So each finds the other.
 */
export function searchTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const { term, parts } of readWords(text)) {
    terms.add(term);
    for (const part of parts) terms.add(part);
  }
  return [...terms];
}

/**
 * 'Ward No. 7', 'W.No-7', 'ward 07' and 'वार्ड नं. 7' become one term, 'ward7', because the number alone says little. The zero
 * of 'नं० 7' is a sign of abbreviation.
 */
export const WARD_PATTERN =
  /(?:\bward\W{0,3}(?:n(?:o|umber)s?\W{0,3})?|\bw\W{0,3}n(?:o|umber)s?\W{0,3}|(?<!\p{L})व[ाॉ]र्ड[\s.:#-]{0,3}(?:(?:नं|न|नंबर|नम्बर|क्र|क्रमांक|संख्या|सं)(?:0(?=[\s.:-]+\d))?[\s.:॰-]{0,3})?)0*(\d{1,3})\b/giu;

/** Writes each numbered ward of a text as its term. */
export function joinWardNumbers(text: string): string {
  return asciiDigits(text).replace(WARD_PATTERN, 'ward$1');
}

/** The words of a query or a dictionary entry, without stop words. Each has one reading. */
export function readQueryWords(text: string): WordReading[] {
  const pieces = readWords(text).filter((piece) => !piece.indexOnly);
  const id = wholeIdTerm(text);
  // Other texts may look like ids, so they are found by their parts too.
  if (id && pieces.length > 1)
    return [{ term: id, typed: id, parts: pieces.map(({ term }) => term), complete: true, indexOnly: false }];
  // `typed` is compared too, because the plural is removed from the term: 'paas' (near) is a stop word.
  const meant = pieces.filter(({ term, typed }) => !STOP_WORDS.has(term) && !STOP_WORDS.has(typed));
  return meant.length > 0 ? meant : pieces;
}

/** The text of "Showing results for …": lower case, with the typed words of `replacements` replaced. */
export function rewriteQuery(text: string, replacements: ReadonlyMap<string, string>): string {
  const exchange = (written: string): string | undefined => {
    const [piece, more] = readWords(written);
    return piece && !more ? replacements.get(piece.term) : undefined;
  };
  return text
    .toLowerCase()
    .trim()
    .replace(/\s+/g, ' ')
    .replace(
      JOINED_WORDS_PATTERN,
      (joined) => exchange(joined) ?? joined.replace(WORD_PATTERN, (word) => exchange(word) ?? word),
    );
}

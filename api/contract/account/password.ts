/** Finds passwords built from a pattern. The server refuses them; the app's strength meter calls them weak. */

/** Rows and columns of a keyboard. */
const KEYBOARD_LINES = [
  '1234567890',
  '!@#$%^&*()',
  'qwertyuiop',
  'asdfghjkl;',
  'zxcvbnm,.',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '7ujm',
];
/** Shorter runs occur in many ordinary words. */
const MIN_RUN_LENGTH = 3;
const MIN_DISTINCT_CHARACTERS = 5;
const MIN_DIGITS = 16;
/** Minimum length of a long word. Guessing tools do not combine such words with '@123'. */
const LONG_WORD_CHARACTERS = 12;
const SHORT_WORD_CHARACTERS = 6;

/** Letters and their substitutes. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  '1': 'i',
  '!': 'i',
  $: 's',
  '5': 's',
  '7': 't',
};

/** The password in lower case, with one form for characters that look alike. */
export const foldPassword = (password: string): string => password.normalize('NFKC').toLowerCase();

/** 'p@ssw0rd' → 'password'. */
export const withoutSubstitutes = (text: string): string =>
  text.replace(/[@430!$517]/g, (character) => SUBSTITUTES[character] ?? character);

/** A password as a word between digits and signs: 'Admin@123' → head '', word 'Admin', tail '@123'. */
export interface PasswordWord {
  word: string;
  /** Digits around the word. */
  digits: string;
  hasAffixes: boolean;
}

/** Removes digits and signs from both ends. */
export function extractPasswordWord(password: string): PasswordWord {
  const {
    head = '',
    word = '',
    tail = '',
  } = /^(?<head>[^\p{L}\p{M}]*)(?<word>.*?)(?<tail>[^\p{L}\p{M}]*)$/su.exec(password)?.groups ?? {};
  const ends = head + tail;
  return { word, digits: ends.replace(/\P{Nd}/gu, ''), hasAffixes: ends !== '' };
}

/** Whether digits are common next to a word: at most three, a year, or a run such as 12345. */
export const areCommonDigits = (digits: string): boolean =>
  digits.length < 4 || /^(?:19|20)\d\d$/.test(digits) || countDistinct([...digits]) <= 1;

/**
 * Whether a password is a pattern: a repeated part, a run of letters, digits or keys, digits alone, or a single short word
 * with a common number ('Krishna@123', 'Shimla2024').
 */
export function isPatternPassword(password: string): boolean {
  const folded = foldPassword(password);
  const part = smallestRepeatedPart(folded);
  if (part !== folded) return [...part].length < 8 || isPatternPassword(part);
  const characters = [...folded];
  if (countDistinct(characters) < MIN_DISTINCT_CHARACTERS) return true;
  const halves = [0, 1].map((parity) => characters.filter((_, index) => index % 2 === parity));
  if (halves.every((half) => countDistinct(half) <= 2)) return true;
  if (!/[\p{L}\p{M}]/u.test(folded)) return folded.replace(/\P{Nd}/gu, '').length < MIN_DIGITS;
  return isWordWithNumber(password);
}

function isWordWithNumber(password: string): boolean {
  const { word, digits, hasAffixes: hasEnds } = extractPasswordWord(password);
  const isOneWord = /^[\p{L}\p{M}]+$/u.test(word) && !/\p{Ll}\p{Lu}/u.test(word);
  const length = [...word].length;
  if (!isOneWord || !hasEnds || length >= LONG_WORD_CHARACTERS) return false;
  return areCommonDigits(digits) || (length <= SHORT_WORD_CHARACTERS && digits.length <= 4);
}

/** 'abcabcab' → 'abc'; a text without repetition is returned unchanged. */
function smallestRepeatedPart(text: string): string {
  const characters = [...text];
  for (let length = 1; length <= characters.length / 2; length += 1)
    if (characters.every((each, index) => each === characters[index % length]))
      return characters.slice(0, length).join('');
  return text;
}

/** Number of characters. A repeated character and a run count once. */
function countDistinct(characters: readonly string[]): number {
  const single = characters.filter((each, index) => each !== characters[index - 1]);
  let count = 0;
  for (let at = 0; at < single.length; count += 1) {
    const length = runLengthFrom(single, at);
    at += length >= MIN_RUN_LENGTH ? length : 1;
  }
  return count;
}

/** Length of the longest run from index `from`. */
function runLengthFrom(characters: readonly string[], from: number): number {
  const lengths = [
    ...KEYBOARD_LINES.map((line) => (character: string) => line.indexOf(character)),
    alphabetPosition,
  ].map((positionOf) => {
    const positions = characters.slice(from).map(positionOf);
    const step = (positions[1] ?? 0) - (positions[0] ?? 0);
    if ((positions[0] ?? -1) < 0 || Math.abs(step) !== 1) return 1;
    const end = positions.findIndex(
      (position, index) => position < 0 || (index > 0 && position - (positions[index - 1] ?? 0) !== step),
    );
    return end === -1 ? positions.length : end;
  });
  return Math.max(...lengths);
}

const alphabetPosition = (character: string): number =>
  /[\p{L}\p{Nd}]/u.test(character) ? (character.codePointAt(0) ?? -1) : -1;

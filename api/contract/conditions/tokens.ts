/** Splits a typed text into words, numbers, dates and signs, and finds phrases among them. */
import { asciiDigits } from '../digits.ts';
import { foldText } from '../search/terms.ts';

/** A piece of the typed text from `from` to `to` (exclusive). */
export interface Token {
  kind: 'word' | 'number' | 'date' | 'sign';
  /** Folded; digits are 0 to 9. */
  text: string;
  from: number;
  to: number;
  /** True if no space is before it. */
  isTight: boolean;
}

const DATE = String.raw`\p{Nd}{4}-\p{Nd}{1,2}-\p{Nd}{1,2}|\p{Nd}{1,2}(?<sign>[./-])\p{Nd}{1,2}\k<sign>(?:\p{Nd}{4}|\p{Nd}{2})(?!\p{Nd})`;
const NUMBER = String.raw`\p{Nd}+(?:,\p{Nd}+)*(?:\.\p{Nd}+)?`;
const WORD = String.raw`\p{L}[\p{L}\p{M}\u200c\u200d]*(?:['’]s)?`;
const TOKEN_PATTERN = new RegExp(`(?<date>${DATE})|(?<number>${NUMBER})|(?<word>${WORD})|<=|>=|[^\\s]`, 'gu');

export function tokenizeQuery(text: string): Token[] {
  return Array.from(text.matchAll(TOKEN_PATTERN), (match) => {
    const { index, 0: found, groups } = match;
    const kind = (['date', 'number', 'word'] as const).find((each) => groups?.[each]) ?? 'sign';
    const folded = kind === 'word' ? foldText(found).replace('’', "'") : asciiDigits(found);
    return {
      kind,
      text: folded,
      from: index,
      to: index + found.length,
      isTight: index > 0 && !/\s/.test(text[index - 1] ?? ''),
    };
  });
}

/** A found phrase: `to` is the token after it. */
export interface Found<Value> {
  value: Value;
  to: number;
}

/** Finds the longest phrase that begins at a token. */
export type PhraseFinder<Value> = (tokens: readonly Token[], at: number) => Found<Value> | undefined;

/** Phrases between commas by their meaning. */
export function phraseFinder<Value>(meanings: readonly (readonly [Value, string])[]): PhraseFinder<Value> {
  const byFirst = new Map<string, { words: string[]; value: Value }[]>();
  for (const [value, phrases] of meanings)
    for (const phrase of phrases.split(',')) {
      const words = tokenizeQuery(phrase).map(({ text }) => text);
      const [first = ''] = words;
      byFirst.set(first, [...(byFirst.get(first) ?? []), { words, value }]);
    }
  for (const list of byFirst.values()) list.sort((one, other) => other.words.length - one.words.length);
  return (tokens, at) => {
    const first = tokens[at]?.text;
    const found =
      first === undefined
        ? undefined
        : byFirst.get(first)?.find(({ words }) => words.every((word, nth) => tokens[at + nth]?.text === word));
    return found && { value: found.value, to: at + found.words.length };
  };
}

/** The words of a line, folded. */
export const wordSet = (line: string): ReadonlySet<string> => new Set(line.split(' ').map(foldText));

/** The first token from `at` on that is not in `words`. */
export function skipWords(tokens: readonly Token[], at: number, words: ReadonlySet<string>): number {
  let next = at;
  while (next < tokens.length && words.has((tokens[next] as Token).text)) next += 1;
  return next;
}

/** The lines of a card that show the words of a search. */

import type { SearchedWord } from '@nivida/contract/tenders/tender';
import { foundAlternatives, markWords, type TextPart } from '@nivida/contract/words/mark-words';

/** Length of a line on a phone, in characters. */
const LINE_CHARACTERS = 90;
/** Characters that are shown before the first marked word of a line. */
const LEAD_CHARACTERS = 20;

/**
 * Why words were found that the user did not type: 'danga: retaining wall'. Each reason once, in the order of
 * the tenders.
 */
export function markReasons(
  tenders: readonly { title: string; description: string }[],
  words: readonly SearchedWord[],
): string[] {
  const parts = tenders.flatMap((tender) => [...markWords(tender.title, words), ...(snippetOf(tender, words) ?? [])]);
  return [...new Set(parts.flatMap(({ reason }) => reason ?? []))];
}

/**
 * One line of the description around a found word that the title lacks. Undefined when the title has all
 * found words.
 */
export function snippetOf(
  { title, description }: { title: string; description: string },
  words: readonly SearchedWord[],
): TextPart[] | undefined {
  if (description === title) return undefined;
  const inTitle = new Set([...foundAlternatives(title, words).values()].map(({ word }) => word));
  const missing = words.filter((word) => !inTitle.has(word));
  const parts = markWords(description, missing);
  return parts.some(({ isMarked }) => isMarked) ? lineFromMark(parts) : undefined;
}

/** Length of a title that the card shows in full, on a phone and on a wide screen. */
const TITLE_CHARACTERS = { phone: 60, wide: 125 };

/** One line of the title around its first marked word. Undefined when the card shows that word anyway. */
export function cutTitleLine(
  title: string,
  words: readonly SearchedWord[],
): { parts: TextPart[]; isForPhone: boolean } | undefined {
  const parts = markWords(title, words);
  const first = parts.findIndex(({ isMarked }) => isMarked);
  const end = parts.slice(0, first + 1).reduce((sum, { text }) => sum + text.length, 0);
  if (first < 0 || end <= TITLE_CHARACTERS.phone) return undefined;
  return { parts: lineFromMark(parts), isForPhone: end <= TITLE_CHARACTERS.wide };
}

/** One line that begins shortly before the first marked part. */
function lineFromMark(parts: readonly TextPart[]): TextPart[] {
  const first = parts.findIndex(({ isMarked }) => isMarked);
  const before = parts
    .slice(0, first)
    .map(({ text }) => text)
    .join('');
  const lead =
    before.length > LEAD_CHARACTERS
      ? `…${before.slice(before.indexOf(' ', before.length - LEAD_CHARACTERS) + 1 || -LEAD_CHARACTERS)}`
      : before;
  const line: TextPart[] = [{ text: lead, isMarked: false, reason: undefined }, ...parts.slice(first)];
  let length = 0;
  return line.filter(({ text }) => {
    const isShown = length < LINE_CHARACTERS;
    length += text.length;
    return isShown;
  });
}

/** Finds the words of a search in what was read, on the server and on a device. */

import { MATCH_QUALITY, type QueryWord } from '../search/query-words.ts';
import { searchTerms } from '../search/terms.ts';
import type { SearchedWord } from '../tenders/tender.ts';
import { markWords } from '../words/mark-words.ts';
import { type BoqItem, isItem } from './boq.ts';
import type { DocumentHitPlace } from './document-hits.ts';
import { continuesCode } from './item-codes.ts';
import type { TenderReading } from './tender-reading.ts';

/** More terms of one page or item are not searched. */
const MAX_PART_TERMS = 5_000;

/** The terms under which a page or item is found. */
export const documentTerms = (text: string): string[] => searchTerms(text).slice(0, MAX_PART_TERMS);

/**
 * The text under which each line of a BOQ is found: after the headings whose number its own continues; without a number,
 * after the heading above it. Null for a heading.
 */
export function boqSearchTexts(items: readonly BoqItem[]): (string | null)[] {
  let headings: BoqItem[] = [];
  return items.map((item) => {
    const above = item.no === '' ? headings.slice(-1) : headings.filter(({ no }) => continuesCode(item.no, no));
    if (!isItem(item)) {
      headings = [...(item.no === '' ? [] : above), item];
      return null;
    }
    return [...above, item].map(({ text }) => text).join('\n');
  });
}

/** Whether terms have all required words. */
export function hasQueryWords(terms: ReadonlySet<string>, words: readonly QueryWord[]): boolean {
  const has = (term: string, isPrefix: boolean) =>
    terms.has(term) || (isPrefix && [...terms].some((each) => each.startsWith(term)));
  return words
    .filter(({ required }) => required)
    .every(({ alternatives }) =>
      alternatives.some((alternative) =>
        alternative.terms.every((term, at) =>
          has(term, alternative.quality === MATCH_QUALITY.prefix && at === alternative.terms.length - 1),
        ),
      ),
    );
}

/** The first item of a BOQ with all words, else the first line of a page; undefined when the reading has none. */
export function findInReading(
  { files, facts, boqs }: TenderReading,
  words: readonly QueryWord[],
): (Omit<DocumentHitPlace, 'snippet'> & { text: string }) | undefined {
  if (!words.some(({ required }) => required)) return undefined;
  const nameOf = (fileId: string) => files.find(({ id }) => id === fileId)?.name ?? '';
  for (const { fileId, boq } of boqs) {
    const texts = boq ? boqSearchTexts(boq.items) : [];
    const at = texts.findIndex((text) => text !== null && hasQueryWords(new Set(documentTerms(text)), words));
    if (at !== -1) return { file: nameOf(fileId), page: null, item: boq?.items[at]?.no ?? '', text: texts[at] ?? '' };
  }
  const fact = facts.find(({ quote }) => hasQueryWords(new Set(documentTerms(quote)), words));
  return fact && { file: nameOf(fact.fileId), page: fact.page, item: null, text: fact.quote };
}

const MAX_SNIPPET_CHARACTERS = 160;
/** Words of a page that are shown beside found words. */
const CONTEXT_WORDS = 4;
const MAX_LINE_CHARACTERS = 300;

/** The found words of a text, '…' for what is left out; with `isPage` of its best line and with a few words around them. */
export function documentSnippet(text: string, words: readonly SearchedWord[], isPage: boolean): string {
  const parts = markWords(isPage ? bestLine(text, words) : text.replace(/\s+/g, ' '), words);
  const around = isPage ? CONTEXT_WORDS : 0;
  const pieces = parts.flatMap(({ text: own, isMarked }, at) => {
    if (isMarked) return [own.trim()];
    const left = own.split(/\s+/).filter((word) => word !== '');
    const before = at === 0 ? [] : left.slice(0, around);
    const after =
      at === parts.length - 1 || around === 0 ? [] : left.slice(Math.max(before.length, left.length - around));
    const isCut = before.length + after.length < left.length;
    return [...before, ...(isCut ? ['…'] : []), ...after];
  });
  const snippet = pieces.join(' ');
  return snippet.length <= MAX_SNIPPET_CHARACTERS
    ? snippet
    : `${snippet.slice(0, snippet.lastIndexOf(' ', MAX_SNIPPET_CHARACTERS - 2))} …`;
}

/** The line with the most of the words. */
function bestLine(text: string, words: readonly SearchedWord[]): string {
  const lines = text
    .split(/\n|(?<=[.;:])\s+/)
    .flatMap((line) => line.match(new RegExp(`.{1,${MAX_LINE_CHARACTERS}}`, 'gsu')) ?? []);
  const typed = (line: string) =>
    words.filter((word) => markWords(line, [word]).some(({ isMarked }) => isMarked)).length;
  let best = { line: text.slice(0, MAX_LINE_CHARACTERS), count: 0 };
  for (const line of lines) {
    const count = typed(line);
    if (count > best.count) best = { line, count };
  }
  return best.line;
}

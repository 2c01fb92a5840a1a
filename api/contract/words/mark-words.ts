/** Marks the words of a search in a text, on the server and on a device. */

import { joinWardNumbers, searchTerms } from '../search/terms.ts';
import type { SearchedWord } from '../tenders/tender.ts';

/**
 * A part of a text. `reason` is set when a marked part is not what the user typed: 'danga: retaining wall'.
 */
export interface TextPart {
  text: string;
  isMarked: boolean;
  reason: string | undefined;
}

/** The alternatives that occur in a text, by their terms. */
export function foundAlternatives(
  text: string,
  words: readonly SearchedWord[],
): Map<string, { word: SearchedWord; alternative: string }> {
  const terms = searchTerms(joinWardNumbers(text));
  const found = new Map<string, { word: SearchedWord; alternative: string }>();
  for (const word of words)
    for (const alternative of word.alternatives) {
      const matching = alternative.split(' ').map((part) => {
        const stem = part.endsWith('*') ? part.slice(0, -1) : undefined;
        return terms.filter((term) => (stem === undefined ? term === part : term.startsWith(stem)));
      });
      if (matching.some((each) => each.length === 0)) continue;
      for (const term of matching.flat()) if (!found.has(term)) found.set(term, { word, alternative });
    }
  return found;
}

/** Maximum number of words that are read as one: 'R wall', 'Ward No. 7'. */
const MAX_JOINED_WORDS = 3;

/**
 * The name of an alternative. If its term is not written in the text, the marked words: 'r wall', not
 * 'rwall'.
 */
function nameOf(alternative: string, marked: string): string {
  const own = marked.toLowerCase();
  const isWritten = alternative.split(' ').some((term) => own.includes(term.replace('*', '')));
  return isWritten ? alternative.replaceAll('*', '…') : own.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** Splits a text into parts. Parts that contain words of the search are marked. */
export function markWords(text: string, words: readonly SearchedWord[]): TextPart[] {
  const found = words.length > 0 ? foundAlternatives(text, words) : new Map();
  if (found.size === 0) return [{ text, isMarked: false, reason: undefined }];
  // Even entries are words; odd entries are the spaces between them.
  const pieces = text.split(/(\s+)/);
  const marks = new Map<number, { reason: string | undefined }>();
  const missing = new Set(found.keys());
  for (let joined = 1; joined <= MAX_JOINED_WORDS && missing.size > 0; joined += 1)
    for (let from = 0; from + 2 * joined - 1 <= pieces.length; from += 2) {
      const places = Array.from({ length: 2 * joined - 1 }, (_, at) => from + at);
      if (places.some((at) => marks.has(at))) continue;
      const own = places.map((at) => pieces[at]).join('');
      const term = searchTerms(joinWardNumbers(own)).find((each) => found.has(each));
      const match = term === undefined ? undefined : found.get(term);
      if (term === undefined || !match) continue;
      missing.delete(term);
      const written = match.alternative.replaceAll('*', '');
      const reason =
        written === match.word.typed ? undefined : `${match.word.typed}: ${nameOf(match.alternative, own)}`;
      for (const at of places) marks.set(at, { reason });
    }
  const parts: TextPart[] = [];
  for (const [at, piece] of pieces.entries()) {
    const mark = marks.get(at);
    const isMarked = mark !== undefined;
    const last = parts.at(-1);
    if (last && last.isMarked === isMarked && last.reason === mark?.reason) last.text += piece;
    else if (piece !== '') parts.push({ text: piece, isMarked, reason: mark?.reason });
  }
  return parts;
}

/** Completions of a typed text, from matching tenders. */
import { foldText, isTenderId } from '@nivida/contract/search/terms';
import { encodeText } from '../segments/packed-texts.ts';
import { CLASS_BITS, type SegmentIndex } from '../segments/segment-index.ts';

/** From each index, this many best terms are counted over all indexes. */
const TERMS_PER_SEGMENT = 24;
/** A single letter has too many completions. */
const MIN_CHARACTERS = 2;
const WORD_PATTERN = /^\p{L}[\p{L}\p{M}]*$/u;

/** Splits a typed text into the finished words and the unfinished last one, which is '' after a space. */
export function splitTypedText(text: string): { finished: string; stem: string } {
  const typed = text.replace(/\s+/g, ' ').trimStart();
  const end = typed.lastIndexOf(' ') + 1;
  return { finished: typed.slice(0, end), stem: typed.slice(end) };
}

/** Words that begin with `stem`, with the number of matching tenders, most first. */
export function completeWord(
  segments: readonly SegmentIndex[],
  masks: readonly Uint8Array[],
  stem: string,
): Map<string, number> {
  const beginning = foldText(stem);
  if ([...beginning].length < MIN_CHARACTERS || !WORD_PATTERN.test(beginning)) return new Map();
  const words = new Set<string>();
  for (const [index, segment] of segments.entries()) {
    const { from, to } = segment.find(encodeText(beginning), true);
    const counted: { term: number; count: number }[] = [];
    for (let term = from; term < to; term += 1) {
      const count = countMatching(segment, masks[index] as Uint8Array, term);
      if (count > 0) counted.push({ term, count });
    }
    counted.sort((one, other) => other.count - one.count);
    for (const { term } of counted.slice(0, TERMS_PER_SEGMENT)) {
      const word = segment.termAt(term);
      if (word !== beginning && WORD_PATTERN.test(word)) words.add(word);
    }
  }
  const totals = [...words].map((word) => {
    const bytes = encodeText(word);
    const counts = segments.map((pack, index) => {
      const { from, to } = pack.find(bytes, false);
      return from < to ? countMatching(pack, masks[index] as Uint8Array, from) : 0;
    });
    return [word, counts.reduce((sum, count) => sum + count, 0)] as const;
  });
  return new Map(totals.sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1)));
}

const ID_BEGINNING_PATTERN = /^\d{4}_[a-z0-9_]*$/;
const MAX_IDS = 5;

/** Ids of matching tenders that begin with `stem`, as portals write them. */
export function completeId(segments: readonly SegmentIndex[], masks: readonly Uint8Array[], stem: string): string[] {
  const beginning = foldText(stem);
  if (!ID_BEGINNING_PATTERN.test(beginning)) return [];
  const ids: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const { from, to } = segment.find(encodeText(beginning), true);
    for (let term = from; term < to && ids.length < MAX_IDS; term += 1) {
      const id = segment.termAt(term);
      if (isTenderId(id) && countMatching(segment, masks[index] as Uint8Array, term) > 0) ids.push(id.toUpperCase());
    }
  }
  return ids;
}

function countMatching(segment: SegmentIndex, mask: Uint8Array, term: number): number {
  const postings = segment.postingsOf({ from: term, to: term + 1 });
  let count = 0;
  for (let at = 0; at < postings.length; at += 1) count += mask[(postings[at] as number) >>> CLASS_BITS] as number;
  return count;
}

/** Names with a word that begins with the text, most tenders first. */
export function matchingNames(text: string, tendersByName: Readonly<Record<string, number>>, limit: number): string[] {
  const folded = foldText(text.trim());
  if ([...folded].length < MIN_CHARACTERS) return [];
  return Object.entries(tendersByName)
    .filter(([name]) => ` ${foldText(name)}`.includes(` ${folded}`))
    .sort(([, many], [, more]) => more - many)
    .slice(0, limit)
    .map(([name]) => name);
}

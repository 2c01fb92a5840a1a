/** What a text that is being typed may become, from the tenders that would be found. */
import { fold } from '@nivida/contract/search';
import type { Matches } from './matching.ts';
import type { Pack } from './pack.ts';
import { toBytes } from './texts.ts';

/** Terms of each pack that are counted over all packs; the best of all are among the best of some. */
const BEST_OF_PACK = 24;
const MOST_NAMES = 3;
/** A single letter could become anything. */
const LEAST_CHARACTERS = 2;
const WORD = /^\p{L}[\p{L}\p{M}]*$/u;

/** A typed text as the words that are finished and the one that may go on; '' after a space. */
export function splitTyped(text: string): { finished: string; stem: string } {
  const typed = text.replace(/\s+/g, ' ').trimStart();
  const end = typed.lastIndexOf(' ') + 1;
  return { finished: typed.slice(0, end), stem: typed.slice(end) };
}

/** Longer words for `stem` with the number of matching tenders that have each, most first. */
export function longerWords(packs: readonly Pack[], masks: readonly Uint8Array[], stem: string): Map<string, number> {
  const beginning = fold(stem);
  if ([...beginning].length < LEAST_CHARACTERS || !WORD.test(beginning)) return new Map();
  const words = new Set<string>();
  for (const [index, pack] of packs.entries()) {
    const { from, to } = pack.find(toBytes(beginning), true);
    const counted: { term: number; count: number }[] = [];
    for (let term = from; term < to; term += 1) {
      const count = countMatching(pack, masks[index] as Uint8Array, term);
      if (count > 0) counted.push({ term, count });
    }
    counted.sort((one, other) => other.count - one.count);
    for (const { term } of counted.slice(0, BEST_OF_PACK)) {
      const [word = ''] = pack.textsOf({ from: term, to: term + 1 });
      if (word !== beginning && WORD.test(word)) words.add(word);
    }
  }
  const totals = [...words].map((word) => {
    const bytes = toBytes(word);
    const counts = packs.map((pack, index) => {
      const { from, to } = pack.find(bytes, false);
      return from < to ? countMatching(pack, masks[index] as Uint8Array, from) : 0;
    });
    return [word, counts.reduce((sum, count) => sum + count, 0)] as const;
  });
  return new Map(totals.sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1)));
}

function countMatching(pack: Pack, mask: Uint8Array, term: number): number {
  const rows = pack.rowsOf({ from: term, to: term + 1 });
  let count = 0;
  for (let at = 0; at < rows.length; at += 1) count += mask[rows[at] as number] as number;
  return count;
}

/** Districts and departments of which a word begins as the text does, those with most tenders first. */
export function namesLike(text: string, { districts, departments }: Matches['facets']): string[] {
  const asked = fold(text.trim());
  if ([...asked].length < LEAST_CHARACTERS) return [];
  return Object.entries({ ...departments, ...districts })
    .filter(([name]) => ` ${fold(name)}`.includes(` ${asked}`))
    .sort(([, many], [, more]) => more - many)
    .slice(0, MOST_NAMES)
    .map(([name]) => name);
}

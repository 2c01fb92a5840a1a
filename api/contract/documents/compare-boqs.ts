/** What a corrigendum changed in a BOQ. */
import { type BoqItem, isItem } from './boq.ts';
import { billionths } from './decimals.ts';
import type { BoqChanges } from './tender-reading.ts';

const plain = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** What makes two lines the same item, from the surest. A later rule is for the lines that an earlier one left over. */
const MATCHES: readonly ((item: BoqItem) => string)[] = [
  ({ no, text, unit }) => JSON.stringify([plain(no), plain(text), plain(unit ?? '')]),
  // Numbers move when a line is inserted before them.
  ({ text, unit }) => JSON.stringify([plain(text), plain(unit ?? '')]),
  ({ no, text }) => JSON.stringify([plain(no), plain(text)]),
];

/**
 * The items of `later` compared with those of `earlier`; headings are left out. A line whose number alone differs is
 * unchanged; a line with another text is removed and added. Null when no item is in both: they are for different works.
 */
export function compareBoqs(earlier: { items: BoqItem[] }, later: { items: BoqItem[] }): BoqChanges | null {
  let before = earlier.items.filter(isItem);
  let after = later.items.filter(isItem);
  const changed: BoqChanges['changed'] = [];
  const itemCount = after.length;
  for (const keyOf of MATCHES) {
    const unmatched = Map.groupBy(before, keyOf);
    after = after.filter((item) => {
      const match = unmatched.get(keyOf(item))?.shift();
      if (match && !isSame(match, item)) changed.push({ before: match, after: item });
      return match === undefined;
    });
    before = [...unmatched.values()].flat();
  }
  if (after.length === itemCount) return null;
  const byRow = (one: BoqItem, other: BoqItem) => one.row - other.row;
  return {
    added: after,
    removed: before.sort(byRow),
    changed: changed.sort((one, other) => byRow(one.after, other.after)),
  };
}

/** Whether unit, quantity and office's rate are equal. */
const isSame = (one: BoqItem, other: BoqItem): boolean =>
  plain(one.unit ?? '') === plain(other.unit ?? '') &&
  isSameDecimal(one.quantity, other.quantity) &&
  isSameDecimal(one.rate, other.rate);

const isSameDecimal = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : billionths(one) === billionths(other);

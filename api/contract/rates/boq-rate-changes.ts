/** What a corrigendum of a BOQ costs at the bidder's rates, and which of his rates still fit. */
import { type Boq, type BoqItem, isItem, itemPaise } from '../documents/boq.ts';
import type { BoqChanges } from '../documents/tender-reading.ts';
import { groupByKey, itemKey } from './item-words.ts';
import type { RatesByRow } from './my-rates.ts';

/** The difference in paise that changed lines make at the rates of the later file; null when a rate is missing. */
export function costOfChanges({ added, removed, changed }: BoqChanges, rates: RatesByRow, before: RatesByRow) {
  const at = (item: BoqItem, of: RatesByRow) => (isItem(item) ? itemPaise(item, of.get(item.row) ?? null) : 0);
  const parts = [
    ...added.map((item) => at(item, rates)),
    ...removed.map((item) => negative(at(item, before))),
    ...changed.flatMap((each) => [at(each.after, rates), negative(atRateOf(each, rates, before))]),
  ];
  return parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0);
}

const negative = (paise: number | null) => (paise === null ? null : -paise);

/** The earlier line at its own rate, or at that of the later line. */
function atRateOf({ before, after }: BoqChanges['changed'][number], rates: RatesByRow, earlier: RatesByRow) {
  return isItem(before) ? itemPaise(before, earlier.get(before.row) ?? rates.get(after.row) ?? null) : 0;
}

/** A rate of an earlier file. */
export interface EarlierRate {
  text: string;
  unit: string;
  rate: string;
  ratedAt: string;
}

/**
 * The rates of an earlier file for items that are the same in the present one, by row: those without a rate whose text and
 * unit occur once. The user decides whether they are taken over.
 */
export function carriedRates(
  { items }: Pick<Boq, 'items'>,
  rates: RatesByRow,
  earlier: readonly EarlierRate[],
): Map<number, string> {
  const itemsByKey = groupByKey(items.filter(isItem), itemKey);
  const earlierByKey = groupByKey(earlier, itemKey);
  const carried = new Map<number, string>();
  for (const [key, [item, ...others]] of itemsByKey) {
    const found = new Set((earlierByKey.get(key) ?? []).map(({ rate }) => rate));
    const [rate] = found;
    if (!item || others.length > 0 || found.size !== 1 || rate === undefined || rates.has(item.row)) continue;
    carried.set(item.row, rate);
  }
  return carried;
}

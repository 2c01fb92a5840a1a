/** Finds the items of a schedule whose texts resemble a line of a BOQ. */
import { searchTerms } from '@nivida/contract/search/terms';

/** A text in a unit. */
export interface TextInUnit {
  text: string;
  normalUnit: string;
}

/** Share of the weight of both texts that their common terms need. */
const MIN_SIMILARITY = 0.25;

interface UnitIndex<Item> {
  items: { item: Item; weight: number }[];
  /** Positions in `items` by term. */
  positions: Map<string, number[]>;
}

/**
 * A function that gives the `most` items which resemble a text most, only those of its unit. The similarity is the weight
 * of the common terms over the weight of all terms of both; a rare term weighs more. Equal ones have the order of `items`.
 */
export function similarItems<Item extends TextInUnit>(
  items: readonly Item[],
): (asked: TextInUnit, most: number) => Item[] {
  const frequencies = new Map<string, number>();
  const terms = items.map(({ text }) => searchTerms(text));
  for (const term of terms.flat()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const weightOf = (term: string) => Math.log2(1 + items.length / (frequencies.get(term) ?? 1));
  const weigh = (own: readonly string[]) => own.reduce((sum, term) => sum + weightOf(term), 0);
  const units = new Map<string, UnitIndex<Item>>();
  for (const [at, item] of items.entries()) {
    const unit: UnitIndex<Item> = units.get(item.normalUnit) ?? { items: [], positions: new Map() };
    units.set(item.normalUnit, unit);
    const own = terms[at] ?? [];
    for (const term of own) {
      const positions = unit.positions.get(term);
      if (positions) positions.push(unit.items.length);
      else unit.positions.set(term, [unit.items.length]);
    }
    unit.items.push({ item, weight: weigh(own) });
  }
  return ({ text, normalUnit }, most) => {
    const unit = units.get(normalUnit);
    if (!unit) return [];
    const asked = searchTerms(text);
    const askedWeight = weigh(asked);
    const common = new Map<number, number>();
    for (const term of asked)
      for (const at of unit.positions.get(term) ?? []) common.set(at, (common.get(at) ?? 0) + weightOf(term));
    return [...common]
      .map(([at, shared]) => {
        const { item, weight } = unit.items[at] as (typeof unit.items)[number];
        return { at, item, similarity: shared / (weight + askedWeight - shared) };
      })
      .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
      .sort((one, other) => other.similarity - one.similarity || one.at - other.at)
      .slice(0, most)
      .map(({ item }) => item);
  };
}

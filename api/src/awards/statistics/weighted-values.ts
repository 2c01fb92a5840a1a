/** A distribution of whole numbers: the weight of each value. */
export type WeightedValues = ReadonlyMap<number, number>;

/** Each value weighs 1 for each time it occurs. */
export function countValues(values: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Sum of the weights. */
export function totalWeight(values: WeightedValues): number {
  let sum = 0;
  for (const weight of values.values()) sum += weight;
  return sum;
}

/** Adds the parent's distribution with the total weight `parentWeight`. An empty parent adds nothing. */
export function blend(own: WeightedValues, parent: WeightedValues, parentWeight: number): Map<number, number> {
  const blended = new Map(own);
  const total = totalWeight(parent);
  for (const [value, weight] of parent) blended.set(value, (blended.get(value) ?? 0) + (weight * parentWeight) / total);
  return blended;
}

/** Far larger than the rounding errors of blended weights. */
const TOLERANCE = 1e-9;

/**
 * The range of a distribution: `low` is the smallest value whose cumulated weight exceeds lowShare · (W + 1) − 1, `high` the
 * smallest that reaches highShare · (W + 1), else the largest value. Null without values.
 */
export function weightedRange(
  values: WeightedValues,
  lowShare: number,
  highShare: number,
): { low: number; high: number } | null {
  const sorted = [...values].sort(([a], [b]) => a - b);
  const last = sorted.at(-1);
  if (!last) return null;
  const total = totalWeight(values) + 1;
  let low: number | undefined;
  let cumulated = 0;
  for (const [value, weight] of sorted) {
    cumulated += weight;
    if (low === undefined && cumulated > lowShare * total - 1 + TOLERANCE) low = value;
    if (cumulated >= highShare * total - TOLERANCE) return { low: low ?? value, high: value };
  }
  return { low: low ?? last[0], high: last[0] };
}

/** The districts and departments that a filter offers. */
import { foldName } from '@nivida/contract/regions/fold-name';

/** A district or department with the number of its tenders; undefined while they are not counted. */
export interface PlaceChoice {
  name: string;
  tenders: number | undefined;
}

/** Listed names, names with tenders and chosen names: most tenders first, then by name. */
export function placeChoices(
  listed: readonly string[],
  counts: Readonly<Record<string, number>> | undefined,
  chosen: readonly string[],
): PlaceChoice[] {
  const names = [...new Set([...listed, ...Object.keys(counts ?? {}), ...chosen])];
  return names
    .map((name) => ({ name, tenders: counts && (counts[name] ?? 0) }))
    .sort((one, other) => (other.tenders ?? 0) - (one.tenders ?? 0) || one.name.localeCompare(other.name, 'en'));
}

/** Those with a typed text in their name; without a text those with tenders and the chosen ones, or all. */
export function visibleChoices(
  choices: readonly PlaceChoice[],
  chosen: readonly string[],
  typed: string,
  isAll: boolean,
): PlaceChoice[] {
  const text = foldName(typed);
  if (typed.trim() !== '') return choices.filter(({ name }) => foldName(name).includes(text));
  return choices.filter(({ name, tenders }) => isAll || tenders !== 0 || chosen.includes(name));
}

/** The choices in the order of `names`, so that the rows of an open list do not move under a finger; others come last. */
export function inOrderOf(choices: readonly PlaceChoice[], names: readonly string[]): PlaceChoice[] {
  const at = new Map(names.map((name, place) => [name, place]));
  const placeOf = ({ name }: PlaceChoice) => at.get(name) ?? names.length;
  return [...choices].sort((one, other) => placeOf(one) - placeOf(other));
}

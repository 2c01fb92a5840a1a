/** The districts and departments that a filter offers. */
import { departmentGloss } from '@nivida/contract/regions/department-gloss';
import { foldName } from '@nivida/contract/regions/fold-name';
import { comparePlaces, placeName } from '@nivida/contract/regions/states';

/** A district or department with the number of its tenders; undefined while it is not counted. */
export interface PlaceChoice {
  name: string;
  tenders: number | undefined;
}

/** Listed names, names with tenders and chosen names. Most tenders first, then by name. */
export function placeChoices(
  listed: readonly string[],
  counts: Readonly<Record<string, number>> | undefined,
  chosen: readonly string[],
): PlaceChoice[] {
  const names = [...new Set([...listed, ...Object.keys(counts ?? {}), ...chosen])];
  return names
    .map((name) => ({ name, tenders: counts && (counts[name] ?? 0) }))
    .sort((one, other) => (other.tenders ?? 0) - (one.tenders ?? 0) || comparePlaces(one.name, other.name));
}

/**
 * The choices whose name contains the typed text. Without a text: all choices, or only chosen ones and those
 * with tenders.
 */
export function visibleChoices(
  choices: readonly PlaceChoice[],
  chosen: readonly string[],
  typed: string,
  isAll: boolean,
): PlaceChoice[] {
  const text = foldName(typed);
  if (typed.trim() !== '')
    return choices.filter(({ name }) =>
      [name, placeName(name), departmentGloss(name) ?? ''].some((each) => foldName(each).includes(text)),
    );
  return choices.filter(({ name, tenders }) => isAll || tenders !== 0 || chosen.includes(name));
}

/**
 * The choices in the order of `names`, others last. The rows of an open list then do not move under a finger.
 */
export function inOrderOf(choices: readonly PlaceChoice[], names: readonly string[]): PlaceChoice[] {
  const at = new Map(names.map((name, place) => [name, place]));
  const placeOf = ({ name }: PlaceChoice) => at.get(name) ?? names.length;
  return [...choices].sort((one, other) => placeOf(one) - placeOf(other));
}

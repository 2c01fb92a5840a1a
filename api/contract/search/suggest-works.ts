/** Works and places that a typed text may begin, from the dictionary and the lists of places: without any tender. */
import { REGIONS } from '../regions/regions.ts';
import { SYNONYM_GROUPS } from './dictionary.ts';
import { findPlace, foldPlaceName } from './place-names.ts';

const MIN_CHARACTERS = 2;

/** Works of several words, by the first name of their group, and their spellings: 'dang' begins 'retaining wall'. */
const works = SYNONYM_GROUPS.flatMap((group) => {
  const [name = ''] = group;
  return /^[a-z]+( [a-z]+)+$/.test(name) && !findPlace(foldPlaceName(name))
    ? [{ name, spellings: group.map(foldPlaceName) }]
    : [];
});

const places = REGIONS.flatMap(({ state, districts }) => [state.name, ...districts.map(({ name }) => name)]).map(
  (name) => ({ name, spelling: foldPlaceName(name) }),
);

function beginning(text: string): string | undefined {
  const folded = foldPlaceName(text);
  return [...folded].length < MIN_CHARACTERS ? undefined : folded;
}

/** Multi-word entries with a spelling that starts with the text; shortest spelling first. */
export function suggestWorks(text: string, limit: number): string[] {
  const begun = beginning(text);
  if (begun === undefined) return [];
  return works
    .map(({ name, spellings }) => ({
      name,
      length: Math.min(...spellings.filter((each) => each.startsWith(begun)).map((each) => each.length)),
    }))
    .filter(({ length }) => Number.isFinite(length))
    .sort((one, other) => one.length - other.length || (one.name < other.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** States and districts with a name that begins with the text. */
export function suggestPlaces(text: string, limit: number): string[] {
  const begun = beginning(text);
  if (begun === undefined) return [];
  const found = places.filter(({ spelling }) => spelling.startsWith(begun)).map(({ name }) => name);
  return [...new Set(found)].slice(0, limit);
}

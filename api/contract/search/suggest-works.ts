/**
 * Suggests works, places and departments for a typed text. They come from the dictionary and the lists of places, so no
 * tenders are needed.
 */
import { REGIONS } from '../regions/regions.ts';
import { SYNONYM_GROUPS } from './dictionary.ts';
import { findPlace, foldPlaceName } from './place-names.ts';
import { termFrequencies, termFrequency } from './term-frequencies.ts';
import { foldText } from './terms.ts';

/** A completion of a typed text. A suggestion of kind 'word' completes the last word only. */
export interface Suggestion {
  text: string;
  kind: 'place' | 'department' | 'work' | 'id' | 'word';
}

const MIN_CHARACTERS = 2;

/** Works of several words, by the first name of their group, and their spellings: 'dang' begins 'retaining wall'. */
const works = SYNONYM_GROUPS.flatMap((group) => {
  const [name = ''] = group;
  return /^[a-z]+( [a-z]+)+$/.test(name) && !findPlace(foldPlaceName(name))
    ? [{ name, spellings: group.map(foldPlaceName) }]
    : [];
});

/** Works in Devanagari: 'सड़' begins 'सड़क'. */
const hindiWorks = SYNONYM_GROUPS.flatMap((group) =>
  group
    .filter((name) => /^[\p{Script=Devanagari} ]+$/u.test(name) && !findPlace(foldPlaceName(name)))
    .map((name) => ({ name, spellings: [foldPlaceName(name)] })),
);

const places = REGIONS.flatMap(({ state, districts }) =>
  [state.name, ...districts.map(({ name }) => name)].map((name) => ({
    name,
    state: state.name,
    spelling: foldPlaceName(name),
  })),
);

/** Departments of each state, each with its spellings: 'pwd' begins the Public Works Department. */
const departments = REGIONS.flatMap(({ state, departments }) =>
  departments.map(({ name, aliases }) => ({
    name,
    state: state.name,
    folded: ` ${foldPlaceName(name)}`,
    aliases: aliases.map(foldPlaceName),
  })),
);

function beginning(text: string): string | undefined {
  const folded = foldPlaceName(text);
  return [...folded].length < MIN_CHARACTERS ? undefined : folded;
}

/** Added to the order of a spelling that has the text at the start of a later word, so that it comes later. */
const LATER_WORD_LENGTH = 1_000;
/** Added to the order of other spellings than the shown name: 'road' suggests 'link road' before 'street light' ('road light'). */
const OTHER_SPELLING_LENGTH = 2_000;

/** Entries with a word that starts with the text. Those whose first word does come first; then shorter spellings. */
export function suggestWorks(text: string, limit: number): string[] {
  const begun = beginning(text);
  if (begun === undefined) return [];
  const lengthOf = (spelling: string, at: number) => {
    const length = spelling.length + (at === 0 ? 0 : OTHER_SPELLING_LENGTH);
    if (spelling.startsWith(begun)) return length;
    return spelling.includes(` ${begun}`) ? LATER_WORD_LENGTH + length : Infinity;
  };
  return [...works, ...hindiWorks]
    .filter(({ name }) => name !== text.trim())
    .map(({ name, spellings }) => ({ name, length: Math.min(...spellings.map(lengthOf)) }))
    .filter(({ length }) => Number.isFinite(length))
    .sort((one, other) => one.length - other.length || (one.name < other.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** States and districts with a name that begins with the text, of one state or of all (''). */
export function suggestPlaces(text: string, limit: number, ofState = ''): string[] {
  const begun = beginning(text);
  if (begun === undefined) return [];
  const found = places.filter(
    ({ spelling, state }) => (ofState === '' || state === ofState) && spelling.startsWith(begun),
  );
  // Names that tenders have often come first.
  const frequency = (spelling: string) => Math.min(...spelling.split(' ').map(termFrequency));
  const sorted = found.toSorted((one, other) => frequency(other.spelling) - frequency(one.spelling));
  return [...new Set(sorted.map(({ name }) => name))].slice(0, limit);
}

/** Departments of one state or of all (''): a word of the name, or an abbreviation, begins with the text. */
export function suggestDepartments(text: string, limit: number, ofState = ''): string[] {
  const begun = beginning(text);
  if (begun === undefined) return [];
  const states = new Map<string, number>();
  for (const { name, state, folded, aliases } of departments) {
    if (ofState !== '' && state !== ofState) continue;
    const isBegun = folded.includes(` ${begun}`) || aliases.some((alias) => alias.startsWith(begun));
    if (isBegun) states.set(name, (states.get(name) ?? 0) + 1);
  }
  // Departments that exist in most states come first.
  const byStates = [...states].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1));
  return byStates.slice(0, limit).map(([name]) => name);
}

/** The text with its last word completed to words that tenders often have, most frequent first. */
export function suggestWords(text: string, limit: number): string[] {
  const end = text.lastIndexOf(' ') + 1;
  const begun = foldText(text.slice(end));
  if ([...begun].length < MIN_CHARACTERS || !/^[a-z]+$/.test(begun)) return [];
  return [...termFrequencies()]
    .filter(([term]) => term.startsWith(begun) && term !== begun && /^[a-z]{4,}$/.test(term))
    .sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
    .slice(0, limit)
    .map(([term]) => text.slice(0, end) + term);
}

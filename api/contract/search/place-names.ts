/** Names of states and districts as people type them, in both scripts. */
import { REGIONS } from '../regions/regions.ts';
import { SYNONYM_GROUPS } from './dictionary.ts';
import { createWordsBySound, VIRAMA } from './spelling/transliteration.ts';
import { termFrequency } from './term-frequencies.ts';
import { foldText } from './terms.ts';

/** A district of a state, by listed names. */
export interface StateDistrict {
  state: string;
  district: string;
}

/** The meaning of a name: a state, or districts of one or several states. */
export interface NamedPlace {
  state: string | null;
  districts: readonly StateDistrict[];
  /** True when the name has another common meaning. It is then a place only next to 'district', 'zila' or 'जिला'. */
  isAmbiguous: boolean;
  /** True when tenders of other states often contain the word. Without a state it is then a place only next to those words. */
  isFrequentElsewhere: boolean;
}

/** Words of several meanings that are also names of districts. */
const AMBIGUOUS_NAMES = new Set(
  'central north south east west krishna kota anand sagar pali basti sidhi dang dangs mau leh asr bid dig mon phek sham tapi guna ntr'.split(
    ' ',
  ),
);
/** The one abbreviation of two letters that contractors use for a state. */
const UNAMBIGUOUS_ABBREVIATIONS = new Set(['hp']);

/** The states of the tenders that term frequencies come from. */
const REFERENCE_STATES = new Set(['Himachal Pradesh', 'Assam']);
const isInReference = ({ state }: StateDistrict) => REFERENCE_STATES.has(state);
/** A name in at least this many tenders of other states is mostly another place or another word. */
const MIN_FREQUENT = 20;

/** Cities that give their name to the districts around them. */
const CITY_DISTRICTS: readonly (readonly [names: readonly string[], state: string, districts: readonly string[]])[] = [
  [['Guwahati', 'Gauhati', 'गुवाहाटी'], 'Assam', ['Kamrup Metropolitan', 'Kamrup']],
];

/** The spelling by which names are looked up: folded words separated by one space. */
export function foldPlaceName(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

const places = new Map<string, NamedPlace>();

/** `isWord`: the name is a spelling of a word with another meaning. */
function add(name: string, state: string | null, districts: readonly StateDistrict[], isWord = false): void {
  const key = foldPlaceName(name);
  if (key.length < 2) return;
  const known = places.get(key);
  // A state takes precedence over a district of the same name ('Chandigarh', 'Delhi').
  if (known?.state) return;
  const isAmbiguous = isWord || AMBIGUOUS_NAMES.has(key) || (key.length === 2 && !UNAMBIGUOUS_ABBREVIATIONS.has(key));
  const added = districts.filter(
    ({ state, district }) => !known?.districts.some((each) => each.state === state && each.district === district),
  );
  const isFrequentElsewhere =
    state === null &&
    termFrequency(key) >= MIN_FREQUENT &&
    ![...districts, ...(known?.districts ?? [])].some(isInReference);
  places.set(key, { state, districts: [...(known?.districts ?? []), ...added], isAmbiguous, isFrequentElsewhere });
}

const spellings = new Map<string, readonly string[]>();
for (const group of SYNONYM_GROUPS) for (const entry of group) spellings.set(foldPlaceName(entry), group);
const withSpellings = (names: readonly string[]) =>
  names.flatMap((name) => [name, ...(spellings.get(foldPlaceName(name)) ?? [])]);

for (const { state, aliases } of REGIONS)
  for (const name of withSpellings([state.name, ...aliases])) add(name, state.name, []);
for (const { state, districts } of REGIONS)
  for (const { name, aliases } of districts)
    for (const each of [name, ...aliases]) {
      // 'stairs' is a spelling of the word 'sidhi', not of the district.
      const isWord = AMBIGUOUS_NAMES.has(foldPlaceName(each));
      for (const spelled of withSpellings([each])) add(spelled, null, [{ state: state.name, district: name }], isWord);
    }
for (const [names, state, districts] of CITY_DISTRICTS)
  for (const name of names)
    add(
      name,
      null,
      districts.map((district) => ({ state, district })),
    );

/** The longest name in words. */
export const MAX_NAME_WORDS = Math.max(...[...places.keys()].map((name) => name.split(' ').length));

/** The place of a name in the spelling of `foldPlaceName`. */
export function findPlace(name: string): NamedPlace | undefined {
  return places.get(name);
}

const LATIN_PATTERN = /^[a-z ]+$/;
const namesByCompound = new Map(
  [...places.keys()]
    .filter((name) => LATIN_PATTERN.test(name))
    .map((name) => [name.replaceAll(' ', ''), name] as const),
);
const findNames = createWordsBySound(() => namesByCompound.keys());
/** Maximum cost of a name, and of a long name. */
const MAX_SOUND_COST = 1;
const MAX_LONG_SOUND_COST = 2;
const MIN_LONG_LETTERS = 8;
/** Names with at most two consonants, which sound like many words. */
const SHORT_PATTERN = /^(?:[aeiouh]*[^aeiouh]){0,2}[aeiouh]*$/;

/** The place whose Latin name is written in an Indian script, as in 'कोकराझार'. */
export function findPlaceBySound(name: string): NamedPlace | undefined {
  // A silent vowel ends each word.
  const [closest] = findNames(name.replaceAll(' ', VIRAMA));
  if (!closest) return undefined;
  const { word, cost } = closest;
  if (cost > (word.length < MIN_LONG_LETTERS ? MAX_SOUND_COST : MAX_LONG_SOUND_COST)) return undefined;
  const place = places.get(namesByCompound.get(word) ?? word);
  return place && SHORT_PATTERN.test(word) ? { ...place, isAmbiguous: true } : place;
}

/** Names of one word. */
export const PLACE_WORDS: ReadonlySet<string> = new Set([...places.keys()].filter((name) => !name.includes(' ')));

/** Whether a term is the name of a state or district. */
export function isPlaceName(term: string): boolean {
  return PLACE_WORDS.has(term);
}

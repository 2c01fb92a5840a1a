/**
 * Districts and departments of the 36 states and union territories, and lookups by any of their names. The data is in
 * `regions.json`; README lists sources and licences. The PWA loads this module by dynamic import, so no other file of the
 * contract may import it.
 */
import { foldDepartment, foldName } from './fold-name.ts';
import { departmentsOfSubjects, isPost, phrasesOf } from './posts.ts';
import json from './regions.json' with { type: 'json' };
import { STATES, type State } from './states.ts';

export { foldName };

/** A district by the name in pages and API; `aliases` are old, new and portal spellings. */
export interface District {
  name: string;
  slug: string;
  aliases: readonly string[];
}

/** A department or tendering body by the name in pages and API; `aliases` are portal spellings. */
export interface Department {
  name: string;
  slug: string;
  aliases: readonly string[];
}

/** A state with its places. For Himachal Pradesh and Delhi the lists of SPEC come first, in their order. */
export interface Region {
  state: State;
  aliases: readonly string[];
  districts: readonly District[];
  departments: readonly Department[];
}

/** An entry of `regions.json`; `aliases` is optional. */
interface NamedEntry {
  name: string;
  aliases?: readonly string[];
}

interface RegionRow {
  state: string;
  aliases: readonly string[];
  districts: readonly NamedEntry[];
  departments: readonly NamedEntry[];
}

function withSlug({ name, aliases = [] }: NamedEntry): District & Department {
  return { name, slug: foldName(name).replaceAll(' ', '-'), aliases };
}

const rowsByState: ReadonlyMap<string, RegionRow> = new Map(json.map((row) => [row.state, row]));

/** All 36, in the order of `STATES`. Loading throws when `regions.json` lacks a state. */
export const REGIONS: readonly Region[] = STATES.map((state) => {
  const row = rowsByState.get(state.slug);
  if (!row) throw new Error(`regions.json has no ${state.slug}`);
  return {
    state,
    aliases: row.aliases,
    districts: row.districts.map(withSlug),
    departments: row.departments.map(withSlug),
  };
});

// A folded slug is the folded name, so slugs need no entry of their own.
const regionsByName: ReadonlyMap<string, Region> = new Map(
  REGIONS.flatMap((region) =>
    [region.state.name, region.state.iso, ...region.aliases].map((name) => [foldName(name), region] as const),
  ),
);

/** Finds a state by name, slug, ISO code ('IN-HP') or alias ('HP', 'Orissa'). */
export function findRegion(text: string): Region | undefined {
  return regionsByName.get(foldName(text));
}

/** A lookup that builds the index of a region on first use. */
function createFinder<Place extends District | Department>(
  placesOf: (region: Region) => readonly Place[],
  fold: (text: string) => string,
): (region: Region, text: string) => Place | undefined {
  const indexes = new WeakMap<Region, ReadonlyMap<string, Place>>();
  return (region, text) => {
    let index = indexes.get(region);
    if (!index) {
      index = new Map(
        placesOf(region).flatMap((place) => [place.name, ...place.aliases].map((name) => [fold(name), place] as const)),
      );
      indexes.set(region, index);
    }
    return index.get(fold(text));
  };
}

/** Finds a district of the state by name, slug or alias ('Sirmour' is Sirmaur). */
export const findDistrict: (region: Region, text: string) => District | undefined = createFinder(
  (region) => region.districts,
  foldName,
);

/** The department whose name or alias has this folded spelling. */
const findDepartmentByFoldedName = createFinder((region) => region.departments, foldDepartment);

/**
 * Finds a department of the state by name, slug, alias ('Jal Shakti Vibhag' is Irrigation & Public Health) or an engineer's
 * post in it ('CE RW I'). Case, punctuation, 'Department of', 'Deptt', 'Ltd' and the present or former name of the state
 * are ignored.
 */
export function findDepartment(region: Region, text: string): Department | undefined {
  return findNamedDepartment(region, text) ?? (isPost(text) ? findDepartmentOfPost(region, text) : undefined);
}

/**
 * The department of an organisation chain. It is that of the first level, else of the first other level that names a
 * department. If a level is an engineer's post, the subject of a lower office counts too ('Rural Works Division').
 */
export function findDepartmentOfChain(region: Region, chain: readonly string[]): Department | undefined {
  const [first = '', ...others] = chain;
  const named = findDepartment(region, first) ?? firstOf(others, (office) => findNamedDepartment(region, office));
  return named ?? (isPost(first) ? firstOf(others, (office) => findDepartmentOfPost(region, office)) : undefined);
}

function firstOf<Found>(texts: readonly string[], find: (text: string) => Found | undefined): Found | undefined {
  for (const text of texts) {
    const found = find(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findNamedDepartment(region: Region, text: string): Department | undefined {
  return findDepartmentByFoldedName(region, text) ?? findDepartmentWithoutState(region, text);
}

/** Looks for the state's own subjects, then the longest name of a department in the text, then the subjects of all states. */
function findDepartmentOfPost(region: Region, text: string): Department | undefined {
  const named = (name: string) => findNamedDepartment(region, name);
  const own = firstOf(departmentsOfSubjects(text, region.state.slug), named);
  if (own) return own;
  for (const phrases of phrasesOf(text)) {
    const found = new Set(phrases.flatMap((phrase) => named(phrase) ?? []));
    if (found.size > 1) return undefined;
    for (const department of found) return department;
  }
  return firstOf(departmentsOfSubjects(text, null), named);
}

const departmentsWithoutState = new WeakMap<
  Region,
  { pattern: RegExp; departments: ReadonlyMap<string, Department | null> }
>();

/** Compares names without the state's name at either end: 'Lift Irrigation Corporation' is the one of Odisha. */
function findDepartmentWithoutState(region: Region, text: string): Department | undefined {
  let known = departmentsWithoutState.get(region);
  if (!known) {
    known = indexDepartmentsWithoutState(region);
    departmentsWithoutState.set(region, known);
  }
  return known.departments.get(removeStateName(text, known.pattern)) ?? undefined;
}

function indexDepartmentsWithoutState(region: Region) {
  const names = [region.state.name, ...region.aliases].map(foldDepartment).filter((name) => name !== '');
  const either = names.sort((one, other) => other.length - one.length).join('|');
  const pattern = new RegExp(`^(?:${either}) | (?:${either})$`, 'g');
  const departments = new Map<string, Department | null>();
  for (const department of region.departments) {
    for (const name of [department.name, ...department.aliases]) {
      const spelling = removeStateName(name, pattern);
      // A single word, such as 'corporation', is too common to identify one body.
      if (!spelling.includes(' ')) continue;
      const other = departments.get(spelling);
      departments.set(spelling, other === undefined || other === department ? department : null);
    }
  }
  return { pattern, departments };
}

function removeStateName(text: string, state: RegExp): string {
  return foldDepartment(text)
    .replace(/^government | government$/g, '')
    .replace(state, '')
    .replace(/^(?:government|state) | government$/g, '');
}

/**
 * The name of an organisation in pages and API: the known department, else the organisation itself; null for an empty
 * text.
 */
export function departmentName(region: Region, text: string): string | null {
  return findDepartment(region, text)?.name ?? (text.trim() || null);
}

/**
 * A place with listed names instead of slugs and aliases. Unknown districts are left out if another one is known. Otherwise
 * they stay, and nothing matches. Unknown departments stay, because they may be names of organisations.
 */
export function listedPlace<
  Place extends { state: string; districts: readonly string[]; departments: readonly string[] },
>(place: Place): Place {
  const region = findRegion(place.state);
  if (!region) return place;
  const districts = place.districts.flatMap((name) => findDistrict(region, name)?.name ?? []);
  const departments = place.departments.map((name) => findDepartment(region, name)?.name ?? name);
  return {
    ...place,
    state: region.state.name,
    districts: districts.length > 0 ? [...new Set(districts)] : place.districts,
    departments: [...new Set(departments)],
  };
}

/**
 * Derives a tender's district, which portals do not publish, from the PIN table and from names in its texts. If the text
 * says that the work is in another place, PIN code, place and address are those of the office and count half. In Himachal
 * 17% of the texts name no district and 14% name several, so every result has a confidence.
 */
import { foldName, type Region } from '@nivida/contract/regions/regions';
import {
  createSearch,
  type DistrictScores,
  type DistrictSearch,
  findMentions,
  namesPattern,
  SEAT,
  spellingMeanings,
  spellings,
  UNITS,
} from './district-search.ts';
import { findTwoDistricts } from './second-district.ts';
import { CAPITAL_DISTRICTS, POSTAL_CITIES, TOWNS_BY_STATE } from './towns.ts';

/** Shares (0 to 1) of a PIN code's districts within one state, by listed name. */
export type PincodeTable = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Key of a PincodeTable. */
export const pincodeKey = (state: string, pincode: string) => `${state}\u0000${pincode}`;

/** A derived district; both null without any evidence. */
export interface DerivedDistrict {
  district: string | null;
  /** The second district of the work. Set only when the texts name both. */
  secondDistrict?: string;
  /** 0 to 1. */
  confidence: number | null;
}

/** The texts that may name a district. */
export interface PlaceTexts {
  pincode: string | null;
  title: string;
  description: string;
  place: string | null;
  address: string | null;
  organisationChain: string[];
}

// Weights of mentions. 'Distt. X' in a text outweighs the PIN code, which is often that of the office. A town weighs less
// than the name of a district, because villages in other districts may have the same name.
const TOWN_WEIGHT = 0.8;
const WEIGHT = { pincode: 0.9, place: 0.7, title: 0.6, description: 0.5, address: 0.4, organisation: 0.3 };
/** Added when the title or description marks a name as the district: 'Distt. X', 'X District'. */
const NAMED_BONUS = 1.6;
/** Added when the address marks a name as the district. */
const NAMED_IN_ADDRESS_BONUS = 0.4;
/** Added when the work is located there: 'at Y School, X', 'in X'. */
const LOCATED_BONUS = 1;
/** Factors for kinds of names that are weak evidence for the location of a work. */
const KIND_FACTORS = { route: 0.4, seat: 0.3, office: 0.7 };
/** Factor for the office's address and PIN code when the work is elsewhere. */
const OFFICE_FACTOR = 0.5;
/** Minimum weight at which the text of a work states its location; the mere name of a town weighs less. */
const STATED_THRESHOLD = 0.6;

/** Weighs every mention. Returns the strongest district with its share of all evidence as confidence. */
export function deriveDistrict(region: Region, texts: PlaceTexts, pincodes: PincodeTable): DerivedDistrict {
  const search = findSearches(region);
  const isPlaceOfOffice = repeatsAddress(texts);
  const pincode = texts.pincode ? pincodes.get(pincodeKey(region.state.name, texts.pincode)) : undefined;
  const both = findTwoDistricts({ ...texts, place: isPlaceOfOffice ? null : texts.place }, search);
  const work = workScores(texts, both, search);
  const place = new Map<string, number>();
  addMentions(place, mentionScores(texts.place, search.anywhere), WEIGHT.place);
  const office = new Map<string, number>();
  addMentions(office, pincode ?? new Map(), WEIGHT.pincode);
  addMentions(office, mentionScores(texts.address, search.inAddress), WEIGHT.address);
  addMentions(office, mentionScores(texts.address, search.named), NAMED_IN_ADDRESS_BONUS);
  if (isPlaceOfOffice) addMentions(office, place, 1);
  const isElsewhere = pincode && (isPlaceOfOffice ? liesElsewhere(work, office) : isMismatchedPincode(place, pincode));

  const scores = new Map(work);
  if (!isPlaceOfOffice) addMentions(scores, place, 1);
  addMentions(scores, office, isElsewhere ? OFFICE_FACTOR : 1);
  const deciding = scores.size > 0 ? scores : organisationScores(bodies(texts), search);
  const [best] = [...deciding].sort(([, one], [, other]) => other - one);
  if (!best) return { district: null, confidence: null };
  const [district] = best;
  // The offices in the organisation do not choose the district. They only change the confidence.
  addMentions(scores, organisationScores(texts.organisationChain, search), isElsewhere ? OFFICE_FACTOR : 1);
  const secondDistrict = both.includes(district) ? both.find((each) => each !== district) : undefined;
  const evidence = (scores.get(district) ?? 0) + (secondDistrict ? (scores.get(secondDistrict) ?? 0) : 0);
  const total = [...scores.values()].reduce((sum, score) => sum + score, 0);
  const confidence = (evidence / total) * Math.min(1, evidence);
  return { district, ...(secondDistrict && { secondDistrict }), confidence: Math.round(confidence * 100) / 100 };
}

/** The organisations of the chain without offices of engineers. */
const bodies = ({ organisationChain }: PlaceTexts) =>
  organisationChain.filter((name) => !OFFICE_OF_ENGINEER.test(name));

function organisationScores(names: readonly string[], search: DistrictSearches): DistrictScores {
  const scores = new Map<string, number>();
  addMentions(scores, mentionScores(names.join(' , '), search.inAddress), WEIGHT.organisation);
  return scores;
}

function addMentions(scores: Map<string, number>, mentioned: DistrictScores, weight: number): void {
  for (const [district, part] of mentioned) scores.set(district, (scores.get(district) ?? 0) + weight * part);
}

function workScores(
  { title, description }: PlaceTexts,
  both: readonly string[],
  search: DistrictSearches,
): DistrictScores {
  const scores = new Map<string, number>();
  const bonuses = new Map<string, number>();
  const other = description === title ? '' : description;
  for (const [text, weight] of [
    [title, WEIGHT.title],
    [other, WEIGHT.description],
  ] as const) {
    const { mentioned, located } = workMentionScores(text, search.anywhere);
    addMentions(scores, mentioned, weight);
    raiseScores(bonuses, located, LOCATED_BONUS);
    raiseScores(bonuses, mentionScores(text, search.named), NAMED_BONUS);
  }
  raiseScores(
    bonuses,
    both.map((district) => [district, 1]),
    NAMED_BONUS,
  );
  addMentions(scores, bonuses, 1);
  return scores;
}

/** Whether the place of the notice only repeats the address of the office. */
function repeatsAddress({ place, address }: PlaceTexts): boolean {
  const words = foldName(place ?? '');
  return words !== '' && ` ${foldName(address ?? '')} `.includes(` ${words} `);
}

/** Whether the text of the work names a district, but none that the office may be in. */
function liesElsewhere(work: DistrictScores, office: DistrictScores): boolean {
  return (
    [...work.values()].some((score) => score >= STATED_THRESHOLD) && ![...work.keys()].some((each) => office.has(each))
  );
}

/** Whether the PIN code belongs mostly to another district than the named place. Then it is mistyped or that of the office. */
function isMismatchedPincode(place: DistrictScores, pincode: ReadonlyMap<string, number>): boolean {
  const [main] = [...pincode].sort(([, one], [, other]) => other - one);
  return place.size > 0 && main !== undefined && !place.has(main[0]);
}

/** Offices of engineers. They are named after their own city. A local body is named after the place of its works, so its name is evidence. */
const OFFICE_OF_ENGINEER =
  /\b(?:division|divn|dn|circle|zone|range|section|sub-?division|engineer|engg?|xen|ee|se|ce|ae|sdo|re|ed|esd|conservator|officer|director|manager)\b/i;

interface DistrictSearches {
  districts: DistrictSearch;
  named: DistrictSearch;
  anywhere: DistrictSearch;
  /** `anywhere` without the towns of the capital's district, where all departments have their head offices. */
  inAddress: DistrictSearch;
}

const searchesByRegion = new WeakMap<Region, DistrictSearches>();

function findSearches(region: Region): DistrictSearches {
  const known = searchesByRegion.get(region);
  if (known) return known;
  const districts = region.districts.flatMap((district) =>
    spellings(district).map((name) => [name, district.name, 1] as const),
  );
  const towns = Object.entries(TOWNS_BY_STATE[region.state.slug] ?? {}).flatMap(([district, names]) =>
    names.map((name) => [name, district, TOWN_WEIGHT] as const),
  );
  const capital = CAPITAL_DISTRICTS[region.state.slug];
  const postalCity = POSTAL_CITIES[region.state.slug];
  const name = `(${namesPattern(districts)})`;
  const made: DistrictSearches = {
    districts: createSearch(districts),
    named: {
      pattern: new RegExp(
        `\\b(?:dist{1,2}t?|dist{1,2}ricts?|zila|zilla)(?:\\s+of)?[\\s.:,-]*${name}(?!\\w)|\\b${name}[\\s,-]+dist{1,2}(?:t|rict)?\\b(?!\\s+(?:of|${UNITS})\\b)`,
        'gi',
      ),
      meaning: spellingMeanings(districts),
      requiredPattern: /dis|zil/i,
      cachedScores: new Map(),
    },
    anywhere: { ...createSearch([...districts, ...towns]), postalCity },
    inAddress: { ...createSearch([...districts, ...towns.filter(([, district]) => district !== capital)]), postalCity },
  };
  searchesByRegion.set(region, made);
  return made;
}

/** Size of the cache of mentions by text: offices and places repeat from notice to notice. */
const MAX_TEXTS = 5_000;
const NO_SCORES: DistrictScores = new Map();

/** The mentioned districts of a text, each with the weight of its strongest mention. */
function mentionScores(text: string | null, search: DistrictSearch): DistrictScores {
  if (!text || search.requiredPattern?.test(text) === false) return NO_SCORES;
  let found = search.cachedScores.get(text);
  if (!found) {
    const parts = new Map<string, number>();
    for (const { district, part } of findMentions(text, search)) raiseScores(parts, [[district, part]], 1);
    found = parts;
    if (search.cachedScores.size >= MAX_TEXTS) search.cachedScores.clear();
    search.cachedScores.set(text, found);
  }
  return found;
}

/** The mentioned districts of a work's text. Names of roads, constituencies and offices weigh less; a stated location weighs more. */
function workMentionScores(
  text: string,
  search: DistrictSearch,
): { mentioned: DistrictScores; located: DistrictScores } {
  const mentioned = new Map<string, number>();
  const located = new Map<string, number>();
  for (const { district, part, start, end } of findMentions(text, search)) {
    const before = text.slice(Math.max(0, start - CONTEXT_CHARACTERS), start);
    const after = text.slice(end, end + CONTEXT_CHARACTERS);
    const kind = mentionKind(before, after);
    raiseScores(mentioned, [[district, part]], kind === 'plain' ? 1 : KIND_FACTORS[kind]);
    if (kind === 'plain' && (LOCATION.test(before) || (part === 1 && isLastPart(before, after))))
      raiseScores(located, [[district, part]], 1);
  }
  return { mentioned, located };
}

function raiseScores(scores: Map<string, number>, by: Iterable<readonly [string, number]>, weight: number): void {
  for (const [district, part] of by) scores.set(district, Math.max(part * weight, scores.get(district) ?? 0));
}

/** Number of characters around a name that determine its meaning. */
const CONTEXT_CHARACTERS = 90;
/** After a name: up to five more names, then the road or line between them. */
const ROUTE =
  /^(?:[\s,-]+(?!(?:of|for|in|at|under|from|with|the|by|on|near|sh|via|dist{1,2}(?:t|rict)?)\b)[\w./]+){0,5}?[\s-]+(?:road|rd|marg|highway|bye?\s?pass|line|feeder|section)\b/i;
/** Before a name: the start of a route. */
const ROUTE_BEFORE = /\b(?:from|of)\s+[\w.]+(?:\s+[\w.]+){0,3}\s+to\s+$/i;
const OFFICE_AFTER = new RegExp(`^[\\s,-]*(?:district[\\s-]+)?(?:${UNITS})\\b`, 'i');
const OFFICE_BEFORE =
  /\b(?:division|divn|circle|zone|section|office|o\/o|under|piu|ed|esd|hpsebl|hppwd|pwd)\b[\s,.:-]*(?:no\.?\s*[\dIVX]+[\s,.:-]*)?$/i;
/** Before a name: 'at' or 'in', and up to eight words without an office or a new clause. */
const LOCATION =
  /\b(?:at|in)\s+(?:(?!(?:from|to|for|under|on|by|with|of|at|in|km|rd|division|divn|circle|section|office|ed|esd|hpsebl|hppwd)\b)[\w.()'/-]+[\s,]+){0,8}$/i;

/** Whether the text ends with the place, as in 'Hostel of the college, X'. A town there may be that of the office. */
const isLastPart = (before: string, after: string) => /,\s*$/.test(before) && /^[\s.)]*$/.test(after);

/** The meaning of a name by the words around it. */
function mentionKind(before: string, after: string): 'plain' | keyof typeof KIND_FACTORS {
  if (SEAT.test(after)) return 'seat';
  if (ROUTE.test(after) || ROUTE_BEFORE.test(before)) return 'route';
  return OFFICE_AFTER.test(after) || OFFICE_BEFORE.test(before) ? 'office' : 'plain';
}

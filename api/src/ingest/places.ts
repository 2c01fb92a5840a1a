/**
 * Finds a tender's district, which the portals do not name, from the PIN table and from the names in its texts. Where
 * the text says that the work lies elsewhere, PIN code, place and address are the office's and count for half. Measured on
 * Himachal: 17% of the texts name no district, 14% more than one, so every answer has a confidence.
 */
import { type District, foldName, type Region } from '@nivida/contract/regions';
import { CAPITALS, TOWNS } from './towns.ts';

/** Shares (0 to 1) of a PIN code's districts within one state, by listed name. */
export type PincodeTable = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Key of a PincodeTable. */
export const pincodeKey = (state: string, pincode: string) => `${state}\u0000${pincode}`;

/** A derived district; both null when nothing points to one. */
export interface FoundDistrict {
  district: string | null;
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

// How much a mention counts. A text that says 'Distt. X' outweighs the PIN code, which is often the office's.
// A town says less than the district's own name: villages of other districts bear its name too.
const TOWN_WEIGHT = 0.8;
const WEIGHT = { pincode: 0.9, place: 0.7, title: 0.6, description: 0.5, address: 0.4, organisation: 0.3 };
/** Added where the title or the description says that a name is the district: 'Distt. X', 'X District'. */
const NAMED = 1.6;
/** The same in the address. */
const NAMED_IN_ADDRESS = 0.4;
/** Added where the work lies there: 'at Y School, X', 'in X'. */
const LOCATED = 1;
/** Parts of the weight of names that say little about where a work lies. */
const PART_OF = { route: 0.4, seat: 0.3, office: 0.7 };
/** What remains of an office's address and PIN code beside a work elsewhere. */
const OFFICE_PART = 0.5;
/** From here on the text of a work says where it lies; a town that it merely names does not. */
const STATED = 0.6;

type Scores = ReadonlyMap<string, number>;

/** Weighs every mention and gives the strongest district, with its share of all evidence as confidence. */
export function findDistrict(region: Region, texts: PlaceTexts, pincodes: PincodeTable): FoundDistrict {
  const search = searchesOf(region);
  const pincode = texts.pincode ? pincodes.get(pincodeKey(region.state.name, texts.pincode)) : undefined;
  const work = scoresOfWork(texts, search);
  const place = new Map<string, number>();
  addMentions(place, mentions(texts.place, search.anywhere), WEIGHT.place);
  const office = new Map<string, number>();
  addMentions(office, pincode ?? new Map(), WEIGHT.pincode);
  addMentions(office, mentions(texts.address, search.inAddress), WEIGHT.address);
  addMentions(office, mentions(texts.address, search.named), NAMED_IN_ADDRESS);
  addMentions(office, mentions(texts.organisationChain.join(' , '), search.inAddress), WEIGHT.organisation);
  const isPlaceOfOffice = repeatsAddress(texts);
  if (isPlaceOfOffice) addMentions(office, place, 1);
  const isElsewhere = pincode && (isPlaceOfOffice ? liesElsewhere(work, office) : isSlip(place, pincode));

  const scores = new Map(work);
  if (!isPlaceOfOffice) addMentions(scores, place, 1);
  addMentions(scores, office, isElsewhere ? OFFICE_PART : 1);

  let best: [string, number] | undefined;
  let total = 0;
  for (const entry of scores) {
    total += entry[1];
    if (!best || entry[1] > best[1]) best = entry;
  }
  if (!best) return { district: null, confidence: null };
  const confidence = (best[1] / total) * Math.min(1, best[1]);
  return { district: best[0], confidence: Math.round(confidence * 100) / 100 };
}

function addMentions(scores: Map<string, number>, mentioned: Scores, weight: number): void {
  for (const [district, part] of mentioned) scores.set(district, (scores.get(district) ?? 0) + weight * part);
}

function scoresOfWork({ title, description }: PlaceTexts, search: Searches): Scores {
  const scores = new Map<string, number>();
  const bonuses = new Map<string, number>();
  const other = description === title ? '' : description;
  for (const [text, weight] of [
    [title, WEIGHT.title],
    [other, WEIGHT.description],
  ] as const) {
    const { mentioned, located } = mentionsOfWork(text, search.anywhere);
    addMentions(scores, mentioned, weight);
    raise(bonuses, located, LOCATED);
    raise(bonuses, mentions(text, search.named), NAMED);
  }
  addMentions(scores, bonuses, 1);
  return scores;
}

/** The place of the notice only repeats the address of the office that invites. */
function repeatsAddress({ place, address }: PlaceTexts): boolean {
  const words = foldName(place ?? '');
  return words !== '' && ` ${foldName(address ?? '')} `.includes(` ${words} `);
}

/** The text of the work states a district, and nothing in it points to the office's. */
function liesElsewhere(work: Scores, office: Scores): boolean {
  return [...work.values()].some((score) => score >= STATED) && ![...work.keys()].some((each) => office.has(each));
}

/** The PIN code is mostly of another district than the named place: it is mistyped or the office's. */
function isSlip(place: Scores, pincode: ReadonlyMap<string, number>): boolean {
  const [main] = [...pincode].sort(([, one], [, other]) => other - one);
  return place.size > 0 && main !== undefined && !place.has(main[0]);
}

interface Search {
  pattern: RegExp;
  /** The district and the weight of each spelling, folded. */
  meaning: ReadonlyMap<string, { district: string; part: number }>;
  /** A text without this has no mention; it is quicker than the pattern. */
  needs: RegExp;
  known: Map<string, Scores>;
}

interface Searches {
  named: Search;
  anywhere: Search;
  /** `anywhere` without the towns of the capital's district, where the heads of all departments sit. */
  inAddress: Search;
}

const searches = new WeakMap<Region, Searches>();

function searchesOf(region: Region): Searches {
  const known = searches.get(region);
  if (known) return known;
  const districts = region.districts.flatMap((district) =>
    spellings(district).map((name) => [name, district.name, 1] as const),
  );
  const towns = Object.entries(TOWNS[region.state.slug] ?? {}).flatMap(([district, names]) =>
    names.map((name) => [name, district, TOWN_WEIGHT] as const),
  );
  const capital = CAPITALS[region.state.slug];
  const name = `(${alternatives(districts)})`;
  const made: Searches = {
    named: {
      pattern: new RegExp(
        `\\b(?:dist{1,2}t?|dist{1,2}ricts?|zila|zilla)(?:\\s+of)?[\\s.:,-]*${name}(?!\\w)|\\b${name}[\\s,-]+dist{1,2}(?:t|rict)?\\b(?!\\s+(?:of|${UNITS})\\b)`,
        'gi',
      ),
      meaning: meaningOf(districts),
      needs: /dis|zil/i,
      known: new Map(),
    },
    anywhere: searchFor([...districts, ...towns]),
    inAddress: searchFor([...districts, ...towns.filter(([, district]) => district !== capital)]),
  };
  searches.set(region, made);
  return made;
}

function searchFor(names: readonly Spelling[]): Search {
  // A mandi is also a market; 'sabzi mandi' is no place in Mandi.
  const market = '(?<!\\b(?:sabzi|sabji|anaj|anaz|grain|fruit|apple|krishi)\\s)';
  const pattern = new RegExp(`${market}\\b(${alternatives(names)})(?!\\w)`, 'gi');
  return { pattern, meaning: meaningOf(names), needs: /./, known: new Map() };
}

type Spelling = readonly [name: string, district: string, part: number];

// Short aliases are words of their own: 'Bid' is Beed, and every second text says 'bid'.
function spellings({ name, aliases }: District): string[] {
  return [name, ...aliases.filter((alias) => alias.length > 3)].filter((spelling) => /^[\w\s.&()'-]+$/.test(spelling));
}

function meaningOf(names: readonly Spelling[]): Search['meaning'] {
  return new Map(names.map(([name, district, part]) => [foldSpelling(name), { district, part }]));
}

const foldSpelling = (text: string) => foldName(text).replace(/\band\b|\s/g, '');

/** The names as one pattern, longest first, whatever stands between their words. */
function alternatives(names: readonly Spelling[]): string {
  const patterns = names.map(([name]) =>
    name
      .replace(/[^\w\s&]/g, ' ')
      .trim()
      .split(/\s+/)
      .map((word) => (word === 'and' || word === '&' ? '(?:and|&)?' : word))
      .join('[\\s.&()-]*'),
  );
  return patterns.sort((a, b) => b.length - a.length).join('|');
}

interface Mention {
  district: string;
  part: number;
  start: number;
  end: number;
}

function findMentions(text: string, { pattern, meaning }: Search): Mention[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const name = match.slice(1).find((group) => group !== undefined) ?? '';
    const meant = meaning.get(foldSpelling(name));
    return meant ? [{ ...meant, start: match.index, end: match.index + match[0].length }] : [];
  });
}

/** Texts whose mentions are remembered for each pattern: offices and places repeat from notice to notice. */
const MAX_TEXTS = 5_000;
const NONE: Scores = new Map();

/** The districts that a text mentions, each with the weight of its strongest mention. */
function mentions(text: string | null, search: Search): Scores {
  if (!text || !search.needs.test(text)) return NONE;
  let found = search.known.get(text);
  if (!found) {
    const parts = new Map<string, number>();
    for (const { district, part } of findMentions(text, search)) raise(parts, [[district, part]], 1);
    found = parts;
    if (search.known.size >= MAX_TEXTS) search.known.clear();
    search.known.set(text, found);
  }
  return found;
}

/** The same for the text of a work, where roads, seats and offices bear names of other places; and where it lies. */
function mentionsOfWork(text: string, search: Search): { mentioned: Scores; located: Scores } {
  const mentioned = new Map<string, number>();
  const located = new Map<string, number>();
  for (const { district, part, start, end } of findMentions(text, search)) {
    const before = text.slice(Math.max(0, start - CONTEXT), start);
    const after = text.slice(end, end + CONTEXT);
    const kind = kindOf(before, after);
    raise(mentioned, [[district, part]], kind === 'plain' ? 1 : PART_OF[kind]);
    if (kind === 'plain' && (LOCATION.test(before) || (part === 1 && isLastPart(before, after))))
      raise(located, [[district, part]], 1);
  }
  return { mentioned, located };
}

function raise(scores: Map<string, number>, by: Iterable<readonly [string, number]>, weight: number): void {
  for (const [district, part] of by) scores.set(district, Math.max(part * weight, scores.get(district) ?? 0));
}

/** Characters around a name that say what it stands for. */
const CONTEXT = 90;
const UNITS = 'territorial|building|division|divn?|circle|zone|sub-?division|trd|dtrd|dtbd';
/** After a name: 'X LAC', 'X North (SC) Assembly Constituency', 'X-Y Vidhan Sabha'. */
const SEAT =
  /^(?:\s*[-–]\s*[a-z]+)?[\s,-]*(?:(?:north|south|east|west|central|rural|urban|sadar)\b[\s-]*)?(?:\((?:sc|st|gen)\)\s*)?(?:LAC|A\.?C|MLA|HPC|assembly|constituency|vidhan)\b/i;
/** After a name: up to five more names, then what leads from one to the other. */
const ROUTE =
  /^(?:[\s,-]+(?!(?:of|for|in|at|under|from|with|the|by|on|near|sh|via|dist{1,2}(?:t|rict)?)\b)[\w./]+){0,5}?[\s-]+(?:road|rd|marg|highway|bye?\s?pass|line|feeder|section)\b/i;
/** Before a name: the other end of a route. */
const ROUTE_BEFORE = /\b(?:from|of)\s+[\w.]+(?:\s+[\w.]+){0,3}\s+to\s+$/i;
const OFFICE_AFTER = new RegExp(`^[\\s,-]*(?:district[\\s-]+)?(?:${UNITS})\\b`, 'i');
const OFFICE_BEFORE =
  /\b(?:division|divn|circle|zone|section|office|o\/o|under|piu|ed|esd|hpsebl|hppwd|pwd)\b[\s,.:-]*(?:no\.?\s*[\dIVX]+[\s,.:-]*)?$/i;
/** Before a name: 'at' or 'in', and up to eight words that name no office and begin nothing new. */
const LOCATION =
  /\b(?:at|in)\s+(?:(?!(?:from|to|for|under|on|by|with|of|at|in|km|rd|division|divn|circle|section|office|ed|esd|hpsebl|hppwd)\b)[\w.()'/-]+[\s,]+){0,8}$/i;

/** 'Hostel of the college, X': the text ends with its place. A town there may be the office's. */
const isLastPart = (before: string, after: string) => /,\s*$/.test(before) && /^[\s.)]*$/.test(after);

/** What a name stands for, by the words around it. */
function kindOf(before: string, after: string): 'plain' | keyof typeof PART_OF {
  if (SEAT.test(after)) return 'seat';
  if (ROUTE.test(after) || ROUTE_BEFORE.test(before)) return 'route';
  return OFFICE_AFTER.test(after) || OFFICE_BEFORE.test(before) ? 'office' : 'plain';
}

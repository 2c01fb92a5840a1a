/**
 * Finds a tender's district, which the portals do not name: from the PIN table first, then from the district names in
 * its texts. Measured on Himachal: 17% of the texts name none, 14% more than one, so every answer has a confidence.
 */
import { type District, foldName, type Region } from '@nivida/contract/regions';
import { TOWNS } from './towns.ts';

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
const WEIGHT = { pincode: 0.9, named: 1, place: 0.7, title: 0.6, description: 0.5, address: 0.4, organisation: 0.3 };

/** Weighs every mention and gives the strongest district, with its share of all evidence as confidence. */
export function findDistrict(region: Region, texts: PlaceTexts, pincodes: PincodeTable): FoundDistrict {
  const scores = new Map<string, number>();
  const add = (mentioned: ReadonlyMap<string, number>, weight: number) => {
    for (const [district, part] of mentioned) scores.set(district, (scores.get(district) ?? 0) + weight * part);
  };

  if (texts.pincode) add(pincodes.get(pincodeKey(region.state.name, texts.pincode)) ?? new Map(), WEIGHT.pincode);
  // `named`: the name after 'Distt.', 'District' … or before 'district'.
  const { named, anywhere } = searchesOf(region);
  const description = texts.description === texts.title ? '' : texts.description;
  add(mentions(`${texts.title} ${description}`, named), WEIGHT.named);
  add(mentions(texts.address, named), WEIGHT.address);
  add(mentions(texts.place, anywhere), WEIGHT.place);
  add(mentions(texts.title, anywhere), WEIGHT.title);
  add(mentions(description, anywhere), WEIGHT.description);
  add(mentions(texts.address, anywhere), WEIGHT.address);
  add(mentions(texts.organisationChain.join(' , '), anywhere), WEIGHT.organisation);

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

interface Search {
  pattern: RegExp;
  /** The district and the weight of each spelling, folded. */
  meaning: ReadonlyMap<string, { district: string; part: number }>;
}

interface Searches {
  named: Search;
  anywhere: Search;
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
  const name = `(${alternatives(districts)})`;
  const made: Searches = {
    named: {
      pattern: new RegExp(
        `\\b(?:dist{1,2}t?|dist{1,2}rict|zila|zilla)[\\s.:,-]*${name}\\b|\\b${name}[\\s,-]+dist{1,2}(?:t|rict)?\\b`,
        'gi',
      ),
      meaning: meaningOf(districts),
    },
    anywhere: {
      // A mandi is also a market; 'sabzi mandi' is no place in Mandi.
      pattern: new RegExp(
        `(?<!\\b(?:sabzi|sabji|anaj|grain|fruit|apple|krishi)\\s)\\b(${alternatives([...districts, ...towns])})\\b`,
        'gi',
      ),
      meaning: meaningOf([...districts, ...towns]),
    },
  };
  searches.set(region, made);
  return made;
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
      .join('[\\s.&-]*'),
  );
  return patterns.sort((a, b) => b.length - a.length).join('|');
}

/** The districts that a text mentions, each with the weight of its strongest mention. */
function mentions(text: string | null, { pattern, meaning }: Search): Map<string, number> {
  const found = new Map<string, number>();
  if (!text) return found;
  for (const match of text.matchAll(pattern)) {
    const name = match.slice(1).find((group) => group !== undefined) ?? '';
    const meant = meaning.get(foldSpelling(name));
    if (meant) found.set(meant.district, Math.max(meant.part, found.get(meant.district) ?? 0));
  }
  return found;
}

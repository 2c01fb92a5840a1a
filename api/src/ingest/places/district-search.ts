/** Finds the names of districts and towns in a text. */
import { type District, foldName } from '@nivida/contract/regions/regions';

/** A weight of each mentioned district. */
export type DistrictScores = ReadonlyMap<string, number>;

export interface DistrictSearch {
  /** The group that matches is the name. */
  pattern: RegExp;
  /** If this text is before a match, the match is not a mention. */
  notAfter?: RegExp;
  /** The district and the weight of each spelling, folded. */
  meaning: ReadonlyMap<string, { district: string; part: number }>;
  /** The district of a city whose name is part of postal addresses in other districts: 'Salt Lake, Kolkata'. */
  postalCity?: string | undefined;
  /** A fast check: a text that does not match it has no mention. */
  requiredPattern?: RegExp;
  cachedScores: Map<string, DistrictScores>;
}

export function createSearch(names: readonly Spelling[]): DistrictSearch {
  const pattern = new RegExp(`\\b(${namesPattern(names)})(?!\\w)`, 'gi');
  return {
    pattern,
    notAfter: MARKET_BEFORE,
    meaning: spellingMeanings(names),
    cachedScores: new Map(),
  };
}

export type Spelling = readonly [name: string, district: string, part: number];

// Short aliases are left out, because some are common words: 'Bid' is an alias of Beed.
export function spellings({ name, aliases }: District): string[] {
  return [name, ...aliases.filter((alias) => alias.length > 3)].filter((spelling) => /^[\w\s.&()'-]+$/.test(spelling));
}

export function spellingMeanings(names: readonly Spelling[]): DistrictSearch['meaning'] {
  return new Map(names.map(([name, district, part]) => [foldSpelling(name), { district, part }]));
}

const foldSpelling = (text: string) => foldName(text).replace(/\band\b|\s/g, '');

/** The names as one pattern, longest first, with any separators between their words. */
export function namesPattern(names: readonly Spelling[]): string {
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

export interface Mention {
  district: string;
  part: number;
  start: number;
  end: number;
}

/** 'Mandi' also means market: 'sabzi mandi' is not a place in Mandi. */
const MARKET_BEFORE = /\b(?:sabzi|sabji|anaj|anaz|grain|fruit|apple|krishi)\s$/i;
/** More than the length of the longest of these words with its space. */
const MARKET_CHARACTERS = 10;

export function findMentions(text: string, { pattern, meaning, notAfter, postalCity }: DistrictSearch): Mention[] {
  const mentions: Mention[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const start = match.index;
    const end = pattern.lastIndex;
    const meant = meaning.get(foldSpelling(match[1] ?? match[2] ?? ''));
    if (meant && !notAfter?.test(text.slice(Math.max(0, start - MARKET_CHARACTERS), start)))
      mentions.push({ ...meant, start, end });
  }
  const isBeyond = ({ district, part }: Mention) => part < 1 && district !== postalCity;
  const first = postalCity ? mentions.find(isBeyond) : undefined;
  if (first) return mentions.filter(({ district, start }) => district !== postalCity || start < first.start);
  return mentions;
}

/** Part of a pattern: the kind of an office after a name. */
export const UNITS = 'territorial|building|division|divn?|circle|zone|sub-?division|trd|dtrd|dtbd';
/** After a name: 'X LAC', 'X North (SC) Assembly Constituency', 'X-Y Vidhan Sabha'. */
export const SEAT =
  /^(?:\s*[-–]\s*[a-z]+)?[\s,-]*(?:(?:north|south|east|west|central|rural|urban|sadar)\b[\s-]*)?(?:\((?:sc|st|gen)\)\s*)?(?:LAC|A\.?C|MLA|HPC|assembly|constituency|vidhan)\b/i;

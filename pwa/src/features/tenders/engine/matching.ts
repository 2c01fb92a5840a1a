/** Which tenders of the packs match a filter, and how many there are of each district and department. */
import { closingWithin } from '@nivida/contract/closing';
import { foldDepartment } from '@nivida/contract/fold-name';
import type { QueryWord } from '@nivida/contract/search';
import type { Numbers } from './numbers.ts';
import type { Pack } from './pack.ts';
import type { EngineAnswer, EngineQuery } from './query.ts';
import { Numbering } from './values.ts';
import { type AskedWord, askWords, hitWords } from './words.ts';

/** The part of a query that decides which tenders match; `words` are its parsed words. */
export type Filter = Omit<EngineQuery, 'q' | 'sort' | 'order' | 'page' | 'limit'> & { words: readonly QueryWord[] };

/** What a filter finds. `masks` has an array for each pack, 1 where a row matches; the next search overwrites them. */
export interface Matches {
  masks: readonly Uint8Array[];
  total: number;
  facets: EngineAnswer['facets'];
}

const ANY = -1;
/** No row has this code. */
const NONE = -2;

const codeIn = (pack: Pack, name: string | null): number => (name === null ? ANY : (pack.codeOf(name) ?? NONE));

/** How many tenders each name has, by the names' numbers over all packs. */
interface Counts {
  districts: Uint32Array;
  departments: Uint32Array;
}

/** Finds matches in a fixed set of packs; keeps the memory that it needs for that. */
export class Matcher {
  private readonly masks: Uint8Array[];
  private readonly hits: Uint8Array;
  private readonly scratch: Uint8Array;
  /** For each pack what number over all packs each of its codes has. */
  private readonly numbersOf: Numbers[];
  private readonly names: string[];
  private departments: string[] | undefined;

  constructor(private readonly packs: readonly Pack[]) {
    const longest = Math.max(0, ...packs.map((pack) => pack.rows));
    this.masks = packs.map((pack) => new Uint8Array(pack.rows));
    this.hits = new Uint8Array(longest);
    this.scratch = new Uint8Array(longest);
    const names = new Numbering('');
    this.numbersOf = packs.map((pack) => Uint32Array.from(pack.names, (name) => names.of(name)));
    this.names = names.texts;
  }

  /** A department as the tenders spell it: 'Works Deptt.' may be asked for as 'Works Department'. */
  private spelled(department: string | null): string | null {
    if (department === null) return null;
    this.departments ??= this.countDepartments();
    if (this.departments.includes(department)) return department;
    const folded = foldDepartment(department);
    return (folded && this.departments.find((name) => foldDepartment(name) === folded)) || department;
  }

  /** The departments of all live tenders, most frequent first. */
  private countDepartments(): string[] {
    const counts = new Uint32Array(this.names.length);
    for (const [index, pack] of this.packs.entries()) {
      const numbers = this.numbersOf[index] as Numbers;
      for (const [row, code] of pack.codesOf('department').entries())
        if (pack.live[row] === 1) addOne(counts, numbers[code] as number);
    }
    const used = [...counts.keys()].filter((name) => name > 0 && (counts[name] as number) > 0);
    return used
      .sort((one, other) => (counts[other] as number) - (counts[one] as number))
      .map((name) => this.names[name] as string);
  }

  /** All live tenders that match at `now`. */
  match(asked: Filter, now: Date): Matches {
    const filter = { ...asked, department: this.spelled(asked.department) };
    const words = askWords(filter.words);
    const counts: Counts = {
      districts: new Uint32Array(this.names.length),
      departments: new Uint32Array(this.names.length),
    };
    let total = 0;
    for (const index of this.packs.keys()) total += this.matchPack(index, filter, words, now, counts);
    const byName = (numbers: Uint32Array) => {
      const named = [...numbers].map((count, name) => [this.names[name] as string, count] as const);
      // Number 0 is no place.
      return Object.fromEntries(named.filter(([, count], name) => name > 0 && count > 0));
    };
    const facets = { districts: byName(counts.districts), departments: byName(counts.departments) };
    return { masks: this.masks, total, facets };
  }

  /** One pass over the rows, kept in one piece for speed: over 40 lines because each condition is a line. */
  private matchPack(index: number, filter: Filter, asked: readonly AskedWord[], now: Date, counts: Counts): number {
    const pack = this.packs[index] as Pack;
    const mask = this.masks[index] as Uint8Array;
    const numbers = this.numbersOf[index] as Numbers;
    mask.fill(0);
    const state = codeIn(pack, filter.state);
    const category = codeIn(pack, filter.category);
    if (state === NONE || category === NONE) return 0;
    if (!hitWords(pack, asked, this.hits, this.scratch)) return 0;
    const district = codeIn(pack, filter.district);
    const department = codeIn(pack, filter.department);
    const { rows, live, publishedAt, closesAt, price } = pack;
    const states = pack.codesOf('state');
    const categories = pack.codesOf('category');
    const districts = pack.codesOf('district');
    const departments = pack.codesOf('department');
    const { hits } = this;
    const words = asked.length;
    const at = now.getTime();
    const { after, before } = closingWindow(filter, now);
    const hasRange = filter.minPrice !== null || filter.maxPrice !== null;
    const least = filter.minPrice ?? -Infinity;
    const most = filter.maxPrice ?? Infinity;
    let total = 0;
    for (let row = 0; row < rows; row += 1) {
      if (live[row] === 0 || hits[row] !== words || (publishedAt[row] as number) > at) continue;
      const closes = closesAt[row] as number;
      if (closes <= after || closes >= before) continue;
      if (state !== ANY && states[row] !== state) continue;
      if (category !== ANY && categories[row] !== category) continue;
      const value = price[row] as number;
      // Not the other way round: NaN, a tender without an estimate, is in no range.
      if (hasRange && !(value >= least && value <= most)) continue;
      const inDistrict = district === ANY || districts[row] === district;
      const inDepartment = department === ANY || departments[row] === department;
      if (inDepartment) addOne(counts.districts, numbers[districts[row] as number] as number);
      if (inDistrict) addOne(counts.departments, numbers[departments[row] as number] as number);
      if (!inDistrict || !inDepartment) continue;
      mask[row] = 1;
      total += 1;
    }
    return total;
  }
}

/** Closing instants that match lie between these two, which are themselves outside. */
function closingWindow({ open, closesWithinDays }: Filter, now: Date): { after: number; before: number } {
  const at = now.getTime();
  // Closed from the instant on; instants are whole milliseconds.
  if (!open) return { after: -Infinity, before: at + 1 };
  return { after: at, before: closesWithinDays === null ? Infinity : closingWithin(closesWithinDays, now).getTime() };
}

function addOne(counts: Uint32Array, name: number): void {
  counts[name] = (counts[name] as number) + 1;
}

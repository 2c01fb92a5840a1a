/**
 * Finds the two districts of a work whose texts name both: 'in districts X and Y', 'Distt. X and Y', 'X/Y district',
 * 'at A, Distt. X and at B, Distt. Y'. A name of an office, a route or a neighbour is not a place of the work. In doubt, for
 * example with a third name, the result is empty. A work of one district must never get a second one.
 */
import { type DistrictSearch, findMentions, type Mention, SEAT, UNITS } from './district-search.ts';

/** The texts of a work; `place` is the cell of the place, null if it is that of the office. */
interface WorkTexts {
  title: string;
  description: string;
  place: string | null;
}

interface NameSearches {
  districts: DistrictSearch;
  /** Districts and towns. */
  anywhere: DistrictSearch;
}

const ONE = 'dist{1,2}t?|dist{1,2}rict|zila|zilla';
const SEVERAL = 'dist{1,2}t?s|dist{1,2}ricts';
const before = (mark: string) => new RegExp(`\\b(?:${mark})(?:\\s+of)?[\\s.:,(-]*$`, 'i');
const after = (mark: string) => new RegExp(`^[\\s,).-]*(?:${mark})\\b\\.?`, 'i');
const MARK_BEFORE = before(`${ONE}|${SEVERAL}`);
const MARK_AFTER = after(`${ONE}|${SEVERAL}`);
const MARK_AFTER_FIRST = new RegExp(`^[\\s)-]*(?:${ONE})\\b\\.?`, 'i');
const SEVERAL_BEFORE = before(SEVERAL);
const SEVERAL_AFTER = after(SEVERAL);

/** Between two names of one list. */
const JOINED = /^\s*(?:and|&|\/|as well as)\s*$/i;
/** Between two names of one list next to the plural 'districts'. With the singular, 'Tamulpur, Baksa district' is a town and its district. */
const JOINED_IN_PLURAL = /^\s*(?:,|-|–)\s*$/;
/** Between two names in a cell that has only names. */
const JOINED_IN_CELL = /^\s*[;|]\s*$/;
/** Between a name and the next one of a longer list. */
const LIST_GAP = new RegExp(`^\\s*(?:,|;|/|-|and|&|,\\s*and)?\\s*(?:(?:${ONE}|${SEVERAL})\\b[\\s.:-]*)?$`, 'i');
/** Before a name: an unknown single word of the same list. */
const UNKNOWN_IN_LIST = new RegExp(`(?:,|\\b(?:in|of|for|${ONE}|${SEVERAL}))\\s+[A-Z][\\w-]*\\s*,\\s*$`);
/** Between two names that are both marked as districts. */
const LINKED = /^[\s,;&/()]*$|\band\b|&|\bas well as\b|\bto\b/i;
const UNLINKED =
  /[:;]|\.\s+[A-Z]{2}|\b(?:under|by|for|near|from|or|of|office|undivided|erstwhile|border|boundary|division|circle|zone|lab|laboratory)\b/i;
/** Maximum text between two such names: 'Distt. X (HP) and Distt. Y'. */
const MAX_GAP_CHARACTERS = 80;
const CONTEXT_CHARACTERS = 90;

/** Before the names: an office, a person, a firm, or a word for a neighbouring place. */
const NO_PLACE_BEFORE =
  /\b(?:division|divn|dn|circle|zone|range|section|office|o\/o|engineer|commissioner|officer|director|collector|magistrate|conservator|manager|superintendent|contractor|bidder|firm|supplier|resident|agenc(?:y|ie)|court|bank|board|corporation|union|society|federation|dealer|except|excepting|excluding|other than|outside|adjoining|neighbou?ring|near|border|boundary|towards|between|than|undivided|erstwhile|former)s?\b[\s,.:()-]*(?:(?:of|for|the|to|both|between)\s+)*$/i;
const FROM_BEFORE = /\bfrom\s+(?:(?:the|both)\s+)*$/i;
/** After the names: an office, or a road between them. */
const NO_PLACE_AFTER = new RegExp(
  `^[\\s.-]*(?:(?:${UNITS}|tbd|office|court|council|parishad|administration|board|bank|union|federation|hospital|jail|police|headquarter|hq|border|boundary|authorit(?:y|ie)|contractor|cooperative|society|mission|treasury)s?\\b|(?:\\w+\\s+)?(?:road|rd|marg|highway|bye?\\s?pass|line|feeder|section)\\b)`,
  'i',
);
const TRANSPORT =
  /transport|carriage|loading|shifting|suppl|haul|deliver|handling|dispatch|courier|convey|\bbus\b|taxi|vehicle/i;
const IN_BEFORE = /\bin\s+$/i;
/** The end of a clause. */
const END = /^\s*(?:$|[.,;:()]|(?:under|for|during|on|by|with|including|H\.?P)\b)/i;

/** The districts that one text names. */
interface Statement {
  pairs: (readonly [string, string])[];
  /** Districts that are marked as such and are not part of a pair. */
  alone: string[];
}

/** The two districts in the order of the text; empty in doubt. */
export function findTwoDistricts({ title, description, place }: WorkTexts, searches: NameSearches): readonly string[] {
  const texts = description === title ? [title] : [title, description];
  const statements = texts.map((text) => readText(text, searches));
  const pairs = [...statements.flatMap((each) => each.pairs), ...(place ? readCell(place, searches.districts) : [])];
  const [first] = pairs;
  const isAgreed = pairs.every((pair) => pair.every((district) => first?.includes(district)));
  return first && isAgreed && statements.every(({ alone }) => alone.length === 0) ? first : [];
}

function readText(text: string, { districts, anywhere }: NameSearches): Statement {
  if (!mayNameDistricts(text)) return { pairs: [], alone: [] };
  const mentions = findMentions(text, districts);
  const paired = new Set<Mention>();
  const pairs = mentions.slice(1).flatMap((second, at) => {
    const first = mentions[at] as Mention;
    if (!arePlaces(text, first, second, mentions)) return [];
    if (isInLongerList(text, first, second, findMentions(text, anywhere))) return [];
    paired.add(first).add(second);
    return [[first.district, second.district] as const];
  });
  const alone = mentions.filter((mention) => !paired.has(mention) && isNamedAlone(text, mention));
  return { pairs, alone: alone.map(({ district }) => district) };
}

/** A fast check before the pattern of all names. Most texts have none of the words. */
const mayNameDistricts = (text: string) => /dis+t|zil+a|\bin\s+\w+\s*(?:&|and\b|\/)/i.test(text);

function arePlaces(text: string, first: Mention, second: Mention, mentions: readonly Mention[]): boolean {
  if (first.district === second.district) return false;
  const gap = text.slice(first.end, second.start);
  const lead = text.slice(Math.max(0, first.start - CONTEXT_CHARACTERS), first.start);
  const tail = text.slice(second.end, second.end + CONTEXT_CHARACTERS);
  const [bareLead, bareTail] = [lead.replace(MARK_BEFORE, ''), tail.replace(MARK_AFTER, '')];
  if (NO_PLACE_BEFORE.test(bareLead) || NO_PLACE_AFTER.test(bareTail) || SEAT.test(bareTail)) return false;
  const isSeveral = SEVERAL_BEFORE.test(lead) || SEVERAL_AFTER.test(tail);
  if (JOINED.test(gap) || (isSeveral && JOINED_IN_PLURAL.test(gap))) {
    if (FROM_BEFORE.test(bareLead)) return false;
    if (MARK_BEFORE.test(lead) || MARK_AFTER.test(tail)) return true;
    const isOnlyPlace = mentions.every(({ district }) => [first.district, second.district].includes(district));
    return IN_BEFORE.test(lead) && END.test(tail) && isOnlyPlace;
  }
  // In 'A, Distt. B' the mark belongs to B only.
  const afterFirst = MARK_BEFORE.test(lead) ? gap : gap.replace(MARK_AFTER_FIRST, '');
  const isFirstNamed = MARK_BEFORE.test(lead) || afterFirst !== gap;
  const isSecondNamed = MARK_BEFORE.test(afterFirst) || MARK_AFTER.test(tail);
  const between = afterFirst.replace(MARK_BEFORE, '');
  if (
    !isFirstNamed ||
    !isSecondNamed ||
    gap.length > MAX_GAP_CHARACTERS ||
    UNLINKED.test(between) ||
    !LINKED.test(between)
  )
    return false;
  const isRoute = /\bto\b/i.test(between);
  return isRoute ? !TRANSPORT.test(text) : !FROM_BEFORE.test(bareLead);
}

/** Whether a third name is before or after the two. It may be an unknown name: 'in A, X and Y districts'. */
function isInLongerList(text: string, first: Mention, second: Mention, names: readonly Mention[]): boolean {
  const isNext = (one: Mention, other: Mention) =>
    one.end <= other.start && LIST_GAP.test(text.slice(one.end, other.start).replace(/\([^)]*\)/, ''));
  const others = names.filter(({ district }) => district !== first.district && district !== second.district);
  return (
    UNKNOWN_IN_LIST.test(text.slice(0, first.start)) ||
    others.some((other) => isNext(other, first) || isNext(second, other))
  );
}

/** Whether a name is marked as a district and is the name of a place. */
function isNamedAlone(text: string, { start, end }: Mention): boolean {
  const lead = text.slice(Math.max(0, start - CONTEXT_CHARACTERS), start);
  const tail = text.slice(end, end + CONTEXT_CHARACTERS);
  if (!MARK_BEFORE.test(lead) && !MARK_AFTER.test(tail)) return false;
  return !NO_PLACE_BEFORE.test(lead.replace(MARK_BEFORE, '')) && !NO_PLACE_AFTER.test(tail.replace(MARK_AFTER, ''));
}

/** The two names of a cell that has nothing else. A comma is not accepted, because it may separate a town from its district. */
function readCell(cell: string, search: DistrictSearch): (readonly [string, string])[] {
  const [first, second, ...others] = findMentions(cell, search);
  if (!first || !second || others.length > 0 || first.district === second.district) return [];
  const [lead, gap, tail] = [cell.slice(0, first.start), cell.slice(first.end, second.start), cell.slice(second.end)];
  const isSeveral = SEVERAL_BEFORE.test(lead) || SEVERAL_AFTER.test(tail);
  const linked = gap.replace(MARK_AFTER, '').replace(MARK_BEFORE, '');
  const isJoined = JOINED.test(linked) || JOINED_IN_CELL.test(linked) || (isSeveral && JOINED_IN_PLURAL.test(linked));
  const isOnlyNames =
    /^[\s(]*$/.test(lead.replace(MARK_BEFORE, '')) &&
    /^[\s,.()]*(?:H\.?P\.?)?[\s.)]*$/i.test(tail.replace(MARK_AFTER, ''));
  return isJoined && isOnlyNames ? [[first.district, second.district]] : [];
}

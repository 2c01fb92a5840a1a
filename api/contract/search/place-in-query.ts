/**
 * Finds the place in a typed text: 'nali nirman odisha' means drains in Odisha. The place becomes a filter, and its words
 * are not searched. Towns and departments are searched as words.
 */

import type { QueryPlace } from '../tenders/tender.ts';
import {
  findPlace,
  findPlaceBySound,
  foldPlaceName,
  MAX_NAME_WORDS,
  type NamedPlace,
  type StateDistrict,
} from './place-names.ts';
import { isDictionaryEntry, latinWord, MAX_ENTRY_WORDS } from './query-words.ts';
import { readQueryWords } from './terms.ts';

/** The place filters of the search; null or empty means any. */
export interface PlaceContext {
  state: string | null;
  districts: readonly string[];
}

/** A word of the typed text. */
interface TextWord {
  name: string;
  from: number;
  to: number;
}

/** Consecutive words that are the name of a place; `to` is exclusive. */
interface PlaceSpan {
  from: number;
  to: number;
  place: NamedPlace;
}

const words = (text: string) => new Set(text.split(' ').map(foldPlaceName));

const DISTRICT_WORDS = words('district distt dist zila jila जिला जनपद');
const WORDS_BEFORE_PLACE = new Set([...DISTRICT_WORDS, ...words('in at near mein me में state from')]);
const WORDS_AFTER_PLACE = new Set([...DISTRICT_WORDS, ...words('mein me में state')]);
/** Words without a meaning of their own at the ends of a query. */
const FILLERS = words(
  'a an and at by from for in near of on or the to with tender tenders etender me mein main ka ki ke ko aur se kaam kam ' +
    'का की के को में मे से पर और',
);
/** 'sabzi mandi' and 'mandi samiti' are markets, not the district. */
const MARKET_WORDS = words('sabzi sabji subzi anaj fal fruit grain krishi upaj yard samiti सब्जी अनाज फल');
/** Words that make a name a body: 'assam rifles', 'punjab national bank'. */
const BODY_WORDS = words('rifles regiment national university');
const ENGINE_WORDS = words('pump motor engine submersible laptop desktop printer computer ink toner');
/** Words of a route: 'mandi to kullu' is the course of a road. */
const ROUTE_WORDS = words('to from se tak');
const WORD_PATTERN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

function splitWords(text: string): TextWord[] {
  return [...text.matchAll(WORD_PATTERN)].map((match) => ({
    name: foldPlaceName(match[0]),
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/** Whether words are in the dictionary. Latin words may be written in an Indian script. */
function isWork(names: readonly string[]): boolean {
  return names.some((name) => {
    const latin = latinWord(name);
    return isDictionaryEntry([name]) || FILLERS.has(name) || (latin !== undefined && isDictionaryEntry([latin]));
  });
}

/** The longest name at each word. A name inside a longer dictionary entry ('himachal road transport') is not a place. */
function findSpans(typed: readonly TextWord[]): PlaceSpan[] {
  const spans: PlaceSpan[] = [];
  for (let from = 0; from < typed.length; from += 1) {
    for (let to = Math.min(typed.length, from + MAX_NAME_WORDS); to > from; to -= 1) {
      const names = typed.slice(from, to).map(({ name }) => name);
      const place = findPlace(names.join(' ')) ?? (isWork(names) ? undefined : findPlaceBySound(names.join(' ')));
      if (!place) continue;
      if (!isInsideEntry(typed, from, to)) spans.push({ from, to, place });
      from = to - 1;
      break;
    }
  }
  return spans;
}

function isInsideEntry(typed: readonly TextWord[], from: number, to: number): boolean {
  for (let start = Math.max(0, to - MAX_ENTRY_WORDS); start <= from; start += 1) {
    for (let end = Math.min(typed.length, start + MAX_ENTRY_WORDS); end >= to; end -= 1) {
      if (start === from && end === to) continue;
      const entry = typed.slice(start, end).map(({ name }) => name);
      const hasCue = entry.some((name) => DISTRICT_WORDS.has(name) || FILLERS.has(name));
      const terms = readQueryWords(entry.join(' ')).map(({ term }) => term);
      if (!hasCue && terms.length === entry.length && isDictionaryEntry(terms)) return true;
    }
  }
  return false;
}

/** The place of a text; null when it names none that agrees with `context`. */
export function findPlaceInQuery(text: string, context: PlaceContext): QueryPlace | null {
  // A text with a tender id is searched as typed.
  if (/\d_/.test(text)) return null;
  const typed = splitWords(text);
  const nameAt = (at: number) => typed[at]?.name ?? '';
  const isHorsepower = (at: number) =>
    /^\d+$/.test(nameAt(at - 1)) || ENGINE_WORDS.has(nameAt(at - 1)) || ENGINE_WORDS.has(nameAt(at + 1));
  const spans = findSpans(typed)
    .map((span) => ({ ...span, place: withinContext(span.place, context) }))
    .filter((span): span is PlaceSpan => span.place !== undefined)
    .filter(({ from, to }) => !MARKET_WORDS.has(nameAt(from - 1)) && !MARKET_WORDS.has(nameAt(to)))
    .filter(({ to }) => !BODY_WORDS.has(nameAt(to)))
    .filter(({ from, to }) => nameAt(from) !== 'hp' || to - from > 1 || !isHorsepower(from))
    .filter(
      ({ from, to, place }) =>
        !(place.isAmbiguous || (place.isFrequentElsewhere && context.state === null)) ||
        DISTRICT_WORDS.has(nameAt(from - 1)) ||
        DISTRICT_WORDS.has(nameAt(to)),
    );
  const used = new Set<number>();
  const isDistrict = ({ place }: PlaceSpan) => place.districts.length > 0;
  const districts = spans.filter(isDistrict);
  const isRoute =
    new Set(districts.map(({ place }) => place)).size > 1 ||
    districts.some(({ from, to }) => ROUTE_WORDS.has(nameAt(from - 1)) || ROUTE_WORDS.has(nameAt(to)));
  const candidates = isRoute ? spans.filter((span) => !isDistrict(span)) : spans;
  const isIdle = (at: number) => used.has(at) || FILLERS.has(nameAt(at)) || WORDS_BEFORE_PLACE.has(nameAt(at));
  const isAtEdge = ({ from, to }: PlaceSpan) =>
    typed.slice(to).every((_, at) => isIdle(to + at)) || typed.slice(0, from).every((_, at) => isIdle(at));
  const hasCue = ({ from, to }: PlaceSpan) =>
    WORDS_BEFORE_PLACE.has(nameAt(from - 1)) || WORDS_AFTER_PLACE.has(nameAt(to));
  let state: PlaceSpan | undefined;
  let district: PlaceSpan | undefined;
  const take = (span: PlaceSpan) => {
    if (isDistrict(span)) district = span;
    else state = span;
    for (let at = span.from; at < span.to; at += 1) used.add(at);
    if (WORDS_BEFORE_PLACE.has(nameAt(span.from - 1))) used.add(span.from - 1);
    if (WORDS_AFTER_PLACE.has(nameAt(span.to))) used.add(span.to);
  };
  const isFree = (span: PlaceSpan) => (isDistrict(span) ? !district : !state);
  // A place at the edge makes its neighbour the new edge: 'road solan himachal'.
  for (;;) {
    const next = candidates.find((span) => isFree(span) && !used.has(span.from) && (isAtEdge(span) || hasCue(span)));
    if (!next) break;
    take(next);
  }
  const inside = candidates.filter((span) => isDistrict(span) && !used.has(span.from));
  if (!district && inside.length === 1) take(inside[0] as PlaceSpan);
  // In 'kangra odisha' the state is the place, and the district's name is searched as a word.
  if (state && district && !district.place.districts.some((each) => each.state === state?.place.state)) {
    for (let at = district.from; at < district.to; at += 1) used.delete(at);
    district = undefined;
  }
  if (!state && !district) return null;
  return toQueryPlace(text, typed, used, state?.place.state ?? null, district?.place.districts ?? []);
}

/** The meaning of a name together with the place filters; undefined when the filters exclude it. */
function withinContext(place: NamedPlace, { state, districts }: PlaceContext): NamedPlace | undefined {
  if (place.districts.length === 0) return state === null || place.state === state ? place : undefined;
  const possible = place.districts.filter(
    (each) => (state === null || each.state === state) && (districts.length === 0 || districts.includes(each.district)),
  );
  if (possible.length === 0) return undefined;
  return possible.length === place.districts.length ? place : { ...place, districts: possible };
}

function toQueryPlace(
  text: string,
  typed: readonly TextWord[],
  used: ReadonlySet<number>,
  state: string | null,
  districts: readonly StateDistrict[],
): QueryPlace {
  const inState = districts.filter((each) => each.state === state);
  let rest = text;
  for (const at of [...used].sort((one, other) => other - one)) {
    const { from, to } = typed[at] as TextWord;
    rest = `${rest.slice(0, from)} ${rest.slice(to)}`;
  }
  return {
    state: inState.length > 0 || districts.length === 0 ? state : null,
    districts: inState.length > 0 ? inState : [...districts],
    text: [...used]
      .sort((one, other) => one - other)
      .map((at) => text.slice(typed[at]?.from, typed[at]?.to))
      .join(' '),
    rest: rest.replace(/\s+/g, ' ').replace(/^[\s,;:-]+|[\s,;:-]+$/g, ''),
  };
}

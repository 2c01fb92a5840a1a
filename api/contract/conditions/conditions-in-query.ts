/**
 * Finds conditions in a typed text: 'road below 10 lakh closing today' means roads under two filters. A condition becomes a
 * filter, and its words are not searched. In doubt, words are searched.
 */

import { indianDay, startOfIndianDay } from '../format.ts';
import { findPlaceInQuery, type PlaceContext } from '../search/place-in-query.ts';
import { MATCH_QUALITY, parseQuery } from '../search/query-words.ts';
import type { ConditionFacts, QueryCondition, TenderCategory } from '../tenders/tender.ts';
import { type AmountRange, readAmount, readNoEmd } from './amounts.ts';
import type { ConditionMeaning, Exclusion } from './condition-meaning.ts';
import { conditionLabel } from './condition-texts.ts';
import { type DayRange, readDays } from './days.ts';
import { readExclusion } from './exclusions.ts';
import { phraseFinder, type Token, tokenizeQuery, wordSet } from './tokens.ts';

/** A condition with its words as typed. */
export interface ReadCondition {
  meaning: ConditionMeaning;
  /** The words that were read as the condition. */
  text: string;
  /** The text without them. */
  rest: string;
}

/** The conditions of a text, and the text without all of them. */
export interface ConditionReading {
  conditions: readonly ReadCondition[];
  rest: string;
}

/** The combined meaning of the conditions of a text. */
export interface ConditionBounds {
  min: number | null;
  max: number | null;
  emdMin: number | null;
  emdMax: number | null;
  /** No EMD, or an exemption from it is allowed. */
  isEmdExempt: boolean;
  /** Closing and published from `from` on and before `before`. */
  closing: InstantRange;
  published: InstantRange;
  /** Two different categories match nothing. */
  categories: readonly TenderCategory[];
  exclusions: readonly Exclusion[];
}
interface InstantRange {
  from: Date | null;
  before: Date | null;
}

interface Span {
  meaning: ConditionMeaning;
  from: number;
  to: number;
}

/** Filler words. They are not searched if the text has a condition. */
const SPEECH = wordSet(
  'show me find get give list search all any everything but lekin magar baki baaki those which that who whose whole are is have having has with want need only please jo jis jiska jiski jinka ' +
    'jinki jinke jiske jisme jisme hai hain ho hon hone rahe rahi raha wale wali wala vale vali vala dikhao dikhaye dikhaiye dikhaao batao bataye ' +
    'chahiye chaiye sab sabhi saare sare kaunse konse koi kya mujhe ' +
    'लेकिन मगर बाकी दिखाओ दिखाएं दिखाइए बताओ बताएं चाहिए जो जिसका जिसकी जिनका जिनकी जिनके है हैं हो वाले वाली वाला सभी सब कौनसे मुझे',
);
/** Words for tenders. Without another word they mean all tenders. */
const TENDERS = wordSet(
  'tender tenders etender etenders bid bids nit nits notice notices nivida nividaye nividayen nividaen work works kaam kam karya opportunities ' +
    'a an and at by from for in of on or the to se me mein mai main ka ki ke ko aur par ' +
    'टेंडर टेंडरों निविदा निविदाएं निविदाओं काम कार्य कार्यों का की के को में मे से पर और',
);
const TENDER_WORDS = wordSet(
  'tender tenders bid bids nit nits notice notices nivida nividaye nividayen nividaen टेंडर निविदा निविदाएं निविदाओं',
);
/** Words for new. 'new tenders' are tenders since yesterday, as on the home page. */
const NEW_WORDS = wordSet('new latest recent fresh naye naya nayi nai taza taaza नए नये नई नयी ताजा ताज़ा');
const findNewlyPublished = phraseFinder([
  [true, 'newly published,recently published,just published,newly added,recently added,newly posted,recently posted'],
]);
const NEW_DAYS = 1;

const findCategory = phraseFinder<TenderCategory>([
  ['Works', 'works'],
  ['Goods', 'goods,वस्तुएं'],
  ['Services', 'services,सेवाएं'],
]);
/** 'service' is a category only without another word; with one it is a work. */
const findNamedCategory = phraseFinder<TenderCategory>([['Services', 'service']]);
const CATEGORY_CUES = wordSet('category type kind only class categories types श्रेणी sirf keval केवल सिर्फ');

const isTender = (text: string) => TENDER_WORDS.has(text);

/** The conditions of a text. A text with an id has none. `context` has the place filters of the search. */
export function findConditions(text: string, context: PlaceContext, now: Date): ConditionReading {
  const none = { conditions: [], rest: text };
  if (/\d_/.test(text)) return none;
  const tokens = tokenizeQuery(text);
  const used = new Set<number>();
  const spans: Span[] = [];
  const add = (meaning: ConditionMeaning, from: number, to: number) => {
    spans.push({ meaning, from, to });
    for (let at = from; at < to; at += 1) used.add(at);
  };
  const isFree = (at: number) => at >= 0 && at < tokens.length && !used.has(at);
  for (let at = 0; at < tokens.length; at += 1) {
    const noEmd = readNoEmd(tokens, at);
    const amount = noEmd ? undefined : readAmount(tokens, at);
    const days = noEmd || amount ? undefined : readDays(tokens, at, now);
    if (noEmd) add({ kind: noEmd.value === 'exempt' ? 'emd_exempt' : 'no_emd' }, at, noEmd.to);
    else if (amount) add({ kind: amount.field, min: amount.min, max: amount.max }, amount.from, amount.to);
    else if (days) add({ kind: days.kind, from: days.from, to: days.to }, days.start, days.end);
    else continue;
    at = (spans.at(-1) as Span).to - 1;
  }
  addNew(tokens, isFree, add, now);
  for (let at = 0; at < tokens.length; at += 1) {
    if (!isFree(at)) continue;
    const found = readExclusion(text, tokens, at, isFree);
    if (!found) continue;
    const exclusions = found.texts.map((each) => toExclusion(each, context));
    add({ kind: 'without', exclusions }, found.from, found.to);
    at = Math.max(at, found.to - 1);
  }
  addCategory(text, tokens, used, add, context);
  if (spans.length === 0) return none;
  const ordered = spans.toSorted((one, other) => one.from - other.from);
  const conditions = ordered.map(({ meaning, from, to }) => ({
    meaning,
    text: text.slice(tokens[from]?.from, tokens[to - 1]?.to),
    rest: withoutTokens(text, tokens, (at) => at >= from && at < to),
  }));
  const rest = withoutTokens(text, tokens, (at) => used.has(at) || SPEECH.has(tokens[at]?.text ?? ''));
  return { conditions, rest: isOfTenders(rest) ? '' : rest };
}

/** Whether a text names no work: 'tenders', 'ke kaam'. */
export function isOfTenders(text: string): boolean {
  return tokenizeQuery(text).every(({ kind, text: word }) => kind === 'sign' || TENDERS.has(word) || SPEECH.has(word));
}

function withoutTokens(text: string, tokens: readonly Token[], isLeftOut: (at: number) => boolean): string {
  let rest = '';
  let end = 0;
  for (const [at, token] of tokens.entries()) {
    if (!isLeftOut(at)) continue;
    rest += `${text.slice(end, token.from)} `;
    end = token.to;
  }
  return (rest + text.slice(end)).replace(/\s+/g, ' ').replace(/^[\s,;:&-]+|[\s,;:&-]+$/g, '');
}

type Add = (meaning: ConditionMeaning, from: number, to: number) => void;

/** 'new tenders', 'naye tender', 'नई निविदाएं'. A new building is a work. */
function addNew(tokens: readonly Token[], isFree: (at: number) => boolean, add: Add, now: Date): void {
  for (const [at, { text }] of tokens.entries()) {
    const isNew = NEW_WORDS.has(text) && isTender(tokens[at + 1]?.text ?? '');
    const to = isNew ? at + 2 : findNewlyPublished(tokens, at)?.to;
    if (to !== undefined && isFree(at)) add({ kind: 'published', from: indianDay(now) - NEW_DAYS, to: null }, at, to);
  }
}

/** 'goods tenders', 'only services', 'category works', and a kind that is all that is left of the text. */
function addCategory(text: string, tokens: readonly Token[], used: Set<number>, add: Add, context: PlaceContext): void {
  const isLeft = (at: number) => !used.has(at);
  for (let at = 0; at < tokens.length; at += 1) {
    const kind = findCategory(tokens, at);
    const found = kind ?? findNamedCategory(tokens, at);
    if (!found || !isLeft(at)) continue;
    const start = tokens[at - 1]?.text === ':' ? at - 2 : at - 1;
    const before = tokens[start]?.text ?? '';
    const behind = tokens[at + 1]?.text ?? '';
    const others = withoutTokens(
      text,
      tokens,
      (each) => used.has(each) || each === at || SPEECH.has(tokens[each]?.text ?? ''),
    );
    const isOnlyKind = !tokens.some((_, each) => each !== at && isLeft(each) && findCategory(tokens, each));
    const isAlone = kind !== undefined && isOnlyKind && namesNoWork(others, context);
    // In 'goods tenders of cement' the category comes first. A word before it belongs to the work: 'manpower services tenders'.
    const leads = namesNoWork(
      withoutTokens(text, tokens, (each) => each >= at || used.has(each)),
      context,
    );
    const hasCueBefore = CATEGORY_CUES.has(before) && isLeft(start);
    const hasCueBehind = CATEGORY_CUES.has(behind) && isLeft(at + 1) && (leads || behind === 'category');
    if (!isAlone && !hasCueBefore && !hasCueBehind && !(leads && isTender(behind))) continue;
    add({ kind: 'category', category: found.value }, hasCueBefore ? start : at, hasCueBehind ? at + 2 : at + 1);
    return;
  }
}

/** True for a text of a place and of words that name no work. */
const namesNoWork = (text: string, context: PlaceContext) => isOfTenders(findPlaceInQuery(text, context)?.rest ?? text);

function toExclusion(text: string, context: PlaceContext): Exclusion {
  const place = findPlaceInQuery(text, context);
  if (place && place.rest === '') return { text, words: [], place: { state: place.state, districts: place.districts } };
  // Synonyms are excluded too; broader words are not.
  const words = parseQuery(text, 'never').map((word) => ({
    ...word,
    alternatives: word.alternatives
      .filter(({ quality }) => quality >= MATCH_QUALITY.synonym)
      .map(({ terms }) => ({ terms, quality: MATCH_QUALITY.typed })),
  }));
  return { text, words, place: null };
}

/** The conditions as an answer names them. */
export const toQueryConditions = (conditions: readonly ReadCondition[], now: Date): QueryCondition[] =>
  conditions.map(({ meaning, text, rest }) => {
    const condition = { kind: meaning.kind, facts: conditionFacts(meaning), label: '', text, rest };
    return { ...condition, label: conditionLabel(condition, now) };
  });

function conditionFacts(meaning: ConditionMeaning): ConditionFacts {
  const facts = { from: null, to: null, names: [] };
  switch (meaning.kind) {
    case 'price':
    case 'emd':
      return { ...facts, from: meaning.min, to: meaning.max };
    case 'closing':
    case 'published':
      return { ...facts, from: meaning.from, to: meaning.to };
    case 'category':
      return { ...facts, names: [{ text: meaning.category, isPlace: false }] };
    case 'without':
      return { ...facts, names: meaning.exclusions.map(({ text, place }) => ({ text, isPlace: place !== null })) };
    default:
      return facts;
  }
}

/** All conditions together; null without any. */
export function conditionBounds(conditions: readonly ReadCondition[]): ConditionBounds | null {
  if (conditions.length === 0) return null;
  const meanings = conditions.map(({ meaning }) => meaning);
  const amounts = (kind: 'price' | 'emd') =>
    meanings.filter((each): each is Extract<ConditionMeaning, AmountRange> => each.kind === kind);
  const noEmd = meanings.some(({ kind }) => kind === 'no_emd') ? [0] : [];
  return {
    min: highest(amounts('price').map(({ min }) => min)),
    max: lowest(amounts('price').map(({ max }) => max)),
    emdMin: highest(amounts('emd').map(({ min }) => min)),
    emdMax: lowest([...amounts('emd').map(({ max }) => max), ...noEmd]),
    isEmdExempt: meanings.some(({ kind }) => kind === 'emd_exempt'),
    closing: instants(meanings, 'closing'),
    published: instants(meanings, 'published'),
    categories: meanings.flatMap((each) => (each.kind === 'category' ? [each.category] : [])),
    exclusions: meanings.flatMap((each) => (each.kind === 'without' ? each.exclusions : [])),
  };
}

function instants(meanings: readonly ConditionMeaning[], kind: 'closing' | 'published'): InstantRange {
  const ranges = meanings.filter((each): each is Extract<ConditionMeaning, DayRange> => each.kind === kind);
  const from = highest(ranges.map((range) => range.from));
  const to = lowest(ranges.map((range) => range.to));
  return { from: from === null ? null : startOfIndianDay(from), before: to === null ? null : startOfIndianDay(to + 1) };
}

const given = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
const highest = (values: readonly (number | null)[]) => (given(values).length > 0 ? Math.max(...given(values)) : null);
const lowest = (values: readonly (number | null)[]) => (given(values).length > 0 ? Math.min(...given(values)) : null);

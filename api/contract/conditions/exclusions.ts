/** Finds exclusions in a typed text: 'road not bridge', 'except culvert', '-pump', 'पुल को छोड़कर', 'nali ke alawa'. */
import { findPlace, foldPlaceName } from '../search/place-names.ts';
import { isDictionaryEntry, isDictionaryTerm, isKnownTerm, MAX_ENTRY_WORDS } from '../search/query-words.ts';
import { readQueryWords } from '../search/terms.ts';
import { phraseFinder, skipWords, type Token, wordSet } from './tokens.ts';

/** Tokens `from` to `to` (exclusive) leave out each of `texts`. */
export interface FoundExclusion {
  texts: readonly string[];
  from: number;
  to: number;
}

const findCueBefore = phraseFinder<'plain' | 'works'>([
  [
    'plain',
    'except,except for,excluding,exclude,excl,excluded,without,without any,other than,apart from,but not,and not,but no,and no,not including,' +
      'bina,bagair,bagar,बिना,बगैर,sivay,sivaay,सिवाय',
  ],
  // 'w/o' is also the wife of.
  ['works', 'not,not for,not in,not of,minus,w/o'],
]);
const findCueAfter = phraseFinder<'plain' | 'last'>([
  [
    'plain',
    'ke alawa,ke ilawa,ke alava,ke ilava,ke alaava,k alawa,alawa,ke siva,ke sivay,ke sivaay,ke siwa,ke siway,ke bina,ke bagair,ko chhodkar,' +
      'ko chodkar,ko chhorkar,ko chhod kar,ko chod kar,ko chhod ke,ko chod ke,ko chhodke,ko chodke,chhodkar,chodkar,chhod kar,chod kar,' +
      'chhod ke,chod ke,chhodke,chodke,chhorkar,ko hatakar,ko hata kar,hatakar,hata kar,hata ke,ko hata ke,excluded,' +
      'के अलावा,के इलावा,अलावा,के सिवा,के सिवाय,के बिना,के बगैर,को छोड़कर,को छोड़ कर,को छोड़के,छोड़कर,छोड़ कर,छोड़के,को हटाकर,हटाकर,रहित',
  ],
  // Only at the end: 'road nahi bani' has another meaning.
  ['last', 'nahi,nahin,nhi,nahi chahiye,nahin chahiye,nhi chahiye,na ho,नहीं,नही,नहीं चाहिए,न हो'],
]);

const AFTER_CUE = wordSet('the a an any for of in at work works job tenders tender');
/** Words after which nothing is excluded: 'not completed', 'not exceeding'. */
const NOT_THINGS = wordSet(
  'completed complete executed done covered working required applicable exceeding less more above below only available found ' +
    'attended started finished yet so as to be being having included specified mentioned provided functioning functional used in',
);
const LIST_SIGNS = wordSet('and or aur ya & , / nor evam va और या एवं व तथा tatha');
/** An exclusion does not cross these. */
const STOPS = wordSet(
  'in at near with for by from me mein mai में मे wale wali wala vale vali वाले वाली वाला ( ) ; : . tender tenders bid bids ' +
    'टेंडर निविदा निविदाएं se से par पर',
);
/** In longer texts a minus before a word is a dash of a pasted title. */
const MAX_WORDS_WITH_MINUS = 8;

const isPlace = (token: Token | undefined) => token !== undefined && findPlace(foldPlaceName(token.text)) !== undefined;
const isWord = (token: Token | undefined) => token?.kind === 'word' || token?.kind === 'number';
const terms = (tokens: readonly Token[]) =>
  readQueryWords(tokens.map(({ text }) => text).join(' ')).map(({ term }) => term);
function isEntry(tokens: readonly Token[]): boolean {
  const found = terms(tokens);
  return found.length === tokens.length && isDictionaryEntry(found);
}
const isKnown = (tokens: readonly Token[]) => terms(tokens).some((term) => isKnownTerm(term));
const isOfWorks = (tokens: readonly Token[]) => terms(tokens).some((term) => isDictionaryTerm(term));

/**
 * An exclusion that begins at `at`, or whose word follows the excluded thing and is at `at`. `isFree` is false for tokens of
 * other conditions. `text` is the typed text.
 */
export function readExclusion(
  text: string,
  tokens: readonly Token[],
  at: number,
  isFree: (at: number) => boolean,
): FoundExclusion | undefined {
  return readMinus(text, tokens, at) ?? readBefore(text, tokens, at, isFree) ?? readAfter(text, tokens, at, isFree);
}

const textOf = (text: string, tokens: readonly Token[]) => text.slice(tokens[0]?.from, tokens.at(-1)?.to);

function readMinus(text: string, tokens: readonly Token[], at: number): FoundExclusion | undefined {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (!token || !/^[-−–]$/.test(token.text) || (token.isTight && at > 0)) return undefined;
  if (next?.kind !== 'word' || !next.isTight || next.text.length < 3 || !isOfWorks([next])) return undefined;
  if (/\p{Lu}/u.test(text[next.from] ?? '')) return undefined;
  if (tokens.filter(isWord).length > MAX_WORDS_WITH_MINUS) return undefined;
  const words = longestEntry(tokens, at + 1, tokens.length);
  return { texts: [textOf(text, words)], from: at, to: at + 1 + words.length };
}

/** The longest dictionary entry that begins at a token, or the token itself. */
function longestEntry(tokens: readonly Token[], from: number, end: number): readonly Token[] {
  for (let length = Math.min(MAX_ENTRY_WORDS, end - from); length > 1; length -= 1) {
    const words = tokens.slice(from, from + length);
    if (words.every(isWord) && isEntry(words)) return words;
  }
  return tokens.slice(from, from + 1);
}

function lastEntry(tokens: readonly Token[], start: number, end: number): readonly Token[] {
  for (let length = Math.min(MAX_ENTRY_WORDS, end - start); length > 1; length -= 1) {
    const words = tokens.slice(end - length, end);
    if (words.every(isWord) && isEntry(words)) return words;
  }
  return tokens.slice(end - 1, end);
}

function readBefore(
  text: string,
  tokens: readonly Token[],
  at: number,
  isFree: (at: number) => boolean,
): FoundExclusion | undefined {
  const cue = findCueBefore(tokens, at);
  if (!cue || (at > 0 && tokens[at]?.isTight)) return undefined;
  const start = skipWords(tokens, cue.to, AFTER_CUE);
  const isThing = (position: number) => isFree(position) && isWord(tokens[position]);
  if (!isThing(start) || NOT_THINGS.has(tokens[start]?.text ?? '')) return undefined;
  const hasWordsBefore = tokens.slice(0, at).some((token, position) => isThing(position) && !isPlace(token));
  const items: (readonly Token[])[] = [];
  let end = start;
  while (isThing(end) && !STOPS.has(tokens[end]?.text ?? '')) {
    const entry = longestEntry(tokens, end, tokens.length);
    let next = end + entry.length;
    // If words before 'not' are searched, everything after it is excluded. Otherwise only the first thing is.
    while (hasWordsBefore && isThing(next) && !isListEnd(tokens, next)) next += 1;
    items.push(tokens.slice(end, next));
    const following = skipWords(tokens, next, LIST_SIGNS);
    end = next;
    if (following === next || !isThing(following) || findCueBefore(tokens, following)) break;
    end = following;
  }
  const known = items.filter(cue.value === 'plain' ? isKnown : (words) => isOfWorks(words) || words.every(isPlace));
  const last = known.at(-1)?.at(-1);
  if (!last) return undefined;
  return { texts: known.map((words) => textOf(text, words)), from: at, to: tokens.indexOf(last) + 1 };
}

const isListEnd = (tokens: readonly Token[], at: number) =>
  LIST_SIGNS.has(tokens[at]?.text ?? '') ||
  STOPS.has(tokens[at]?.text ?? '') ||
  isPlace(tokens[at]) ||
  findCueBefore(tokens, at) !== undefined ||
  findCueAfter(tokens, at) !== undefined;

function readAfter(
  text: string,
  tokens: readonly Token[],
  at: number,
  isFree: (at: number) => boolean,
): FoundExclusion | undefined {
  const cue = findCueAfter(tokens, at);
  if (!cue || at === 0) return undefined;
  const isThing = (position: number) => position >= 0 && isFree(position) && isWord(tokens[position]);
  const hasWordsBehind = tokens
    .slice(cue.to)
    .some(
      (token, position) =>
        isThing(cue.to + position) && !isPlace(token) && !STOPS.has(token.text) && !AFTER_CUE.has(token.text),
    );
  // In 'road, pul nahi' the comma ends the searched words.
  const isListSign = (text: string) => LIST_SIGNS.has(text) && (hasWordsBehind || text !== ',');
  let start = at;
  while (isThing(start - 1) || (isFree(start - 1) && isListSign(tokens[start - 1]?.text ?? ''))) {
    if (STOPS.has(tokens[start - 1]?.text ?? '') || findCueAfter(tokens, start - 1)) break;
    start -= 1;
  }
  start = skipWords(tokens, start, LIST_SIGNS);
  if (start >= at) return undefined;
  if (cue.value === 'last' && isThing(cue.to)) return undefined;
  const items = splitList(tokens, start, at);
  // In 'sadak pul aur nali ke alawa' no words follow, so the thing before the list is searched.
  const [first = []] = items;
  if (!hasWordsBehind && (first.length > 1 || items.length > 1)) {
    const entry = lastEntry(tokens, tokens.indexOf(first[0] as Token), tokens.indexOf(first.at(-1) as Token) + 1);
    items[0] = entry;
  } else if (hasWordsBehind) {
    const leading = first.findIndex((token) => !isPlace(token));
    if (leading > 0) items[0] = first.slice(leading);
  }
  const known = items.filter(cue.value === 'last' ? isOfWorks : isKnown);
  const head = known[0]?.[0];
  if (!head) return undefined;
  return { texts: known.map((words) => textOf(text, words)), from: tokens.indexOf(head), to: cue.to };
}

function splitList(tokens: readonly Token[], start: number, end: number): (readonly Token[])[] {
  const items: Token[][] = [[]];
  for (const token of tokens.slice(start, end)) {
    if (LIST_SIGNS.has(token.text)) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items.filter((words) => words.length > 0);
}

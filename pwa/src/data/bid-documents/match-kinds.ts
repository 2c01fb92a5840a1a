/**
 * Finds the kinds of documents that a line of a portal's list asks for. The patterns of `document-kinds.json`
 * are matched against lower-case words without punctuation. A line that no pattern matches has no kind and is
 * shown as the portal wrote it.
 */
import type { MessageDescriptor } from '@lingui/core';
import { KIND_NAMES } from '@nivida/contract/bids/document-kind-names';
import file from './document-kinds.json' with { type: 'json' };
import { KIND_TEXTS } from './kind-texts.ts';

/** How long a document can be used. A `per_bid` document is made again for each bid. */
type DocumentLife = 'permanent' | 'expires' | 'monthly' | 'yearly' | 'per_bid' | 'per_work' | 'unknown';

/** A kind of document that bidders upload. */
export interface DocumentKind {
  id: string;
  name: MessageDescriptor;
  hindi: string;
  texts: { what: MessageDescriptor; issuedBy: MessageDescriptor; mistakes: readonly MessageDescriptor[] };
  life: DocumentLife;
  /** 'template': made for each bid from a stored text. */
  vault: 'reuse' | 'refresh' | 'template' | 'never' | 'unknown';
}

/** A requirement on the form of a document, such as a notary's seal. */
export type DocumentBadge = keyof typeof file.badges;

/** The kind of a line that only refers to the list in the tender document. */
export const SEE_TENDER_DOCUMENT = 'see_tender_document';
/** Every line of this cover is a price bid. */
const FINANCE_COVER = 'Finance';
const PRICE_BID = 'price_bid';

const toPatterns = (sources: readonly string[], flags = ''): RegExp[] =>
  sources.map((source) => new RegExp(source, flags));

/** The compiled patterns. They are compiled at the first use. */
function compile() {
  return {
    normalise: file.normalise.map(([from = '', to = '']) => [new RegExp(from, 'g'), to] as const),
    strip: toPatterns(file.strip, 'g'),
    kinds: file.kinds.map((kind) => ({
      id: kind.id,
      any: toPatterns(kind.any),
      weak: toPatterns(kind.weak),
      // A kind never excludes itself.
      weakUnless: kind.weakUnless.filter((id) => id !== kind.id),
      ignore: toPatterns(kind.ignore, 'g'),
      fallback: toPatterns(kind.fallback),
    })),
    badges: Object.entries(file.badges).map(([id, sources]) => ({ id: id as DocumentBadge, any: toPatterns(sources) })),
  };
}
let compiled: ReturnType<typeof compile> | undefined;
const patterns = () => {
  compiled ??= compile();
  return compiled;
};

const squeeze = (text: string): string => text.split(/\s+/).filter(Boolean).join(' ');
const removeAll = (text: string, removed: readonly RegExp[]): string =>
  removed.length === 0 ? text : squeeze(removed.reduce((rest, pattern) => rest.replace(pattern, ' '), text));
const hasAny = (text: string, any: readonly RegExp[]): boolean => any.some((pattern) => pattern.test(text));

function normalise(text: string): string {
  const words = squeeze(text.toLowerCase().replace(/[^a-z0-9]+/g, ' '));
  return squeeze(patterns().normalise.reduce((rest, [from, to]) => rest.replace(from, to), words));
}

/** The ids of the kinds that normalised text names, and of `known` ones. Without fallbacks. */
function kindsInWords(words: string, known: readonly string[] = []): Set<string> {
  const found = new Set(known);
  const texts = new Map<string, string>();
  for (const { id, any, ignore } of patterns().kinds) {
    const text = removeAll(words, ignore);
    texts.set(id, text);
    if (hasAny(text, any)) found.add(id);
  }
  const weak = patterns().kinds.filter(
    (kind) =>
      !found.has(kind.id) &&
      !kind.weakUnless.some((id) => found.has(id)) &&
      hasAny(texts.get(kind.id) ?? '', kind.weak),
  );
  for (const { id } of weak) found.add(id);
  return found;
}

const GLUED_WORD =
  'affidavit|bid|black|certificate|contractor|copy|card|cost|details?|documents?|emd|epf|fees?|gst|itr|labour|licen[cs]e|listed|nrc|number|online|pan|paper|payment|proof|qualifications?|receipt|registration|security|technical|tender|tpc';
const GLUED = new RegExp(`^(?:${GLUED_WORD}){2,}$`, 'i');
const GLUED_PARTS = new RegExp(GLUED_WORD, 'gi');

/** Separates words written without spaces: 'TenderNotice', 'BIDCOST'. */
const separateWords = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[A-Za-z]+/g, (word) => (GLUED.test(word) ? (word.match(GLUED_PARTS) ?? []).join(' ') : word));

/** An item of a list that says only 'affidavit', without a subject. */
const BARE_AFFIDAVIT =
  /^(?:(?:an?|the|copy|copies|scanned|original|fresh|latest|self|attested|notari[sz]ed|duly|of) )*affidavit$/;
/** Two names of one document: 'Registration/License', 'Affidavit/Undertaking'. */
const ALTERNATIVES = ['affidavit|undertaking|declaration', 'registration|enlistment|licen[cs]e'].map(
  (words) => new RegExp(`\\b(${words})\\s*/\\s*(?:${words})\\b`, 'gi'),
);
/** Words that join an item of a list to its neighbours, so that it cannot be read alone. */
const CONNECTIVE =
  /\b(?:as|per|of|for|in(?! hand)|with|by|from|to|that|on(?! hand)|under|if|is|not|along|regarding|reg)\b/;
/** An item that names a document of the tender, without its subject. */
const NAMED_BY_TENDER =
  /^other |^(?:documents?|annexures?|appendix|schedules?)\b|\b(?:document|docs?|qualifications?|criteria|technical bid)$/;
/** Kinds of items in a plain list that other items may hide. */
const KINDS_OF_ITEMS = new Set(['enlistment', 'affidavit_other', 'undertaking', 'tender_form', 'tender_document']);

const splitItems = (text: string, separator: RegExp): string[] => text.split(separator).map(normalise).filter(Boolean);

/** Kinds of the items of a list of short names. */
function kindsOfPlainItems(text: string): string[] {
  const single = ALTERNATIVES.reduce((rest, pattern) => rest.replace(pattern, '$1'), text);
  const items = splitItems(single, /[,;/\n]|\s[&+]\s|\band\b(?!\s+(?:all\s+)?(?:terms|conditions?)\b)/i);
  if (items.length < 2 || items.some((item) => item.split(' ').length > 4 || CONNECTIVE.test(item))) return [];
  return items
    .filter((item) => item !== 'tender')
    .flatMap((item) =>
      [...kindsOfWords(item)].filter(
        (id) => KINDS_OF_ITEMS.has(id) || (id === SEE_TENDER_DOCUMENT && NAMED_BY_TENDER.test(item)),
      ),
    );
}

/** Kinds of single items of a list. The words around an item may hide its kind. */
function kindsOfItems(text: string): string[] {
  const items = splitItems(text, /[,;\n]|\s[&+]\s|\band\b/i);
  const hidden = items.flatMap((item) => {
    if (items.length < 3) return [];
    if (BARE_AFFIDAVIT.test(item)) return ['affidavit_other'];
    const words = removeAll(item, patterns().strip);
    return kindsInWords(words).has('enlistment') ? ['enlistment'] : [];
  });
  return [...kindsOfPlainItems(text), ...hidden];
}

function fallbackKind(...texts: string[]): string | undefined {
  for (const text of texts) {
    const kind = patterns().kinds.find(({ fallback }) => hasAny(text, fallback));
    if (kind) return kind.id;
  }
  return undefined;
}

/** The kinds that normalised text names, and `known` ones. When there are none, the first fallback. */
function kindsOfWords(words: string, known: readonly string[] = []): Set<string> {
  const stripped = removeAll(words, patterns().strip);
  const found = kindsInWords(stripped, known);
  if (found.size > 0) return found;
  const fallback = fallbackKind(stripped, words);
  return new Set(fallback ? [fallback] : []);
}

const kindsOfText = (text: string): Set<string> => kindsOfWords(normalise(text), kindsOfItems(text));

/** The sorted ids of the kinds that a line of a cover asks for. Empty when no pattern matches. */
export function matchKinds(cover: string, text: string): string[] {
  if (cover === FINANCE_COVER) return [PRICE_BID];
  const separated = separateWords(text);
  return [...new Set([...kindsOfText(text), ...(separated === text ? [] : kindsOfText(separated))])].sort();
}

/** What a line says about the form of a document. */
export function matchBadges(text: string): DocumentBadge[] {
  const words = normalise(text);
  return patterns()
    .badges.filter(({ any }) => hasAny(words, any))
    .map(({ id }) => id);
}

const toKind = (kind: (typeof file.kinds)[number]): DocumentKind => {
  const { id, life, vault } = kind as Pick<DocumentKind, 'life' | 'vault'> & { id: keyof typeof KIND_TEXTS };
  return { id, life, vault, name: KIND_NAMES[id].en, hindi: KIND_NAMES[id].hi, texts: KIND_TEXTS[id] };
};
const KIND_BY_ID = new Map(file.kinds.map((kind) => [kind.id, toKind(kind)]));

/** The kind with this id; undefined for an unknown one. */
export const findKind = (id: string): DocumentKind | undefined => KIND_BY_ID.get(id);

/** All kinds, in the order of the file. */
export const DOCUMENT_KINDS: readonly DocumentKind[] = [...KIND_BY_ID.values()];

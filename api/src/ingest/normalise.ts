/**
 * Parses the texts of Indian portals: money, dates, PIN codes and clean text. An unreadable value throws
 * InvalidValueError; an empty one ('', 'NA', 'Nil', '-') is null.
 */
import { hash } from 'node:crypto';
import { fromIndianTime, truncateText } from '@nivida/contract/format';
import { decodeHTML } from 'entities';
import { InvalidValueError, type SourceTender } from './source-tender.ts';

const EMPTY_TEXT = /^(?:n\.?\/?\s?a\.?|nil|null|none|not applicable|[-.]+)?$/i;
/** The portals cut titles and descriptions at this many characters. */
const PORTAL_MAX_CHARACTERS = 250;
const MAX_RUPEES = 10_000_000_000_000;

/** Printable ASCII with single spaces and no entity: most values, which need no cleaning. */
const CLEAN_TEXT = /^(?:[!-%'-~]+(?: [!-%'-~]+)*)?$/;

/** Invisible control characters that reorder or hide the text around them: directions, isolates, tags, word joiners. */
const INVISIBLE_CHARACTERS =
  /\u034f|[\u00ad\u061c\u180e\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Joiners shape Indic words. Elsewhere, or repeated, they only make equal words differ. */
const IDLE_JOINERS = /(?<![\u0900-\u0dff\ua8e0-\ua8ff])[\u200c\u200d]+|(?<=[\u200c\u200d])[\u200c\u200d]+/gu;
/** More combining marks than any script uses on one letter. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Text without entities, control characters and doubled spaces; '' when there is none. */
export function cleanText(raw: unknown): string {
  let text = String(raw ?? '');
  if (CLEAN_TEXT.test(text)) return text;
  // Portals sometimes escape twice ('&amp;amp;'), so entities are decoded twice.
  if (text.includes('&')) text = decodeHTML(decodeHTML(text));
  return (
    text
      // PostgreSQL refuses half of a surrogate pair, which JSON may contain.
      .toWellFormed()
      .replace(INVISIBLE_CHARACTERS, '')
      .replace(IDLE_JOINERS, '')
      .normalize('NFC')
      .replace(PILED_MARKS, '$1')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
      .replace(/[\u0000-\u001f\u007f-\u009f\u200b\u2028\u2029\ufeff\ufffd]+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** Clean text; null for an empty value. */
export function optionalText(raw: unknown): string | null {
  const text = cleanText(raw);
  return EMPTY_TEXT.test(text) ? null : text;
}

/** A title or description; '…' shows where the portal cut it. */
export function truncatedText(raw: unknown): string {
  const text = optionalText(raw) ?? '';
  return String(raw ?? '').length >= PORTAL_MAX_CHARACTERS && text.length > PORTAL_MAX_CHARACTERS / 2
    ? `${text}…`
    : text;
}

const MAX_TITLE_CHARACTERS = 500;
const MAX_DESCRIPTION_CHARACTERS = 20_000;
const MAX_OTHER_CHARACTERS = 1_000;
/** Maximum length of the lists of a source tender. */
const MAX_ENTRIES = 1_000;

/** The source tender with long texts cut, with '…', to lengths that fit a page and the database. */
export function limitTexts(tender: SourceTender): SourceTender {
  if (fitsLimits(tender)) return tender;
  const cut = (text: string | null) => text && truncateText(text, MAX_OTHER_CHARACTERS);
  const limited: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(tender)) limited[key] = typeof value === 'string' ? cut(value) : value;
  return {
    ...(limited as unknown as SourceTender),
    title: truncateText(tender.title, MAX_TITLE_CHARACTERS),
    description: truncateText(tender.description, MAX_DESCRIPTION_CHARACTERS),
    organisationChain: tender.organisationChain
      .slice(0, MAX_ENTRIES)
      .map((name) => truncateText(name, MAX_OTHER_CHARACTERS)),
    documents: tender.documents.slice(0, MAX_ENTRIES).map(({ cover, type, name }) => ({
      cover: truncateText(cover, MAX_OTHER_CHARACTERS),
      type: truncateText(type, MAX_OTHER_CHARACTERS),
      name: truncateText(name, MAX_OTHER_CHARACTERS),
    })),
    corrigenda: tender.corrigenda.map(({ title, type }) => ({
      title: truncateText(title, MAX_TITLE_CHARACTERS),
      type: cut(type),
    })),
  };
}

/** True for nearly every source tender, which then needs no copy. */
function fitsLimits(tender: SourceTender): boolean {
  const { title, documents, organisationChain, corrigenda } = tender;
  if (title.length > MAX_TITLE_CHARACTERS) return false;
  if (documents.length > MAX_ENTRIES || organisationChain.length > MAX_ENTRIES) return false;
  const isShort = (value: unknown) => typeof value !== 'string' || value.length <= MAX_TITLE_CHARACTERS;
  return (
    Object.values(tender).every(isShort) &&
    organisationChain.every(isShort) &&
    documents.every(({ cover, type, name }) => isShort(cover) && isShort(type) && isShort(name)) &&
    corrigenda.every(({ title: named, type }) => isShort(named) && isShort(type))
  );
}

/** Depth of nested lists and objects in a JSON value, without recursion. */
export function jsonDepth(value: unknown): number {
  let depth = 0;
  for (let level = nestedValues([value]); level.length > 0; depth++) {
    const next: object[] = [];
    for (const each of level) next.push(...nestedValues(Array.isArray(each) ? each : Object.values(each)));
    level = next;
  }
  return depth;
}

function nestedValues(values: readonly unknown[]): object[] {
  return values.filter((each): each is object => typeof each === 'object' && each !== null);
}

/** Rupees with two decimals as text; accepts Indian and western grouping, 'INR', 'Rs.', '₹' and '/-'. */
export function parseRupees(column: string, raw: unknown): string | null {
  const text = optionalText(raw);
  if (text === null) return null;
  const number = text
    .replace(/^(?:inr|rs\.?|₹)\s*/i, '')
    .replace(/\s*(?:\/-|inr)$/i, '')
    .trim();
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,2}(?:,\d{2})*,\d{3}(?:\.\d+)?$|^\d+(?:\.\d+)?$/;
  if (!grouped.test(number)) throw new InvalidValueError(column, text, 'is not an amount in rupees');
  const rupees = Number(number.replaceAll(',', ''));
  if (rupees >= MAX_RUPEES) throw new InvalidValueError(column, text, 'is larger than any tender (10 lakh crore)');
  return rupees.toFixed(2);
}

/** The same for an estimate: portals write 0 when none is published. */
export function parseEstimate(column: string, raw: unknown): string | null {
  const rupees = parseRupees(column, raw);
  return rupees === '0.00' ? null : rupees;
}

/** An instant, and whether the source gives its hour (else it is the first second of the Indian day). */
export interface ParsedDate {
  at: Date;
  timeKnown: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const PORTAL_DATE =
  /^(\d{1,2})[-/ .]([A-Za-z]{3,9}|\d{1,2})[-/ .](\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::\d{2})?\s*([AaPp][Mm])?)?$/;
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Dates of one file repeat: the last distinct ones by their text. */
const datesByText = new Map<string, ParsedDate>();
const MAX_CACHED_DATES = 5_000;

/** Reads '17-Sep-2025 09:00 AM', '17/09/2025' and ISO 8601; without an offset the hour is Indian wall time. */
export function parseDate(column: string, raw: unknown): ParsedDate | null {
  const text = optionalText(raw);
  if (text === null) return null;
  const known = datesByText.get(text);
  if (known) return known;
  const parsed = parseIsoDate(text) ?? parsePortalDate(text);
  if (!parsed) throw new InvalidValueError(column, text, "is not a date like '17-Sep-2025 09:00 AM'");
  if (datesByText.size >= MAX_CACHED_DATES) datesByText.clear();
  datesByText.set(text, parsed);
  return parsed;
}

function parsePortalDate(text: string): ParsedDate | null {
  const match = PORTAL_DATE.exec(text);
  if (!match) return null;
  const [, day = '', monthText = '', year = '', hourText, minute = '0', half] = match;
  const month = /^\d/.test(monthText) ? Number(monthText) : MONTHS.indexOf(monthText.slice(0, 3).toLowerCase()) + 1;
  let hour = Number(hourText ?? 0);
  if (half) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (/p/i.test(half) ? 12 : 0);
  }
  return composeDate(Number(year), month, Number(day), hour, Number(minute), 0, hourText !== undefined);
}

function parseIsoDate(text: string): ParsedDate | null {
  const match = ISO_DATE.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, zone] = match;
  const parsed = composeDate(
    Number(year),
    Number(month),
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    hour !== undefined,
  );
  // The local time was checked above; a text with an offset is an instant itself.
  if (parsed && zone) parsed.at = new Date(text.replace(' ', 'T').replace(/\s/g, ''));
  return parsed && !Number.isNaN(parsed.at.getTime()) ? parsed : null;
}

function composeDate(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  timeKnown: boolean,
): ParsedDate | null {
  if (year < 1990 || year > 2100 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return null;
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  return { at: fromIndianTime(year, month, day, hour, minute, second), timeKnown };
}

const END_OF_DAY_MS = 86_399_000;

/** A closing date; without an hour it is the last second of the day. */
export function toClosingInstant(date: ParsedDate): Date {
  return date.timeKnown ? date.at : new Date(date.at.getTime() + END_OF_DAY_MS);
}

/** The earliest instant. */
export function earliest(first: Date, ...others: (Date | null | undefined)[]): Date {
  return others.reduce<Date>((best, other) => (other && other < best ? other : best), first);
}

/** Six digits, or null: a wrong PIN code does not reject the tender. */
export function parsePincode(raw: unknown): string | null {
  const match = /^\s*([1-9]\d{2})\s?(\d{3})(?:\.0+)?\s*$/.exec(String(raw ?? ''));
  return match ? `${match[1]}${match[2]}` : null;
}

/** Days, covers …: a whole number of 0 to 999,999, else null. */
export function parseCount(raw: unknown): number | null {
  const text = optionalText(raw);
  const match = text && /^(\d{1,6})(?:\.0+)?$/.exec(text.replaceAll(',', ''));
  return match ? Number(match[1]) : null;
}

/** 'Yes' or 'No', else null. */
export function parseYesNo(raw: unknown): boolean | null {
  const text = cleanText(raw).toLowerCase();
  if (text === 'yes' || text === 'true') return true;
  return text === 'no' || text === 'false' ? false : null;
}

/** Works, Goods or Services from the source's word; null for an unknown word. */
export function parseCategory(raw: unknown): string | null {
  const text = cleanText(raw).toLowerCase();
  if (/^works?$/.test(text)) return 'Works';
  if (/^goods?$|^suppl(?:y|ies)$/.test(text)) return 'Goods';
  return /services?$/.test(text) ? 'Services' : null;
}

const DESIGNATION_PATTERNS: [RegExp, string][] = [
  [/\b(?:engineer[- ]in[- ]chief|e-?in-?c)\b/i, 'Engineer-in-Chief'],
  [/\b(?:addl\.?|additional) chief engineer\b/i, 'Additional Chief Engineer'],
  [/\b(?:chief engineer|c\.?e)\b/i, 'Chief Engineer'],
  [/\b(?:superintending engineer|s\.?e)\b/i, 'Superintending Engineer'],
  [/\b(?:sr\.?|senior) (?:executive engineer|x\.?en)\b/i, 'Senior Executive Engineer'],
  [/\b(?:executive engineer|x\.?en|e\.?e)\b/i, 'Executive Engineer'],
  [/\b(?:asst\.?|assistant) (?:executive )?engineer\b/i, 'Assistant Engineer'],
  [/\b(?:junior engineer)\b/i, 'Junior Engineer'],
  [/\bmanaging director\b/i, 'Managing Director'],
  [/\bgeneral manager\b/i, 'General Manager'],
  [/\bdirector\b/i, 'Director'],
  [/\b(?:deputy commissioner)\b/i, 'Deputy Commissioner'],
  [/\bcommissioner\b/i, 'Commissioner'],
  [/\b(?:executive officer)\b/i, 'Executive Officer'],
  [/\b(?:block development officer|b\.?d\.?o)\b/i, 'Block Development Officer'],
  [/\b(?:divisional forest officer|d\.?f\.?o)\b/i, 'Divisional Forest Officer'],
  [/\b(?:chief medical officer|c\.?m\.?o)\b/i, 'Chief Medical Officer'],
  [/\bmedical superintendent\b/i, 'Medical Superintendent'],
  [/\bsuperintendent of police\b/i, 'Superintendent of Police'],
  [/\bprincipal\b/i, 'Principal'],
  [/\bregistrar\b/i, 'Registrar'],
  [/\bmember secretary\b/i, 'Member Secretary'],
  [/\bsecretary\b/i, 'Secretary'],
  [/\bmanager\b/i, 'Manager'],
  [/\b(?:tender inviting authority)\b/i, 'Tender Inviting Authority'],
];

/** Prefixes that name another office. */
const RANK_PATTERNS: [RegExp, string][] = [
  [/\b(?:dy\.?|deputy) $/i, 'Deputy'],
  [/\b(?:jt\.?|joint) $/i, 'Joint'],
  [/\b(?:addl\.?|additional) $/i, 'Additional'],
  [/\b(?:asst\.?|assistant) $/i, 'Assistant'],
];

/** The office of a contact. All other text, such as a person's name, is dropped. */
export function parseDesignation(raw: unknown): string | null {
  const text = cleanText(raw);
  for (const [pattern, office] of DESIGNATION_PATTERNS) {
    const at = text.search(pattern);
    if (at < 0) continue;
    const rank = RANK_PATTERNS.find(([before]) => before.test(text.slice(0, at)));
    return rank ? `${rank[1]} ${office}` : office;
  }
  return null;
}

/** A short stable key of several texts; case and spacing are ignored. */
export function stableKey(...parts: string[]): string {
  const folded = parts.map((part) => part.toLowerCase().replace(/\s+/g, ' ').trim());
  return hash('sha256', folded.join('\u0000'), 'base64url').slice(0, 12);
}

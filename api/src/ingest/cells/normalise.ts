/**
 * Parses the texts of Indian portals: money, dates, PIN codes and clean text. An unreadable value throws
 * InvalidValueError; an empty one ('', 'NA', 'Nil', '-') is null.
 */
import { hash } from 'node:crypto';
import { fromIndianTime, truncateText } from '@nivida/contract/format';
import { INDIAN_OFFSET_MS, MINUTE_MS } from '@nivida/contract/time';
import { decodeHTML } from 'entities';
import { InvalidValueError, type SourceTender } from '../source-tender.ts';
import { repairMojibake } from './mojibake.ts';

const EMPTY_TEXT = /^(?:n\.?\/?\s?a\.?|nil|null|none|not applicable|[-.]+)?$/i;
/** What programs write for a value that they do not have. */
const MISSING_VALUE = /^(?:nan|NaN|NaT|<NA>|undefined|#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!))$/;
/** The portals cut titles and descriptions at this many characters. */
const PORTAL_MAX_CHARACTERS = 250;
const MAX_RUPEES = 10_000_000_000_000;

/** Printable ASCII with single spaces and no entity. Most values match and need no cleaning. */
const CLEAN_TEXT = /^(?:[!-%'-~]+(?: [!-%'-~]+)*)?$/;

/** Invisible control characters that reorder or hide the text around them: directions, isolates, tags, word joiners. */
const INVISIBLE_CHARACTERS =
  /\u034f|[\u00ad\u061c\u180e\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Joiners outside Indic words, or repeated. They shape Indic words; elsewhere they only make equal words differ. */
const IDLE_JOINERS = /(?<![\u0900-\u0dff\ua8e0-\ua8ff])[\u200c\u200d]+|(?<=[\u200c\u200d])[\u200c\u200d]+/gu;
/** More combining marks than any script uses on one letter. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Text without entities, control characters and doubled spaces; '' when there is none. */
export function cleanText(raw: unknown): string {
  let text = String(raw ?? '');
  // Excel writes control characters as codes: '_x000D_' is a carriage return.
  if (text.includes('_x'))
    text = text.replace(/_x([\dA-F]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (CLEAN_TEXT.test(text)) return text;
  // Portals sometimes escape twice ('&amp;amp;'), so entities are decoded twice.
  if (text.includes('&')) text = decodeHTML(decodeHTML(text));
  return (
    repairMojibake(text)
      // JSON may contain half of a surrogate pair, which PostgreSQL refuses.
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

/** Clean text; null for an empty value, and for a program's word for none. */
export function optionalText(raw: unknown): string | null {
  const text = statedText(raw);
  return text !== null && MISSING_VALUE.test(text) ? null : text;
}

/** Clean text; null for an empty value. */
function statedText(raw: unknown): string | null {
  const text = cleanText(raw);
  return EMPTY_TEXT.test(text) ? null : text;
}

/** Whether a cell is empty or says so: '', 'NA', 'Nil', '-'. */
export const isEmptyText = (raw: unknown): boolean => statedText(raw) === null;

/** A title or description; '…' shows where the portal cut it. */
export function truncatedText(raw: unknown): string {
  const text = optionalText(raw) ?? '';
  return repairMojibake(String(raw ?? '')).length >= PORTAL_MAX_CHARACTERS && text.length > PORTAL_MAX_CHARACTERS / 2
    ? `${text}…`
    : text;
}

const MAX_TITLE_CHARACTERS = 500;
const MAX_DESCRIPTION_CHARACTERS = 20_000;
const MAX_OTHER_CHARACTERS = 1_000;
/** Maximum length of the lists of a source tender. */
const MAX_ENTRIES = 1_000;

/** Cuts long texts of a source tender to lengths that fit a page and the database. '…' marks a cut. */
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

/** Whether all texts fit. Nearly every source tender does, and then needs no copy. */
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

const GROUPED_NUMBER = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,2}(?:,\d{2})*,\d{3}(?:\.\d+)?$|^\d+(?:\.\d+)?$/;
const AMOUNT_UNITS: [RegExp, number][] = [
  [/\s*(?:thousands?)$/i, 1_000],
  [/\s*(?:lakhs?|lacs?)\.?$/i, 100_000],
  [/\s*(?:crores?|crs?)\.?$/i, 10_000_000],
];

/** Rupees; null when the text is no amount. Accepts Indian and western grouping, lakh and crore, 'INR', 'Rs.', '₹', '/-'. */
export function readRupees(text: string): number | null {
  if (/^free(?: of cost)?$/i.test(text)) return 0;
  let number = text
    .replace(/^(?:inr|rs\.?|rupees|₹)\s*/i, '')
    .replace(/\s*\bonly\.?$/i, '')
    .replace(/\s*(?:\/[-=]|inr|rupees|rs\.?)$/i, '')
    .trim();
  let factor = 1;
  for (const [unit, rupees] of AMOUNT_UNITS) {
    if (!unit.test(number)) continue;
    number = number.replace(unit, '');
    factor = rupees;
    break;
  }
  if (!GROUPED_NUMBER.test(number)) return null;
  return Number(number.replaceAll(',', '')) * factor;
}

/** Rupees with two decimals as text. */
export function parseRupees(column: string, raw: unknown): string | null {
  const text = statedText(raw);
  if (text === null) return null;
  const rupees = readRupees(text);
  if (rupees === null) throw new InvalidValueError(column, text, 'is not an amount in rupees');
  if (rupees >= MAX_RUPEES) throw new InvalidValueError(column, text, 'is larger than any tender (10 lakh crore)');
  return rupees.toFixed(2);
}

/** Rupees of an estimate, with two decimals as text. 0 is null, because portals write it when no estimate is published. */
export function parseEstimate(column: string, raw: unknown): string | null {
  const rupees = parseRupees(column, raw);
  return rupees === '0.00' ? null : rupees;
}

/** Smaller estimates are placeholders. Portals require an estimate, so some offices enter any number. */
const MIN_ESTIMATE_RUPEES = 100;

export const PLACEHOLDER_REASON = 'is no estimate beside the EMD and the fee, and counts as not published';

/** Whether an estimate is a placeholder: below 100 rupees, below the EMD, or not above the fee. All values are in rupees. */
export function isPlaceholderEstimate({
  price,
  emd,
  tenderFee,
}: Pick<SourceTender, 'price' | 'emd' | 'tenderFee'>): boolean {
  if (price === null) return false;
  const rupees = Number(price);
  return rupees < MIN_ESTIMATE_RUPEES || rupees < Number(emd ?? 0) || rupees <= Number(tenderFee ?? 0);
}

/** An instant, and whether the source gives its hour. Without an hour it is the first second of the Indian day. */
export interface ParsedDate {
  at: Date;
  timeKnown: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** The first part of a text that begins with a date: '17-Sep-2025', '17/09/2025', '17th September, 2025'. */
const DAY_FIRST =
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[-/ .]\s?(?<month>[A-Za-z]{3,9}|\d{1,2})\.?[-/ .,]\s?(?<year>\d{4})(?!\d)/;
/** 'September 17, 2025'. */
const MONTH_NAME_FIRST =
  /^(?<month>[A-Za-z]{3,9})\.?[-/ ](?<day>\d{1,2})(?:st|nd|rd|th)?(?:,\s?|[-/ ])(?<year>\d{4})(?!\d)/;
const YEAR_FIRST = /^(?<year>\d{4})([-/])(?<month>\d{2})\2(?<day>\d{2})(?!\d)/;
const SHORT_YEAR = /^\d{1,2}[-/ .](?:[A-Za-z]{3,9}|\d{1,2})[-/ .]\d{2}(?!\d)/;
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+/i;
/** The text after the date: an hour with minutes or AM/PM, and a zone. */
const HOUR =
  /^(?:T|,\s*|\s+)(?:at\s+|up\s?to\s+)?(?<hour>\d{1,2})(?:[:.](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:\.(?<fraction>\d+))?)?)?\s*(?<half>[ap]\.?m\b\.?|noon\b)?\s*(?<unit>(?:hrs?|hours?)\b\.?)?\s*(?<zone>\(?IST\)?|Z|(?:UTC|GMT)(?:\s?[+-]\d{1,2}:?\d{2})?|[+-]\d{1,2}:?\d{2})?$/i;
const MILITARY_HOUR = /\b(\d{2})(\d{2})(?=\s*(?:hrs?|hours?)\b)/i;

/** Cache of parsed dates by their text, because dates of a file repeat. */
const datesByText = new Map<string, ParsedDate>();
const MAX_CACHED_DATES = 5_000;

/**
 * Reads '17-Sep-2025 09:00 AM', '17/09/2025', ISO 8601 and similar forms. Without an offset the hour is Indian time. A text
 * with two meanings is no date, such as '00:30 PM' or a year of two digits.
 */
export function parseDate(column: string, raw: unknown): ParsedDate | null {
  const text = statedText(raw);
  if (text === null) return null;
  const known = datesByText.get(text);
  if (known) return known;
  const parsed = readDate(text);
  if (!parsed)
    throw new InvalidValueError(
      column,
      text,
      SHORT_YEAR.test(text)
        ? 'has a year of two digits, which could also be the day'
        : "is not a date like '17-Sep-2025 09:00 AM'",
    );
  if (datesByText.size >= MAX_CACHED_DATES) datesByText.clear();
  datesByText.set(text, parsed);
  return parsed;
}

function readDate(text: string): ParsedDate | null {
  const rest = text.replace(WEEKDAY, '');
  const match = DAY_FIRST.exec(rest) ?? YEAR_FIRST.exec(rest) ?? MONTH_NAME_FIRST.exec(rest);
  if (!match?.groups) return null;
  const { day, month = '', year } = match.groups;
  const hour = readHour(rest.slice(match[0].length));
  if (!hour) return null;
  const parsed = composeDate(Number(year), monthNumber(month), Number(day), hour);
  if (!parsed || hour.zone === undefined) return parsed;
  const offset = readOffset(hour.zone, YEAR_FIRST.test(rest));
  if (offset === null) return null;
  // The local time was checked above.
  return { at: new Date(parsed.at.getTime() + INDIAN_OFFSET_MS - offset * MINUTE_MS), timeKnown: true };
}

const monthNumber = (text: string): number =>
  /^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;

interface Hour {
  /** 24 is the end of the day. */
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  known: boolean;
  zone: string | undefined;
}

/** The hour in the text after a date; null when no hour is certain. */
function readHour(text: string): Hour | null {
  if (text === '') return { hour: 0, minute: 0, second: 0, millisecond: 0, known: false, zone: undefined };
  const groups = HOUR.exec(text.replace(MILITARY_HOUR, '$1:$2'))?.groups;
  if (!groups) return null;
  const { minute, half, unit, zone } = groups;
  // '17-Sep-2025 9' may be an hour, or the beginning of a cut one.
  if (minute === undefined && half === undefined && unit === undefined) return null;
  const hour = hourOfDay(Number(groups.hour), half?.[0]?.toLowerCase());
  if (hour === null) return null;
  const millisecond = Math.trunc(Number(`0.${groups.fraction ?? 0}`) * 1_000);
  return { hour, minute: Number(minute ?? 0), second: Number(groups.second ?? 0), millisecond, known: true, zone };
}

/** '15:00 PM' and '00:30 AM' have one meaning, '00:30 PM' and '15:00 AM' have two. */
function hourOfDay(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (half === 'n') return hour === 12 ? 12 : null;
  if (half === 'a') return hour <= 12 ? hour % 12 : null;
  if (hour === 0 || hour > 23) return null;
  return hour < 12 ? hour + 12 : hour;
}

/** Minutes east of Greenwich. Outside ISO dates '10:00-12:00' is a range, so only named zones and India's offset are read there. */
function readOffset(zone: string, isIso: boolean): number | null {
  if (/IST/i.test(zone)) return INDIAN_OFFSET_MS / MINUTE_MS;
  const match = /([+-])(\d{1,2}):?(\d{2})$/.exec(zone);
  if (!match) return 0;
  const [, sign, hours, minutes] = match;
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  if (Number(hours) > 14 || Number(minutes) > 59) return null;
  return isIso || /^[ug]/i.test(zone) || offset * MINUTE_MS === INDIAN_OFFSET_MS ? offset : null;
}

function composeDate(year: number, month: number, day: number, time: Hour): ParsedDate | null {
  const { hour, minute, second, millisecond, known: timeKnown } = time;
  if (year < 1990 || year > 2100 || month < 1 || month > 12 || minute > 59 || second > 59) return null;
  if (hour > 24 || (hour === 24 && minute + second + millisecond > 0)) return null;
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  return { at: new Date(fromIndianTime(year, month, day, hour, minute, second).getTime() + millisecond), timeKnown };
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
  // 'Goods & Services' is ambiguous.
  return /services?$/.test(text) && !/goods/.test(text) ? 'Services' : null;
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

/** The office of a contact. Other text is dropped, because it may be a person's name. */
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

/** The ids of GePNIC: the last part is the number of the work within its NIT. */
const NIT_ID_PATTERN = /^\d{4}_[A-Za-z0-9]+_\d+_\d+$/;

/** The key of a work's NIT. Works whose ids differ only in the last part share their documents. Null for ids of other forms. */
export function nitKeyOf(tender: { portal: string; sourceId: string; reference: string | null }): string | null {
  const { portal, sourceId, reference } = tender;
  if (!NIT_ID_PATTERN.test(sourceId)) return null;
  return stableKey(portal, sourceId.slice(0, sourceId.lastIndexOf('_')), reference ?? '');
}

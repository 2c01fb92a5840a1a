/** Values of lines. A text is a value only as a whole: what stands before or after it may change its meaning. */
import type { FactValue } from '@nivida/contract/documents/document-facts';
import { numberOfWords } from './number-words.ts';

const CURRENCY = String.raw`(?:rs\.?|inr\.?|₹|rupees)\s*`;
const FIGURES = String.raw`\d[\d,]*(?:\.\d+)?`;
const SCALE = String.raw`(lakhs?|lacs?|crores?|cr\.?)`;
const ENDING = String.raw`(?:\s*(?:/[-–=]|/-)?(?:\s*only)?)`;
const AMOUNT = new RegExp(
  String.raw`^(${CURRENCY})?(${FIGURES})\s*${SCALE}?${ENDING}\s*(?:[([]?\s*((?:rs\.?|inr|₹)?\s*(?:rupees)?[a-z\s-]+?(?:only)?)\.?\s*[)\]]?)?\s*[.;]?$`,
);
/** Words after an amount that do not change it. */
const AMOUNT_ENDING =
  /\s*[,;]?\s*[([]?\s*(?:non\W?refundable|(?:incl(?:uding|\.)|inclusive(?: of)?)\s*(?:all taxes|gst(?:\s*@?\s*18\s?%)?))\s*[)\]]?\.?$/;
const INDIAN_GROUPS = /^\d{1,2}(?:,\d{2})*,\d{3}(?:\.\d+)?$/;
const WESTERN_GROUPS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const PLAIN = /^\d+(?:\.\d+)?$/;

/** A text as labels and values are matched: ligatures, spaces, dashes and case do not count. */
export const normalised = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[‐-―−]/g, '-')
    .replace(/[’‘`]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** `scale`: what the label says of the unit, 'in lakhs'. Null when the text is not one amount beyond doubt. */
export function rupeesOf(text: string, scale: 'lakhs' | null = null): FactValue | null {
  const clean = normalised(text).replace(AMOUNT_ENDING, '');
  const match = AMOUNT.exec(clean);
  if (!match) return null;
  const [, currency, figures = '', unit, words] = match;
  if (!isGrouped(figures)) return null;
  const number = figures.replaceAll(',', '');
  const [whole = '', fraction = ''] = number.split('.');
  if (whole.length > 12 || fraction.length > 5) return null;
  const paisePerUnit = unit
    ? unit.startsWith('c')
      ? 1_000_000_000n
      : 10_000_000n
    : scale === 'lakhs'
      ? 10_000_000n
      : 100n;
  const units = BigInt(whole + fraction.padEnd(5, '0')) * paisePerUnit;
  if (units % 100_000n !== 0n) return null;
  const paise = units / 100_000n;
  // Lakhs of lakhs are a mistake of the label or of the figure.
  if (!unit && scale === 'lakhs' && Number(number) >= 100_000) return null;
  if (paise <= 0n) return null;
  // A figure like a year or a serial number needs a sign of money.
  const isMarked = currency || unit || figures.includes(',') || /\/[-=–]/.test(clean) || /\.\d\d$/.test(figures);
  if (!isMarked && scale === null && paise < 100_000n) return null;
  if (!isMarked && scale === null && /^(?:19|20)\d\d$/.test(figures)) return null;
  const said = words?.replace(/\b(?:rs|inr|rupees)\b\.?|₹/g, '').trim();
  if (said && !/^(?:only|each)?$/.test(said) && !saysSame(said, paise)) return null;
  if (said === 'each') return null;
  return { unit: 'rupees', amount: `${paise / 100n}.${String(paise % 100n).padStart(2, '0')}` };
}

function saysSame(words: string, paise: bigint): boolean {
  const [rupees = '', coins] = words.split(/\bpaise?\b/)[0]?.split(/\band (?=[a-z\s-]+$)/) ?? [];
  const whole = numberOfWords(words);
  if (whole !== null) return BigInt(whole) * 100n === paise;
  const [main, rest] = [numberOfWords(rupees), coins === undefined ? 0 : numberOfWords(coins)];
  return main !== null && rest !== null && BigInt(main) * 100n + BigInt(rest) === paise;
}

const isGrouped = (figures: string): boolean =>
  PLAIN.test(figures) || INDIAN_GROUPS.test(figures) || WESTERN_GROUPS.test(figures);

const TIME =
  /^(\d{1,4})\s*(?:[([]\s*([a-z\s-]+?)\s*(days?|months?)?\s*[)\]])?\s*(?:calendar\s*)?(days?|months?)?\s*(?:[([]\s*([a-z\s-]+?)\s*(?:days?|months?)?\s*(?:only)?\s*[)\]])?(?:\s*only)?\s*[.;]?$/;
/** Words after a time that do not change it. */
const TIME_ENDING =
  /\s*[,(]?\s*(?:(?:from|after|reckoned from|to be reckoned from|to be counted from|including|inclusive of|excluding)\s[a-z\s/()'-]{3,120}|\(?(?:including|excluding|inclusive of)?\s*(?:the )?(?:rainy|monsoon) (?:season|period)\)?)[).]?\s*$/;

/** `unit`: what the label says, '(in days)'. Null when the text is not one time in days or months beyond doubt. */
export function timeOf(text: string, unit: 'days' | 'months' | null = null): FactValue | null {
  const clean = normalised(text);
  const short = clean.replace(TIME_ENDING, '').replace(/^([a-z\s-]+?)\s*\((\d+)\)\s*(days|months)/, '$2 ($1) $3');
  const inWords = /^([a-z\s-]+?)\s(days|months)[.;]?$/.exec(short);
  const said = inWords ? numberOfWords(inWords[1] ?? '') : null;
  const match = TIME.exec(said === null ? clean : `${said} ${inWords?.[2]}`) ?? TIME.exec(short);
  if (!match) return null;
  const [, figures = '', firstWords, innerUnit, outerUnit, lastWords] = match;
  const found = [innerUnit, outerUnit]
    .filter((each) => each !== undefined)
    .map((each) => (each.startsWith('d') ? 'days' : 'months'));
  const units = new Set(unit === null ? found : [...found, unit]);
  const [only] = units;
  if (units.size !== 1 || only === undefined) return null;
  const amount = Number(figures);
  for (const words of [firstWords, lastWords]) if (words && numberOfWords(words) !== amount) return null;
  if (amount === 0 || amount > (only === 'days' ? 3_650 : 240)) return null;
  return { unit: only, amount };
}

const LOOSE_AMOUNTS = new RegExp(
  String.raw`${CURRENCY}(${FIGURES})\s*${SCALE}?|(\d{1,3}(?:,\d{2,3})+(?:\.\d+)?)\s*${SCALE}?|(\d+(?:\.\d+)?)\s*(?:/-|${SCALE}\b)`,
  'g',
);
const LOOSE_TIMES =
  /(\d{1,4})\s*(?:[([][^)\]]{0,40}[)\]])?\s*(?:calendar\s+|working\s+)?(days?|months?|weeks?|years?)\b/g;

/** Everything in a text that may be a value of the unit, as comparable texts. */
export function possibleValues(text: string, kind: 'rupees' | 'time'): string[] {
  const clean = normalised(text);
  if (kind === 'time')
    return [...clean.matchAll(LOOSE_TIMES)].map(([, n, unit = '']) => `${Number(n)} ${unit.replace(/s$/, '')}s`);
  return [...clean.matchAll(LOOSE_AMOUNTS)].map(([, a, aUnit, b, bUnit, c, cUnit]) => {
    const unit = aUnit ?? bUnit ?? cUnit;
    const number = Number((a ?? b ?? c ?? '').replaceAll(',', ''));
    const rupees = number * (unit ? (unit.startsWith('c') ? 10_000_000 : 100_000) : 1);
    return `${rupees.toFixed(2)} rupees`;
  });
}

/** A value in the form of `possibleValues`. */
export const comparable = (value: FactValue): string =>
  value.unit === 'rupees' ? `${Number(value.amount).toFixed(2)} rupees` : `${value.amount} ${value.unit}`;

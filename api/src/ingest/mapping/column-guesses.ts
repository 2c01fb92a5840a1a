/** Guesses which field a column of an unknown table is, by its name and by its values. */
import { type DescribedColumn, type MappedFieldName, unitOfColumn } from '@nivida/contract/desk/mapping';
import { findDistrict, findRegion, REGIONS } from '@nivida/contract/regions/regions';
import { parseDate, parsePincode, readRupees } from '../cells/normalise.ts';
import { findColumn } from '../gepnic/gepnic-columns.ts';
import { fieldOfColumn } from './mapped-table.ts';

/** A column's name and its values in the first rows. */
export interface ColumnValues {
  column: string;
  values: readonly string[];
}

type Kind = 'date' | 'amount' | 'pincode' | 'state' | 'district' | 'id' | 'chain' | 'text';

/** Names of columns in English and Hindi, the most specific first. */
const HEADER_WORDS: [field: MappedFieldName, words: RegExp][] = [
  ['emd_percent', /emd\s*(?:%|per)/],
  ['emd_exemption', /exempt/],
  ['emd', /\bemd\b|earnest|bid security|धरोहर|अमानत/],
  ['tender_fee', /(?:tender|document|form|bid)\s*(?:fee|cost of form)|cost of (?:tender|form|document)|फ़?फ?ीस|शुल्क/],
  ['pre_bid_place', /pre[- ]?bid.*(?:place|venue)/],
  ['pre_bid', /pre[- ]?bid/],
  ['opening_place', /opening (?:place|venue)/],
  ['opening', /opening|opened on|खुलने|खोलने/],
  ['bid_start', /(?:bid|submission|sale).*start|start.*(?:bid|submission|sale)/],
  ['published', /publish|upload|floated|notice date|nit date|date of nit|issue|प्रकाशन|जारी/],
  ['closing', /clos|last date|due date|end date|submission|अंतिम|आखिरी/],
  ['period_of_work', /completion|period of work|time allowed|duration|अवधि/],
  ['bid_validity', /validity/],
  ['pincode', /\bpin\b|pincode|postal|पिन/],
  ['tender_id', /tender\s*(?:id|code)|bid\s*(?:id|no|number)|आई\s?डी/],
  ['reference', /\bref|nit\s*no|notice no|letter no|file no|tender\s*(?:no|number)|संख्या|क्रमांक|पत्रांक/],
  ['value', /value|estimat|amount|\bcost\b|pac\b|लागत|राशि|मूल्य/],
  ['category', /categor|श्रेणी/],
  ['tender_type', /tender type|type of tender/],
  ['form_of_contract', /form of contract|contract type/],
  ['district', /district|ज़िला|जिला|जनपद/],
  ['state', /^state|राज्य/],
  ['address', /address|पता/],
  ['contact', /officer|authority|contact|अधिकारी/],
  ['description', /description|scope|विवरण/],
  ['title', /name of (?:the )?work|work name|title|subject|particular|item|निविदा का नाम|कार्य|काम|विषय/],
  ['organisation', /organi[sz]ation|department|dept|office|division|circle|authority|विभाग|कार्यालय/],
  ['place', /location|place|site|village|block|city|स्थान/],
  ['quantity', /quantity|qty|मात्रा/],
  ['stage', /stage|status|स्थिति/],
];

/** What the values of a field must look like. A name alone does not make a column a date or an amount. */
const NEEDED_KINDS: Partial<Record<MappedFieldName, Kind>> = {
  published: 'date',
  closing: 'date',
  opening: 'date',
  bid_start: 'date',
  pre_bid: 'date',
  value: 'amount',
  emd: 'amount',
  tender_fee: 'amount',
  pincode: 'pincode',
};

const GEPNIC_ID = /^\d{4}_[A-Za-z0-9]+_\d+(?:_\d+)?$/;
/** Share of the filled cells that must look alike. */
const MIN_SHARE = 0.7;
const MIN_TITLE_CHARACTERS = 20;
const MAX_SAMPLES = 3;
const MAX_SAMPLE_CHARACTERS = 200;

/** Describes columns with up to three values and a guess each. A field is guessed for one column. */
export function guessColumns(columns: readonly ColumnValues[]): DescribedColumn[] {
  const kinds = columns.map(kindsOf);
  const guesses = new Map<number, { field: MappedFieldName; by: 'header' | 'values' }>();
  const taken = new Set<MappedFieldName>();
  const take = (n: number, field: MappedFieldName, by: 'header' | 'values') => {
    if (guesses.has(n) || taken.has(field)) return;
    guesses.set(n, { field, by });
    taken.add(field);
  };
  const fits = (n: number, field: MappedFieldName) => {
    const needed = NEEDED_KINDS[field];
    return !needed || isEmpty(columns[n]) || kinds[n]?.has(needed);
  };
  // An id of the usual form is certain, and its column may be named "NIT No".
  kinds.forEach((kind, n) => {
    if (kind.has('id')) take(n, 'tender_id', 'values');
  });
  columns.forEach(({ column }, n) => {
    const known = findColumn(column);
    const field = known && fieldOfColumn(known);
    if (field && fits(n, field)) take(n, field, 'header');
  });
  for (const [field, words] of HEADER_WORDS)
    columns.forEach(({ column }, n) => {
      if (words.test(column.normalize('NFC').toLowerCase()) && fits(n, field)) take(n, field, 'header');
    });
  guessByValues(columns, kinds, take);
  // A list without ids has numbers of notices that serve as ids.
  if (!taken.has('tender_id')) {
    const reference = [...guesses].find(([, { field }]) => field === 'reference');
    if (reference && isUnique(columns[reference[0]]?.values ?? []))
      guesses.set(reference[0], { field: 'tender_id', by: 'header' });
  }
  return columns.map(({ column, values }, n) => ({
    column,
    samples: samplesOf(values),
    guess: guesses.get(n)?.field ?? null,
    by: guesses.get(n)?.by ?? null,
  }));
}

function guessByValues(
  columns: readonly ColumnValues[],
  kinds: readonly ReadonlySet<Kind>[],
  take: (n: number, field: MappedFieldName, by: 'values') => void,
): void {
  const ofKind = (kind: Kind, key: (values: readonly string[]) => number) =>
    columns
      .map(({ values }, n) => ({ n, key: key(values) }))
      .filter(({ n }) => kinds[n]?.has(kind))
      .sort((one, other) => one.key - other.key);
  for (const { n } of ofKind('pincode', () => 0)) take(n, 'pincode', 'values');
  for (const { n } of ofKind('state', () => 0)) take(n, 'state', 'values');
  for (const { n } of ofKind('district', () => 0)) take(n, 'district', 'values');
  for (const { n } of ofKind('chain', () => 0)) take(n, 'organisation', 'values');
  // A tender is published, closes and is opened, in this order.
  const dates = ofKind('date', medianDate);
  const inOrder = dates.length > 1 ? (['published', 'closing', 'opening'] as const) : [];
  for (const [order, field] of inOrder.entries()) if (dates[order]) take(dates[order].n, field, 'values');
  for (const { n } of dates) take(n, 'closing', 'values');
  const amounts = ofKind('amount', (values) => -median(values.flatMap((value) => readRupees(value.trim()) ?? [])));
  for (const { n } of amounts) {
    take(n, 'value', 'values');
    take(n, 'emd', 'values');
  }
  const [title] = ofKind('text', (values) => -averageLength(values));
  if (title && averageLength(columns[title.n]?.values ?? []) >= MIN_TITLE_CHARACTERS) take(title.n, 'title', 'values');
}

const filledValues = (values: readonly string[]) => values.map((value) => value.trim()).filter((value) => value !== '');
const isEmpty = (column: ColumnValues | undefined) => filledValues(column?.values ?? []).length === 0;

function kindsOf({ column, values }: ColumnValues): ReadonlySet<Kind> {
  const filled = filledValues(values);
  const kinds = new Set<Kind>();
  if (filled.length === 0) return kinds;
  const most = (test: (value: string) => boolean) => filled.filter(test).length >= filled.length * MIN_SHARE;
  const isDate = most(isDateText);
  const isPincode = most((value) => parsePincode(value) !== null);
  if (isDate) kinds.add('date');
  if (isPincode) kinds.add('pincode');
  // Numbers of rows and of PIN codes are no amounts. Lakhs are small numbers.
  const least = unitOfColumn(column) === 'rupee' ? 100 : 0;
  if (!isDate && !isPincode && most((value) => (readRupees(value) ?? -1) >= least || /^(?:nil|na|0)$/i.test(value)))
    kinds.add('amount');
  if (most((value) => GEPNIC_ID.test(value))) kinds.add('id');
  if (most((value) => value.includes('||'))) kinds.add('chain');
  if (most((value) => findRegion(value) !== undefined)) kinds.add('state');
  else if (most((value) => REGIONS.some((region) => findDistrict(region, value) !== undefined))) kinds.add('district');
  if (kinds.size === 0) kinds.add('text');
  return kinds;
}

function isDateText(value: string): boolean {
  try {
    return parseDate('', value) !== null;
  } catch {
    return false;
  }
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

const medianDate = (values: readonly string[]): number =>
  median(
    filledValues(values).flatMap((value) => (isDateText(value) ? (parseDate('', value)?.at.getTime() ?? []) : [])),
  );

const averageLength = (values: readonly string[]): number => {
  const filled = filledValues(values);
  return filled.reduce((sum, value) => sum + value.length, 0) / Math.max(1, filled.length);
};

const isUnique = (values: readonly string[]): boolean => {
  const filled = filledValues(values);
  return filled.length > 0 && new Set(filled).size === filled.length;
};

function samplesOf(values: readonly string[]): string[] {
  const different = new Set(
    filledValues(values).map((value) => value.replace(/\s+/g, ' ').slice(0, MAX_SAMPLE_CHARACTERS).toWellFormed()),
  );
  return [...different].slice(0, MAX_SAMPLES);
}

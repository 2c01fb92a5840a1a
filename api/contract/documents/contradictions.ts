/** Where the portal, the documents and the BOQ of a tender name different values. */
import type { Tender } from '../tenders/tender.ts';
import { billionths, paiseOf } from './decimals.ts';
import type { FactValue } from './document-facts.ts';
import type { TenderFact, TenderReading } from './tender-reading.ts';

/** The topics whose values are compared. */
export const COMPARED_TOPICS = ['estimate', 'emd', 'fee', 'period', 'validity'] as const;
export type ComparedTopic = (typeof COMPARED_TOPICS)[number];

/** A value and where it stands. `fileId` is null for the portal, `factId` and `page` are set for a line of a document. */
export interface StatedValue {
  source: 'portal' | 'document' | 'boq';
  value: FactValue;
  fileId: string | null;
  /** The file's name in the package. */
  fileName: string | null;
  factId: string | null;
  page: number | null;
}

/** At least two values that differ: the portal's first, then those of documents, then the total of the BOQ. */
export interface Contradiction {
  topic: ComparedTopic;
  values: StatedValue[];
}

/** The fields of a tender that documents are compared with. */
export type ComparedTender = Pick<Tender, 'price' | 'emd' | 'tender_fee' | 'period_of_work_days' | 'bid_validity_days'>;

/** A value with the accuracy in which it is written, in paise. */
interface Compared extends StatedValue {
  accuracyPaise: number;
}

const RUPEE = 100;
const rupees = (amount: string): FactValue => ({ unit: 'rupees', amount });
const paiseText = (paise: number): string => `${Math.floor(paise / RUPEE)}.${String(paise % RUPEE).padStart(2, '0')}`;
const toPaise = (amount: string): number => paiseOf(billionths(amount));

/** An estimate or a period of zero is an empty field of the portal. An EMD or a fee of zero says that there is none. */
function portalValue(topic: ComparedTopic, tender: ComparedTender): FactValue | null {
  const days = (amount: number | null): FactValue | null => (amount ? { unit: 'days', amount } : null);
  switch (topic) {
    case 'estimate':
      return tender.price ? rupees(tender.price.toFixed(2)) : null;
    case 'emd':
      return tender.emd === null ? null : rupees(tender.emd);
    case 'fee':
      return tender.tender_fee === null ? null : rupees(tender.tender_fee);
    case 'period':
      return days(tender.period_of_work_days);
    case 'validity':
      return days(tender.bid_validity_days);
  }
}

const MONEY_TOPICS: readonly ComparedTopic[] = ['estimate', 'emd', 'fee'];
const hasUnitOf = (topic: ComparedTopic, { unit }: FactValue): boolean =>
  MONEY_TOPICS.includes(topic) === (unit === 'rupees');

const WRITTEN_UNITS = [
  { pattern: /(\d+)(?:\.(\d+))?\s*(?:lakhs?|lacs?)\b/gi, paise: 100_000 * RUPEE },
  { pattern: /(\d+)(?:\.(\d+))?\s*(?:crores?|cr)\b/gi, paise: 10_000_000 * RUPEE },
];

/** "11.75 lakh" is written to the nearest thousand rupees. One rupee for an amount that is written in full. */
function writtenAccuracy(value: FactValue, quote: string): number {
  if (value.unit !== 'rupees') return RUPEE;
  const paise = toPaise(value.amount);
  for (const unit of WRITTEN_UNITS)
    for (const [, whole = '', fraction = ''] of quote.matchAll(unit.pattern)) {
      const step = unit.paise / 10 ** fraction.length;
      if (Math.abs(Number(whole + fraction) * step - paise) < RUPEE) return step;
    }
  return RUPEE;
}

/** Offices round estimates for the portal. The largest power of ten that divides the estimate, at most one per cent of it. */
function roundedAccuracy(paise: number): number {
  let step = RUPEE;
  while (paise % (step * 10) === 0 && step * 1_000 <= paise) step *= 10;
  return step;
}

const GST_PERCENTS = [18, 12, 5];

function isSameMoney(topic: ComparedTopic, a: Compared, b: Compared): boolean {
  const [first, second] = [a, b].map(({ value }) => toPaise(String(value.amount)));
  if (first === undefined || second === undefined) return true;
  const [low, high] = [Math.min(first, second), Math.max(first, second)];
  const accuracy = Math.max(
    ...[a.accuracyPaise, b.accuracyPaise, RUPEE],
    ...(topic === 'estimate' ? [roundedAccuracy(low), roundedAccuracy(high)] : []),
  );
  const isNear = (from: number, to: number) => Math.abs(to - from) <= accuracy;
  // The same amount without and with tax. An EMD has no tax.
  const isTaxed = topic !== 'emd' && GST_PERCENTS.some((percent) => isNear((low * (100 + percent)) / 100, high));
  return isNear(low, high) || (low > 0 && isTaxed);
}

/** Months have 30 days by the office's habit, or as many as the calendar gives them. */
const canBeMonths = (months: number, days: number): boolean =>
  days >= months * 30 && days <= Math.ceil(months * 30.5) + 1;

function isSameTime({ value: a }: StatedValue, { value: b }: StatedValue): boolean {
  if (a.unit === b.unit) return a.amount === b.amount;
  const [months, days] = a.unit === 'months' ? [a, b] : [b, a];
  return canBeMonths(Number(months.amount), Number(days.amount));
}

const isSame = (topic: ComparedTopic, a: Compared, b: Compared): boolean =>
  MONEY_TOPICS.includes(topic) ? isSameMoney(topic, a, b) : isSameTime(a, b);

/** The lines with values. Lines that the operator has checked stand for all others. */
function documentValues(topic: ComparedTopic, { facts, files }: TenderReading): Compared[] {
  const valued = facts.filter(
    (fact): fact is TenderFact & { value: FactValue } =>
      fact.topic === topic && fact.value !== null && hasUnitOf(topic, fact.value),
  );
  const checked = valued.filter(({ state }) => state !== 'found');
  return (checked.length > 0 ? checked : valued).map(({ id, fileId, page, value, quote }) => ({
    ...{ source: 'document', value, fileId, page, factId: id },
    fileName: files.find((file) => file.id === fileId)?.name ?? null,
    accuracyPaise: writtenAccuracy(value, quote),
  }));
}

/** The total of the only BOQ, when it adds up. Of several workbooks each may be a part of the work. */
function boqValues(topic: ComparedTopic, { boqs, files }: TenderReading): Compared[] {
  const [only] = boqs;
  const workbooks = files.filter(({ kind, isOwn }) => kind === 'boq' && !isOwn);
  if (topic !== 'estimate' || !only || boqs.length > 1 || workbooks.length > 1) return [];
  const { totalPaise, totalState } = only.summary;
  if (!totalPaise || totalState !== 'agrees') return [];
  const file = files.find(({ id }) => id === only.fileId);
  return [
    {
      ...{ source: 'boq', value: rupees(paiseText(totalPaise)), fileId: only.fileId, factId: null, page: null },
      fileName: file?.name ?? null,
      accuracyPaise: RUPEE,
    },
  ];
}

function withoutRepeats(topic: ComparedTopic, values: readonly Compared[]): Compared[] {
  return values.filter((value, index) => !values.slice(0, index).some((earlier) => isSame(topic, earlier, value)));
}

/** Sources differ when no value of one is a value of the other. A document may name several, for classes of bidders. */
const differ = (topic: ComparedTopic, one: readonly Compared[], other: readonly Compared[]): boolean =>
  one.length > 0 && other.length > 0 && !one.some((a) => other.some((b) => isSame(topic, a, b)));

function contradictionOf(topic: ComparedTopic, tender: ComparedTender, reading: TenderReading): Contradiction[] {
  const stated = portalValue(topic, tender);
  const none = { fileId: null, fileName: null, factId: null, page: null };
  const portal: Compared[] = stated ? [{ source: 'portal', value: stated, ...none, accuracyPaise: RUPEE }] : [];
  const documents = withoutRepeats(topic, documentValues(topic, reading));
  const boq = boqValues(topic, reading);
  const isContradicted =
    differ(topic, portal, documents) || differ(topic, portal, boq) || differ(topic, documents, boq);
  if (!isContradicted) return [];
  const values = [...portal, ...documents, ...boq].map(({ accuracyPaise: _, ...value }) => value);
  return [{ topic, values }];
}

/**
 * The topics on which the sources of a tender differ, in the order of `COMPARED_TOPICS`. Roundings, amounts without and with
 * tax, and months that may be the same days are no contradiction. A line without a value claims nothing.
 */
export const findContradictions = (tender: ComparedTender, reading: TenderReading): Contradiction[] =>
  COMPARED_TOPICS.flatMap((topic) => contradictionOf(topic, tender, reading));

import { expect, test } from 'vitest';
import { testTenderDetail } from '../tenders/test-tender.ts';
import { findContradictions } from './contradictions.ts';
import type { FactTopic, FactValue } from './document-facts.ts';
import type { BoqSummary, TenderFact, TenderReading } from './tender-reading.ts';

const rupees = (amount: string): FactValue => ({ unit: 'rupees', amount });
const days = (amount: number): FactValue => ({ unit: 'days', amount });
const months = (amount: number): FactValue => ({ unit: 'months', amount });

const fact = (topic: FactTopic, value: FactValue | null, fields: Partial<TenderFact> = {}): TenderFact => ({
  ...{ id: `${topic} fact`, fileId: 'nit', topic, page: 4, quote: 'A line of the document', value, state: 'found' },
  ...fields,
});
const file = (id: string, kind: 'nit' | 'boq', name: string): TenderReading['files'][number] => ({
  ...{ id, name, kind, sha256: id, state: 'done', pages: 60, unreadPages: [], readAt: null, isOwn: false },
});
const summary = (totalPaise: number, fields: Partial<BoqSummary> = {}): BoqSummary => ({
  ...{
    kind: 'percentage',
    items: 12,
    isLumpSum: false,
    totalPaise,
    statedTotalPaise: totalPaise,
    totalState: 'agrees',
  },
  ...fields,
});
const reading = (facts: TenderFact[], ...boqs: BoqSummary[]): TenderReading => ({
  files: [file('nit', 'nit', 'nit.pdf'), ...boqs.map((_, index) => file(`boq${index}`, 'boq', 'boq.xls'))],
  facts,
  boqs: boqs.map((each, index) => ({ fileId: `boq${index}`, summary: each, boq: null, changes: null })),
});
const tender = testTenderDetail({
  ...{ price: 1_175_342, emd: '23500.00', tender_fee: '500.00', period_of_work_days: 180, bid_validity_days: 90 },
});
/** The amounts of each contradiction, by topic. */
const found = (facts: TenderFact[], ...boqs: BoqSummary[]) =>
  findContradictions(tender, reading(facts, ...boqs)).map(({ topic, values }) => [
    topic,
    ...values.map(({ value }) => value.amount),
  ]);

test('a tender without a reading, and lines without a value, contradict nothing', () => {
  expect(findContradictions(tender, { files: [], facts: [], boqs: [] })).toEqual([]);
  expect(found([fact('emd', null), fact('estimate', null), fact('period', null)])).toEqual([]);
});

test('a contradiction has every value with its file and page', () => {
  const differing = reading([fact('estimate', rupees('1275342.00'))], summary(127_534_200));
  expect(findContradictions(tender, differing)).toEqual([
    {
      topic: 'estimate',
      values: [
        { source: 'portal', value: rupees('1175342.00'), fileId: null, fileName: null, factId: null, page: null },
        {
          ...{ source: 'document', value: rupees('1275342.00'), fileId: 'nit', fileName: 'nit.pdf' },
          ...{ factId: 'estimate fact', page: 4 },
        },
        { source: 'boq', value: rupees('1275342.00'), fileId: 'boq0', fileName: 'boq.xls', factId: null, page: null },
      ],
    },
  ]);
});

test('each compared field is found, in a fixed order', () => {
  expect(
    found([
      fact('validity', days(120)),
      fact('period', months(9)),
      fact('fee', rupees('1500.00')),
      fact('emd', rupees('24000.00')),
      fact('estimate', rupees('1300000.00')),
    ]),
  ).toEqual([
    ['estimate', '1175342.00', '1300000.00'],
    ['emd', '23500.00', '24000.00'],
    ['fee', '500.00', '1500.00'],
    ['period', 180, 9],
    ['validity', 90, 120],
  ]);
});

test.each([
  ['the paise of a BOQ', [], 117_534_251],
  ['an estimate rounded to thousands', [fact('estimate', rupees('1175000.00'))], 117_534_200],
  ['an estimate in lakh', [fact('estimate', rupees('1180000.00'), { quote: 'Estimated cost Rs. 11.8 lakh' })], null],
  ['an estimate without the tax', [fact('estimate', rupees('996052.54'))], null],
  ['an EMD in lakh', [fact('emd', rupees('24000.00'), { quote: 'EMD Rs 0.24 lacs' })], null],
  ['a fee with its tax', [fact('fee', rupees('590.00'))], null],
  ['6 months of 180 days', [fact('period', months(6))], null],
  ['3 months of validity', [fact('validity', months(3))], null],
])('no contradiction: %s', (_, facts, total) => {
  expect(found(facts, ...(total === null ? [] : [summary(total)]))).toEqual([]);
});

test('a year may have 360, 365 or 366 days, but not 300', () => {
  const year = reading([fact('period', months(12))]);
  const differs = (period: number) => findContradictions({ ...tender, period_of_work_days: period }, year).length > 0;
  expect([360, 365, 366].map(differs)).toEqual([false, false, false]);
  expect([12, 300, 400].map(differs)).toEqual([true, true, true]);
});

test('a few rupees of an EMD are a contradiction, because it is paid exactly', () => {
  expect(found([fact('emd', rupees('23460.00'))])).toEqual([['emd', '23500.00', '23460.00']]);
  expect(found([fact('emd', rupees('23500.50'))])).toEqual([]);
});

test('an EMD that the portal does not require contradicts a document that does', () => {
  const required = reading([fact('emd', rupees('23500.00'))]);
  expect(findContradictions({ ...tender, emd: '0.00' }, required)).toHaveLength(1);
  expect(findContradictions({ ...tender, emd: null }, required)).toEqual([]);
});

test('an estimate of zero is a field that the portal left empty', () => {
  expect(findContradictions({ ...tender, price: 0 }, reading([fact('estimate', rupees('900000.00'))]))).toEqual([]);
});

test('documents and BOQ are compared where the portal says nothing', () => {
  const unpriced = { ...tender, price: null };
  const differing = reading([fact('estimate', rupees('1275342.00'))], summary(117_534_200));
  expect(findContradictions(unpriced, differing)[0]?.values.map(({ source }) => source)).toEqual(['document', 'boq']);
});

test('the total of a BOQ counts only when it adds up, and when it is the only workbook', () => {
  expect(found([], summary(200_000_000))).toEqual([['estimate', '1175342.00', '2000000.00']]);
  expect(found([], summary(200_000_000, { totalState: 'differs' }))).toEqual([]);
  expect(found([], summary(200_000_000, { totalState: 'unknown' }))).toEqual([]);
  expect(found([], summary(60_000_000), summary(57_534_200))).toEqual([]);
});

test('a document that names the portal’s value too contradicts nothing', () => {
  const exempted = fact('emd', rupees('11750.00'), { id: 'half', page: 9 });
  expect(found([exempted, fact('emd', rupees('23500.00'))])).toEqual([]);
});

test('a value that the operator has corrected stands for the others', () => {
  const lines = [
    fact('emd', rupees('23500.00')),
    fact('emd', rupees('32500.00'), { id: 'checked', state: 'corrected' }),
  ];
  expect(found(lines)).toEqual([['emd', '23500.00', '32500.00']]);
});

test('two files with one value are named once', () => {
  const twice = [fact('emd', rupees('25000.00')), fact('emd', rupees('25000.00'), { id: 'again', fileId: 'copy' })];
  expect(found(twice)).toEqual([['emd', '23500.00', '25000.00']]);
});

test('a length of time is no amount of money', () => {
  expect(found([fact('emd', days(45)), fact('period', rupees('5000.00'))])).toEqual([]);
});

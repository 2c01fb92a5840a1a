/** Generated source tenders for tests of exports: all fields, empty ones, and texts that formats must quote. */
import { DAY_MS, HOUR_MS } from '@nivida/contract/time';
import * as fc from 'fast-check';
import { nitKeyOf } from '../../src/ingest/cells/normalise.ts';
import type { SourceTender } from '../../src/ingest/source-tender.ts';
import { createSourceTender } from '../support/source-tenders.ts';

const TEXTS = [
  'Construction of link road',
  '=HYPERLINK("https://evil.example")',
  'सड़क का निर्माण, वार्ड 7',
  'Drain & culvert <km 2/0>',
  'Wall; "breast" \\ wall',
  '+91 bridge',
];
const money = (min: number, max: number) => fc.integer({ min, max }).map((hundreds) => `${hundreds}00.00`);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });
const text = fc.constantFrom(...TEXTS);

/** Tenders of Himachal Pradesh and Assam, open and closed at `now`; ids are unique. */
export function generatedTenders(now: Date, count: number, seed: number): SourceTender[] {
  const hours = (min: number, max: number) =>
    fc.integer({ min, max }).map((hour) => new Date(now.getTime() + hour * HOUR_MS));
  const tender = fc.record({
    isAssam: fc.boolean(),
    title: text,
    description: text,
    reference: maybe(fc.constantFrom('NIT 7/2026', 'EE/Una/12')),
    organisationChain: fc.constantFrom<string[]>(
      ['PWD'],
      ['PWD', 'Central Zone'],
      ['Jal Shakti', 'Zone II', 'Division Una'],
    ),
    address: maybe(fc.constantFrom('Office of the Executive Engineer, Una')),
    place: maybe(fc.constantFrom('Shimla', 'Village Bhota')),
    pincode: maybe(fc.constantFrom('171001', '781001')),
    category: maybe(fc.constantFrom('Works', 'Goods', 'Services')),
    subCategory: maybe(fc.constantFrom('Civil Works', 'Pipes')),
    tenderType: maybe(fc.constantFrom('Open Tender', 'Limited', 'Single', 'EOI')),
    formOfContract: maybe(fc.constantFrom('Item Rate', 'Lump-sum')),
    price: maybe(money(5_000, 9_999_999)),
    emd: maybe(fc.oneof(money(10, 2_000), fc.constant('0.00'))),
    emdPercent: maybe(fc.constantFrom('2.00', '2.50')),
    emdExemptionAllowed: maybe(fc.boolean()),
    tenderFee: maybe(money(1, 9)),
    covers: maybe(fc.integer({ min: 1, max: 4 })),
    periodOfWorkDays: maybe(fc.integer({ min: 1, max: 700 })),
    bidValidityDays: maybe(fc.integer({ min: 1, max: 180 })),
    contactDesignation: maybe(fc.constantFrom('Executive Engineer', 'Chief Engineer')),
    bidOpeningPlace: maybe(fc.constantFrom('Office, Una', 'O/o CE, Shimla')),
    preBidPlace: maybe(fc.constantFrom('Circuit house')),
    publishedAt: hours(-400, -1),
    bidStartAt: maybe(hours(-100, 100)),
    closesAt: hours(0, 500),
    closedDaysAgo: fc.constantFrom(0, 0, 0, 40),
    closingTimeKnown: fc.constantFrom(true, true, false),
    opensAt: maybe(hours(500, 600)),
    preBidAt: maybe(hours(-20, 20)),
    documents: fc.array(
      fc.record({
        cover: fc.constantFrom('Fee', 'PreQual/Technical', 'Finance'),
        type: fc.constantFrom('pdf', 'xls', 'rar', ''),
        name: fc.constantFrom('Tender notice', 'BOQ', 'PAN card'),
      }),
      { maxLength: 3 },
    ),
    stage: fc.constantFrom('published', 'published', 'under_evaluation', 'awarded', 'cancelled', 'retendered'),
    isListed: fc.constantFrom(false, false, true),
  });
  return fc.sample(tender, { numRuns: count, seed }).map(({ isAssam, closedDaysAgo, isListed, ...rest }, n) => {
    const back = closedDaysAgo * DAY_MS;
    const moved = (date: Date) => new Date(date.getTime() - back);
    const day = Math.floor((rest.closesAt.getTime() - back + 5.5 * HOUR_MS) / DAY_MS);
    const closesAt = rest.closingTimeKnown
      ? moved(rest.closesAt)
      : new Date((day + 1) * DAY_MS - 5.5 * HOUR_MS - 1_000);
    const portal = isAssam ? 'assamtenders' : 'hptenders';
    const sourceId = n % 7 === 6 ? `GEM/2026/B/${n}` : `2026_PWD_${100_000 + Math.floor(n / 3)}_${n}`;
    return createSourceTender({
      ...rest,
      ...(isListed && { isListed: true as const }),
      ...{ portal, sourceId, state: isAssam ? 'Assam' : 'Himachal Pradesh' },
      nitKey: nitKeyOf({ portal, sourceId, reference: rest.reference }),
      publishedAt: moved(rest.publishedAt),
      closesAt,
    });
  });
}

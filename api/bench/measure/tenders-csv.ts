/** Writes notices like a GePNIC portal: its columns, formats and text lengths, with generated content. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findRegion } from '@nivida/contract/regions/regions';

/** The portal and state that the notices are imported for. */
export const SOURCE = { portal: 'hptenders', state: 'Himachal Pradesh' };

const HEADER = [
  ...['Tender ID', 'Tender Reference Number', 'Title', 'Work Description', 'Organisation Chain', 'Name', 'Address'],
  ...['Location', 'Pincode', 'Tender Category', 'Product Category', 'Sub category', 'Tender Type', 'Form of contract'],
  ...[
    'Contract Type',
    'Tender Value in ₹',
    'EMD Amount in ₹',
    'EMD Fee Type',
    'EMD Percentage',
    'EMD Exemption Allowed',
  ],
  ...['EMD Payable To', 'EMD Payable At', 'Tender Fee in ₹', 'Fee Payable To', 'Fee Payable At'],
  ...['Tender Fee Exemption Allowed', 'Publish Date', 'Document Download / Sale Start Date'],
  ...['Document Download / Sale End Date', 'Clarification Start Date', 'Clarification End Date'],
  ...['Bid Submission Start Date', 'Bid Submission End Date', 'Bid Opening Date', 'Financial Bid Opening Date'],
  ...['Bid Opening Place', 'Pre Bid Meeting Place', 'Pre Bid Meeting Address', 'Pre Bid Meeting Date'],
  ...[
    'Bid Validity(Days)',
    'Period Of Work(Days)',
    'Pre Qualification Details',
    'Independent External Monitor/Remarks',
  ],
  ...['Withdrawal Allowed', 'No. of Covers', 'Payment Mode', 'Is Multi Currency Allowed For BOQ'],
  ...['Is Multi Currency Allowed For Fee', 'Allow Two Stage Bidding', 'General Technical Evaluation Allowed'],
  ...['ItemWise Technical Evaluation Allowed', 'Should Allow NDA Tender', 'Allow Preferential Bidder', 'Tender Stage'],
  ...['Corrigendum Title', 'Corrigendum Type', 'Revocation Title', 'Cover Documents'],
];

/** Rows per chunk of the stream. */
const ROWS_PER_CHUNK = 500;

/** Writes a file of `rows` different tenders. The same `seed` gives the same file, another one other texts and ids. */
export async function writeTendersCsv(path: string, rows: number, seed: number): Promise<void> {
  await pipeline(
    Readable.from(csvChunks(rows, new RandomSource(seed)), { objectMode: false }),
    createWriteStream(path),
  );
}

function* csvChunks(rows: number, chance: RandomSource): Generator<Buffer> {
  yield Buffer.from(toLine(HEADER));
  for (let row = 0; row < rows; row += ROWS_PER_CHUNK) {
    let text = '';
    for (let at = row; at < Math.min(row + ROWS_PER_CHUNK, rows); at++) {
      const notice = randomTender(at, chance);
      text += toLine(HEADER.map((column) => notice[column] ?? ''));
    }
    yield Buffer.from(text);
  }
}

function toLine(cells: string[]): string {
  return `${cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}

/** Pseudo-random numbers, the same in every run (a 32-bit linear congruential generator). */
class RandomSource {
  private state: number;

  constructor(seed: number) {
    this.state = (seed + 1) * 7919;
  }

  /** From 0 to below 1. */
  next(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 4_294_967_296;
  }

  /** A whole number below `max`. */
  below(max: number): number {
    return Math.floor(this.next() * max);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

const SYLLABLES =
  'ba chan da far ga har ja kul la mand na pal ra sar ta va dhar bhat ghum kot nag pur shil gul ti ro'.split(' ');
/** Names of villages, persons and firms are most of a portal's vocabulary: 17,576 generated words, a few of them frequent. */
const NAMES = SYLLABLES.flatMap((first) => SYLLABLES.flatMap((next) => SYLLABLES.map((last) => first + next + last)));

function randomName(chance: RandomSource): string {
  const name = NAMES[Math.floor(NAMES.length * chance.next() ** 3)] ?? '';
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const WORKS = [
  'C/o link road from {} to {} via {} Km 0/0 to {n}/500',
  'Providing and laying of rising main from {} to {} for LWSS {} GP {}',
  'Restoration of rain damages to WSS {} in GP {} SH improvement of source at {}',
  'Repair and maintenance of residential quarters at {} and boundary wall of {} colony',
  'Supply, erection and commissioning of {n} KVA sub station at village {} under section {}',
  'Annual rate contract for housekeeping services at civil hospital {} and health centre {}',
  'Construction of R/Wall at RD {n}/60 to {n}/90 on {} {} road',
  'Providing additional class rooms in GSSS {} SW water supply, sanitary and electrical installation at {}',
];
const DETAILS = [
  ' including all material, labour and carriage from {} to {}',
  ' SH C/o 300mm dia pipe culvert at RD {n}/120 and side drain near {}',
  ' under the head {n} of scheme {} for the year 2025-26',
  '',
];
const ORGANISATIONS = [
  'PWD',
  'HP Irrigation and Public Health',
  'HPSEBL',
  'Rural Development Department',
  'Urban Development',
];
const DOCUMENT_NAMES = [
  'Earnest money as per the notice inviting tender',
  'Scanned copy of enlistment and its latest renewal',
  'Registration under GST and copy of PAN',
  'Undertaking about the site visit and the rates',
  'Proof of similar works in the last five years',
];
const DISTRICTS = findRegion(SOURCE.state)?.districts.map(({ name }) => name) ?? [];

function fillPattern(pattern: string, chance: RandomSource): string {
  return pattern.replace(/\{n?\}/g, (hole) => (hole === '{}' ? randomName(chance) : String(1 + chance.below(90))));
}

function randomTender(at: number, chance: RandomSource): Record<string, string> {
  const district = chance.pick(DISTRICTS);
  const division = randomName(chance);
  const title = `${fillPattern(chance.pick(WORKS), chance)}${chance.next() < 0.7 ? `, Distt. ${district} HP` : ''}`;
  // About a third of the notices repeat their title as description.
  const description = chance.next() < 0.35 ? title : `${title}${fillPattern(chance.pick(DETAILS), chance)}`;
  const body = chance.pick(ORGANISATIONS);
  return {
    'Tender ID': `2025_${body === 'PWD' ? 'PWD' : 'HPIPH'}_${1_000_000 + Math.floor(at / 3)}_${1 + (at % 3)}`,
    'Tender Reference Number': `EE ${division} NIT No. ${1_000 + Math.floor(at / 3)}-${chance.below(90) + 10} dated 27.05.2025`,
    Title: title,
    'Work Description': description,
    'Organisation Chain': `${body}||${district} Circle,${body}||${division} Division,${body},HP`,
    Name: 'Executive Engineer',
    Address: `Executive Engineer, ${division} Division, Distt. ${district} HP`,
    Location: division,
    Pincode: `${171_001 + chance.below(6_000)}.0`,
    ...terms(chance),
    ...dates(chance),
    'EMD Payable To': `EE ${division}`,
    'EMD Payable At': division,
    'Fee Payable To': `EE ${division}`,
    'Fee Payable At': division,
    'Bid Opening Place': `${division} Division`,
    'Pre Qualification Details': 'Please refer Tender documents.',
    'Tender Stage': chance.next() < 0.3 ? 'AOC' : '',
    ...(chance.next() < 0.16 && { 'Corrigendum Title': 'Date Extension', 'Corrigendum Type': 'Date' }),
    'Cover Documents': JSON.stringify([
      ...DOCUMENT_NAMES.slice(chance.below(3)).map((documentName) => [
        'Fee/PreQual/Technical',
        '.pdf',
        `${documentName} ${division}`,
      ]),
      ['Finance', '.xls', 'BOQ'],
    ]),
  };
}

function terms(chance: RandomSource): Record<string, string> {
  const estimate = Math.round(Math.exp(10 + 6 * chance.next()));
  return {
    'Tender Category': 'Works',
    'Product Category': chance.pick(['Civil Works', 'Civil Works - Roads', 'Electrical Works', 'Supply and Erection']),
    'Tender Type': 'Open Tender',
    'Form of contract': chance.pick(['Item Rate', 'Percentage']),
    'Contract Type': 'Tender',
    'Tender Value in ₹': chance.next() < 0.11 ? '' : estimate.toLocaleString('en-IN'),
    'EMD Amount in ₹': Math.round(estimate / 50).toLocaleString('en-IN'),
    'EMD Fee Type': 'fixed',
    'EMD Exemption Allowed': 'No',
    'Tender Fee in ₹': `${chance.pick([350, 500, 590])}.0`,
    'Tender Fee Exemption Allowed': 'No',
    'Bid Validity(Days)': `${chance.pick([75, 90, 120])}.0`,
    'Period Of Work(Days)': `${chance.pick([30, 60, 90, 180])}.0`,
    'Withdrawal Allowed': 'Yes',
    'No. of Covers': '2.0',
    'Payment Mode': 'Offline',
    'Is Multi Currency Allowed For BOQ': 'No',
    'Is Multi Currency Allowed For Fee': 'No',
    'Allow Two Stage Bidding': 'No',
    'General Technical Evaluation Allowed': 'No',
    'ItemWise Technical Evaluation Allowed': 'No',
    'Should Allow NDA Tender': 'No',
    'Allow Preferential Bidder': 'No',
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dates(chance: RandomSource): Record<string, string> {
  const month = chance.below(11);
  const day = (number: number, monthsOn: number, hour: string) =>
    `${String(number).padStart(2, '0')}-${MONTHS[month + monthsOn]}-2025 ${hour}`;
  const published = 1 + chance.below(20);
  const starts = day(published, 0, '10:00 AM');
  const ends = day(1 + chance.below(27), 1, chance.pick(['11:00 AM', '05:00 PM', '06:00 PM']));
  return {
    'Publish Date': day(published, 0, '09:00 AM'),
    'Document Download / Sale Start Date': starts,
    'Document Download / Sale End Date': ends,
    'Bid Submission Start Date': starts,
    'Bid Submission End Date': ends,
    'Bid Opening Date': day(28, 1, '11:30 AM'),
    'Financial Bid Opening Date': day(28, 1, '02:30 PM'),
  };
}

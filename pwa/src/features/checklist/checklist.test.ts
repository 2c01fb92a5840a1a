import type { Tender } from '@nivida/contract/tenders/tender';
import { describe, expect, test } from 'vitest';
import { countDocuments, documentCountsText } from '../../data/bid-documents/bid-summary.ts';
import type { CheckRow } from '../../data/bid-documents/checklist-rows.ts';
import { buildChecklist } from '../../data/bid-documents/checklist-rows.ts';
import { ownEntryTender } from '../../data/bid-documents/own-entry.ts';
import type { VaultDocument } from '../../data/bid-documents/vault-document.ts';
import { sheetFacts } from './bid-sheet.ts';
import {
  checklistMessage,
  checklistSummary,
  closingHint,
  countText,
  rowTone,
  sheetHead,
  subtitle,
} from './checklist.ts';

const TECHNICAL = 'Fee/PreQual/Technical';
const document = (name: string, cover = TECHNICAL) => ({ cover, type: 'pdf', name });

const ROAD = {
  _id: '1',
  title: 'Metalling of a village road',
  org_name: 'Theog Division',
  state: 'Himachal Pradesh',
  department: 'PWD',
  source_tender_id: '2026_PWD_1_1',
  closing_date: '2026-04-15T05:30:00.000Z',
  closing_time_known: true,
  opening_date: '2026-04-16T05:30:00.000Z',
  bid_validity_days: 60,
  fetched_at: '2026-04-10T05:30:00.000Z',
  contact_designation: 'Executive Engineer',
  documents: [
    document('Copy of PAN and GST'),
    document('Contractor enlistment in class C, PAN'),
    document('Affidavit that the bidder is not blacklisted'),
    document('Joint venture deed, if applicable'),
    document('Estimate'),
    document('All other documents as per NIT'),
    document('BOQ', 'Finance'),
  ],
} as unknown as Tender;

const check = (key: string, state: CheckRow['state'], more: Partial<CheckRow> = {}): CheckRow => ({
  ...{ owner: '', tenderId: '1', key, state, at: 1 },
  ...more,
});
const statusOf = (tender: Tender, checks: CheckRow[], key: string) => {
  const row = buildChecklist(tender, checks).rows.find((each) => each.key === key);
  return row && `${row.status}: ${row.text}`;
};
const STANDING = ['originals', 'list_inside', 'dsc', 'right_name', 'no_price'].map((id) => `standing:${id}`);

test('if a line names several documents, "latest" applies to the returns only, so that a PAN card of the vault serves', () => {
  const lines = [document('GST No. and EPF No. with latest clearance return, Labour License, PAN Card')];
  const vault = [{ id: 'v', kind: 'pan', files: [{ hash: 'h', name: 'pan.pdf', type: 'application/pdf', bytes: 1 }] }];
  const { rows } = buildChecklist({ ...ROAD, documents: lines }, [], vault);
  const latest = rows.filter(({ badges }) => badges.includes('latest')).map(({ kind }) => kind?.id);
  expect(latest).toEqual(['epf_return']);
  expect(rows.find(({ key }) => key === 'pan')?.status).toBe('ready');
  const alone = buildChecklist({ ...ROAD, documents: [document('Latest PAN card')] }, [], vault).rows[0];
  expect(alone?.badges).toEqual(['latest']);
});

test.each([
  ['gst_return', '2026-01-31T06:00:00Z', 'old: Your copy was saved on 31 Jan 2026. A newer one may be asked for.'],
  ['gst_return', '2026-03-31T06:00:00Z', 'ready: Ready'],
  // exactly 60 and 365 days before the closing
  ['gst_return', '2026-02-14T05:30:00Z', 'ready: Ready'],
  ['gst_return', '2026-02-14T05:29:59Z', 'old: Your copy was saved on 14 Feb 2026. A newer one may be asked for.'],
  ['itr', '2025-04-15T05:30:00Z', 'ready: Ready'],
  ['itr', '2025-04-15T05:29:59Z', 'old: Your copy was saved on 15 Apr 2025. A newer one may be asked for.'],
  ['itr', '2026-01-31T06:00:00Z', 'ready: Ready'],
  ['itr', '2025-03-31T06:00:00Z', 'old: Your copy was saved on 31 Mar 2025. A newer one may be asked for.'],
  ['pan', '2020-03-31T06:00:00Z', 'ready: Ready'],
])('a chosen %s that was saved at %s is %s', (kind, createdAt, expected) => {
  const files = [{ hash: 'h', name: 'a.pdf', type: 'application/pdf', bytes: 1 }];
  const tender = { ...ROAD, documents: [document('PAN, ITR and GST return')] };
  const checks = [check(kind, 'ready', { documentId: 'v' })];
  const row = buildChecklist(tender, checks, [{ id: 'v', kind, createdAt, files }]).rows.find(
    ({ key }) => key === kind,
  );
  expect(`${row?.status}: ${row?.text}`).toBe(expected);
});

test('a line about the signature of an accountant applies only to documents that an accountant makes', () => {
  const badgesOf = (line: string) =>
    buildChecklist({ ...ROAD, documents: [document(line)] }, []).rows.map(({ key, badges }) => `${key} ${badges}`);
  expect(badgesOf('PAN and turnover certificate duly certified by CA')).toEqual(['pan ', 'turnover ca_signed']);
  expect(badgesOf('PAN card certified by CA')).toEqual(['pan ca_signed']);
});

test('a line that the portal repeats is in its row once, and a line without a kind is one row in any spelling', () => {
  const documents = ['Copy of PAN', 'Copy of PAN', 'PAN attested by notary', 'Estimate', ' ESTIMATE '].map((line) =>
    document(line),
  );
  const { rows } = buildChecklist({ ...ROAD, documents }, []);
  expect(rows.map(({ key, lines, badges }) => [key, lines, badges])).toEqual([
    ['pan', ['Copy of PAN', 'PAN attested by notary'], ['notary']],
    ['line:estimate', ['Estimate', ' ESTIMATE '], []],
  ]);
});

describe('the rows', () => {
  const { rows, standing } = buildChecklist(ROAD, []);

  test('are the kinds of the list in its order, each once, with all lines that ask for it', () => {
    expect(rows.map(({ name }) => name)).toEqual([
      'GST registration',
      'PAN card',
      'Contractor enlistment / registration',
      'Not-blacklisted declaration',
      'Joint-venture deed',
      'Estimate',
      'Documents named only inside the tender document',
      'Price bid / BOQ',
    ]);
    expect(rows[1]?.lines).toEqual(['Copy of PAN and GST', 'Contractor enlistment in class C, PAN']);
    expect(rows[1]?.kind?.hindi).toBe('PAN कार्ड');
  });

  test('say what is to do before anything is marked, and none is green', () => {
    expect(rows.map(({ text }) => text)).toEqual([
      'Not marked yet',
      'Not marked yet',
      'Not marked yet',
      "Make a new one for this bid (must carry this work's name).",
      'Ask the office: Executive Engineer',
      'The portal says: “Estimate”. Read the tender document; then mark it.',
      'The portal says: “All other documents as per NIT”. Read the tender document; then mark it.',
      'Not marked yet',
    ]);
    expect(rows.map(({ status }) => rowTone(status))).not.toContain('green');
  });

  test('that hold for every bid are always there', () => {
    expect(standing.map(({ name }) => name)).toEqual([
      'Originals (EMD, fee, affidavits): must they reach the office by hand? By when?',
      'I read the list inside the tender document, and every corrigendum.',
      'My DSC works today and is valid past 15 Apr 2026.',
      'Every file opens, and is mine and for this work.',
      'No rate is written in the technical cover.',
    ]);
    expect(standing.map(({ key, isDone }) => [key, isDone])).toEqual(STANDING.map((key) => [key, false]));
    expect(standing[2]?.hindi).toBe('मेरा DSC आज चल रहा है और 15 Apr 2026 के बाद तक मान्य है।');
  });

  test("do not have the office's own files", () => {
    const documents = [document('Copy of PAN'), document('GST rules of the office', 'biddingDocuments')];
    expect(buildChecklist({ ...ROAD, documents }, []).rows.map(({ key }) => key)).toEqual(['pan']);
  });

  test('of a portal without a list are the usual ones', () => {
    const checklist = buildChecklist({ ...ROAD, documents: [document('NIT', 'biddingDocuments')] }, []);
    expect(checklist.hasNoList).toBe(true);
    expect(checklist.rows).toHaveLength(12);
    expect(checklist.rows[0]?.name).toBe('Tender fee proof');
    expect(subtitle(ROAD, checklist)).toBe('0 documents named on the portal · closes 15 Apr 2026, 11:00 AM');
  });
});

describe('a marked row', () => {
  test.each([
    ['pan', check('pan', 'ready'), 'ready: Ready'],
    ['pan', check('pan', 'missing'), 'missing: Missing'],
    ['pan', check('pan', 'ask_office'), 'ask: Ask the office: Executive Engineer'],
    [
      'joint_venture',
      check('joint_venture', 'not_needed', { reason: 'I bid alone (no joint venture)' }),
      'not_needed: Not needed for me: I bid alone (no joint venture)',
    ],
    ['line:estimate', check('line:estimate', 'ready'), 'ready: Ready'],
    ['own:1', check('own:1', null, { text: 'Hill allowance letter' }), 'unmarked: Not marked yet'],
  ])('%s', (key, mark, expected) => {
    expect(statusOf(ROAD, [mark], key)).toBe(expected);
  });

  test.each([
    [undefined, 'no_date: No expiry date saved. Read the date and enter it.'],
    ['2026-04-14', 'expires: Expires 14 Apr 2026, before closing. Renew first.'],
    // valid to the end of the day of closing, but not to the end of the bid's validity
    [
      '2026-04-15',
      'expires_soon: Valid at closing, but ends 15 Apr 2026, before the bid is opened/decided. Ask the office.',
    ],
    [
      '2026-06-13',
      'expires_soon: Valid at closing, but ends 13 Jun 2026, before the bid is opened/decided. Ask the office.',
    ],
    ['2026-06-14', 'ready: Ready – valid till 14 Jun 2026'],
  ])('an enlistment valid until %s is %s', (validUntil, expected) => {
    const mark = check('enlistment', 'ready', validUntil ? { validUntil } : {});
    expect(statusOf(ROAD, [mark], 'enlistment')).toBe(expected);
  });

  test('must be valid until the opening where the bid’s validity ends before it or is not stated', () => {
    const mark = check('enlistment', 'ready', { validUntil: '2026-06-20' });
    for (const bid_validity_days of [60, null])
      expect(
        statusOf({ ...ROAD, opening_date: '2026-06-21T05:30:00.000Z', bid_validity_days }, [mark], 'enlistment'),
      ).toBe('expires_soon: Valid at closing, but ends 20 Jun 2026, before the bid is opened/decided. Ask the office.');
  });

  test('is asked of the office by its name where the notice names no contact', () => {
    const tender = { ...ROAD, contact_designation: null };
    expect(statusOf(tender, [check('pan', 'ask_office')], 'pan')).toBe('ask: Ask the office: Theog Division');
  });

  test('counts the closing only where the notice names neither opening nor validity', () => {
    const tender = { ...ROAD, opening_date: null, bid_validity_days: null };
    const mark = check('enlistment', 'ready', { validUntil: '2026-04-15' });
    expect(statusOf(tender, [mark], 'enlistment')).toBe('ready: Ready – valid till 15 Apr 2026');
  });
});

describe('a row served by the vault', () => {
  const file = { hash: 'a', name: 'a.pdf', type: 'application/pdf', bytes: 1 };
  const enlistment = (validUntil?: string, more: Partial<VaultDocument> = {}): VaultDocument => ({
    ...{ id: 'e1', kind: 'enlistment', files: [file] },
    ...(validUntil && { validUntil }),
    ...more,
  });
  const rowOf = (key: string, documents: VaultDocument[], checks: CheckRow[] = []) =>
    buildChecklist({ ...ROAD, state: 'Himachal Pradesh' }, checks, documents).rows.find((each) => each.key === key);
  const textOf = (key: string, documents: VaultDocument[], checks: CheckRow[] = []) => {
    const row = rowOf(key, documents, checks);
    return row && `${rowTone(row.status)} ${row.document?.id ?? '-'}: ${row.text}`;
  };

  test.each([
    ['2026-06-14', 'green e1: Ready – valid till 14 Jun 2026'],
    ['2026-04-14', 'amber e1: Expires 14 Apr 2026, before closing. Renew first.'],
    [
      '2026-06-13',
      'amber e1: Valid at closing, but ends 13 Jun 2026, before the bid is opened/decided. Ask the office.',
    ],
    [undefined, 'amber e1: In your vault, but no expiry date saved. Read the date and enter it.'],
  ])('without a mark by an enlistment valid until %s', (validUntil, expected) => {
    expect(textOf('enlistment', [enlistment(validUntil)])).toBe(expected);
  });

  test('needs a photo or PDF to be ready', () => {
    expect(textOf('pan', [{ id: 'p', kind: 'pan' }])).toBe(
      'amber p: In your vault, but without a photo or PDF. Add one.',
    );
    expect(textOf('pan', [{ id: 'p', kind: 'pan', files: [file] }])).toBe('green p: Ready');
  });

  test('of several documents has the one that is valid longest, and none of another state', () => {
    const documents = [
      enlistment(undefined, { id: 'e0' }),
      enlistment('2026-05-01'),
      enlistment('2027-05-01', { id: 'e2', forState: 'Himachal Pradesh' }),
      enlistment('2028-05-01', { id: 'e3', forState: 'Assam' }),
    ];
    expect(textOf('enlistment', documents)).toBe('green e2: Ready – valid till 1 May 2027');
  });

  test('of a kind without an expiry has a document without a date before one with a date', () => {
    const pan = (id: string, validUntil?: string) => ({
      id,
      kind: 'pan',
      files: [file],
      ...(validUntil && { validUntil }),
    });
    expect(textOf('pan', [pan('p1', '2099-01-01'), pan('p2')])).toBe('green p2: Ready');
    expect(textOf('pan', [pan('p1', '2026-07-01'), pan('p2', '2099-01-01')])).toBe(
      'green p2: Ready – valid till 1 Jan 2099',
    );
  });

  test.each([
    ['machinery', 'Machinery list'],
    ['gst_return', 'GST return'],
    ['oem_authorisation', 'OEM authorisation'],
  ])('of the kind %s is not served without a choice: it is about the work or is renewed', (kind, line) => {
    const tender = { ...ROAD, documents: [document(line)] };
    const { rows } = buildChecklist(tender, [], [{ id: 'm', kind, files: [file], validUntil: '2099-01-01' }]);
    expect(rows.map(({ key, document: served }) => [key, served])).toEqual([[kind, undefined]]);
  });

  test('is never served without a choice by a document that is made again for each bid', () => {
    const affidavit = { id: 'a', kind: 'not_blacklisted', files: [file] };
    expect(textOf('not_blacklisted', [affidavit])).toBe(
      "amber -: Make a new one for this bid (must carry this work's name).",
    );
    const chosen = check('not_blacklisted', 'ready', { documentId: 'a' });
    expect(textOf('not_blacklisted', [affidavit], [chosen])).toBe('green a: Ready');
  });

  test.each(['Latest PAN card', 'Fresh PAN card'])(
    'is not served without a choice where the notice asks for: %s',
    (line) => {
      const pan = [{ id: 'p', kind: 'pan', files: [file] }];
      const tender = { ...ROAD, documents: [document(line)] };
      expect(buildChecklist(tender, [], pan).rows[0]).toMatchObject({ status: 'unmarked', document: undefined });
      const chosen = check('pan', 'ready', { documentId: 'p' });
      expect(buildChecklist(tender, [chosen], pan).rows[0]?.status).toBe('ready');
    },
  );

  test("follows the user's mark over the vault", () => {
    const documents = [enlistment('2027-05-01')];
    expect(textOf('enlistment', documents, [check('enlistment', 'missing')])).toBe('red -: Missing');
    const expired = check('enlistment', 'ready', { validUntil: '2026-04-14' });
    expect(textOf('enlistment', documents, [expired])).toBe(
      'amber -: Expires 14 Apr 2026, before closing. Renew first.',
    );
  });

  test('is missing when the chosen document was removed', () => {
    const chosen = check('pan', 'ready', { documentId: 'removed' });
    expect(textOf('pan', [], [chosen])).toBe('red -: Missing – not in your vault');
  });

  test.each([
    [[], [], '8 of 8 documents to check'],
    [[check('pan', 'missing')], [], '1 of 8 documents missing, 7 to check'],
    [[], [enlistment('2026-04-14'), { id: 'p', kind: 'pan', files: [file] }], '1 of 8 documents missing, 6 to check'],
  ])("is counted on the bid's card: %#", (checks, documents, expected) => {
    const tender = { ...ROAD, state: 'Himachal Pradesh' };
    expect(documentCountsText(countDocuments(buildChecklist(tender, checks, documents)))).toBe(expected);
  });
});

test.each([
  [{ total: 9, done: 4, missing: 3, open: 2 }, '3 of 9 documents missing, 2 to check'],
  [{ total: 9, done: 6, missing: 3, open: 0 }, '3 of 9 documents missing'],
  [{ total: 1, done: 0, missing: 1, open: 0 }, '1 of 1 document missing'],
  [{ total: 9, done: 7, missing: 0, open: 2 }, '2 of 9 documents to check'],
  [{ total: 9, done: 9, missing: 0, open: 0 }, '9 documents ready or not needed'],
  [{ total: 1, done: 1, missing: 0, open: 0 }, '1 document ready or not needed'],
  [{ total: 0, done: 0, missing: 0, open: 0 }, 'No documents named'],
])('the card of a bid with %j says: %s', (counts, text) => {
  expect(documentCountsText(counts)).toBe(text);
});

describe('the summary', () => {
  const done = [
    ...['gst_registration', 'pan', 'not_blacklisted', 'line:estimate', 'see_tender_document', 'price_bid'].map((key) =>
      check(key, 'ready'),
    ),
    check('enlistment', 'ready', { validUntil: '2027-01-01' }),
    check('joint_venture', 'not_needed', { reason: 'I bid alone (no joint venture)' }),
  ];
  const standing = STANDING.map((key) => check(key, 'ready'));
  const summaryOf = (checks: CheckRow[]) => checklistSummary(buildChecklist(ROAD, checks));

  test('counts what is ready, to fix and to ask', () => {
    expect(countText(buildChecklist(ROAD, []))).toBe('0 ready · 0 to fix · 3 to ask');
    const faults = [check('pan', 'missing'), check('enlistment', 'ready', { validUntil: '2026-04-14' })];
    expect(countText(buildChecklist(ROAD, faults))).toBe('0 ready · 2 to fix · 3 to ask');
    expect(countText(buildChecklist(ROAD, done))).toBe('7 ready · 0 to fix · 0 to ask');
  });

  test('names in red how many documents are missing or expire, and never counts one that is not marked', () => {
    expect(summaryOf([])).toEqual({ tone: 'gray', text: '5 not marked yet.' });
    expect(summaryOf(done.slice(1))).toEqual({ tone: 'gray', text: '1 not marked yet.' });
    const missing = check('gst_registration', 'missing');
    expect(summaryOf([missing, ...done.slice(1)])).toEqual({
      tone: 'red',
      text: '1 document can get this bid rejected. Fix it first.',
    });
    const expired = check('enlistment', 'ready', { validUntil: '2026-04-14' });
    expect(summaryOf([missing, expired])).toEqual({
      tone: 'red',
      text: '2 documents can get this bid rejected. Fix these first. 3 not marked yet.',
    });
    const undated = done.map((each) => (each.key === 'enlistment' ? check('enlistment', 'ready') : each));
    expect(summaryOf(undated)).toEqual({ tone: 'gray', text: '1 without an expiry date.' });
    const vault = [{ id: 'p', kind: 'pan' }];
    const withoutFile = done.map((each) => (each.key === 'pan' ? check('pan', 'ready', { documentId: 'p' }) : each));
    expect(checklistSummary(buildChecklist(ROAD, withoutFile, vault))).toEqual({
      tone: 'gray',
      text: '1 without a photo or PDF.',
    });
  });

  test('is green only when every row of the list and every standing row is done, and is no guarantee', () => {
    expect(summaryOf(done)).toBeNull();
    expect(summaryOf([...done, ...standing.slice(1)])).toBeNull();
    expect(summaryOf([...done, ...standing])).toEqual({
      tone: 'green',
      text: 'Everything the portal names is ready. The office decides; this is not a guarantee.',
    });
    const asked = done.map((each) => (each.key === 'pan' ? check('pan', 'ask_office') : each));
    expect(summaryOf([...asked, ...standing])).toBeNull();
  });

  test('is never green where the portal publishes no list', () => {
    const tender = { ...ROAD, documents: [] };
    const all = buildChecklist(tender, []).rows.map(({ key }) => check(key, 'ready', { validUntil: '2027-01-01' }));
    expect(checklistSummary(buildChecklist(tender, [...all, ...standing]))).toBeNull();
  });
});

describe('the hint before closing', () => {
  const hintAt = (time: string, change: Partial<Tender> = {}, checks: CheckRow[] = []) => {
    const tender = { ...ROAD, state: 'Assam', documents: [document('PAN')], ...change } as Tender;
    return closingHint(tender, buildChecklist(tender, checks), new Date(`2026-04-${time}:00+05:30`));
  };

  test('on the day before says to submit by tonight, with the counted figures of Assam, there only', () => {
    expect(hintAt('14T09:00')).toEqual({
      text: 'Submit by tonight, not tomorrow morning. In Assam, bids sent in the last hour were rejected for documents or qualification 30% of the time; bids sent three hours or more before closing, 15%. You can still replace your bid until closing.',
      source:
        'Counted from 2,028 bids of the last hour and 12,624 bids sent three hours or more before closing, at the portal of Assam, tenders published since June 2025.',
    });
    expect(hintAt('14T09:00', { state: 'Himachal Pradesh' })).toBeNull();
    expect(hintAt('13T23:00')).toBeNull();
  });

  test('on the day of closing says what can still be done', () => {
    expect(hintAt('15T07:59')?.text).toBe('Closes today at 11:00 AM. Upload now; check 6 open rows.');
    expect(hintAt('15T08:00')?.text).toBe('Closes today at 11:00 AM. Upload now; check 6 open rows.');
    expect(hintAt('15T00:00')?.source).toBeNull();
    expect(hintAt('15T08:01')?.text).toBe('Less than 3 hours left. Upload now; check 6 open rows.');
    const all = ['pan', ...STANDING].map((key) => check(key, 'ready'));
    expect(hintAt('15T08:01', {}, all.slice(1))?.text).toBe('Less than 3 hours left. Upload now; check 1 open row.');
    expect(hintAt('15T08:01', {}, all)?.text).toBe('Less than 3 hours left. Upload now.');
  });

  test('is absent after closing, and where the hour of closing is not known', () => {
    expect(hintAt('15T11:01')).toBeNull();
    expect(hintAt('15T08:01', { closing_time_known: false })).toBeNull();
  });
});

test('the message has the head, each row with its state, and says that the tender document prevails', () => {
  const tender = { ...ROAD, documents: [document('PAN'), document('Affidavit of not blacklisting by notary')] };
  const checklist = buildChecklist(tender, [check('pan', 'ready'), check('standing:dsc', 'ready')]);
  expect(checklistMessage(tender, checklist, false).split('\n')).toEqual([
    'Metalling of a village road · 2026_PWD_1_1 · closes 15 Apr 2026, 11:00 AM · list read 10 Apr 2026 · cover Fee/PreQual/Technical',
    '',
    '✓ PAN card – Ready',
    "✎ Not-blacklisted declaration (notary) – Make a new one for this bid (must carry this work's name).",
    '',
    '☐ Originals (EMD, fee, affidavits): must they reach the office by hand? By when?',
    '☐ I read the list inside the tender document, and every corrigendum.',
    '✓ My DSC works today and is valid past 15 Apr 2026.',
    '☐ Every file opens, and is mine and for this work.',
    '☐ No rate is written in the technical cover.',
    '',
    "Made from the portal's own list by Nivida, offline. The tender document prevails.",
    'PAN, Aadhaar and file copies are not included.',
  ]);
  const open = checklistMessage(tender, checklist, true);
  expect(open).not.toContain('PAN card');
  expect(open).not.toContain('My DSC');
  expect(open).toContain('☐ No rate is written in the technical cover.');
});

test('the line under the title counts what the portal names, and neither own rows nor the usual ones', () => {
  const own = check('own:1', null, { text: 'Hill allowance letter' });
  const closes = 'closes 15 Apr 2026, 11:00 AM';
  const lineOf = (tender: Tender) => subtitle(tender, buildChecklist(tender, [own]));
  expect(lineOf(ROAD)).toBe(`8 documents named on the portal · ${closes}`);
  expect(lineOf({ ...ROAD, documents: [document('PAN')] })).toBe(`1 document named on the portal · ${closes}`);
  const entry = ownEntryTender({ id: '0f8fad5b-d9cb-469f-a165-70867728950e', closingAt: ROAD.closing_date });
  expect(subtitle(entry, buildChecklist(entry, []))).toBe(`Own entry · ${closes}`);
});

test('the message of a tender without a list says that its rows are usual ones and not from the portal', () => {
  const tender = { ...ROAD, documents: [] };
  const lines = checklistMessage(tender, buildChecklist(tender, []), false).split('\n');
  expect(lines.slice(0, 5)).toEqual([
    'Metalling of a village road · 2026_PWD_1_1 · closes 15 Apr 2026, 11:00 AM · notice read 10 Apr 2026',
    '',
    'This notice names no documents on the portal. The list is in the tender document. Start from the usual list of PWD, Himachal Pradesh (12), or add documents as you read.',
    'Usual in PWD, Himachal Pradesh, check the NIT:',
    '☐ Tender fee proof – Not marked yet',
  ]);
  expect(lines.slice(-2)).toEqual([
    'Usual documents of PWD, Himachal Pradesh, not from the portal; check the NIT. Made by Nivida, offline. The tender document prevails.',
    'PAN, Aadhaar and file copies are not included.',
  ]);
  expect(lines.join(' ')).not.toContain("portal's own list");
});

test('the usual list is the one of the department; without one it is the list of Himachal Pradesh', () => {
  const usualOf = (fields: Partial<Tender>) => buildChecklist({ ...ROAD, documents: [], ...fields }, []).usual;
  expect(usualOf({ department: 'Irrigation & Public Health' })).toEqual({
    name: 'Irrigation & Public Health, Himachal Pradesh',
    kinds: [
      'tender_fee',
      'emd',
      'enlistment',
      'pan',
      'gst_registration',
      'epf',
      'itr',
      'undertaking',
      'dsc_authorisation',
    ],
  });
  expect(usualOf({ department: 'Forest' }).name).toBe('Himachal Pradesh');
  expect(usualOf({ department: 'PWD', state: 'Assam' }).name).toBe('Himachal Pradesh');
  const lists = ['PWD', 'Irrigation & Public Health', 'Municipal Corporation Shimla', 'HIMUDA', null];
  const sizes = lists.map((department) => {
    const { usual, rows } = buildChecklist({ ...ROAD, documents: [], department }, []);
    expect(rows.map(({ key }) => key)).toEqual(usual.kinds);
    return rows.length;
  });
  expect(sizes).toEqual([12, 9, 11, 14, 9]);
});

test('an own entry has the usual list with any document of the vault, also without a day of closing', () => {
  const tender = ownEntryTender({ id: '0f8fad5b-d9cb-469f-a165-70867728950e', title: 'School wall' });
  const checklist = buildChecklist(
    tender,
    [],
    [
      {
        id: '1',
        kind: 'pan',
        forState: 'Assam',
        files: [{ hash: 'a', name: 'pan.jpg', type: 'image/jpeg', bytes: 1 }],
      },
    ],
  );
  expect(checklist.rows.find(({ key }) => key === 'pan')?.text).toBe('Ready');
  expect(checklist.standing.map(({ name }) => name)).toContain('My DSC works today and is valid past the closing.');
  expect(checklistMessage(tender, checklist, false).split('\n').slice(0, 3)).toEqual([
    'School wall · closes on a day that is not entered',
    '',
    'The list of documents is in the tender document. Start from the usual list of Himachal Pradesh (9), or add documents as you read.',
  ]);
  expect(sheetFacts(tender).map(({ name }) => name)).toEqual(['Office', 'Estimated value', 'Tender fee', 'EMD']);
  expect(sheetFacts(tender)[0]?.value).toBe('the office');
  const named = ownEntryTender({ id: '2', organisation: 'HPPWD', closingAt: ROAD.closing_date });
  expect([named._id, named.title, named.org_name, named.closing_time_known]).toEqual([
    ...['2', 'Bid without a title', 'HPPWD', true],
  ]);
  expect(ownEntryTender({ id: '3', organisation: '', closingTimeKnown: false })).toMatchObject({
    ...{ org_name: 'the office', closing_time_known: false, closing_date: '' },
  });
});

test('the printed sheet has the facts of the tender, and leaves out unknown ones except value, fee and EMD', () => {
  const tender = {
    ...ROAD,
    ...{ state: 'Himachal Pradesh', district: 'Shimla', price: 4_500_000, tender_fee: null, emd: '0.00' },
    ...{ bid_opening_place: null, contact_designation: null },
  } as Tender;
  expect(sheetFacts(tender).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Closes: 15 Apr 2026, 11:00 AM',
    'Opens: 16 Apr 2026, 11:00 AM',
    'Office: Theog Division',
    'Place: Shimla, Himachal Pradesh',
    'Estimated value: ₹45.00 Lakh',
    'Tender fee: Not specified',
    'EMD: Not required',
    'Bid validity: 60 days',
  ]);
  expect(sheetFacts({ ...tender, second_district: 'Solan' })).toContainEqual({
    name: 'Place',
    value: 'Shimla and Solan, Himachal Pradesh',
  });
  const full = {
    ...tender,
    ...{ price: null, price_text: 'As per BOQ', tender_fee: '590.00', emd: '23500.00', closing_time_known: false },
    ...{ bid_opening_place: 'Theog', contact_designation: 'Executive Engineer', district: null },
  } as Tender;
  expect(sheetFacts(full).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Closes: 15 Apr 2026, time not stated',
    'Opens: 16 Apr 2026, 11:00 AM',
    'Office: Theog Division',
    'Place: Himachal Pradesh',
    'Estimated value: As per BOQ',
    'Tender fee: ₹590.00',
    'EMD: ₹23,500.00',
    'Bid validity: 60 days',
    'Originals and opening at: Theog',
    'Contact: Executive Engineer',
  ]);
});

test('the head of a list names each cover once', () => {
  expect(sheetHead(ROAD)).toBe(
    'Metalling of a village road · 2026_PWD_1_1 · closes 15 Apr 2026, 11:00 AM · list read 10 Apr 2026 · cover Fee/PreQual/Technical, Finance',
  );
});

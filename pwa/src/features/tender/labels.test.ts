import type { Messages } from '@lingui/core';
import { amountText } from '@nivida/contract/format';
import { addTexts, inLanguage } from '@nivida/contract/i18n';
import { placeName } from '@nivida/contract/regions/states';
import { statusAt } from '@nivida/contract/tenders/status';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { corrigendumLine, lastChanges } from './corrigenda/corrigendum-lines.ts';
import { ChangeText } from './corrigenda/LastChangeNote.tsx';
import type { DocumentsAvailability } from './documents/DocumentActions.tsx';
import { documentsAction } from './documents/documents-action.ts';
import {
  cardMark,
  closingDateText,
  closingFacts,
  coversText,
  detailPageTone,
  emdCardText,
  exemptionText,
  feeText,
  isClosingDateStale,
  placesText,
  priceFacts,
  shortInstantText,
  submissionAdvice,
  tenderFeeText,
  tenderStatusLabel,
  tenderStatusTone,
  tenderTabOfHash,
} from './labels.ts';

const NOW = new Date('2026-04-15T10:40:00+05:30');
const indian = (text: string) => new Date(`${text}:00+05:30`).toISOString();

const ROAD = testTender({
  closing_date: indian('2026-04-18T22:40'),
  source_tender_id: '2026_PWD_1_1',
  fetched_at: indian('2026-04-15T10:30'),
});

test.each<[string, (string | null)[], string]>([
  ['a place in its district', ['Rampur', 'Shimla', 'Himachal Pradesh'], 'Rampur, Shimla, Himachal Pradesh'],
  ['a district town', ['Shimla', null, 'Shimla', 'Himachal Pradesh'], 'Shimla, Himachal Pradesh'],
  [
    'an address that names the district',
    ['Office of the EE, SHIMLA-2', 'Shimla', '171002'],
    'Office of the EE, SHIMLA-2, 171002',
  ],
  ['a town in its address', ['Buxar', 'Division Office, Buxar', 'Buxar', 'Bihar'], 'Division Office, Buxar, Bihar'],
  ['the same name written in two ways', ['SHIMLA', 'Shimla'], 'SHIMLA'],
  ['a district whose name begins like another', ['Unakoti', 'Una'], 'Unakoti, Una'],
  ['names in another script', ['चंबा नगर', 'चंबा', 'चं'], 'चंबा नगर, चं'],
  ['nothing known but the state', [null, null, 'Bihar'], 'Bihar'],
])('where a tender is, %s, says each name once', (_what, places, text) => {
  expect(placesText(() => places)).toBe(text);
});

test('in another language a name that the portal has written is not said again', () => {
  addTexts('hi', { Shimla: 'शिमला', 'Himachal Pradesh': 'हिमाचल प्रदेश' });
  const places = () => ['Shimla Himachal Pradesh', placeName('Shimla'), placeName('Himachal Pradesh')];
  expect(inLanguage('hi', () => placesText(places))).toBe('Shimla Himachal Pradesh');
  expect(inLanguage('hi', () => placesText(() => ['Rampur', placeName('Shimla')]))).toBe('Rampur, शिमला');
});

describe('closing', () => {
  test('half a week before closing the rail is half full', () => {
    expect(closingFacts(ROAD, NOW)).toEqual({ label: '3 days left · 10:40 PM', tone: 'red', left: 0.5, isOver: false });
  });

  test('more than a week before closing the rail is full', () => {
    expect(closingFacts({ ...ROAD, closing_date: indian('2026-05-20T11:00') }, NOW)).toMatchObject({
      label: '35 days remaining · 11:00 AM',
      tone: 'green',
      left: 1,
    });
  });

  test('in the last minutes a stub of the rail is still visible', () => {
    expect(closingFacts({ ...ROAD, closing_date: indian('2026-04-15T10:45') }, NOW)).toMatchObject({
      label: 'Closing today · 10:45 AM',
      tone: 'today',
      left: 0.04,
    });
  });

  test('at the closing instant an active tender is closed', () => {
    const closing = { ...ROAD, closing_date: NOW.toISOString() };
    expect(closingFacts(closing, NOW)).toEqual({ label: 'Closed', tone: 'gray', left: 0, isOver: true });
    expect(statusAt(closing, NOW)).toBe('closed');
    expect(statusAt(closing, new Date(NOW.getTime() - 1))).toBe('active');
  });

  test('a cancelled tender is closed before its closing date', () => {
    expect(closingFacts({ ...ROAD, stage: 'cancelled' }, NOW)).toMatchObject({ label: 'Closed', isOver: true });
    expect(statusAt({ ...ROAD, stage: 'cancelled' }, NOW)).toBe('cancelled');
  });

  test.each([
    ['2026-04-15T18:00', 'today'],
    ['2026-04-18T18:00', 'red'],
    ['2026-04-22T18:00', 'red'],
    ['2026-04-23T18:00', 'green'],
    ['2026-04-14T18:00', 'gray'],
  ])('on the detail page a closing at %s is %s', (at, tone) => {
    expect(detailPageTone(closingFacts({ ...ROAD, closing_date: indian(at) }, NOW))).toBe(tone);
  });

  test.each([
    ['2026-04-16T18:00', "The portal's clock decides. Submit a day early."],
    ['2026-04-15T18:00', "The portal's clock decides. Submit as early today as you can."],
    ['2026-04-15T10:00', 'Bids are closed.'],
  ])('the advice for a closing at %s', (at, advice) => {
    expect(submissionAdvice({ ...ROAD, closing_date: indian(at) }, NOW)).toBe(advice);
  });

  test('a source without a time gives only the date', () => {
    expect(closingDateText(ROAD, NOW)).toBe('Sat 18 Apr, 10:40 PM');
    expect(closingDateText({ ...ROAD, closing_time_known: false }, NOW)).toBe('18 Apr 2026, time not stated');
  });
});

describe('the mark of a card', () => {
  const soon = { ...ROAD, closing_date: indian('2026-04-16T11:00'), fetched_at: indian('2026-04-14T20:40') };
  test.each<[string, Partial<TenderSummary>, string | undefined]>([
    ['nothing to say', {}, undefined],
    ['a moved date', { last_corrigendum: 'date', nit_works: 96 }, 'Date changed'],
    ['another corrigendum', { last_corrigendum: 'other', nit_works: 96 }, 'Corrigendum'],
    ['a work of a large NIT', { nit_works: 96, demonstration: true }, '96 works in this NIT'],
    ['a demonstration', { demonstration: true }, 'Demonstration'],
    ['an old copy near closing', { ...soon, last_corrigendum: 'date' }, 'Checked 14 h ago'],
  ])('for %s', (_what, part, text) => {
    expect(cardMark({ ...ROAD, ...part }, NOW)?.text).toBe(text);
  });

  test('of a change or an age has its sign, others have none', () => {
    const icons = [soon, { last_corrigendum: 'date' }, { last_corrigendum: 'other' }, { nit_works: 2 }] as const;
    expect(icons.map((part) => cardMark({ ...ROAD, ...part }, NOW)?.icon)).toEqual(['clock', 'change', 'change', null]);
    expect(cardMark({ ...ROAD, nit_works: 1 }, NOW)).toBeNull();
  });

  test.each<[string, Partial<TenderSummary>, boolean]>([
    ['within 48 hours of closing and older than 6', soon, true],
    ['younger than 6 hours', { ...soon, fetched_at: indian('2026-04-15T05:00') }, false],
    ['closing later than in 48 hours', { ...soon, closing_date: indian('2026-04-17T11:00') }, false],
    ['closed', { ...soon, closing_date: indian('2026-04-15T10:00') }, false],
    ['closing at this moment', { ...soon, closing_date: NOW.toISOString() }, false],
    ['exactly 48 hours before closing', { ...soon, closing_date: indian('2026-04-17T10:40') }, true],
    ['exactly 6 hours old', { ...soon, fetched_at: indian('2026-04-15T04:40') }, false],
    ['a demonstration', { ...soon, demonstration: true }, false],
  ])('a copy that is %s is stale: %j', (_what, part, stale) => {
    expect(isClosingDateStale({ ...ROAD, ...part }, NOW)).toBe(stale);
  });
});

describe('money', () => {
  test('a missing estimate has a hint', () => {
    expect(priceFacts(ROAD)).toEqual({ text: '₹11.75 Lakh', hint: null });
    expect(priceFacts({ ...ROAD, price: null })).toEqual({ text: '₹0', hint: '(estimate not published)' });
    expect(priceFacts({ ...ROAD, price: null, price_text: 'MXN 1,200,000' })).toEqual({
      text: 'MXN 1,200,000',
      hint: null,
    });
  });

  test.each([
    ['23500.00', '₹23,500.00', 'EMD ₹23,500.00'],
    ['0.00', 'Not required', 'EMD not required'],
    [null, 'Not specified', 'EMD not specified'],
  ])('an EMD of %s is "%s"', (emd, text, onCard) => {
    expect(amountText(emd)).toBe(text);
    expect(emdCardText({ emd })).toBe(onCard);
  });

  test('a tender of a list says that its list does not have them', () => {
    const listed = { ...ROAD, price: null, emd: null, is_listed: true };
    expect(priceFacts(listed)).toEqual({ text: 'Not in the list', hint: null });
    expect(emdCardText(listed)).toBe('EMD not in the list');
    expect(tenderFeeText({ tender_fee: null, is_listed: true })).toBe('Not in the list');
    // A value that a correction gave is shown.
    expect(emdCardText({ ...listed, emd: '0.00' })).toBe('EMD not required');
  });
});

test('fee, covers and exemption are said to be unknown where the source has none', () => {
  expect([feeText('590.00'), feeText('0.00'), feeText(null)]).toEqual(['₹590.00', '₹0', 'Not specified']);
  expect([coversText(2), coversText(1), coversText(null)]).toEqual(['2 (technical, finance)', '1', 'Not specified']);
  expect([true, false, null].map(exemptionText)).toEqual(['Allowed', 'Not allowed', 'Not specified']);
});

describe('changes', () => {
  const moved = (noticed: string, was: string, to: string) => ({
    title: 'Date Extended',
    type: 'Date',
    noticed_at: indian(noticed),
    changes: [{ field: 'closing_date' as const, old: indian(was), new: indian(to) }],
  });
  const named = (noticed: string, title: string, type: string | null) => ({
    ...{ title, type, noticed_at: indian(noticed), changes: [] },
  });
  const changed = (field: 'price' | 'emd' | 'documents' | 'opening_date', old: string | null, to: string) => ({
    ...{ title: 'Change', type: null, noticed_at: indian('2026-04-14T12:00'), changes: [{ field, old, new: to }] },
  });
  const MOVE = moved('2026-04-13T10:00', '2026-04-15T11:00', '2026-04-18T22:40');
  const MOVED = 'Closing moved from 15 Apr to 18 Apr, on 13 Apr.';
  const sentences = (...corrigenda: Tender['corrigenda']) =>
    lastChanges({ corrigenda }, NOW).map((change) =>
      renderToStaticMarkup(createElement(ChangeText, { change })).replace(/<[^>]+>/g, ''),
    );

  test.each<[string, Tender['corrigenda'], string[]]>([
    ['no corrigendum', [], []],
    ['a moved closing', [MOVE], [MOVED]],
    ['the newest of two moves', [MOVE, moved('2026-04-11T10:00', '2026-04-12T11:00', '2026-04-15T11:00')], [MOVED]],
    [
      'a move within a day, by its hours',
      [moved('2026-04-13T10:00', '2026-04-18T11:00', '2026-04-18T15:00')],
      ['Closing moved from 18 Apr, 11:00 AM to 18 Apr, 3:00 PM, on 13 Apr.'],
    ],
    [
      'a move over the end of a year',
      [moved('2025-12-30T10:00', '2025-12-31T11:00', '2026-04-18T11:00')],
      ['Closing moved from 31 Dec 2025 to 18 Apr, on 30 Dec 2025.'],
    ],
    [
      'a date without its old value',
      [named('2026-04-14T12:00', '2nd extension', 'Date')],
      ['Date changed: “2nd extension”, seen on 14 Apr. The previous date is not published.'],
    ],
    [
      'another corrigendum without values, and the move before it',
      [MOVE, named('2026-04-14T12:00', 'Drawing', 'Technical Bid')],
      ['Corrigendum: “Drawing”, seen on 14 Apr. The previous value is not published.', MOVED],
    ],
    ['an amount', [changed('emd', '25000', '50000')], ['EMD changed from ₹25,000.00 to ₹50,000.00, on 14 Apr.']],
    [
      'an amount that was not there',
      [changed('price', null, '12500000')],
      ['Estimated value changed from not specified to ₹1.25 Cr, on 14 Apr.'],
    ],
    ['documents', [changed('documents', 'NIT.pdf', 'NIT.pdf, BOQ.xls')], ['Documents changed, on 14 Apr.']],
    [
      'the opening',
      [changed('opening_date', indian('2026-04-16T11:00'), indian('2026-04-19T11:00'))],
      ['Bid opening moved from 16 Apr to 19 Apr, on 14 Apr.'],
    ],
    ['no change: a step of the evaluation', [named('2026-04-14T12:00', 'Revoked', 'Evaluation revoked')], []],
    ['no change: dates that contradict each other', [named('2026-04-14T12:00', 'Dates', 'Noticed by Nivida')], []],
  ])('the last change is said in a sentence: %s', (_what, corrigenda, expected) => {
    expect(sentences(...corrigenda)).toEqual(expected);
  });

  test('dates and rupees of a change are written out', () => {
    const closing = moved('2026-04-13T10:00', '2025-12-31T11:00', '2026-04-18T22:40').changes[0];
    expect(closing && corrigendumLine(closing, NOW)).toEqual({
      label: 'Closing date',
      old: 'Wed 31 Dec 2025, 11:00 AM',
      new: 'Sat 18 Apr, 10:40 PM',
    });
    expect(corrigendumLine({ field: 'price', old: null, new: '12500000' }, NOW)).toEqual({
      label: 'Estimated value',
      old: null,
      new: '₹1.25 Cr',
    });
  });
});

test('a short instant has no weekday, and its hour stays in one line', () => {
  expect(shortInstantText(indian('2026-04-19T10:00'), NOW)).toBe('19 Apr, 10:00\u00a0AM');
  expect(shortInstantText(null, NOW)).toBe('Not specified');
  const [catalogue] = Object.values(
    import.meta.glob<{ messages: Messages }>('../../../../texts/hi.po', { query: '?part=app', eager: true }),
  );
  addTexts('hi', catalogue?.messages ?? {});
  inLanguage('hi', () =>
    expect(shortInstantText(indian('2026-04-19T10:00'), NOW)).toBe('19 अप्रैल, सुबह\u00a010:00\u00a0बजे'),
  );
});

test.each([
  ['', 'overview'],
  ['#overview', 'overview'],
  ['#documents', 'documents'],
  ['#bidding', 'bidding'],
  ['#checklist', 'checklist'],
  ['#changes', 'bidding'],
  ['#nothing', 'overview'],
])('the fragment "%s" opens the tab %s', (hash, tab) => {
  expect(tenderTabOfHash(hash)).toBe(tab);
});

describe('the documents of a tender', () => {
  const GENERATED = { ...ROAD, source_portal: 'demo', nit_works: 1, demonstration: true } as Tender;
  const SHIFTED = { ...GENERATED, source_portal: 'hptenders', document_package: null } as Tender;
  const REAL = {
    ...{ ...SHIFTED, demonstration: false },
    document_package: { kind: 'nit-boq', works: 1 },
  } as Tender;
  const known = { isSignedIn: true, isOwned: false, isRequested: false, isOnline: true };

  test.each<
    [what: string, tender: Tender, payments: 'sandbox' | 'live' | null, way: DocumentsAvailability, note: string]
  >([
    ['real, for real money', REAL, 'live', 'sold', 'Free at the portal. ₹99 to collect and email them.'],
    ['generated, as a test', GENERATED, 'sandbox', 'sold', 'Free at the portal. ₹99 to collect and email them.'],
    ['real, before the settings are known', REAL, null, 'sold', 'Free at the portal. ₹99 to collect and email them.'],
    [
      'generated, before the settings are known',
      GENERATED,
      null,
      'demonstration',
      'Demonstration: no documents are sold for it.',
    ],
    ['generated, for real money', GENERATED, 'live', 'demonstration', 'Demonstration: no documents are sold for it.'],
    [
      'with shifted dates, for real money',
      { ...SHIFTED, document_package: REAL.document_package } as Tender,
      'live',
      'demonstration',
      'Demonstration: no documents are sold for it.',
    ],
    [
      'with shifted dates, as a test',
      SHIFTED,
      'sandbox',
      'ask',
      'Not here yet. Free at the portal; asking is free too.',
    ],
  ])('%s', (_what, tender, payments, way, note) => {
    expect(documentsAction(tender, NOW, { ...known, payments })).toEqual({ way, note });
  });

  const CLOSED = { ...REAL, closing_date: NOW.toISOString() };
  const NONE = { ...REAL, document_package: null } as Tender;
  test.each<[what: string, tender: Tender, change: object, way: DocumentsAvailability, note: string]>([
    ['of a closed tender', CLOSED, {}, 'closed', 'This tender has closed. Its documents are not sold.'],
    ['of a closed tender, bought before', CLOSED, { isOwned: true }, 'owned', 'These documents are yours.'],
    [
      'of a closed tender, asked for',
      { ...CLOSED, document_package: null },
      { isRequested: true },
      'closed',
      'This tender has closed. Its documents are not sold.',
    ],
    ['bought before', REAL, { isOwned: true }, 'owned', 'These documents are yours.'],
    ['where nothing is sold', REAL, { payments: 'none' }, 'free', 'Free here, and at the portal.'],
    [
      'where nothing is sold, of a closed tender',
      CLOSED,
      { payments: 'none' },
      'free',
      'Free here, and at the portal.',
    ],
    [
      'where nothing is sold, signed out',
      REAL,
      { payments: 'none', isSignedIn: false },
      'free',
      'Free here. You need an account.',
    ],
    [
      'without the bill of quantities',
      { ...REAL, document_package: { kind: 'nit', works: 1 } },
      {},
      'sold',
      'NIT only, free at the portal. ₹99 to email it.',
    ],
    ['asked for', NONE, { isRequested: true }, 'asked', 'We write to you when they are available.'],
    [
      'asked for without a connection',
      NONE,
      { isRequested: true, isOnline: false },
      'asked',
      'Saved on this phone. Sent when there is a connection.',
    ],
    [
      'asked for, and here since',
      REAL,
      { isRequested: true },
      'sold',
      'Free at the portal. ₹99 to collect and email them.',
    ],
  ])('%s', (_what, tender, change, way, note) => {
    expect(documentsAction(tender, NOW, { ...known, payments: 'live', ...change })).toEqual({ way, note });
  });
});

test.each([
  ['upcoming', 'Upcoming', 'blue'],
  ['active', 'Active', 'green'],
  ['closed', 'Closed', 'red'],
  ['under_evaluation', 'Under evaluation', 'purple'],
  ['awarded', 'Awarded', 'purple'],
  ['cancelled', 'Cancelled', 'purple'],
  ['retendered', 'Retendered', 'purple'],
] as const)('a tender that is %s has the word %s in %s', (status, label, tone) => {
  expect([tenderStatusLabel(status), tenderStatusTone(status)]).toEqual([label, tone]);
});

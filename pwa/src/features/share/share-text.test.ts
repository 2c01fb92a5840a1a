// @vitest-environment node
import type { Messages } from '@lingui/core';
import { addTexts, inLanguage } from '@nivida/contract/i18n';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { describe, expect, test } from 'vitest';
import { shareText } from './share-text.ts';

const ROAD = testTender({ _id: '1234', emd: '150000.00', price: null });

const card = (changes: Partial<TenderSummary> = {}) => shareText({ ...ROAD, ...changes }, 'https://nivida.example');
const work = (changes: Partial<TenderSummary>) => card(changes).split('\n')[1];

const [catalogue] = Object.values(
  import.meta.glob<{ messages: Messages }>('../../../../texts/hi.po', { query: '?part=app', eager: true }),
);
addTexts('hi', catalogue?.messages ?? {});

describe('the text of a shared tender', () => {
  test('it holds id, work, closing, value, EMD, portal and link', () => {
    expect(card({ price: 450_000 })).toBe(
      [
        '2026_PWD_100001_1',
        'Metalling of a village road',
        'Closing: 15 Apr 2026, 11:00 AM',
        'Value: ₹4.50 Lakh',
        'EMD: ₹1.50 Lakh',
        'Portal: hptenders.gov.in',
        'https://nivida.example/tenders/1234',
      ].join('\n'),
    );
  });

  test('it is in the language of the page, and its link opens that language', () => {
    expect(inLanguage('hi', () => card({ price: 450_000, demonstration: true }))).toBe(
      [
        '2026_PWD_100001_1',
        'Metalling of a village road',
        'अंतिम तिथि: 15 अप्रैल 2026, सुबह 11:00 बजे तक',
        'अनुमानित लागत: ₹4.50 लाख',
        'EMD: ₹1.50 लाख',
        'पोर्टल: hptenders.gov.in',
        'नमूना है, असली टेंडर नहीं',
        'https://nivida.example/hi/tenders/1234',
      ].join('\n'),
    );
  });

  test('it says nothing of a value that is not published', () => {
    expect(card()).toBe(
      [
        '2026_PWD_100001_1',
        'Metalling of a village road',
        'Closing: 15 Apr 2026, 11:00 AM',
        'EMD: ₹1.50 Lakh',
        'Portal: hptenders.gov.in',
        'https://nivida.example/tenders/1234',
      ].join('\n'),
    );
  });

  test.each<[string, Partial<TenderSummary>, string]>([
    [
      'no hour',
      { closing_time_known: false, closing_date: '2026-04-15T18:29:59Z' },
      '\nClosing: 15 Apr 2026, time not stated\n',
    ],
    ['cancelled', { status: 'cancelled' }, '\nClosing: 15 Apr 2026, 11:00 AM (cancelled)\n'],
    ['retendered', { status: 'retendered' }, '\nClosing: 15 Apr 2026, 11:00 AM (cancelled)\n'],
    ['a value in other money', { price_text: 'USD 12,000' }, '\nValue: USD 12,000\nEMD: '],
    ['no EMD named', { emd: null }, '\nEMD: Not specified\n'],
    ['no EMD asked', { emd: '0.00' }, '\nEMD: Not required\n'],
    ['a portal we do not know', { source_portal: 'mahatenders' }, '\nPortal: mahatenders\n'],
    ['a demonstration', { demonstration: true }, '\nDemonstration, not a live tender\nhttps://'],
  ])('it shows %s', (_name, changes, text) => {
    expect(card(changes)).toContain(text);
  });

  test('a title that fits stays whole, one letter more is cut at a word', () => {
    const fits = `${'nine char '.repeat(14)}${'x'.repeat(33)}`;
    expect(card({ title: fits })).toHaveLength(299);
    expect(work({ title: fits })).toBe(fits);
    expect(card({ title: `${fits}x` }).length).toBeLessThan(300);
    expect(work({ title: `${fits}x` })).toBe(`${'nine char '.repeat(14).trim()}…`);
  });

  test.each<[string, string, string]>([
    ['line breaks and tabs', ' Road\r\n\tto the   village ', 'Road to the village'],
    ['one endless word', 'x'.repeat(500), `${'x'.repeat(172)}…`],
    ['letters with marks stay whole', `${'कि'.repeat(200)}`, `${'कि'.repeat(86)}…`],
    ['signs of two units stay whole', '🏗'.repeat(200), `${'🏗'.repeat(86)}…`],
  ])('%s', (_name, title, expected) => {
    expect(work({ title })).toBe(expected);
  });

  test.each<[string, Partial<TenderSummary>]>([
    ['everything at its longest', { title: 'word '.repeat(60), closing_time_known: false, demonstration: true }],
    ['an endless id', { source_tender_id: 'ocds-'.repeat(40), title: 'word '.repeat(60) }],
    ['an endless value', { price: null, price_text: 'USD 1'.repeat(40), title: 'word '.repeat(60) }],
    ['an endless portal', { source_portal: 'portal'.repeat(40), title: 'word '.repeat(60) }],
    ['a Hindi title', { title: 'राष्ट्रीय राजमार्ग का सुदृढ़ीकरण '.repeat(8) }],
  ])('with %s it is under 300 characters and has its link', (_name, changes) => {
    const text = card({
      price: 9_999_999_999.99,
      ...changes,
      emd: '9999999999.99',
      _id: '2147483647',
      status: 'cancelled',
    });
    expect(text.length).toBeLessThan(300);
    expect(text).toMatch(/\nhttps:\/\/nivida\.example\/tenders\/2147483647$/);
    expect(text.split('\n')[1]?.length).toBeGreaterThan(20);
  });
});

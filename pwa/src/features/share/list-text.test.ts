// @vitest-environment node
import type { Messages } from '@lingui/core';
import { addTexts, inLanguage } from '@nivida/contract/i18n';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { describe, expect, test } from 'vitest';
import { listText } from './list-text.ts';

const ROAD = {
  _id: '1234',
  title: 'Metalling of a village road',
  price: 450_000,
  price_text: null,
  closing_date: '2026-04-15T05:30:00.000Z',
  closing_time_known: true,
  demonstration: false,
} as TenderSummary;

const ORIGIN = 'https://nivida.example';
const NOW = new Date('2026-04-14T05:30:00.000Z');

const [catalogue] = Object.values(
  import.meta.glob<{ messages: Messages }>('../../../../texts/hi.po', { query: '?part=app', eager: true }),
);
addTexts('hi', catalogue?.messages ?? {});

describe('a list as a message', () => {
  test('has title, closing, value and link of each tender, and the link of the list', () => {
    const list = {
      title: 'Tenders in Goa',
      tenders: [ROAD, { ...ROAD, _id: '7', price: null }],
      total: 31,
      path: '/x',
    };
    expect(listText(list, ORIGIN, NOW)).toBe(
      [
        '*Tenders in Goa* (2 of 31)',
        [
          '1. Metalling of a village road',
          '*Closes 15 Apr 2026, 11:00 AM* · ₹4.50 Lakh',
          'https://nivida.example/tenders/1234',
        ].join('\n'),
        [
          '2. Metalling of a village road',
          '*Closes 15 Apr 2026, 11:00 AM* · Estimate not published',
          'https://nivida.example/tenders/7',
        ].join('\n'),
        'All: https://nivida.example/x',
      ].join('\n\n'),
    );
  });

  test('is in the language of the page, and its links open that language', () => {
    const list = { title: 'गोवा के टेंडर', tenders: [ROAD], total: 31, path: '/tenders/results?state=Goa' };
    expect(inLanguage('hi', () => listText(list, ORIGIN, NOW))).toBe(
      [
        '*गोवा के टेंडर* (31 में से 1)',
        [
          '1. Metalling of a village road',
          '*बंद होगा: 15 अप्रैल 2026, सुबह 11:00 बजे* · ₹4.50 लाख',
          'https://nivida.example/hi/tenders/1234',
        ].join('\n'),
        'सभी: https://nivida.example/hi/tenders/results?state=Goa',
      ].join('\n\n'),
    );
  });

  test('says of a tender that has closed that it is closed', () => {
    const list = { title: 'Bookmarks', tenders: [ROAD], total: 1, path: null };
    const at = (time: string) => listText(list, ORIGIN, new Date(time)).split('\n')[3];
    expect(at('2026-04-15T05:29:59.000Z')).toBe('*Closes 15 Apr 2026, 11:00 AM* · ₹4.50 Lakh');
    expect(at('2026-04-15T05:30:00.000Z')).toBe('*Closed 15 Apr 2026, 11:00 AM* · ₹4.50 Lakh');
  });

  test('shortens long titles, has the value as the portal writes it, and no end of a list that was not counted', () => {
    const tenders = [
      { ...ROAD, title: ` ${'word '.repeat(20)}`, price: null, price_text: 'As per BOQ' },
      { ...ROAD, title: `Road\n  ${'x'.repeat(85)}` },
    ];
    const text = listText({ title: 'Roads', tenders, total: 10_000, has_more: true, path: null }, ORIGIN, NOW);
    const [head, first, second] = text.split('\n\n');
    expect(head).toBe('*Roads* (2 of 10,000+)');
    expect(first?.split('\n').slice(0, 2)).toEqual([
      `1. ${'word '.repeat(16)}word…`,
      '*Closes 15 Apr 2026, 11:00 AM* · As per BOQ',
    ]);
    expect(second?.split('\n')[0]).toBe(`2. Road ${'x'.repeat(85)}`);
  });

  test('of which all are in the message has no number', () => {
    expect(listText({ title: 'Bookmarks', tenders: [ROAD], total: 1, path: null }, ORIGIN, NOW)).toMatch(
      /^\*Bookmarks\*\n/,
    );
  });

  test('names a demonstration, leaves out an unknown hour, and has at most 20 tenders', () => {
    const row = { ...ROAD, demonstration: true, closing_time_known: false };
    const text = listText({ title: 'Bookmarks', tenders: Array(25).fill(row), total: 25, path: null }, ORIGIN, NOW);
    expect(text).toContain('*Closes 15 Apr 2026* · ₹4.50 Lakh\nDemonstration, not a live tender\n');
    expect(text.split('\n\n')).toHaveLength(21);
    expect(text).toMatch(/^\*Bookmarks\* \(20 of 25\)\n/);
  });
});

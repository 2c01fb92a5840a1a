import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act } from 'react';
import { expect, test } from 'vitest';
import { openTestPage } from '../../../ui/test-page.tsx';
import { BidCard, BidClosingBadge, BidGauge } from '../BidCard.tsx';
import { type DeskBid, deskBids } from '../desk.ts';
import { type Bid, bidFacts } from '../rules/bid.ts';
import type { BidFilter } from '../rules/bid-list.ts';
import type { BidStage } from '../rules/stages.ts';
import { BidBoard } from './BidBoard.tsx';
import { BidFilters } from './BidFilters.tsx';
import { EmptyBids } from './EmptyBids.tsx';

const NOW = new Date('2026-04-10T06:00:00Z');
const CLOSING = { closingAt: '2026-04-15T05:30:00.000Z', closingTimeKnown: true };
const WALL: Bid = { id: 'wall', title: 'Wall', organisation: 'PWD', stage: 'preparing', ...CLOSING };

const desk = (...bids: Bid[]): DeskBid[] =>
  deskBids({ bids, deposits: [], tenders: new Map(), firmNames: [], firmAddress: '' }, null, NOW);

/** The card of a bid, and the moves that it asks for. */
async function openCard(bid: Bid, change: Partial<DeskBid> = {}, isMoved = false) {
  const moves: BidStage[] = [];
  const [listed] = desk(bid);
  if (!listed) throw new Error('no bid');
  const props = { listed: { ...listed, ...change }, now: NOW, onMove: (to: BidStage) => void moves.push(to), isMoved };
  return { ...(await openTestPage(<BidCard {...props} />)), moves };
}

test('the card of a bid has its closing, what is missing and its news, and leads to its next step', async () => {
  const { texts, page, names } = await openCard(WALL, { news: ['Closing moved.'] });
  expect(texts('h3, p')).toEqual(['Wall', 'PWD5 days left · 11:00 AM', 'EMD not entered', 'Closing moved.']);
  const links = [...page.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Wall', '/dashboard/applications/wall'],
    ['Enter the EMD', '/dashboard/applications/wall#money'],
  ]);
  expect(names('button')).toEqual(['Move to another stage: Wall']);
});

test('a step that moves the bid is a button, and a bid without a step has the menu only', async () => {
  const card = await openCard({ ...WALL, stage: 'considering' });
  await card.press('Prepare this bid');
  expect(card.moves).toEqual(['preparing']);
  expect((await openCard({ ...WALL, stage: 'submitted' })).names()).toEqual(['Wall', 'Move to another stage: Wall']);
});

test('the menu moves to another stage and closes, and a moved card has the focus at its menu', async () => {
  const card = await openCard(WALL);
  expect(document.activeElement?.getAttribute('aria-label')).not.toBe('Move to another stage: Wall');
  await card.press('Move to another stage: Wall');
  expect(card.texts('dialog p')).toEqual(['Wall']);
  expect(card.texts('dialog li')).toEqual([
    ...['Considering विचार में', 'Preparing तैयारी में (now)', 'Submitted जमा', 'Opened खुली'],
    ...['Won मिली', 'Lost नहीं मिली', 'Dropped छोड़ी'],
  ]);
  const disabled = [...card.page.querySelectorAll('dialog li button')].map((each) => each.hasAttribute('disabled'));
  expect(disabled).toEqual([false, true, false, false, false, false, false]);
  await card.press('Close');
  expect(card.page.querySelector('dialog')).toBeNull();
  await card.press('Move to another stage: Wall');
  await card.press('Lost नहीं मिली');
  expect([card.moves, card.page.querySelector('dialog')]).toEqual([['lost'], null]);
  await openCard(WALL, {}, true);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move to another stage: Wall');
});

test.each<[string, Partial<Bid>, string | undefined, string, string]>([
  ['in five days', {}, '5 days left · 11:00 AM', 'amber', '71'],
  ['in a month', { closingAt: '2026-05-15T05:30:00.000Z' }, '35 days remaining · 11:00 AM', 'green', '100'],
  ['at once', { closingAt: '2026-04-10T06:01:00.000Z' }, 'Closing today · 11:31 AM', 'today', '4'],
  ['before', { closingAt: '2026-04-10T06:00:00.000Z' }, 'Closed', 'gray', '0'],
  ['on no day', { closingAt: undefined }, undefined, 'gray', '0'],
])('a bid that closes %s', async (_when, change, label, tone, height) => {
  const props = { facts: bidFacts({ ...WALL, ...change }, undefined, NOW), now: NOW };
  const badge = await openTestPage(<BidClosingBadge {...props} />);
  expect(badge.texts('time')).toEqual(label === undefined ? [] : [label]);
  if (label) expect(badge.page.querySelector('[data-tone]')?.getAttribute('data-tone')).toBe(tone);
  const { page } = await openTestPage(<BidGauge {...props} />);
  expect(page.querySelector('svg')?.getAttribute('data-tone')).toBe(tone);
  expect(page.querySelector('rect')?.getAttribute('height')).toBe(height);
});

test('a withdrawn tender is closed before its day', async () => {
  const tender = testTenderDetail({ stage: 'cancelled' });
  const props = { facts: bidFacts({ ...WALL, tenderId: '1' }, tender, NOW), now: NOW };
  expect((await openTestPage(<BidClosingBadge {...props} />)).text()).toBe('Closed');
  const { page } = await openTestPage(<BidGauge {...props} />);
  expect(page.querySelector('svg')?.getAttribute('data-look')).toBe('hollow');
});

/** The bids by stage with the stage of a phone, and what the user did. */
async function openBoard(stage: BidStage) {
  const stages: BidStage[] = [];
  const moves: string[] = [];
  const props = {
    bids: desk(WALL, { ...WALL, id: 'road', title: 'Road' }, { ...WALL, id: 'lost', title: 'Well', stage: 'lost' }),
    ...{ now: NOW, stage, onStage: (next: BidStage) => void stages.push(next) },
    onMove: ({ bid }: DeskBid, to: BidStage) => void moves.push(`${bid.id} ${to}`),
    renderCopy: (each: BidStage, listed: readonly DeskBid[]) => (
      <output>{`${each}: ${listed.map(({ bid }) => bid.id).join(', ')}`}</output>
    ),
  };
  return { ...(await openTestPage(<BidBoard {...props} />)), stages, moves };
}

test('the board has each bid in its stage, and a phone shows the chosen stage', async () => {
  const board = await openBoard('lost');
  expect(board.texts('fieldset button')).toEqual([
    ...['Considering 0', 'Preparing 2', 'Submitted 0', 'Opened 0', 'Won 0', 'Lost 1', 'Dropped 0'],
  ]);
  expect(board.texts('[aria-pressed="true"]')).toEqual(['Lost 1']);
  expect(board.texts('section[data-selected] h2')).toEqual(['Lost नहीं मिली 1']);
  const sections = [...board.page.querySelectorAll('section')].map((section) => [
    ...[...section.querySelectorAll('h3')].map(({ textContent }) => textContent),
    section.querySelector('h2 + p')?.textContent,
  ]);
  expect(sections.map((parts) => parts.filter(Boolean))).toEqual([
    ['No bid here.'],
    ['Road', 'Wall'],
    ...[['No bid here.'], ['No bid here.'], ['No bid here.']],
    ['Well'],
    ['No bid here.'],
  ]);
  await board.press('Won 0');
  expect(board.stages).toEqual(['won']);
});

test('each stage that has bids can be copied, its bids in their order', async () => {
  expect((await openBoard('preparing')).texts('output')).toEqual(['preparing: road, wall', 'lost: lost']);
});

test('a bid that is moved by its menu is moved, and its menu has the focus', async () => {
  const board = await openBoard('preparing');
  await board.press('Move to another stage: Wall');
  await board.press('Won मिली');
  expect(board.moves).toEqual(['wall won']);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move to another stage: Wall');
});

test('a bid is dragged to another stage, which is marked meanwhile, and other things are refused', async () => {
  const board = await openBoard('preparing');
  const data = new Map<string, string>();
  const dataTransfer = {
    effectAllowed: '',
    setData: (type: string, value: string) => void data.set(type, value),
    getData: (type: string) => data.get(type) ?? '',
    get types() {
      return [...data.keys()];
    },
  };
  const drag = async (type: string, target: Element | null | undefined) => {
    const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer });
    await act(async () => void target?.dispatchEvent(event));
    return event.defaultPrevented;
  };
  const section = (stage: BidStage) => board.page.querySelector(`section[aria-labelledby="stage-${stage}"]`);
  const marked = () => board.page.querySelector('[data-target]')?.getAttribute('aria-labelledby');
  data.set('text/plain', 'wall');
  expect(await drag('dragover', section('won'))).toBe(false);
  expect(marked()).toBeUndefined();
  data.clear();
  const item = [...board.page.querySelectorAll('li[draggable="true"]')].find((each) =>
    each.textContent?.includes('Wall'),
  );
  await drag('dragstart', item);
  expect(dataTransfer.effectAllowed).toBe('move');
  expect(await drag('dragover', section('won'))).toBe(true);
  expect(marked()).toBe('stage-won');
  await drag('dragleave', section('won'));
  expect(marked()).toBeUndefined();
  await drag('dragover', section('submitted'));
  expect(await drag('drop', section('submitted'))).toBe(true);
  expect([board.moves, marked()]).toEqual([['wall submitted'], undefined]);
  data.clear();
  await drag('drop', section('won'));
  expect(board.moves).toHaveLength(1);
});

/** The filters of bids, and the filters that the user chose. */
async function openFilters(bids: Bid[], filter: BidFilter) {
  const chosen: BidFilter[] = [];
  const props = { bids: desk(...bids), filter, onChange: (next: BidFilter) => void chosen.push(next) };
  return { ...(await openTestPage(<BidFilters {...props} />)), chosen };
}
const ALL: BidFilter = { month: '', office: '' };

test('bids are filtered by month and office, each without changing the other', async () => {
  const bids = [WALL, { ...WALL, id: '2', organisation: 'Jal Shakti', closingAt: '2026-05-15T05:30:00.000Z' }];
  const filters = await openFilters(bids, { month: '2026-04', office: 'PWD' });
  const options = (label: string) =>
    [...filters.field(label).querySelectorAll('option')].map((each) => each.textContent);
  expect(options('Closing in')).toEqual(['All months', 'May 2026', 'Apr 2026']);
  expect(options('Office')).toEqual(['All offices', 'Jal Shakti', 'PWD']);
  expect([filters.field('Closing in').value, filters.field('Office').value]).toEqual(['2026-04', 'PWD']);
  await filters.fill({ 'Closing in': '2026-05' });
  await filters.fill({ Office: '' });
  expect(filters.chosen).toEqual([
    { month: '2026-05', office: 'PWD' },
    { month: '2026-04', office: '' },
  ]);
});

test('there is no filter without a choice, unless one is set', async () => {
  const other = { ...WALL, id: '2' };
  const hasFilter = async (bids: Bid[], filter = ALL) => (await openFilters(bids, filter)).text() !== '';
  expect(await hasFilter([WALL, other])).toBe(false);
  expect(await hasFilter([WALL, { ...other, organisation: 'Jal Shakti' }])).toBe(true);
  expect(await hasFilter([WALL, { ...other, closingAt: '2026-05-15T05:30:00.000Z' }])).toBe(true);
  expect(await hasFilter([WALL], { ...ALL, month: '2026-05' })).toBe(true);
  expect(await hasFilter([WALL], { ...ALL, office: 'Gone' })).toBe(true);
});

test('a user without bids sees the path of a bid in both languages, which begins with the tenders', async () => {
  const { page, texts } = await openTestPage(<EmptyBids />);
  expect(texts('li')).toHaveLength(4);
  expect(texts('li')[0]).toBe('Open a tender and tap “Prepare bid”. टेंडर खोलें और “Prepare bid” दबाएँ।');
  expect([page.querySelector('a')?.textContent, page.querySelector('a')?.getAttribute('href')]).toEqual([
    ...['Find tenders', '/tenders'],
  ]);
});

// @vitest-environment node
import type { PlanState } from '@nivida/contract/orders/order';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { expect, test } from 'vitest';
import { accountText, greetingFor, nextClosing } from './dashboard.ts';

const NOW = new Date('2026-04-10T12:00:00+05:30');

const bookmark = (id: string, closing: string | null) => ({
  id,
  needsSignIn: false,
  tender: closing && ({ _id: id, closing_date: closing, closing_time_known: true } as TenderSummary),
});
const closed = bookmark('1', '2026-04-09T05:30:00.000Z');
const later = bookmark('2', '2026-04-20T05:30:00.000Z');
const soon = bookmark('3', '2026-04-11T05:30:00.000Z');
const unknown = bookmark('4', null);

test.each([
  ['open ones, the next to close first', [closed, later, unknown, soon], ['3', '2'], null],
  [
    'without a bookmark how to set one',
    [],
    [],
    'Tap the bookmark of a tender that you bid for. You see here which closes next.',
  ],
  ['that all have closed that they have', [closed], [], 'All your bookmarked tenders have closed.'],
  [
    'that this phone does not know when they load',
    [closed, unknown],
    [],
    'This phone does not have the details of 1 bookmark yet. They load when you are online.',
  ],
])('the bookmarks that close next are %s', (_, bookmarks, ids, text) => {
  const { open, emptyText } = nextClosing(bookmarks as Parameters<typeof nextClosing>[0], NOW);
  expect(open.map(({ _id }) => _id)).toEqual(ids);
  expect(emptyText).toBe(text);
});

test.each([
  ['2026-11-21T00:00:00+05:30', 'Good morning'],
  ['2026-11-21T11:59:59+05:30', 'Good morning'],
  ['2026-11-21T12:00:00+05:30', 'Good afternoon'],
  ['2026-11-21T17:59:59+05:30', 'Good afternoon'],
  ['2026-11-21T18:00:00+05:30', 'Good evening'],
  ['2026-11-21T23:59:59+05:30', 'Good evening'],
])('at %s the dashboard says %s', (instant, greeting) => {
  expect(greetingFor(new Date(instant))).toBe(greeting);
});

const PLAN = { planId: 'basic', isTrial: true, endsAt: '2026-12-02T18:29:59Z' } as PlanState;

test.each<[string, PlanState | null, string[], string]>([
  ['a trial and a state', PLAN, ['Goa'], 'Trial of Basic until 2 Dec 2026 · Goa on this phone'],
  ['a plan', { ...PLAN, planId: 'premium', isTrial: false }, [], 'Premium until 2 Dec 2026'],
  ['two states without a plan', null, ['Goa', 'Delhi'], 'Goa, Delhi on this phone'],
  ['nothing that is known', null, [], ''],
])('the line under the greeting names %s', (_what, plan, states, text) => {
  expect(accountText(plan, states)).toBe(text);
});

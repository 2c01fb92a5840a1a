import { randomUUID } from 'node:crypto';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { makeSession, storeSession } from './session.ts';
import { openTenders } from './tenders.ts';

const DAY_MS = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Signs the page in as a new user who has bids, deposits, documents and an enlistment on the server. */
export async function signInWithBids(page: Page, request: APIRequestContext) {
  const session = await makeSession();
  const tenders = await openTenders(request, 'Himachal Pradesh');
  const stamp = `${String(Date.now()).padStart(13, '0')}-0000-aaaaaaaaaaaaaaaa`;
  const record = (kind: string, fields: Record<string, unknown>, id: string = randomUUID()) => {
    const stamps = Object.fromEntries(Object.keys(fields).map((name) => [name, stamp]));
    return { kind, id, fields, stamps };
  };
  const [preparing, submitted, own] = [randomUUID(), randomUUID(), randomUUID()];
  const [first, second] = tenders;
  const ownTitle = 'Boundary wall of a school';
  const emd = { kind: 'emd', amountPaise: 2_500_000, mode: 'fdr', number: 'FDR-101', bank: 'SBI Shimla' };
  const records = [
    record('bid', { tenderId: first?._id, title: first?.title, stage: 'preparing' }, preparing),
    record('bid', { tenderId: second?._id, title: second?.title, stage: 'submitted' }, submitted),
    record('bid', { title: ownTitle, closingAt: `${day(5)}T06:00:00.000Z` }, own),
    record('deposit', { ...emd, bidId: preparing, state: 'locked', dueOn: day(40) }),
    record('deposit', { ...emd, bidId: submitted, state: 'due_back', dueOn: day(-9), validUntil: day(12) }),
    record('bidDocument', { kind: 'pan', number: 'ABCDE1234F' }),
    record('bidDocument', { kind: 'enlistment', title: 'Class C', validUntil: day(6) }),
    ...Array.from({ length: 6 }, (_, index) =>
      record('check', { tenderId: first?._id, kind: `own:${randomUUID()}`, text: `Own document ${index + 1}` }),
    ),
  ];
  const headers = { authorization: `Bearer ${session.token}` };
  const answer = await request.post('/api/bids/changes', { headers, data: { records } });
  const { results } = (await answer.json()) as { results: { result: string }[] };
  expect(results.filter(({ result }) => result !== 'accepted')).toEqual([]);
  await page.goto('/');
  await storeSession(page, session);
  await page.goto('/dashboard/applications');
  await expect(page.getByRole('status').filter({ hasText: '3 bids' })).toBeVisible();
  const bid = (id: string, part: string) => `/dashboard/applications/${id}#${part}`;
  return {
    first,
    preparing: bid.bind(null, preparing),
    submitted: bid.bind(null, submitted),
    own: bid.bind(null, own),
    ownTitle,
  };
}

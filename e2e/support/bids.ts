import { randomUUID } from 'node:crypto';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { makeSession, storeSession } from './session.ts';
import { openTenders } from './tenders.ts';

const DAY_MS = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

type TestRecord = ReturnType<typeof record>;

/** A record with an id, all fields stamped now. */
function record(kind: string, fields: Record<string, unknown>, id: string = randomUUID()) {
  const stamp = `${String(Date.now()).padStart(13, '0')}-0000-aaaaaaaaaaaaaaaa`;
  const stamps = Object.fromEntries(Object.keys(fields).map((name) => [name, stamp]));
  return { kind, id, fields, stamps };
}

async function sendRecords(
  request: APIRequestContext,
  token: string,
  records: readonly TestRecord[],
  params: Record<string, string> = {},
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await request.post('/api/bids/changes', { headers, params, data: { records } });
  const { results } = (await answer.json()) as { results: { result: string }[] };
  expect(results.filter(({ result }) => result !== 'accepted')).toEqual([]);
}

/** The address of a part of a bid's page. */
const bidAddress = (id: string) => (part: string) => `/dashboard/applications/${id}#${part}`;

/**
 * Signs the page in as a new user with a won bid whose guarantee ends in 20 days, and a bid that was rejected, with a kept
 * letter whose answer is overdue.
 */
export async function signInWithEndedBids(page: Page, request: APIRequestContext) {
  const session = await makeSession();
  const [first, second] = await openTenders(request, 'Himachal Pradesh');
  const [won, rejected, security] = [randomUUID(), randomUUID(), randomUUID()];
  const guarantee = { mode: 'bg', number: 'BG-2041', bank: 'SBI Rampur', validUntil: day(20), claimUntil: day(385) };
  const text = 'Date: 1 Jan 2026\n\nTo\nThe Public Information Officer';
  await sendRecords(request, session.token, [
    record('bid', { tenderId: first?._id, title: first?.title, stage: 'won' }, won),
    record(
      'bid',
      { tenderId: second?._id, title: second?.title, stage: 'lost', rejectionReason: 'GST return missing' },
      rejected,
    ),
    record(
      'deposit',
      { bidId: won, kind: 'performance', amountPaise: 50_000_033, obligationUntil: day(300), ...guarantee },
      security,
    ),
    record('release', { depositId: security, amountPaise: 10_000_001, releasedOn: day(-5) }),
    record('deposit', { bidId: won, kind: 'retention', amountPaise: 2_500_000, obligationUntil: day(-2) }),
    record('deposit', { bidId: rejected, kind: 'emd', amountPaise: 2_500_000, mode: 'fdr', state: 'due_back' }),
    record('letter', { bidId: rejected, kind: 'rti', language: 'en', text, sentOn: day(-40), answerDueOn: day(-10) }),
  ]);
  await page.goto('/');
  await storeSession(page, session);
  await page.goto('/dashboard/applications');
  await expect(page.getByRole('status').filter({ hasText: '2 bids' })).toBeVisible();
  return { first, won: bidAddress(won), rejected: bidAddress(rejected) };
}

/** Signs the page in as a new user who has bids, deposits, documents and an enlistment on the server. */
export async function signInWithBids(page: Page, request: APIRequestContext) {
  const session = await makeSession();
  const tenders = await openTenders(request, 'Himachal Pradesh');
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
  await sendRecords(request, session.token, records);
  await page.goto('/');
  await storeSession(page, session);
  await page.goto('/dashboard/applications');
  await expect(page.getByRole('status').filter({ hasText: '3 bids' })).toBeVisible();
  return {
    first,
    preparing: bidAddress(preparing),
    submitted: bidAddress(submitted),
    own: bidAddress(own),
    ownTitle,
  };
}

/** Stores a bid of a firm on the server. Returns the address of its page. */
export async function sendFirmBid(request: APIRequestContext, token: string, firm: string): Promise<string> {
  const [tender] = await openTenders(request, 'Himachal Pradesh');
  const bid = record('bid', { tenderId: tender?._id, title: tender?.title, stage: 'preparing' });
  await sendRecords(request, token, [bid], { firm });
  return `/dashboard/applications/${bid.id}`;
}

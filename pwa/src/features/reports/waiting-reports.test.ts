// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { locks } from 'node:worker_threads';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { sendOutbox, stopOutbox } from '../../data/outbox/outbox.ts';
import { clearSession, currentOwner } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { queueReport, readWaitingReports } from './waiting-reports.ts';

const REPORT = { id: '11111111-1111-4111-8111-111111111111', kind: 'date', text: '' } as const;

let onLine: MockInstance<() => boolean>;
let received: { path: string; body: unknown; authorization: string | null }[];
let answer: () => Response;

beforeEach(() => {
  received = [];
  answer = () => Response.json({ success: true });
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  vi.stubGlobal('fetch', async (request: Request) => {
    const authorization = request.headers.get('authorization');
    received.push({ path: new URL(request.url).pathname, body: JSON.parse(await request.text()), authorization });
    return answer();
  });
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
});

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  stopOutbox();
  clearSession();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const waiting = () => withDatabase((db) => readWaitingReports(db, currentOwner()));

test.each([
  ['a signed-out reader', '', null],
  ['a user', '7', 'Bearer token-7'],
])('a report of %s without a connection waits and is sent once', async (_who, owner, authorization) => {
  if (owner !== '') signInForTest(owner);
  await queueReport('42', REPORT);
  expect(await waiting()).toEqual([{ id: REPORT.id, tenderId: '42', refusal: null }]);
  expect(received).toEqual([]);
  onLine.mockReturnValue(true);
  await sendOutbox();
  await sendOutbox();
  expect(received).toEqual([{ path: '/api/tenders/42/reports', body: REPORT, authorization }]);
  expect(useToast.getState().current?.text).toBe('Your report of a mistake was sent.');
  expect(await waiting()).toEqual([]);
});

test('a refused report stays with its reason', async () => {
  answer = () => Response.json({ code: 'NOT_FOUND', message: 'Tender not found' }, { status: 404 });
  await queueReport('42', REPORT);
  onLine.mockReturnValue(true);
  await sendOutbox();
  expect(await waiting()).toEqual([{ id: REPORT.id, tenderId: '42', refusal: 'Tender not found' }]);
  expect(useToast.getState().current?.text).toBe('Your report of a mistake was not sent: Tender not found');
});

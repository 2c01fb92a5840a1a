// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OutboxRow } from './db.ts';
import { closeDevice, onDevice } from './device.ts';
import { sendFromWorker } from './outbox-worker.ts';

const ROW: OutboxRow = {
  id: '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01',
  owner: '7',
  kind: 'contact',
  path: '/api/contact',
  body: { subject: 'Tenders of Kinnaur', message: 'Do you list the works of the forest division?' },
  needs: 'nothing',
  authorization: null,
  at: 5,
  refusal: null,
  sentAt: null,
};

/** The calls as the server gets them; `answer` is what it says. */
let calls: { path: string; authorization: string | null; body: string }[];
let answer: () => Response;

beforeEach(() => {
  calls = [];
  answer = () => Response.json({ success: true });
  vi.stubGlobal('fetch', async (path: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    calls.push({ path, authorization: headers.authorization ?? null, body });
    return answer();
  });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await onDevice((db) => db.delete());
  await closeDevice();
});

const keep = (changes: Partial<OutboxRow> = {}) => onDevice((db) => db.outbox.put({ ...ROW, ...changes }));
const rows = () => onDevice((db) => db.outbox.toArray());

test('the worker sends a request without a session, and leaves the app only what its words need', async () => {
  await keep();
  await sendFromWorker(9);
  expect(calls).toEqual([{ path: '/api/contact', authorization: null, body: JSON.stringify(ROW.body) }]);
  expect(await rows()).toEqual([{ ...ROW, sentAt: 9, body: { subject: 'Tenders of Kinnaur' } }]);
  await sendFromWorker(10);
  expect(calls).toHaveLength(1);
});

test('a request that needs a session waits for the app', async () => {
  await keep({ needs: 'session' });
  await sendFromWorker(9);
  expect(calls).toEqual([]);
  expect(await rows()).toHaveLength(1);
});

test.each([500, 429, 408])('after an answer %i the browser tries again', async (status) => {
  await keep();
  answer = () => Response.json({}, { status });
  await expect(sendFromWorker(9)).rejects.toThrow();
  expect(await rows()).toEqual([ROW]);
});

test('a refused request stays with the reason of the server', async () => {
  await keep();
  answer = () => Response.json({ message: 'Please enter a valid email address' }, { status: 400 });
  await sendFromWorker(9);
  expect(await rows()).toEqual([{ ...ROW, refusal: 'Please enter a valid email address' }]);
});

test('a request that fails does not hold up the next one', async () => {
  await keep();
  await keep({ id: '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a02', at: 6 });
  answer = () => (calls.length === 1 ? Response.json({}, { status: 503 }) : Response.json({ success: true }));
  await expect(sendFromWorker(9)).rejects.toThrow();
  expect((await rows()).map(({ sentAt }) => sentAt)).toEqual([null, 9]);
});

test.each([200, 401])(
  'the end of a session is sent with its own token, which then goes (answer %i)',
  async (status) => {
    await keep({ kind: 'sign-out', path: '/api/auth/logout', needs: 'authorization', authorization: 'Bearer abc' });
    answer = () => Response.json({}, { status });
    await sendFromWorker(9);
    expect(calls.map(({ authorization }) => authorization)).toEqual(['Bearer abc']);
    expect(await rows()).toEqual([]);
  },
);

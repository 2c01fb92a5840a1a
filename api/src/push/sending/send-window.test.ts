import { expect, test } from 'vitest';
import { type SendSession, SendWindow } from './send-window.ts';

const sessionOf = (host: string): SendSession => ({ host, isClosed: false, unrecorded: 0 });

/** Requests `count` places and counts the granted ones. */
async function acquireAll(
  window: SendWindow,
  session: SendSession,
  count: number,
  batch = 1,
): Promise<{ given: number[] }> {
  const given: number[] = [];
  for (let nth = 0; nth < count; nth += 1)
    void window.acquire(session, batch).then((mayStart) => {
      if (mayStart) given.push(batch);
    });
  await Promise.resolve();
  return { given };
}

test('one push service has at most ten unrecorded pushes; each recorded one releases a place', async () => {
  const window = new SendWindow();
  const session = sessionOf('one');
  window.begin(session);
  const { given } = await acquireAll(window, session, 13);
  expect(given).toHaveLength(10);
  window.release(session, 2);
  await Promise.resolve();
  expect(given).toHaveLength(12);
});

test('one of two push services has at most eight, both together ten', async () => {
  const window = new SendWindow();
  const [one, two] = [sessionOf('one'), sessionOf('two')];
  window.begin(one);
  window.begin(two);
  const first = await acquireAll(window, one, 13);
  const second = await acquireAll(window, two, 13);
  expect([first.given.length, second.given.length]).toEqual([8, 2]);
  window.end(two);
  window.close(two);
  await Promise.resolve();
  window.release(two, 2);
  await Promise.resolve();
  expect([first.given.length, second.given.length]).toEqual([10, 2]);
});

test('a released place goes to the earlier batch', async () => {
  const window = new SendWindow();
  const session = sessionOf('one');
  window.begin(session);
  await acquireAll(window, session, 10);
  const later = await acquireAll(window, session, 1, 3);
  const earlier = await acquireAll(window, session, 1, 2);
  window.release(session);
  await Promise.resolve();
  expect([earlier.given.length, later.given.length]).toEqual([1, 0]);
});

test('a closed session gives no place, and its waiting senders end', async () => {
  const window = new SendWindow();
  const session = sessionOf('one');
  window.begin(session);
  await acquireAll(window, session, 10);
  const waiting = window.acquire(session, 1);
  window.close(session);
  expect(await waiting).toBe(false);
  expect(await window.acquire(session, 1)).toBe(false);
});

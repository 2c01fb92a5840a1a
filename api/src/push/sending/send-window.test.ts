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

test('one push service has at most 80 of 100 unrecorded pushes; each recorded one releases a place', async () => {
  const window = new SendWindow(100);
  const session = sessionOf('one');
  const { given } = await acquireAll(window, session, 90);
  expect(given).toHaveLength(80);
  window.release(session, 2);
  await Promise.resolve();
  expect(given).toHaveLength(82);
});

test('a push service that does not answer leaves a fifth to another one, and both together have 100', async () => {
  const window = new SendWindow(100);
  const [one, two] = [sessionOf('one'), sessionOf('two')];
  const first = await acquireAll(window, one, 90);
  const second = await acquireAll(window, two, 90);
  expect([first.given.length, second.given.length]).toEqual([80, 20]);
  window.release(one, 5);
  await Promise.resolve();
  // The place goes to the service that asked first.
  expect([first.given.length, second.given.length]).toEqual([85, 20]);
  window.release(two, 10);
  await Promise.resolve();
  expect([first.given.length, second.given.length]).toEqual([85, 30]);
});

test('a released place goes to the earlier batch', async () => {
  const window = new SendWindow(10);
  const session = sessionOf('one');
  await acquireAll(window, session, 8);
  const later = await acquireAll(window, session, 1, 3);
  const earlier = await acquireAll(window, session, 1, 2);
  window.release(session);
  await Promise.resolve();
  expect([earlier.given.length, later.given.length]).toEqual([1, 0]);
});

test('a closed session gives no place, and its waiting senders end', async () => {
  const window = new SendWindow(10);
  const session = sessionOf('one');
  await acquireAll(window, session, 8);
  const waiting = window.acquire(session, 1);
  window.close(session);
  expect(await waiting).toBe(false);
  expect(await window.acquire(session, 1)).toBe(false);
});

import type { OrderStatusResponse } from '@nivida/contract/orders/order';
import { HTTPError, NetworkError } from 'ky';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  browserEnvironment,
  type FollowEnvironment,
  followOrder,
  msUntilNextCheck,
  type OrderView,
} from './follow-order.ts';

afterEach(() => vi.useRealTimers());

const request = new Request('https://nivida.example/api/status-check');
const options = { method: 'GET' } as never;

function check(status: string, error?: string): OrderStatusResponse {
  const order = { product: 'tender-documents', tenderId: '7', title: 'Road', amountPaise: 9_900 };
  return { status, order, ...(error && { error }) };
}

function refused(status: number, message: string): HTTPError {
  const error = new HTTPError(new Response(null, { status }), request, options);
  error.data = { message };
  return error;
}

const broken = () => new NetworkError(request);

/** An environment with a clock that the test moves; `answers` gives the answer at a time of the clock in ms. */
function world(answers: (atMs: number) => OrderStatusResponse | Error) {
  let now = 0;
  let online = true;
  let timers: { at: number; run: () => void }[] = [];
  const asked: number[] = [];
  const views: OrderView[] = [];
  const driven: FollowEnvironment = {
    ask: async () => {
      asked.push(now / 1000);
      const answer = answers(now);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    now: () => now,
    after: (ms, run) => {
      const set = { at: now + ms, run };
      timers.push(set);
      return () => {
        timers = timers.filter((each) => each !== set);
      };
    },
    isOnline: () => online,
  };
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return {
    driven,
    asked,
    views,
    show: (view: OrderView) => void views.push(view),
    settle,
    /** Moves the clock and runs each poll that is due. */
    async pass(seconds: number) {
      await settle();
      const end = now + seconds * 1000;
      const nextDue = () => timers.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0];
      for (let due = nextDue(); due; due = nextDue()) {
        const { at, run } = due;
        timers = timers.filter((each) => each !== due);
        now = at;
        run();
        await settle();
      }
      now = end;
    },
    setOnline(isOnline: boolean) {
      online = isOnline;
    },
    last: () => views.at(-1),
  };
}

describe('the polling of a payment', () => {
  test.each([
    [0, 2],
    [1.5, 0.5],
    [2, 2],
    [4, 4],
    [8, 7],
    [15, 15],
    [30, 30],
    [61, 29],
    [299, 1],
  ])('%s s after the start, the next poll follows in %s s', (elapsed, pause) => {
    expect(msUntilNextCheck(elapsed * 1000)).toBe(pause * 1000);
  });

  test('it ends after five minutes', () => {
    expect(msUntilNextCheck(300_000)).toBeNull();
  });

  test('a pending payment is polled at 0, 2, 4, 8, 15, 30 s and then every 30 s to five minutes', async () => {
    const at = world(() => check('PENDING'));
    followOrder('order', at.show, at.driven);
    await at.pass(1_000);
    expect(at.asked).toEqual([0, 2, 4, 8, 15, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300]);
    expect(at.views.slice(0, -1).every(({ kind }) => kind === 'checking')).toBe(true);
    expect(at.last()).toEqual({ kind: 'unconfirmed', check: check('PENDING') });
  });

  test('a payment whose page has ended is unconfirmed at once, and polled on until it is known', async () => {
    const slow = { ...check('PENDING'), isUnconfirmed: true };
    const at = world((ms) => (ms < 8_000 ? slow : check('SUCCESS')));
    followOrder('order', at.show, at.driven);
    await at.settle();
    expect(at.last()).toEqual({ kind: 'unconfirmed', check: slow });
    await at.pass(8);
    expect(at.last()).toEqual({ kind: 'known', check: check('SUCCESS') });
  });

  test('calls that the rate limit refuses after five minutes are repeated until one is answered', async () => {
    const at = world((ms) => (ms >= 290_000 && ms < 340_000 ? refused(429, 'Too many requests') : check('PENDING')));
    followOrder('order', at.show, at.driven);
    await at.pass(1_000);
    expect(at.asked.slice(-3)).toEqual([300, 330, 360]);
    expect(at.last()).toEqual({ kind: 'unconfirmed', check: check('PENDING') });
  });

  test('it ends with the first answer that is not pending', async () => {
    const at = world((ms) => check(ms < 8_000 ? 'PENDING' : 'SUCCESS'));
    followOrder('order', at.show, at.driven);
    await at.pass(600);
    expect(at.asked).toEqual([0, 2, 4, 8]);
    expect(at.last()).toEqual({ kind: 'known', check: check('SUCCESS') });
  });

  test.each(['FAILED', 'REFUNDED', 'SOMETHING_NEW'])('%s is an end too', async (status) => {
    const at = world(() => check(status, 'Declined'));
    followOrder('order', at.show, at.driven);
    await at.pass(600);
    expect(at.asked).toEqual([0]);
    expect(at.last()).toEqual({ kind: 'known', check: check(status, 'Declined') });
  });

  test('"Check again" after five minutes polls as often as at the start', async () => {
    const at = world(() => check('PENDING'));
    const follower = followOrder('order', at.show, at.driven);
    await at.pass(305);
    at.asked.length = 0;
    follower.again();
    await at.pass(1_000);
    expect(at.asked).toEqual([0, 2, 4, 8, 15, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300].map((s) => s + 305));
    expect(at.last()?.kind).toBe('unconfirmed');
  });

  test('"Check again" after five minutes gives five minutes more', async () => {
    const at = world((ms) => check(ms < 310_000 ? 'PENDING' : 'SUCCESS'));
    const follower = followOrder('order', at.show, at.driven);
    await at.pass(305);
    follower.again();
    expect(at.last()?.kind).toBe('checking');
    await at.pass(10);
    expect(at.last()).toEqual({ kind: 'known', check: check('SUCCESS') });
  });

  test('a return to the app polls at once, but not twice within two seconds', async () => {
    const at = world(() => check('PENDING'));
    const follower = followOrder('order', at.show, at.driven);
    await at.pass(40);
    follower.wake();
    await at.settle();
    follower.wake();
    await at.settle();
    expect(at.asked).toEqual([0, 2, 4, 8, 15, 30, 40]);
    await at.pass(1.999);
    follower.wake();
    await at.pass(0.001);
    follower.wake();
    await at.settle();
    expect(at.asked).toEqual([0, 2, 4, 8, 15, 30, 40, 42]);
    // The polls go on as before, once each.
    await at.pass(50);
    expect(at.asked).toEqual([0, 2, 4, 8, 15, 30, 40, 42, 60, 90]);
  });

  test('a return to the app after the payment has ended polls nothing', async () => {
    const at = world(() => check('SUCCESS'));
    const follower = followOrder('order', at.show, at.driven);
    await at.pass(40);
    follower.wake();
    await at.settle();
    expect(at.asked).toEqual([0]);
  });

  test('a return to the app after five minutes polls once more', async () => {
    const at = world((ms) => check(ms < 310_000 ? 'PENDING' : 'SUCCESS'));
    const follower = followOrder('order', at.show, at.driven);
    await at.pass(320);
    expect(at.last()?.kind).toBe('unconfirmed');
    follower.wake();
    await at.settle();
    expect(at.last()).toEqual({ kind: 'known', check: check('SUCCESS') });
  });

  test('nothing is polled after it was stopped between two polls', async () => {
    const at = world(() => check('PENDING'));
    const follower = followOrder('order', at.show, at.driven);
    await at.pass(3);
    follower.stop();
    await at.pass(60);
    expect(at.asked).toEqual([0, 2]);
  });

  test('nothing is polled or shown after it was stopped', async () => {
    const at = world(() => check('PENDING'));
    const follower = followOrder('order', at.show, at.driven);
    follower.stop();
    await at.pass(60);
    expect(at.asked).toEqual([0]);
    expect(at.views).toEqual([{ kind: 'checking' }]);
  });
});

describe('without a connection', () => {
  test('on return it shows that it waits, and continues when there is a connection', async () => {
    const at = world(() => check('SUCCESS'));
    at.setOnline(false);
    const follower = followOrder('order', at.show, at.driven);
    await at.pass(60);
    expect(at.asked).toEqual([]);
    expect(at.last()).toEqual({ kind: 'offline' });
    at.setOnline(true);
    follower.wake();
    await at.settle();
    expect(at.views.map(({ kind }) => kind)).toEqual(['checking', 'offline', 'checking', 'known']);
  });

  test('a return to the app without a connection shows nothing new', async () => {
    const at = world(() => check('SUCCESS'));
    at.setOnline(false);
    const follower = followOrder('order', at.show, at.driven);
    await at.pass(60);
    follower.wake();
    await at.settle();
    expect(at.asked).toEqual([]);
    expect(new Set(at.views.slice(1).map(({ kind }) => kind))).toEqual(new Set(['offline']));
  });

  test('a connection that returns at once is used at once', async () => {
    const at = world(() => check('SUCCESS'));
    at.setOnline(false);
    const follower = followOrder('order', at.show, at.driven);
    await at.pass(1);
    at.setOnline(true);
    follower.wake();
    await at.settle();
    expect(at.asked).toEqual([1]);
  });

  test('an answer that came before the connection was lost is shown', async () => {
    const at = world(() => {
      at.setOnline(false);
      return refused(404, 'Order not found');
    });
    followOrder('order', at.show, at.driven);
    await at.settle();
    expect(at.last()).toEqual({ kind: 'error', message: 'Order not found', isFinal: true });
  });

  test('a poll that the lost connection broke waits for a connection', async () => {
    const at = world(() => {
      at.setOnline(false);
      return broken();
    });
    followOrder('order', at.show, at.driven);
    await at.pass(60);
    expect(at.last()).toEqual({ kind: 'offline' });
  });
});

describe('a poll that fails', () => {
  test("shows the server's text, and an order that does not exist is not polled again", async () => {
    const at = world(() => refused(404, 'Order not found'));
    const follower = followOrder('order', at.show, at.driven);
    await at.pass(60);
    follower.wake();
    expect(at.asked).toEqual([0]);
    expect(at.last()).toEqual({ kind: 'error', message: 'Order not found', isFinal: true });
  });

  test.each([500, 503])('with status %i is repeated', async (status) => {
    const at = world((ms) => (ms < 2_000 ? refused(status, 'Busy') : check('SUCCESS')));
    followOrder('order', at.show, at.driven);
    await at.pass(1);
    expect(at.last()).toMatchObject({ kind: 'error', isFinal: false });
    await at.pass(5);
    expect(at.last()).toEqual({ kind: 'known', check: check('SUCCESS') });
  });

  test('without a reply shows that the check failed, and the next answer replaces it', async () => {
    const at = world((ms) => (ms < 2_000 ? broken() : check('SUCCESS')));
    followOrder('order', at.show, at.driven);
    await at.pass(1);
    expect(at.last()).toEqual({ kind: 'error', message: 'Failed to check payment status', isFinal: false });
    await at.pass(5);
    expect(at.last()).toEqual({ kind: 'known', check: check('SUCCESS') });
  });

  test('a rate limit says nothing about the payment', async () => {
    const at = world((ms) => (ms === 0 ? refused(429, 'Too many requests') : check('SUCCESS')));
    followOrder('order', at.show, at.driven);
    await at.pass(1);
    expect(at.last()?.kind).toBe('checking');
    await at.pass(5);
    expect(at.last()).toEqual({ kind: 'known', check: check('SUCCESS') });
  });
});

test('in a browser a cancelled poll does not run', () => {
  vi.useFakeTimers();
  const ran: string[] = [];
  const { after } = browserEnvironment('api/status-check');
  const cancel = after(2_000, () => ran.push('cancelled'));
  after(2_000, () => ran.push('kept'));
  vi.advanceTimersByTime(1_999);
  expect(ran).toEqual([]);
  cancel();
  vi.advanceTimersByTime(1);
  expect(ran).toEqual(['kept']);
});

/** Polls the status of an order until its payment has ended (R41). */
import { t } from '@lingui/core/macro';
import { OrderStatusResponse } from '@nivida/contract/orders/order';
import { isHTTPError } from 'ky';
import { api, isConnectionError, serverMessageOr } from '../../../data/server/api.ts';

/** Times of the first polls, in milliseconds after the start. */
const FIRST_CHECKS_MS = [0, 2_000, 4_000, 8_000, 15_000, 30_000];
const CHECK_INTERVAL_MS = 30_000;
const MAX_FOLLOW_MS = 300_000;
/** A return to the app polls at once, but never twice within this time. */
const MIN_CHECK_GAP_MS = 2_000;

/**
 * The state of the payment:
 * - `checking`: has a `check` after the server's first answer.
 * - `unconfirmed`: after five minutes, or when the payment page has ended.
 * - `error`: with `isFinal` the polling has ended.
 */
export type OrderView =
  | { kind: 'checking'; check?: OrderStatusResponse }
  | { kind: 'offline' }
  | { kind: 'unconfirmed'; check: OrderStatusResponse }
  | { kind: 'known'; check: OrderStatusResponse }
  | { kind: 'error'; message: string; isFinal: boolean };

/**
 * The environment of the polling. `now` is in milliseconds since 1970. `after` returns a function that
 * cancels the timer.
 */
export interface FollowEnvironment {
  ask: (orderId: string) => Promise<OrderStatusResponse>;
  now: () => number;
  after: (ms: number, run: () => void) => () => void;
  isOnline: () => boolean;
}

/** The polling of one order. */
export interface OrderFollower {
  /** Starts the polling again for five more minutes. */
  again: () => void;
  /**
   * Polls now, unless the payment has ended. Call it when the connection is back or the app becomes visible.
   */
  wake: () => void;
  stop: () => void;
}

/** Milliseconds until the next poll, `elapsedMs` after the first one. Null after five minutes. */
export function msUntilNextCheck(elapsedMs: number): number | null {
  if (elapsedMs >= MAX_FOLLOW_MS) return null;
  const next =
    FIRST_CHECKS_MS.find((at) => at > elapsedMs) ?? (Math.floor(elapsedMs / CHECK_INTERVAL_MS) + 1) * CHECK_INTERVAL_MS;
  return next - elapsedMs;
}

/** The browser as environment. `path` is one of the two names of the same call (R3). */
export function browserEnvironment(path: 'api/status-check' | 'api/payment-status'): FollowEnvironment {
  return {
    ask: (id) => api.get(path, { searchParams: { id } }).json(OrderStatusResponse),
    now: Date.now,
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    isOnline: () => navigator.onLine,
  };
}

function viewOfError(error: unknown, isOnline: boolean): OrderView {
  if (isConnectionError(error) && !isOnline) return { kind: 'offline' };
  const status = isHTTPError(error) ? error.response.status : 500;
  // A rate limit says nothing about the payment.
  if (status === 429) return { kind: 'checking' };
  return { kind: 'error', message: serverMessageOr(error, t`Failed to check payment status`), isFinal: status < 500 };
}

function isFinalView(view: OrderView): boolean {
  return view.kind === 'known' || (view.kind === 'error' && view.isFinal);
}

/**
 * Polls an order and shows each change: at 0, 2, 4, 8, 15 and 30 seconds, then every 30 s for five minutes.
 * Without a connection it waits for `wake`.
 */
export function followOrder(
  orderId: string,
  show: (view: OrderView) => void,
  environment: FollowEnvironment,
): OrderFollower {
  let startedAt = environment.now();
  let askedAt = Number.NEGATIVE_INFINITY;
  let view: OrderView = { kind: 'checking' };
  let run = 0;
  let cancel = () => {};

  function put(next: OrderView): void {
    view = next;
    show(next);
  }

  async function answer(): Promise<OrderView> {
    if (!environment.isOnline()) return { kind: 'offline' };
    try {
      const check = await environment.ask(orderId);
      if (check.status !== 'PENDING') return { kind: 'known', check };
      const isOver = msUntilNextCheck(environment.now() - startedAt) === null;
      return { kind: isOver || check.isUnconfirmed ? 'unconfirmed' : 'checking', check };
    } catch (error) {
      return viewOfError(error, environment.isOnline());
    }
  }

  async function check(): Promise<void> {
    cancel();
    run += 1;
    const mine = run;
    askedAt = environment.now();
    const next = await answer();
    // The polling was stopped or started again in the meantime.
    if (mine !== run) return;
    put(next);
    // A call that the rate limit refused leaves the state `checking`. This state needs another poll, even
    // after five minutes.
    const pause =
      msUntilNextCheck(environment.now() - startedAt) ?? (next.kind === 'checking' ? CHECK_INTERVAL_MS : null);
    if (pause !== null && !isFinalView(next) && next.kind !== 'offline')
      cancel = environment.after(pause, () => void check());
  }

  function again(): void {
    startedAt = environment.now();
    put({ kind: 'checking' });
    void check();
  }

  again();
  return {
    again,
    wake: () => {
      if (isFinalView(view) || (view.kind !== 'offline' && environment.now() - askedAt < MIN_CHECK_GAP_MS)) return;
      if (view.kind === 'offline' && environment.isOnline()) put({ kind: 'checking' });
      void check();
    },
    stop: () => {
      run += 1;
      cancel();
    },
  };
}

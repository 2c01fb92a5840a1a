/**
 * Outcomes of pushes by the answers of the push services (RFC 8030): retries, removed devices, and pauses of a service.
 */

import { indianDay } from '@nivida/contract/format';
import { dayText, HOUR_MS, MINUTE_MS } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import { latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { isResult, type PushMessage } from '../messages/push-messages.ts';
import type { PushDevice } from './delivery.ts';
import type { PushResponse } from './push-transport.ts';
import {
  COUNT_DEVICE_ERRORS,
  COUNT_HOST_OUTCOMES,
  COUNT_UNACCEPTED_PUSHES,
  DELETE_FAILING_DEVICES,
  DELETE_GONE_DEVICES,
  DELETE_LONG_GONE_DEVICES,
  MARK_DEVICES_GONE,
  MARK_DEVICES_OK,
  PAUSE_HOST,
  RECORD_ACCEPTED_PUSHES,
  UPDATE_DELIVERIES,
} from './sending.sql.ts';

const WINDOW_MS = 5 * MINUTE_MS;
/** Maximum pause of a push service. */
const MAX_PAUSE_MS = HOUR_MS;
const CIRCUIT_BREAK_MS = 10 * MINUTE_MS;
/** Delays after the first attempts. Later attempts use LAST_RETRY_DELAY_MS. */
const RETRY_DELAYS_MS = [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS];
const LAST_RETRY_DELAY_MS = 30 * MINUTE_MS;
/** With the delays about a day, as long as a push service stores a push. */
const MAX_TRIES = 50;
const MAX_REJECTED_TRIES = 5;
/** Minimum numbers of answers for a verdict about a service. */
const MIN_REJECTED = 5;
const MIN_GONE = 10;
const WAVE_SHARE = 0.2;
/** A session ends after this many unanswered requests. */
export const MIN_UNANSWERED = 5;
const OK_RECORD_INTERVAL_MS = HOUR_MS;

/**
 * Outcome of one message. `bad`: the device cannot receive pushes. `failed`: this message cannot be sent. `broken`: the
 * encryption failed and will be retried.
 */
export interface PushOutcome {
  device: PushDevice;
  message: PushMessage;
  nid: string;
  reply: PushResponse | 'bad' | 'failed' | 'broken';
}

/** Result of one batch at one push service. */
export interface HostVerdict {
  /** Log message for the operator. */
  alert: string | undefined;
  pausedUntil: Date | undefined;
}

/** New state of one delivery. */
export interface DeliveryUpdate {
  id: string;
  state: 'waiting' | 'failed' | 'skipped';
  sendAt: Date;
  tries: number;
}

/** Whether the push service has accepted the message. */
export const isAccepted = ({ reply }: PushOutcome) => statusOf(reply) >= 200 && statusOf(reply) < 300;
const isGone = ({ reply }: PushOutcome) => statusOf(reply) === 404 || statusOf(reply) === 410;
const isRejected = ({ reply }: PushOutcome) => [400, 401, 403].includes(statusOf(reply));
/** Whether the push service asks for a pause. */
export const isThrottled = ({ reply }: PushOutcome) => statusOf(reply) === 429;

function statusOf(reply: PushOutcome['reply']): number {
  return typeof reply === 'string' ? -1 : reply.status;
}

/** Whether a request was made: encryption and settings did not fail. */
export const wasSent = ({ reply }: PushOutcome) => typeof reply !== 'string';

/** Whether no answer came at all. */
export const hasNoResponse = (reply: PushOutcome['reply']): boolean => statusOf(reply) === 0;

/**
 * Records accepted messages in one statement. It runs outside a transaction and so commits at once: after a worker is
 * killed, only unrecorded messages are sent again.
 */
export async function recordAcceptedPushes(manager: EntityManager, outcomes: PushOutcome[], now: Date): Promise<void> {
  if (outcomes.length === 0) return;
  // A limited message counts once, with any number of notices.
  const marks = outcomes.flatMap(({ message }) =>
    message.deliveries.map(({ id }, nth) => ({ id, counted: message.isLimited && nth === 0 })),
  );
  await manager.query(RECORD_ACCEPTED_PUSHES, [
    marks.map(({ id }) => id),
    marks.map(({ counted }) => counted),
    now,
    indianDate(now),
    outcomes.map(({ nid }) => nid),
    outcomes.map(({ message }) => message.kind),
  ]);
}

/** The Indian day of an instant, as PostgreSQL reads a date. */
const indianDate = (now: Date): string => dayText(indianDay(now));

/**
 * Writes the outcomes of a batch in its transaction: the `untried` deliveries and the messages that were not accepted.
 * Accepted messages are already recorded. `isDead`: the service has not answered any request.
 */
export async function recordBatchOutcomes(
  manager: EntityManager,
  host: string,
  outcomes: PushOutcome[],
  { untried, isDead }: { untried: DeliveryUpdate[]; isDead: boolean },
  now: Date,
): Promise<HostVerdict> {
  const verdict = await updateHostState(manager, host, outcomes, isDead, now);
  // The service refuses so many devices that the error must be ours or the service's.
  const isCircuitOpen = verdict.alert !== undefined;
  const marks = [...untried];
  // While a service is down, attempts are not counted.
  const isSpared = (outcome: PushOutcome) =>
    (isCircuitOpen && isRejected(outcome)) || (hasNoResponse(outcome.reply) && isDead);
  for (const outcome of outcomes)
    if (!isAccepted(outcome)) marks.push(...deliveryUpdates(outcome, isSpared(outcome), now));
  if (marks.length > 0)
    await manager.query(UPDATE_DELIVERIES, [
      marks.map(({ id }) => id),
      marks.map(({ state }) => state),
      marks.map(({ sendAt }) => sendAt),
      marks.map(({ tries }) => tries),
    ]);
  await updateDeviceErrors(manager, host, outcomes, isCircuitOpen, now);
  await countUnacceptedPushes(manager, outcomes, now);
  return verdict;
}

/** New states of the deliveries of a message that was not accepted. */
function deliveryUpdates(outcome: PushOutcome, isSpared: boolean, now: Date): DeliveryUpdate[] {
  const { message } = outcome;
  const all = (mark: Omit<DeliveryUpdate, 'id'>) => message.deliveries.map(({ id }) => ({ id, ...mark }));
  const tries = Math.max(...message.deliveries.map((delivery) => delivery.tries));
  // If the device is removed, its deliveries are deleted with it. If it has a new endpoint, they are sent there.
  if (isThrottled(outcome) || isSpared || isGone(outcome)) return all({ state: 'waiting', sendAt: now, tries });
  const sendAt = new Date(now.getTime() + (RETRY_DELAYS_MS[tries] ?? LAST_RETRY_DELAY_MS));
  const isFinal = ['bad', 'failed'].includes(String(outcome.reply)) || statusOf(outcome.reply) === 413;
  const isLate = message.deliveries.every((delivery) => delivery.closesAt <= sendAt && !isResult(delivery));
  const isLast = tries + 1 >= (isRejected(outcome) ? MAX_REJECTED_TRIES : MAX_TRIES);
  if (isFinal || isLate || isLast) return all({ state: 'failed', sendAt: now, tries });
  return all({ state: 'waiting', sendAt, tries: tries + 1 });
}

/** A pause that ends later than this was written by a wrong clock and is ignored. */
export const latestPauseEnd = (now: Date): Date => new Date(latestPlausibleInstant(now).getTime() + MAX_PAUSE_MS);

/** Adds the batch to the service's window of five minutes and decides about a pause. */
async function updateHostState(
  manager: EntityManager,
  host: string,
  outcomes: PushOutcome[],
  isDead: boolean,
  now: Date,
): Promise<HostVerdict> {
  const of = (kind: (outcome: PushOutcome) => boolean) => outcomes.filter(kind).length;
  const tried = of(wasSent);
  if (host === 'email' || tried === 0) return { alert: undefined, pausedUntil: undefined };
  const [row]: { sent: number; refused: number; gone: number; pauses: number; is_paused: boolean }[] =
    await manager.query(COUNT_HOST_OUTCOMES, [
      host,
      now,
      tried,
      of(isRejected),
      of(isGone),
      new Date(now.getTime() - WINDOW_MS),
      latestPlausibleInstant(now),
      latestPauseEnd(now),
    ]);
  const { sent, refused, gone, pauses, is_paused: isPaused } = row as NonNullable<typeof row>;
  const isRefusing = of(isRejected) > 0 && refused >= MIN_REJECTED && refused / sent > WAVE_SHARE;
  const isVanishing = of(isGone) > 0 && gone >= MIN_GONE && gone / sent > WAVE_SHARE;
  const isBusy = outcomes.some(isThrottled) || isDead;
  const requestedWaitMs = Math.max(
    0,
    ...outcomes.map(({ reply }) => (typeof reply === 'string' ? 0 : (reply.retryAfterMs ?? 0))),
  );
  // The workers of a session share one pause.
  const ownMs = isPaused ? 0 : Math.min(MINUTE_MS * 2 ** pauses, MAX_PAUSE_MS);
  const waitMs = isRefusing || isVanishing ? CIRCUIT_BREAK_MS : isBusy ? requestedWaitMs || ownMs : 0;
  const pausedUntil = waitMs > 0 ? new Date(now.getTime() + waitMs) : undefined;
  await manager.query(PAUSE_HOST, [host, pausedUntil ?? null, isBusy, isPaused, latestPauseEnd(now)]);
  const wave = isRefusing ? 'VAPID: it refuses' : isVanishing ? 'VAPID?: it no longer knows' : undefined;
  return { alert: wave && `${host} ${wave} ${refused + gone} of ${sent} pushes; none are sent for now`, pausedUntil };
}

async function updateDeviceErrors(
  manager: EntityManager,
  host: string,
  outcomes: PushOutcome[],
  isCircuitOpen: boolean,
  now: Date,
): Promise<void> {
  const gone = outcomes.filter((outcome) => outcome.reply === 'bad' || (isGone(outcome) && !isCircuitOpen));
  if (gone.length > 0)
    // The endpoint is compared too, because the device may have a new one in the meantime.
    await manager.query(DELETE_GONE_DEVICES, [
      gone.map(({ device }) => device.id),
      gone.map(({ device }) => device.endpoint),
    ]);
  const isNews = ({ errors, goneSince, lastOkAt }: PushDevice) =>
    isCircuitOpen || errors > 0 || goneSince || !lastOkAt || now.getTime() - lastOkAt.getTime() > OK_RECORD_INTERVAL_MS;
  const fine = outcomes.filter((outcome) => isAccepted(outcome) && isNews(outcome.device));
  if (fine.length > 0) await manager.query(MARK_DEVICES_OK, [fine.map(({ device }) => device.id), now]);
  if (isCircuitOpen) await updateGoneDevices(manager, host, outcomes.filter(isGone), now);
  const refused = isCircuitOpen ? [] : outcomes.filter(isRejected);
  if (refused.length === 0) return;
  const ids = refused.map(({ device }) => device.id);
  await manager.query(COUNT_DEVICE_ERRORS, [ids, now]);
  // Only if other devices are reached. Otherwise the error may be ours.
  await manager.query(DELETE_FAILING_DEVICES, [ids, now, host]);
}

/**
 * Many 404 answers at once may be our error or the service's. A device is removed only when it gets 404 again in a later
 * window, and the service accepts other pushes signed with the same key.
 */
async function updateGoneDevices(manager: EntityManager, host: string, gone: PushOutcome[], now: Date): Promise<void> {
  const ids = gone.map(({ device }) => device.id);
  await manager.query(DELETE_LONG_GONE_DEVICES, [ids, new Date(now.getTime() - WINDOW_MS), host]);
  await manager.query(MARK_DEVICES_GONE, [ids, now]);
}

/** Adds the requests that were not accepted to the day's counts. `recordAcceptedPushes` counts the accepted ones. */
async function countUnacceptedPushes(manager: EntityManager, outcomes: PushOutcome[], now: Date): Promise<void> {
  const kinds = outcomes
    .filter((outcome) => wasSent(outcome) && !isAccepted(outcome))
    .map(({ message: { kind } }) => kind);
  if (kinds.length === 0) return;
  await manager.query(COUNT_UNACCEPTED_PUSHES, [indianDate(now), kinds]);
}

/**
 * What follows from how push services answered (RFC 8030): what is sent, what comes again and when, which devices go, and
 * which service is left alone for a while. Over 200 lines: the rules look at each other, so they stand together.
 */
import { indianDay } from '@nivida/contract/format';
import type { EntityManager } from 'typeorm';
import type { Device } from './due.ts';
import type { Message } from './messages.ts';
import type { Reply } from './transport.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WINDOW_MS = 5 * MINUTE_MS;
const BREAK_MS = 10 * MINUTE_MS;
/** After each failed try; the last one again and again. */
const RETRY_MS = [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS];
const LAST_RETRY_MS = 30 * MINUTE_MS;
/** Together about a day, as long as a push service keeps a push. */
const MOST_TRIES = 50;
/** A refusal is not going to change by asking. */
const MOST_REFUSED_TRIES = 5;
/** Fewer than these say nothing about a service. */
const LEAST_REFUSED = 5;
const LEAST_GONE = 10;
const WAVE = 0.2;
const LEAST_SILENT = 5;
const MOST_ERRORS = 5;
const OK_NOTED_MS = HOUR_MS;

/**
 * A message that was tried. `bad`: nothing can ever be sent to its device. `failed`: this message cannot be sent, which
 * says nothing of its device. `broken`: it could not be sealed now. `left`: it was not tried after all.
 */
export interface Outcome {
  device: Device;
  message: Message;
  nid: string;
  reply: Reply | 'bad' | 'failed' | 'broken' | 'left';
}

/** Of one batch at one push service. */
export interface Verdict {
  /** What the operator must know. */
  alert: string | undefined;
  pausedUntil: Date | undefined;
}

/** What becomes of one delivery. */
export interface Mark {
  id: string;
  state: 'waiting' | 'sent' | 'failed' | 'skipped';
  sendAt: Date;
  tries: number;
  counted: boolean;
}

const isAccepted = ({ reply }: Outcome) => statusOf(reply) >= 200 && statusOf(reply) < 300;
const isGone = ({ reply }: Outcome) => statusOf(reply) === 404 || statusOf(reply) === 410;
const isRefused = ({ reply }: Outcome) => [400, 401, 403].includes(statusOf(reply));
const isHeldUp = ({ reply }: Outcome) => statusOf(reply) === 429;

function statusOf(reply: Outcome['reply']): number {
  return typeof reply === 'string' ? -1 : reply.status;
}

const wasSent = ({ reply }: Outcome) => typeof reply !== 'string';

/** Whether no answer came at all. */
export const isSilent = (reply: Outcome['reply']): boolean => statusOf(reply) === 0;

/** Whether a service has said nothing so often that it is not worth waiting for now. */
const isDead = (outcomes: readonly Outcome[]): boolean =>
  outcomes.filter(({ reply }) => isSilent(reply)).length >= LEAST_SILENT &&
  !outcomes.some(({ reply }) => statusOf(reply) > 0);

/** Writes a batch's outcomes and what becomes of what was not tried, in its transaction. */
export async function settle(
  manager: EntityManager,
  host: string,
  outcomes: Outcome[],
  untried: Mark[],
  now: Date,
): Promise<Verdict> {
  const verdict = await judge(manager, host, outcomes, now);
  const isOpen = verdict.alert !== undefined;
  const marks = [...untried];
  // Whoever is not there has not tried anything: its pushes keep their tries for when it is back.
  const isSpared = (outcome: Outcome) =>
    (isOpen && (isRefused(outcome) || isGone(outcome))) || (isSilent(outcome.reply) && isDead(outcomes));
  for (const outcome of outcomes) marks.push(...marksOf(outcome, isSpared(outcome), now));
  await manager.query(
    `UPDATE push_delivery d SET state = m.state, send_at = m.send_at, tries = m.tries, counted = m.counted,
       sent_at = CASE WHEN m.state = 'sent' THEN $6::timestamptz END
     FROM unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::int[], $5::bool[]) m(id, state, send_at, tries, counted)
     WHERE d.id = m.id`,
    [
      marks.map(({ id }) => id),
      marks.map(({ state }) => state),
      marks.map(({ sendAt }) => sendAt),
      marks.map(({ tries }) => tries),
      marks.map(({ counted }) => counted),
      now,
    ],
  );
  await noteDevices(manager, host, outcomes, isOpen, now);
  await count(manager, outcomes, now);
  return verdict;
}

function marksOf(outcome: Outcome, isSpared: boolean, now: Date): Mark[] {
  const { message } = outcome;
  const all = (mark: Omit<Mark, 'id' | 'counted'>) =>
    message.deliveries.map(({ id }, nth) => ({
      id,
      ...mark,
      // Once for the message, however many notices are in it.
      counted: mark.state === 'sent' && message.isLimited && nth === 0,
    }));
  const tries = Math.max(...message.deliveries.map((delivery) => delivery.tries));
  if (isAccepted(outcome)) return all({ state: 'sent', sendAt: now, tries });
  if (outcome.reply === 'left' || isHeldUp(outcome) || isSpared) return all({ state: 'waiting', sendAt: now, tries });
  const sendAt = new Date(now.getTime() + (RETRY_MS[tries] ?? LAST_RETRY_MS));
  const isFinal =
    ['bad', 'failed'].includes(String(outcome.reply)) || isGone(outcome) || statusOf(outcome.reply) === 413;
  const isLate = message.deliveries.every(({ closesAt }) => closesAt <= sendAt);
  const isLast = tries + 1 >= (isRefused(outcome) ? MOST_REFUSED_TRIES : MOST_TRIES);
  if (isFinal || isLate || isLast) return all({ state: 'failed', sendAt: now, tries });
  return all({ state: 'waiting', sendAt, tries: tries + 1 });
}

/** The service's last five minutes with this batch, and whether it is left alone from now on. */
async function judge(manager: EntityManager, host: string, outcomes: Outcome[], now: Date): Promise<Verdict> {
  const of = (kind: (outcome: Outcome) => boolean) => outcomes.filter(kind).length;
  const tried = of(wasSent);
  if (host === 'email' || tried === 0) return { alert: undefined, pausedUntil: undefined };
  const [row]: { sent: number; refused: number; gone: number; pauses: number }[] = await manager.query(
    `INSERT INTO push_host AS held (host, since, sent, refused, gone, pauses) VALUES ($1, $2, $3, $4, $5, 0)
     ON CONFLICT (host) DO UPDATE SET
       since = CASE WHEN held.since > $6 THEN held.since ELSE excluded.since END,
       sent = CASE WHEN held.since > $6 THEN held.sent ELSE 0 END + excluded.sent,
       refused = CASE WHEN held.since > $6 THEN held.refused ELSE 0 END + excluded.refused,
       gone = CASE WHEN held.since > $6 THEN held.gone ELSE 0 END + excluded.gone
     RETURNING sent, refused, gone, pauses`,
    [host, now, tried, of(isRefused), of(isGone), new Date(now.getTime() - WINDOW_MS)],
  );
  const { sent, refused, gone, pauses } = row as NonNullable<typeof row>;
  const isRefusing = of(isRefused) > 0 && refused >= LEAST_REFUSED && refused / sent > WAVE;
  const isVanishing = of(isGone) > 0 && gone >= LEAST_GONE && gone / sent > WAVE;
  const isBusy = outcomes.some(isHeldUp) || isDead(outcomes);
  const asked = Math.max(0, ...outcomes.map(({ reply }) => (typeof reply === 'string' ? 0 : (reply.waitMs ?? 0))));
  const waitMs =
    isRefusing || isVanishing ? BREAK_MS : isBusy ? asked || Math.min(MINUTE_MS * 2 ** pauses, HOUR_MS) : 0;
  const pausedUntil = waitMs > 0 ? new Date(now.getTime() + waitMs) : undefined;
  await manager.query(
    'UPDATE push_host SET paused_until = greatest(paused_until, $2), pauses = CASE WHEN $3 THEN pauses + 1 ELSE 0 END WHERE host = $1',
    [host, pausedUntil ?? null, isBusy],
  );
  const wave = isRefusing ? 'VAPID: it refuses' : isVanishing ? 'VAPID?: it no longer knows' : undefined;
  return { alert: wave && `${host} ${wave} ${refused + gone} of ${sent} pushes; none are sent for now`, pausedUntil };
}

async function noteDevices(
  manager: EntityManager,
  host: string,
  outcomes: Outcome[],
  isOpen: boolean,
  now: Date,
): Promise<void> {
  const gone = outcomes.filter((outcome) => outcome.reply === 'bad' || (isGone(outcome) && !isOpen));
  if (gone.length > 0)
    // By the endpoint too: the device may have sent a fresh one meanwhile.
    await manager.query(
      `DELETE FROM push_subscription s USING unnest($1::uuid[], $2::text[]) g(id, endpoint)
       WHERE s.id = g.id AND s.endpoint = g.endpoint`,
      [gone.map(({ device }) => device.id), gone.map(({ device }) => device.endpoint)],
    );
  // In a wave of refusals it counts who is reached.
  const isNews = ({ errors, goneSince, lastOkAt }: Device) =>
    isOpen || errors > 0 || goneSince || !lastOkAt || now.getTime() - lastOkAt.getTime() > OK_NOTED_MS;
  const fine = outcomes.filter((outcome) => isAccepted(outcome) && isNews(outcome.device));
  if (fine.length > 0)
    await manager.query(
      'UPDATE push_subscription SET last_ok_at = $2, errors = 0, errors_since = NULL, gone_since = NULL WHERE id = ANY($1)',
      [fine.map(({ device }) => device.id), now],
    );
  if (isOpen) await noteVanished(manager, host, outcomes.filter(isGone), now);
  const refused = isOpen ? [] : outcomes.filter(isRefused);
  if (refused.length === 0) return;
  const ids = refused.map(({ device }) => device.id);
  await manager.query(
    `UPDATE push_subscription SET errors = errors + 1, errors_since = coalesce(errors_since, $2), last_error_at = $2
     WHERE id = ANY($1)`,
    [ids, now],
  );
  // Only where others are reached, so that it is not us.
  await manager.query(
    `DELETE FROM push_subscription s WHERE s.id = ANY($1) AND s.errors >= ${MOST_ERRORS}
       AND s.errors_since <= $2::timestamptz - interval '24 hours' AND EXISTS (
         SELECT 1 FROM push_subscription o WHERE o.host = $3 AND o.id <> s.id AND o.last_ok_at >= s.errors_since)`,
    [ids, now, host],
  );
}

/**
 * A wave of 404 may be our fault or the service's. A device of which it says the same again, in a later window and while
 * it takes pushes that are signed with the same key, is really gone.
 */
async function noteVanished(manager: EntityManager, host: string, gone: Outcome[], now: Date): Promise<void> {
  const ids = gone.map(({ device }) => device.id);
  await manager.query(
    `DELETE FROM push_subscription s WHERE s.id = ANY($1) AND s.gone_since <= $2 AND EXISTS (
       SELECT 1 FROM push_subscription o
       WHERE o.host = $3 AND o.vapid_kid = s.vapid_kid AND o.id <> s.id AND o.last_ok_at >= s.gone_since)`,
    [ids, new Date(now.getTime() - WINDOW_MS), host],
  );
  await manager.query('UPDATE push_subscription SET gone_since = coalesce(gone_since, $2) WHERE id = ANY($1)', [
    ids,
    now,
  ]);
}

/** Messages of a day by kind, and what a click will be counted by; neither knows a device. */
async function count(manager: EntityManager, outcomes: Outcome[], now: Date): Promise<void> {
  const tried = outcomes.filter(wasSent);
  if (tried.length === 0) return;
  const day = new Date(indianDay(now) * 24 * HOUR_MS).toISOString().slice(0, 10);
  const accepted = tried.filter(isAccepted);
  const kinds = [...new Set(tried.map(({ message }) => message.kind))].sort();
  const of = (those: Outcome[], kind: string) => those.filter(({ message }) => message.kind === kind).length;
  await manager.query(
    `WITH receipts AS (
       INSERT INTO push_receipt (nid, day, kind) SELECT nid, $1, kind FROM unnest($5::text[], $6::text[]) r(nid, kind))
     INSERT INTO push_tally AS held (day, kind, sent, accepted)
     SELECT $1, kind, sent, accepted FROM unnest($2::text[], $3::int[], $4::int[]) c(kind, sent, accepted)
     ON CONFLICT (day, kind) DO UPDATE SET sent = held.sent + excluded.sent, accepted = held.accepted + excluded.accepted`,
    [
      day,
      kinds,
      kinds.map((kind) => of(tried, kind)),
      kinds.map((kind) => of(accepted, kind)),
      accepted.map(({ nid }) => nid),
      accepted.map(({ message }) => message.kind),
    ],
  );
}

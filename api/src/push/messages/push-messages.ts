/** Combines the due deliveries of a device into few messages. */

import { findAlertKind, type MessageKind, REMINDER_KINDS, type ReminderKind } from '@nivida/contract/push/alert-kinds';
import { threadPath } from '@nivida/contract/support/thread-path';
import { DAY_SECONDS, HOUR_MS } from '@nivida/contract/time';
import type { AssignmentDetail, NoticeDelivery, PushDevice } from '../sending/delivery.ts';

/** Maximum messages per day of the limited kinds. */
const MAX_LIMITED_PER_DAY = 6;

/** A push service accepts topics of at most 32 characters (RFC 8030). */
const MAX_TOPIC_ID = 20;

/** Messages that are as useful after the quiet hours: tenders that the user may not know yet, answers of support, assignments. */
const NEWS_MESSAGES: readonly MessageKind[] = ['match', 'office', 'answer', 'assigned'];

const messageOf = ({ kind }: NoticeDelivery): MessageKind => findAlertKind(kind)?.message ?? 'closing';

/** One delivery, or several changes of one tender merged into one. */
export interface News extends NoticeDelivery {
  /** Closings between the old and the new one, which a device may have read. */
  interimClosings?: string[];
}

/** Works of one NIT, represented by the first. */
export interface NitGroup {
  first: News;
  works: number;
}

/** One message to one device. */
export interface PushMessage {
  kind: MessageKind;
  deliveries: NoticeDelivery[];
  /** The content of the deliveries. Several changes of one tender are merged. */
  news: News[];
  groups: NitGroup[];
  /** Counts towards the limit of messages a day. */
  isLimited: boolean;
  /** Seconds for which the push service stores the message: until the first tender closes, at most a day. */
  ttl: number;
  urgency: 'low' | 'normal' | 'high';
  /** A later message with the same topic replaces it, at the push service and on the device. */
  topic: string;
  /** Sent in the quiet hours, without sound. */
  isSilent: boolean;
}

/** At most one message of each kind. `skipped` is not sent; `quiet` waits for the end of the quiet hours. */
export function createPushMessages(
  device: PushDevice,
  deliveries: NoticeDelivery[],
  now: Date,
): { messages: PushMessage[]; skipped: NoticeDelivery[]; quiet: NoticeDelivery[] } {
  // Checked again, because a retry may come in the quiet hours.
  const quiet = deliveries.filter(
    (delivery) => isUsefulAfterQuietHours(delivery, device.quietUntil) && !isStale(delivery, now),
  );
  const present = deliveries.filter((delivery) => !quiet.includes(delivery));
  const urgent = mostUrgentReminders(present);
  const isToSend = (delivery: NoticeDelivery) =>
    !isStale(delivery, now) &&
    (!isReminder(delivery) || urgent.has(delivery)) &&
    (device.channel !== 'email' || findAlertKind(delivery.kind)?.isMailed !== false);
  const byKind = Map.groupBy(present.filter(isToSend), messageOf);
  const all = [...byKind].map(([kind, due]) => createPushMessage(kind, due, now, device.quietUntil !== null));
  let counted = device.countedToday;
  const messages = all.filter(({ isLimited }) => !isLimited || ++counted <= MAX_LIMITED_PER_DAY);
  const sent = new Set(messages.flatMap(({ deliveries: those }) => those));
  return { messages, skipped: present.filter((delivery) => !sent.has(delivery)), quiet };
}

/** The changed fields; empty for a stored detail of another shape. */
function changedFields({ detail }: Pick<NoticeDelivery, 'detail'>): string[] {
  const fields: unknown = detail?.fields;
  return Array.isArray(fields) ? fields : [];
}

/** A notice about the award of a tender, which comes after its closing. */
export const isResult = (delivery: Pick<NoticeDelivery, 'detail'>): boolean =>
  changedFields(delivery).includes('result');

/** The page that a message opens: its tender or checklist, the vault, the thread with support, or all notices. */
export function messagePath({ kind, groups }: PushMessage): string {
  if (kind === 'document') return '/dashboard/documents';
  const [only, ...others] = groups;
  if (kind === 'answer')
    return only && others.length === 0 ? threadPath(only.first.detail?.threadId ?? '') : '/dashboard/support';
  if (kind === 'assigned') return only && others.length === 0 ? checklistPath(only.first.detail ?? {}) : '/notices';
  return only && others.length === 0 ? `/tenders/${only.first.tenderId}` : '/notices';
}

/** The page of a firm's checklist. `?firm=` shows the firm's records there. */
export const checklistPath = ({
  firmId,
  tenderId,
  bidId,
}: Partial<Pick<AssignmentDetail, 'firmId' | 'tenderId' | 'bidId'>>): string =>
  tenderId
    ? `/tenders/${tenderId}?firm=${firmId}#checklist`
    : `/dashboard/applications/${bidId}?firm=${firmId}#documents`;

/** Whether a delivery is still useful after the quiet hours, by the rule of push_send_at(). */
const isUsefulAfterQuietHours = (delivery: NoticeDelivery, quietUntil: Date | null): boolean =>
  quietUntil !== null &&
  (NEWS_MESSAGES.includes(messageOf(delivery)) ||
    isResult(delivery) ||
    delivery.closesAt.getTime() - quietUntil.getTime() >= HOUR_MS);

const isReminder = (delivery: NoticeDelivery): boolean => messageOf(delivery) === 'closing';

/**
 * Whether a delivery must not be sent any more:
 * - the tender has closed, unless the notice is a result;
 * - the recipient does not want or follow it any more, or a later notice has replaced it;
 * - the tender was cancelled or retendered, unless the notice is the change;
 * - the notice is a cancellation, and the tender is open again.
 */
function isStale(delivery: NoticeDelivery, now: Date): boolean {
  const { closesAt, isWithdrawn, isOutdated, isUnfollowed, isWanted } = delivery;
  const isOver = closesAt <= now && !isResult(delivery);
  const fields = changedFields(delivery);
  const isUndone = isWithdrawn
    ? messageOf(delivery) !== 'changed'
    : fields.length > 0 && fields.every((field) => field === 'stage');
  return isOver || !isWanted || isOutdated || isUnfollowed || isUndone;
}

/** The most urgent waiting reminder of each tender. */
function mostUrgentReminders(deliveries: NoticeDelivery[]): ReadonlySet<NoticeDelivery> {
  const rank = ({ kind }: NoticeDelivery) => REMINDER_KINDS.indexOf(kind as ReminderKind);
  const best = new Map<number | null, NoticeDelivery>();
  for (const delivery of deliveries.filter(isReminder)) {
    const current = best.get(delivery.tenderId);
    if (!current || rank(delivery) < rank(current)) best.set(delivery.tenderId, delivery);
  }
  return new Set(best.values());
}

const usefulUntil = (delivery: NoticeDelivery, now: Date): number =>
  isResult(delivery) ? now.getTime() + DAY_SECONDS * 1_000 : delivery.closesAt.getTime();

function createPushMessage(kind: MessageKind, deliveries: NoticeDelivery[], now: Date, isSilent: boolean): PushMessage {
  const news = kind === 'changed' ? mergeChanges(deliveries) : deliveries;
  const groups = groupByNit(news);
  const [only] = groups;
  const secondsLeft = Math.floor(
    (Math.min(...deliveries.map((delivery) => usefulUntil(delivery, now))) - now.getTime()) / 1_000,
  );
  const entries = deliveries.map((delivery) => findAlertKind(delivery.kind));
  const isHigh = entries.some((entry) => entry?.urgency === 'high');
  const isLow = entries.every((entry) => entry?.urgency === 'low');
  return {
    kind,
    deliveries,
    news,
    groups,
    isLimited: entries.every((entry) => entry?.isLimited),
    ttl: Math.max(1, isHigh ? secondsLeft : Math.min(secondsLeft, DAY_SECONDS)),
    urgency: isHigh ? 'high' : isLow ? 'low' : 'normal',
    isSilent,
    // A message about one tender has its own topic. Otherwise a message about the next tender would replace it unread.
    topic: groups.length === 1 && only ? `${kind}-${idOf(only.first).slice(0, MAX_TOPIC_ID)}` : `${kind}-digest`,
  };
}

/** Merges the changes of each tender: from the closing before the first notice to that of the newest one, with all changed fields. */
function mergeChanges(deliveries: NoticeDelivery[]): News[] {
  return [...Map.groupBy(deliveries, ({ tenderId }) => tenderId).values()].map((changes) =>
    mergeTenderChanges(changes.toSorted((one, other) => one.version - other.version)),
  );
}

function mergeTenderChanges(changes: NoticeDelivery[]): News {
  const last = changes.at(-1) as NoticeDelivery;
  const fields = new Set(changes.flatMap(changedFields));
  // A cancellation that was revoked before it was sent is not mentioned.
  if (!last.isWithdrawn) fields.delete('stage');
  if (fields.size === 0) return last;
  const closings = changes.flatMap(({ detail }) =>
    [detail?.oldClosing, detail?.newClosing].filter((at) => at !== undefined),
  );
  const [first, newest] = [closings[0], closings.at(-1)];
  if (!first || !newest) return { ...last, detail: { ...last.detail, fields: [...fields] } };
  const interimClosings = [...new Set(closings)].filter(
    (at) => !isSameInstant(at, first) && !isSameInstant(at, newest),
  );
  const isBack = isSameInstant(first, newest);
  // If the closing was moved and moved back, it is mentioned only when nothing else has changed.
  if (isBack && interimClosings.length > 0 && fields.size > 1) fields.delete('closing_date');
  return {
    ...last,
    detail: { ...last.detail, fields: [...fields], oldClosing: isBack ? newest : first, newClosing: newest },
    interimClosings,
  };
}

const isSameInstant = (one: string, other: string): boolean => Date.parse(one) === Date.parse(other);

/** The tender, document, thread or checklist that a notice is about. */
const idOf = ({ tenderId, detail }: NoticeDelivery): string =>
  String(tenderId ?? detail?.documentId ?? detail?.threadId ?? detail?.tenderId ?? detail?.bidId ?? '');

/** Groups works of one NIT with the same closing and the same change. */
function groupByNit(deliveries: News[]): NitGroup[] {
  const keyOf = (delivery: News) => {
    const { nitKey, kind, closesAt, detail } = delivery;
    return nitKey === null ? idOf(delivery) : JSON.stringify([nitKey, kind === 'match' ? null : detail, closesAt]);
  };
  return [...Map.groupBy(deliveries, keyOf).values()].map((members) => ({
    first: members[0] as News,
    works: members.reduce((sum, { works }) => sum + works, 0),
  }));
}

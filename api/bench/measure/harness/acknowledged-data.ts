/** Checks that acknowledged actions are in the database and the mailbox: none missing, none twice. */

import type { Email } from 'postal-mime';
import type { DataSource } from 'typeorm';
import type { BenchmarkMetrics } from '../metrics.ts';
import {
  ACTION_KINDS,
  type AcknowledgedAction,
  type AcknowledgedActions,
  type ActionKind,
  type LoadClient,
} from './workload.ts';

/** Conditions for keys ($1) that are not stored as their contents ($2) say. */
const LOST: Record<Exclude<ActionKind, 'bookmarks'>, string> = {
  searches: 'NOT EXISTS (SELECT 1 FROM saved_search WHERE id::text = key AND name = content)',
  messages: 'NOT EXISTS (SELECT 1 FROM thread WHERE id::text = key)',
  orders: `NOT EXISTS (SELECT 1 FROM orders o JOIN entitlement e ON e.order_id = o.id JOIN invoice i ON i.order_id = o.id
    WHERE o.public_id = key AND o.status = 'SUCCESS')`,
  bid_records: "NOT EXISTS (SELECT 1 FROM bid_record WHERE id::text = key AND fields ->> 'note' = content)",
  sign_ups: `NOT EXISTS (SELECT 1 FROM account a JOIN consent c ON c.user_id = a.id JOIN session s ON s.user_id = a.id
    WHERE a.email = key AND a.mobile_no = content)`,
};

/** Conditions for keys ($1) that were stored or carried out more than once. */
const DOUBLED: Record<Exclude<ActionKind, 'bookmarks'>, string> = {
  searches: '(SELECT count(*) FROM saved_search WHERE name = content) > 1',
  messages: '(SELECT count(*) FROM thread WHERE subject = content) > 1',
  orders: `EXISTS (SELECT 1 FROM orders o WHERE o.public_id = key AND (
    (SELECT count(*) FROM entitlement WHERE order_id = o.id) > 1
    OR (SELECT count(*) FROM invoice WHERE order_id = o.id AND kind <> 'credit_note') > 1
    OR (SELECT count(*) FROM orders p WHERE p.idempotency_key = o.idempotency_key) > 1))`,
  bid_records: "(SELECT count(*) FROM bid_record WHERE fields ->> 'note' = content) > 1",
  sign_ups: `(SELECT count(*) FROM account WHERE email = key OR mobile_no = content) > 1
    OR (SELECT count(*) FROM consent c JOIN account a ON a.id = c.user_id WHERE a.email = key AND c.purpose = 'account') > 1`,
};

/** Rows that must not exist. */
const INVALID_ROWS: Record<string, string> = {
  orders_of_one_purchase: 'SELECT 1 FROM orders GROUP BY idempotency_scope, idempotency_key HAVING count(*) > 1',
  series_with_gaps: 'SELECT series FROM invoice GROUP BY series, financial_year HAVING max(no) <> count(*)',
  unpaid_grants: "SELECT 1 FROM entitlement e JOIN orders o ON o.id = e.order_id WHERE o.status <> 'SUCCESS'",
};

/**
 * Prints, for each kind of action and each killed process, how many actions were acknowledged, are missing, and were done
 * twice. A kind without acknowledged actions misses its limit.
 */
export async function checkAcknowledgedData(
  figures: BenchmarkMetrics,
  dataSource: DataSource,
  clients: readonly LoadClient[],
  acknowledged: AcknowledgedActions,
): Promise<void> {
  const phases = new Set(acknowledged.actions.map(({ phase }) => phase));
  for (const kind of ACTION_KINDS) {
    const lost = await findLost(dataSource, clients, acknowledged, kind);
    const doubled = await findDoubled(dataSource, acknowledged, kind);
    for (const phase of phases) {
      const name = phase ? `${phase}_killed.${kind}` : kind;
      const count = (actions: readonly AcknowledgedAction[]) => actions.filter((each) => each.phase === phase).length;
      figures.check(`${name}_acknowledged`, acknowledged.of(kind, phase).length, 'least', 1);
      figures.check(`${name}_lost`, count(lost), 'most', 0);
      figures.check(`${name}_doubled`, count(doubled), 'most', 0);
    }
  }
  for (const [name, sql] of Object.entries(INVALID_ROWS)) {
    const [{ n }] = await dataSource.query(`SELECT count(*)::int AS n FROM (${sql}) found`);
    figures.check(name, n, 'most', 0);
  }
}

async function findLost(
  dataSource: DataSource,
  clients: readonly LoadClient[],
  acknowledged: AcknowledgedActions,
  kind: ActionKind,
): Promise<AcknowledgedAction[]> {
  if (kind !== 'bookmarks') return findWhere(dataSource, acknowledged, kind, LOST[kind]);
  const rows: { key: string }[] = await dataSource.query(`SELECT user_id || ' ' || tender_id AS key FROM bookmark`);
  const stored = new Set(rows.map(({ key }) => key));
  // The last acknowledged change of a bookmark counts: one that was removed may not be there again.
  const changes = clients.flatMap(({ bookmarks }) => [...bookmarks.values()]);
  return changes.filter(({ key, content }) => stored.has(key) !== (content === 'yes'));
}

async function findDoubled(
  dataSource: DataSource,
  acknowledged: AcknowledgedActions,
  kind: ActionKind,
): Promise<AcknowledgedAction[]> {
  if (kind !== 'bookmarks') return findWhere(dataSource, acknowledged, kind, DOUBLED[kind]);
  const sql = `SELECT user_id || ' ' || tender_id AS key FROM bookmark GROUP BY user_id, tender_id HAVING count(*) > 1`;
  const rows: { key: string }[] = await dataSource.query(sql);
  return acknowledged.of(kind).filter((action) => rows.some(({ key }) => key === action.key));
}

async function findWhere(
  dataSource: DataSource,
  acknowledged: AcknowledgedActions,
  kind: ActionKind,
  condition: string,
): Promise<AcknowledgedAction[]> {
  const actions = acknowledged.of(kind);
  const rows: { key: string }[] = await dataSource.query(
    `SELECT key FROM unnest($1::text[], $2::text[]) AS acknowledged (key, content) WHERE ${condition}`,
    [actions.map(({ key }) => key), actions.map(({ content }) => content)],
  );
  const found = new Set(rows.map(({ key }) => key));
  return actions.filter(({ key }) => found.has(key));
}

/** Acknowledged actions without a mail yet. */
export function countUnmailed(mails: readonly Email[], acknowledged: AcknowledgedActions): number {
  const { messages, orders } = readMails(mails);
  const recipients = new Set(mails.flatMap(({ to = [] }) => to.map(({ address }) => address)));
  const waiting = [
    acknowledged.of('messages').filter(({ content }) => !messages.has(content)),
    acknowledged.of('orders').filter(({ key }) => !orders.has(key)),
    [...acknowledged.codes].filter((address) => !recipients.has(address)),
  ];
  return waiting.flat().length;
}

/**
 * Surplus mails have another message id. The same id twice is expected when the process is killed after the mail server's
 * response and before it stores that. Mailboxes drop the duplicate.
 */
export function checkMails(
  figures: BenchmarkMetrics,
  mails: readonly Email[],
  acknowledged: AcknowledgedActions,
): void {
  const { messages, orders } = readMails(mails);
  const twice = [...messages.values(), ...orders.values()].filter((ids) => ids.size > 1).length;
  figures.check('mails_lost', countUnmailed(mails, acknowledged), 'most', 0);
  figures.check('mails_duplicated', twice, 'most', 0);
  figures.record('mails_delivered_twice', mails.length - new Set(mails.map(({ messageId }) => messageId)).size);
}

/** The ids of the mails about each message, by subject, and about each paid order, by its id. */
function readMails(mails: readonly Email[]): Record<'messages' | 'orders', Map<string, Set<string>>> {
  const messages = new Map<string, Set<string>>();
  const orders = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, key: string, id: string) =>
    map.set(key, (map.get(key) ?? new Set()).add(id));
  for (const { subject = '', text = '', messageId = '' } of mails) {
    const written = /Message [\da-f-]{36}/.exec(subject)?.[0];
    if (written) add(messages, written, messageId);
    const order = /^Order ([\w-]{22}), receipt/m.exec(text)?.[1];
    if (order) add(orders, order, messageId);
  }
  return { messages, orders };
}

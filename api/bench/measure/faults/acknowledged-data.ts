/** Checks that acknowledged actions are in the database and the mailbox: none missing, none twice. */

import type { Email } from 'postal-mime';
import type { DataSource } from 'typeorm';
import type { BenchmarkMetrics } from '../metrics.ts';
import type { AcknowledgedActions, LoadClient } from './workload.ts';

/** Counts acknowledged actions that are missing, and rows that exist more than once. */
export async function checkAcknowledgedData(
  figures: BenchmarkMetrics,
  dataSource: DataSource,
  clients: readonly LoadClient[],
  acknowledged: AcknowledgedActions,
): Promise<void> {
  const count = async (sql: string, ...values: unknown[]): Promise<number> =>
    (await dataSource.query(`SELECT count(*)::int AS n FROM (${sql}) found`, values))[0].n;
  const checks: [string, string, unknown[]][] = [
    ['searches_lost', missingRows('saved_search', 'id::text'), [[...acknowledged.searches]]],
    ['messages_lost', missingRows('contact_message', 'id::text'), [[...acknowledged.messages.keys()]]],
    [
      'paid_orders_not_fulfilled',
      `SELECT 1 FROM unnest($1::text[]) acknowledged_id WHERE NOT EXISTS (
         SELECT 1 FROM orders o JOIN entitlement e ON e.order_id = o.id JOIN invoice i ON i.order_id = o.id
         WHERE o.public_id = acknowledged_id AND o.status = 'SUCCESS')`,
      [[...acknowledged.orders]],
    ],
    [
      'orders_granted_twice',
      'SELECT order_id FROM entitlement WHERE order_id IS NOT NULL GROUP BY order_id HAVING count(*) > 1',
      [],
    ],
    [
      'orders_with_two_invoices',
      "SELECT order_id FROM invoice WHERE kind <> 'credit_note' GROUP BY order_id HAVING count(*) > 1",
      [],
    ],
    [
      'orders_of_one_purchase',
      'SELECT 1 FROM orders GROUP BY idempotency_scope, idempotency_key HAVING count(*) > 1',
      [],
    ],
    ['series_with_gaps', 'SELECT series FROM invoice GROUP BY series, financial_year HAVING max(no) <> count(*)', []],
    ['unpaid_grants', "SELECT 1 FROM entitlement e JOIN orders o ON o.id = e.order_id WHERE o.status <> 'SUCCESS'", []],
  ];
  figures.check('bookmarks_lost_or_restored', await countWrongBookmarks(dataSource, clients), 'most', 0);
  for (const [name, sql, values] of checks) figures.check(name, await count(sql, ...values), 'most', 0);
}

const missingRows = (table: string, column: string): string =>
  `SELECT 1 FROM unnest($1::text[]) acknowledged_id WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${column} = acknowledged_id)`;

async function countWrongBookmarks(dataSource: DataSource, clients: readonly LoadClient[]): Promise<number> {
  const rows: { user_id: string; tender_id: number }[] = await dataSource.query(
    'SELECT user_id, tender_id FROM bookmark',
  );
  const storedBookmarks = new Set(rows.map(({ user_id, tender_id }) => `${user_id} ${tender_id}`));
  let wrong = 0;
  for (const { userId, bookmarks } of clients)
    for (const [tenderId, isBookmarked] of bookmarks)
      if (storedBookmarks.has(`${userId} ${tenderId}`) !== isBookmarked) wrong += 1;
  return wrong;
}

/** Acknowledged actions without a mail yet. */
export function countUnmailed(mails: readonly Email[], acknowledged: AcknowledgedActions): number {
  const { messages, orders } = readMails(mails);
  const waiting = [...acknowledged.messages.values()].filter((subject) => !messages.has(subject));
  return waiting.length + [...acknowledged.orders].filter((id) => !orders.has(id)).length;
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

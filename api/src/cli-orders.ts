/** The operator's commands for orders: what happened to one, and what only a person may decide. */
import { parseArgs } from 'node:util';
import type { Abstract, Type } from '@nestjs/common';
import { formatDateTime, formatRupees } from '@nivida/contract/format';
import type { DataSource } from 'typeorm';
import { DocumentsService } from './documents/documents.service.ts';
import { BadRequest } from './ingest/import.ts';
import { type ListedOrder, listOrders, type OrderFile, readOrder } from './orders/ledger.ts';
import { CannotDo, OperatorService } from './orders/operator.service.ts';
import type { OrderState } from './orders/order.entity.ts';
import { RefundsService } from './orders/refunds.service.ts';
import { SettleService } from './orders/settle.service.ts';
import { PaymentGateway } from './payments/gateway.service.ts';

/** How the commands are called. */
export const ORDERS_USAGE = `  npm run orders -- list [--status REVIEW] [--json]
  npm run orders -- show ID [--json]
  npm run orders -- recheck|resend ID [--reason TEXT] [--json]
  npm run orders -- refund|resolve ID --reason TEXT [--json]     refund: the buyer reads TEXT after 'because'`;

const STATUSES: readonly OrderState[] = [
  'CREATED',
  'PENDING',
  'SUCCESS',
  'FAILED',
  'EXPIRED',
  'REVIEW',
  'REFUND_PENDING',
  'REFUNDED',
];
const CHANGES = ['recheck', 'resend', 'refund', 'resolve'] as const;
type Change = (typeof CHANGES)[number];
const NEED_REASON: readonly Change[] = ['refund', 'resolve'];

/** Gives a service of the app. */
export type FindService = <Service>(type: Type<Service> | Abstract<Service>) => Promise<Service>;

/** What the commands work on. */
export interface OrdersContext {
  dataSource: DataSource;
  now: Date;
  find: FindService;
}

/** Runs `orders ARGS`; gives what goes to stdout. Throws BadRequest, CannotDo, and GatewayError when the provider is silent. */
export async function runOrders(args: string[], context: OrdersContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      status: { type: 'string' },
      reason: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  });
  const [command, id, ...more] = positionals;
  if (command === 'list') return list(values.status, values.json, context);
  const change = CHANGES.find((name) => name === command);
  if (!change && command !== 'show') throw new BadRequest(`orders: list, show, ${CHANGES.join(', ')}`);
  if (id === undefined || more.length > 0) throw new BadRequest(`${command}: name one order`);
  const reason = values.reason.trim();
  if (change && reason === '' && NEED_REASON.includes(change))
    throw new BadRequest(`${change} needs a --reason: it stays in the audit log`);
  if (change) await (await operator(context))[change](id, reason);
  const file = await readOrder(context.dataSource, id);
  if (!file) throw new CannotDo(`There is no order "${id}"; npm run orders -- list shows the newest`);
  return values.json ? `${JSON.stringify(file)}\n` : describe(file);
}

async function operator({ dataSource, now, find }: OrdersContext): Promise<OperatorService> {
  return new OperatorService({
    dataSource,
    gateway: await find(PaymentGateway),
    settling: await find(SettleService),
    refunds: await find(RefundsService),
    documents: await find(DocumentsService),
    now: () => now,
  });
}

async function list(wanted: string | undefined, isJson: boolean, { dataSource }: OrdersContext): Promise<string> {
  const status = STATUSES.find((name) => name === wanted?.toUpperCase());
  if (wanted !== undefined && !status) throw new BadRequest(`--status must be one of ${STATUSES.join(', ')}`);
  const orders = await listOrders(dataSource, status);
  if (isJson) return `${JSON.stringify(orders)}\n`;
  return `${[...orders.map(toLine), `${orders.length} orders`].join('\n')}\n`;
}

const toLine = ({ status, orderId, createdAt, amountPaise, live, title }: ListedOrder): string =>
  [status, orderId, formatDateTime(createdAt), rupees(amountPaise), live ? 'live' : 'test', title].join('\t');

const rupees = (paise: number): string => formatRupees(paise / 100);

/** An order as lines of a name and what stands under it. */
function describe(file: OrderFile): string {
  const { buyer, payments, refunds, grants, papers, deeds } = file;
  const lines: [string, string][] = [
    ['order', file.orderId],
    ['status', file.failure ? `${file.status} (${file.failure})` : file.status],
    [
      'for',
      file.tenderId === null ? `${file.title}: ${file.states.join(', ')}` : `${file.title} (tender ${file.tenderId})`,
    ],
    ['amount', `${rupees(file.amountPaise)} at ${file.provider}, ${file.live ? 'live' : 'test'}`],
    ['buyer', [buyer.name, buyer.email, buyer.mobile, buyer.billingState, buyer.gstin].filter(Boolean).join(', ')],
    ['account', file.userId ?? 'none'],
    ['created', formatDateTime(file.createdAt)],
    ['paid', file.paidAt ? formatDateTime(file.paidAt) : 'no'],
    ['next look', file.nextCheckAt ? formatDateTime(file.nextCheckAt) : 'none'],
    ...payments.map((each): [string, string] => [
      'payment',
      `${each.providerPaymentId} ${each.kind} ${each.amountPaise} paise ${each.currency}, ${formatDateTime(each.noticedAt)}`,
    ]),
    ...refunds.map((each): [string, string] => [
      'refund',
      `${each.ref} ${each.state} ${each.amountPaise} paise, because ${each.reason}${each.nextCheckAt ? `; next ${formatDateTime(each.nextCheckAt)}` : ''}`,
    ]),
    ...papers.map(({ kind, number }): [string, string] => [kind.replace('_', ' '), number]),
    ...grants.map((each): [string, string] => [
      'grant',
      `${each.kind}, ${each.revokedAt ? `revoked ${formatDateTime(each.revokedAt)}` : each.endsAt ? `until ${formatDateTime(each.endsAt)}` : 'without end'}`,
    ]),
    ...deeds.map(({ at, action, detail }): [string, string] => [
      'deed',
      `${formatDateTime(at)} ${action} ${JSON.stringify(detail)}`,
    ]),
  ];
  if (file.status === 'REVIEW')
    lines.push(
      ['decide', `npm run orders -- resolve ${file.orderId} --reason TEXT     gives what was ordered`],
      ['or', `npm run orders -- refund ${file.orderId} --reason TEXT      sends the money back`],
    );
  return `${lines.map(([name, text]) => `${name.padEnd(11)}${text}`).join('\n')}\n`;
}

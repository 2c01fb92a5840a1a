/** The operator's commands for orders: listing, export, and decisions that need a person. */
import { parseArgs } from 'node:util';
import { emailField } from '@nivida/contract/fields';
import { formatDateTime, formatRupees } from '@nivida/contract/format';
import { isDay } from '@nivida/contract/time';
import { safeParse } from 'valibot';
import type { OperatorAct } from '../../audit/record-act.ts';
import { AppError } from '../../base/app-error.ts';
import { InvalidOptionsError } from '../../base/config.ts';
import { OperatorError } from '../../base/operator-error.ts';
import { OrderActsService } from '../../desk/orders/order-acts.service.ts';
import {
  type ListedOrder,
  listOrders,
  ORDERS_PER_PAGE,
  type OrderFile,
  readOrderFile,
} from '../../desk/orders/order-ledger.ts';
import { exportGstr1, GSTR1_TABLES } from '../../invoices/gstr1.ts';
import type { StoredOrderStatus } from '../../orders/order.entity.ts';
import type { ServiceContext } from '../service-command.ts';

const STATUSES: readonly StoredOrderStatus[] = [
  'CREATED',
  'PENDING',
  'SUCCESS',
  'FAILED',
  'EXPIRED',
  'REVIEW',
  'REFUND_PENDING',
  'REFUNDED',
];
const ORDER_COMMANDS = ['recheck', 'resend', 'refund', 'resolve'] as const;
type OrderCommand = (typeof ORDER_COMMANDS)[number];
const COMMANDS_WITH_REASON: readonly OrderCommand[] = ['refund', 'resolve'];

/** Runs `orders ARGS`; returns the text for stdout. Throws InvalidOptionsError, AppError or GatewayError. */
export async function runOrders(args: string[], context: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      status: { type: 'string' },
      find: { type: 'string' },
      page: { type: 'string', default: '1' },
      from: { type: 'string' },
      to: { type: 'string' },
      table: { type: 'string' },
      reason: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  });
  const [command, id, ...more] = positionals;
  if (command === 'list') return listOrdersCommand(values, context);
  if (command === 'export') return exportGstCommand(values, context);
  const change = ORDER_COMMANDS.find((name) => name === command);
  if (command === 'email') await changeEmail(id, more.splice(0), values.reason.trim(), context);
  else if (!change && command !== 'show')
    throw new InvalidOptionsError(`orders: list, show, export, email, ${ORDER_COMMANDS.join(', ')}`);
  if (id === undefined || more.length > 0) throw new InvalidOptionsError(`${command}: name one order`);
  const reason = values.reason.trim();
  if (change && reason === '' && COMMANDS_WITH_REASON.includes(change))
    throw new InvalidOptionsError(`${change} needs a --reason: it stays in the audit log`);
  if (change) await (await context.find(OrderActsService))[change](id, commandActOf(reason)).catch(addHint);
  const file = await readOrderFile(context.dataSource, id);
  if (!file) throw new OperatorError(`There is no order "${id}"; ${NEWEST_ORDERS}`);
  return values.json ? `${JSON.stringify(file)}\n` : orderText(file);
}

async function changeEmail(
  id: string | undefined,
  [address, ...more]: string[],
  reason: string,
  context: ServiceContext,
): Promise<void> {
  if (id === undefined || address === undefined || more.length > 0)
    throw new InvalidOptionsError('email: name one order and its new address');
  const { success, output } = safeParse(emailField, address);
  if (!success) throw new InvalidOptionsError(`email: "${address}" is not an e-mail address`);
  await (await context.find(OrderActsService)).changeEmail(id, output, commandActOf(reason)).catch(addHint);
}

const NEWEST_ORDERS = 'npm run orders -- list shows the newest';

/** Adds to the refusal of an unknown order where its id is found. */
function addHint(error: Error): never {
  throw error instanceof AppError && error.code === 'NOT_FOUND'
    ? new OperatorError(`${error.message}; ${NEWEST_ORDERS}`)
    : error;
}

/** The act of a command, whose actor is the server's operator. */
const commandActOf = (reason: string): OperatorAct => ({ actorId: null, reason });

interface ListOptions {
  status?: string | undefined;
  find?: string | undefined;
  page: string;
  json: boolean;
}

async function listOrdersCommand(options: ListOptions, { dataSource }: ServiceContext): Promise<string> {
  const { status: requestedStatus, find, json } = options;
  const status = STATUSES.find((name) => name === requestedStatus?.toUpperCase());
  if (requestedStatus !== undefined && !status)
    throw new InvalidOptionsError(`--status must be one of ${STATUSES.join(', ')}`);
  if (find?.trim() === '') throw new InvalidOptionsError('--find needs a text');
  if (!/^[1-9]\d{0,5}$/.test(options.page)) throw new InvalidOptionsError('--page must be a number from 1');
  const page = Number(options.page);
  const { orders, total } = await listOrders(dataSource, { status, find: find?.trim(), page });
  if (json) return `${JSON.stringify(orders)}\n`;
  return `${[...orders.map(orderLine), listSummary(orders.length, total, page)].join('\n')}\n`;
}

/** '3 orders', '100 of 250 orders, page 1 of 3; --page 2 shows the next'. */
function listSummary(listedCount: number, total: number, page: number): string {
  const pages = Math.max(1, Math.ceil(total / ORDERS_PER_PAGE));
  if (listedCount === total) return `${total} orders`;
  const next = page < pages ? `; --page ${page + 1} shows the next` : '';
  return `${listedCount} of ${total} orders, page ${page} of ${pages}${next}`;
}

async function exportGstCommand(
  { from = '', to = '', table }: { from?: string | undefined; to?: string | undefined; table?: string | undefined },
  { dataSource }: ServiceContext,
): Promise<string> {
  if (!isDay(from) || !isDay(to)) throw new InvalidOptionsError('export needs --from and --to as days: YYYY-MM-DD');
  if (from > to) throw new InvalidOptionsError('--from is after --to');
  const name = GSTR1_TABLES.find((each) => each === table);
  if (table !== undefined && !name) throw new InvalidOptionsError(`--table must be one of ${GSTR1_TABLES.join(', ')}`);
  const tables = await exportGstr1(dataSource, from, to);
  return name ? tables[name] : GSTR1_TABLES.map((each) => `${each}\r\n${tables[each]}`).join('\r\n');
}

const orderLine = ({ status, orderId, createdAt, amountPaise, live, title }: ListedOrder): string =>
  [status, orderId, formatDateTime(createdAt), rupees(amountPaise), live ? 'live' : 'test', title].join('\t');

const rupees = (paise: number): string => formatRupees(paise / 100);

/** '₹98.99, 10 Nov 2026, 11:30 AM', 'no'. */
function paidText({ paidAt, paidPaise }: OrderFile): string {
  if (!paidAt) return 'no';
  return paidPaise === null ? formatDateTime(paidAt) : `${rupees(paidPaise)}, ${formatDateTime(paidAt)}`;
}

function refundText({ ref, state, amountPaise, reason, nextCheckAt, isDropped }: OrderFile['refunds'][number]): string {
  if (isDropped) return `${ref} was never sent: the payment was accepted`;
  return `${ref} ${state} ${amountPaise} paise, because ${reason}${nextCheckAt ? `; next ${formatDateTime(nextCheckAt)}` : ''}`;
}

/** An order as lines of a name and a value. */
function orderText(file: OrderFile): string {
  const { buyer, payments, refunds, grants, invoices, auditEvents } = file;
  const lines: [string, string][] = [
    ['order', file.orderId],
    ['status', file.failure ? `${file.status} (${file.failure})` : file.status],
    [
      'for',
      file.tenderId === null ? `${file.title}: ${file.states.join(', ')}` : `${file.title} (tender ${file.tenderId})`,
    ],
    ['price', `${rupees(file.amountPaise)} at ${file.provider}, ${file.live ? 'live' : 'test'}`],
    ['buyer', [buyer.name, buyer.email, buyer.mobile, buyer.billingState, buyer.gstin].filter(Boolean).join(', ')],
    ['account', file.userId ?? 'none'],
    ['created', formatDateTime(file.createdAt)],
    ['paid', paidText(file)],
    ['next check', file.nextCheckAt ? formatDateTime(file.nextCheckAt) : 'none'],
    ...payments.map((each): [string, string] => [
      'payment',
      `${each.providerPaymentId} ${each.kind} ${each.amountPaise} paise ${each.currency}${each.method ? ` by ${each.method}` : ''}, ${formatDateTime(each.noticedAt)}`,
    ]),
    ...refunds.map((each): [string, string] => ['refund', refundText(each)]),
    ...invoices.map(({ kind, number }): [string, string] => [kind.replace('_', ' '), number]),
    ...grants.map((each): [string, string] => [
      'grant',
      `${each.kind}, ${each.revokedAt ? `revoked ${formatDateTime(each.revokedAt)}` : each.endsAt ? `until ${formatDateTime(each.endsAt)}` : 'without end'}`,
    ]),
    ...auditEvents.map(({ at, action, detail }): [string, string] => [
      'event',
      `${formatDateTime(at)} ${action} ${JSON.stringify(detail)}`,
    ]),
  ];
  if (file.status === 'REVIEW')
    lines.push(
      ['decide', `npm run orders -- resolve ${file.orderId} --reason TEXT     gives what was ordered`],
      ['or', `npm run orders -- refund ${file.orderId} --reason TEXT      sends the money back`],
    );
  return `${lines.map(([name, text]) => `${name.padEnd(10)} ${text}`).join('\n')}\n`;
}

/** Orders at the desk, and the labels of their states and events. */
import { t } from '@lingui/core/macro';
import { DESK_ORDER_STATUSES, DeskOrderFile, DeskOrderListResponse } from '@nivida/contract/desk/orders';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import type { Tone } from '../../../ui/display/Badge.tsx';
import { createDeskQuery, useDeskQuery } from '../data/desk-query.ts';
import { useAddressQuery } from '../list/useDeskParam.ts';

const listCache = createDeskQuery(DeskOrderListResponse);
const orderCache = createDeskQuery(DeskOrderFile);

/** The orders that the address of the list chooses. */
export const useDeskOrders = (): QueryResult<DeskOrderListResponse> =>
  useDeskQuery(listCache, `orders?${useAddressQuery('find', 'status', 'page')}`);

export const useDeskOrder = (id: string): QueryResult<DeskOrderFile> =>
  useDeskQuery(orderCache, `orders/${encodeURIComponent(id)}`);

export type DeskOrderStatus = (typeof DESK_ORDER_STATUSES)[number];

/** The label and the colour of a status. */
export function deskOrderStatus(status: DeskOrderStatus): { label: string; tone: Tone } {
  const labels: Record<DeskOrderStatus, [label: string, tone: Tone]> = {
    CREATED: [t`Not begun`, 'gray'],
    PENDING: [t`Payment is open`, 'amber'],
    SUCCESS: [t`Paid`, 'green'],
    FAILED: [t`Payment failed`, 'red'],
    EXPIRED: [t`Not paid in time`, 'gray'],
    REVIEW: [t`To be decided`, 'red'],
    REFUND_PENDING: [t`Refund is under way`, 'purple'],
    REFUNDED: [t`Refunded`, 'purple'],
  };
  const [label, tone] = labels[status];
  return { label, tone };
}

/** The statuses with their labels, those that need a decision first. */
export const deskOrderStatuses = (): (readonly [DeskOrderStatus, string])[] =>
  [...DESK_ORDER_STATUSES]
    .sort((a, b) => Number(b === 'REVIEW') - Number(a === 'REVIEW'))
    .map((status) => [status, deskOrderStatus(status).label] as const);

/** What an event of the ledger says; the name of one without a text. */
export function orderEventText(action: string): string {
  const labels: Record<string, string> = {
    'order.paid': t`Paid`,
    'order.review': t`The payment differs from the order: to be decided`,
    'order.duplicate': t`Paid a second time: that payment goes back`,
    'order.credit-gone': t`The credit for an own plan is gone: the payment goes back`,
    'order.firm-closed': t`The firm was closed before the payment: it goes back`,
    'order.moved': t`Given to the other payment provider, because the first did not answer`,
    'order.accepted': t`Payment accepted`,
    'order.rechecked': t`Payment provider asked`,
    'order.resent': t`Documents sent again`,
    'order.email-changed': t`E-mail address corrected`,
    'order.buyer-opened': t`Buyer's data opened`,
    'order.refund-asked': t`Refund begun`,
    'order.refund.proposed': t`Refund proposed to a second person`,
    'order.refund.confirmed': t`Refund confirmed`,
    'order.refund.refused': t`Refund refused`,
    'order.refund.withdrawn': t`Proposal of the refund withdrawn`,
    'refund.queued': t`Refund waits to be sent`,
    'refund.succeeded': t`Refund carried out`,
    'refund.failed': t`Refund failed at the provider`,
  };
  return labels[action] ?? action;
}

import { Injectable } from '@nestjs/common';
import type { AccountExportResponse } from '@nivida/contract/account/account-export';
import type { OrderSummary } from '@nivida/contract/orders/order';
import { DataSource } from 'typeorm';
import { OrderEntity } from './order.entity.ts';
import { publicOrderStatus } from './order-status.ts';

const MAX_ORDERS = 200;

/** An account's orders. */
@Injectable()
export class OrderListService {
  constructor(private readonly dataSource: DataSource) {}

  /** The newest 200, newest first. */
  async list(userId: string): Promise<OrderSummary[]> {
    const orders = await this.dataSource
      .getRepository(OrderEntity)
      .find({ where: { userId }, order: { id: 'DESC' }, take: MAX_ORDERS });
    const invoices: { order_id: string; number: string; is_credit: boolean }[] = await this.dataSource.query(
      `SELECT order_id, number, kind = 'credit_note' AS is_credit FROM invoice WHERE order_id = ANY($1)`,
      [orders.map(({ id }) => id)],
    );
    const numberOf = (id: string, isCredit: boolean) =>
      invoices.find(({ order_id, is_credit }) => order_id === id && is_credit === isCredit)?.number ?? null;
    return orders.map((order) => ({
      ...orderSummary(order),
      receiptNumber: numberOf(order.id, false),
      creditNoteNumber: numberOf(order.id, true),
    }));
  }

  /** The account's orders, payments, refunds and invoices for the data export, oldest first. */
  async exportOrders(
    userId: string,
  ): Promise<Pick<AccountExportResponse, 'orders' | 'payments' | 'refunds' | 'papers'>> {
    const orders = await this.dataSource.getRepository(OrderEntity).find({ where: { userId }, order: { id: 'ASC' } });
    const of = <Row>(sql: string): Promise<Row[]> => this.dataSource.query(sql, [userId]);
    return {
      orders: orders.map((order) => ({
        ...orderSummary(order),
        states: order.states,
        name: order.buyerName,
        email: order.buyerEmail,
        mobileNo: order.buyerMobile,
        billingState: order.billingState,
        gstin: order.gstin,
        firm: order.buyerFirm,
        firmAddress: order.buyerAddress,
      })),
      payments: await of(PAYMENTS),
      refunds: await of(REFUNDS),
      papers: await of(INVOICES),
    };
  }
}

function orderSummary(order: OrderEntity): Omit<OrderSummary, 'receiptNumber' | 'creditNoteNumber'> {
  return {
    orderId: order.publicId,
    product: order.product,
    title: order.title,
    tenderId: order.tenderId === null ? null : String(order.tenderId),
    planId: order.planId,
    amountPaise: order.amountPaise,
    status: publicOrderStatus(order.status),
    createdAt: order.createdAt.toISOString(),
    paidAt: order.paidAt?.toISOString() ?? null,
    isTest: !order.live,
  };
}

const PAYMENTS = `
  SELECT o.public_id AS "orderId", p.provider_payment_id AS "paymentId", p.amount_paise AS "amountPaise", p.currency,
    p.method, to_json(p.noticed_at)#>>'{}' AS at
  FROM payment p JOIN orders o ON o.id = p.order_id WHERE o.user_id = $1 ORDER BY p.noticed_at`;
const REFUNDS = `
  SELECT o.public_id AS "orderId", r.amount_paise AS "amountPaise", r.reason, r.state, to_json(r.created_at)#>>'{}' AS at
  FROM refund r JOIN orders o ON o.id = r.order_id WHERE o.user_id = $1 ORDER BY r.created_at`;
const INVOICES = `
  SELECT o.public_id AS "orderId", i.kind, i.number, to_json(i.issued_at)#>>'{}' AS "issuedAt",
    (i.content->>'totalPaise')::int AS "totalPaise"
  FROM invoice i JOIN orders o ON o.id = i.order_id WHERE o.user_id = $1 ORDER BY i.issued_at`;

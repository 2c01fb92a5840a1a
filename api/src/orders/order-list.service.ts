import { Injectable } from '@nestjs/common';
import type { AccountExportResponse } from '@nivida/contract/account/account-export';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import type { OrderSummary } from '@nivida/contract/orders/order';
import { orderTitle } from '@nivida/contract/orders/order-title';
import { DataSource } from 'typeorm';
import { OrderEntity } from './order.entity.ts';
import { publicOrderStatus } from './order-status.ts';
import { EXPORTED_INVOICES, EXPORTED_PAYMENTS, EXPORTED_REFUNDS, INVOICE_NUMBERS_OF_ORDERS } from './orders.sql.ts';

const MAX_ORDERS = 200;

/** An account's orders. */
@Injectable()
export class OrderListService {
  constructor(private readonly dataSource: DataSource) {}

  /** The newest 200, newest first, with plans named in `language`. */
  async list(userId: string, language: Language): Promise<OrderSummary[]> {
    const orders = await this.dataSource
      .getRepository(OrderEntity)
      .find({ where: { userId }, order: { id: 'DESC' }, take: MAX_ORDERS });
    const invoices: { order_id: string; number: string; is_credit: boolean }[] = await this.dataSource.query(
      INVOICE_NUMBERS_OF_ORDERS,
      [orders.map(({ id }) => id)],
    );
    const numberOf = (id: string, isCredit: boolean) =>
      invoices.find(({ order_id, is_credit }) => order_id === id && is_credit === isCredit)?.number ?? null;
    return orders.map((order) => ({
      ...orderSummary(order),
      title: inLanguage(language, () => orderTitle(order)),
      receiptNumber: numberOf(order.id, false),
      creditNoteNumber: numberOf(order.id, true),
    }));
  }

  /** The account's orders, payments, refunds and invoices for the data export, oldest first. */
  async exportOrders(
    userId: string,
  ): Promise<Pick<AccountExportResponse, 'orders' | 'payments' | 'refunds' | 'invoices'>> {
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
        language: order.language,
      })),
      payments: await of(EXPORTED_PAYMENTS),
      refunds: await of(EXPORTED_REFUNDS),
      invoices: await of(EXPORTED_INVOICES),
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

import { Inject, Injectable } from '@nestjs/common';
import type { OrderSummary } from '@nivida/contract/order';
import { DataSource } from 'typeorm';
import { OrderEntity } from './order.entity.ts';
import { toStatus } from './words.ts';

const MOST = 200;

/** The orders of an account, as its owner sees them. */
@Injectable()
export class OrderListService {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** The newest 200, newest first. */
  async list(userId: string): Promise<OrderSummary[]> {
    const orders = await this.dataSource
      .getRepository(OrderEntity)
      .find({ where: { userId }, order: { id: 'DESC' }, take: MOST });
    const papers: { order_id: string; number: string }[] = await this.dataSource.query(
      `SELECT order_id, number FROM invoice WHERE order_id = ANY($1) AND kind <> 'credit_note'`,
      [orders.map(({ id }) => id)],
    );
    const numbers = new Map(papers.map(({ order_id, number }) => [order_id, number]));
    return orders.map((order) => ({
      orderId: order.publicId,
      product: order.product,
      title: order.title,
      tenderId: order.tenderId === null ? null : String(order.tenderId),
      planId: order.planId,
      amountPaise: order.amountPaise,
      status: toStatus(order.status),
      createdAt: order.createdAt.toISOString(),
      paidAt: order.paidAt?.toISOString() ?? null,
      receiptNumber: numbers.get(order.id) ?? null,
      isTest: !order.live,
    }));
  }
}

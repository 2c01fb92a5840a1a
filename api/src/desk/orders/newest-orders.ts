import type { NewestOrder } from '@nivida/contract/desk/people';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { OrderEntity } from '../../orders/order.entity.ts';

const SHOWN_ORDERS = 5;

/** The newest five orders of an account or a firm. */
export async function readNewestOrders(
  manager: EntityManager,
  where: FindOptionsWhere<OrderEntity>,
): Promise<NewestOrder[]> {
  const orders = await manager.find(OrderEntity, { where, order: { id: 'DESC' }, take: SHOWN_ORDERS });
  return orders.map(({ publicId, status, title, amountPaise, createdAt }) => ({
    orderId: publicId,
    status,
    title,
    amountPaise,
    createdAt: createdAt.toISOString(),
  }));
}

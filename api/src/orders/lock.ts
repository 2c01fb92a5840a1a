import type { EntityManager } from 'typeorm';
import { AppError } from '../http/errors/app-error.ts';
import { OrderEntity } from './order.entity.ts';

/** The order, its row held until the transaction ends. NOT_FOUND without one. */
export async function lockOrder(
  manager: EntityManager,
  id: { id: string } | { publicId: string },
): Promise<OrderEntity> {
  const order = await manager.getRepository(OrderEntity).findOne({ where: id, lock: { mode: 'pessimistic_write' } });
  if (!order) throw new AppError('NOT_FOUND', 'Order not found');
  return order;
}

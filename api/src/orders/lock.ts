import type { EntityManager } from 'typeorm';
import { AppError } from '../http/app-error.ts';
import { OrderEntity } from './order.entity.ts';

/** The order, its row held until the transaction ends. NOT_FOUND without one. */
export async function lock(manager: EntityManager, which: { id: string } | { publicId: string }): Promise<OrderEntity> {
  const order = await manager.getRepository(OrderEntity).findOne({ where: which, lock: { mode: 'pessimistic_write' } });
  if (!order) throw new AppError('NOT_FOUND', 'Order not found');
  return order;
}

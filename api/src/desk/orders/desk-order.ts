import type { DeskOrderFile } from '@nivida/contract/desk/orders';
import { pathIn } from '@nivida/contract/languages';
import { type DataSource, In } from 'typeorm';
import { AuditEntity } from '../../audit/audit.entity.ts';
import { maskEmail, maskMobile } from '../../auth/security-events.service.ts';
import { StaffEntity } from '../../auth/staff/staff.entity.ts';
import { UserEntity } from '../../auth/user.entity.ts';
import { OrderEntity } from '../../orders/order.entity.ts';
import { publicOrderStatus, unpaidMessage } from '../../orders/order-status.ts';
import { orderNotFound } from './order-acts.service.ts';
import { readOrderFile } from './order-ledger.ts';

/** An order with its ledger and what its buyer sees, without whole addresses. NOT_FOUND. */
export async function readDeskOrder(
  dataSource: DataSource,
  publicId: string,
): Promise<Omit<DeskOrderFile, 'proposal'>> {
  const order = await dataSource.getRepository(OrderEntity).findOneBy({ publicId });
  const file = await readOrderFile(dataSource, publicId);
  if (!order || !file) throw orderNotFound(publicId);
  const { email, mobile } = file.buyer;
  return {
    id: publicId,
    status: file.status,
    title: file.title,
    amountPaise: file.amountPaise,
    live: file.live,
    createdAt: file.createdAt.toISOString(),
    product: file.product,
    tenderId: file.tenderId === null ? null : String(file.tenderId),
    provider: file.provider,
    attempts: file.attempts.map(({ ref, provider, createdAt }) => ({ ref, provider, at: createdAt.toISOString() })),
    paidPaise: file.paidPaise,
    isOfAccount: file.userId !== null,
    buyer: { email: email && maskEmail(email), mobile: mobile && maskMobile(mobile) },
    payments: file.payments.map(({ providerPaymentId: id, kind, amountPaise, currency, noticedAt }) => ({
      ...{ id, kind, amountPaise, currency },
      at: noticedAt.toISOString(),
    })),
    refunds: file.refunds.map(({ ref, state, amountPaise, reason }) => ({ ref, state, amountPaise, reason })),
    invoices: file.invoices.map(({ kind, number, issuedAt }) => ({ kind, number, at: issuedAt.toISOString() })),
    events: await readEvents(dataSource, publicId),
    buyerSees: { status: publicOrderStatus(order.status), error: unpaidMessage(order) ?? null },
    buyerPage: `${pathIn(order.language, '/payment-status')}?id=${publicId}`,
  };
}

/** The order's audit events with the names of the staff who caused them. */
async function readEvents(dataSource: DataSource, subject: string): Promise<DeskOrderFile['events']> {
  const events = await dataSource.getRepository(AuditEntity).find({ where: { subject }, order: { id: 'ASC' } });
  const actors = [...new Set(events.flatMap(({ actorId }) => actorId ?? []))];
  const staff = await dataSource.getRepository(StaffEntity).findBy({ userId: In(actors) });
  const users = await dataSource.getRepository(UserEntity).findBy({ id: In(staff.map(({ userId }) => userId)) });
  const names = new Map(users.map(({ id, username }) => [id, username]));
  return events.map(({ at, action, actorId, detail }) => ({
    at: at.toISOString(),
    action,
    actor: names.get(actorId ?? '') ?? '',
    reason: typeof detail.reason === 'string' ? detail.reason : '',
  }));
}

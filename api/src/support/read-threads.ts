/** Threads with their messages, as devices receive them. */
import type { SupportAttachment } from '@nivida/contract/support/attachments';
import type { SupportMessage, SupportThread } from '@nivida/contract/support/threads';
import { type EntityManager, In } from 'typeorm';
import { TenderEntity } from '../tenders/tender.entity.ts';
import { AttachmentEntity, MessageEntity, type ThreadEntity } from './thread.entity.ts';

/** The messages of threads by thread, oldest first. */
export async function readMessages(
  manager: EntityManager,
  threadIds: readonly string[],
): Promise<Map<string, MessageEntity[]>> {
  const rows = await manager.find(MessageEntity, {
    where: { threadId: In([...threadIds]) },
    order: { position: 'ASC' },
  });
  return Map.groupBy(rows, ({ threadId }) => threadId);
}

/** The attachments of messages by message, in the order of their upload. */
export async function readAttachments(
  manager: EntityManager,
  messageIds: readonly string[],
): Promise<Map<string, SupportAttachment[]>> {
  const rows = await manager.find(AttachmentEntity, {
    where: { messageId: In([...messageIds]) },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  const byMessage = Map.groupBy(rows, ({ messageId }) => messageId ?? '');
  return new Map([...byMessage].map(([id, files]) => [id, files.flatMap((file) => toAttachment(file) ?? [])]));
}

/** Null while parts are missing. */
export const toAttachment = ({ id, name, type, bytes }: AttachmentEntity): SupportAttachment | null =>
  type && { id, name, type, bytes };

const toMessage = (message: MessageEntity, attachments: SupportAttachment[]): SupportMessage => ({
  id: message.id,
  sender: message.sender,
  text: message.text,
  createdAt: message.createdAt.toISOString(),
  readAt: message.readAt?.toISOString() ?? null,
  attachments,
});

/** Threads in the shape of the contract. Nothing in it names a member of staff. */
export async function toThreads(manager: EntityManager, threads: readonly ThreadEntity[]): Promise<SupportThread[]> {
  const messages = await readMessages(
    manager,
    threads.map(({ id }) => id),
  );
  const messageIds = [...messages.values()].flat().map(({ id }) => id);
  const attachments = await readAttachments(manager, messageIds);
  const tenderIds = threads.flatMap(({ tenderId }) => tenderId ?? []);
  const tenders = await manager.find(TenderEntity, {
    select: { id: true, title: true },
    where: { id: In(tenderIds) },
  });
  const titles = new Map(tenders.map(({ id, title }) => [id, title]));
  return threads.map((thread) => ({
    id: thread.id,
    subject: thread.subject,
    state: thread.state,
    orderId: thread.orderId,
    tenderId: thread.tenderId === null ? null : String(thread.tenderId),
    tenderTitle: titles.get(thread.tenderId ?? 0) ?? null,
    createdAt: thread.createdAt.toISOString(),
    updatedAt: thread.updatedAt.toISOString(),
    messages: (messages.get(thread.id) ?? []).map((message) => toMessage(message, attachments.get(message.id) ?? [])),
  }));
}

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ContactRequest } from '@nivida/contract/site/contact';
import { DataSource } from 'typeorm';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import type { Sender } from '../http/security/client-address.ts';
import { MailService } from '../mail/mail.service.ts';
import { ContactMessageEntity } from './contact-message.entity.ts';

/** Stores contact messages and mails them to support. */
@Injectable()
export class ContactService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    private readonly mails: MailService,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Stores a message and queues its mail to SUPPORT_EMAIL, if configured; idempotent. TOO_MANY for the sixth message in an
   * hour from one e-mail address, or for too many from one sender.
   */
  async receive(contactMessage: ContactRequest, sender: Sender): Promise<void> {
    const { messageId: id = randomUUID(), name, email, phone, company, subject, message, website } = contactMessage;
    // Only a robot fills this hidden field: it gets a success answer, and nothing is stored.
    if (website !== '') return;
    if (await this.dataSource.manager.existsBy(ContactMessageEntity, { id })) return;
    await this.limits.consume('contact', { email, sender });
    const row = { id, name, email, phone, company, subject, message, receivedAt: this.now() };
    await this.dataSource.transaction(async (manager) => {
      const insert = manager.createQueryBuilder().insert().into(ContactMessageEntity).values(row);
      const { raw } = await insert.orIgnore().returning('id').execute();
      const isNew = raw.length > 0;
      if (!isNew || !this.config.supportEmail) return;
      const { receivedAt, id: _id, ...written } = row;
      await this.mails.queue(manager, { kind: 'contact', to: this.config.supportEmail, ...written, replyTo: email });
    });
  }
}

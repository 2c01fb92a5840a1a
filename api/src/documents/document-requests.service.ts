import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { type Language, pathIn } from '@nivida/contract/languages';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError, invalidField, tenderNotFound } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import { runInBatches } from '../database/delete-in-batches.sql.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import type { Sender } from '../http/security/client-address.ts';
import { MailService } from '../mail/mail.service.ts';
import {
  ANSWERABLE_REQUESTS,
  DELETE_OLD_REQUESTS,
  INSERT_DOCUMENTS_NOTICES,
  INSERT_REQUEST,
  IS_TENDER_OPEN,
  MARK_REQUESTS_ANSWERED,
  OPEN_REQUESTS_OF_BUYER,
  REQUEST_BATCH_SIZE,
  REQUESTED_TENDERS,
} from './documents.sql.ts';

/** Maximum open requests of an account, and of an e-mail address that is not verified. */
const MAX_OPEN_REQUESTS = { account: 200, email: 20 };

/** The sender of a request: an account, or a visitor by e-mail address. */
export interface DocumentRequester {
  userId: string | null;
  email: string | null;
  language: Language;
  sender: Sender;
}

/** A tender with open requests for documents, as the operator sees it. Instants in ISO 8601. */
export interface RequestedTender {
  tender: string;
  id: number;
  portal: string;
  title: string;
  asked: number;
  firstAskedAt: string;
  closesAt: string;
}

interface OpenRequest {
  id: string;
  tenderId: number;
  title: string;
  userId: string | null;
  email: string;
  language: Language;
}

/** Requests for the documents of tenders that have no package yet. */
@Injectable()
export class DocumentRequestsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    private readonly mails: MailService,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicOrigin'>,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Stores a request; idempotent. NOT_FOUND for an unknown tender, INVALID with neither a session nor an e-mail address,
   * CONFLICT for a closed tender, TOO_MANY.
   */
  async add(tenderId: string, { userId, email, language, sender }: DocumentRequester): Promise<void> {
    if (userId === null && email === null) throw invalidField('email', () => t`Email is required`);
    const caller = userId === null ? { email, sender } : { account: userId };
    await this.limits.consume('document-request', caller);
    const id = await this.findOpenTender(tenderId);
    const [{ open }] = await this.dataSource.query(OPEN_REQUESTS_OF_BUYER, [userId, email, id]);
    const maxOpen = userId === null ? MAX_OPEN_REQUESTS.email : MAX_OPEN_REQUESTS.account;
    if (open >= maxOpen)
      throw new AppError(
        'CONFLICT',
        () => t`At most ${{ max: maxOpen }} requests can wait. We answer them one by one.`,
      );
    await this.dataSource.query(INSERT_REQUEST, [id, userId, email, this.now(), language]);
  }

  /** Sends the notice and the mail for every request whose documents are available now. Returns their number. */
  async notifyFulfilled(): Promise<number> {
    for (let answered = 0; ; ) {
      const batch = await this.dataSource.transaction((manager) => this.notifyBatch(manager));
      answered += batch;
      if (batch < REQUEST_BATCH_SIZE) return answered;
    }
  }

  /** Deletes requests of tenders that closed 30 days ago, with their e-mail addresses. */
  async deleteOld(): Promise<void> {
    await runInBatches(this.dataSource, DELETE_OLD_REQUESTS, [this.now()]);
  }

  private async notifyBatch(manager: EntityManager): Promise<number> {
    const now = this.now();
    const requests: OpenRequest[] = await manager.query(ANSWERABLE_REQUESTS, [now]);
    if (requests.length === 0) return 0;
    const ofAccounts = requests.filter(({ userId }) => userId !== null);
    await manager.query(INSERT_DOCUMENTS_NOTICES, [
      ofAccounts.map(({ userId }) => userId),
      ofAccounts.map(({ tenderId }) => tenderId),
      now,
    ]);
    for (const { tenderId, title, email, language } of requests) {
      const link = `${this.config.publicOrigin}${pathIn(language, `/tenders/${tenderId}`)}`;
      await this.mails.queue(manager, { kind: 'documents-available', to: email, language, title, link });
    }
    await manager.query(MARK_REQUESTS_ANSWERED, [requests.map(({ id }) => id), now]);
    return requests.length;
  }

  private async findOpenTender(tenderId: string): Promise<number> {
    const id = /^\d{1,10}$/.test(tenderId) ? Number(tenderId) : 0;
    const [tender]: { isOpen: boolean }[] = await this.dataSource.query(IS_TENDER_OPEN, [
      Math.min(id, MAX_INTEGER_ID),
      this.now(),
    ]);
    if (!tender) throw tenderNotFound();
    if (!tender.isOpen) throw new AppError('CONFLICT', () => t`This tender has closed`);
    return id;
  }
}

/** Open tenders with requests and without a package, most requested first. */
export function listRequestedTenders(dataSource: DataSource, now: Date): Promise<RequestedTender[]> {
  return dataSource.query(REQUESTED_TENDERS, [now]);
}

import { Inject, Injectable, Logger } from '@nestjs/common';
import type { FileKind } from '@nivida/contract/orders/document-package';
import { DAY_MS, MINUTE_MS } from '@nivida/contract/time';
import { DataSource } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import { forEachConcurrently } from '../../base/task-runners.ts';
import type { Job } from '../../jobs/job.ts';
import { refundReason } from '../../mail/refund-reasons.ts';
import { OrderEntity } from '../../orders/order.entity.ts';
import { RefundsService } from '../../orders/refunds/refunds.service.ts';
import { PaymentGateway } from '../../payments/payment-gateway.port.ts';
import { DocumentRequestsService } from '../document-requests.service.ts';
import { DocumentsService, type LinkReason } from '../documents.service.ts';
import { PackagesService } from '../packages/packages.service.ts';
import { type FetchLimits, FILE_LIMITS, fetchFile } from './fetch-file.ts';
import { RejectedFileError } from './file-scan.ts';
import { FileUploadService } from './file-upload.service.ts';
import {
  FILE_BATCH_SIZE,
  LEASE_DUE_FILES,
  OWED_LINKS,
  SCHEDULE_NEXT_TRY,
  STALE_PACKAGES,
  UNDELIVERED_ORDERS,
} from './files.sql.ts';

const CONCURRENT_FETCHES = 3;
const MAX_TRIES = 6;
const LEASE_MS = 10 * MINUTE_MS;
const FIRST_RETRY_DELAY_MS = 60_000;
const RETRY_DELAY_FACTOR = 4;
const MAX_RETRY_DELAY_MS = FIRST_RETRY_DELAY_MS * RETRY_DELAY_FACTOR ** (MAX_TRIES - 1);
/** Orders are delivered within this time or refunded (R47). */
const MAX_DELIVERY_MS = DAY_MS;

interface WaitingFile {
  id: string;
  nit: string;
  tenderId: number;
  name: string;
  sourceUrl: string;
  tries: number;
  kind: FileKind;
}

/** Fetches official files and updates the packages of buyers. */
@Injectable()
export class DocumentFetchService {
  private readonly logger = new Logger('Documents');

  constructor(
    private readonly dataSource: DataSource,
    private readonly packages: PackagesService,
    private readonly uploads: FileUploadService,
    private readonly documents: DocumentsService,
    private readonly requests: DocumentRequestsService,
    private readonly refunds: RefundsService,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Fetches due files, rebuilds changed packages, sends owed links and notifies requesters. Returns the number of actions. */
  async run(limits: FetchLimits = FILE_LIMITS): Promise<number> {
    const fetched = await this.fetchDue(limits);
    const renewed = await this.renewPackages();
    const answered = await this.requests.notifyFulfilled();
    return fetched + renewed + answered + (await this.sendOwedLinks()) + (await this.refundUndelivered());
  }

  private async fetchDue(limits: FetchLimits): Promise<number> {
    for (let fetched = 0; ; ) {
      const due = await this.leaseDueFiles();
      await forEachConcurrently(due, CONCURRENT_FETCHES, (file) => this.fetchAndRegister(file, limits));
      fetched += due.length;
      if (due.length < FILE_BATCH_SIZE) return fetched;
    }
  }

  /** Leases due files by moving their next attempt; if this process dies, they become due again. */
  private async leaseDueFiles(): Promise<WaitingFile[]> {
    const [rows] = await this.dataSource.query(LEASE_DUE_FILES, [
      this.now(),
      new Date(this.now().getTime() + LEASE_MS),
      new Date(this.now().getTime() + MAX_RETRY_DELAY_MS),
    ]);
    return rows;
  }

  private async fetchAndRegister(file: WaitingFile, limits: FetchLimits): Promise<void> {
    const place = { nit: file.nit, tenderId: file.tenderId, name: file.name, kind: file.kind };
    try {
      const stored = await fetchFile(file.sourceUrl, this.packages.store, limits);
      await this.uploads.register(this.dataSource.manager, place, stored, file.sourceUrl);
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof RejectedFileError || file.tries >= MAX_TRIES) {
        this.logger.warn(`A document of tender ${file.tenderId} was not fetched: ${message}`);
        await this.uploads.registerRejected(place, file.sourceUrl, error as Error);
        return;
      }
      const pauseMs = FIRST_RETRY_DELAY_MS * RETRY_DELAY_FACTOR ** (file.tries - 1);
      await this.dataSource.query(SCHEDULE_NEXT_TRY, [file.id, new Date(this.now().getTime() + pauseMs), message]);
    }
  }

  /** Builds new versions of official and bought packages that changed. */
  private async renewPackages(): Promise<number> {
    const stale: { nit: string }[] = await this.dataSource.query(STALE_PACKAGES);
    let renewed = 0;
    for (const { nit } of stale) {
      const before = await this.packages.findNewest(nit);
      try {
        const after = await this.packages.renew(nit, this.now());
        if (after && after.id !== before?.id) renewed += 1;
      } catch (error) {
        // One failure must not stop the others.
        this.logger.error(`The package of ${nit} could not be built: ${(error as Error).message}`);
      }
    }
    return renewed;
  }

  /** Owed links: the first one of an order, or one to a newer version while bids are open, with what is new. */
  private async sendOwedLinks(): Promise<number> {
    const owed: { orderId: string; publicId: string; id: string; news: LinkReason }[] = await this.dataSource.query(
      OWED_LINKS,
      [this.now(), this.gateway.live],
    );
    return this.forEachOrder(owed, ({ orderId, id, news }) =>
      this.dataSource.transaction(async (manager) => {
        const order = await manager.getRepository(OrderEntity).findOneByOrFail({ id: orderId });
        await this.documents.sendLink(manager, order, id, news, this.now());
      }),
    );
  }

  /**
   * Refunds orders that could not be delivered within a day. An order whose refund failed at the provider is left to the
   * operator. A refund that was dropped because the payment was accepted does not count.
   */
  private async refundUndelivered(): Promise<number> {
    const undelivered: { publicId: string }[] = await this.dataSource.query(UNDELIVERED_ORDERS, [
      new Date(this.now().getTime() - MAX_DELIVERY_MS),
      this.gateway.live,
    ]);
    return this.forEachOrder(undelivered, async ({ publicId }) => {
      this.logger.error(`Order ${publicId} could not be delivered and is refunded`);
      await this.refunds.refundOrder(publicId, refundReason('notDelivered'));
    });
  }

  /** Runs the work for each order. A failed order is retried by the next run. Returns the number of successes. */
  private async forEachOrder<Order extends { publicId: string }>(
    orders: readonly Order[],
    work: (order: Order) => Promise<void>,
  ): Promise<number> {
    let done = 0;
    for (const order of orders) {
      try {
        await work(order);
        done += 1;
      } catch (error) {
        this.logger.error(`Order ${order.publicId} waits: ${(error as Error).message}`);
      }
    }
    return done;
  }
}

export const fetchDocumentsJob: Job = {
  name: 'fetch-documents',
  cron: '* * * * *',
  run: async ({ find }) => (await find(DocumentFetchService)).run(),
};

import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import type { DocumentLinkResponse, DocumentOfferResponse, PurchasedPackage } from '@nivida/contract/orders/documents';
import { ORDER_ID_PATTERN } from '@nivida/contract/orders/order';
import { isOpenForBids } from '@nivida/contract/tenders/status';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError, tenderNotFound } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import { MailService } from '../mail/mail.service.ts';
import { DocumentDelivery, packageKey } from '../orders/document-delivery.port.ts';
import { OrderEntity } from '../orders/order.entity.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { EntitlementEntity } from '../plans/entitlement.entity.ts';
import { TenderEntity } from '../tenders/tender.entity.ts';
import { type DownloadPermission, DownloadQuotasService } from './delivery/download-quotas.service.ts';
import { DownloadLinksService } from './delivery/links.service.ts';
import { LIBRARY_QUERY, ORDER_OF_ENTITLEMENT } from './documents.sql.ts';
import { findWorks } from './packages/nit.ts';
import { PackagesService } from './packages/packages.service.ts';

/** Why a link is sent. */
export type LinkReason = 'bought' | 'changed' | 'again';

/** The document offer of a tender, the delivery of orders, and the buyer's library. */
@Injectable()
export class DocumentsService extends DocumentDelivery {
  constructor(
    private readonly dataSource: DataSource,
    private readonly packages: PackagesService,
    private readonly links: DownloadLinksService,
    private readonly quotas: DownloadQuotasService,
    private readonly gateway: PaymentGateway,
    private readonly mails: MailService,
    private readonly limits: RateLimitsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {
    super();
  }

  /**
   * Whether a package with this tender's NIT can be delivered now. With a live provider a demonstration package cannot.
   */
  async isReady(nit: string, tenderId: number): Promise<boolean> {
    if (!(await this.findDeliverable(nit))) return false;
    const tender = await this.dataSource.getRepository(TenderEntity).findOneBy({ id: tenderId });
    return tender !== null && (await this.readContents(tender)) !== null;
  }

  /** Creates a link and queues its mail. Without a package the documents job does both later. */
  async queueDelivery(manager: EntityManager, order: OrderEntity, { id }: EntitlementEntity, now: Date): Promise<void> {
    await this.sendLink(manager, order, id, 'bought', now);
  }

  revokeLinks(manager: EntityManager, { id }: EntitlementEntity, now: Date): Promise<void> {
    return this.links.revokeLinks(manager, id, now);
  }

  /**
   * Sends the buyer of a paid document order a new link, in the transaction of `manager`. False when there is no package
   * yet, when the purchase is not valid (`isValid`), or when the buyer was erased and has no address.
   */
  async sendLink(
    manager: EntityManager,
    order: OrderEntity,
    entitlementId: string,
    news: LinkReason,
    now: Date,
  ): Promise<boolean> {
    const { nit, tenderId, publicId: orderId, title } = order;
    const found = nit === null ? null : await this.packages.findNewest(nit, manager);
    if (!found || tenderId === null || order.buyerEmail === '') return false;
    const entitlement = await manager.getRepository(EntitlementEntity).findOneBy({ id: entitlementId });
    if (!entitlement || !this.isValid(entitlement)) return false;
    const { url: link, expiresAt } = await this.links.createLink(manager, { entitlementId, tenderId }, found, now);
    await this.mails.queue(manager, {
      kind: 'documents-ready',
      to: order.buyerEmail,
      language: order.language,
      orderId,
      title,
      link,
      expiresAt: expiresAt.toISOString(),
      news,
      isDemonstration: found.isDemonstration,
    });
    return true;
  }

  /** The document offer of a tender, for a visitor or an account. NOT_FOUND. */
  async readOffer(id: string, userId: string | null): Promise<DocumentOfferResponse> {
    const { id: tenderId } = await this.findTender(id);
    const nit = packageKey(await this.findTender(id));
    const found = await this.findDeliverable(nit);
    // Building a package may have changed the tender.
    const tender = await this.findTender(id);
    const permission = userId === null ? null : await this.quotas.readPermission(userId, tenderId);
    const isOwned = permission !== null && permission.refusal === null && permission.isFree;
    const contents = await this.readContents(tender);
    return {
      isReady: found !== null && (isOwned || contents !== null),
      contents,
      isOpen: isOpenForBids({ stage: tender.stage, closing_date: tender.closesAt }, this.now()),
      files: found?.fileNames ?? [],
      bytes: found?.bytes ?? null,
      isOwned,
      orderId: permission?.kind === 'documents' ? await this.findOrderId(permission) : null,
      planDownloads: permission && planDownloads(permission),
      isDemonstration: found?.isDemonstration ?? tender.origin !== 'portal',
    };
  }

  /**
   * A link to a tender's documents for an account that bought them or whose plan includes them. The plan is charged
   * when the download begins. NOT_FOUND, CONFLICT without a package, FORBIDDEN with the reason.
   */
  async createLink(id: string, userId: string): Promise<DocumentLinkResponse> {
    const tender = await this.findTender(id);
    const permission = await this.quotas.readPermission(userId, tender.id);
    this.quotas.assertAllowed(permission);
    const found = await this.findDeliverable(packageKey(tender));
    // A package without the NIT must not cost a download of the plan.
    if (!found || !(permission.isFree || (await this.isReady(packageKey(tender), tender.id))))
      throw new AppError('CONFLICT', () => t`Documents are not available yet`);
    const grant = { entitlementId: permission.entitlementId as string, tenderId: tender.id };
    const { url, expiresAt } = await this.links.createLink(this.dataSource.manager, grant, found, this.now());
    return { url, expiresAt: expiresAt.toISOString() };
  }

  /**
   * A link to the documents of a paid order. An order of an account is open to that account only; a guest's order is open to
   * anyone who knows its id. NOT_FOUND without a reason, CONFLICT without a package, TOO_MANY.
   */
  async createOrderLink(publicId: string, userId: string | null): Promise<DocumentLinkResponse> {
    await this.limits.consume('order-documents', { order: publicId });
    const order = ORDER_ID_PATTERN.test(publicId)
      ? await this.dataSource.getRepository(OrderEntity).findOneBy({ publicId, status: 'SUCCESS' })
      : null;
    const entitlement =
      order && (await this.dataSource.getRepository(EntitlementEntity).findOneBy({ orderId: order.id }));
    const isOwn = order !== null && (order.userId === null || order.userId === userId);
    if (!isOwn || !entitlement || !this.isValid(entitlement) || order.nit === null || order.tenderId === null)
      throw new AppError(
        'NOT_FOUND',
        () => t`Not found here. Sign in with the account of this order, or use the link in the mail.`,
      );
    const found = await this.findDeliverable(order.nit);
    if (!found) throw new AppError('CONFLICT', () => t`Documents are not available yet`);
    const grant = { entitlementId: entitlement.id, tenderId: order.tenderId };
    const { url, expiresAt } = await this.links.createLink(this.dataSource.manager, grant, found, this.now());
    return { url, expiresAt: expiresAt.toISOString() };
  }

  /** Documents that an account bought or downloaded with its plan, newest first. */
  readLibrary(userId: string): Promise<PurchasedPackage[]> {
    return this.dataSource.query(LIBRARY_QUERY, [userId, this.gateway.live]);
  }

  /** Sends a new link to the address of an order. The answer does not reveal whether the order exists. TOO_MANY. */
  async resendLink(publicId: string): Promise<void> {
    await this.limits.consume('resend-documents', { order: publicId });
    if (!ORDER_ID_PATTERN.test(publicId)) return;
    const order = await this.dataSource.getRepository(OrderEntity).findOneBy({ publicId, status: 'SUCCESS' });
    if (!order?.nit) return;
    const entitlement = await this.dataSource.getRepository(EntitlementEntity).findOneBy({ orderId: order.id });
    if (!entitlement || !this.isValid(entitlement)) return;
    await this.dataSource.transaction((manager) => this.sendLink(manager, order, entitlement.id, 'again', this.now()));
  }

  /** Whether a purchase may be delivered. It is not if it was revoked, or if it is a test purchase and payments are live. */
  isValid({ revokedAt, isTest }: EntitlementEntity): boolean {
    return revokedAt === null && !(isTest && this.gateway.live);
  }

  /** The package's content for this tender; null when it lacks the NIT. A generated tender has a generated package. */
  private async readContents(tender: TenderEntity): Promise<DocumentOfferResponse['contents']> {
    const { origin, packageKind, packageWorks } = tender;
    if (origin !== 'generated') return packageKind && { kind: packageKind, works: packageWorks ?? 1 };
    const works = await findWorks(this.dataSource.manager, packageKey(tender), this.now());
    return { kind: 'nit-boq', works: works.length };
  }

  private async findDeliverable(nit: string) {
    const found = await this.packages.findDeliverable(nit, this.now());
    return found?.isDemonstration && this.gateway.live ? null : found;
  }

  /** The published tender with an id of this installation. NOT_FOUND. */
  async findTender(id: string): Promise<TenderEntity> {
    const number = /^\d{1,10}$/.test(id) ? Number(id) : 0;
    const isId = number >= 1 && number <= MAX_INTEGER_ID;
    const tender = isId ? await this.dataSource.getRepository(TenderEntity).findOneBy({ id: number }) : null;
    if (!tender || tender.publishedAt > this.now()) throw tenderNotFound();
    return tender;
  }

  private async findOrderId({ entitlementId }: DownloadPermission): Promise<string | null> {
    const [row]: { public_id: string }[] = await this.dataSource.query(ORDER_OF_ENTITLEMENT, [entitlementId]);
    return row?.public_id ?? null;
  }
}

function planDownloads({
  kind,
  refusal,
  usedInMonth,
  perMonth,
}: DownloadPermission): DocumentOfferResponse['planDownloads'] {
  if (kind !== 'plan' || refusal === 'plan' || refusal === 'state') return null;
  return { left: perMonth === null ? null : Math.max(0, perMonth - (usedInMonth ?? 0)), perMonth };
}

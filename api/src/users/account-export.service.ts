import { Inject, Injectable } from '@nestjs/common';
import type { AccountExportResponse } from '@nivida/contract/account/account-export';
import { DataSource, In } from 'typeorm';
import { AuditEntity } from '../audit/audit.entity.ts';
import { EmailProofEntity } from '../auth/otp/email-proof.entity.ts';
import { PasskeyEntity } from '../auth/passkeys/passkey.entity.ts';
import { ConsentEntity } from '../auth/registration/consent.entity.ts';
import { SessionEntity } from '../auth/sessions/session.entity.ts';
import { ProviderIdentityEntity } from '../auth/sign-in/provider-identity.entity.ts';
import { UserEntity } from '../auth/user.entity.ts';
import { toUser } from '../auth/user.ts';
import { FollowedOfficesService } from '../awards/followed-offices.service.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { BidRecordsService } from '../bids/bid-records.service.ts';
import { FileBackupService } from '../bids/file-backup.service.ts';
import { ApiKeysService } from '../data-out/keys/api-keys.service.ts';
import { SearchFeedsService } from '../data-out/search-feeds/search-feeds.service.ts';
import { DocumentsService } from '../documents/documents.service.ts';
import { OwnReadingsService } from '../documents/reading/own-readings.service.ts';
import { FirmsService } from '../firms/firms.service.ts';
import { OrderListService } from '../orders/order-list.service.ts';
import { EntitlementEntity } from '../plans/entitlement.entity.ts';
import { SubscriptionEntity } from '../push/subscriptions/subscription.entity.ts';
import { SearchesService } from '../searches/searches.service.ts';
import { SupportService } from '../support/support.service.ts';
import { TenderReportsService } from '../tenders/reports/tender-reports.service.ts';
import { billingDefaults } from './users.service.ts';
import { EXPORTED_BOOKMARKS, EXPORTED_DOCUMENT_REQUESTS, EXPORTED_NOTICES } from './users.sql.ts';

/** Collects all stored data of one user. */
@Injectable()
export class AccountExportService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly searches: SearchesService,
    private readonly searchFeeds: SearchFeedsService,
    private readonly keys: ApiKeysService,
    private readonly offices: FollowedOfficesService,
    private readonly orders: OrderListService,
    private readonly documents: DocumentsService,
    private readonly readings: OwnReadingsService,
    private readonly records: BidRecordsService,
    private readonly fileBackup: FileBackupService,
    private readonly firms: FirmsService,
    private readonly support: SupportService,
    private readonly reports: TenderReportsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The stored data of a user without our hashes and keys. */
  async exportAccount(userId: string): Promise<AccountExportResponse> {
    return {
      exportedAt: this.now().toISOString(),
      account: await this.account(userId),
      sessions: await this.sessions(userId),
      passkeys: await this.passkeys(userId),
      searches: await this.searches.list(userId),
      searchFeeds: await this.searchFeeds.list(userId),
      apiKeys: await this.keys.exportKeys(userId),
      followedOffices: (await this.offices.list(userId)).offices,
      ...(await this.orders.exportOrders(userId)),
      plans: await this.plans(userId),
      documents: await this.documents.readLibrary(userId),
      documentRequests: await this.documentRequests(userId),
      tenderReports: (await this.reports.ofUser(userId)).map(({ tenderId, kind, text, createdAt }) => ({
        ...{ tenderId: String(tenderId), kind, text },
        reportedAt: createdAt.toISOString(),
      })),
      records: await this.records.exportRecords(userId),
      firms: await this.firms.exportMemberships(userId),
      documentFiles: await this.fileBackup.exportFiles(userId),
      supportThreads: await this.support.exportThreads(userId),
      ownReadings: await this.readings.list(userId),
      bookmarks: await this.bookmarks(userId),
      devices: await this.devices(userId),
      notices: await this.notices(userId),
      pendingEmails: await this.pendingEmails(userId),
      consents: await this.consents(userId),
      events: await this.events(userId),
    };
  }

  private async account(id: string): Promise<AccountExportResponse['account']> {
    const user = await this.dataSource.getRepository(UserEntity).findOneByOrFail({ id });
    const google = await this.dataSource.getRepository(ProviderIdentityEntity).findOneBy({ userId: id });
    const {
      companyName,
      companyType,
      state,
      districts,
      departments,
      address,
      language,
      createdAt,
      minPrice,
      maxPrice,
      secondFactor,
    } = user;
    const company = { companyName, companyType, state, districts, departments, address };
    return {
      ...toUser(user),
      ...company,
      billing: billingDefaults(user),
      language,
      createdAt: createdAt.toISOString(),
      minPrice,
      maxPrice,
      secondFactor,
      googleLinkedAt: google?.linkedAt.toISOString() ?? null,
    };
  }

  private async sessions(userId: string): Promise<AccountExportResponse['sessions']> {
    const rows = await this.dataSource
      .getRepository(SessionEntity)
      .find({ where: { userId }, order: { createdAt: 'ASC' } });
    return rows.map(({ userAgent, remembered, createdAt, lastUsedAt, expiresAt, revokedAt }) => ({
      userAgent,
      remembered,
      signedInAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      endedAt: revokedAt?.toISOString() ?? null,
    }));
  }

  private async passkeys(userId: string): Promise<AccountExportResponse['passkeys']> {
    const rows = await this.dataSource
      .getRepository(PasskeyEntity)
      .find({ where: { userId }, order: { createdAt: 'ASC' } });
    return rows.map(({ name, createdAt, lastUsedAt }) => ({
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }));
  }

  private async plans(userId: string): Promise<AccountExportResponse['plans']> {
    const rows = await this.dataSource
      .getRepository(EntitlementEntity)
      .find({ where: { userId, kind: In(['plan', 'trial']) }, order: { startsAt: 'ASC' } });
    return rows.map(({ planId, kind, states, startsAt, endsAt, revokedAt, isTest, isGift }) => ({
      planId: planId ?? '',
      isTrial: kind === 'trial',
      isGift,
      states,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt?.toISOString() ?? '',
      revokedAt: revokedAt?.toISOString() ?? null,
      isTest,
    }));
  }

  private async documentRequests(userId: string): Promise<AccountExportResponse['documentRequests']> {
    const rows: { id: number; title: string; requested_at: Date; answered_at: Date | null }[] =
      await this.dataSource.query(EXPORTED_DOCUMENT_REQUESTS, [userId]);
    return rows.map(({ id, title, requested_at, answered_at }) => ({
      tenderId: String(id),
      title,
      askedAt: requested_at.toISOString(),
      answeredAt: answered_at?.toISOString() ?? null,
    }));
  }

  private async bookmarks(userId: string): Promise<AccountExportResponse['bookmarks']> {
    const rows: { id: number; title: string; created_at: Date }[] = await this.dataSource.query(EXPORTED_BOOKMARKS, [
      userId,
    ]);
    return rows.map(({ id, title, created_at }) => ({
      tenderId: String(id),
      title,
      bookmarkedAt: created_at.toISOString(),
    }));
  }

  private async devices(userId: string): Promise<AccountExportResponse['devices']> {
    const rows = await this.dataSource
      .getRepository(SubscriptionEntity)
      .find({ where: { userId }, order: { createdAt: 'ASC' } });
    return rows.map(({ channel, name, preferences, createdAt, lastOkAt }) => ({
      channel,
      name,
      preferences,
      since: createdAt.toISOString(),
      lastReachedAt: lastOkAt?.toISOString() ?? null,
    }));
  }

  private notices(userId: string): Promise<AccountExportResponse['notices']> {
    return this.dataSource.query(EXPORTED_NOTICES, [userId]);
  }

  private async pendingEmails(userId: string): Promise<AccountExportResponse['pendingEmails']> {
    const rows = await this.dataSource
      .getRepository(EmailProofEntity)
      .find({ where: { userId }, order: { createdAt: 'ASC' } });
    return rows.map(({ email, createdAt }) => ({ email, askedAt: createdAt.toISOString() }));
  }

  private async consents(userId: string): Promise<AccountExportResponse['consents']> {
    const rows = await this.dataSource.getRepository(ConsentEntity).find({ where: { userId }, order: { id: 'ASC' } });
    return rows.map(({ purpose, termsVersion, givenAt }) => ({
      purpose,
      termsVersion,
      givenAt: givenAt.toISOString(),
    }));
  }

  private async events(userId: string): Promise<AccountExportResponse['events']> {
    const rows = await this.dataSource
      .getRepository(AuditEntity)
      .find({ where: [{ actorId: userId }, { subject: userId }], order: { id: 'ASC' } });
    return rows.map(({ action, at, detail }) => ({ action, at: at.toISOString(), detail }));
  }
}

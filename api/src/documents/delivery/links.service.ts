import { randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { Language } from '@nivida/contract/languages';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { PaymentGateway } from '../../payments/payment-gateway.port.ts';
import { type DocumentPackage } from '../packages/packages.service.ts';
import { COUNT_FETCH, INSERT_LINK, REVOKE_LINKS, VALID_LINK } from './delivery.sql.ts';
import { DownloadQuotasService } from './download-quotas.service.ts';
import { DownloadTickets } from './tickets.ts';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[\w-]{43}$/;
const LINK_LIFETIME_MS = 7 * DAY_MS;
/** Maximum downloads of one link. */
export const MAX_FETCHES = 20;

/** A download link. */
export interface DownloadLink {
  tokenSha256: string;
  package: DocumentPackage;
  title: string;
  expiresAt: Date;
  fetches: number;
  /** 'documents' were bought; 'plan' is a download of the plan of `userId`. */
  kind: 'documents' | 'plan';
  userId: string | null;
  tenderId: number;
  /** True when it was paid in the sandbox. */
  isTest: boolean;
  /** The language of the order, or of the account whose plan it is. */
  language: Language;
}

interface LinkRow extends DocumentPackage {
  title: string;
  expires_at: Date;
  fetches: number;
  kind: DownloadLink['kind'];
  user_id: string | null;
  tender_id: number;
  is_test: boolean;
  language: Language;
}

/** NOT_FOUND; it does not reveal the reason. */
export const linkGone = () => new AppError('NOT_FOUND', () => t`This link has ended or does not exist`);

/** Links to packages. A link's token is the only key to it; the database holds its digest only. */
@Injectable()
export class DownloadLinksService {
  private readonly tickets: DownloadTickets;

  constructor(
    private readonly dataSource: DataSource,
    private readonly quotas: DownloadQuotasService,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.tickets = new DownloadTickets(config.sessionKeys);
  }

  /** Creates a link of 7 days to one version of a package, in the transaction of `manager`. */
  async createLink(
    manager: EntityManager,
    grant: { entitlementId: string; tenderId: number },
    { id, nit }: Pick<DocumentPackage, 'id' | 'nit'>,
    now: Date,
  ): Promise<{ url: string; expiresAt: Date }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS);
    await manager.query(INSERT_LINK, [sha256Hex(token), grant.entitlementId, nit, grant.tenderId, id, now, expiresAt]);
    return { url: `${this.config.publicOrigin}/d/${token}`, expiresAt };
  }

  /** The valid link of a token. NOT_FOUND otherwise; the answer does not reveal the reason. */
  findByToken(token: string): Promise<DownloadLink> {
    if (!TOKEN_PATTERN.test(token)) throw linkGone();
    return this.loadLink(sha256Hex(token));
  }

  /**
   * Spends one of a link's downloads and returns the file's address, which is valid for one minute. NOT_FOUND for an invalid
   * link; FORBIDDEN with the reason when the plan does not allow the download any more.
   */
  async createTicket(token: string): Promise<string> {
    const link = await this.findByToken(token);
    if (link.userId !== null && link.kind === 'plan')
      this.quotas.assertAllowed(await this.quotas.readPermission(link.userId, link.tenderId));
    const [, taken] = await this.dataSource.query(COUNT_FETCH, [link.tokenSha256, MAX_FETCHES]);
    if (taken === 0) throw linkGone();
    return `/api/files/${this.tickets.create(link.tokenSha256, this.now())}`;
  }

  /**
   * The package of a ticket. A ticket lasts a minute. With `resumedDigest`, the digest of a file whose download began
   * earlier, it lasts a day. NOT_FOUND for an invalid ticket.
   */
  openTicket(ticket: string, resumedDigest: string | null): Promise<DownloadLink> {
    const read = this.tickets.read(ticket);
    const now = this.now();
    if (!read || now > read.resumesBefore || read.madeAt > latestPlausibleInstant(now)) throw linkGone();
    return this.loadLink(read.linkSha256, now > read.startsBefore ? resumedDigest : undefined, true);
  }

  /** Charges the plan for a download, when its first bytes are sent. */
  async chargePlan({ kind, userId, tenderId, package: { nit } }: DownloadLink): Promise<void> {
    if (kind === 'plan' && userId !== null) await this.quotas.chargeDownload(userId, tenderId, nit);
  }

  /** Revokes all links of an entitlement. */
  async revokeLinks(manager: EntityManager, entitlementId: string, now: Date): Promise<void> {
    await manager.query(REVOKE_LINKS, [entitlementId, now]);
  }

  /** With `resumedDigest` the file must have that digest. `hasTicket`: the download has already been counted. */
  private async loadLink(tokenSha256: string, resumedDigest?: string | null, hasTicket = false): Promise<DownloadLink> {
    const rows: LinkRow[] = await this.dataSource.query(VALID_LINK, [
      tokenSha256,
      this.now(),
      MAX_FETCHES,
      hasTicket,
      this.gateway.live,
      latestPlausibleInstant(this.now()),
    ]);
    const [row] = rows;
    if (!row || (resumedDigest !== undefined && resumedDigest !== row.sha256)) throw linkGone();
    const { title, expires_at, fetches, kind, user_id, tender_id, is_test, language, ...found } = row;
    return {
      tokenSha256,
      package: found,
      title,
      expiresAt: expires_at,
      fetches,
      kind,
      userId: user_id,
      tenderId: tender_id,
      isTest: is_test,
      language,
    };
  }
}

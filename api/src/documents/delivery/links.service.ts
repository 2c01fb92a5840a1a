import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../../config.ts';
import { AppError } from '../../http/errors/app-error.ts';
import { CLOCK, CONFIG, latestPlausibleInstant } from '../../http/injection-tokens.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { PaymentGateway } from '../../payments/payment-gateway.port.ts';
import { type DocumentPackage, PACKAGE_COLUMNS } from '../packages/packages.service.ts';
import { DownloadQuotasService } from './download-quotas.service.ts';
import { DownloadTickets } from './tickets.ts';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[\w-]{43}$/;
const LINK_LIFETIME_MS = 7 * 86_400_000;
/** How many downloads a link allows. */
export const MAX_FETCHES = 20;

/** A download link. */
export interface DownloadLink {
  tokenSha256: string;
  package: DocumentPackage;
  title: string;
  expiresAt: Date;
  fetches: number;
  /** Bought, or from the plan of `userId`. */
  kind: 'documents' | 'plan';
  userId: string | null;
  tenderId: number;
  /** Paid in the sandbox. */
  isTest: boolean;
}

interface LinkRow extends DocumentPackage {
  title: string;
  expires_at: Date;
  fetches: number;
  kind: DownloadLink['kind'];
  user_id: string | null;
  tender_id: number;
  is_test: boolean;
}

const LINK_GONE_MESSAGE = 'This link has ended or does not exist';

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
    await manager.query(
      `INSERT INTO download_link (token_sha256, entitlement_id, nit, tender_id, package_id, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [sha256Hex(token), grant.entitlementId, nit, grant.tenderId, id, now, expiresAt],
    );
    return { url: `${this.config.publicOrigin}/d/${token}`, expiresAt };
  }

  /** The valid link of a token; NOT_FOUND with the same answer for every reason. */
  findByToken(token: string): Promise<DownloadLink> {
    if (!TOKEN_PATTERN.test(token)) throw new AppError('NOT_FOUND', LINK_GONE_MESSAGE);
    return this.loadLink(sha256Hex(token));
  }

  /**
   * Spends one of a link's downloads and returns the file's address, valid for one minute. NOT_FOUND; FORBIDDEN with
   * the reason when the plan behind it does not allow it any more.
   */
  async createTicket(token: string): Promise<string> {
    const link = await this.findByToken(token);
    if (link.userId !== null && link.kind === 'plan')
      this.quotas.assertAllowed(await this.quotas.readPermission(link.userId, link.tenderId));
    const [, taken] = await this.dataSource.query(
      'UPDATE download_link SET fetches = fetches + 1 WHERE token_sha256 = $1 AND fetches < $2',
      [link.tokenSha256, MAX_FETCHES],
    );
    if (taken === 0) throw new AppError('NOT_FOUND', LINK_GONE_MESSAGE);
    return `/api/files/${this.tickets.create(link.tokenSha256, this.now())}`;
  }

  /**
   * The package of a ticket; `resumes` is the digest of the file whose download began before, which extends the minute
   * to a day. NOT_FOUND.
   */
  openTicket(ticket: string, resumedDigest: string | null): Promise<DownloadLink> {
    const read = this.tickets.read(ticket);
    const now = this.now();
    if (!read || now > read.resumesBefore || read.madeAt > latestPlausibleInstant(now))
      throw new AppError('NOT_FOUND', LINK_GONE_MESSAGE);
    return this.loadLink(read.linkSha256, now > read.startsBefore ? resumedDigest : undefined, true);
  }

  /** Charges the plan for a download, when its first bytes are sent. */
  async chargePlan({ kind, userId, tenderId, package: { nit } }: DownloadLink): Promise<void> {
    if (kind === 'plan' && userId !== null) await this.quotas.chargeDownload(userId, tenderId, nit);
  }

  /** Revokes all links of an entitlement. */
  async revokeLinks(manager: EntityManager, entitlementId: string, now: Date): Promise<void> {
    await manager.query('UPDATE download_link SET revoked_at = $2 WHERE entitlement_id = $1 AND revoked_at IS NULL', [
      entitlementId,
      now,
    ]);
  }

  /** With `begun` the file must have that digest; with `hasTicket` the download was counted already. */
  private async loadLink(tokenSha256: string, resumedDigest?: string | null, hasTicket = false): Promise<DownloadLink> {
    const rows: LinkRow[] = await this.dataSource.query(
      `SELECT ${PACKAGE_COLUMNS}, coalesce(o.title, t.title, l.nit) AS title, l.expires_at, l.fetches, e.kind, e.user_id,
         l.tender_id, e.is_test
       FROM download_link l JOIN document_package p ON p.id = l.package_id JOIN entitlement e ON e.id = l.entitlement_id
         LEFT JOIN orders o ON o.id = e.order_id AND o.product = 'tender-documents' LEFT JOIN tender t ON t.id = l.tender_id
       WHERE l.token_sha256 = $1 AND l.expires_at > $2 AND l.created_at <= $6 AND l.revoked_at IS NULL AND e.revoked_at IS NULL
         AND (l.fetches < $3 OR $4) AND NOT (e.is_test AND $5)`,
      [tokenSha256, this.now(), MAX_FETCHES, hasTicket, this.gateway.live, latestPlausibleInstant(this.now())],
    );
    const [row] = rows;
    if (!row || (resumedDigest !== undefined && resumedDigest !== row.sha256))
      throw new AppError('NOT_FOUND', LINK_GONE_MESSAGE);
    const { title, expires_at, fetches, kind, user_id, tender_id, is_test, ...found } = row;
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
    };
  }
}

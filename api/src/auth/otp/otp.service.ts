import { createHmac, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { plural, t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { Language } from '@nivida/contract/languages';
import { MINUTE_MS } from '@nivida/contract/time';
import { And, DataSource, type EntityManager, type FindOptionsWhere, IsNull, LessThanOrEqual, MoreThan } from 'typeorm';
import { AppError, invalidField } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import { Metrics } from '../../http/monitoring/metrics.ts';
import type { RequestOrigin, Sender } from '../../http/security/client-address.ts';
import { cookieName, privateCookie, sha256Hex } from '../../http/security/cookies.ts';
import { MailService } from '../../mail/mail.service.ts';
import { CONSUME_TRY, DELETE_PROOFS, LANGUAGE_OF_EMAIL, MAX_TRIES } from '../auth.sql.ts';
import { maskEmail, SecurityEventsService } from '../security-events.service.ts';
import { EmailProofEntity } from './email-proof.entity.ts';

/** The cookie that binds a proof to the browser that requested the code. */
const OTP_COOKIE = 'otp_ctx';

const CODE_LIFETIME_MS = 10 * MINUTE_MS;
const PROOF_LIFETIME_MS = 30 * MINUTE_MS;

const otpError = (text: () => string) => invalidField('otp', text);
const UNKNOWN_CODE = otpError(() => t`There is no code for this address in this browser. Request a new one.`);
const EXPIRED_CODE = otpError(() => t`The code has expired. Request a new one.`);
const USED_CODE = otpError(() => t`This code was already used. Request a new one.`);
const lockedText = () => t`Too many wrong codes. Request a new one.`;
const LOCKED_CODE = new AppError(
  'TOO_MANY',
  lockedText,
  () => ({ otp: lockedText() }),
  undefined,
  undefined,
  'code-tries',
);

/** Proves by a code of 6 digits that the visitor of a browser can read an e-mail address. */
@Injectable()
export class OtpService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    private readonly mails: MailService,
    private readonly events: SecurityEventsService,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Mails a code in a language and returns the browser's new context. TOO_MANY when the e-mail, device or network address has reached a limit. */
  async generate(
    email: string,
    sender: Sender,
    { context, language }: { context: string | undefined; language: Language },
  ): Promise<string> {
    await this.consumeLimits(email, sender);
    return this.dataSource.transaction((manager) =>
      this.issueCode(manager, email, { context, userId: null, language }),
    );
  }

  /** Counts the request for a code. TOO_MANY when a limit is reached. */
  async consumeLimits(email: string, sender: Sender): Promise<void> {
    await this.limits.consume('code', { email, sender });
    this.metrics.requestedCodes.inc();
  }

  /**
   * Creates a code that replaces the one of `context`, mails it and returns the new context. If the address has an account,
   * a mail without the code is sent instead, in the account's language; the browser cannot see the difference.
   */
  async issueCode(
    manager: EntityManager,
    email: string,
    { context, userId, language }: { context: string | undefined; userId: string | null; language: Language },
  ): Promise<string> {
    const now = this.now();
    const [id, code, next] = [randomUUID(), createCode(), randomBytes(32).toString('base64url')];
    const proofs = manager.getRepository(EmailProofEntity);
    if (context !== undefined) await proofs.delete({ context: sha256Hex(context) });
    await proofs.insert({
      id,
      context: sha256Hex(next),
      email: email.toLowerCase(),
      userId,
      codeHash: this.hashCode(id, email, code),
      createdAt: now,
      expiresAt: new Date(now.getTime() + CODE_LIFETIME_MS),
    });
    const [owner]: { language: Language }[] = await manager.query(LANGUAGE_OF_EMAIL, [email]);
    await this.mails.queue(
      manager,
      owner
        ? { kind: 'already-registered', to: email, language: owner.language }
        : { kind: 'email-code', to: email, language, code },
    );
    return next;
  }

  /** Verifies the mailed code. INVALID for a wrong code, TOO_MANY after too many; the message says what to do next. */
  async verify(
    context: string | undefined,
    { email, otp }: { email: string; otp: string },
    origin: RequestOrigin,
  ): Promise<void> {
    try {
      await this.consumeTry(context, email, otp);
    } catch (error) {
      const reason = error instanceof AppError ? error.message : 'unknown';
      await this.events.record({ action: 'code.refused', subject: maskEmail(email), detail: { reason } }, origin);
      throw error;
    }
  }

  private async consumeTry(context: string | undefined, email: string, code: string): Promise<void> {
    const now = this.now();
    // One statement counts the attempt before the code is compared, so that parallel guesses cannot exceed five comparisons.
    const [[proof]]: [{ id: string; code_hash: Buffer; tries: number }[], number] = await this.dataSource.query(
      CONSUME_TRY,
      [sha256Hex(context ?? ''), email.toLowerCase(), now, latestPlausibleInstant(now)],
    );
    if (!proof) throw await this.rejectionReason(context, email);
    if (!timingSafeEqual(proof.code_hash, this.hashCode(proof.id, email, code)))
      throw wrongCodeError(MAX_TRIES - proof.tries);
    const { affected } = await this.dataSource
      .getRepository(EmailProofEntity)
      .update({ id: proof.id, verifiedAt: IsNull() }, { verifiedAt: now });
    if (affected === 0) throw USED_CODE;
  }

  /** Whether `consume` would succeed. */
  isVerified(context: string | undefined, email: string): Promise<boolean> {
    return this.dataSource.getRepository(EmailProofEntity).existsBy(this.validProof(context, email));
  }

  /**
   * Deletes the proof that the browser of cookie `otp_ctx` verified this e-mail within 30 minutes; false when there is
   * none. Only one of several parallel calls gets true. The proof stays if the transaction of `manager` fails.
   */
  async consume(manager: EntityManager, context: string | undefined, email: string): Promise<boolean> {
    const { affected } = await manager.getRepository(EmailProofEntity).delete(this.validProof(context, email));
    return affected === 1;
  }

  /** Deletes the pending e-mail changes of an account and the proofs of its current e-mail. */
  async voidPending(manager: EntityManager, { id, email }: { id: string; email: string }): Promise<void> {
    await manager.query(DELETE_PROOFS, [id, email]);
  }

  /** Arguments of Fastify's `setCookie` for a context. */
  cookie(context: string): ReturnType<typeof privateCookie> {
    return privateCookie(this.config, {
      name: OTP_COOKIE,
      value: context,
      seconds: (CODE_LIFETIME_MS + PROOF_LIFETIME_MS) / 1_000,
    });
  }

  contextOf(cookies: Record<string, string | undefined>): string | undefined {
    return cookies[cookieName(this.config, OTP_COOKIE)];
  }

  private validProof(context: string | undefined, email: string): FindOptionsWhere<EmailProofEntity> {
    const now = this.now();
    const verifiedAfter = new Date(now.getTime() - PROOF_LIFETIME_MS);
    return {
      context: sha256Hex(context ?? ''),
      email: email.toLowerCase(),
      verifiedAt: And(MoreThan(verifiedAfter), LessThanOrEqual(latestPlausibleInstant(now))),
    };
  }

  private async rejectionReason(context: string | undefined, email: string): Promise<AppError> {
    const proof = await this.dataSource
      .getRepository(EmailProofEntity)
      .findOneBy({ context: sha256Hex(context ?? ''), email: email.toLowerCase() });
    if (!proof) return UNKNOWN_CODE;
    if (proof.verifiedAt) return USED_CODE;
    return proof.tries >= MAX_TRIES ? LOCKED_CODE : EXPIRED_CODE;
  }

  // Id and code have a fixed length, so the concatenation is unambiguous.
  private hashCode(id: string, email: string, code: string): Buffer {
    return createHmac('sha256', this.config.otpPepper).update(`${id}${email.toLowerCase()}${code}`).digest();
  }
}

const createCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

function wrongCodeError(triesLeft: number): AppError {
  if (triesLeft === 0) return otpError(() => t`The code is wrong. Request a new one.`);
  return otpError(() => t`The code is wrong. ${plural(triesLeft, { one: '# try', other: '# tries' })} left`);
}

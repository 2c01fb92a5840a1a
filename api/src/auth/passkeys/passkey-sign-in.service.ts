import { t } from '@lingui/core/macro';
import { Injectable } from '@nestjs/common';
import type {
  PasskeySignInRequest,
  RecoveryCodeRequest,
  RequestOptionsResponse,
} from '@nivida/contract/account/passkeys';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import { MailService } from '../../mail/mail.service.ts';
import { SecurityEventsService } from '../security-events.service.ts';
import { SenderThrottleService } from '../sign-in/sender-throttle.service.ts';
import { SignInCompletionService, type SignInResult } from '../sign-in/sign-in-completion.service.ts';
import type { Visitor } from '../sign-in/visitor.ts';
import { UserEntity } from '../user.entity.ts';
import { PasskeyChecksService, PasskeyRefusedError } from './passkey-checks.service.ts';
import { PasskeyStateService } from './passkey-state.service.ts';
import { RecoveryCodesService } from './recovery-codes.service.ts';
import type { RelyingParty } from './relying-party.ts';
import { SecondFactorService } from './second-factor.service.ts';

const wrongPasskey = () =>
  new AppError('UNAUTHENTICATED', () => t`This passkey was not accepted. Try again, or sign in with your password.`);
const wrongCode = () =>
  new AppError('UNAUTHENTICATED', () => t`This code is wrong or was already used. Use another one.`);

/** Sign-in by a passkey alone, and the second step of a sign-in by password or Google. */
@Injectable()
export class PasskeySignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    private readonly senders: SenderThrottleService,
    private readonly checks: PasskeyChecksService,
    private readonly states: PasskeyStateService,
    private readonly secondFactor: SecondFactorService,
    private readonly codes: RecoveryCodesService,
    private readonly signInCompletion: SignInCompletionService,
    private readonly events: SecurityEventsService,
    private readonly mails: MailService,
  ) {}

  /** Options for any passkey of this site, or with a token for those of its account. TOO_MANY, UNAUTHENTICATED for an old token. */
  async begin(token: string | undefined, site: RelyingParty, visitor: Visitor): Promise<RequestOptionsResponse> {
    await this.limits.consume('passkey-sign-in', { sender: visitor });
    const options = await this.checks.requestOptions(await this.ownerOf(token), site);
    return { options } as unknown as RequestOptionsResponse;
  }

  /**
   * Signs in by a passkey. UNAUTHENTICATED for an unknown passkey and for a wrong answer, in the same words. TOO_MANY after
   * many of a sender.
   */
  async finish(
    { passkey: shown, secondFactorToken: token, rememberMe }: PasskeySignInRequest,
    site: RelyingParty,
    visitor: Visitor,
  ): Promise<SignInResult> {
    await this.limits.consume('passkey-sign-in', { sender: visitor });
    await this.senders.count(visitor);
    const pending = token === undefined ? undefined : await this.secondFactor.read(token);
    const passkey = await this.checks.verifyShown(await this.ownerOf(token), shown, site).catch(async (error) => {
      if (!(error instanceof PasskeyRefusedError)) throw error;
      const detail = { way: 'passkey', reason: error.reason };
      await this.events.record({ action: 'sign-in.failed', subject: pending?.userId ?? 'passkey', detail }, visitor);
      throw wrongPasskey();
    });
    await this.senders.clear(visitor);
    return this.dataSource.transaction(async (manager) => {
      if (token !== undefined) await this.secondFactor.consume(manager, token);
      return this.signInCompletion.complete(manager, await findUser(manager, passkey.userId), visitor, {
        ...(pending
          ? {
              ...{ way: pending.way, remembered: pending.remembered, googleSubject: pending.googleSubject },
              secondFactor: 'passkey' as const,
            }
          : { way: 'passkey' as const, remembered: rememberMe }),
        shown: { passkeyId: passkey.id, isHere: shown.authenticatorAttachment === 'platform' },
      });
    });
  }

  /**
   * The second step by a recovery code, which is then used up; mails the owner. UNAUTHENTICATED for a wrong or used code, and
   * after five tries of a sign-in. TOO_MANY after many of an account.
   */
  async byRecoveryCode(
    { secondFactorToken: token, code: typed }: RecoveryCodeRequest,
    visitor: Visitor,
  ): Promise<SignInResult> {
    const { userId, way, remembered, googleSubject } = await this.secondFactor.read(token);
    await this.limits.consume('recovery-code', { account: userId });
    await this.secondFactor.consumeTry(token);
    const code = await this.codes.find(userId, typed);
    if (!code) {
      await this.events.record({ action: 'code.refused', subject: userId, detail: { for: 'recovery' } }, visitor);
      throw wrongCode();
    }
    return this.dataSource.transaction(async (manager) => {
      await this.secondFactor.consume(manager, token);
      if (!(await this.codes.use(manager, code))) throw wrongCode();
      const user = await findUser(manager, userId);
      const signedIn = await this.signInCompletion.complete(manager, user, visitor, {
        ...{ way, secondFactor: 'recovery-code', remembered, googleSubject },
      });
      const { codesLeft } = await this.states.read(userId, null, manager);
      const { email, language, username } = user;
      await this.mails.queue(manager, { kind: 'recovery-code-used', to: email, language, username, left: codesLeft });
      return signedIn;
    });
  }

  private async ownerOf(token: string | undefined) {
    if (token === undefined) return { purpose: 'sign-in', userId: null, sessionId: null } as const;
    const { userId } = await this.secondFactor.read(token);
    return { purpose: 'second-factor', userId, sessionId: null } as const;
  }
}

/** UNAUTHENTICATED when the account was erased in the meantime. */
async function findUser(manager: EntityManager, id: string): Promise<UserEntity> {
  const user = await manager.getRepository(UserEntity).findOneBy({ id });
  if (!user) throw wrongPasskey();
  return user;
}

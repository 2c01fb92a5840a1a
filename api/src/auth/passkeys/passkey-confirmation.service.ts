import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestOptionsResponse, ShownPasskey } from '@nivida/contract/account/passkeys';
import { DataSource } from 'typeorm';
import { AppError, invalidField } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import type { RequestOrigin } from '../../http/security/client-address.ts';
import { PasswordsService } from '../passwords/passwords.service.ts';
import { SecurityEventsService } from '../security-events.service.ts';
import { SessionEntity } from '../sessions/session.entity.ts';
import type { SignedInUser } from '../sessions/sessions.service.ts';
import { SIGNED_IN_COUNTER, SignInThrottleService } from '../sign-in/sign-in-throttle.service.ts';
import { UserEntity } from '../user.entity.ts';
import { PasskeyChecksService, PasskeyRefusedError } from './passkey-checks.service.ts';
import { PasskeyStateService } from './passkey-state.service.ts';
import type { RelyingParty } from './relying-party.ts';

/** Confirms in a session that its user is there: by a passkey, which also opens the desk, or by the password. */
@Injectable()
export class PasskeyConfirmationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly checks: PasskeyChecksService,
    private readonly states: PasskeyStateService,
    private readonly passwords: PasswordsService,
    private readonly signInThrottle: SignInThrottleService,
    private readonly events: SecurityEventsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Options for showing one of the user's passkeys; CONFLICT without any. */
  async begin({ id, sessionId }: SignedInUser, site: RelyingParty): Promise<RequestOptionsResponse> {
    const { passkeys } = await this.states.read(id, sessionId);
    if (passkeys === 0) throw new AppError('CONFLICT', () => t`Your account has no passkey yet. Add one in Settings.`);
    const options = await this.checks.requestOptions({ purpose: 'confirmation', userId: id, sessionId }, site);
    return { options } as unknown as RequestOptionsResponse;
  }

  /** Notes in the session that a passkey was shown. INVALID for one that is not accepted: clients would sign out on a 401. */
  async finish(
    { id, sessionId }: SignedInUser,
    shown: ShownPasskey,
    site: RelyingParty,
    origin: RequestOrigin,
  ): Promise<void> {
    const owner = { purpose: 'confirmation', userId: id, sessionId } as const;
    const passkey = await this.checks.verifyShown(owner, shown, site).catch(async (error) => {
      if (!(error instanceof PasskeyRefusedError)) throw error;
      const detail = { for: 'confirmation', reason: error.reason };
      await this.events.record({ action: 'sign-in.passkey-refused', subject: id, detail }, origin);
      throw new AppError('INVALID', () => t`The passkey was not accepted. Please try again.`);
    });
    await this.dataSource.getRepository(SessionEntity).update(
      { id: sessionId, userId: id },
      {
        passkeyAt: this.now(),
        passkeyId: passkey.id,
        isPasskeyHere: shown.authenticatorAttachment === 'platform',
      },
    );
  }

  /** Notes in the session that the password was entered. INVALID at `password` for a wrong one, TOO_MANY after several. */
  async byPassword({ id, sessionId }: SignedInUser, password: string, origin: RequestOrigin): Promise<void> {
    const { mobileNo, passwordHash } = await this.dataSource
      .getRepository(UserEntity)
      .createQueryBuilder('user')
      .addSelect('user.passwordHash')
      .where('user.id = :id', { id })
      .getOneOrFail();
    await this.signInThrottle.countAttempt(mobileNo, SIGNED_IN_COUNTER);
    if (!(await this.passwords.verify(passwordHash, password))) {
      await this.events.record({ action: 'password-check.failed', subject: id, detail: { for: 'passkeys' } }, origin);
      throw invalidField('password', () => t`The password is wrong`);
    }
    await this.signInThrottle.clearCounter(mobileNo, SIGNED_IN_COUNTER);
    await this.dataSource
      .getRepository(SessionEntity)
      .update({ id: sessionId, userId: id }, { passwordAt: this.now() });
  }
}

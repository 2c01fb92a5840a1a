import { randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { LOCK_ACCOUNT } from '../auth.sql.ts';
import type { SignedInUser } from '../sessions/sessions.service.ts';
import { UserEntity } from '../user.entity.ts';
import { needsSecondFactor, PasskeyStateService } from './passkey-state.service.ts';
import { CONSUME_CODE_TRY, CONSUME_PENDING_SIGN_IN, PENDING_SIGN_IN, STORE_PENDING_SIGN_IN } from './passkeys.sql.ts';
import { RecoveryCodesService } from './recovery-codes.service.ts';

const PENDING_MS = 10 * MINUTE_MS;
const TOKEN_BYTES = 32;

/** A sign-in whose first factor was right. */
export interface PendingSignIn {
  userId: string;
  way: 'password' | 'google';
  remembered: boolean;
  /** The identity at Google to link with the account; null when there is nothing to link. */
  googleSubject: string | null;
}

const signInEnded = () =>
  new AppError('UNAUTHENTICATED', () => t`The sign-in took too long. Please enter your password again.`);

/** Sign-ins that wait for a passkey or a recovery code, and the switch for them. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly states: PasskeyStateService,
    private readonly codes: RecoveryCodesService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The token of a new waiting sign-in, valid for 10 minutes; undefined for an account without a second factor. */
  async begin(
    manager: EntityManager,
    userId: string,
    { way, remembered, googleSubject }: Omit<PendingSignIn, 'userId'>,
  ): Promise<string | undefined> {
    if (!needsSecondFactor(await this.states.read(userId, null, manager))) return undefined;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const end = new Date(this.now().getTime() + PENDING_MS);
    await manager.query(STORE_PENDING_SIGN_IN, [sha256Hex(token), userId, way, remembered, googleSubject, end]);
    return token;
  }

  /** The waiting sign-in of a token. UNAUTHENTICATED for an unknown, used or expired one. */
  async read(token: string): Promise<PendingSignIn> {
    const rows: PendingSignIn[] = await this.dataSource.query(PENDING_SIGN_IN, this.parametersOf(token));
    const [pending] = rows;
    if (!pending) throw signInEnded();
    return pending;
  }

  /** Counts a try of a recovery code. UNAUTHENTICATED after five. */
  async consumeTry(token: string): Promise<void> {
    const [counted] = await this.dataSource.query(CONSUME_CODE_TRY, this.parametersOf(token));
    if (counted.length === 0) throw signInEnded();
  }

  /** Ends the waiting sign-in in the transaction of `manager`. UNAUTHENTICATED if another call has ended it. */
  async consume(manager: EntityManager, token: string): Promise<void> {
    const [consumed] = await manager.query(CONSUME_PENDING_SIGN_IN, this.parametersOf(token));
    if (consumed.length === 0) throw signInEnded();
  }

  /**
   * Switches the second factor. Returns new recovery codes when it is switched on and none is left, else null.
   * PASSKEY_NEEDED without a recent confirmation, CONFLICT without a passkey and for a member of staff who has one.
   */
  async set(user: SignedInUser, isOn: boolean, requestId: string): Promise<string[] | null> {
    await this.states.readConfirmed(user);
    const hashed = isOn ? await this.codes.create() : null;
    return this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK_ACCOUNT, [user.id]);
      const state = await this.states.read(user.id, user.sessionId, manager);
      if (isOn && state.passkeys === 0) throw new AppError('CONFLICT', () => t`Add a passkey first`);
      if (!isOn && state.isStaff && state.passkeys > 0)
        throw new AppError('CONFLICT', () => t`Members of staff always need their passkey to sign in`);
      await manager.getRepository(UserEntity).update({ id: user.id }, { secondFactor: isOn });
      if (state.secondFactor !== isOn) {
        const action = isOn ? 'second-factor.on' : 'second-factor.off';
        const event = { action, actorId: user.id, subject: user.id, detail: {}, requestId };
        await recordAuditEvent(manager, event, this.now());
      }
      if (!hashed || state.codesLeft > 0) return null;
      return this.codes.store(manager, user.id, hashed, requestId);
    });
  }

  private parametersOf(token: string): unknown[] {
    const now = this.now();
    return [sha256Hex(token), now, new Date(latestPlausibleInstant(now).getTime() + PENDING_MS)];
  }
}

import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError, signInRequired } from '../../base/app-error.ts';
import { CLOCK, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import type { SignedInUser } from '../sessions/sessions.service.ts';
import { PASSKEY_STATE } from './passkeys.sql.ts';

/** Changes of how an account is signed in to need a sign-in or a confirmation of this age. */
const CONFIRMED_MS = 15 * MINUTE_MS;

/** State of the second factor of an account, and of the session that asks. */
export interface PasskeyState {
  passkeys: number;
  codesLeft: number;
  secondFactor: boolean;
  isStaff: boolean;
  hasPassword: boolean;
  /** Instants of the session. */
  signedInAt: Date | null;
  passkeyAt: Date | null;
  passwordAt: Date | null;
  passkeyId: string | null;
  isPasskeyHere: boolean;
}

/** Whether a sign-in by password or Google needs a passkey or a recovery code too. Members of staff with a passkey always do. */
export const needsSecondFactor = ({ passkeys, secondFactor, isStaff }: PasskeyState): boolean =>
  passkeys > 0 && (secondFactor || isStaff);

const passkeyNeeded = () => new AppError('PASSKEY_NEEDED', () => t`Please confirm first that it is you`);

/** Reads whether an account has a second factor, and whether a session may change it. */
@Injectable()
export class PasskeyStateService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The state of an account; UNAUTHENTICATED when it was erased. */
  async read(
    userId: string,
    sessionId: string | null,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<PasskeyState> {
    const rows: PasskeyState[] = await manager.query(PASSKEY_STATE, [userId, sessionId]);
    const [state] = rows;
    if (!state) throw signInRequired();
    return state;
  }

  /**
   * Whether a session may change passkeys: signed in or confirmed in the last 15 minutes. Only a passkey confirms an account
   * with a second factor, because a password alone must not remove it.
   */
  isConfirmed(state: PasskeyState): boolean {
    const latest = latestPlausibleInstant(this.now());
    const isRecent = (at: Date | null) =>
      at !== null && at <= latest && this.now().getTime() - at.getTime() <= CONFIRMED_MS;
    return (
      isRecent(state.signedInAt) ||
      isRecent(state.passkeyAt) ||
      (isRecent(state.passwordAt) && !needsSecondFactor(state))
    );
  }

  /** The state of a confirmed session. PASSKEY_NEEDED for another one. */
  async readConfirmed({ id, sessionId }: SignedInUser): Promise<PasskeyState> {
    const state = await this.read(id, sessionId);
    if (!this.isConfirmed(state)) throw passkeyNeeded();
    return state;
  }

  /** Whether the account has a second factor. PASSKEY_NEEDED when it has one and the session is not confirmed. */
  async assertSecondFactor({ id, sessionId }: SignedInUser): Promise<boolean> {
    const state = await this.read(id, sessionId);
    const isNeeded = needsSecondFactor(state);
    if (isNeeded && !this.isConfirmed(state)) throw passkeyNeeded();
    return isNeeded;
  }
}

import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type {
  CreatedPasskey,
  CreationOptionsResponse,
  PasskeyListResponse,
  PasskeySummary,
} from '@nivida/contract/account/passkeys';
import { DataSource, type EntityManager } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import type { RequestOrigin } from '../../http/security/client-address.ts';
import { MailService } from '../../mail/mail.service.ts';
import { LOCK_ACCOUNT } from '../auth.sql.ts';
import { SecurityEventsService } from '../security-events.service.ts';
import { SessionEntity } from '../sessions/session.entity.ts';
import type { SignedInUser } from '../sessions/sessions.service.ts';
import { UserEntity } from '../user.entity.ts';
import { PasskeyEntity } from './passkey.entity.ts';
import { type ChallengeOwner, PasskeyChecksService, PasskeyRefusedError } from './passkey-checks.service.ts';
import { needsSecondFactor, type PasskeyState, PasskeyStateService } from './passkey-state.service.ts';
import { FORGET_SHOWN_PASSKEY } from './passkeys.sql.ts';
import { RecoveryCodeEntity } from './recovery-code.entity.ts';
import type { RelyingParty } from './relying-party.ts';

const MAX_PASSKEYS = 20;

/** Lists, adds, renames and removes the passkeys of a signed-in user. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly checks: PasskeyChecksService,
    private readonly states: PasskeyStateService,
    private readonly mails: MailService,
    private readonly events: SecurityEventsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  async list({ id, sessionId }: SignedInUser): Promise<PasskeyListResponse> {
    const state = await this.states.read(id, sessionId);
    const passkeys = await this.dataSource
      .getRepository(PasskeyEntity)
      .find({ where: { userId: id }, order: { createdAt: 'ASC', id: 'ASC' } });
    const isStaffWithPasskey = state.isStaff && passkeys.length > 0;
    return {
      passkeys: passkeys.map((passkey) => toSummary(passkey, state)),
      secondFactor: needsSecondFactor(state),
      isSecondFactorRequired: isStaffWithPasskey,
      recoveryCodesLeft: state.codesLeft,
      isConfirmed: this.states.isConfirmed(state),
      canConfirmByPassword: state.hasPassword && !needsSecondFactor(state),
    };
  }

  /** Options for creating a passkey. PASSKEY_NEEDED without a recent confirmation. */
  async beginRegistration(user: SignedInUser, site: RelyingParty): Promise<CreationOptionsResponse> {
    await this.states.readConfirmed(user);
    const account = await this.dataSource.getRepository(UserEntity).findOneByOrFail({ id: user.id });
    const options = await this.checks.creationOptions(registrationOf(user), account, site);
    return { options } as unknown as CreationOptionsResponse;
  }

  /**
   * Stores a new passkey and mails the owner. PASSKEY_NEEDED without a recent confirmation, INVALID when the browser's answer is
   * not accepted, CONFLICT for a passkey that is stored already.
   */
  async finishRegistration(
    user: SignedInUser,
    { passkey: created, name }: { passkey: CreatedPasskey; name: string },
    site: RelyingParty,
    origin: RequestOrigin,
  ): Promise<PasskeySummary> {
    await this.states.readConfirmed(user);
    const verified = await this.checks.verifyCreated(registrationOf(user), created, site).catch(async (error) => {
      if (!(error instanceof PasskeyRefusedError)) throw error;
      const detail = { for: 'registration', reason: error.reason };
      await this.events.record({ action: 'sign-in.passkey-refused', subject: user.id, detail }, origin);
      throw new AppError('INVALID', () => t`The passkey was not accepted. Please try again.`);
    });
    const passkey: PasskeyEntity = { ...verified, name };
    const isHere = created.authenticatorAttachment === 'platform';
    await this.dataSource.transaction(async (manager) => {
      // Serialises changes of one account, so that parallel ones cannot exceed the limit.
      await manager.query(LOCK_ACCOUNT, [user.id]);
      const repository = manager.getRepository(PasskeyEntity);
      if (await repository.existsBy({ credentialId: passkey.credentialId }))
        throw new AppError('CONFLICT', () => t`This passkey is already in your account`);
      if ((await repository.countBy({ userId: user.id })) >= MAX_PASSKEYS)
        throw new AppError('CONFLICT', () => t`At most ${MAX_PASSKEYS} passkeys. Remove one first.`);
      await repository.insert(passkey);
      if (isHere)
        await manager
          .getRepository(SessionEntity)
          .update({ id: user.sessionId }, { passkeyId: passkey.id, isPasskeyHere: true });
      const { username, email, language } = await manager.getRepository(UserEntity).findOneByOrFail({ id: user.id });
      await this.mails.queue(manager, { kind: 'passkey-added', to: email, language, username, name });
      await this.record(manager, 'passkey.added', user.id, origin);
    });
    return toSummary(passkey, { passkeyId: isHere ? passkey.id : null, isPasskeyHere: isHere });
  }

  /** Renames one of the user's passkeys; NOT_FOUND for any other id. */
  async rename({ id: userId }: SignedInUser, id: string, name: string): Promise<void> {
    const renamed =
      UUID_REGEX.test(id) && (await this.dataSource.getRepository(PasskeyEntity).update({ id, userId }, { name }));
    if (!renamed || renamed.affected === 0) throw passkeyNotFound();
  }

  /**
   * Removes one of the user's passkeys, closes what it has opened, and mails the owner. With the last one the recovery codes go.
   * PASSKEY_NEEDED without a recent confirmation, NOT_FOUND for any other id. CONFLICT for the last passkey of an account with
   * a second factor and of a member of staff.
   */
  async remove(user: SignedInUser, id: string, origin: RequestOrigin): Promise<void> {
    await this.states.readConfirmed(user);
    const { id: userId } = user;
    await this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK_ACCOUNT, [userId]);
      const repository = manager.getRepository(PasskeyEntity);
      const passkey = UUID_REGEX.test(id) ? await repository.findOneBy({ id, userId }) : null;
      if (!passkey) throw passkeyNotFound();
      const state = await this.states.read(userId, user.sessionId, manager);
      if (state.passkeys === 1) assertRemovable(state);
      await repository.delete({ id });
      await manager.query(FORGET_SHOWN_PASSKEY, [id]);
      if (state.passkeys === 1) await manager.getRepository(RecoveryCodeEntity).delete({ userId });
      const { username, email, language } = await manager.getRepository(UserEntity).findOneByOrFail({ id: userId });
      await this.mails.queue(manager, { kind: 'passkey-removed', to: email, language, username, name: passkey.name });
      await this.record(manager, 'passkey.removed', userId, origin);
    });
  }

  private record(manager: EntityManager, action: string, userId: string, { requestId }: RequestOrigin): Promise<void> {
    return recordAuditEvent(manager, { action, actorId: userId, subject: userId, detail: {}, requestId }, this.now());
  }
}

const registrationOf = ({ id, sessionId }: SignedInUser): ChallengeOwner & { userId: string } => ({
  purpose: 'registration',
  userId: id,
  sessionId,
});

function toSummary(
  { id, name, createdAt, lastUsedAt, backedUp }: PasskeyEntity,
  { passkeyId, isPasskeyHere }: Pick<PasskeyState, 'passkeyId' | 'isPasskeyHere'>,
): PasskeySummary {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    isSynced: backedUp,
    isThisDevice: isPasskeyHere && passkeyId === id,
  };
}

function assertRemovable({ isStaff, secondFactor }: PasskeyState): void {
  if (isStaff)
    throw new AppError('CONFLICT', () => t`The desk needs a passkey. Add another one before you remove this one.`);
  if (secondFactor)
    throw new AppError(
      'CONFLICT',
      () => t`This is your last passkey. Add another one first, or switch off the second step of signing in.`,
    );
}

const passkeyNotFound = () => new AppError('NOT_FOUND', () => t`Passkey not found`);

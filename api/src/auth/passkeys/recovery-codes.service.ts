import { randomInt } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { RECOVERY_CODE_COUNT } from '@nivida/contract/account/passkeys';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { LOCK_ACCOUNT } from '../auth.sql.ts';
import { PasswordsService } from '../passwords/passwords.service.ts';
import type { SignedInUser } from '../sessions/sessions.service.ts';
import { PasskeyStateService } from './passkey-state.service.ts';
import { USE_RECOVERY_CODE } from './passkeys.sql.ts';
import { RecoveryCodeEntity } from './recovery-code.entity.ts';

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const HALF_LENGTH = 5;
/** '3-K7QM2-9XPRT': the number of the code, then 49 random bits. */
const CODE_PATTERN = /^(\d)([0-9A-Z]{10})$/;

interface NewCodes {
  codes: string[];
  hashes: string[];
}

/** Codes that take the place of a passkey at a sign-in, once each. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly states: PasskeyStateService,
    private readonly passwords: PasswordsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Replaces all codes of the user. PASSKEY_NEEDED without a recent confirmation, CONFLICT without a passkey. */
  async renew(user: SignedInUser, requestId: string): Promise<string[]> {
    const { passkeys } = await this.states.readConfirmed(user);
    if (passkeys === 0) throw new AppError('CONFLICT', () => t`Add a passkey first`);
    const created = await this.create();
    return this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK_ACCOUNT, [user.id]);
      return this.store(manager, user.id, created, requestId);
    });
  }

  /** New codes with their hashes; hashing takes a moment, so it is done before a transaction. */
  async create(): Promise<NewCodes> {
    const codes = Array.from({ length: RECOVERY_CODE_COUNT }, (_, number) => `${number}-${part()}-${part()}`);
    return { codes, hashes: await Promise.all(codes.map((code) => this.passwords.hash(readCode(code)?.secret ?? ''))) };
  }

  /** Stores new codes in place of all others, in the transaction of `manager`, and returns them. */
  async store(
    manager: EntityManager,
    userId: string,
    { codes, hashes }: NewCodes,
    requestId: string,
  ): Promise<string[]> {
    const repository = manager.getRepository(RecoveryCodeEntity);
    await repository.delete({ userId });
    const createdAt = this.now();
    await repository.insert(hashes.map((codeHash, number) => ({ userId, number, codeHash, createdAt, usedAt: null })));
    const event = { action: 'recovery-codes.made', actorId: userId, subject: userId, detail: {}, requestId };
    await recordAuditEvent(manager, event, createdAt);
    return codes;
  }

  /** The stored code that a typed one is; undefined for a wrong or used one. All answers take the same work. */
  async find(userId: string, typed: string): Promise<RecoveryCodeEntity | undefined> {
    const code = readCode(typed);
    const stored =
      code && (await this.dataSource.getRepository(RecoveryCodeEntity).findOneBy({ userId, number: code.number }));
    const isRight = await this.passwords.verify(stored?.codeHash ?? null, code?.secret ?? '');
    return stored && isRight && stored.usedAt === null ? stored : undefined;
  }

  /** Uses a code in the transaction of `manager`; false if another sign-in has used it in the meantime. */
  async use(manager: EntityManager, { userId, number, codeHash }: RecoveryCodeEntity): Promise<boolean> {
    const [used] = await manager.query(USE_RECOVERY_CODE, [userId, number, codeHash, this.now()]);
    return used.length > 0;
  }
}

const part = (): string => Array.from({ length: HALF_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** '3 k7qm2 9xprt' → number 3, secret K7QM29XPRT. */
function readCode(typed: string): { number: number; secret: string } | undefined {
  const [, number, secret] = CODE_PATTERN.exec(typed.toUpperCase().replace(/[^0-9A-Z]/g, '')) ?? [];
  return number === undefined || secret === undefined ? undefined : { number: Number(number), secret };
}

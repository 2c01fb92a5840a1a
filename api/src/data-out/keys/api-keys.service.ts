import { randomBytes, randomUUID } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { type ApiKey, type CreateApiKeyResponse, MAX_API_KEYS } from '@nivida/contract/data-out/api-keys';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager, type FindOptionsWhere, IsNull } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { UserEntity } from '../../auth/user.entity.ts';
import { AppError, forPrograms } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { lockAccount } from '../../database/locks.sql.ts';
import { type CountedWindow, RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import { windowsOf } from '../../http/limits/rate-limits.ts';
import type { Sender } from '../../http/security/client-address.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { ApiKeyEntity } from './api-key.entity.ts';

const KEY_PREFIX = 'nva_';
const KEY_BYTES = 32;
const KEY_PATTERN = /^nva_[\w-]{43}$/;
/** Length of the beginning that is stored and shown: 'nva_' and four characters, which do not help to guess the rest. */
const HINT_CHARACTERS = 8;
/** Name of the counters in the database. */
const LIMIT = 'api-key-account';
const WINDOWS = windowsOf('api-key', 'account');

const noKey = () => new AppError('NOT_FOUND', () => t`There is no such key`);

/** Keys with which programs of users read public data. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The user's keys that are not revoked, the newest first, with their calls. */
  async list(userId: string): Promise<ApiKey[]> {
    const keys = await this.dataSource
      .getRepository(ApiKeyEntity)
      .find({ where: { userId, revokedAt: IsNull() }, order: { createdAt: 'DESC', id: 'ASC' } });
    const counts = await this.limits.readCounts(
      LIMIT,
      keys.map(({ id }) => id),
    );
    return keys.map(({ id, name, hint, createdAt, usedAt }) => ({
      ...{ id, name, hint, createdAt: createdAt.toISOString(), usedAt: usedAt?.toISOString() ?? null },
      use: WINDOWS.map(({ max, perSeconds }) => {
        const counted = counts.find((each) => each.key === id && each.perSeconds === perSeconds);
        const calls = Math.min(counted?.count ?? 0, max);
        return { seconds: perSeconds, calls, limit: max, resetsAt: counted?.endsAt.toISOString() ?? null };
      }),
    }));
  }

  /** All keys of a user, also revoked ones, for the account export. */
  async exportKeys(userId: string) {
    const keys = await this.dataSource
      .getRepository(ApiKeyEntity)
      .find({ where: { userId }, order: { createdAt: 'ASC' } });
    return keys.map(({ id, name, hint, createdAt, usedAt, revokedAt }) => ({
      ...{ id, name, hint, createdAt: createdAt.toISOString() },
      usedAt: usedAt?.toISOString() ?? null,
      revokedAt: revokedAt?.toISOString() ?? null,
    }));
  }

  /** Makes a key and returns it; it is shown once. CONFLICT for the sixth one. */
  async add(userId: string, name: string, requestId: string): Promise<CreateApiKeyResponse> {
    const key = `${KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;
    const id = randomUUID();
    await this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, userId);
      const keys = manager.getRepository(ApiKeyEntity);
      if ((await keys.countBy({ userId, revokedAt: IsNull() })) >= MAX_API_KEYS)
        throw new AppError('CONFLICT', () => t`You can have at most ${{ max: MAX_API_KEYS }} keys`);
      const createdAt = this.now();
      const hint = key.slice(0, HINT_CHARACTERS);
      await keys.insert({ id, userId, name, hint, keySha256: sha256Hex(key), createdAt });
      const event = { action: 'api-key.added', actorId: userId, subject: id, detail: { hint }, requestId };
      await recordAuditEvent(manager, event, createdAt);
    });
    return { id, key };
  }

  /** Revokes a key of the user. NOT_FOUND for another one, and for one that is revoked. */
  async revoke(userId: string, id: string, requestId: string): Promise<void> {
    if (!UUID_REGEX.test(id)) throw noKey();
    await this.dataSource.transaction(async (manager) => {
      const { affected } = await manager
        .getRepository(ApiKeyEntity)
        .update({ id, userId, revokedAt: IsNull() }, { revokedAt: this.now() });
      if (!affected) throw noKey();
      const event = { action: 'api-key.revoked', actorId: userId, subject: id, detail: {}, requestId };
      await recordAuditEvent(manager, event, this.now());
    });
  }

  /** The operator revokes a key, named by its id or by itself as it was found. Returns its id and account. NOT_FOUND. */
  async revokeByOperator(idOrKey: string, act: OperatorAct): Promise<{ id: string; userId: string; hint: string }> {
    const named: FindOptionsWhere<ApiKeyEntity> | undefined = KEY_PATTERN.test(idOrKey)
      ? { keySha256: sha256Hex(idOrKey) }
      : UUID_REGEX.test(idOrKey)
        ? { id: idOrKey }
        : undefined;
    return this.dataSource.transaction(async (manager) => {
      const keys = manager.getRepository(ApiKeyEntity);
      const found = named && (await keys.findOneBy({ ...named, revokedAt: IsNull() }));
      if (!found) throw noKey();
      const { id, userId, hint } = found;
      await keys.update({ id }, { revokedAt: this.now() });
      await recordAct(manager, act, { action: 'api-key.revoked', subject: id, detail: { hint } }, this.now());
      return { id, userId, hint };
    });
  }

  /** Revokes all keys of a user; returns their number. */
  async revokeAll(manager: EntityManager, userId: string): Promise<number> {
    const { affected } = await manager
      .getRepository(ApiKeyEntity)
      .update({ userId, revokedAt: IsNull() }, { revokedAt: this.now() });
    return affected ?? 0;
  }

  /**
   * Counts a call of the key in an `Authorization: Key` header. Returns its windows, of which the last one has refused the call
   * if its count is above its maximum. UNAUTHENTICATED for an unknown or revoked key, and for one of a closed account;
   * TOO_MANY after many wrong ones.
   */
  async count(key: string, sender: Sender): Promise<CountedWindow[]> {
    const found = KEY_PATTERN.test(key)
      ? await this.dataSource.getRepository(ApiKeyEntity).findOneBy({ keySha256: sha256Hex(key), revokedAt: IsNull() })
      : null;
    const isOpen =
      found && (await this.dataSource.getRepository(UserEntity).existsBy({ id: found.userId, deletedAt: IsNull() }));
    if (!found || !isOpen) {
      await this.limits.consumeUnknownId(sender);
      throw new AppError('UNAUTHENTICATED', forPrograms('Send a key of your account: Authorization: Key nva_…'));
    }
    const now = this.now();
    if (!found.usedAt || now.getTime() - found.usedAt.getTime() >= MINUTE_MS)
      await this.dataSource.getRepository(ApiKeyEntity).update({ id: found.id }, { usedAt: now });
    return this.limits.countWindows(LIMIT, found.id, WINDOWS);
  }
}

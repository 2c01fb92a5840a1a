import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource, IsNull } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError, forPrograms } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import type { Sender } from '../../http/security/client-address.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { ImportKeyEntity } from './import-key.entity.ts';

const KEY_PREFIX = 'nvk_';
const KEY_BYTES = 32;
const KEY_PATTERN = /^nvk_[\w-]{43}$/;

/** A key as lists show it. */
export type ListedKey = Omit<ImportKeyEntity, 'keySha256'>;

/** What a new key is for. */
export interface KeyOptions {
  name: string;
  /** The only portal for which it sends files. */
  portal?: string | undefined;
  /** It sends copied lists only: a key of the bookmarklet. */
  listsOnly: boolean;
}

/** Keys with which programs and the bookmarklet send files. */
@Injectable()
export class ImportKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Makes a key and returns it; it is shown once. CONFLICT for a name that another key has. */
  async add(options: KeyOptions, createdBy: string, act: OperatorAct): Promise<{ id: string; key: string }> {
    const key = `${KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;
    return { id: await this.addDigest({ ...options, keySha256: sha256Hex(key) }, createdBy, act), key };
  }

  /** Adds a key that the browser of its owner has made. Returns its id. CONFLICT for a name that another key has. */
  async addDigest(options: KeyOptions & { keySha256: string }, createdBy: string, act: OperatorAct): Promise<string> {
    const { name, portal = null, listsOnly, keySha256 } = options;
    const id = randomUUID();
    await this.dataSource.transaction(async (manager) => {
      const added = await manager
        .createQueryBuilder()
        .insert()
        .into(ImportKeyEntity)
        .values({ id, name, portal, listsOnly, keySha256, createdAt: this.now(), createdBy })
        .orIgnore()
        .returning('id')
        .execute();
      if (added.raw.length === 0) throw new AppError('CONFLICT', () => t`There is a key “${name}” already`);
      const detail = { name, portal: portal ?? 'any', listsOnly };
      await recordAct(manager, act, { action: 'import-key.added', subject: id, detail }, this.now());
    });
    return id;
  }

  /** Ends a key by its id or name. NOT_FOUND for an unknown or revoked one. */
  async revoke(idOrName: string, act: OperatorAct): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const keys = manager.getRepository(ImportKeyEntity);
      const open = await keys.findBy({ revokedAt: IsNull() });
      const found = open.find(({ id, name }) => id === idOrName || name === idOrName);
      if (!found) throw new AppError('NOT_FOUND', () => t`There is no key “${idOrName}”`);
      await keys.update({ id: found.id }, { revokedAt: this.now() });
      const detail = { name: found.name };
      await recordAct(manager, act, { action: 'import-key.revoked', subject: found.id, detail }, this.now());
    });
  }

  /** All keys, the newest first. */
  async list(): Promise<ListedKey[]> {
    const keys = await this.dataSource.getRepository(ImportKeyEntity).find({ order: { createdAt: 'DESC' } });
    return keys.map(({ keySha256: _, ...key }) => key);
  }

  /** The key of an `Authorization: Bearer` header. UNAUTHENTICATED; TOO_MANY after many wrong or very many right calls. */
  async authenticate(authorization: string | undefined, sender: Sender): Promise<ImportKeyEntity> {
    const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]?.trim() ?? '';
    const key = await this.find(token);
    if (!key) {
      await this.limits.consumeUnknownId(sender);
      throw new AppError(
        'UNAUTHENTICATED',
        forPrograms('Send a key of this installation: Authorization: Bearer nvk_…'),
      );
    }
    await this.limits.consume('import', { account: key.id });
    const now = this.now();
    if (!key.usedAt || now.getTime() - key.usedAt.getTime() >= MINUTE_MS)
      await this.dataSource.getRepository(ImportKeyEntity).update({ id: key.id }, { usedAt: now });
    return key;
  }

  private async find(token: string): Promise<ImportKeyEntity | undefined> {
    if (!KEY_PATTERN.test(token)) return undefined;
    const keySha256 = sha256Hex(token);
    const key = await this.dataSource.getRepository(ImportKeyEntity).findOneBy({ keySha256, revokedAt: IsNull() });
    return key && timingSafeEqual(Buffer.from(key.keySha256), Buffer.from(keySha256)) ? key : undefined;
  }
}

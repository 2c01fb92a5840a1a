import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { AppError } from '../http/app-error.ts';
import { CLOCK, READ_POOL } from '../http/tokens.ts';
import type { UserEntity } from '../users/user.entity.ts';
import { AccessTokens, type Claims } from './access-token.ts';
import { SessionEntity } from './session.entity.ts';

const HOUR_MS = 3_600_000;
const SESSION_MS = 12 * HOUR_MS;
const REMEMBERED_MS = 30 * 24 * HOUR_MS;
const LONGEST_USER_AGENT = 300;

/** Who sends a request, and by which of his sessions. */
export interface SignedInUser {
  id: string;
  sessionId: string;
}

/** Starts sessions and recognises them; all processes share them through the database. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(AccessTokens) private readonly tokens: AccessTokens,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Signs a user in for 12 hours, or remembered for 30 days (RESOLUTIONS R11), and gives the token. */
  async start(user: UserEntity, remembered: boolean, userAgent: string): Promise<string> {
    const now = this.now();
    const session: SessionEntity = {
      id: randomUUID(),
      userId: user.id,
      tokenId: randomUUID(),
      previousTokenId: null,
      renewedAt: null,
      remembered,
      userAgent: userAgent.slice(0, LONGEST_USER_AGENT),
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + (remembered ? REMEMBERED_MS : SESSION_MS)),
      revokedAt: null,
    };
    await this.dataSource.getRepository(SessionEntity).insert(session);
    const claims = { sub: user.id, sid: session.id, jti: session.tokenId, name: user.username };
    return this.tokens.sign(claims, now, session.expiresAt);
  }

  /** Who sent this Authorization header; UNAUTHENTICATED, with one answer for every reason, when it is nobody. */
  async recognise(authorization: string | undefined): Promise<SignedInUser> {
    const now = this.now();
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    const claims = token === undefined ? undefined : await this.tokens.read(token, now);
    const lastUsedAt = claims && (await this.findLastUse(claims, now));
    if (!lastUsedAt) throw new AppError('UNAUTHENTICATED', 'Please sign in');
    if (now.getTime() - lastUsedAt.getTime() > HOUR_MS) await this.noteUse(claims.sid, now);
    return { id: claims.sub, sessionId: claims.sid };
  }

  /** When the session was last used; undefined when it has ended, or its account, or the token was replaced. */
  private async findLastUse({ sid, sub, jti }: Claims, now: Date): Promise<Date | undefined> {
    const { rows } = await this.pool.query<{ last_used_at: Date }>({
      name: 'session',
      text: `SELECT s.last_used_at FROM session s JOIN account a ON a.id = s.user_id
        WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $4 AND a.deleted_at IS NULL
        AND (s.token_id = $3 OR s.previous_token_id = $3 AND s.renewed_at > $4::timestamptz - interval '60 seconds')`,
      values: [sid, sub, jti, now],
    });
    return rows[0]?.last_used_at;
  }

  private async noteUse(id: string, now: Date): Promise<void> {
    await this.dataSource.query('UPDATE session SET last_used_at = $2 WHERE id = $1 AND last_used_at < $2', [id, now]);
  }
}

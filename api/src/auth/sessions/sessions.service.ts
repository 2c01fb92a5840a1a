import { randomUUID } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { SessionSummary } from '@nivida/contract/account/auth';
import type { Language } from '@nivida/contract/languages';
import { DAY_MS, HOUR_MS } from '@nivida/contract/time';
import type { Pool } from 'pg';
import { DataSource, type EntityManager, type FindOptionsWhere, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { AppError, signInRequired } from '../../base/app-error.ts';
import { CLOCK, latestPlausibleInstant, READ_POOL } from '../../base/injection-tokens.ts';
import { LOCK_ACCOUNT, RENEW_SESSION, RENEWED_SESSION, REVOKE_SURPLUS_SESSIONS, VALID_SESSION } from '../auth.sql.ts';
import { UserEntity } from '../user.entity.ts';
import { AccessTokens, type TokenClaims } from './access-token.ts';
import { SessionEntity } from './session.entity.ts';

const SESSION_MS = 12 * HOUR_MS;
const REMEMBERED_MS = 30 * DAY_MS;
const MAX_REMEMBERED_MS = 180 * DAY_MS;
const MAX_SESSIONS = 10;
const MAX_USER_AGENT_CHARACTERS = 300;

/** The user of a request, and the session. */
export interface SignedInUser {
  id: string;
  sessionId: string;
  /** The time of the sign-in of this session. */
  signedInAt: Date;
}

/** A passkey that a session begins with. */
export interface ShownInSession {
  passkeyId: string;
  /** Whether it is on the device of the session, not on a phone beside it. */
  isHere: boolean;
}

/** Starts, renews, authenticates and ends sessions; all processes share them through the database. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    private readonly dataSource: DataSource,
    private readonly tokens: AccessTokens,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Signs a user in for 12 hours, or for 30 days when remembered (R11), and returns the token. A user has at most ten
   * sessions: the eleventh ends the oldest.
   */
  async start(
    user: UserEntity,
    remembered: boolean,
    userAgent: string,
    manager: EntityManager = this.dataSource.manager,
    shown?: ShownInSession,
  ): Promise<string> {
    const now = this.now();
    const session: SessionEntity = {
      id: randomUUID(),
      userId: user.id,
      tokenId: randomUUID(),
      previousTokenId: null,
      renewedAt: null,
      remembered,
      userAgent: userAgent.slice(0, MAX_USER_AGENT_CHARACTERS),
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + (remembered ? REMEMBERED_MS : SESSION_MS)),
      revokedAt: null,
      passkeyAt: shown ? now : null,
      passkeyId: shown?.passkeyId ?? null,
      isPasskeyHere: shown?.isHere ?? false,
      passwordAt: null,
      deskUsedAt: null,
    };
    await manager.transaction(async (transaction) => {
      // Serialises the sign-ins of one user, so that parallel ones cannot exceed the limit.
      await transaction.query(LOCK_ACCOUNT, [user.id]);
      await transaction.getRepository(SessionEntity).insert(session);
      await transaction.query(REVOKE_SURPLUS_SESSIONS, [user.id, now, session.id, MAX_SESSIONS]);
    });
    return this.signToken(user.id, user.username, session);
  }

  /** The id of the user for a call that needs no session; null without one, and when it has ended. */
  async findUserId(authorization: string | undefined): Promise<string | null> {
    if (authorization === undefined) return null;
    try {
      return (await this.authenticate(authorization)).id;
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED') return null;
      throw error;
    }
  }

  /**
   * The user of an Authorization header. UNAUTHENTICATED when it is not valid; the answer does not reveal the reason.
   * `language` is one that the user has chosen; it becomes the account's.
   */
  async authenticate(authorization: string | undefined, language?: Language): Promise<SignedInUser> {
    const now = this.now();
    const claims = await this.readClaims(authorization, now);
    const session = claims && (await this.find(claims, now));
    if (!session) throw signInRequired();
    if (now.getTime() - session.last_used_at.getTime() > HOUR_MS) await this.updateLastUsed(claims.sid, now);
    if (language !== undefined && language !== session.language)
      // A call is not refused for it; the next one repeats it.
      await this.dataSource
        .getRepository(UserEntity)
        .update({ id: claims.sub, language: Not(language) }, { language })
        .catch(() => undefined);
    return { id: claims.sub, sessionId: claims.sid, signedInAt: session.created_at };
  }

  /**
   * A token that replaces the one in use. A remembered session is extended to 30 days from now, at most 180 days from the
   * sign-in. Other sessions are not extended. Tabs that renew within the same minute get tokens with the same id, so all of
   * them are valid. UNAUTHENTICATED when the session has ended.
   */
  async renew({ id: userId, sessionId }: SignedInUser): Promise<string> {
    const now = this.now();
    await this.dataSource.query(RENEW_SESSION, [
      sessionId,
      randomUUID(),
      now,
      new Date(now.getTime() + REMEMBERED_MS),
      MAX_REMEMBERED_MS,
    ]);
    const rows: { username: string; token_id: string; expires_at: Date }[] = await this.dataSource.query(
      RENEWED_SESSION,
      [sessionId, now],
    );
    const [row] = rows;
    if (!row) throw signInRequired();
    return this.signToken(userId, row.username, { id: sessionId, tokenId: row.token_id, expiresAt: row.expires_at });
  }

  /** The user's active sessions, most recently used first. */
  async list({ id, sessionId }: SignedInUser): Promise<SessionSummary[]> {
    const rows: SessionEntity[] = await this.dataSource
      .getRepository(SessionEntity)
      .createQueryBuilder('session')
      .where('session.userId = :id AND session.revokedAt IS NULL AND session.expiresAt > :now', { id, now: this.now() })
      .orderBy('session.lastUsedAt', 'DESC')
      .addOrderBy('session.createdAt', 'DESC')
      .getMany();
    return rows.map((session) => ({
      id: session.id,
      userAgent: session.userAgent,
      signedInAt: session.createdAt.toISOString(),
      lastUsedAt: session.lastUsedAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      isCurrent: session.id === sessionId,
    }));
  }

  /**
   * Ends the session of this Authorization header. An ended session is no error: a device repeats the call until it has an
   * answer. UNAUTHENTICATED for a token that we did not sign or that has expired.
   */
  async signOut(authorization: string | undefined): Promise<void> {
    const claims = await this.readClaims(authorization, this.now());
    if (!claims) throw signInRequired();
    await this.endWhere(this.dataSource.manager, { userId: claims.sub, id: claims.sid });
  }

  /** Ends one of the user's sessions. A trigger in the database removes the push subscription of its device. NOT_FOUND for any other id. */
  async end(userId: string, sessionId: string): Promise<void> {
    const ended =
      UUID_REGEX.test(sessionId) && (await this.endWhere(this.dataSource.manager, { userId, id: sessionId })) > 0;
    if (!ended) throw new AppError('NOT_FOUND', () => t`Session not found`);
  }

  /** Ends all sessions of a user except `exceptSessionId`, in the transaction of `manager`. Returns their number. */
  endAll(manager: EntityManager, userId: string, exceptSessionId?: string): Promise<number> {
    return this.endWhere(manager, { userId, ...(exceptSessionId && { id: Not(exceptSessionId) }) });
  }

  private async endWhere(manager: EntityManager, sessions: FindOptionsWhere<SessionEntity>): Promise<number> {
    const now = this.now();
    const { affected } = await manager
      .getRepository(SessionEntity)
      .update({ ...sessions, revokedAt: IsNull(), expiresAt: MoreThan(now) }, { revokedAt: now });
    return affected ?? 0;
  }

  private async readClaims(authorization: string | undefined, now: Date): Promise<TokenClaims | undefined> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    return token === undefined ? undefined : this.tokens.read(token, now);
  }

  private signToken(
    userId: string,
    username: string,
    session: Pick<SessionEntity, 'id' | 'tokenId' | 'expiresAt'>,
  ): Promise<string> {
    const claims = { sub: userId, sid: session.id, jti: session.tokenId, name: username };
    return this.tokens.sign(claims, this.now(), session.expiresAt);
  }

  /** Undefined when the session has ended, its account was deleted, or the token was replaced. */
  private async find({ sid, sub, jti }: TokenClaims, now: Date) {
    const { rows } = await this.pool.query<{ created_at: Date; last_used_at: Date; language: Language }>({
      name: 'session',
      text: VALID_SESSION,
      // A later start was written by a clock that has been set back since.
      values: [sid, sub, jti, now, latestPlausibleInstant(now)],
    });
    return rows[0];
  }

  private async updateLastUsed(id: string, now: Date): Promise<void> {
    await this.dataSource.getRepository(SessionEntity).update({ id, lastUsedAt: LessThan(now) }, { lastUsedAt: now });
  }
}

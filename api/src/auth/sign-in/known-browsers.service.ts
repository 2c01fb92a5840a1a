import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../../config.ts';
import { CLOCK, CLOCK_TOLERANCE_SECONDS, CONFIG } from '../../http/injection-tokens.ts';
import { cookieName, privateCookie, sha256Hex } from '../../http/security/cookies.ts';

/** The cookie by which a browser that signed in before is known. */
const DEVICE_COOKIE = 'device';

const TOKEN_BYTES = 32;
const COOKIE_LIFETIME_SECONDS = 180 * 86_400;

/**
 * The token of a known browser. The name without `__Host-` still counts over https: an earlier version gave it, and a
 * forged one opens nothing.
 */
export const readDeviceCookie = (cookies: Record<string, string | undefined>): string | undefined =>
  cookies[`__Host-${DEVICE_COOKIE}`] ?? cookies[DEVICE_COOKIE];

/** Browsers that signed in before. Being one opens nothing: it only keeps its failures apart from those of strangers. */
@Injectable()
export class KnownBrowsersService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The counter that a browser's failures for a number belong to: '' when it never signed in to it. */
  async failureCounter(token: string | undefined, mobileNo: string): Promise<string> {
    const hash = sha256Hex(token ?? '');
    // Asked also without a cookie and for numbers without an account: all answers take the same time.
    const known: unknown[] = await this.dataSource.query(
      `SELECT 1 FROM known_device d JOIN account a ON a.id = d.user_id
       WHERE d.token_hash = $1 AND a.mobile_no = $2 AND d.expires_at > $3
         AND d.expires_at <= $3::timestamptz + $4 * interval '1 second'`,
      [hash, mobileNo, this.now(), COOKIE_LIFETIME_SECONDS + CLOCK_TOLERANCE_SECONDS],
    );
    return known.length > 0 ? hash : '';
  }

  /** Makes a browser a known one of an account for 180 days; gives its token, a new one unless it had one of ours. */
  async remember(manager: EntityManager, token: string | undefined, userId: string): Promise<string> {
    const own = token !== undefined && (await this.isStoredToken(manager, token));
    const storedToken = own ? token : randomBytes(TOKEN_BYTES).toString('base64url');
    await manager.query(
      `INSERT INTO known_device (token_hash, user_id, expires_at) VALUES ($1, $2, $3)
       ON CONFLICT (token_hash, user_id) DO UPDATE SET expires_at = excluded.expires_at`,
      [sha256Hex(storedToken), userId, new Date(this.now().getTime() + COOKIE_LIFETIME_SECONDS * 1_000)],
    );
    return storedToken;
  }

  /** The cookie that carries a token, as Fastify's `setCookie` takes it. */
  cookie(token: string): ReturnType<typeof privateCookie> {
    return privateCookie(this.config, { name: DEVICE_COOKIE, value: token, seconds: COOKIE_LIFETIME_SECONDS });
  }

  /** The name of an earlier version's cookie that the new one replaces; undefined where the name is the same. */
  get outdatedCookie(): string | undefined {
    return cookieName(this.config, DEVICE_COOKIE) === DEVICE_COOKIE ? undefined : DEVICE_COOKIE;
  }

  /** Anybody can send a cookie of his own choice. */
  private async isStoredToken(manager: EntityManager, token: string): Promise<boolean> {
    const made: unknown[] = await manager.query('SELECT 1 FROM known_device WHERE token_hash = $1 LIMIT 1', [
      sha256Hex(token),
    ]);
    return made.length > 0;
  }
}

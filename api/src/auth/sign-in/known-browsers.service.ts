import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DAY_SECONDS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../../config.ts';
import { CLOCK, CLOCK_TOLERANCE_SECONDS, CONFIG } from '../../http/injection-tokens.ts';
import { cookieName, privateCookie, sha256Hex } from '../../http/security/cookies.ts';
import { KNOWN_BROWSER, STORED_BROWSER_TOKEN, UPSERT_KNOWN_BROWSER } from '../auth.sql.ts';

/** The cookie that identifies a browser that signed in before. */
const DEVICE_COOKIE = 'device';

const TOKEN_BYTES = 32;
const COOKIE_LIFETIME_SECONDS = 180 * DAY_SECONDS;

/**
 * The token of a known browser. The name without `__Host-` is still read over https: an earlier version set it, and a
 * forged cookie gives no access.
 */
export const readDeviceCookie = (cookies: Record<string, string | undefined>): string | undefined =>
  cookies[`__Host-${DEVICE_COOKIE}`] ?? cookies[DEVICE_COOKIE];

/** Browsers that signed in before. They get no access by it; only their failures are counted separately. */
@Injectable()
export class KnownBrowsersService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The failure counter of a browser for a mobile number: '' when it never signed in to it. */
  async failureCounter(token: string | undefined, mobileNo: string): Promise<string> {
    const hash = sha256Hex(token ?? '');
    // Also runs without a cookie or an account, so that all answers take the same time.
    const known: unknown[] = await this.dataSource.query(KNOWN_BROWSER, [
      hash,
      mobileNo,
      this.now(),
      COOKIE_LIFETIME_SECONDS + CLOCK_TOLERANCE_SECONDS,
    ]);
    return known.length > 0 ? hash : '';
  }

  /** Remembers a browser of an account for 180 days. Returns its token, a new one unless we issued the given one. */
  async remember(manager: EntityManager, token: string | undefined, userId: string): Promise<string> {
    const own = token !== undefined && (await this.isStoredToken(manager, token));
    const storedToken = own ? token : randomBytes(TOKEN_BYTES).toString('base64url');
    await manager.query(UPSERT_KNOWN_BROWSER, [
      sha256Hex(storedToken),
      userId,
      new Date(this.now().getTime() + COOKIE_LIFETIME_SECONDS * 1_000),
    ]);
    return storedToken;
  }

  /** Arguments of Fastify's `setCookie` for a token. */
  cookie(token: string): ReturnType<typeof privateCookie> {
    return privateCookie(this.config, { name: DEVICE_COOKIE, value: token, seconds: COOKIE_LIFETIME_SECONDS });
  }

  /** The cookie name of an earlier version that the new one replaces; undefined when the name is the same. */
  get outdatedCookie(): string | undefined {
    return cookieName(this.config, DEVICE_COOKIE) === DEVICE_COOKIE ? undefined : DEVICE_COOKIE;
  }

  /** Whether we issued the token; a client may send any cookie. */
  private async isStoredToken(manager: EntityManager, token: string): Promise<boolean> {
    const made: unknown[] = await manager.query(STORED_BROWSER_TOKEN, [sha256Hex(token)]);
    return made.length > 0;
  }
}

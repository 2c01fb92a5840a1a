import { randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../config.ts';
import { digest } from '../http/digest.ts';
import { CLOCK, CONFIG } from '../http/tokens.ts';

/** The cookie by which a browser that signed in before is known. */
export const DEVICE_COOKIE = 'device';

const TOKEN_BYTES = 32;
const LIFE_SECONDS = 180 * 86_400;

/** Browsers that signed in before. Being one opens nothing: it only keeps its failures apart from those of strangers. */
@Injectable()
export class DevicesService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The counter that a browser's failures for a number belong to: '' when it never signed in to it. */
  async counterFor(token: string | undefined, mobileNo: string): Promise<string> {
    const hash = digest(token ?? '');
    // Asked also without a cookie and for numbers without an account: all answers take the same time.
    const known: unknown[] = await this.dataSource.query(
      `SELECT 1 FROM known_device d JOIN account a ON a.id = d.user_id
       WHERE d.token_hash = $1 AND a.mobile_no = $2 AND d.expires_at > $3`,
      [hash, mobileNo, this.now()],
    );
    return known.length > 0 ? hash : '';
  }

  /** Makes a browser a known one of an account for 180 days; gives its token, a new one unless it had one of ours. */
  async remember(manager: EntityManager, token: string | undefined, userId: string): Promise<string> {
    const own = token !== undefined && (await this.isOurs(manager, token));
    const kept = own ? token : randomBytes(TOKEN_BYTES).toString('base64url');
    await manager.query(
      `INSERT INTO known_device (token_hash, user_id, expires_at) VALUES ($1, $2, $3)
       ON CONFLICT (token_hash, user_id) DO UPDATE SET expires_at = excluded.expires_at`,
      [digest(kept), userId, new Date(this.now().getTime() + LIFE_SECONDS * 1_000)],
    );
    return kept;
  }

  /** The cookie that carries a token, as Fastify's `setCookie` takes it. */
  cookie(token: string): [string, string, CookieSerializeOptions] {
    return [
      DEVICE_COOKIE,
      token,
      {
        httpOnly: true,
        sameSite: 'strict',
        secure: this.config.publicOrigin.startsWith('https:'),
        // The calls have two path conventions, so no narrower one fits.
        path: '/',
        maxAge: LIFE_SECONDS,
      },
    ];
  }

  /** Anybody can send a cookie of his own choice. */
  private async isOurs(manager: EntityManager, token: string): Promise<boolean> {
    const made: unknown[] = await manager.query('SELECT 1 FROM known_device WHERE token_hash = $1 LIMIT 1', [
      digest(token),
    ]);
    return made.length > 0;
  }
}

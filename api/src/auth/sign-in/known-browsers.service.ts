import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../../base/config.ts';
import { CLOCK, CLOCK_TOLERANCE_SECONDS, CONFIG } from '../../base/injection-tokens.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { createDevice, DEVICE_COOKIE_SECONDS, deviceCookie, verifyDevice } from '../../http/security/devices.ts';
import { KNOWN_BROWSER, UPSERT_KNOWN_BROWSER } from '../auth.sql.ts';

/** Browsers that signed in before. Their failures are counted separately; they get no other privilege. */
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
      DEVICE_COOKIE_SECONDS + CLOCK_TOLERANCE_SECONDS,
    ]);
    return known.length > 0 ? hash : '';
  }

  /** Remembers a browser of an account for 180 days. Returns the given token if we issued it, else a new one. */
  async remember(manager: EntityManager, token: string | undefined, userId: string): Promise<string> {
    const own = token !== undefined && verifyDevice(token, this.config, this.now()) !== undefined;
    const storedToken = own ? token : createDevice(this.config, this.now());
    await manager.query(UPSERT_KNOWN_BROWSER, [
      sha256Hex(storedToken),
      userId,
      new Date(this.now().getTime() + DEVICE_COOKIE_SECONDS * 1_000),
    ]);
    return storedToken;
  }

  /** Arguments of Fastify's `setCookie` for a token. */
  cookie(token: string): ReturnType<typeof deviceCookie> {
    return deviceCookie(this.config, token);
  }
}

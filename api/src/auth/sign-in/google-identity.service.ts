/** Sign-in by Google, enabled by GOOGLE_CLIENT_ID. */
import { randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { MINUTE_SECONDS } from '@nivida/contract/time';
import type { FastifyRequest } from 'fastify';
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { EntityManager } from 'typeorm';
import * as v from 'valibot';
import { AppError, nothingHere } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CLOCK_TOLERANCE_SECONDS, CONFIG } from '../../base/injection-tokens.ts';
import { cookieName, privateCookie, sha256Hex } from '../../http/security/cookies.ts';
import { USE_NONCE } from '../auth.sql.ts';

/** `JWTVerifyGetKey` of Google's signing keys; tests bind the keys of their own server. */
export const GOOGLE_KEYS = Symbol('google keys');

/** Google's keys, fetched with the first token and again when a token names an unknown key. */
export const googleKeys = (): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL('https://www.googleapis.com/oauth2/v3/certs'));

const GOOGLE_ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];

const NONCE_COOKIE = 'google_nonce';
/** From the nonce to the ID token. */
const MAX_SIGN_IN_SECONDS = 10 * MINUTE_SECONDS;

const IdentityClaims = v.object({
  sub: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
  nonce: v.string(),
  email: v.optional(v.string()),
  email_verified: v.optional(v.boolean()),
});

/** Whom an ID token is about. */
export interface GoogleIdentity {
  subject: string;
  /** Undefined for an address that Google has not verified: it proves nothing. */
  email: string | undefined;
  /** Digest of the token's nonce. */
  nonceHash: string;
}

/** INVALID: the same for every token that is not accepted. */
export const googleRefused = () => new AppError('INVALID', () => t`Failed to login with google`);

/** Verifies ID tokens of Google. Each needs a nonce that this server gave to the same browser, and works once. */
@Injectable()
export class GoogleIdentityService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(GOOGLE_KEYS) private readonly keys: JWTVerifyGetKey,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** A nonce for an ID token, and the arguments of Fastify's `setCookie` that bind it to the browser. */
  begin(): { nonce: string; cookie: ReturnType<typeof privateCookie> } {
    const value = randomBytes(32).toString('base64url');
    const cookie = privateCookie(this.config, { name: NONCE_COOKIE, value, seconds: MAX_SIGN_IN_SECONDS });
    return { nonce: sha256Hex(value), cookie };
  }

  /** The secret of the browser's nonce; undefined without the cookie. */
  nonceSecretOf(cookies: Record<string, string | undefined>): string | undefined {
    return cookies[cookieName(this.config, NONCE_COOKIE)];
  }

  /**
   * The identity of a token that Google issued for this app in the last 10 minutes, for the nonce of this browser. INVALID for
   * other tokens, GATEWAY without Google's keys.
   */
  async verify(token: string, nonceSecret: string | undefined): Promise<GoogleIdentity> {
    try {
      const { payload } = await jwtVerify(token, this.keys, {
        algorithms: ['RS256'],
        issuer: GOOGLE_ISSUERS,
        audience: this.config.googleClientId ?? '',
        requiredClaims: ['iat', 'exp', 'sub', 'nonce'],
        maxTokenAge: MAX_SIGN_IN_SECONDS,
        currentDate: this.now(),
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      const { sub: subject, nonce, email, email_verified: isVerified } = v.parse(IdentityClaims, payload);
      if (nonceSecret === undefined || nonce !== sha256Hex(nonceSecret)) throw googleRefused();
      return { subject, email: isVerified ? email || undefined : undefined, nonceHash: sha256Hex(nonce) };
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw isKeyFetchError(error) ? new AppError('GATEWAY', () => t`Failed to login with google`) : googleRefused();
    }
  }

  /** Uses the nonce of a verified token, in the transaction of `manager`. INVALID when it was used before. */
  async consume(manager: EntityManager, { nonceHash }: GoogleIdentity): Promise<void> {
    const now = this.now();
    // The token is refused by its age after that.
    const end = new Date(now.getTime() + 2 * MAX_SIGN_IN_SECONDS * 1_000);
    const used: unknown[] = await manager.query(USE_NONCE, [nonceHash, end]);
    if (used.length === 0) throw googleRefused();
  }
}

/** Whether Google's keys could not be fetched; the token may then be valid. */
function isKeyFetchError(error: unknown): boolean {
  if (error instanceof v.ValiError) return false;
  // jose throws its base class for an answer that is not 200 or not JSON.
  const isAboutToken = error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC';
  return !isAboutToken || error instanceof errors.JWKSTimeout;
}

/** Admits calls of `auth/{provider}` for configured providers; NOT_FOUND for any other. */
@Injectable()
export class ProviderGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { provider: string } }>>();
    if (params.provider !== 'google' || this.config.googleClientId === undefined) throw nothingHere();
    return true;
  }
}

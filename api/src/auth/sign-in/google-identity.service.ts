/** Sign-in by Google, enabled by GOOGLE_CLIENT_ID. */
import { t } from '@lingui/core/macro';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as v from 'valibot';
import { AppError, nothingHere } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CLOCK_TOLERANCE_SECONDS, CONFIG } from '../../base/injection-tokens.ts';

/** `JWTVerifyGetKey` of Google's signing keys; tests bind the keys of their own server. */
export const GOOGLE_KEYS = Symbol('google keys');

/** Google's keys, fetched with the first token and again when a token names an unknown key. */
export const googleKeys = (): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL('https://www.googleapis.com/oauth2/v3/certs'));

const GOOGLE_ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];

// An address that Google has not verified proves nothing.
const IdentityClaims = v.object({ email: v.pipe(v.string(), v.nonEmpty()), email_verified: v.literal(true) });

/** Verifies ID tokens of Google. */
@Injectable()
export class GoogleIdentityService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(GOOGLE_KEYS) private readonly keys: JWTVerifyGetKey,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The verified e-mail of a token that Google issued for this app. INVALID for other tokens, GATEWAY without Google's keys. */
  async verifiedEmail(token: string): Promise<string> {
    try {
      const { payload } = await jwtVerify(token, this.keys, {
        algorithms: ['RS256'],
        issuer: GOOGLE_ISSUERS,
        audience: this.config.googleClientId ?? '',
        requiredClaims: ['iat', 'exp', 'sub'],
        currentDate: this.now(),
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return v.parse(IdentityClaims, payload).email;
    } catch (error) {
      throw new AppError(isKeyFetchError(error) ? 'GATEWAY' : 'INVALID', () => t`Failed to login with google`);
    }
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

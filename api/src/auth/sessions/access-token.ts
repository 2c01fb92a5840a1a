/** The signed token that identifies a session. It contains nothing secret from its user. */
import { createHash } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import { CLOCK_TOLERANCE_SECONDS } from '../../base/injection-tokens.ts';

const TOKEN_ALGORITHM = 'HS256';
const TOKEN_TYPE = 'at+jwt';
const TOKEN_AUDIENCE = 'tender-pwa';

const TokenClaims = v.object({
  sub: v.pipe(v.string(), v.uuid()),
  sid: v.pipe(v.string(), v.uuid()),
  jti: v.pipe(v.string(), v.uuid()),
  name: v.string(),
});
/** The user (`sub`, `name`), the session (`sid`), and the id of the token within the session (`jti`). */
export type TokenClaims = v.InferOutput<typeof TokenClaims>;

/** Signs with the first session key and verifies with all of them, selected by key id. */
export class AccessTokens {
  private readonly keys: ReadonlyMap<string, Uint8Array>;

  /** `issuer` is the public origin: a token of another installation is invalid, even under the same key. */
  constructor(
    sessionKeys: readonly string[],
    private readonly issuer: string,
  ) {
    // The key id is a digest of the key, so all processes derive the same one.
    const nameOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 16);
    this.keys = new Map(sessionKeys.map((key) => [nameOf(key), new TextEncoder().encode(key)]));
  }

  /** A token that is valid from `from` until `until`. */
  sign({ sub, sid, jti, name }: TokenClaims, from: Date, until: Date): Promise<string> {
    const [current] = this.keys;
    if (!current) throw new Error('There is no session key to sign with');
    const [kid, key] = current;
    return new SignJWT({ sid, name })
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid })
      .setIssuer(this.issuer)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(sub)
      .setJti(jti)
      .setIssuedAt(from)
      .setNotBefore(from)
      .setExpirationTime(until)
      .sign(key);
  }

  /** The claims of a token that is valid at `now`; undefined for any other text. */
  async read(token: string, now: Date): Promise<TokenClaims | undefined> {
    try {
      const { payload } = await jwtVerify(token, ({ kid = '' }) => this.findKey(kid), {
        algorithms: [TOKEN_ALGORITHM],
        typ: TOKEN_TYPE,
        issuer: this.issuer,
        audience: TOKEN_AUDIENCE,
        requiredClaims: ['iat', 'nbf', 'exp'],
        currentDate: now,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return v.parse(TokenClaims, payload);
    } catch {
      // The error depends on the token only. Its reason must reach neither the client nor a log.
      return undefined;
    }
  }

  private findKey(kid: string): Uint8Array {
    const key = this.keys.get(kid);
    if (!key) throw new Error('Unknown key');
    return key;
  }
}

import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { AccessTokens } from './access-token.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const LATER = new Date('2026-11-10T23:30:00+05:30');
const ORIGIN = 'https://nivida.example';
const CURRENT = 'current-key-0123456789-0123456789';
const PREVIOUS = 'previous-key-0123456789-0123456789';
const CLAIMS = {
  sub: '5b0f54d0-8f6c-4d8e-9d0a-0a8a3f0d6a11',
  sid: '0b7f6a52-3c1d-4f57-8d7e-2f9a54f7c122',
  jti: '9d1c7f3e-62b8-4a53-b1a5-7c1f0e2d9b33',
  name: 'Asha Verma',
};

const tokens = new AccessTokens([CURRENT, PREVIOUS], ORIGIN);

describe('a token', () => {
  test('contains its user, session, issuer, audience and lifetime, and nothing else', async () => {
    const token = await tokens.sign(CLAIMS, NOW, LATER);
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'HS256',
      typ: 'at+jwt',
      kid: createHash('sha256').update(CURRENT).digest('hex').slice(0, 16),
    });
    expect(decodeJwt(token)).toEqual({
      iss: 'https://nivida.example',
      aud: 'tender-pwa',
      iat: NOW.getTime() / 1000,
      nbf: NOW.getTime() / 1000,
      exp: LATER.getTime() / 1000,
      ...CLAIMS,
    });
  });

  test('is valid from its first second to its last', async () => {
    const token = await tokens.sign(CLAIMS, NOW, LATER);
    const at = (instant: Date, seconds: number) => tokens.read(token, new Date(instant.getTime() + seconds * 1000));
    expect(await at(NOW, 0)).toEqual(CLAIMS);
    expect(await at(LATER, -1)).toEqual(CLAIMS);
    expect(await at(LATER, 60)).toBeUndefined();
    expect(await at(NOW, -60)).toBeUndefined();
  });

  test('of a server whose clock runs a few seconds ahead is valid at once', async () => {
    const token = await tokens.sign(CLAIMS, new Date(NOW.getTime() + 3_000), LATER);
    expect(await tokens.read(token, NOW)).toEqual(CLAIMS);
  });
});

describe('when the keys are rotated', () => {
  test('tokens of the previous key are still valid, new ones are signed with the current', async () => {
    const old = await new AccessTokens([PREVIOUS], ORIGIN).sign(CLAIMS, NOW, LATER);
    expect(await tokens.read(old, NOW)).toEqual(CLAIMS);
    const fresh = await tokens.sign(CLAIMS, NOW, LATER);
    expect(await new AccessTokens([PREVIOUS], ORIGIN).read(fresh, NOW)).toBeUndefined();
    expect(await new AccessTokens([CURRENT], ORIGIN).read(fresh, NOW)).toEqual(CLAIMS);
  });

  test('tokens of a removed key are not valid', async () => {
    const old = await new AccessTokens([PREVIOUS], ORIGIN).sign(CLAIMS, NOW, LATER);
    expect(await new AccessTokens([CURRENT], ORIGIN).read(old, NOW)).toBeUndefined();
  });
});

test('a token of another installation is not valid, even under the same key', async () => {
  const token = await new AccessTokens([CURRENT], 'https://staging.example').sign(CLAIMS, NOW, LATER);
  expect(await tokens.read(token, NOW)).toBeUndefined();
});

test('without a key nothing is signed', () => {
  expect(() => new AccessTokens([], ORIGIN).sign(CLAIMS, NOW, LATER)).toThrow('There is no session key to sign with');
});

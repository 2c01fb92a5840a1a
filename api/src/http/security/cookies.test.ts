import { expect, test } from 'vitest';
import { cookieName, privateCookie, sha256Hex } from './cookies.ts';

const COOKIE = { name: 'device', value: 'token', seconds: 600 };

test('over https a cookie is bound to the host, and never sent without TLS, to scripts or to other sites', () => {
  const site = { publicOrigin: 'https://nivida.example' };
  expect(cookieName(site, 'device')).toBe('__Host-device');
  expect(privateCookie(site, COOKIE)).toEqual([
    '__Host-device',
    'token',
    { httpOnly: true, sameSite: 'strict', secure: true, path: '/', maxAge: 600 },
  ]);
});

test('over http it has its plain name, which browsers accept without TLS', () => {
  const site = { publicOrigin: 'http://localhost:3000' };
  expect(cookieName(site, 'device')).toBe('device');
  expect(privateCookie(site, COOKIE)).toEqual([
    'device',
    'token',
    { httpOnly: true, sameSite: 'strict', secure: false, path: '/', maxAge: 600 },
  ]);
});

test('tokens are stored as SHA-256 in hex', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

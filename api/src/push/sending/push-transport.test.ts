/** The encryption and signature of pushes; the pushes themselves are tested with a push service. */
import { createECDH, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deriveVapidKeys, isCurvePoint, isVapidKeyPair, vapidKeyId } from '../../base/vapid-keys.ts';
import type { PushDevice } from './delivery.ts';
import { InvalidSubscriptionError, MissingSettingError, PushTransport } from './push-transport.ts';
import { Sealer, SealThreadError } from './sealer.ts';

const KEYS = deriveVapidKeys('the key of the tests');
const OTHER_KEYS = deriveVapidKeys('another key');
const NOW = new Date('2026-11-10T06:00:00Z');
const HOUR_MS = 3_600_000;

const device = (changes: Partial<PushDevice> = {}): PushDevice =>
  ({
    ...{ id: 'd1', host: 'fcm.googleapis.com', endpoint: 'https://fcm.googleapis.com/fcm/send/abc' },
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
    vapidKid: vapidKeyId(KEYS.publicKey),
    ...changes,
  }) as PushDevice;

describe('a sealed push', () => {
  const transport = new PushTransport({
    vapidKeys: [KEYS, OTHER_KEYS],
    vapidSubject: 'mailto:help@nivida.example',
    pushHosts: ['fcm.googleapis.com', 'web.push.apple.com'],
    pushWindow: 100,
  });
  const envelope = { ttl: 90, urgency: 'high' as const, topic: 'closing-7' };
  const seal = (changes: Partial<PushDevice> = {}) => transport.seal(device(changes), 'Closing tomorrow', envelope);
  const authorization = async (changes: Partial<PushDevice> = {}) =>
    String((await seal(changes)).headers.Authorization);
  const tokenOf = (header: string) => decodeJwt(/^vapid t=([^,]+),/.exec(header)?.[1] ?? '');

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => transport.close());

  test('has the headers of its message, a body that is not readable, and the address of its device', async () => {
    const { url, headers, body } = await seal();
    expect(url.href).toBe('https://fcm.googleapis.com/fcm/send/abc');
    expect(headers).toMatchObject({ TTL: 90, Urgency: 'high', Topic: 'closing-7', 'Content-Encoding': 'aes128gcm' });
    expect(Buffer.from(body).includes('Closing')).toBe(false);
  });

  test('is signed for its push service and for twelve hours, with the key that its device subscribed with', async () => {
    const header = await authorization();
    expect(header).toMatch(new RegExp(`, k=${KEYS.publicKey}$`));
    expect(tokenOf(header)).toEqual({
      aud: 'https://fcm.googleapis.com',
      exp: NOW.getTime() / 1_000 + 12 * 3_600,
      sub: 'mailto:help@nivida.example',
    });
    const other = await authorization({ vapidKid: vapidKeyId(OTHER_KEYS.publicKey) });
    expect(other).toMatch(new RegExp(`, k=${OTHER_KEYS.publicKey}$`));
    const apple = await authorization({ host: 'web.push.apple.com', endpoint: 'https://web.push.apple.com/x' });
    expect(tokenOf(apple).aud).toBe('https://web.push.apple.com');
    expect(tokenOf(await authorization()).aud).toBe('https://fcm.googleapis.com');
  });

  test('has the signature of the one before for eleven hours, and a new one then or when the clock was set back', async () => {
    vi.setSystemTime(NOW.getTime() + 100 * HOUR_MS);
    const first = await authorization();
    vi.setSystemTime(NOW.getTime() + 111 * HOUR_MS - 1_000);
    expect(await authorization()).toBe(first);
    vi.setSystemTime(NOW.getTime() + 111 * HOUR_MS);
    const second = await authorization();
    expect(second).not.toBe(first);
    vi.setSystemTime(NOW.getTime() + 50 * HOUR_MS);
    expect(tokenOf(await authorization()).exp).toBe((NOW.getTime() + 62 * HOUR_MS) / 1_000);
  });

  test.each<[string, Partial<PushDevice>, typeof InvalidSubscriptionError | typeof MissingSettingError, string]>([
    ['no endpoint', { endpoint: null }, InvalidSubscriptionError, ''],
    ['plain http', { endpoint: 'http://fcm.googleapis.com/x' }, InvalidSubscriptionError, ''],
    ['keys that are no point', { p256dh: 'AAAA' }, InvalidSubscriptionError, ''],
    [
      'a push service that is not listed',
      { host: 'push.example', endpoint: 'https://push.example/x' },
      MissingSettingError,
      'PUSH_ALLOWED_HOSTS lacks push.example',
    ],
    [
      'a key that the server no longer has',
      { vapidKid: 'gone' },
      MissingSettingError,
      'VAPID_PUBLIC_KEY lacks a key that devices subscribed with',
    ],
  ])('is not made for a device with %s', async (_what, changes, kind, message) => {
    const error = await seal(changes).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toContain(message);
  });
});

describe('the threads that encrypt', () => {
  const subscription = () => ({
    endpoint: 'https://fcm.googleapis.com/x',
    keys: {
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  });
  const options = { vapidDetails: null as never, TTL: 90, contentEncoding: 'aes128gcm' as const };

  test('seal each of many pushes for its own device, even if the keys of one are wrong', async () => {
    const sealer = new Sealer();
    const texts = Array.from({ length: 45 }, (_, n) => 'x'.repeat(n + 1));
    const wrong = { ...subscription(), keys: { p256dh: 'AAAA', auth: 'AA' } };
    const [refused, ...sealed] = await Promise.all([
      sealer.seal(wrong, 'text', options).catch((error: Error) => error),
      ...texts.map((text) => sealer.seal(subscription(), text, options)),
    ]);
    expect(refused).toBeInstanceOf(Error);
    expect(refused).not.toBeInstanceOf(SealThreadError);
    // A body of one record is 103 bytes longer than its text.
    expect(sealed.map(({ body }) => body.length)).toEqual(texts.map(({ length }) => length + 103));
    await sealer.close();
    expect((await sealer.seal(subscription(), 'again', options)).body.length).toBe(108);
    await sealer.close();
  });

  test('fail all that waits when one of them breaks, and are replaced for the next push', async () => {
    const sealer = new Sealer();
    await sealer.seal(subscription(), 'text', options);
    const [thread] = Reflect.get(sealer, 'threads') as [{ emit(event: string, error: Error): void }];
    const waiting = [1, 2].map(() => sealer.seal(subscription(), 'text', options).catch((error: Error) => error));
    thread.emit('error', new Error('out of memory'));
    for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(SealThreadError);
    expect((await sealer.seal(subscription(), 'text', options)).body.length).toBe(107);
    await sealer.close();
  });
});

describe('the keys of the server', () => {
  test('are the same in every process with the same secret, and form a pair', () => {
    expect(deriveVapidKeys('the key of the tests')).toEqual(KEYS);
    expect(KEYS.publicKey).not.toBe(OTHER_KEYS.publicKey);
    expect(isVapidKeyPair(KEYS)).toBe(true);
    expect(isVapidKeyPair({ ...KEYS, privateKey: OTHER_KEYS.privateKey })).toBe(false);
    expect(isVapidKeyPair({ ...KEYS, privateKey: '' })).toBe(false);
    expect(Buffer.from(KEYS.publicKey, 'base64url')).toHaveLength(65);
  });

  test('have ids of 16 digits that tell them apart', () => {
    const ids = [KEYS, OTHER_KEYS].map(({ publicKey }) => vapidKeyId(publicKey));
    for (const id of ids) expect(id).toMatch(/^[\da-f]{16}$/);
    expect(new Set(ids).size).toBe(2);
  });

  test('of a device are a point of the curve', () => {
    expect(isCurvePoint(createECDH('prime256v1').generateKeys('base64url'))).toBe(true);
    expect(isCurvePoint('AAAA')).toBe(false);
    expect(isCurvePoint('')).toBe(false);
  });
});

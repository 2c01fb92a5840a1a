import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  AlertPreferences,
  AlertPreferencesChange,
  CreateSubscriptionRequest,
  DEFAULT_ALERT_PREFERENCES,
  NoticeListResponse,
  PushEventRequest,
  ReadNoticesRequest,
  WatchedTendersRequest,
} from './push.ts';
import { pushEndpointError } from './push-endpoint.ts';

const message = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).issues?.[0]?.message;

const KEYS = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
const endpoint = 'https://fcm.googleapis.com/fcm/send/abc';

describe('a subscription', () => {
  test('is taken as a browser gives it, with the padding that some add', () => {
    const { success, output } = v.safeParse(CreateSubscriptionRequest, {
      endpoint,
      expirationTime: null,
      keys: { p256dh: `${KEYS.p256dh}=`, auth: `${KEYS.auth}==` },
    });
    expect(success).toBe(true);
    expect(output).toEqual({ endpoint, keys: KEYS, name: '', preferences: {}, tenderIds: [] });
  });

  test.each<[object, string]>([
    [{}, 'endpoint is missing'],
    [{ endpoint: '' }, 'endpoint is missing'],
    [{ endpoint: `https://a.example/${'x'.repeat(1_024)}` }, 'The endpoint is too long'],
    [{ endpoint }, 'p256dh must be 65 bytes in base64url'],
    [{ endpoint, keys: 'x' }, 'keys must hold p256dh and auth'],
    [{ endpoint, keys: { ...KEYS, p256dh: 'AA' } }, 'p256dh must be 65 bytes in base64url'],
    [{ endpoint, keys: { ...KEYS, auth: '+/+/+/+/+/+/+/+/+/+/+/' } }, 'auth must be 16 bytes in base64url'],
    [{ endpoint, keys: KEYS, name: 'x'.repeat(101) }, 'At most 100 characters'],
    [{ endpoint, keys: KEYS, tenderIds: ['x'] }, 'This is not a tender id'],
  ])('%j is refused: %s', (body, expected) => {
    expect(message(CreateSubscriptionRequest, body)).toBe(expected);
  });
});

test.each<[string, string | undefined]>([
  [endpoint, undefined],
  [`https://fcm.googleapis.com/${'x'.repeat(997)}`, undefined],
  [`https://fcm.googleapis.com/${'x'.repeat(998)}`, 'The endpoint is too long'],
  ['https://jmt17.google.com/fcm/send/x', undefined],
  ['https://fcm.googleapis.com/@x', 'The endpoint must not hold a user'],
  ['https://fcm.googleapis.com/x#', 'The endpoint must not hold a fragment'],
  ['https://updates.push.services.mozilla.com/wpush/v2/x', undefined],
  ['https://web.push.apple.com/x', undefined],
  ['https://db5p.notify.windows.com/w/?token=x', undefined],
  ['nothing', 'The endpoint is not an address'],
  ['http://fcm.googleapis.com/x', 'The endpoint must begin with https://'],
  ['https:/fcm.googleapis.com/x', 'The endpoint is not written as browsers write it'],
  ['https://me@fcm.googleapis.com/x', 'The endpoint must not hold a user'],
  ['https://fcm.googleapis.com/x#y', 'The endpoint must not hold a fragment'],
  ['https://fcm.googleapis.com./x', 'The endpoint has no plain host name'],
  ['https://[::1]/x', 'The endpoint has no plain host name'],
  ['https://fcm.googleapis.com:8443/x', 'This push service is not known'],
  ['https://notpush.apple.com/x', 'This push service is not known'],
  ['https://push.apple.com.other.example/x', 'This push service is not known'],
  ['https://localhost/x', 'This push service is not known'],
])('the endpoint %s: %s', (given, expected) => {
  expect(pushEndpointError(given)).toBe(expected);
});

test.each<[string, string[], boolean]>([
  ['https://localhost:8443/x', ['localhost'], true],
  ['https://localhost:8443/x', ['localhost:8443'], true],
  ['https://localhost:8444/x', ['localhost:8443'], false],
  ['https://x.localhost/x', ['localhost'], false],
  ['https://push.example.org/x', ['push.example.org'], true],
])('%s with the list %j: %s', (given, hosts, isTaken) => {
  expect(pushEndpointError(given, hosts) === undefined).toBe(isTaken);
});

test('a list of notices with a kind of a newer server is read', () => {
  const notice = {
    ...{ id: '1', kind: 'kind-of-a-newer-server', at: '2026-04-14T12:30:00.000Z', readAt: null, tenderId: '7' },
    ...{ title: 'Footbridge', closingDate: '2026-04-15T05:30:00.000Z', closingTimeKnown: true, works: 1 },
    ...{ patch: null, fields: [], searchIds: [], office: null },
  };
  const list = { notices: [notice], unread: 1, next: null };
  expect(v.parse(NoticeListResponse, list)).toEqual(list);
});

describe('preferences', () => {
  test('that are the defaults are valid', () => {
    expect(v.parse(AlertPreferences, DEFAULT_ALERT_PREFERENCES)).toEqual(DEFAULT_ALERT_PREFERENCES);
  });

  test('of an older or newer server have the known kinds, with the default where one is absent', () => {
    const kinds = { closing_in_7_days: true, closing_tomorrow: false, 'kind-of-a-newer-server': true };
    expect(v.parse(AlertPreferences, { ...DEFAULT_ALERT_PREFERENCES, kinds }).kinds).toMatchObject({
      ...{
        closing_in_7_days: true,
        closing_in_3_days: false,
        closing_tomorrow: false,
        closing_in_3_hours: true,
        changed: true,
        match: true,
      },
    });
  });

  test.each<[object, string | undefined]>([
    [{}, undefined],
    [{ kinds: { closing_in_7_days: true } }, undefined],
    [{ quiet: null }, undefined],
    [{ isOn: 'yes' }, 'isOn must be true or false'],
    [{ quiet: { from: '9:00', until: '10:00' } }, 'A time must be written like 21:00'],
    [{ zone: 'Shimla' }, 'This time zone is not known'],
    [{ language: 'hi' }, 'The language is en-IN or hi-IN'],
    [{ matches: 'never' }, 'matches is digest or at-once'],
    [{ mutedSearches: ['1'] }, 'This is not the id of a search'],
    [{ mutedSearches: Array(50).fill('7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01') }, undefined],
    [{ mutedSearches: Array(51).fill('7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01') }, 'At most 50 searches'],
    [{ quiet: { from: '23:59', until: '00:00' } }, undefined],
    [{ quiet: { from: '24:00', until: '00:00' } }, 'A time must be written like 21:00'],
    [{ more: 1 }, 'The body holds a field that does not belong there'],
  ])('%j: %s', (change, expected) => {
    expect(message(AlertPreferencesChange, change)).toBe(expected);
  });
});

test('a signed-out device watches at most 200 tenders', () => {
  expect(message(WatchedTendersRequest, { tenderIds: Array(200).fill('1') })).toBeUndefined();
  expect(message(WatchedTendersRequest, { tenderIds: Array(201).fill('1') })).toBe('At most 200 tenders');
});

test('at most 200 notices are marked as read with one request', () => {
  expect(message(ReadNoticesRequest, { ids: Array(200).fill('1') })).toBeUndefined();
  expect(message(ReadNoticesRequest, { ids: Array(201).fill('1') })).toBe('At most 200 notices');
});

test('a push event is a click or a dismissal', () => {
  for (const length of [16, 22, 32])
    expect(message(PushEventRequest, { nid: 'a'.repeat(length), ev: 'clicked' })).toBeUndefined();
  for (const length of [15, 33])
    expect(message(PushEventRequest, { nid: 'a'.repeat(length), ev: 'clicked' })).toBeDefined();
  expect(message(PushEventRequest, { nid: 'a'.repeat(22), ev: 'opened = true --' })).toBeDefined();
});

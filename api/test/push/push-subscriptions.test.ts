import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import type { AlertPreferences } from '@nivida/contract/push/push';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deriveVapidKeys } from '../../src/base/vapid-keys.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { type PushApp, startPushApp, VAPID } from '../support/push-app.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { lockWaiters } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let app: PushApp;
let asha: SignedInAccount;

beforeAll(async () => {
  app = await startPushApp(NOW);
  await importTenders(
    app.database.dataSource,
    [
      createSourceTender(),
      createSourceTender({ sourceId: '2026_PWD_100002_1' }),
      createSourceTender({ sourceId: '2026_PWD_100003_1', publishedAt: new Date(NOW.getTime() + 3_600_000) }),
    ],
    { now: NOW },
  );
});
afterAll(() => app.close());
beforeEach(async () => {
  asha = await createSession(app);
});

const subscribe = (body: object, who: { headers: object } | undefined = asha) =>
  app.call('POST', '/api/push/subscriptions', body, who?.headers);
const rows = (): Promise<{ id: string; user_id: string | null }[]> =>
  app.database.dataSource.query('SELECT id, user_id FROM push_subscription WHERE user_id = $1', [asha.user._id]);

const KEYS = {
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
};

const FCM = 'https://fcm.googleapis.com/fcm/send/abc';

describe('an endpoint is refused', () => {
  test.each([
    ['plain http', 'http://fcm.googleapis.com/fcm/send/abc'],
    ['one slash, which an older reader takes for this machine', 'https:/fcm.googleapis.com/x'],
    ['no slash', 'https:fcm.googleapis.com/x'],
    ['three slashes', 'https:///fcm.googleapis.com/x'],
    ['backslashes', 'https:\\\\fcm.googleapis.com\\x'],
    ['a backslash before the host', 'https://\\fcm.googleapis.com/x'],
    ['a backslash before an @', 'https://127.0.0.1\\@fcm.googleapis.com/x'],
    ['a user', 'https://me@fcm.googleapis.com/x'],
    ['a user who is a host', 'https://fcm.googleapis.com@127.0.0.1/x'],
    ['a password', 'https://me:secret@fcm.googleapis.com/x'],
    ['an empty user', 'https://@fcm.googleapis.com/x'],
    ['a port', 'https://fcm.googleapis.com:8443/x'],
    ['the port that browsers leave out', 'https://fcm.googleapis.com:443/x'],
    ['an empty port', 'https://fcm.googleapis.com:/x'],
    ['capitals', 'https://FCM.googleapis.com/x'],
    ['a scheme in capitals', 'HTTPS://fcm.googleapis.com/x'],
    ['a dot behind the host', 'https://fcm.googleapis.com./x'],
    ['full-width letters', 'https://ｆcm.googleapis.com/x'],
    ['an ideographic full stop', 'https://fcm。googleapis.com/x'],
    ['an escaped host', 'https://fcm%2egoogleapis.com/x'],
    ['a soft hyphen', 'https://fcm\u00ad.googleapis.com/x'],
    ['Cyrillic look-alikes', 'https://fсm.googleapis.com/x'],
    ['a longer name', 'https://fcm.googleapis.com.evil.example/x'],
    ['a name that ends alike', 'https://evilfcm.googleapis.com/x'],
    ['the parent of a listed host', 'https://googleapis.com/x'],
    ['an unlisted host', 'https://push.evil.example/x'],
    ['a listed host in the path', 'https://evil.example/fcm.googleapis.com'],
    ['a listed host in the query', 'https://evil.example/?fcm.googleapis.com'],
    ['a listed host behind #', 'https://evil.example/#fcm.googleapis.com'],
    ['a fragment', 'https://fcm.googleapis.com/x#y'],
    ['this machine', 'https://localhost/x'],
    ['this machine by number', 'https://127.0.0.1/x'],
    ['this machine by a short number', 'https://127.1/x'],
    ['this machine in decimal', 'https://2130706433/x'],
    ['this machine in octal', 'https://0177.0.0.1/x'],
    ['this machine in hexadecimal', 'https://0x7f000001/x'],
    ['this machine in IPv6', 'https://[::1]/x'],
    ['this machine in mapped IPv6', 'https://[::ffff:127.0.0.1]/x'],
    ['no machine', 'https://0.0.0.0/x'],
    ['a private network', 'https://10.0.0.1/x'],
    ['the metadata service', 'https://169.254.169.254/latest/meta-data'],
    ['a line break', 'https://fcm.googleapis.com/x\r\nHost: evil.example'],
    ['a tab', 'https://fcm.goo\tgleapis.com/x'],
    ['a space before', ' https://fcm.googleapis.com/x'],
    ['a space behind', 'https://fcm.googleapis.com/x '],
    ['dots in the path', 'https://fcm.googleapis.com/a/../x'],
    ['another scheme', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['nothing', ''],
    ['more than 1,024 characters', `https://fcm.googleapis.com/${'x'.repeat(1_000)}`],
  ])('with %s: %s', async (_name, endpoint) => {
    const answer = await subscribe({ endpoint, keys: KEYS });
    expect(answer.status).toBe(400);
    expect(await rows()).toEqual([]);
  });
});

describe('keys are refused', () => {
  const flat = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  test.each<[string, object]>([
    ['when they are missing', {}],
    ['without auth', { p256dh: KEYS.p256dh }],
    ['of 64 bytes', { ...KEYS, p256dh: randomBytes(64).toString('base64url') }],
    ['that begin with another byte than 4', { ...KEYS, p256dh: Buffer.alloc(65, 2).toString('base64url') }],
    ['that are no point of the curve', { ...KEYS, p256dh: flat }],
    ['with an auth of 15 bytes', { ...KEYS, auth: randomBytes(15).toString('base64url') }],
    ['that are not base64url', { ...KEYS, auth: '????????????????######' }],
  ])('%s', async (_name, keys) => {
    expect((await subscribe({ endpoint: FCM, keys })).status).toBe(400);
  });

  test('when the browser subscribed with a key that is not ours', async () => {
    const applicationServerKey = deriveVapidKeys('another server').publicKey;
    const { status, json } = await subscribe({ endpoint: FCM, keys: KEYS, applicationServerKey });
    expect(status).toBe(409);
    expect(json.message).toBe('Please turn notifications off and on again: their key has changed');
  });
});

test('a refused subscription names the field that is wrong', async () => {
  const answer = async (body: object) => (await subscribe(body)).json;
  expect(await answer({ endpoint: 'https://push.evil.example/x', keys: KEYS })).toMatchObject({
    code: 'INVALID',
    fields: { endpoint: expect.any(String) },
  });
  const flat = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  expect(await answer({ endpoint: FCM, keys: { ...KEYS, p256dh: flat } })).toMatchObject({
    ...{ code: 'INVALID', message: 'p256dh is no key', fields: { 'keys.p256dh': 'p256dh is no key' } },
  });
});

test.each([
  'https://fcm.googleapis.com/fcm/send/dQw4:APA91b',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAAA',
  'https://web.push.apple.com/QGuQ',
  'https://wns2-pn1p.notify.windows.com/w/?token=BQYA%3d',
])('the endpoint of a real push service is accepted: %s', async (endpoint) => {
  const other = await startPushApp(NOW, { PUSH_ALLOWED_HOSTS: '' });
  try {
    const reply = await other.call('POST', '/api/push/subscriptions', { endpoint, keys: KEYS });
    expect(reply.status).toBe(200);
  } finally {
    await other.close();
  }
});

describe('preferences', () => {
  const change = async (phone: { state: { id: string }; headers: object }, body: object) =>
    app.call('PATCH', `/api/push/subscriptions/${phone.state.id}`, body, phone.headers);

  test('are by default the evening before, three hours before, changes and matches; quiet from 21:00 to 7:00', async () => {
    const { state } = await app.subscribeBrowser(asha);
    expect(state.preferences).toEqual({
      isOn: true,
      kinds: {
        closing_in_7_days: false,
        closing_in_3_days: false,
        closing_tomorrow: true,
        closing_in_3_hours: true,
        changed: true,
        match: true,
        office: true,
        expiry: true,
        answer: true,
        assigned: true,
      },
      quiet: { from: '21:00', until: '07:00' },
      language: 'en-IN',
      zone: 'Asia/Kolkata',
      matches: 'digest',
      mutedTenders: [],
      mutedSearches: [],
    } satisfies AlertPreferences);
  });

  test('accept every minute of a day for quiet hours', async () => {
    const phone = await app.subscribeBrowser(asha);
    const quiet = { from: '23:59', until: '00:00' };
    expect((await change(phone, { quiet })).json.preferences.quiet).toEqual(quiet);
  });

  test('change one by one; absent fields stay', async () => {
    const phone = await app.subscribeBrowser(asha);
    await change(phone, { kinds: { closing_in_3_days: true }, language: 'hi-IN' });
    const { json } = await change(phone, { quiet: null, zone: 'Asia/Dubai' });
    expect(json.preferences).toMatchObject({
      kinds: { closing_in_3_days: true, closing_tomorrow: true },
      language: 'hi-IN',
      quiet: null,
      zone: 'Asia/Dubai',
    });
  });

  test('that are changed at the same time are all changed, also during a sync of the device', async () => {
    const phone = await app.subscribeBrowser(asha);
    const path = `/api/push/subscriptions/${phone.state.id}`;
    const answers = await Promise.all([
      change(phone, { kinds: { closing_in_7_days: true } }),
      change(phone, { kinds: { closing_in_3_days: true } }),
      change(phone, { kinds: { closing_tomorrow: false } }),
      change(phone, { language: 'hi-IN' }),
      change(phone, { mutedTenders: ['1'] }),
      ...Array.from({ length: 3 }, () => app.call('PUT', path, phone.subscription, asha.headers)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await app.call('GET', path, undefined, phone.headers)).json.preferences).toMatchObject({
      kinds: { closing_in_7_days: true, closing_in_3_days: true, closing_tomorrow: false },
      language: 'hi-IN',
      mutedTenders: ['1'],
    });
  });

  test.each([
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['asia/calcutta', 'Asia/Kolkata'],
    ['Asia/Kathmandu', 'Asia/Kathmandu'],
  ])('the zone %s of a browser is stored as %s, which every database knows', async (zone, storedZone) => {
    expect((await app.subscribeBrowser(asha, { zone })).state.preferences.zone).toBe(storedZone);
    const phone = await app.subscribeBrowser(asha, { zone: 'Asia/Dubai' });
    expect((await change(phone, { zone })).json.preferences.zone).toBe(storedZone);
  });

  test.each<[object, string]>([
    [{ zone: 'Asia/Nowhere' }, 'This time zone is not known'],
    [{ language: 'ta-IN' }, 'The language is en-IN or hi-IN'],
    [{ quiet: { from: '25:00', until: '07:00' } }, 'A time must be written like 21:00'],
    [{ quiet: { from: '24:00', until: '07:00' } }, 'A time must be written like 21:00'],
    [{ quiet: { from: '21:00', until: '07:60' } }, 'A time must be written like 21:00'],
    [{ kinds: { everything: true } }, 'The body holds a field that does not belong there'],
    [{ userId: randomUUID() }, 'The body holds a field that does not belong there'],
    [{ mutedTenders: ["1' OR 1=1"] }, 'This is not a tender id'],
  ])('%j is refused', async (body, message) => {
    const phone = await app.subscribeBrowser(asha);
    const answer = await change(phone, body);
    expect({ status: answer.status, message: answer.json.message }).toEqual({ status: 400, message });
  });
});

test('no answer about a device, its mails or its notices is stored by a cache; the key is asked for each time', async () => {
  const phone = await app.subscribeBrowser(asha);
  const path = `/api/push/subscriptions/${phone.state.id}`;
  const cacheControl = async (...[method, url, body]: Parameters<typeof app.call>) =>
    (await app.call(method, url, body, asha.headers)).headers['cache-control'];
  expect(await cacheControl('GET', '/api/push/key')).toBe('no-cache');
  expect([
    await cacheControl('POST', '/api/push/subscriptions', phone.subscription),
    await cacheControl('GET', path),
    await cacheControl('PUT', path, phone.subscription),
    await cacheControl('PATCH', path, {}),
    await cacheControl('PUT', '/api/push/email', {}),
    await cacheControl('GET', '/api/push/email'),
    await cacheControl('DELETE', '/api/push/email'),
    await cacheControl('GET', '/api/notices'),
  ]).toEqual(Array(8).fill('no-store'));
});

describe('a device', () => {
  test('gets an id and a secret, which is stored as its digest only', async () => {
    const { state } = await app.subscribeBrowser(asha);
    expect(state.secret).toMatch(/^[\w-]{43}$/);
    const dump = JSON.stringify(await app.database.dataSource.query('SELECT * FROM push_subscription'));
    expect(dump).not.toContain(state.secret);
  });

  test('that subscribes again is the same device with its name and a new secret; the old secret is invalid', async () => {
    const phone = await app.subscribeBrowser(asha, {}, { name: 'Firefox' });
    const { json } = await subscribe(phone.subscription);
    expect(json.id).toBe(phone.state.id);
    expect(await rows()).toHaveLength(1);
    const [{ name }] = await app.database.dataSource.query('SELECT name FROM push_subscription WHERE id = $1', [
      json.id,
    ]);
    expect(name).toBe('Firefox');
    const path = `/api/push/subscriptions/${phone.state.id}`;
    expect((await app.call('GET', path, undefined, phone.headers)).status).toBe(404);
    expect((await app.call('GET', path, undefined, { authorization: `Device ${json.secret}` })).status).toBe(200);
    await subscribe({ ...phone.subscription, name: 'Firefox on Android', preferences: { language: 'hi-IN' } });
    const renamed = await app.database.dataSource.query(
      `SELECT name, preferences->>'language' AS language FROM push_subscription WHERE id = $1`,
      [json.id],
    );
    expect(renamed).toEqual([{ name: 'Firefox on Android', language: 'hi-IN' }]);
  });

  test('is read as it was stored, with its secret in any spelling of the scheme or with the session', async () => {
    const phone = await app.subscribeBrowser(asha, { language: 'hi-IN' });
    const { secret, ...state } = phone.state;
    const path = `/api/push/subscriptions/${phone.state.id}`;
    for (const headers of [phone.headers, { authorization: `device  ${secret}` }, asha.headers]) {
      const { status, json } = await app.call('GET', path, undefined, headers);
      expect([status, json]).toEqual([200, state]);
    }
    expect(state).toMatchObject({ applicationServerKey: VAPID.VAPID_PUBLIC_KEY, preferences: { language: 'hi-IN' } });
  });

  test('of a user has the bookmarks of the account, and takes no others', async () => {
    const phone = await app.subscribeBrowser(asha, {}, { tenderIds: ['1'] });
    const path = `/api/push/subscriptions/${phone.state.id}/tenders`;
    const answer = await app.call('PUT', path, { tenderIds: ['1'] }, asha.headers);
    expect([answer.status, answer.json.message]).toEqual([409, 'This device has the bookmarks of its user']);
    const stored = 'SELECT 1 FROM push_watch WHERE subscription_id = $1';
    expect(await app.database.dataSource.query(stored, [phone.state.id])).toEqual([]);
  });

  test('is not read, changed or removed by other callers', async () => {
    const phone = await app.subscribeBrowser(asha);
    const stranger = await createSession(app);
    const other = await app.subscribeBrowser(stranger);
    const path = `/api/push/subscriptions/${phone.state.id}`;
    for (const headers of [stranger.headers, other.headers, { authorization: 'Device x' }]) {
      expect((await app.call('GET', path, undefined, headers)).status).toBe(404);
      expect((await app.call('PATCH', path, { isOn: false }, headers)).status).toBe(404);
      expect((await app.call('PUT', path, other.subscription, headers)).status).toBe(404);
      expect((await app.call('PUT', `${path}/tenders`, { tenderIds: [] }, headers)).status).toBe(404);
      expect((await app.call('DELETE', path, undefined, headers)).status).toBe(404);
    }
    expect((await app.call('GET', path)).status).toBe(401);
    expect((await app.call('GET', '/api/push/subscriptions/1', undefined, asha.headers)).status).toBe(404);
    expect(await rows()).toHaveLength(1);
  });

  test('cannot be claimed with its endpoint alone; with both keys it is the same browser of another user', async () => {
    const phone = await app.subscribeBrowser(asha, {
      language: 'hi-IN',
      mutedTenders: ['1'],
      mutedSearches: [randomUUID()],
    });
    const stranger = await createSession(app);
    const { endpoint } = phone.subscription;
    expect((await subscribe({ endpoint, keys: KEYS }, stranger)).status).toBe(409);
    expect((await rows())[0]?.user_id).toBe(asha.user._id);
    const { json } = await subscribe(phone.subscription, stranger);
    expect(json.rcpt).not.toBe(phone.state.rcpt);
    // The device's settings stay; tenders and searches of the former user are no longer muted.
    expect(json.preferences).toMatchObject({ language: 'hi-IN', mutedTenders: [], mutedSearches: [] });
    expect(await rows()).toEqual([]);
  });

  test.each(['p256dh', 'auth'] as const)('cannot be claimed by a caller with another key %s', async (name) => {
    const phone = await app.subscribeBrowser(asha);
    const { endpoint, keys } = phone.subscription;
    const { status } = await subscribe({ endpoint, keys: { ...keys, [name]: KEYS[name] } }, await createSession(app));
    expect(status).toBe(409);
    expect((await rows())[0]?.user_id).toBe(asha.user._id);
  });

  test('updates its subscription, at each start and after a new endpoint', async () => {
    const phone = await app.subscribeBrowser(asha);
    const path = `/api/push/subscriptions/${phone.state.id}`;
    expect((await app.call('PUT', path, phone.subscription, phone.headers)).status).toBe(200);
    const fresh = app.service.subscribe(VAPID.VAPID_PUBLIC_KEY);
    await app.database.dataSource.query(
      'UPDATE push_subscription SET errors = 4, errors_since = $2, gone_since = $2 WHERE id = $1',
      [phone.state.id, NOW],
    );
    expect((await app.call('PUT', path, fresh.subscription, phone.headers)).json.id).toBe(phone.state.id);
    const [row] = await app.database.dataSource.query(
      'SELECT endpoint, errors, errors_since, gone_since FROM push_subscription WHERE id = $1',
      [phone.state.id],
    );
    // The errors were those of the earlier endpoint.
    expect(row).toEqual({ endpoint: fresh.subscription.endpoint, errors: 0, errors_since: null, gone_since: null });
  });

  test('that takes the subscription of an earlier row of its browser has the same id, and the earlier row ends', async () => {
    const phone = await app.subscribeBrowser(asha);
    const earlier = await app.subscribeBrowser(asha);
    const path = `/api/push/subscriptions/${phone.state.id}`;
    const { status, json } = await app.call('PUT', path, earlier.subscription, phone.headers);
    expect({ status, id: json.id }).toEqual({ status: 200, id: phone.state.id });
    expect(await rows()).toEqual([{ id: phone.state.id, user_id: asha.user._id }]);
  });

  test('becomes the user’s at a sign-in, with the same id and muted tenders, and without the visitor’s bookmarks', async () => {
    const phone = await app.subscribeBrowser(undefined, { mutedTenders: ['1'] }, { tenderIds: ['1'] });
    const path = `/api/push/subscriptions/${phone.state.id}`;
    const { status, json } = await app.call('PUT', path, phone.subscription, asha.headers);
    expect({ status, id: json.id }).toEqual({ status: 200, id: phone.state.id });
    expect(json.preferences.mutedTenders).toEqual(['1']);
    expect(
      await app.database.dataSource.query('SELECT 1 FROM push_watch WHERE subscription_id = $1', [phone.state.id]),
    ).toEqual([]);
    expect(await rows()).toEqual([{ id: phone.state.id, user_id: asha.user._id }]);
    // The user's inbox needs the session.
    expect((await app.call('GET', '/api/notices', undefined, phone.headers)).status).toBe(401);
  });

  test('is removed when its session ends, and no other', async () => {
    const phone = await app.subscribeBrowser(asha);
    const second = await createSession(app);
    await app.subscribeBrowser(second);
    await app.call('POST', '/api/auth/logout', undefined, asha.headers);
    expect(await rows()).toEqual([]);
    // A caller with an ended session is not a visitor.
    expect((await subscribe(phone.subscription, asha)).status).toBe(401);
    expect(
      (await app.call('PUT', `/api/push/subscriptions/${phone.state.id}`, phone.subscription, phone.headers)).status,
    ).toBe(404);
    const left = await app.database.dataSource.query('SELECT 1 FROM push_subscription WHERE user_id = $1', [
      second.user._id,
    ]);
    expect(left).toHaveLength(1);
  });

  test('is removed with its secret', async () => {
    const phone = await app.subscribeBrowser();
    const path = `/api/push/subscriptions/${phone.state.id}`;
    expect((await app.call('DELETE', path, undefined, phone.headers)).status).toBe(204);
    expect((await app.call('DELETE', path, undefined, phone.headers)).status).toBe(404);
  });

  describe('that another user claims in the meantime', () => {
    let other: SignedInAccount;
    beforeEach(async () => {
      other = await createSession(app);
    });

    /** Runs `call` while a transaction that gives the device to the other user is open. */
    async function duringTakeover<T>(id: string, call: () => Promise<T>): Promise<T> {
      const { dataSource } = app.database;
      const takeover = dataSource.createQueryRunner();
      await takeover.startTransaction();
      await takeover.query('UPDATE push_subscription SET user_id = $2, recipient = $2 WHERE id = $1', [
        id,
        other.user._id,
      ]);
      const answer = call();
      await expect.poll(() => lockWaiters({ dataSource })).toHaveLength(1);
      await takeover.commitTransaction();
      await takeover.release();
      return answer;
    }

    test('is not removed by the earlier user', async () => {
      const { state } = await app.subscribeBrowser(asha);
      const path = `/api/push/subscriptions/${state.id}`;
      const { status } = await duringTakeover(state.id, () => app.call('DELETE', path, undefined, asha.headers));
      expect(status).toBe(404);
      expect((await app.call('GET', path, undefined, other.headers)).status).toBe(200);
    });

    test('does not store the bookmarks of the earlier visitor', async () => {
      const { state, headers } = await app.subscribeBrowser();
      const path = `/api/push/subscriptions/${state.id}/tenders`;
      const { status } = await duringTakeover(state.id, () => app.call('PUT', path, { tenderIds: ['1'] }, headers));
      expect(status).toBe(409);
      const stored = 'SELECT 1 FROM push_watch WHERE subscription_id = $1';
      expect(await app.database.dataSource.query(stored, [state.id])).toEqual([]);
    });
  });

  test('beyond twenty of a user: the one reached longest ago is removed, and never the alert mails', async () => {
    await app.call('PUT', '/api/push/email', {}, asha.headers);
    const reached = await app.subscribeBrowser(asha);
    await app.database.dataSource.query('UPDATE push_subscription SET last_ok_at = $2 WHERE id = $1', [
      reached.state.id,
      new Date(NOW.getTime() + 2_000),
    ]);
    const first = await app.subscribeBrowser(asha);
    await app.database.dataSource.query(
      `INSERT INTO push_subscription (id, channel, user_id, recipient, secret_sha256, endpoint, endpoint_sha256, host, p256dh,
         auth, vapid_kid, name, preferences, created_at)
       SELECT gen_random_uuid(), 'push', $1::uuid, $1::uuid, '', 'e' || n, 'e' || n, 'h', '', '', '', '', '{}', $2 FROM generate_series(1, 18) n`,
      [asha.user._id, new Date(NOW.getTime() + 1_000)],
    );
    // The clock was ahead when the others subscribed; the newest device stays.
    app.clock.now = new Date(NOW.getTime() - 1_000);
    const newest = await app.subscribeBrowser(asha);
    app.clock.now = NOW;
    const [mails] = await app.database.dataSource.query(
      "SELECT id FROM push_subscription WHERE channel = 'email' AND user_id = $1",
      [asha.user._id],
    );
    const storedIds = (await rows()).map(({ id }) => id).filter((id) => id !== mails?.id);
    expect(mails).toBeDefined();
    expect((await app.call('GET', `/api/push/subscriptions/${mails?.id}`, undefined, asha.headers)).status).toBe(404);
    expect(storedIds).toContain(reached.state.id);
    expect(storedIds).toHaveLength(20);
    expect(storedIds).not.toContain(first.state.id);
    expect(storedIds).toContain(newest.state.id);
  });

  test('subscribes at most twenty times an hour', async () => {
    for (let n = 0; n < 20; n += 1) await app.subscribeBrowser(asha);
    const { subscription } = app.service.subscribe(VAPID.VAPID_PUBLIC_KEY);
    expect((await subscribe(subscription)).status).toBe(429);
  });

  test('of a visitor subscribes at most twenty times an hour too, and other browsers still can', async () => {
    const [one, other] = [app.service.subscribe(VAPID.VAPID_PUBLIC_KEY), app.service.subscribe(VAPID.VAPID_PUBLIC_KEY)];
    const statusOf = async ({ subscription }: typeof one) =>
      (await app.call('POST', '/api/push/subscriptions', subscription)).status;
    for (let n = 0; n < 20; n += 1) expect(await statusOf(one)).toBe(200);
    expect([await statusOf(one), await statusOf(other)]).toEqual([429, 200]);
  });

  test('of a visitor is one of at most 3,000 of a network an hour; its users still can subscribe', async () => {
    const { dataSource } = app.database;
    const visit = async (who?: SignedInAccount) => {
      const { subscription } = app.service.subscribe(VAPID.VAPID_PUBLIC_KEY);
      const url = '/api/push/subscriptions';
      const request = { method: 'POST', url, headers: who?.headers ?? {}, payload: subscription } as const;
      return (await app.app.inject({ ...request, remoteAddress: '203.0.113.7' })).statusCode;
    };
    expect(await visit()).toBe(200);
    await dataSource.query("UPDATE rate_limit SET count = 2999 WHERE name = 'push-subscribe-address'");
    expect([await visit(), await visit(), await visit(asha)]).toEqual([200, 429, 200]);
    await dataSource.query("DELETE FROM rate_limit WHERE name LIKE 'push-subscribe%'");
  });

  test('of a visitor watches at most 200 tenders that exist', async () => {
    const phone = await app.subscribeBrowser();
    const path = `/api/push/subscriptions/${phone.state.id}/tenders`;
    const put = (tenderIds: string[]) => app.call('PUT', path, { tenderIds }, phone.headers);
    expect((await put(['1', '2', '999999'])).status).toBe(204);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    // The third is published in an hour.
    expect((await put(['2', '3'])).status).toBe(204);
    app.clock.now = NOW;
    const watched = await app.database.dataSource.query(
      'SELECT tender_id, created_at FROM push_watch WHERE subscription_id = $1',
      [phone.state.id],
    );
    expect(watched).toEqual([{ tender_id: 2, created_at: NOW }]);
    expect((await put(Array.from({ length: 201 }, (_, n) => String(n + 1)))).status).toBe(400);
  });
});

test('the key to subscribe with is the first of two while keys change', async () => {
  expect((await app.get('/api/push/key')).json).toEqual({ publicKey: VAPID.VAPID_PUBLIC_KEY });
  const fresh = deriveVapidKeys('another key');
  const other = await startPushApp(NOW, {
    VAPID_PUBLIC_KEY: `${fresh.publicKey},${VAPID.VAPID_PUBLIC_KEY}`,
    VAPID_PRIVATE_KEY: `${fresh.privateKey},${VAPID.VAPID_PRIVATE_KEY}`,
  });
  try {
    expect((await other.get('/api/push/key')).json).toEqual({ publicKey: fresh.publicKey });
    const browser = other.service.subscribe(VAPID.VAPID_PUBLIC_KEY);
    const body = { ...browser.subscription, applicationServerKey: VAPID.VAPID_PUBLIC_KEY };
    const { json } = await other.call('POST', '/api/push/subscriptions', body);
    expect(json.applicationServerKey).toBe(VAPID.VAPID_PUBLIC_KEY);
  } finally {
    await other.close();
  }
});

test('the export of an account has its devices and notices, without secrets', async () => {
  const phone = await app.subscribeBrowser(asha, { language: 'hi-IN' }, { name: 'Chrome on Android' });
  await app.database.dataSource.query(
    `INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at)
     SELECT $1, $1, min(id), n.kind, 1, n.state, $2, $2 FROM tender, (VALUES ('closing_tomorrow', 'skipped'), ('closing_in_3_hours', 'due')) n(kind, state)
     GROUP BY n.kind, n.state`,
    [asha.user._id, NOW],
  );
  const { json, text } = await app.get('/api/me/export', asha.headers);
  expect(json.devices).toMatchObject([
    { channel: 'push', name: 'Chrome on Android', preferences: { language: 'hi-IN' } },
  ]);
  // A reminder that a later one replaced was never sent.
  expect(json.notices).toMatchObject([{ kind: 'closing_in_3_hours', readAt: null }]);
  for (const secret of [phone.state.secret, phone.subscription.endpoint, phone.subscription.keys.auth])
    expect(text).not.toContain(secret);
});

import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger, type Type } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { deriveVapidKeys } from '../../src/base/vapid-keys.ts';
import { closingSoonJob } from '../../src/push/alerts/closing-soon.job.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { type PushApp, type SubscribedBrowser, startPushApp, VAPID } from '../support/push-app.ts';
import { type PushBehaviour, type PushService, type ReceivedPush, startPushService } from '../support/push-service.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp } from '../support/start-app.ts';

const at = (time: string) => new Date(`2026-11-${time}+05:30`);
const EVENING = at('19T18:00:00');

let app: PushApp;
let id: number;

beforeAll(async () => {
  // A window that is smaller than the groups of devices, so that its limit shows.
  app = await startPushApp(at('10T11:30:00'), { PUSH_WINDOW: '10' });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.clear(at('10T11:30:00'));
  await importTenders(app.database.dataSource, [createSourceTender()], { now: app.clock.now });
  [{ id }] = await app.database.dataSource.query('SELECT id FROM tender');
});

/** A signed-in device with a bookmark, whose push service answers with `behaviours` in turn. */
async function phone(...behaviours: PushBehaviour[]): Promise<SubscribedBrowser & { who: SignedInAccount }> {
  const account = await createSession(app, { remembered: true });
  const made = await app.subscribeBrowser(account, { quiet: null });
  await app.call('POST', `/api/tenders/${id}/bookmark`, undefined, account.headers);
  made.behaviours.push(...behaviours);
  return Object.assign(made, { who: account });
}

/** A second push service of the same app. */
async function startOther(): Promise<PushService> {
  const service = await startPushService();
  (app.config.pushHosts as string[]).push(service.host);
  return service;
}

/** A browser of a user with a bookmark, subscribed at `service`. */
async function otherPhone(service: PushService) {
  const who = await createSession(app, { remembered: true });
  const browser = service.subscribe(VAPID.VAPID_PUBLIC_KEY);
  await app.call(
    'POST',
    '/api/push/subscriptions',
    { ...browser.subscription, preferences: { quiet: null } },
    who.headers,
  );
  await app.call('POST', `/api/tenders/${id}/bookmark`, undefined, who.headers);
  return browser;
}

const deliveryStates = async ({ state }: SubscribedBrowser) => {
  const [row] = await app.database.dataSource.query('SELECT errors, last_ok_at FROM push_subscription WHERE id = $1', [
    state.id,
  ]);
  return row;
};
const states = async () => {
  const rows = await app.database.dataSource.query('SELECT state FROM push_delivery ORDER BY id');
  return rows.map(({ state }: { state: string }) => state);
};
const minutes = (count: number) => new Date(EVENING.getTime() + count * 60_000);

describe('a push service', () => {
  test.each([404, 410])('that answers %i has no such device, which is removed', async (status) => {
    const gone = await phone({ status });
    const other = await phone();
    await app.run('closing-soon', EVENING);
    expect(await deliveryStates(gone)).toBeUndefined();
    expect(other.received).toHaveLength(1);
  });

  test('that answers 410 for a replaced endpoint does not remove the device, and its new endpoint gets the push', async () => {
    const device = await phone();
    const fresh = app.service.subscribe(VAPID.VAPID_PUBLIC_KEY);
    device.behaviours.push({
      status: 410,
      before: () =>
        app.call('PUT', `/api/push/subscriptions/${device.state.id}`, fresh.subscription, device.who.headers),
    });
    await app.run('closing-soon', EVENING);
    const rows = await app.database.dataSource.query('SELECT id, endpoint FROM push_subscription');
    expect(rows).toEqual([{ id: device.state.id, endpoint: fresh.subscription.endpoint }]);
    expect([device.received.length, fresh.received.length]).toEqual([0, 1]);
    expect(await states()).toEqual(['sent']);
  });

  test.each<[string, PushBehaviour]>([
    ['that fails', { status: 500 }],
    ['that hangs up', 'reset'],
    ['that redirects', { status: 307, headers: { location: 'https://localhost:1/elsewhere' } }],
  ])(
    '%s is asked again after 30 seconds, 2 and 10 minutes, and then each half hour until closing',
    async (_name, behaviour) => {
      const device = await phone(...Array<PushBehaviour>(99).fill(behaviour));
      const tries: number[] = [];
      for (const minute of [0, 0.4, 0.5, 2, 2.5, 12, 12.5, 42, 42.5, 90]) {
        await app.run('send-pushes', minutes(minute));
        if (minute === 0) await app.run('closing-soon', EVENING);
        tries.push(device.tries);
      }
      expect(tries).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 6]);
      expect(await states()).toEqual(['waiting']);
      device.behaviours.length = 0;
      await app.run('send-pushes', at('20T07:00:00'));
      expect(device.received).toHaveLength(1);
      expect(await deliveryStates(device)).toBeDefined();
    },
  );

  test('never receives a push on an idle connection: the sender closes it first', async () => {
    const other = await startOther();
    onTestFinished(() => other.close());
    const connected = vi.fn();
    other.onConnection(connected);
    await otherPhone(other);
    await app.run('closing-soon', EVENING);
    expect(connected).toHaveBeenCalledTimes(1);
    await expect.poll(() => other.closedBySender()).toBe(1);
  });

  test('that recovers gets the push once', async () => {
    const device = await phone({ status: 503 });
    await app.run('closing-soon', EVENING);
    await app.run('send-pushes', minutes(1));
    await app.run('send-pushes', minutes(5));
    expect(device.received).toHaveLength(1);
    expect(await states()).toEqual(['sent']);
  });

  test('that fails gets no requests for longer than a day', async () => {
    const device = await phone(...Array<PushBehaviour>(99).fill({ status: 500 }));
    await app.database.dataSource.query(`UPDATE tender SET closes_at = closes_at + interval '3 days'`);
    app.clock.now = EVENING;
    await app.database.dataSource.query(
      `INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at)
       VALUES ($1, $1, $2, 'changed', 1, 'due', $3, $3)`,
      [device.who.user._id, id, EVENING],
    );
    await app.database.dataSource.query(
      `INSERT INTO push_delivery (notice_id, subscription_id, host, send_at, event_at)
       SELECT n.id, $1, $2, $3, n.event_at FROM notice n`,
      [device.state.id, app.service.host, EVENING],
    );
    for (let half = 0; half < 60; half += 1) await app.run('send-pushes', minutes(30 * half));
    expect(await states()).toEqual(['failed']);
    expect(device.tries).toBe(50);
  });

  test('gets no retry after closing', async () => {
    const device = await phone({ status: 500 });
    await app.run('closing-soon', at('20T10:59:50'));
    await app.run('send-pushes', at('20T11:00:30'));
    expect(device.tries).toBe(1);
    expect(await states()).toEqual(['failed']);
  });

  test.each([
    ['30', 'failed'],
    ['29', 'waiting'],
  ])('that fails at 10:59:%s, half a minute before the retry: the delivery is %s', async (second, state) => {
    await phone({ status: 500 });
    await app.run('closing-soon', at(`20T10:59:${second}`));
    expect(await states()).toEqual([state]);
  });

  test('gets a retry with a result, although its tender is closed', async () => {
    const device = await phone({ status: 500 });
    const now = at('21T12:00:00');
    await app.database.dataSource.query(
      `INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at, detail)
       VALUES ($1, $1, $2, 'changed', 1, 'due', $3, $3, '{"fields":["result"]}')`,
      [device.who.user._id, id, now],
    );
    await app.database.dataSource.query(
      `INSERT INTO push_delivery (notice_id, subscription_id, host, send_at, event_at)
       SELECT n.id, $1, $2, $3, n.event_at FROM notice n`,
      [device.state.id, app.service.host, now],
    );
    await app.run('send-pushes', now);
    await app.run('send-pushes', at('21T12:01:00'));
    expect(device.tries).toBe(2);
    expect(await states()).toEqual(['sent']);
  });

  test('gets a retry with the tenders that are still open', async () => {
    const closesAt = at('20T11:20:00');
    const later = createSourceTender({ sourceId: '2026_PWD_100002_1', title: 'Repair of a road', closesAt });
    await importTenders(app.database.dataSource, [later], { now: app.clock.now });
    const device = await phone({ status: 500 });
    const [{ id: other }] = await app.database.dataSource.query('SELECT id FROM tender WHERE closes_at = $1', [
      closesAt,
    ]);
    await app.call('POST', `/api/tenders/${other}/bookmark`, undefined, device.who.headers);
    await app.run('closing-soon', at('20T10:59:50'));
    await app.run('send-pushes', at('20T11:00:30'));
    expect(device.tries).toBe(2);
    expect(device.received.map(({ payload }) => payload.notification)).toMatchObject([
      { title: 'Closing today · 11:20 AM', body: expect.stringMatching(/^Repair of a road\n/) },
    ]);
    expect((await states()).toSorted()).toEqual(['sent', 'skipped']);
  });

  test.each<[string, Record<string, string>, number]>([
    ['so many seconds', { 'retry-after': '120' }, 2],
    ['until a time', { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 60],
    ['as long as it likes', {}, 1],
  ])('that asks for a pause gets none %s, for all of its devices', async (_name, headers, pause) => {
    const first = await phone({ status: 429, headers });
    await app.run('closing-soon', EVENING);
    const second = await phone();
    await app.run('closing-soon', minutes(pause - 0.1));
    expect([first.tries, second.tries]).toEqual([1, 0]);
    await app.run('closing-soon', minutes(pause + 0.1));
    expect([first.received.length, second.received.length]).toEqual([1, 1]);
  });

  test.each([
    [3_605, 0],
    [3_606, 1],
  ])('that is paused for %i more seconds gets %i pushes: a pause lasts an hour at most', async (seconds, pushes) => {
    const device = await phone();
    await app.database.dataSource.query(
      'INSERT INTO push_host (host, since, sent, refused, gone, paused_until, pauses) VALUES ($1, $2, 0, 0, 0, $3, 1)',
      [app.service.host, EVENING, new Date(EVENING.getTime() + seconds * 1_000)],
    );
    await app.run('closing-soon', EVENING);
    expect(device.tries).toBe(pushes);
  });

  test('that was paused by a clock ahead gets pushes when the clock is corrected', async () => {
    const device = await phone();
    await app.database.dataSource.query(
      `INSERT INTO push_host (host, since, sent, refused, gone, paused_until, pauses) VALUES ($1, $2, 0, 0, 0, $2, 5)
       ON CONFLICT (host) DO UPDATE SET paused_until = excluded.paused_until`,
      [app.service.host, new Date(EVENING.getTime() + 86_400_000)],
    );
    await app.run('closing-soon', EVENING);
    expect(device.received).toHaveLength(1);
  });

  test('has its pushes counted by their Indian day: all that were sent, and those that it accepted', async () => {
    await phone();
    await phone({ status: 500 });
    const tally = () =>
      app.database.dataSource.query('SELECT day::text, kind, sent, accepted FROM push_tally ORDER BY day, kind');
    await app.run('closing-soon', EVENING);
    expect(await tally()).toEqual([{ day: '2026-11-19', kind: 'closing', sent: 2, accepted: 1 }]);
    await app.run('send-pushes', minutes(1));
    expect(await tally()).toEqual([{ day: '2026-11-19', kind: 'closing', sent: 3, accepted: 2 }]);
    await app.run('closing-soon', at('20T08:00:00'));
    expect(await tally()).toEqual([
      { day: '2026-11-19', kind: 'closing', sent: 3, accepted: 2 },
      { day: '2026-11-20', kind: 'closing', sent: 2, accepted: 2 },
    ]);
  });

  test('that answers 413 gets only the title', async () => {
    const device = await phone({ status: 413 });
    await app.run('closing-soon', EVENING);
    const { body, actions } = (device.received[0] as ReceivedPush).payload.notification;
    expect({ body, actions: actions.map(({ action }) => action) }).toEqual({ body: '', actions: ['open'] });
  });

  test('that answers 413 to the title too is not asked again', async () => {
    const device = await phone({ status: 413 }, { status: 413 });
    await app.run('closing-soon', EVENING);
    await app.run('send-pushes', minutes(60));
    expect([device.tries, await states()]).toEqual([2, ['failed']]);
  });

  test.each<[string, number, number, boolean]>([
    ['for a day, while it reached another one: it is removed', 24, 0, true],
    ['for almost a day, while it reached another one: it stays', 23.999, 0, false],
    ['for a day, without reaching another one: it stays', 24, -1, false],
  ])('that refuses a device five times %s', async (_name, hours, reached, isRemoved) => {
    const device = await phone({ status: 403 });
    const same = await app.subscribeBrowser(await createSession(app));
    const other = await startOther();
    onTestFinished(() => other.close());
    await otherPhone(other);
    const since = new Date(EVENING.getTime() - hours * 3_600_000);
    const { dataSource } = app.database;
    await dataSource.query('UPDATE push_subscription SET last_ok_at = $1', [EVENING]);
    await dataSource.query('UPDATE push_subscription SET last_ok_at = $2 WHERE id = $1', [
      same.state.id,
      new Date(since.getTime() + reached),
    ]);
    await dataSource.query(
      'UPDATE push_subscription SET last_ok_at = NULL, errors = 4, errors_since = $2 WHERE id = $1',
      [device.state.id, since],
    );
    await app.run('closing-soon', EVENING);
    expect(await deliveryStates(device)).toEqual(isRemoved ? undefined : { errors: 5, last_ok_at: null });
  });

  test('that refuses one device: it is removed after five refusals in a day, if others are reached', async () => {
    const device = await phone(...Array<PushBehaviour>(20).fill({ status: 403 }));
    await phone();
    await app.run('closing-soon', EVENING);
    expect((await deliveryStates(device)).errors).toBe(1);
    for (const minute of [1, 4, 15, 60]) await app.run('send-pushes', minutes(minute));
    expect((await deliveryStates(device)).errors).toBe(5);
    expect((await states()).toSorted()).toEqual(['failed', 'sent']);
    await importTenders(
      app.database.dataSource,
      [createSourceTender({ sourceId: '2026_PWD_100009_1', closesAt: at('21T11:00:00') })],
      {
        now: app.clock.now,
      },
    );
    const [{ id: later }] = await app.database.dataSource.query('SELECT max(id) AS id FROM tender');
    const follower = await phone();
    await app.call('POST', `/api/tenders/${later}/bookmark`, undefined, device.who.headers);
    await app.call('POST', `/api/tenders/${later}/bookmark`, undefined, follower.who.headers);
    await app.run('closing-soon', at('20T18:00:01'));
    expect(follower.received.length).toBeGreaterThan(0);
    await app.run('send-pushes', at('20T18:01:00'));
    expect(await deliveryStates(device)).toBeUndefined();
  });

  test('that refuses many pushes is paused; no device is counted or removed, and all get theirs later', async () => {
    const devices = [];
    for (let n = 0; n < 5; n += 1) devices.push(await phone({ status: 403 }));
    await app.run('closing-soon', EVENING);
    for (const device of devices) expect(await deliveryStates(device)).toEqual({ errors: 0, last_ok_at: null });
    // The refusals use up no tries.
    expect(await app.database.dataSource.query('SELECT DISTINCT tries FROM push_delivery')).toEqual([{ tries: 0 }]);
    await app.run('send-pushes', minutes(9.999));
    expect(devices.map(({ tries }) => tries)).toEqual(Array(5).fill(1));
    await app.run('send-pushes', minutes(10));
    expect(devices.map(({ received }) => received.length)).toEqual(Array(5).fill(1));
  });

  test.each([
    ['VAPID: it refuses 6 of 7', [403, 403, 403, 403, 403, 404]],
    ['VAPID?: it no longer knows 11 of 12', [...Array(10).fill(404), 403]],
  ])('whose answers are mostly errors is reported to the operator: %s', async (finding, answers) => {
    for (const status of answers) await phone({ status });
    await phone();
    const errors = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    onTestFinished(() => errors.mockRestore());
    await app.run('closing-soon', EVENING);
    expect(errors.mock.calls).toEqual([[`${app.service.host} ${finding} pushes; none are sent for now`]]);
  });

  test.each([
    [5, 0],
    [6, 1],
  ])(
    'that refused four pushes at a time %i seconds ahead, and one now: %i error is counted',
    async (seconds, errors) => {
      const device = await phone({ status: 403 });
      await app.database.dataSource.query(
        'INSERT INTO push_host (host, since, sent, refused, gone, pauses) VALUES ($1, $2, 4, 4, 0, 0)',
        [app.service.host, new Date(EVENING.getTime() + seconds * 1_000)],
      );
      await app.run('closing-soon', EVENING);
      expect(await deliveryStates(device)).toMatchObject({ errors });
    },
  );

  test.each([
    [4, 4, 1],
    [5, 25, 1],
    [6, 25, 0],
  ])('that refuses %i of %i pushes: %i error is counted for each', async (refused, total, errors) => {
    const devices = [];
    for (let n = 0; n < total; n += 1) devices.push(await phone(...(n < refused ? [{ status: 403 }] : [])));
    await app.run('closing-soon', EVENING);
    for (const device of devices.slice(0, refused)) expect(await deliveryStates(device)).toMatchObject({ errors });
  });

  test.each([
    [4, 0],
    [4.999, 0],
    [5, 1],
    [6, 1],
  ])(
    'that refuses three pushes, and two more after %i minutes: %i error is counted for each',
    async (later, errors) => {
      for (let n = 0; n < 3; n += 1) await phone({ status: 403 });
      await app.run('closing-soon', EVENING);
      const devices = [await phone({ status: 403 }), await phone({ status: 403 })];
      await app.run('closing-soon', minutes(later));
      for (const device of devices) expect(await deliveryStates(device)).toMatchObject({ errors });
    },
  );

  test('that asks for pauses again and again gets longer ones, of an hour at most, until it accepts a push', async () => {
    const device = await phone(...Array<PushBehaviour>(8).fill({ status: 429 }));
    let minute = 0;
    await app.run('closing-soon', EVENING);
    for (const pause of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const { tries } = device;
      await app.run('send-pushes', minutes(minute + pause - 0.1));
      expect(device.tries).toBe(tries);
      minute += pause + 0.1;
      await app.run('send-pushes', minutes(minute));
      expect(device.tries).toBe(tries + 1);
    }
    expect(device.received).toHaveLength(1);
    device.behaviours.push({ status: 429 });
    await app.run('closing-soon', at('20T08:00:00'));
    await app.run('send-pushes', at('20T08:01:01'));
    expect(device.received).toHaveLength(2);
  });

  test.each(['errors = 3, errors_since = $2', 'gone_since = $2'])(
    'that accepts a push of a device with %s: the device is well again',
    async (columns) => {
      const device = await phone();
      await app.database.dataSource.query(`UPDATE push_subscription SET last_ok_at = $2, ${columns} WHERE id = $1`, [
        device.state.id,
        EVENING,
      ]);
      await app.run('closing-soon', EVENING);
      const [row] = await app.database.dataSource.query(
        'SELECT errors, errors_since, gone_since FROM push_subscription WHERE id = $1',
        [device.state.id],
      );
      expect(row).toEqual({ errors: 0, errors_since: null, gone_since: null });
    },
  );

  test('that reaches a device: the instant is stored, exact to the hour', async () => {
    const device = await phone();
    await app.run('closing-soon', EVENING);
    await app.run('closing-soon', at('20T08:00:00'));
    expect(device.received).toHaveLength(2);
    expect((await deliveryStates(device)).last_ok_at).toEqual(at('20T08:00:00'));
  });

  test.each([
    ['an hour', 3_600_000, 3_600_000],
    ['more than an hour', 3_600_001, 0],
  ])('that reaches a device again after %s', async (_name, agoMs, storedAgoMs) => {
    const device = await phone();
    await app.database.dataSource.query('UPDATE push_subscription SET last_ok_at = $2 WHERE id = $1', [
      device.state.id,
      new Date(EVENING.getTime() - agoMs),
    ]);
    await app.run('closing-soon', EVENING);
    expect(device.received).toHaveLength(1);
    expect((await deliveryStates(device)).last_ok_at).toEqual(new Date(EVENING.getTime() - storedAgoMs));
  });

  test('that reports nine devices as gone, or ten of fifty, removes them', async () => {
    const few = [];
    for (let n = 0; n < 9; n += 1) few.push(await phone({ status: 404 }));
    await app.run('closing-soon', EVENING);
    for (const device of few) expect(await deliveryStates(device)).toBeUndefined();
    const many = [];
    for (let n = 0; n < 50; n += 1) many.push(await phone(...(n < 10 ? [{ status: 404 }] : [])));
    await app.run('closing-soon', minutes(10));
    for (const device of many.slice(0, 10)) expect(await deliveryStates(device)).toBeUndefined();
  });

  test('that reports many devices as gone removes none', async () => {
    const devices = [];
    for (let n = 0; n < 10; n += 1) devices.push(await phone({ status: 404 }));
    await app.run('closing-soon', EVENING);
    for (const device of devices) expect(await deliveryStates(device)).toBeDefined();
    await app.run('send-pushes', minutes(11));
    expect(devices.map(({ received }) => received.length)).toEqual(Array(10).fill(1));
    for (const device of devices) expect((await deliveryStates(device)).last_ok_at).toEqual(minutes(11));
  });

  test('that reports the same devices as gone again, while it accepts others, removes them', async () => {
    const gone = [];
    for (let n = 0; n < 12; n += 1) gone.push(await phone({ status: 410 }, { status: 410 }, { status: 410 }));
    const other = await phone();
    await app.run('closing-soon', EVENING);
    for (const device of gone) expect(await deliveryStates(device)).toBeDefined();
    await app.run('send-pushes', minutes(11));
    for (const device of gone) expect(await deliveryStates(device)).toBeUndefined();
    expect(gone.map(({ tries }) => tries)).toEqual(Array(12).fill(2));
    expect(other.received).toHaveLength(1);
  });

  test.each([
    [300, true],
    [299, false],
  ])(
    'that reports devices as gone again after %i seconds, while it accepts others, removes them: %s',
    async (seconds, areRemoved) => {
      const gone = [];
      for (let n = 0; n < 10; n += 1) gone.push(await phone({ status: 404 }));
      await app.database.dataSource.query('UPDATE push_subscription SET gone_since = $1', [
        new Date(EVENING.getTime() - seconds * 1_000),
      ]);
      const other = await phone();
      await app.run('closing-soon', EVENING);
      expect(other.received).toHaveLength(1);
      const left = await Promise.all(gone.map(deliveryStates));
      expect(left.filter((state) => state === undefined)).toHaveLength(areRemoved ? 10 : 0);
    },
  );

  test.each([
    ['pushes of another key only', "vapid_kid = 'previous'"],
    ['nothing, and another service does,', "host = 'push.example'"],
  ])('that reports devices as gone again, while it accepts %s removes none', async (_name, change) => {
    const devices = [];
    for (let n = 0; n < 12; n += 1) devices.push(await phone({ status: 404 }, { status: 404 }));
    const other = await app.subscribeBrowser(await createSession(app));
    await app.run('closing-soon', EVENING);
    await app.database.dataSource.query(`UPDATE push_subscription SET ${change}, last_ok_at = $2 WHERE id = $1`, [
      other.state.id,
      minutes(5),
    ]);
    await app.run('send-pushes', minutes(11));
    expect(devices.map(({ tries }) => tries)).toEqual(Array(12).fill(2));
    for (const device of devices) expect(await deliveryStates(device)).toBeDefined();
  });

  test('that reports devices as gone once more after it has reached them removes none', async () => {
    const devices = [];
    for (let n = 0; n < 12; n += 1) devices.push(await phone({ status: 404 }, 'ok', { status: 404 }));
    await app.run('closing-soon', EVENING);
    await app.run('send-pushes', minutes(11));
    expect(devices.map(({ received }) => received.length)).toEqual(Array(12).fill(1));
    await app.run('closing-soon', at('20T08:00:00'));
    expect(devices.map(({ tries }) => tries)).toEqual(Array(12).fill(3));
    for (const device of devices) expect(await deliveryStates(device)).toBeDefined();
    await app.run('send-pushes', at('20T08:11:00'));
    expect(devices.map(({ received }) => received.length)).toEqual(Array(12).fill(2));
  });

  test('that returns 404 for all devices does not remove them, also when it repeats it', async () => {
    const devices = [];
    for (let n = 0; n < 12; n += 1) devices.push(await phone(...Array<PushBehaviour>(3).fill({ status: 404 })));
    for (const minute of [0, 11, 22, 33]) await app.run('closing-soon', minutes(minute));
    expect(devices.map(({ received }) => received.length)).toEqual(Array(12).fill(1));
  });
});

describe('a hostile push service', () => {
  test.each<PushBehaviour>(['huge', 'endless'])(
    'with an answer that is %s does no harm and is disconnected',
    async (behaviour) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
      onTestFinished(() => void vi.useRealTimers());
      const before = app.service.wasted();
      const ended = app.service.ended();
      const bad = await phone(behaviour);
      const good = await phone();
      await app.run('closing-soon', EVENING);
      expect([bad.received.length, good.received.length]).toEqual([1, 1]);
      expect(await states()).toEqual(['sent', 'sent']);
      if (behaviour === 'endless') vi.advanceTimersByTime(10_000);
      await expect.poll(() => app.service.ended()).toBe(ended + 1);
      // Bytes in the sockets' buffers when the connection was closed.
      expect(app.service.wasted() - before).toBeLessThan(32 * 1_048_576);
    },
  );

  test('that does not respond is disconnected after ten seconds and then paused', async () => {
    const devices = [];
    for (let n = 0; n < 60; n += 1) devices.push(await phone('silent'));
    const other = await startOther();
    const elsewhere = await otherPhone(other);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let hasEnded = false;
      const run = app.run('closing-soon', EVENING).finally(() => {
        hasEnded = true;
      });
      // No time passes until the other one is served.
      while (elsewhere.received.length === 0) await wait(20);
      vi.advanceTimersByTime(9_999);
      await states();
      expect(app.service.abandoned()).toBe(0);
      while (!hasEnded) {
        vi.advanceTimersByTime(1_000);
        await states();
      }
      await run;
      expect(app.service.abandoned()).toBeGreaterThan(0);
      expect(devices.filter(({ tries }) => tries > 0).length).toBeLessThanOrEqual(21);
      const tries = await app.database.dataSource.query('SELECT DISTINCT tries FROM push_delivery');
      expect(tries).toEqual([{ tries: 0 }]);
    } finally {
      vi.useRealTimers();
      await other.close();
    }
  });
});

describe('a row that bypassed the checks', () => {
  test.each([
    'https:/fcm.googleapis.com/x',
    'https:fcm.googleapis.com/x',
    'https://[::1]/x',
    'https://me@fcm.googleapis.com/x',
    'http://fcm.googleapis.com/x',
    'https://FCM.googleapis.com/x',
    'not an address',
  ])('with the endpoint %s is removed and nothing is sent', async (endpoint) => {
    const device = await phone();
    await app.database.dataSource.query('UPDATE push_subscription SET endpoint = $2 WHERE id = $1', [
      device.state.id,
      endpoint,
    ]);
    await app.run('closing-soon', EVENING);
    expect(await deliveryStates(device)).toBeUndefined();
    expect(device.tries).toBe(0);
  });

  test.each(['https://127.0.0.1/x', 'https://169.254.169.254/x', 'https://evil.example/x', 'https://localhost:1/x'])(
    'with the endpoint %s at no listed service stays, since the list may be wrong, and nothing is sent',
    async (endpoint) => {
      const device = await phone();
      await app.database.dataSource.query('UPDATE push_subscription SET endpoint = $2 WHERE id = $1', [
        device.state.id,
        endpoint,
      ]);
      await app.run('closing-soon', EVENING);
      expect(await deliveryStates(device)).toBeDefined();
      expect(device.tries).toBe(0);
      expect(await states()).toEqual(['failed']);
    },
  );

  test.each([
    ['p256dh', 'AAAA'],
    ['auth', 'AA'],
  ])('with another %s is removed', async (column, value) => {
    const device = await phone();
    await app.database.dataSource.query(`UPDATE push_subscription SET ${column} = $2 WHERE id = $1`, [
      device.state.id,
      value,
    ]);
    const other = await phone();
    await app.run('closing-soon', EVENING);
    expect(await deliveryStates(device)).toBeUndefined();
    expect(other.received).toHaveLength(1);
  });

  test('a listed name that resolves to this machine gets no connection', async () => {
    const device = await phone();
    // Its own path, with another name that resolves to this machine.
    const { port, pathname } = new URL(device.subscription.endpoint);
    const endpoint = `https://localtest.example:${port}${pathname}`;
    (app.config.pushHosts as string[]).push(`localtest.example:${port}`);
    await app.database.dataSource.query('UPDATE push_subscription SET endpoint = $2, host = $3 WHERE id = $1', [
      device.state.id,
      endpoint,
      `localtest.example:${port}`,
    ]);
    const asked: string[] = [];
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(((
      name: string,
      options: unknown,
      done: (...answer: unknown[]) => void,
    ) => {
      asked.push(name);
      done(null, (options as { all?: boolean }).all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
    }) as unknown as typeof dns.lookup);
    // For modules with `import * as dns`.
    syncBuiltinESMExports();
    const connected = vi.fn();
    app.service.onConnection(connected);
    await app.run('closing-soon', EVENING).finally(() => {
      lookup.mockRestore();
      syncBuiltinESMExports();
    });
    expect(asked).toEqual(['localtest.example']);
    expect(connected).not.toHaveBeenCalled();
    expect(await states()).toEqual(['waiting']);
  });
});

describe('a message that cannot be written', () => {
  test('fails alone: the rest of its batch is sent, and the log has no personal data', async () => {
    const device = await phone();
    const other = await phone();
    await app.call('PUT', '/api/push/email', { quiet: null }, device.who.headers);
    const [{ id: change }] = await app.database.dataSource.query(
      `INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, detail, created_at, event_at)
       VALUES ($1, $1, $2, 'changed', 1, 'due', '{"fields": 5}', $3, $3) RETURNING id`,
      [device.who.user._id, id, EVENING],
    );
    await app.database.dataSource.query(
      `INSERT INTO push_delivery (notice_id, subscription_id, host, send_at, event_at)
       SELECT $1, id, host, $2, $2 FROM push_subscription WHERE user_id = $3`,
      [change, EVENING, device.who.user._id],
    );
    const errors = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    const said = await app
      .run('closing-soon', EVENING)
      .then(() => errors.mock.calls.flat().join())
      .finally(() => errors.mockRestore());
    expect(said).toMatch(/A changed message to localhost:\d+ failed: TypeError/);
    expect(said).toMatch(/A changed message to email failed: TypeError/);
    expect(said).not.toContain(device.who.user.email);
    expect([device.received.length, other.received.length]).toEqual([1, 1]);
    expect(await states()).toEqual(['failed', 'failed', 'sent', 'sent', 'sent']);
  });
});

describe('a worker with a wrong setting', () => {
  test.each([
    [
      'without the keys that devices subscribed with',
      { VAPID_PUBLIC_KEY: deriveVapidKeys('x').publicKey, VAPID_PRIVATE_KEY: deriveVapidKeys('x').privateKey },
    ],
    ['that does not list their push service', { PUSH_ALLOWED_HOSTS: 'fcm.googleapis.com,localhost:1' }],
  ])('%s deletes no device, logs it once, and the next worker sends again', async (_name, wrong) => {
    const devices = [await phone(), await phone()];
    const env = { NODE_ENV: 'test', ...VAPID, PUSH_ALLOWED_HOSTS: app.service.host, ...wrong };
    const worker = await startApp({ now: EVENING, database: app.database, env });
    const errors = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    try {
      const find = async <Service>(type: Type<Service>) => worker.app.get(type);
      await closingSoonJob.run({ dataSource: app.database.dataSource, now: EVENING, find });
      expect(errors.mock.calls.flat().filter((text) => /^Pushes cannot be sent/.test(String(text)))).toHaveLength(1);
    } finally {
      errors.mockRestore();
      await worker.close();
    }
    expect(await states()).toEqual(['failed', 'failed']);
    await app.run('closing-soon', at('20T08:00:00'));
    expect(devices.map(({ received }) => received.length)).toEqual([1, 1]);
  });
});

describe('keys that change', () => {
  test('the pushes of each device are signed with the key that it subscribed with', async () => {
    const fresh = deriveVapidKeys('another key');
    const keys = {
      VAPID_PUBLIC_KEY: `${fresh.publicKey},${VAPID.VAPID_PUBLIC_KEY}`,
      VAPID_PRIVATE_KEY: `${fresh.privateKey},${VAPID.VAPID_PRIVATE_KEY}`,
    };
    const other = await startPushApp(at('10T11:30:00'), keys);
    try {
      await importTenders(other.database.dataSource, [createSourceTender()], { now: other.clock.now });
      const watch = { tenderIds: ['1'] };
      const early = await other.subscribeBrowser(
        undefined,
        {},
        { ...watch, applicationServerKey: VAPID.VAPID_PUBLIC_KEY },
      );
      const browser = other.service.subscribe(fresh.publicKey);
      await other.call('POST', '/api/push/subscriptions', { ...browser.subscription, ...watch });
      await other.run('closing-soon', EVENING);
      expect([early.received.length, browser.received.length]).toEqual([1, 1]);
    } finally {
      await other.close();
    }
  });
});

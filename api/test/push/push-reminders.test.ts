import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AlertPreferencesChange, NoticeListResponse } from '@nivida/contract/push/push';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMailSender } from '../../src/mail/mail-delivery.ts';
import { mailboxFolder } from '../../src/mail/mailbox.ts';
import { readDueDeliveries } from '../../src/push/sending/due-deliveries.ts';
import { UnsubscribeLinks } from '../../src/push/unsubscribe/unsubscribe-links.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { type PushApp, type SubscribedBrowser, startPushApp } from '../support/push-app.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { TEST_SESSION_KEY } from '../support/start-app.ts';
import { readMails, runMailJobs } from '../support/test-mailbox.ts';

const at = (time: string) => new Date(`2026-11-${time}+05:30`);
const MORNING = at('10T11:30:00');

let app: PushApp;
let asha: SignedInAccount;

beforeAll(async () => {
  app = await startPushApp(MORNING);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.clear(MORNING);
  asha = await createSession(app, { remembered: true });
});

/** Stores tenders of HP that close on 20 November, 11:00 AM by default. Returns their ids. */
async function store(...changes: Parameters<typeof createSourceTender>[0][]): Promise<number[]> {
  const notices = changes.map((change, n) =>
    createSourceTender({ sourceId: `2026_PWD_${++stored}_${n + 1}`, ...change }),
  );
  await importTenders(app.database.dataSource, notices, { now: app.clock.now });
  const rows: { id: number; source_id: string }[] = await app.database.dataSource.query(
    'SELECT id, source_id FROM tender WHERE source_id = ANY($1)',
    [notices.map(({ sourceId }) => sourceId)],
  );
  return notices.map(({ sourceId }) => rows.find(({ source_id }) => source_id === sourceId)?.id as number);
}
let stored = 500_000;

async function bookmarkAs(ids: number[], who = asha): Promise<void> {
  for (const id of ids) await app.call('POST', `/api/tenders/${id}/bookmark`, undefined, who.headers);
}

const titles = ({ received }: SubscribedBrowser) => received.map(({ payload }) => payload.notification.title);
const sounds = ({ received }: SubscribedBrowser) =>
  received.map(({ payload: { notification } }) => [notification.title, notification.silent ? 'silent' : 'loud']);
const kinds = async (): Promise<string[]> => {
  const rows = await app.database.dataSource.query('SELECT kind, state FROM notice ORDER BY id');
  return rows.map(({ kind, state }: { kind: string; state: string }) => (state === 'due' ? kind : `(${kind})`));
};

describe('a reminder', () => {
  test('comes at 18:00 of the evening before and three hours before closing, each once, and never after', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({}));
    for (const time of ['13T18:00:00', '17T18:00:00', '19T17:59:59']) await app.run('closing-soon', at(time));
    expect(phone.received).toEqual([]);
    await app.run('closing-soon', at('19T18:00:00'));
    expect(titles(phone)).toEqual(['Closing tomorrow · 11:00 AM']);
    // Midnight in India, quiet hours, and midnight by UTC.
    for (const time of ['19T18:01:00', '20T00:00:00', '20T05:29:00', '20T05:30:00', '20T07:59:59'])
      await app.run('closing-soon', at(time));
    expect(phone.received).toHaveLength(1);
    await app.run('closing-soon', at('20T08:00:00'));
    expect(titles(phone)).toEqual(['Closing tomorrow · 11:00 AM', 'Closing today · 11:00 AM']);
    for (const time of ['20T08:01:00', '20T10:59:00', '20T11:00:00', '21T09:00:00'])
      await app.run('closing-soon', at(time));
    expect(phone.received).toHaveLength(2);
  });

  test('is stored by the push service until closing, at most a day; the last one is urgent', async () => {
    const phone = await app.subscribeBrowser(asha);
    const [id] = await store({});
    await bookmarkAs([id as number]);
    await app.run('closing-soon', at('19T18:00:00'));
    await app.run('closing-soon', at('20T08:00:00'));
    expect(phone.received.map(({ ttl, urgency, topic }) => ({ ttl, urgency, topic }))).toEqual([
      { ttl: 17 * 3_600, urgency: 'normal', topic: `closing-${id}` },
      { ttl: 3 * 3_600, urgency: 'high', topic: `closing-${id}` },
    ]);
    expect(phone.received[0]?.payload).toMatchObject({
      web_push: 8030,
      notification: {
        body: expect.stringContaining('Construction of footbridge'),
        tag: `closing-${id}`,
        navigate: expect.stringMatching(new RegExp(`^http://localhost:0/tenders/${id}\\?n=[\\w-]{22}$`)),
        data: { rcpt: phone.state.rcpt, kind: 'closing', tenderIds: [String(id)], patches: [] },
      },
    });
  });

  test('of the seventh and third day is sent to devices that want it', async () => {
    const phone = await app.subscribeBrowser(asha, { kinds: { closing_in_7_days: true, closing_in_3_days: true } });
    const other = await createSession(app, { remembered: true });
    const plain = await app.subscribeBrowser(other);
    const ids = await store({});
    await bookmarkAs(ids);
    await bookmarkAs(ids, other);
    for (const time of ['13T17:59:00', '13T18:00:00', '13T18:01:00', '17T18:00:00', '18T18:00:00'])
      await app.run('closing-soon', at(time));
    expect(titles(phone)).toEqual(['7 days left · 11:00 AM', '3 days left · 11:00 AM']);
    expect(plain.received).toEqual([]);
    const inbox = async ({ headers }: SignedInAccount) => (await app.get('/api/notices', headers)).json;
    expect(await inbox(asha)).toMatchObject({
      notices: [{ kind: 'closing_in_3_days' }, { kind: 'closing_in_7_days' }],
    });
    expect(await inbox(other)).toMatchObject({ notices: [], unread: 0 });
  });

  test('of a kind that is absent from stored preferences follows its default', async () => {
    const phone = await app.subscribeBrowser(asha);
    await app.database.dataSource.query(
      `UPDATE push_subscription SET preferences = preferences #- '{kinds,closing_in_3_hours}' #- '{kinds,closing_in_3_days}'`,
    );
    await bookmarkAs(await store({}));
    for (const time of ['17T18:00:00', '20T08:00:00']) await app.run('closing-soon', at(time));
    expect(titles(phone)).toEqual(['Closing today · 11:00 AM']);
  });

  test('of a tender that is published after its evening is sent at once', async () => {
    const phone = await app.subscribeBrowser(asha, { quiet: null });
    app.clock.now = at('19T19:30:00');
    await bookmarkAs(await store({ publishedAt: at('19T19:00:00') }));
    await app.run('closing-soon');
    expect(titles(phone)).toEqual(['Closing tomorrow · 11:00 AM']);
  });

  test('of a tender without a stated hour is sent in the morning of its last day', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({ closesAt: at('20T23:59:59'), closingTimeKnown: false }));
    for (const time of ['19T18:00:00', '20T08:59:00', '20T09:00:00', '20T21:00:00'])
      await app.run('closing-soon', at(time));
    expect(titles(phone)).toEqual(['Closing tomorrow · time not stated', 'Closing today · time not stated']);
    const { notices } = (await app.get('/api/notices', asha.headers)).json;
    expect(notices).toMatchObject(Array(2).fill({ closingTimeKnown: false, patch: null, readAt: null }));
  });

  test('is not sent for a cancelled tender, a removed bookmark or a muted tender', async () => {
    const [cancelled, gone, muted] = (await store({}, {}, {})) as [number, number, number];
    const phone = await app.subscribeBrowser(asha, { mutedTenders: [String(muted)] });
    await bookmarkAs([cancelled, gone, muted]);
    await app.database.dataSource.query(`UPDATE tender SET stage = 'cancelled' WHERE id = $1`, [cancelled]);
    await app.call('DELETE', `/api/tenders/${gone}/bookmark`, undefined, asha.headers);
    await app.run('closing-soon', at('19T18:00:00'));
    expect(phone.received).toEqual([]);
    const notices = await app.database.dataSource.query('SELECT tender_id FROM notice');
    expect(notices).toEqual([{ tender_id: muted }]);
  });

  test('is neither stored nor sent for a deleted account, and comes when the account is restored in time', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({}));
    const setDeleted = (at: Date | null) =>
      app.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [asha.user._id, at]);
    await setDeleted(at('19T12:00:00'));
    await app.run('closing-soon', at('19T18:00:00'));
    expect([await kinds(), titles(phone)]).toEqual([[], []]);
    await setDeleted(null);
    await app.run('closing-soon', at('19T18:01:00'));
    expect([await kinds(), titles(phone)]).toEqual([['closing_tomorrow'], ['Closing tomorrow · 11:00 AM']]);
  });

  test('that waits in the quiet hours is sent at their end, only the most urgent of a tender', async () => {
    const phone = await app.subscribeBrowser(asha);
    const ids = await store({ closesAt: at('20T09:30:00'), publishedAt: at('19T21:30:00') });
    app.clock.now = at('19T21:30:00');
    await app.run('publish-drafts');
    await bookmarkAs(ids);
    for (const time of ['19T22:00:00', '20T06:29:00', '20T06:30:00', '20T06:59:00'])
      await app.run('closing-soon', at(time));
    expect(phone.received).toEqual([]);
    await app.run('closing-soon', at('20T07:00:00'));
    expect(titles(phone)).toEqual(['Closing today · 9:30 AM']);
    expect(phone.received[0]?.urgency).toBe('high');
  });

  test.each<[string, AlertPreferencesChange]>([
    ['off', { isOn: false }],
    ['this kind off', { kinds: { closing_in_3_hours: false } }],
  ])('that waits is not sent to a device that turned %s in the meantime', async (_name, preferences) => {
    app.clock.now = at('20T06:00:00');
    const [id] = (await store({ closesAt: at('20T09:30:00') })) as [number];
    const phone = await app.subscribeBrowser(asha);
    const muted = await app.subscribeBrowser(asha);
    const plain = await app.subscribeBrowser(asha);
    await bookmarkAs([id]);
    await app.run('closing-soon', at('20T06:30:00'));
    for (const [{ state, headers }, change] of [
      [phone, preferences],
      [muted, { mutedTenders: [String(id)] }],
    ] as const)
      expect((await app.call('PATCH', `/api/push/subscriptions/${state.id}`, change, headers)).status).toBe(200);
    await app.run('closing-soon', at('20T07:00:00'));
    expect([phone, muted, plain].map(({ received }) => received.length)).toEqual([0, 0, 1]);
  });

  test('whose retry falls into the quiet hours waits until they end, also with hours set in the meantime', async () => {
    const phone = await app.subscribeBrowser(asha, { quiet: { from: '18:20', until: '07:00' } });
    const other = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({ closesAt: at('20T12:30:00') }));
    for (const { behaviours } of [phone, other]) behaviours.push(...Array(3).fill({ status: 503 }));
    for (const time of ['19T18:00:00', '19T18:00:30', '19T18:02:30']) await app.run('closing-soon', at(time));
    const quiet = { from: '18:05', until: '06:00' };
    await app.call('PATCH', `/api/push/subscriptions/${other.state.id}`, { quiet }, other.headers);
    await app.run('send-pushes', at('19T18:12:30'));
    expect([phone.received.length, other.received.length]).toEqual([1, 0]);
    await app.run('send-pushes', at('20T05:59:00'));
    expect(other.received).toEqual([]);
    await app.run('send-pushes', at('20T06:00:00'));
    expect(titles(other)).toEqual(['Closing today · 12:30 PM']);
  });

  test('that waits is not sent after its bookmark is removed, and is sent to those who still have it', async () => {
    app.clock.now = at('19T21:30:00');
    const ids = await store({ closesAt: at('20T12:30:00') });
    const other = await createSession(app, { remembered: true });
    const tenderIds = ids.map(String);
    const phones = [
      await app.subscribeBrowser(asha),
      await app.subscribeBrowser(undefined, {}, { tenderIds }),
      await app.subscribeBrowser(other),
      await app.subscribeBrowser(undefined, {}, { tenderIds }),
    ] as const;
    await bookmarkAs(ids);
    await bookmarkAs(ids, other);
    await app.run('closing-soon', at('19T22:00:00'));
    await app.call('DELETE', `/api/tenders/${ids[0]}/bookmark`, undefined, asha.headers);
    const [, { state, headers }] = phones;
    await app.call('PUT', `/api/push/subscriptions/${state.id}/tenders`, { tenderIds: [] }, headers);
    await app.run('closing-soon', at('20T07:00:00'));
    expect(phones.map(({ received }) => received.length)).toEqual([0, 0, 1, 1]);
  });

  test('of exactly 21:00 waits until exactly 7:00; one of a second before 21:00 is sent', async () => {
    const phone = await app.subscribeBrowser(asha);
    app.clock.now = at('19T20:59:00');
    const [first, second] = await store({ title: 'Bridge' }, { title: 'School' });
    await bookmarkAs([first as number]);
    await app.run('closing-soon', at('19T20:59:59'));
    expect(phone.received).toHaveLength(1);
    await bookmarkAs([second as number]);
    await app.run('closing-soon', at('19T21:00:00'));
    await app.run('closing-soon', at('20T06:59:59'));
    expect(phone.received).toHaveLength(1);
    await app.run('closing-soon', at('20T07:00:00'));
    expect(phone.received.map(({ payload }) => payload.notification.body.split('\n')[0])).toEqual(['Bridge', 'School']);
  });

  test('follows the quiet hours of the time zone of the device', async () => {
    const phone = await app.subscribeBrowser(asha, { zone: 'America/New_York' });
    await bookmarkAs(await store({ closesAt: at('20T17:00:00') }));
    // 18:00 in India is 7:30 in New York. Its quiet hours begin at 7:30 in India, and end at 17:30, after closing.
    for (const time of ['19T18:00:00', '20T07:28:59', '20T07:29:00', '20T14:00:00', '20T16:59:00', '20T17:30:00'])
      await app.run('closing-soon', at(time));
    expect(sounds(phone)).toEqual([
      ['Closing tomorrow · 5:00 PM', 'loud'],
      ['Closing today · 5:00 PM', 'loud'],
    ]);
  });

  describe('that quiet hours would delay until closing, or until less than an hour before,', () => {
    const quiet = { from: '17:00', until: '09:30' };
    const early = { closesAt: at('20T08:30:00') };

    test('is sent in the last minute before they begin, once, and to other devices when it is due', async () => {
      const phone = await app.subscribeBrowser(asha, { quiet });
      const open = await app.subscribeBrowser(asha, { quiet: null });
      const evening = await app.subscribeBrowser(asha, { quiet: { from: '23:00', until: '08:00' } });
      await bookmarkAs(await store(early));
      await app.run('closing-soon', at('19T16:58:59'));
      expect(phone.received).toEqual([]);
      await app.run('closing-soon', at('19T16:59:00'));
      expect(sounds(phone)).toEqual([['Closing tomorrow · 8:30 AM', 'loud']]);
      expect([open.received.length, evening.received.length]).toEqual([0, 0]);
      await app.run('closing-soon', at('19T18:00:00'));
      expect([phone.received.length, open.received.length, evening.received.length]).toEqual([1, 1, 1]);
      await app.run('closing-soon', at('19T22:59:00'));
      expect(evening.received).toHaveLength(2);
      for (const time of ['20T05:29:00', '20T05:30:00', '20T08:00:00', '20T09:30:00'])
        await app.run('closing-soon', at(time));
      expect(sounds(open)).toEqual([
        ['Closing tomorrow · 8:30 AM', 'loud'],
        ['Closing today · 8:30 AM', 'loud'],
      ]);
      expect([phone.received.length, evening.received.length]).toEqual([1, 2]);
      expect(sounds(evening).at(-1)).toEqual(['Closing tomorrow · 8:30 AM', 'loud']);
      expect(await kinds()).toEqual(['closing_in_3_hours', 'closing_tomorrow']);
    });

    test('is sent at once and silently when it becomes known within them', async () => {
      const phone = await app.subscribeBrowser(asha, { quiet });
      const ids = await store(early);
      app.clock.now = at('19T19:00:00');
      await bookmarkAs(ids);
      await app.run('closing-soon');
      expect(sounds(phone)).toEqual([['Closing tomorrow · 8:30 AM', 'silent']]);
      for (const time of ['20T05:30:00', '20T08:00:00', '20T09:30:00']) await app.run('closing-soon', at(time));
      expect(phone.received).toHaveLength(1);
    });

    test('is sent silently when the push service fails until they have begun', async () => {
      const phone = await app.subscribeBrowser(asha, { quiet });
      phone.behaviours.push({ status: 503 });
      await bookmarkAs(await store(early));
      await app.run('closing-soon', at('19T16:59:40'));
      await app.run('send-pushes', at('19T17:00:10'));
      expect(sounds(phone)).toEqual([['Closing tomorrow · 8:30 AM', 'silent']]);
    });

    test.each([
      ['20T10:30:00', '20T09:30:00', 'loud'],
      ['20T10:29:00', '19T16:59:00', 'loud'],
    ])('closing at %s, comes at %s', async (closing, time, sound) => {
      const phone = await app.subscribeBrowser(asha, { quiet });
      await bookmarkAs(await store({ closesAt: at(closing) }));
      const times = ['19T16:59:00', '19T18:00:00', '20T07:30:00', '20T09:30:00'];
      const came: string[] = [];
      for (const each of times) {
        await app.run('closing-soon', at(each));
        if (phone.received.length > came.length) came.push(each);
      }
      expect(came).toEqual([time]);
      expect(sounds(phone).map(([, heard]) => heard)).toEqual([sound]);
    });

    test('is sent only to devices that want this kind and are on', async () => {
      const phone = await app.subscribeBrowser(asha, {
        quiet,
        kinds: { closing_tomorrow: false, closing_in_3_hours: false },
      });
      const off = await app.subscribeBrowser(asha, { quiet, isOn: false });
      await bookmarkAs(await store(early));
      await app.run('closing-soon', at('19T16:59:00'));
      expect([...phone.received, ...off.received]).toEqual([]);
      expect(await kinds()).toEqual([]);
    });

    test('is sent silently as a change too, and a tender that closes later waits', async () => {
      const phone = await app.subscribeBrowser(asha, { quiet });
      const [sourceId, other] = ['2026_PWD_710000_1', '2026_PWD_710001_1'];
      await bookmarkAs(await store({ sourceId }, { sourceId: other }));
      const moved = [
        createSourceTender({ sourceId, closesAt: at('20T08:30:00') }),
        createSourceTender({ sourceId: other, closesAt: at('27T11:00:00') }),
      ];
      await importTenders(app.database.dataSource, moved, { now: at('17T20:00:00') });
      await importTenders(app.database.dataSource, [createSourceTender({ sourceId, closesAt: at('18T09:00:00') })], {
        now: at('17T20:00:10'),
      });
      await app.run('closing-soon', at('17T20:01:00'));
      expect(sounds(phone)).toContainEqual(['Closing moved to 18 Nov 2026, 9:00 AM', 'silent']);
      expect(titles(phone)).not.toContain('Closing moved to 27 Nov 2026, 11:00 AM');
      await app.run('closing-soon', at('18T09:30:00'));
      expect(sounds(phone).at(-1)).toEqual(['Closing moved to 27 Nov 2026, 11:00 AM', 'loud']);
    });
  });

  test('follows Indian quiet hours where the database does not know the zone, and other devices get theirs', async () => {
    const moved = await app.subscribeBrowser(asha);
    await app.database.dataSource.query(
      `UPDATE push_subscription SET preferences = jsonb_set(preferences, '{zone}', '"Asia/Nowhere"')`,
    );
    const other = await app.subscribeBrowser(asha, { zone: 'America/New_York' });
    await bookmarkAs(await store({ closesAt: at('20T17:00:00') }, { closesAt: at('20T09:30:00') }));
    await app.run('closing-soon', at('19T18:00:00'));
    expect([moved.received.length, other.received.length]).toEqual([1, 1]);
    await app.run('closing-soon', at('20T06:59:00'));
    expect(moved.received).toHaveLength(1);
    await app.run('closing-soon', at('20T07:00:00'));
    expect(titles(moved).at(-1)).toBe('Closing today · 9:30 AM');
  });

  test('reaches all devices of a user, each in its language, and no other user', async () => {
    const english = await app.subscribeBrowser(asha);
    const hindi = await app.subscribeBrowser(asha, { language: 'hi-IN' });
    const off = await app.subscribeBrowser(asha, { isOn: false });
    const stranger = await app.subscribeBrowser(await createSession(app));
    await bookmarkAs(await store({ title: 'शिमला में सड़क का निर्माण' }));
    await app.run('closing-soon', at('19T18:00:00'));
    expect(titles(english)).toEqual(['Closing tomorrow · 11:00 AM']);
    const { title, body, lang, navigate = '', actions } = hindi.received[0]?.payload.notification ?? {};
    expect({ title, lang }).toEqual({ title: 'कल बंद होगा · सुबह 11:00 बजे तक', lang: 'hi-IN' });
    expect(body).toMatch(/^शिमला में सड़क का निर्माण\n/);
    expect(new URL(navigate).pathname).toMatch(/^\/hi\/tenders\/\d+$/);
    expect(actions?.map((each) => new URL(each.navigate).pathname)).toEqual(Array(3).fill(new URL(navigate).pathname));
    expect(new URL(english.received[0]?.payload.notification.navigate ?? '').pathname).toMatch(/^\/tenders\/\d+$/);
    expect([...off.received, ...stranger.received]).toEqual([]);
  });

  test('of a visitor is for this device and its bookmarks', async () => {
    const [bookmarked] = await store({}, {});
    const phone = await app.subscribeBrowser(undefined, {}, { tenderIds: [String(bookmarked)] });
    await app.run('closing-soon', at('19T18:00:00'));
    expect(phone.received.map(({ payload }) => payload.notification.data)).toMatchObject([
      { tenderIds: [String(bookmarked)], rcpt: phone.state.rcpt },
    ]);
    const list = await app.get('/api/notices', phone.headers);
    expect(v.parse(NoticeListResponse, list.json).notices.map(({ kind }) => kind)).toEqual(['closing_tomorrow']);
  });

  test('that a visitor had before the sign-in does not come again', async () => {
    const ids = await store({});
    const phone = await app.subscribeBrowser(undefined, {}, { tenderIds: ids.map(String) });
    await app.run('closing-soon', at('19T18:00:00'));
    await bookmarkAs(ids);
    await app.call('PUT', `/api/push/subscriptions/${phone.state.id}`, phone.subscription, asha.headers);
    await app.run('closing-soon', at('19T18:05:00'));
    expect(phone.received).toHaveLength(1);
  });

  test('of a visitor and of the user about the same tender are one after the sign-in', async () => {
    const [first, second] = (await store({}, { closesAt: at('20T17:00:00') })) as [number, number];
    await bookmarkAs([first]);
    const phone = await app.subscribeBrowser(undefined, {}, { tenderIds: [String(first), String(second)] });
    await app.run('closing-soon', at('19T18:00:00'));
    expect(await kinds()).toEqual(['closing_tomorrow', 'closing_tomorrow', 'closing_tomorrow']);
    await app.call('PUT', `/api/push/subscriptions/${phone.state.id}`, phone.subscription, asha.headers);
    const rows = await app.database.dataSource.query(
      'SELECT user_id, recipient, subscription_id, tender_id FROM notice ORDER BY tender_id',
    );
    const { _id: id } = asha.user;
    expect(rows).toEqual(
      [first, second].map((tender_id) => ({ user_id: id, recipient: id, subscription_id: null, tender_id })),
    );
  });

  test('is not sent for a tender whose publication was postponed', async () => {
    const phone = await app.subscribeBrowser(asha);
    const [id] = await store({});
    await bookmarkAs([id as number]);
    await app.database.dataSource.query('UPDATE tender SET published_at = $2 WHERE id = $1', [id, at('19T18:00:01')]);
    await app.run('closing-soon', at('19T18:00:00'));
    expect([phone.received, await kinds()]).toEqual([[], []]);
    await app.run('closing-soon', at('19T18:00:01'));
    expect(titles(phone)).toEqual(['Closing tomorrow · 11:00 AM']);
  });

  test('that waits in the quiet hours of a visitor is sent at their end, also after a sign-in', async () => {
    app.clock.now = at('19T21:30:00');
    const ids = await store({ closesAt: at('20T12:30:00') });
    const phone = await app.subscribeBrowser(undefined, {}, { tenderIds: ids.map(String) });
    await app.run('closing-soon', at('19T22:00:00'));
    await bookmarkAs(ids);
    await app.call('PUT', `/api/push/subscriptions/${phone.state.id}`, phone.subscription, asha.headers);
    await app.run('closing-soon', at('20T07:00:00'));
    expect(titles(phone)).toEqual(['Closing today · 12:30 PM']);
  });

  test('that waits on a device is not sent to another user who takes the device, nor to a visitor', async () => {
    app.clock.now = at('19T21:30:00');
    const ids = await store({ closesAt: at('20T12:30:00') });
    const other = await createSession(app, { remembered: true });
    const taken = await app.subscribeBrowser(asha);
    const left = await app.subscribeBrowser(asha);
    const own = await app.subscribeBrowser(asha);
    await bookmarkAs(ids);
    await app.run('closing-soon', at('19T22:00:00'));
    const waiting = async () => {
      const rows = await app.database.dataSource.query('SELECT subscription_id AS id FROM push_delivery ORDER BY id');
      return rows.map(({ id }: { id: string }) => id);
    };
    expect(await waiting()).toHaveLength(3);
    const subscribe = (phone: SubscribedBrowser, headers?: object) =>
      app.call('POST', '/api/push/subscriptions', phone.subscription, headers);
    expect((await subscribe(taken, other.headers)).json.id).toBe(taken.state.id);
    expect((await subscribe(left)).json.id).toBe(left.state.id);
    expect(await waiting()).toEqual([own.state.id]);
    await app.run('closing-soon', at('20T07:00:00'));
    expect([taken.received.length, left.received.length, own.received.length]).toEqual([0, 0, 1]);
  });

  test('that a user had does not come again on the device after the session ended', async () => {
    const ids = await store({}, {});
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(ids.slice(0, 1));
    await app.run('closing-soon', at('19T18:00:00'));
    const again = await app.call('POST', '/api/push/subscriptions', {
      ...phone.subscription,
      tenderIds: ids.map(String),
    });
    expect(again.json.id).toBe(phone.state.id);
    await app.run('closing-soon', at('19T18:05:00'));
    expect(phone.received.map(({ payload }) => payload.notification.data.tenderIds)).toEqual(
      ids.map((id) => [String(id)]),
    );
    const list = await app.get('/api/notices', { authorization: `Device ${again.json.secret}` });
    expect(v.parse(NoticeListResponse, list.json).notices).toHaveLength(1);
  });
});

describe('after downtime', () => {
  test('only the most urgent reminder is sent; the others are marked as skipped', async () => {
    const phone = await app.subscribeBrowser(asha, { kinds: { closing_in_3_days: true } });
    await bookmarkAs(await store({}, { closesAt: at('19T17:00:00') }, { closesAt: at('23T11:00:00') }));
    await app.run('closing-soon', at('18T12:00:00'));
    expect(phone.received).toEqual([]);
    await app.run('closing-soon', at('20T09:00:00'));
    expect(titles(phone)).toEqual(['Closing today · 11:00 AM']);
    expect(await kinds()).toEqual(['closing_in_3_hours', '(closing_tomorrow)']);
    // The inbox has only what was sent.
    expect((await app.get('/api/notices', asha.headers)).json).toMatchObject({
      notices: [{ kind: 'closing_in_3_hours' }],
      unread: 1,
    });
  });
});

describe('many notices at once', () => {
  test('several closings are one message, the first one first', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(
      await store(
        { title: 'Road', closesAt: at('20T17:00:00') },
        { title: 'Bridge' },
        { title: 'School', closesAt: at('20T12:30:00') },
      ),
    );
    await app.run('closing-soon', at('19T18:00:00'));
    expect(phone.received).toHaveLength(1);
    const { title, body, tag } = phone.received[0]?.payload.notification ?? {};
    expect({ title, tag, body }).toEqual({
      title: '3 tenders close soon',
      tag: 'closing-digest',
      body: 'Closing tomorrow · 11:00 AM: Bridge\nClosing tomorrow · 12:30 PM: School\nClosing tomorrow · 5:00 PM: Road',
    });
    expect(phone.received[0]).toMatchObject({ topic: 'closing-digest', ttl: 17 * 3_600 });
  });

  test('the works of one NIT are one entry', async () => {
    const phone = await app.subscribeBrowser(asha);
    const nit = { nitKey: 'hptenders nit 12', reference: 'NIT/12' };
    await bookmarkAs(await store(nit, nit, nit));
    await app.run('closing-soon', at('19T18:00:00'));
    expect(phone.received.map(({ payload }) => payload.notification.body.split('\n')[0])).toEqual([
      '3 works in NIT NIT/12',
    ]);
  });

  test('the works of one NIT with other closings are entries of their own', async () => {
    const phone = await app.subscribeBrowser(asha);
    const nit = { nitKey: 'hptenders nit 13', reference: 'NIT/13' };
    await bookmarkAs(await store({ ...nit, title: 'Road' }, { ...nit, title: 'Bridge', closesAt: at('20T17:00:00') }));
    await app.run('closing-soon', at('19T18:00:00'));
    expect(phone.received.map(({ payload }) => payload.notification.body)).toEqual([
      'Closing tomorrow · 11:00 AM: Road\nClosing tomorrow · 5:00 PM: Bridge',
    ]);
  });

  test('a hundred closings fit into 2,800 bytes, in Hindi, without a split letter', async () => {
    const phone = await app.subscribeBrowser(asha, { language: 'hi-IN' });
    const title = 'क्षेत्रीय स्वास्थ्य केन्द्र की मरम्मत एवं निर्माण कार्य '.repeat(4);
    await bookmarkAs(await store(...Array.from({ length: 100 }, () => ({ title }))));
    await app.run('closing-soon', at('19T18:00:00'));
    const [push] = phone.received;
    expect(push?.bytes).toBeLessThanOrEqual(2_800);
    const { title: head, body = '' } = push?.payload.notification ?? {};
    expect(head).toBe('100 टेंडर जल्द बंद होंगे');
    const letters = (text: string) => Array.from(new Intl.Segmenter('hi').segment(text), ({ segment }) => segment);
    const known = new Set(letters(title));
    const [line = ''] = body.split('\n');
    for (const letter of letters(line.replace(/^[^:]*:\d\d[^:]*: /, '').replace('…', '')))
      expect(known).toContain(letter);
    expect(body).toMatch(/\nऔर \d\d$/);
  });

  test('limited kinds are sent at most six times a day; last-day reminders and changes always', async () => {
    const phone = await app.subscribeBrowser(asha, { kinds: { closing_in_3_days: true }, quiet: null });
    for (let hour = 18; hour < 24; hour += 1)
      for (const minute of [0, 30]) {
        app.clock.now = at(`17T${hour}:${minute === 0 ? '00' : '30'}:00`);
        const ids = await store({ publishedAt: app.clock.now });
        // A message about several tenders counts once.
        if (hour === 18 && minute === 0) ids.push(...(await store({ publishedAt: app.clock.now })));
        await bookmarkAs(ids);
        await app.run('closing-soon');
      }
    expect(titles(phone)).toEqual(['2 tenders close soon', ...Array(5).fill('3 days left · 11:00 AM')]);
    app.clock.now = at('17T23:45:00');
    const lastDay = { sourceId: '2026_PWD_720000_1', closesAt: at('18T11:00:00'), publishedAt: app.clock.now };
    await bookmarkAs(await store(lastDay));
    await app.run('closing-soon');
    expect(titles(phone).slice(6)).toEqual(['Closing tomorrow · 11:00 AM']);
    const changed = createSourceTender({ ...lastDay, emd: '20000.00' });
    await importTenders(app.database.dataSource, [changed], { now: at('17T23:50:00') });
    await app.run('closing-soon', at('17T23:50:00'));
    expect(titles(phone).slice(7)).toEqual(['Corrigendum to a tender']);
    await app.run('closing-soon', at('19T18:00:00'));
    expect(titles(phone).at(-1)).toBe('13 tenders close soon');
  });
});

describe('the six messages a day', () => {
  test('are counted from midnight of the zone that the device is in', async () => {
    // Midnight in Tokyo is 20:30 in India.
    const away = await app.subscribeBrowser(asha, {
      kinds: { closing_in_3_days: true },
      quiet: null,
      zone: 'Asia/Tokyo',
    });
    const home = await app.subscribeBrowser(asha, { kinds: { closing_in_3_days: true }, quiet: null });
    const remindAt = async (time: string) => {
      app.clock.now = at(`17T${time}`);
      await bookmarkAs(await store({ publishedAt: app.clock.now }));
      await app.run('closing-soon');
      return [away.received.length, home.received.length];
    };
    for (const time of ['18:00:00', '18:20:00', '18:40:00', '19:00:00', '19:20:00', '19:40:00']) await remindAt(time);
    expect(await remindAt('20:29:59')).toEqual([6, 6]);
    expect(await remindAt('20:30:00')).toEqual([7, 6]);
    expect(await remindAt('20:30:01')).toEqual([8, 6]);
  });
});

describe('a change', () => {
  const change = async (sourceId: string, changes: Parameters<typeof createSourceTender>[0], when: Date) => {
    app.clock.now = when;
    await importTenders(app.database.dataSource, [createSourceTender({ sourceId, ...changes })], { now: when });
    await app.run('closing-soon');
  };
  const SOURCE = '2026_PWD_700000_1';

  test('of the closing carries tender, version, old and new closing, so that a device needs no network', async () => {
    const phone = await app.subscribeBrowser(asha);
    const [id] = await store({ sourceId: SOURCE });
    await bookmarkAs([id as number]);
    await change(SOURCE, { closesAt: at('27T17:00:00') }, at('12T15:00:00'));
    expect(phone.received.map(({ payload }) => payload.notification)).toMatchObject([
      {
        title: 'Closing moved to 27 Nov 2026, 5:00 PM',
        body: 'Construction of footbridge\nIt was 20 Nov 2026, 11:00 AM',
        tag: `changed-${id}`,
        data: {
          kind: 'changed',
          patches: [
            {
              tenderId: String(id),
              version: 2,
              oldClosing: '2026-11-20T05:30:00.000Z',
              newClosing: '2026-11-27T11:30:00.000Z',
            },
          ],
        },
      },
    ]);
    await app.run('closing-soon', at('12T15:01:00'));
    expect(phone.received).toHaveLength(1);
    const { notices } = (await app.get('/api/notices', asha.headers)).json;
    expect(notices).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        kind: 'changed',
        at: '2026-11-12T09:30:00.000Z',
        readAt: null,
        tenderId: String(id),
        title: 'Construction of footbridge',
        closingDate: '2026-11-27T11:30:00.000Z',
        closingTimeKnown: true,
        works: 1,
        patch: {
          tenderId: String(id),
          version: 2,
          oldClosing: '2026-11-20T05:30:00.000Z',
          newClosing: '2026-11-27T11:30:00.000Z',
        },
        fields: ['closing_date'],
        searchIds: [],
        office: null,
      },
    ]);
  });

  test('of the closing creates new reminders for the new date', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({ sourceId: SOURCE }));
    await app.run('closing-soon', at('19T18:00:00'));
    await change(SOURCE, { closesAt: at('22T11:00:00') }, at('19T19:00:00'));
    for (const time of ['20T08:00:00', '21T18:00:00', '22T08:00:00']) await app.run('closing-soon', at(time));
    expect(titles(phone)).toEqual([
      'Closing tomorrow · 11:00 AM',
      'Closing moved to 22 Nov 2026, 11:00 AM',
      'Closing tomorrow · 11:00 AM',
      'Closing today · 11:00 AM',
    ]);
  });

  test('of the closing that is imported while a reminder waits replaces the reminder', async () => {
    const phone = await app.subscribeBrowser(asha, { quiet: { from: '17:00', until: '20:00' } });
    await bookmarkAs(await store({ sourceId: SOURCE }));
    await app.run('closing-soon', at('19T18:00:00'));
    await change(SOURCE, { closesAt: at('28T11:00:00') }, at('19T18:30:00'));
    await app.run('closing-soon', at('19T20:00:00'));
    expect(titles(phone)).toEqual(['Closing moved to 28 Nov 2026, 11:00 AM']);
  });

  test('of another field that is imported while a reminder waits neither stops nor repeats the reminder', async () => {
    const phone = await app.subscribeBrowser(asha, {
      quiet: { from: '17:00', until: '20:00' },
      kinds: { changed: false },
    });
    await bookmarkAs(await store({ sourceId: SOURCE }));
    await app.run('closing-soon', at('19T18:00:00'));
    await change(SOURCE, { emd: '20000.00' }, at('19T18:30:00'));
    for (const time of ['19T20:00:00', '19T20:01:00']) await app.run('closing-soon', at(time));
    expect(titles(phone)).toEqual(['Closing tomorrow · 11:00 AM']);
  });

  test('and the result of a tender that only a visitor bookmarked are sent to the visitor', async () => {
    const [id] = await store({ sourceId: SOURCE });
    const visitor = await app.subscribeBrowser(
      undefined,
      { kinds: { closing_tomorrow: false, closing_in_3_hours: false } },
      { tenderIds: [`${id}`] },
    );
    await change(SOURCE, { emd: '20000.00' }, at('12T15:00:00'));
    expect(titles(visitor)).toEqual(['Corrigendum to a tender']);
    await importTenders(
      app.database.dataSource,
      [createSourceTender({ sourceId: SOURCE, emd: '20000.00', stage: 'awarded' })],
      { now: at('21T12:00:00') },
    );
    app.clock.now = at('21T12:00:01');
    const late = await app.subscribeBrowser(undefined, {}, { tenderIds: [`${id}`] });
    for (const time of ['21T12:01:00', '21T12:02:00']) await app.run('closing-soon', at(time));
    expect(titles(visitor)).toEqual(['Corrigendum to a tender', 'Result is out']);
    expect(late.received).toEqual([]);
  });

  test('of a field that concerns bidders is sent with its name; other fields are not', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({ sourceId: SOURCE }));
    await change(SOURCE, { emd: '20000.00', price: '600000.00' }, at('12T15:00:00'));
    expect(phone.received[0]?.payload.notification).toMatchObject({
      title: 'Corrigendum to a tender',
      body: 'Construction of footbridge\nChanged: estimated value, EMD',
    });
    await change(SOURCE, { emd: '20000.00', price: '600000.00', address: 'The Mall' }, at('12T16:00:00'));
    expect(phone.received).toHaveLength(1);
    await change(
      SOURCE,
      { emd: '20000.00', price: '600000.00', address: 'The Mall', stage: 'cancelled' },
      at('12T17:00:00'),
    );
    expect(titles(phone).at(-1)).toBe('Tender cancelled or retendered');
  });

  test('of other dates and of the documents is sent with their names', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({ sourceId: SOURCE }));
    await change(
      SOURCE,
      {
        opensAt: at('21T11:00:00'),
        bidStartAt: at('12T09:00:00'),
        documents: [{ cover: 'Fee', type: 'pdf', name: 'Notice' }],
      },
      at('12T15:00:00'),
    );
    const [push] = phone.received;
    const [, changed = ''] = /Changed: (.*)$/.exec(push?.payload.notification.body ?? '') ?? [];
    expect(changed.split(', ').toSorted()).toEqual(['bid start', 'documents', 'opening date']);
    expect(push?.payload.notification.title).toBe('Corrigendum to a tender');
  });

  test.each(['cancelled', 'retendered'] as const)('to "%s" is sent, and no reminder follows', async (stage) => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({ sourceId: SOURCE }));
    await change(SOURCE, { stage }, at('12T15:00:00'));
    await app.run('closing-soon', at('19T18:00:00'));
    expect(titles(phone)).toEqual(['Tender cancelled or retendered']);
  });

  test('of a tender that has closed, and an award of one that has not, are not sent', async () => {
    const phone = await app.subscribeBrowser(asha, { kinds: { closing_tomorrow: false, closing_in_3_hours: false } });
    const awarded = '2026_PWD_700001_1';
    await bookmarkAs(await store({ sourceId: SOURCE }, { sourceId: awarded, closesAt: at('29T11:00:00') }));
    await change(SOURCE, { emd: '20000.00' }, at('20T11:00:00'));
    await change(awarded, { closesAt: at('29T11:00:00'), stage: 'awarded' }, at('21T12:00:00'));
    expect([phone.received, await kinds()]).toEqual([[], []]);
  });

  test('of a tender whose publication was postponed is not sent', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({ sourceId: SOURCE }));
    await app.database.dataSource.query('UPDATE tender SET published_at = $2 WHERE source_id = $1', [
      SOURCE,
      at('13T09:00:00'),
    ]);
    await change(SOURCE, { emd: '20000.00', publishedAt: at('13T09:00:00') }, at('12T15:00:00'));
    expect(phone.received).toEqual([]);
  });

  test('of the closing that is undone before the notice is no change; other changed fields are', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({ sourceId: SOURCE }));
    const moveAway = (changes: object, time: string) =>
      importTenders(
        app.database.dataSource,
        [createSourceTender({ sourceId: SOURCE, closesAt: at('27T17:00:00'), ...changes })],
        {
          now: at(time),
        },
      );
    await moveAway({}, '12T15:00:00');
    await change(SOURCE, {}, at('12T15:00:30'));
    expect(phone.received).toEqual([]);
    await moveAway({ emd: '30000.00' }, '12T16:00:00');
    await change(SOURCE, { emd: '30000.00' }, at('12T16:00:30'));
    expect(titles(phone)).toEqual(['Corrigendum to a tender']);
  });

  test('of the closing twice has the first and the last value', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({ sourceId: SOURCE }));
    const moved = createSourceTender({ sourceId: SOURCE, closesAt: at('27T17:00:00') });
    await importTenders(app.database.dataSource, [moved], { now: at('12T15:00:00') });
    await change(SOURCE, { closesAt: at('28T17:00:00') }, at('12T15:00:30'));
    expect(titles(phone)).toEqual(['Closing moved to 28 Nov 2026, 5:00 PM']);
    // The phone then has the version of the second change.
    expect(phone.received[0]?.payload.notification.data.patches).toMatchObject([
      { version: 3, oldClosing: '2026-11-20T05:30:00.000Z', newClosing: '2026-11-28T11:30:00.000Z' },
    ]);
    expect(phone.received[0]?.payload.notification.body).toMatch(/It was 20 Nov 2026, 11:00 AM$/);
  });

  test('is not sent for a bookmark made after it, on an account or on a signed-out device', async () => {
    const [id] = await store({ sourceId: SOURCE });
    const early = await app.subscribeBrowser(asha);
    await bookmarkAs([id as number]);
    const visitor = await app.subscribeBrowser(undefined, {}, { tenderIds: [String(id)] });
    const late = await createSession(app, { remembered: true });
    const latePhone = await app.subscribeBrowser(late);
    const lateVisitor = await app.subscribeBrowser();
    const moveTo = (closing: string, time: string) =>
      importTenders(app.database.dataSource, [createSourceTender({ sourceId: SOURCE, closesAt: at(closing) })], {
        now: at(time),
      });
    await moveTo('27T17:00:00', '12T15:00:00');
    app.clock.now = at('12T15:00:10');
    await bookmarkAs([id as number], late);
    const path = `/api/push/subscriptions/${lateVisitor.state.id}/tenders`;
    await app.call('PUT', path, { tenderIds: [String(id)] }, lateVisitor.headers);
    await app.run('closing-soon', at('12T15:00:20'));
    expect(titles(early)).toEqual(['Closing moved to 27 Nov 2026, 5:00 PM']);
    expect(titles(visitor)).toEqual(['Closing moved to 27 Nov 2026, 5:00 PM']);
    expect([...latePhone.received, ...lateVisitor.received]).toEqual([]);
    await moveTo('28T17:00:00', '12T16:00:00');
    await app.run('closing-soon', at('12T16:00:10'));
    expect(titles(latePhone)).toEqual(['Closing moved to 28 Nov 2026, 5:00 PM']);
    expect(titles(lateVisitor)).toEqual(['Closing moved to 28 Nov 2026, 5:00 PM']);
  });

  test('after a bookmark is sent, also when an earlier change before the bookmark is read with it', async () => {
    const [id] = await store({ sourceId: SOURCE });
    const early = await app.subscribeBrowser(asha);
    await bookmarkAs([id as number]);
    const late = await createSession(app, { remembered: true });
    const phone = await app.subscribeBrowser(late);
    const moveTo = (closing: string, time: string) =>
      importTenders(app.database.dataSource, [createSourceTender({ sourceId: SOURCE, closesAt: at(closing) })], {
        now: at(time),
      });
    await moveTo('27T17:00:00', '12T15:00:00');
    app.clock.now = at('12T15:00:10');
    await bookmarkAs([id as number], late);
    await moveTo('28T17:00:00', '12T15:00:20');
    await app.run('closing-soon', at('12T15:00:30'));
    const details = ({ received }: SubscribedBrowser) =>
      received.map(({ payload }) => payload.notification.body.split('\n')[1]);
    expect(details(early)).toEqual(['It was 20 Nov 2026, 11:00 AM']);
    expect(details(phone)).toEqual(['It was 27 Nov 2026, 5:00 PM']);
  });

  test('at the instant of the bookmark is sent once, together with a later one', async () => {
    const [id] = await store({ sourceId: SOURCE });
    const phone = await app.subscribeBrowser(asha);
    app.clock.now = at('12T15:00:00');
    await bookmarkAs([id as number]);
    for (const [closing, time] of [
      ['27T17:00:00', '12T15:00:00'],
      ['28T17:00:00', '12T15:00:20'],
    ] as const)
      await importTenders(app.database.dataSource, [createSourceTender({ sourceId: SOURCE, closesAt: at(closing) })], {
        now: at(time),
      });
    await app.run('closing-soon', at('12T15:00:30'));
    expect(titles(phone)).toEqual(['Closing moved to 28 Nov 2026, 5:00 PM']);
    expect(phone.received[0]?.payload.notification.body).toMatch(/It was 20 Nov 2026, 11:00 AM$/);
  });

  test('is sent for earlier bookmarks only, and many as one message', async () => {
    const sources = Array.from({ length: 30 }, (_, n) => ({ sourceId: `2026_PWD_8000${n + 10}_1` }));
    const phone = await app.subscribeBrowser(asha);
    const late = await createSession(app);
    const other = await app.subscribeBrowser(late);
    const ids = await store(...sources);
    await bookmarkAs(ids);
    const when = at('12T15:00:00');
    const moved = sources.map((source) => createSourceTender({ ...source, closesAt: at('27T17:00:00') }));
    await importTenders(app.database.dataSource, moved, { now: when });
    app.clock.now = at('12T15:00:30');
    await bookmarkAs(ids, late);
    await app.run('closing-soon');
    expect(titles(phone)).toEqual(['30 bookmarked tenders have changed']);
    expect(phone.received[0]?.bytes).toBeLessThanOrEqual(2_800);
    expect(phone.received[0]?.payload.notification.data.patches.length).toBeGreaterThan(5);
    expect(other.received).toEqual([]);
  });
});

describe('by e-mail', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nivida-alerts-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const mails = async () => {
    const config = { ...app.config, mailUrl: undefined, dataDir: folder };
    await runMailJobs(
      app,
      createMailSender(config, () => app.clock.now),
    );
    return readMails(mailboxFolder(config));
  };
  const turn = (method: 'PUT' | 'DELETE' | 'GET', change?: AlertPreferencesChange) =>
    app.call(method, '/api/push/email', change, asha.headers);

  test('an account gets the same alerts, until it turns the mails off', async () => {
    expect((await turn('GET')).json).toEqual({ preferences: null });
    expect((await turn('PUT', { language: 'hi-IN' })).json.preferences.language).toBe('hi-IN');
    await bookmarkAs(await store({}));
    expect(await app.run('closing-soon', at('19T18:00:00'))).toBe(1);
    const [mail] = await mails();
    expect(mail?.subject).toBe('कल बंद होगा · सुबह 11:00 बजे तक');
    expect(mail?.to).toMatchObject([{ address: asha.user.email }]);
    expect(mail?.text).toMatch(
      /^Construction of footbridge\s+.*2026_PWD_\d+_1\s+http:\/\/localhost:0\/hi\/tenders\/\d+\n/,
    );
    const phone = await app.subscribeBrowser(asha);
    await turn('DELETE');
    await app.run('closing-soon', at('20T08:00:00'));
    expect(await mails()).toHaveLength(1);
    expect(phone.received).toHaveLength(1);
  });

  test('begin in the language of the account', async () => {
    await app.database.dataSource.query("UPDATE account SET language = 'hi' WHERE id = $1", [asha.user._id]);
    expect((await turn('PUT', {})).json.preferences.language).toBe('hi-IN');
    expect((await turn('PUT', { language: 'en-IN' })).json.preferences.language).toBe('en-IN');
    expect((await turn('PUT', {})).json.preferences.language).toBe('en-IN');
  });

  test('changes one preference after the other, in one row; a change also turns them on', async () => {
    expect(
      (await turn('PUT', { language: 'hi-IN', kinds: { closing_in_7_days: true } })).json.preferences,
    ).toMatchObject({
      language: 'hi-IN',
      kinds: { closing_in_7_days: true, closing_tomorrow: true },
    });
    expect((await turn('PUT', { quiet: null, kinds: { closing_tomorrow: false } })).json.preferences).toMatchObject({
      language: 'hi-IN',
      quiet: null,
      kinds: { closing_in_7_days: true, closing_tomorrow: false },
    });
    expect((await turn('GET')).json.preferences).toMatchObject({ language: 'hi-IN', quiet: null });
    const rows = await app.database.dataSource.query(
      'SELECT channel, host, user_id, recipient, endpoint FROM push_subscription',
    );
    const { _id: id } = asha.user;
    expect(rows).toEqual([{ channel: 'email', host: 'email', user_id: id, recipient: id, endpoint: null }]);
    const stranger = await createSession(app);
    expect((await app.call('GET', '/api/push/email', undefined, stranger.headers)).json).toEqual({ preferences: null });
    await app.call('DELETE', '/api/push/email', undefined, stranger.headers);
    expect((await turn('GET')).json.preferences).not.toBeNull();
  });

  test('nothing that waited is sent to an account that was deleted in the meantime', async () => {
    await turn('PUT', { quiet: { from: '17:00', until: '20:00' } });
    await bookmarkAs(await store({}));
    await app.run('closing-soon', at('19T18:00:00'));
    await app.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [
      asha.user._id,
      at('19T19:00:00'),
    ]);
    await app.run('closing-soon', at('19T20:00:00'));
    expect(await mails()).toEqual([]);
  });

  test('is not for visitors', async () => {
    expect((await app.call('PUT', '/api/push/email', {})).status).toBe(401);
  });

  test('each alert is a mail of its kind', async () => {
    await turn('PUT', {});
    const queued = async () => {
      const rows = await app.database.dataSource.query(
        "SELECT data->>'kind' AS kind FROM pgboss.job WHERE name = 'mail' AND state = 'created'",
      );
      await mails();
      return rows.map(({ kind }: { kind: string }) => kind);
    };
    const sourceId = '2026_PWD_720000_1';
    await bookmarkAs(await store({ sourceId }));
    await importTenders(app.database.dataSource, [createSourceTender({ sourceId, emd: '20000.00' })], {
      now: at('12T15:00:00'),
    });
    await app.run('closing-soon', at('12T15:00:30'));
    expect(await queued()).toEqual(['tender-changed']);
    await app.run('closing-soon', at('19T18:00:00'));
    expect(await queued()).toEqual(['closing-reminder']);
    const sent = await mails();
    expect(sent.map(({ subject }) => subject)).toEqual(['Corrigendum to a tender', 'Closing tomorrow · 11:00 AM']);
  });

  /** The unsubscribe path in the header and text of the last mail. */
  async function stopPath(): Promise<string> {
    const mail = (await mails()).at(-1);
    const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const [, link = ''] =
      /^<(http:\/\/localhost:0\/api\/unsubscribe\/[\w-]{43})>$/.exec(header('list-unsubscribe') ?? '') ?? [];
    expect(mail?.text).toContain(`or stop them here:\n\n${link}\n`);
    expect(mail?.html).toContain(`href="${link}"`);
    return new URL(link).pathname;
  }
  const postForm = (path: string, type = 'application/x-www-form-urlencoded', payload = 'List-Unsubscribe=One-Click') =>
    app.app.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload });
  const stops = () =>
    app.database.dataSource.query(
      `SELECT action, actor_id, subject, detail FROM audit WHERE action = 'alerts.mails-stopped' ORDER BY id`,
    );

  test('an account is warned of a document that expires, with a link to its vault', async () => {
    await turn('PUT', {});
    const stamp = `${app.clock.now.getTime()}-0000-aaaaaaaaaaaaaaaa`;
    const fields = { title: 'Solvency of the bank', validUntil: '2026-11-17' };
    const stamps = { title: stamp, validUntil: stamp };
    const records = [{ kind: 'bidDocument', id: randomUUID(), fields, stamps }];
    await app.call('POST', '/api/bids/changes', { records }, asha.headers);
    await app.run('document-expiry', MORNING);
    const queued = "SELECT data->>'kind' AS kind FROM pgboss.job WHERE name = 'mail' AND state = 'created'";
    expect(await app.database.dataSource.query(queued)).toEqual([{ kind: 'document-expiry' }]);
    const [mail] = await mails();
    expect(mail?.subject).toBe('Solvency of the bank: expires in 7 days');
    expect(mail?.text).toMatch(/^Valid till 17 Nov 2026\. .*\s+http:\/\/localhost:0\/dashboard\/documents\n/);
  });

  test('is stopped by the link in the mail without signing in; opening it changes nothing', async () => {
    await turn('PUT', {});
    await bookmarkAs(await store({}));
    await app.run('closing-soon', at('19T18:00:00'));
    const path = await stopPath();
    const before = (await stops()).length;
    const page = await app.app.inject({ method: 'GET', url: path, headers: { accept: 'text/html' } });
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-store' });
    expect(page.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'content-type': 'text/html; charset=utf-8' });
    expect(page.body).toContain('<form method="post"><button>Stop the e-mails</button></form>');
    expect((await turn('GET')).json.preferences).not.toBeNull();
    const stopped = await postForm(path);
    expect([stopped.statusCode, stopped.body.includes('<h1>The alert mails are stopped</h1>')]).toEqual([200, true]);
    expect((await turn('GET')).json).toEqual({ preferences: null });
    expect((await stops()).slice(before)).toEqual([
      { action: 'alerts.mails-stopped', actor_id: null, subject: asha.user._id, detail: {} },
    ]);
    await app.run('closing-soon', at('20T08:00:00'));
    expect(await mails()).toHaveLength(1);
    // Submitted again, and opened again.
    expect((await postForm(path)).body).toContain('<h1>The alert mails are off</h1>');
    expect((await app.get(path, { accept: 'text/html' })).text).toContain('<h1>The alert mails are off</h1>');
    expect(await stops()).toHaveLength(before + 1);
  });

  test('is stopped by the button of the mail program (RFC 8058), also from an older mail', async () => {
    await turn('PUT', { language: 'hi-IN' });
    await turn('DELETE');
    await turn('PUT', { language: 'en-IN' });
    await bookmarkAs(await store({}));
    await app.run('closing-soon', at('19T18:00:00'));
    const path = await stopPath();
    await turn('DELETE');
    await turn('PUT', { language: 'hi-IN' });
    expect((await app.get(path, { accept: 'text/html' })).text).toContain('<h1>अलर्ट के ईमेल बंद करें?</h1>');
    const form = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    const { statusCode, body } = await postForm(path, 'multipart/form-data; boundary=x', form);
    expect([statusCode, body.includes('<h1>अलर्ट के ईमेल बंद हो गए हैं</h1>')]).toEqual([200, true]);
    expect((await turn('GET')).json).toEqual({ preferences: null });
  });

  test('is turned off separately from the phones of the user, in the settings and by the link of a mail', async () => {
    const phone = await app.subscribeBrowser(asha);
    const isStored = async () =>
      (await app.call('GET', `/api/push/subscriptions/${phone.state.id}`, undefined, phone.headers)).status === 200;
    await turn('PUT', {});
    expect((await turn('DELETE')).json).toEqual({ preferences: null });
    expect(await isStored()).toBe(true);
    await turn('PUT', {});
    const link = `/api/unsubscribe/${new UnsubscribeLinks([TEST_SESSION_KEY]).tokenOf(asha.user._id)}`;
    expect((await postForm(link)).body).toContain('<h1>The alert mails are stopped</h1>');
    expect((await turn('GET')).json).toEqual({ preferences: null });
    expect(await isStored()).toBe(true);
  });

  test('is stopped by a link that an earlier session key has signed', async () => {
    const earlier = 'earlier-key-of-the-tests-0123456789';
    const token = new UnsubscribeLinks([earlier]).tokenOf(asha.user._id);
    const links = new UnsubscribeLinks([TEST_SESSION_KEY, earlier]);
    expect(links.userIdOf(token)).toBe(asha.user._id);
    expect(links.tokenOf(asha.user._id)).not.toBe(token);
    expect(new UnsubscribeLinks([TEST_SESSION_KEY]).userIdOf(token)).toBeUndefined();
  });

  test.each([
    ['another signature', (token: string) => `${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}`],
    ['another account', (token: string) => `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`],
    ['an end that is missing', (token: string) => token.slice(0, -1)],
    ['a sign more', (token: string) => `${token}A`],
  ])('is not stopped by a link with %s', async (_name, forge) => {
    await turn('PUT', {});
    await bookmarkAs(await store({}));
    await app.run('closing-soon', at('19T18:00:00'));
    const path = await stopPath();
    const token = path.split('/').at(-1) ?? '';
    const forged = path.replace(token, forge(token));
    const answer = await postForm(forged);
    expect([answer.statusCode, answer.body.includes('<h1>This link does not work</h1>')]).toEqual([404, true]);
    expect((await app.get(forged, { accept: 'text/html' })).status).toBe(404);
    expect((await turn('GET')).json.preferences).not.toBeNull();
  });
});

describe('the list of notices', () => {
  test('has all notices, with and without a push, and their read marks', async () => {
    const [id] = await store({});
    await bookmarkAs([id as number]);
    await app.run('closing-soon', at('19T18:00:00'));
    await app.run('closing-soon', at('20T08:00:00'));
    const list = async () => v.parse(NoticeListResponse, (await app.get('/api/notices', asha.headers)).json);
    const { notices, unread } = await list();
    expect(unread).toBe(2);
    expect(notices).toMatchObject([
      { kind: 'closing_in_3_hours', tenderId: String(id), readAt: null, at: '2026-11-20T02:30:00.000Z' },
      { kind: 'closing_tomorrow', title: 'Construction of footbridge', closingDate: '2026-11-20T05:30:00.000Z' },
    ]);
    const ids = [notices[0]?.id];
    const stranger = await createSession(app);
    await app.call('POST', '/api/notices/read', { ids }, stranger.headers);
    expect((await list()).unread).toBe(2);
    app.clock.now = at('20T08:30:00');
    expect((await app.call('POST', '/api/notices/read', { ids }, asha.headers)).status).toBe(204);
    expect((await list()).unread).toBe(1);
    // Read again, with the other one: the first instant stays.
    app.clock.now = at('20T08:45:00');
    const both = notices.map((notice) => notice.id);
    expect((await app.call('POST', '/api/notices/read', { ids: both }, asha.headers)).status).toBe(204);
    const read = await list();
    expect([read.unread, read.notices.map(({ readAt }) => readAt)]).toEqual([
      0,
      ['2026-11-20T03:00:00.000Z', '2026-11-20T03:15:00.000Z'],
    ]);
    expect((await app.get('/api/notices')).status).toBe(401);
  });

  test('has pages of 100; all notices are marked as read at once, but no newer ones', async () => {
    const [id] = await store({});
    const { dataSource } = app.database;
    const add = (from: number, to: number) =>
      dataSource.query(
        `INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at)
         SELECT $1, $1, $2, 'changed', n, 'due', $5::timestamptz, $5 FROM generate_series($3::int, $4::int) n`,
        [asha.user._id, id, from, to, app.clock.now],
      );
    await add(1, 250);
    const page = async (before?: string) => {
      const query = before === undefined ? '' : `?before=${before}`;
      return v.parse(NoticeListResponse, (await app.get(`/api/notices${query}`, asha.headers)).json);
    };
    const first = await page();
    const second = await page(first.next ?? '');
    const third = await page(second.next ?? '');
    expect([first, second, third].map(({ notices, unread }) => [notices.length, unread])).toEqual([
      [100, 250],
      [100, 250],
      [50, 250],
    ]);
    expect(third.next).toBeNull();
    const ids = [first, second, third].flatMap(({ notices }) => notices.map((each) => Number(each.id)));
    expect(new Set(ids).size).toBe(250);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    await add(251, 253);
    const stranger = await createSession(app);
    const upTo = first.notices[0]?.id;
    await app.call('POST', '/api/notices/read', { upTo }, stranger.headers);
    expect((await page()).unread).toBe(253);
    expect((await app.call('POST', '/api/notices/read', { upTo }, asha.headers)).status).toBe(204);
    expect((await page()).unread).toBe(3);
    expect((await page(second.next ?? '')).notices.filter(({ readAt }) => readAt === null)).toEqual([]);
    const age = (days: number) =>
      dataSource.query('UPDATE notice SET event_at = $2 WHERE recipient = $1', [
        asha.user._id,
        new Date(app.clock.now.getTime() - days * 86_400_000),
      ]);
    await age(29);
    expect(await page()).toMatchObject({ unread: 3, next: expect.any(String) });
    await age(30);
    expect(await page()).toEqual({ notices: [], unread: 0, next: null });
    await add(301, 400);
    expect(await page()).toMatchObject({ unread: 100, next: null });
    expect((await app.get('/api/notices?before=x', asha.headers)).json.message).toBe('This is not the id of a notice');
  });

  test('is deleted 60 days after its month, with its delivery and the receipts of its pushes', async () => {
    await app.subscribeBrowser(asha);
    await bookmarkAs(await store({}));
    await app.run('closing-soon', at('19T18:00:00'));
    const stored = () =>
      app.database.dataSource.query(
        `SELECT (SELECT count(*)::int FROM notice) AS notices, (SELECT count(*)::int FROM push_delivery) AS deliveries,
          (SELECT count(*)::int FROM push_receipt) AS receipts`,
      );
    await app.run('monthly-partitions', at('19T18:01:00'));
    await app.run('monthly-partitions', new Date('2027-01-29T23:59:59Z'));
    expect(await stored()).toEqual([{ notices: 1, deliveries: 1, receipts: 1 }]);
    await app.run('monthly-partitions', new Date('2027-01-30T00:00:00Z'));
    expect(await stored()).toEqual([{ notices: 0, deliveries: 0, receipts: 0 }]);
  });

  test('clicks are counted once, without the user', async () => {
    const phone = await app.subscribeBrowser(asha);
    await bookmarkAs(await store({}));
    await app.run('closing-soon', at('19T18:00:00'));
    const { nid } = phone.received[0]?.payload.notification.data ?? {};
    // Of another day, and of another message.
    await app.database.dataSource.query(
      "INSERT INTO push_tally (day, kind, sent, accepted) VALUES ('2026-11-18', 'closing', 1, 1), ('2026-11-19', 'match', 1, 1)",
    );
    for (const event of [nid, nid, randomUUID().slice(0, 22)])
      expect((await app.call('POST', '/api/push/events', { nid: event, ev: 'clicked' })).status).toBe(204);
    const tally = () =>
      app.database.dataSource.query(
        'SELECT day::text, kind, sent, accepted, clicked, dismissed FROM push_tally ORDER BY day, kind',
      );
    const counted = { sent: 1, accepted: 1, clicked: 0, dismissed: 0 };
    expect(await tally()).toEqual([
      { day: '2026-11-18', kind: 'closing', ...counted },
      { day: '2026-11-19', kind: 'closing', ...counted, clicked: 1 },
      { day: '2026-11-19', kind: 'match', ...counted },
    ]);
    for (let time = 0; time < 2; time += 1) await app.call('POST', '/api/push/events', { nid, ev: 'dismissed' });
    expect((await tally())[1]).toMatchObject({ clicked: 1, dismissed: 1 });
    const columns = await app.database.dataSource.query(
      `SELECT column_name FROM information_schema.columns WHERE table_name = 'push_receipt' ORDER BY 1`,
    );
    expect(columns.map(({ column_name }: { column_name: string }) => column_name)).toEqual([
      'clicked',
      'day',
      'dismissed',
      'kind',
      'nid',
    ]);
  });
});

describe('the warning of a document that expires', () => {
  const UNDATED = { kind: 'gst_registration' };

  /** Stores a document of the vault; returns its id. A later `stamped` change of the same document wins. */
  async function storeDocument(fields: object, { who = asha, id = randomUUID(), stamped = 0, ...changes } = {}) {
    const stamp = `${app.clock.now.getTime() + stamped}-0000-aaaaaaaaaaaaaaaa`;
    const stamps = Object.fromEntries(Object.keys(fields).map((name) => [name, stamp]));
    const records = [{ kind: 'bidDocument', id, fields, stamps, ...changes }];
    const { status, json } = await app.call('POST', '/api/bids/changes', { records }, who.headers);
    expect([status, json.results?.[0].result], JSON.stringify(json)).toEqual([200, 'accepted']);
    return id;
  }
  const texts = ({ received }: SubscribedBrowser) =>
    received.map(({ payload: { notification } }) => `${notification.title} | ${notification.body}`);

  test('comes 30 and 7 days before, each once, in the language of the device, and leads to the vault', async () => {
    const phone = await app.subscribeBrowser(asha);
    const hindi = await app.subscribeBrowser(asha, { language: 'hi-IN' });
    await storeDocument({ kind: 'solvency_credit', validUntil: '2026-12-20' });
    await storeDocument(UNDATED);
    for (const time of ['19T09:00:00', '20T09:00:00', '20T09:05:00', '21T09:00:00', '23T09:00:00'])
      await app.run('document-expiry', at(time));
    expect(texts(phone)).toEqual([
      'Solvency / bank credit line: expires in 30 days | Valid till 20 Dec 2026. Renew it before the next bid.',
    ]);
    expect(texts(hindi)[0]).toMatch(/: 30 दिन में वैधता ख़त्म \| 20 दिसंबर 2026 तक वैध। अगली बोली से पहले रिन्यू करा लें।$/);
    const [{ payload }] = phone.received as [SubscribedBrowser['received'][number]];
    expect(new URL(payload.notification.navigate).pathname).toBe('/dashboard/documents');
    expect(payload.notification.actions.map(({ action }) => action)).toEqual(['open']);
    expect(payload.notification.data).toMatchObject({ kind: 'document', tenderIds: [] });

    await app.run('document-expiry', new Date('2026-12-13T09:00:00+05:30'));
    expect(titles(phone)[1]).toBe('Solvency / bank credit line: expires in 7 days');
  });

  test('is sent again for the new date of a renewed document', async () => {
    const phone = await app.subscribeBrowser(asha);
    const id = await storeDocument({ title: 'Solvency', validUntil: '2026-11-17' });
    await app.run('document-expiry', MORNING);
    await storeDocument({ validUntil: '2026-12-10' }, { id, stamped: 1 });
    for (const minute of [5, 10]) await app.run('document-expiry', new Date(MORNING.getTime() + minute * 60_000));
    expect(titles(phone)).toEqual(['Solvency: expires in 7 days', 'Solvency: expires in 30 days']);
  });

  test('several come in one message, with the names that the user gave', async () => {
    const phone = await app.subscribeBrowser(asha);
    await storeDocument({ kind: 'solvency_credit', title: 'SBI solvency 50 lakh', validUntil: '2026-11-17' });
    await storeDocument({ kind: 'enlistment', validUntil: '2026-12-10' });
    await app.run('document-expiry', MORNING);
    expect(texts(phone)).toHaveLength(1);
    expect(texts(phone)[0]).toContain('2 documents of your vault expire soon | ');
    expect(texts(phone)[0]).toContain('SBI solvency 50 lakh: 17 Nov 2026');
    expect(texts(phone)[0]).toContain('Contractor enlistment / registration: 10 Dec 2026');
  });

  test('is sent two days late after the worker was down, and not later', async () => {
    const phone = await app.subscribeBrowser(asha);
    await storeDocument({ kind: 'solvency_credit', validUntil: '2026-11-15' });
    await storeDocument({ kind: 'enlistment', validUntil: '2026-11-14' });
    await app.run('document-expiry', MORNING);
    expect(titles(phone)).toEqual(['Solvency / bank credit line: expires in 5 days']);
  });

  test('waits for the end of the quiet hours, and is not sent for a document that was renewed or deleted in that time', async () => {
    const quiet = { from: '11:00', until: '13:00' };
    const phone = await app.subscribeBrowser(asha, { quiet });
    const fields = { kind: 'solvency_credit', validUntil: '2026-11-17' };
    await storeDocument({ ...fields, title: 'Kept' });
    const renewed = await storeDocument({ ...fields, title: 'Renewed' });
    const deleted = await storeDocument({ ...fields, title: 'Deleted' });
    await app.run('document-expiry', MORNING);
    expect(phone.received).toEqual([]);
    await storeDocument({ validUntil: '2027-11-17' }, { id: renewed, stamped: 1 });
    const deletion = `${app.clock.now.getTime() + 1}-0000-aaaaaaaaaaaaaaaa`;
    await storeDocument({}, { id: deleted, deleted: deletion } as object);
    await app.run('send-pushes', at('10T13:00:00'));
    expect(titles(phone)).toEqual(['Kept: expires in 7 days']);
  });

  test('goes to the devices of its owner that want it', async () => {
    const ravi = await createSession(app, { username: 'Ravi', remembered: true });
    const unwilling = await app.subscribeBrowser(asha, { kinds: { expiry: false } });
    const other = await app.subscribeBrowser(ravi);
    const phone = await app.subscribeBrowser(asha);
    await storeDocument({ kind: 'solvency_credit', validUntil: '2026-11-17' });
    await app.run('document-expiry', MORNING);
    expect([unwilling, other, phone].map(({ received }) => received.length)).toEqual([0, 0, 1]);
  });

  test('is not made for a deleted account, nor for a document that was deleted', async () => {
    const ravi = await createSession(app, { username: 'Ravi', remembered: true });
    const id = await storeDocument({ title: 'Deleted', validUntil: '2026-11-17' });
    const deletion = `${app.clock.now.getTime() + 1}-0000-aaaaaaaaaaaaaaaa`;
    await storeDocument({}, { id, deleted: deletion } as object);
    await storeDocument({ title: 'Of Ravi', validUntil: '2026-11-17' }, { who: ravi });
    await app.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [ravi.user._id, MORNING]);
    await app.run('document-expiry', MORNING);
    expect(await kinds()).toEqual([]);
  });

  test('has no tender: its fields are empty, and its closing is the last day of validity without an hour', async () => {
    const phone = await app.subscribeBrowser(asha, { quiet: { from: '11:00', until: '13:00' } });
    const documentId = await storeDocument({ title: 'Solvency', validUntil: '2026-11-17' });
    await app.run('document-expiry', MORNING);
    const { manager } = app.database.dataSource;
    const [due] = await readDueDeliveries(manager, [phone.state.id], at('10T13:00:00'));
    expect(due?.deliveries).toMatchObject([
      {
        kind: 'expiry',
        version: 7,
        tenderId: null,
        title: '',
        sourceId: '',
        state: '',
        closesAt: at('17T23:59:59.999'),
        closingTimeKnown: false,
        detail: { documentId, documentKind: null, title: 'Solvency', validUntil: '2026-11-17' },
      },
    ]);
  });

  test('is not listed among the notices of tenders, which the device counts itself', async () => {
    await storeDocument({ kind: 'solvency_credit', validUntil: '2026-11-17' });
    await app.run('document-expiry', MORNING);
    expect(await kinds()).toEqual(['expiry']);
    const { json } = await app.call('GET', '/api/notices', undefined, asha.headers);
    expect(v.parse(NoticeListResponse, json)).toMatchObject({ notices: [], unread: 0 });
  });
});

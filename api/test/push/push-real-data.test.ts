/** Fourteen days of reminders for the real tenders of Himachal, moved to today; skipped where they are absent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/schema/database.ts';
import { createSession } from '../support/accounts.ts';
import { type PushApp, type SubscribedBrowser, startPushApp } from '../support/push-app.ts';
import { describeWithData } from '../support/test-machine.ts';
import { createRealDatabase, HIMACHAL, REAL_NOW as NOW } from '../tenders/real-tenders.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Midnight in India before it. */
const MIDNIGHT = new Date('2026-11-21T00:00:00+05:30').getTime();
const DAYS = 14;
/** Times of a day, in India: around the evening, midnight by both clocks, and through the day. */
const TIMES = [
  '00:00',
  '05:29',
  '05:30',
  '05:31',
  '06:00',
  '07:30',
  '08:00',
  '09:00',
  '11:00',
  '12:00',
  '14:00',
  '15:00',
]
  .concat(['17:00', '17:59', '18:00', '18:01', '20:00', '23:59'])
  .map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return { time, ms: (hours * 60 + minutes) * 60_000 };
  });

interface NotifiedTender {
  kind: string;
  tender_id: number;
  version: number;
  at: Date;
  closes_at: Date;
  published_at: Date;
  kept_at: Date;
}

describeWithData('the real tenders of fourteen days', () => {
  let database: Database;
  let app: PushApp;
  let phone: SubscribedBrowser;
  /** Number of messages at each instant. */
  const came = new Map<string, string[]>();

  beforeAll(async () => {
    database = await createRealDatabase(HIMACHAL);
    app = await startPushApp(NOW, {}, database);
    const { dataSource } = database;
    const account = await createSession(app, { remembered: true });
    phone = await app.subscribeBrowser(account, { quiet: null });
    for (let day = 0; day < DAYS; day++)
      for (const { time, ms } of TIMES) {
        const now = new Date(MIDNIGHT + day * DAY_MS + ms);
        if (now < NOW) continue;
        await app.run('publish-drafts', now);
        // Every open tender is bookmarked when it is published.
        await dataSource.query(
          `INSERT INTO bookmark SELECT $1, id, nextval('bookmark_no'), $2 FROM tender
           WHERE published_at <= $2 AND closes_at > $2 ON CONFLICT DO NOTHING`,
          [account.user._id, now],
        );
        const before = phone.received.length;
        await app.run('closing-soon');
        const fresh = phone.received.slice(before).map(({ payload }) => payload.notification.title);
        came.set(`${day} ${time}`, fresh);
      }
  }, 300_000);
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const readNotified = (): Promise<NotifiedTender[]> =>
    app.database.dataSource.query(
      `SELECT n.kind, n.tender_id, n.version, d.sent_at AS at, t.closes_at, t.published_at, b.created_at AS kept_at
       FROM push_delivery d JOIN notice n ON n.id = d.notice_id JOIN tender t ON t.id = n.tender_id
       JOIN bookmark b ON b.tender_id = t.id WHERE d.state = 'sent'`,
    );

  test('are sent once for each kind and version of the closing, and never after closing', async () => {
    const rows = await readNotified();
    expect(rows.length).toBeGreaterThan(500);
    expect(new Set(rows.map(({ kind, tender_id, version }) => `${kind} ${tender_id} ${version}`)).size).toBe(
      rows.length,
    );
    for (const { at, closes_at } of rows) expect(at.getTime()).toBeLessThan(closes_at.getTime());
  });

  test('are sent the evening before at 18:00, and three hours before closing', async () => {
    const india = (at: Date) => Math.floor((at.getTime() - MIDNIGHT) / DAY_MS);
    for (const { kind, at, closes_at, kept_at } of await readNotified()) {
      const evening = MIDNIGHT + (india(closes_at) - 1) * DAY_MS + 18 * HOUR_MS;
      const due = kind === 'closing_tomorrow' ? evening : closes_at.getTime() - 3 * HOUR_MS;
      // At the first run after that with a bookmark.
      const from = Math.max(due, kept_at.getTime());
      const run = [...Array(DAYS + 1).keys()]
        .flatMap((day) => TIMES.map(({ ms }) => MIDNIGHT + day * DAY_MS + ms))
        .find((instant) => instant >= from && instant >= NOW.getTime());
      expect({ kind, at: at.getTime() }).toEqual({ kind, at: run });
    }
  });

  test('are complete', async () => {
    const end = new Date(MIDNIGHT + (DAYS - 1) * DAY_MS);
    const missed = await app.database.dataSource.query(
      `SELECT t.id FROM tender t JOIN bookmark b ON b.tender_id = t.id
       WHERE t.closes_at < $1 AND b.created_at < t.closes_at - interval '6 hours' AND NOT EXISTS (
         SELECT 1 FROM notice n JOIN push_delivery d ON d.notice_id = n.id
         WHERE n.tender_id = t.id AND n.kind = 'closing_in_3_hours' AND d.state = 'sent')
         -- With such long intervals there may be no run in the last three hours.
         AND (t.closes_at AT TIME ZONE 'Asia/Kolkata')::time >= '09:00'`,
      [end],
    );
    expect(missed).toEqual([]);
  });

  test('are one message at 18:00, none a minute before and none after', async () => {
    const closings = await app.database.dataSource.query(
      `SELECT DISTINCT (t.closes_at AT TIME ZONE 'Asia/Kolkata')::date - $1::date AS day
       FROM tender t JOIN bookmark b ON b.tender_id = t.id
       WHERE (b.created_at AT TIME ZONE 'Asia/Kolkata')::date < (t.closes_at AT TIME ZONE 'Asia/Kolkata')::date`,
      ['2026-11-21'],
    );
    // On the evening before a Sunday there may be none.
    const days = new Set(closings.map(({ day }: { day: number }) => day - 1));
    expect(days.size).toBeGreaterThan(DAYS - 3);
    for (let day = 0; day < DAYS; day++) {
      expect(came.get(`${day} 18:00`)?.length, `day ${day}`).toBe(days.has(day) ? 1 : 0);
      expect(came.get(`${day} 18:01`), `day ${day}`).toEqual([]);
      for (const title of came.get(`${day} 17:59`) ?? []) expect(title).not.toMatch(/tomorrow/);
      for (const time of ['05:30', '05:31']) expect(came.get(`${day} ${time}`) ?? [], `day ${day} ${time}`).toEqual([]);
    }
  });

  test('fit into the limit of every push service', () => {
    for (const { bytes } of phone.received) expect(bytes).toBeLessThanOrEqual(2_800);
  });
});

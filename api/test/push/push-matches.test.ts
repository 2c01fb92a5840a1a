import { randomUUID } from 'node:crypto';
import { parseQuery } from '@nivida/contract/search/query-words';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { officeId } from '../../src/awards/award-storage.service.ts';
import { readConfig } from '../../src/base/config.ts';
import { makeMissingMonths } from '../../src/database/monthly-partitions.sql.ts';
import { createGateways } from '../../src/payments/providers.ts';
import { OfficeAlertsService } from '../../src/push/alerts/office-alerts.service.ts';
import { SearchAlertsService } from '../../src/push/alerts/search-alerts.service.ts';
import {
  type MatchedTender,
  matchesSearch,
  prepareSearch,
  searchProbes,
  tenderProbes,
} from '../../src/push/alerts/search-match.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { buyPlan } from '../support/paid-orders.ts';
import { type PushApp, type SubscribedBrowser, startPushApp } from '../support/push-app.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { TEST_SESSION_KEY } from '../support/start-app.ts';

const at = (time: string) => new Date(`2026-11-${time}+05:30`);
const MORNING = at('10T11:30:00');
const HP = 'Himachal Pradesh';

let app: PushApp;

beforeAll(async () => {
  app = await startPushApp(MORNING);
});
afterAll(() => app.close());
beforeEach(() => app.clear(MORNING));

/** A user with a plan that ends on 1 December, or with `plan`; null: none. */
async function contractor(plan: object | null = {}): Promise<SignedInAccount> {
  const account = await createSession(app, { remembered: true });
  const entitlement = {
    kind: 'trial',
    planId: 'basic' as const,
    states: [HP],
    startsAt: at('01T00:00:00'),
    endsAt: new Date('2026-12-01T00:00:00+05:30'),
    revokedAt: null,
    isTest: true,
    ...plan,
  };
  if (entitlement.kind === 'plan') await buyPlan(app.database.dataSource, { ...entitlement, userId: account.user._id });
  else if (plan)
    await app.database.dataSource.query(
      `INSERT INTO entitlement (kind, user_id, email, plan_id, states, starts_at, ends_at, is_test, revoked_at, created_at)
       VALUES ($1, $2, '', $3, $4, $5, $6, $7, $8, $5)`,
      [
        entitlement.kind,
        account.user._id,
        entitlement.planId,
        entitlement.states,
        entitlement.startsAt,
        entitlement.endsAt,
        entitlement.isTest,
        entitlement.revokedAt,
      ],
    );
  return account;
}

async function search(who: SignedInAccount, filter: object, name = 'Bridges'): Promise<string> {
  const id = randomUUID();
  const reply = await app.call('POST', '/api/searches', { id, name, filter, openedUpTo: 0 }, who.headers);
  expect(reply.status).toBe(200);
  return id;
}

let stored = 900_000;
async function publish(when: Date, ...changes: Parameters<typeof createSourceTender>[0][]): Promise<void> {
  app.clock.now = when;
  const notices = changes.map((change) =>
    createSourceTender({ sourceId: `2026_PWD_${++stored}_1`, publishedAt: when, ...change }),
  );
  await importTenders(app.database.dataSource, notices, { now: when });
  await app.run('search-alerts');
}

const texts = ({ received }: SubscribedBrowser) => received.map(({ payload: { notification } }) => notification.title);

describe('new matches', () => {
  test('of a draft that changed before its publication are sent when it is published', async () => {
    const who = await contractor();
    await search(who, { state: HP, q: 'bridge' });
    const phone = await app.subscribeBrowser(who);
    const draft = { sourceId: '2026_PWD_800001_1', publishedAt: at('10T17:00:00') };
    await publish(MORNING, { ...draft, title: 'Footpath at Theog' });
    await publish(MORNING, { ...draft, title: 'Bridge at Theog' });
    await app.run('search-alerts', at('10T16:59:59'));
    await app.run('publish-drafts', at('10T17:00:00'));
    await app.run('search-alerts', at('10T17:00:01'));
    await app.run('search-alerts', at('10T18:30:00'));
    expect(phone.received.map(({ payload: { notification } }) => notification)).toMatchObject([
      { title: '1 new tender: Bridges', body: expect.stringContaining('Bridge at Theog') },
    ]);
  });

  test('are sent together at 18:30 in India', async () => {
    const who = await contractor();
    await search(who, { state: HP, q: 'bridge' });
    const phone = await app.subscribeBrowser(who);
    await publish(at('10T12:00:00'), { title: 'Bridge at Theog' }, { title: 'School at Solan' });
    await publish(at('10T17:50:00'), { title: 'Footbridge and bridges' });
    await app.run('search-alerts', at('10T18:29:59'));
    expect(phone.received).toEqual([]);
    await app.run('search-alerts', at('10T18:30:00'));
    await app.run('search-alerts', at('10T18:31:00'));
    expect(phone.received.map(({ payload: { notification } }) => notification)).toMatchObject([
      {
        title: '2 new tenders: Bridges',
        body: 'Bridge at Theog · closes 20 Nov 2026, 11:00 AM\nFootbridge and bridges · closes 20 Nov 2026, 11:00 AM',
        tag: 'match-digest',
        data: { kind: 'match' },
      },
    ]);
    await publish(at('10T18:30:00'), { title: 'Bridge at Rohru' });
    await app.run('search-alerts', at('10T18:30:00'));
    expect(phone.received).toHaveLength(2);
    await publish(at('10T18:40:00'), { title: 'Bridge at Kufri' });
    await app.run('search-alerts', at('11T18:30:00'));
    expect(texts(phone).at(-1)).toBe('1 new tender: Bridges');
  });

  test('that are read after the digest of their day are sent at once', async () => {
    const who = await contractor();
    await search(who, { state: HP, q: 'bridge' });
    const phone = await app.subscribeBrowser(who);
    app.clock.now = at('10T12:00:00');
    const bridge = createSourceTender({ title: 'Bridge at Theog', publishedAt: app.clock.now });
    await importTenders(app.database.dataSource, [bridge], { now: app.clock.now });
    await app.run('search-alerts', at('10T19:00:00'));
    expect(texts(phone)).toEqual(['1 new tender: Bridges']);
  });

  test('of a search that was deleted while they waited are not sent', async () => {
    const who = await contractor();
    const deleted = await search(who, { state: HP, q: 'bridge' });
    await search(who, { state: HP, q: 'school' }, 'Schools');
    const phone = await app.subscribeBrowser(who);
    await publish(at('10T12:00:00'), { title: 'Bridge at Theog' }, { title: 'School at Solan' });
    expect((await app.call('DELETE', `/api/searches/${deleted}`, undefined, who.headers)).status).toBeLessThan(300);
    await app.run('search-alerts', at('10T18:30:00'));
    expect(texts(phone)).toEqual(['1 new tender: Schools']);
  });

  test('are sent at once where a device wants it, each tender once for all searches and works of its NIT', async () => {
    const who = await contractor();
    await search(who, { state: HP, q: 'bridge' });
    await search(who, { state: HP, department: 'PWD' }, 'All of PWD');
    const phone = await app.subscribeBrowser(who, { matches: 'at-once', language: 'hi-IN' });
    const nit = { nitKey: 'hptenders nit 7', reference: 'NIT/7' };
    await publish(at('10T12:00:00'), { title: 'Bridge 1', ...nit }, { title: 'Bridge 2', ...nit });
    expect(texts(phone)).toEqual(['2 नए टेंडर: Bridges']);
    expect(phone.received[0]?.payload.notification.body).toBe(
      'NIT NIT/7 के 2 काम · बंद होगा: 20 नवंबर 2026, सुबह 11:00 बजे',
    );
    await publish(at('10T13:00:00'), { title: 'Bridge 3', ...nit });
    expect(phone.received).toHaveLength(1);
  });

  test.each<[string, object | null, boolean]>([
    ['a trial of the state', {}, true],
    ['no plan', null, false],
    ['a plan for another state', { states: ['Assam'] }, false],
    ['a trial that has ended', { endsAt: at('05T00:00:00') }, false],
    ['a trial that has not begun', { startsAt: at('25T00:00:00') }, false],
    ['a trial that was taken back', { revokedAt: at('05T00:00:00') }, false],
    ['a trial that ends now', { endsAt: at('10T12:00:00') }, false],
    ['a trial that begins now', { startsAt: at('10T12:00:00') }, true],
    ['a plan of the state', { kind: 'plan' }, true],
    ['the plan of all states', { kind: 'plan', planId: 'enterprise', states: [] }, true],
  ])('for a user with %s are sent: %s', async (_name, plan, isNotified) => {
    const who = await contractor(plan);
    await search(who, { q: 'bridge' });
    const phone = await app.subscribeBrowser(who, { matches: 'at-once' });
    await publish(at('10T12:00:00'), { title: 'Bridge' });
    expect(phone.received).toHaveLength(isNotified ? 1 : 0);
  });

  test('are published open tenders, newer than the search', async () => {
    const who = await contractor();
    const phone = await app.subscribeBrowser(who, { matches: 'at-once' });
    await publish(at('10T12:00:00'), { title: 'Bridge before' });
    await search(who, { state: HP, q: 'bridge' });
    await publish(
      at('10T12:30:00'),
      { title: 'Bridge that is closed', closesAt: at('10T12:29:00') },
      { title: 'Bridge of tomorrow', publishedAt: at('11T10:00:00') },
    );
    expect(phone.received).toEqual([]);
    await app.run('publish-drafts', at('11T10:00:00'));
    await app.run('search-alerts');
    expect(texts(phone)).toEqual(['1 new tender: Bridges']);
  });

  test('of a tender that is published at the instant of the search are sent', async () => {
    const who = await contractor();
    const phone = await app.subscribeBrowser(who, { matches: 'at-once' });
    await search(who, { q: 'bridge' });
    await publish(app.clock.now, { title: 'Bridge' });
    expect(texts(phone)).toEqual(['1 new tender: Bridges']);
  });

  test('are neither stored nor sent for a deleted account', async () => {
    const [deleted, who] = [await contractor(), await contractor()];
    const phones = [];
    for (const account of [deleted, who]) {
      await search(account, { q: 'bridge' });
      phones.push(await app.subscribeBrowser(account, { matches: 'at-once' }));
    }
    await app.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [
      deleted.user._id,
      MORNING,
    ]);
    await publish(at('10T12:00:00'), { title: 'Bridge' });
    expect(phones.map(({ received }) => received.length)).toEqual([0, 1]);
    expect(await app.database.dataSource.query('SELECT user_id FROM notice')).toEqual([{ user_id: who.user._id }]);
  });

  test('are counted, and those of two searches name both in the inbox once', async () => {
    const who = await contractor();
    const bridges = await search(who, { state: HP, q: 'bridge' });
    const works = await search(who, { state: HP, department: 'PWD' }, 'Works');
    await importTenders(
      app.database.dataSource,
      [
        createSourceTender({ sourceId: '2026_PWD_50_1', title: 'Bridge', publishedAt: MORNING }),
        createSourceTender({ sourceId: '2026_PWD_51_1', title: 'School', publishedAt: MORNING }),
      ],
      { now: MORNING },
    );
    const service = app.app.get(SearchAlertsService);
    expect([await service.createMatchNotices(), await service.createMatchNotices()]).toEqual([2, 0]);
    const { json } = await app.call('GET', '/api/notices', undefined, who.headers);
    const found = json.notices.map(({ title, searchIds }: { title: string; searchIds: string[] }) => [
      title,
      searchIds.toSorted(),
    ]);
    expect(Object.fromEntries(found)).toEqual({ Bridge: [bridges, works].toSorted(), School: [works] });
  });

  test('are not sent to a device that does not want them, nor of a search that does not match', async () => {
    const who = await contractor();
    await search(who, { q: 'bridge' });
    const off = await app.subscribeBrowser(who, { matches: 'at-once', kinds: { match: false } });
    await publish(at('10T12:00:00'), { title: 'School' });
    expect(await app.database.dataSource.query('SELECT id FROM notice')).toEqual([]);
    await publish(at('10T12:10:00'), { title: 'Bridge' });
    expect(off.received).toEqual([]);
    expect(await app.database.dataSource.query('SELECT kind FROM notice')).toEqual([{ kind: 'match' }]);
  });

  test('of a search that is muted on the device are not sent', async () => {
    const who = await contractor();
    const muted = await search(who, { state: HP, q: 'bridge' });
    const phone = await app.subscribeBrowser(who, { matches: 'at-once', mutedSearches: [muted] });
    const other = await app.subscribeBrowser(who, { matches: 'at-once' });
    await publish(at('10T12:00:00'), { title: 'Bridge' });
    expect([phone.received.length, other.received.length]).toEqual([0, 1]);
  });

  test('of a muted search and another one name the other', async () => {
    const who = await contractor();
    const muted = await search(who, { state: HP, q: 'bridge' }, 'Bridges');
    const walls = await search(who, { state: HP, q: 'wall' }, 'Walls');
    const phone = await app.subscribeBrowser(who, { matches: 'at-once', mutedSearches: [muted] });
    await publish(at('10T12:00:00'), { title: 'Bridge with retaining wall' });
    expect(texts(phone)).toEqual(['1 new tender: Walls']);
    // The inbox is that of all devices.
    const { notices } = (await app.call('GET', '/api/notices', undefined, who.headers)).json;
    expect(notices).toMatchObject([{ kind: 'match', works: 1, patch: null, fields: [], office: null }]);
    expect(notices[0].searchIds.toSorted()).toEqual([muted, walls].toSorted());
  });
});

describe('alerts of followed offices', () => {
  const OFFICE = {
    id: officeId(HP, 'PWD||Central Zone'),
    key: 'PWD||Central Zone',
    name: 'Central Zone',
    kind: 'chain',
    department: 'PWD',
    state: HP,
  };

  beforeEach(async () => {
    const { dataSource } = app.database;
    await dataSource.query('DELETE FROM office_statistics');
    await dataSource.query(
      `INSERT INTO office_statistics (office_id, state, office_key, department, awards, statistics, updated_at)
       VALUES ($1, $2, $3, 'PWD', 30, $4, now())`,
      [OFFICE.id, HP, OFFICE.key, { office: OFFICE }],
    );
  });

  const follow = async (who: SignedInAccount, method: 'PUT' | 'DELETE' = 'PUT', id = OFFICE.id) =>
    app.call(method, `/api/followed-offices/${id}`, undefined, who.headers);
  const close = (when: Date, sourceId: string, title: string) => {
    app.clock.now = when;
    const result = createSourceTender({ sourceId, title, publishedAt: at('10T12:00:00'), stage: 'awarded' });
    return importTenders(app.database.dataSource, [result], { now: when });
  };
  const notices = async (who: SignedInAccount) =>
    (await app.call('GET', '/api/notices', undefined, who.headers)).json.notices;

  test('a user follows an office with awards once, and at most 50', async () => {
    const who = await contractor();
    const listed = { offices: [{ ...OFFICE, followedAt: '2026-11-10T06:00:00+00:00' }] };
    expect((await follow(who)).json).toEqual(listed);
    app.clock.now = at('10T11:31:00');
    expect((await follow(who)).json).toEqual(listed);
    app.clock.now = MORNING;
    expect((await follow(who, 'PUT', '000000000000')).status).toBe(404);
    expect((await follow(who, 'PUT', 'x')).status).toBe(404);
    expect((await follow(who, 'PUT', '%00')).status).toBe(404);
    expect((await follow(who, 'DELETE', '%00')).json).toEqual(listed);
    const other = await contractor();
    expect((await follow(other, 'DELETE')).json).toEqual({ offices: [] });
    expect((await app.call('GET', '/api/followed-offices', undefined, who.headers)).json).toEqual(listed);
    expect((await follow(who, 'DELETE')).json).toEqual({ offices: [] });
    await app.database.dataSource.query(
      `INSERT INTO followed_office SELECT $1, n::text, '{}', now() FROM generate_series(1, 50) n`,
      [who.user._id],
    );
    expect(await follow(who)).toMatchObject({
      status: 409,
      json: { message: 'You can follow at most 50 offices. Unfollow one first.' },
    });
    await app.database.dataSource.query("DELETE FROM followed_office WHERE office_id = '7'");
    expect((await follow(who)).json.offices).toHaveLength(50);
    expect((await follow(who)).json.offices).toHaveLength(50);
    expect((await follow(other)).json).toEqual(listed);
    expect((await app.call('GET', '/api/followed-offices')).status).toBe(401);
  });

  test('the followed offices of a user are listed newest first', async () => {
    const who = await contractor();
    await follow(who);
    for (const [id, when] of [
      ['aaaaaaaaaaaa', at('09T12:00:00')],
      ['bbbbbbbbbbbb', at('11T12:00:00')],
    ])
      await app.database.dataSource.query('INSERT INTO followed_office VALUES ($1, $2, $3, $4)', [
        who.user._id,
        id,
        { ...OFFICE, id },
        when,
      ]);
    const { json } = await app.call('GET', '/api/followed-offices', undefined, who.headers);
    expect(json.offices.map(({ id }: { id: string }) => id)).toEqual(['bbbbbbbbbbbb', OFFICE.id, 'aaaaaaaaaaaa']);
  });

  test('new tenders come together at 18:30, works of one NIT as one, and name the office', async () => {
    const who = await contractor();
    const phone = await app.subscribeBrowser(who);
    await publish(at('10T11:40:00'), { title: 'Bridge before it was followed' });
    app.clock.now = at('10T11:50:00');
    await follow(who);
    const nit = { nitKey: 'hptenders nit 8', reference: 'NIT/8' };
    await publish(
      at('10T12:00:00'),
      { title: 'Bridge 1', ...nit },
      { title: 'Bridge 2', ...nit },
      { title: 'School', organisationChain: ['PWD', 'South Zone'] },
    );
    await app.run('search-alerts', at('10T18:29:59'));
    expect(phone.received).toEqual([]);
    await app.run('search-alerts', at('10T18:30:00'));
    expect(phone.received.map(({ payload: { notification } }) => notification)).toMatchObject([
      {
        title: '2 new tenders: Central Zone',
        body: '2 works in NIT NIT/8 · closes 20 Nov 2026, 11:00 AM',
        data: { kind: 'office' },
      },
    ]);
    expect(await notices(who)).toMatchObject([
      { kind: 'office', works: 2, fields: [], office: { id: OFFICE.id, name: 'Central Zone' } },
    ]);
  });

  test('an office that is known by its PIN code is named with its department', async () => {
    const key = 'PWD||pin:171001';
    const office = { ...OFFICE, id: officeId(HP, key), key, name: 'PIN 171001', kind: 'pin' };
    await app.database.dataSource.query(
      `INSERT INTO office_statistics (office_id, state, office_key, department, awards, statistics, updated_at)
       VALUES ($1, $2, $3, 'PWD', 30, $4, now())`,
      [office.id, HP, key, { office }],
    );
    const who = await contractor();
    await follow(who, 'PUT', office.id);
    const phone = await app.subscribeBrowser(who, { matches: 'at-once' });
    await publish(
      at('10T12:00:00'),
      { title: 'Bridge', organisationChain: ['PWD'], pincode: '171001' },
      { title: 'School', organisationChain: ['PWD'], pincode: '171002' },
    );
    expect(texts(phone)).toEqual(['1 new tender: PWD, PIN 171001']);
    expect(await notices(who)).toMatchObject([{ title: 'Bridge', office: { id: office.id, name: 'PWD, PIN 171001' } }]);
  });

  test('a tender that was published before the office was followed gives none, also when it is read later', async () => {
    const who = await contractor();
    const phone = await app.subscribeBrowser(who, { matches: 'at-once' });
    app.clock.now = at('10T11:40:00');
    await importTenders(app.database.dataSource, [createSourceTender({ publishedAt: app.clock.now })], {
      now: app.clock.now,
    });
    app.clock.now = at('10T11:50:00');
    await follow(who);
    await app.run('search-alerts', at('10T11:51:00'));
    expect(phone.received).toEqual([]);
  });

  test('a tender that is published, and a result that becomes known, at the instant of the follow give one each', async () => {
    const [early, late] = [
      await contractor({ endsAt: at('30T00:00:00') }),
      await contractor({ endsAt: at('30T00:00:00') }),
    ];
    app.clock.now = at('10T12:00:00');
    await follow(early);
    await publish(at('10T12:00:00'), { sourceId: '2026_PWD_6_1', title: 'Bridge' });
    app.clock.now = at('21T12:00:00');
    await follow(late);
    await close(at('21T12:00:00'), '2026_PWD_6_1', 'Bridge');
    await app.run('search-alerts', at('21T12:01:00'));
    const fields = async (who: SignedInAccount) =>
      (await notices(who)).map((notice: { fields: string[] }) => notice.fields);
    expect(await fields(early)).toEqual([['result'], []]);
    expect(await fields(late)).toEqual([['result']]);
  });

  test('the works of one NIT are one notice, which opens the first work', async () => {
    const who = await contractor();
    await follow(who);
    await search(who, { q: 'weir' }, 'Weirs');
    const nit = { nitKey: 'hptenders nit 10' };
    const works = (title: string) =>
      [10, 2].map((n) => ({ ...nit, sourceId: `2026_PWD_77_${n}`, title: `${title} ${n}` }));
    await publish(at('10T12:00:00'), ...works('Bridge'));
    expect(await notices(who)).toMatchObject([{ kind: 'office', works: 2, title: 'Bridge 2' }]);
    const other = await contractor();
    await search(other, { q: 'bridge' });
    await publish(
      at('10T12:10:00'),
      ...[10, 2].map((n) => ({ nitKey: 'hptenders nit 11', sourceId: `2026_PWD_78_${n}`, title: `Bridge ${n}` })),
    );
    expect(await notices(other)).toMatchObject([{ kind: 'match', works: 2, title: 'Bridge 2' }]);
  });

  test('a work that joins a NIT in the next month gives no second notice, by a search or by an office', async () => {
    await makeMissingMonths(app.database.dataSource, MORNING);
    const plan = { endsAt: new Date('2027-01-01T00:00:00+05:30') };
    const [seeker, follower] = [await contractor(plan), await contractor(plan)];
    await search(seeker, { q: 'bridge' });
    await follow(follower);
    const work = { nitKey: 'hptenders nit 12', closesAt: new Date('2026-12-20T11:00:00+05:30') };
    await publish(new Date('2026-11-30T23:59:59Z'), { ...work, title: 'Bridge 1' });
    await publish(new Date('2026-12-01T00:00:00Z'), { ...work, title: 'Bridge 2' });
    expect(await notices(seeker)).toMatchObject([{ kind: 'match', title: 'Bridge 1' }]);
    expect(await notices(follower)).toMatchObject([{ kind: 'office', title: 'Bridge 1' }]);
    await publish(new Date('2026-12-01T00:00:00Z'), { ...work, nitKey: 'hptenders nit 13', title: 'Bridge 3' });
    expect(await notices(seeker)).toHaveLength(2);
    expect(await notices(follower)).toHaveLength(2);
  });

  test('a tender that a saved search has found gives no second notice', async () => {
    const who = await contractor();
    await follow(who);
    await search(who, { state: HP, q: 'bridge' });
    const phone = await app.subscribeBrowser(who, { matches: 'at-once' });
    await publish(at('10T12:00:00'), { title: 'Bridge at Theog' }, { title: 'School at Theog' });
    expect(texts(phone).toSorted()).toEqual(['1 new tender: Bridges', '1 new tender: Central Zone']);
    // Neither tender has a bookmark that a button could remove.
    for (const { payload } of phone.received)
      expect(payload.notification.actions.map(({ action }) => action)).toEqual(['open', 'calendar']);
    expect(await notices(who)).toHaveLength(2);
  });

  test('a work of a NIT that a saved search has found gives no second notice; the search of another user does not count', async () => {
    const who = await contractor();
    await follow(who);
    await search(who, { state: HP, q: 'bridge' });
    await search(await contractor(), { state: HP, q: 'hostel' });
    const phone = await app.subscribeBrowser(who, { matches: 'at-once' });
    const nit = { nitKey: 'hptenders nit 9', reference: 'NIT/9' };
    await publish(
      at('10T12:00:00'),
      { title: 'Bridge of lot 1', ...nit },
      { title: 'School of lot 2', ...nit },
      { title: 'Hostel at Theog' },
    );
    expect(texts(phone).toSorted()).toEqual(['1 new tender: Bridges', '1 new tender: Central Zone']);
    expect(phone.received.map(({ payload: { notification } }) => notification.body)).toContainEqual(
      expect.stringContaining('Hostel at Theog'),
    );
  });

  test('of more than 500 changes at once each is read, for searches and for offices', async () => {
    const who = await contractor();
    await follow(who);
    await search(who, { state: HP, q: 'bridge' });
    const phone = await app.subscribeBrowser(who, { matches: 'at-once' });
    const { dataSource } = app.database;
    const elsewhere = createSourceTender({
      sourceId: `2026_PWD_${++stored}_1`,
      organisationChain: ['PWD', 'South Zone'],
    });
    await importTenders(dataSource, [elsewhere], { now: MORNING });
    await dataSource.query(
      `INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
       SELECT nextval('tender_change_no'), id, state, n, 'published', '[]', $2 FROM tender, generate_series(2, 501) n
       WHERE source_id = $1`,
      [elsewhere.sourceId, MORNING],
    );
    await publish(at('10T12:00:00'), { title: 'Bridge at Theog' }, { title: 'School at Theog' });
    expect(texts(phone).toSorted()).toEqual(['1 new tender: Bridges', '1 new tender: Central Zone']);
  });

  test.each<[string, object | null, boolean]>([
    ['a trial of the state', {}, true],
    ['no plan', null, false],
    ['a plan for another state', { states: ['Assam'] }, false],
    ['the plan of all states', { kind: 'plan', planId: 'enterprise', states: [] }, true],
  ])('for a user with %s are sent: %s', async (_name, plan, isNotified) => {
    const who = await contractor(plan);
    await follow(who);
    const phone = await app.subscribeBrowser(who, { matches: 'at-once' });
    await publish(at('10T12:00:00'), { title: 'Bridge' });
    expect(phone.received).toHaveLength(isNotified ? 1 : 0);
  });

  test('a plan of test money gives no alerts of searches and offices where real money is taken', async () => {
    const account = {
      PHONEPE_CLIENT_ID: 'M1',
      PHONEPE_CLIENT_SECRET: 's3cret',
      PHONEPE_WEBHOOK_SECRET: 'nivida:passw0rd',
    };
    const env = { SESSION_KEYS: TEST_SESSION_KEY, PAYMENT_PROVIDER: 'phonepe', PHONEPE_ENV: 'production', ...account };
    const { current: live } = createGateways(readConfig(env), () => app.clock.now);
    expect(live.live).toBe(true);
    const [tester, payer] = [await contractor(), await contractor({ isTest: false })];
    for (const who of [tester, payer]) {
      await follow(who);
      await search(who, { q: 'bridge' });
    }
    const { dataSource } = app.database;
    const works = ['Bridge', 'School'].map((title) =>
      createSourceTender({ sourceId: `2026_PWD_${++stored}_1`, title, publishedAt: MORNING }),
    );
    await importTenders(dataSource, works, { now: MORNING });
    await new SearchAlertsService(dataSource, live, () => app.clock.now).createMatchNotices();
    await new OfficeAlertsService(dataSource, live, () => app.clock.now).createOfficeNotices();
    expect(await notices(tester)).toEqual([]);
    expect((await notices(payer)).map(({ kind }: { kind: string }) => kind)).toEqual(['office', 'match']);
  });

  test('are neither stored nor sent for a deleted account, and are counted', async () => {
    const [deleted, who] = [await contractor(), await contractor()];
    for (const account of [deleted, who]) await follow(account);
    await app.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [
      deleted.user._id,
      MORNING,
    ]);
    await importTenders(
      app.database.dataSource,
      ['Bridge', 'School'].map((title, n) =>
        createSourceTender({ sourceId: `2026_PWD_6${n}_1`, title, publishedAt: MORNING }),
      ),
      { now: MORNING },
    );
    await app.app.get(SearchAlertsService).createMatchNotices();
    const service = app.app.get(OfficeAlertsService);
    expect([await service.createOfficeNotices(), await service.createOfficeNotices()]).toEqual([2, 0]);
    expect(await app.database.dataSource.query('SELECT DISTINCT user_id FROM notice')).toEqual([
      { user_id: who.user._id },
    ]);
  });

  test('a device that does not want them gets none, and quiet hours delay them', async () => {
    const who = await contractor();
    await follow(who);
    const off = await app.subscribeBrowser(who, { matches: 'at-once', kinds: { office: false } });
    const phone = await app.subscribeBrowser(who, { matches: 'at-once', language: 'hi-IN' });
    await publish(at('10T21:30:00'), { title: 'Bridge' });
    await app.run('search-alerts', at('11T06:59:00'));
    expect([off.received.length, phone.received.length]).toEqual([0, 0]);
    await app.run('search-alerts', at('11T07:00:00'));
    expect([off.received.length, texts(phone)]).toEqual([0, ['1 नया टेंडर: Central Zone']]);
  });

  test('notices of an office do not stay on a device that is signed out', async () => {
    const who = await contractor();
    await follow(who);
    const phone = await app.subscribeBrowser(who, { matches: 'at-once' });
    await publish(at('10T12:00:00'), { title: 'Bridge' });
    expect(phone.received).toHaveLength(1);
    expect((await app.call('POST', '/api/push/subscriptions', phone.subscription)).status).toBe(200);
    const { dataSource } = app.database;
    expect(await dataSource.query('SELECT user_id FROM push_subscription')).toEqual([{ user_id: null }]);
    expect(await dataSource.query('SELECT kind FROM notice WHERE user_id IS NULL')).toEqual([]);
    expect(await notices(who)).toHaveLength(1);
  });

  test('after an unfollow waiting notices are not sent', async () => {
    const who = await contractor();
    await follow(who);
    const phone = await app.subscribeBrowser(who);
    await publish(at('10T12:00:00'), { title: 'Bridge' });
    await follow(who, 'DELETE');
    await app.run('search-alerts', at('10T18:30:00'));
    expect(phone.received).toEqual([]);
  });

  test('a result is sent when it becomes known, and once where the tender is bookmarked', async () => {
    const who = await contractor({ endsAt: at('30T00:00:00') });
    await follow(who);
    const phone = await app.subscribeBrowser(who, { kinds: { closing_tomorrow: false, closing_in_3_hours: false } });
    await publish(
      at('10T12:00:00'),
      { sourceId: '2026_PWD_7_1', title: 'Bridge' },
      { sourceId: '2026_PWD_8_1', title: 'School' },
    );
    await app.run('search-alerts', at('10T18:30:00'));
    const [{ id }] = await app.database.dataSource.query(`SELECT id FROM tender WHERE source_id = '2026_PWD_8_1'`);
    await app.call('POST', '/api/bookmarks/sync', { changes: [{ tenderId: String(id), wanted: true }] }, who.headers);
    const [{ id: unmarked }] = await app.database.dataSource.query(
      `SELECT id FROM tender WHERE source_id = '2026_PWD_7_1'`,
    );
    const changes = [{ tenderId: String(unmarked), wanted: true }];
    const other = await contractor();
    app.clock.now = at('21T12:00:00');
    await app.call('POST', '/api/bookmarks/sync', { changes }, other.headers);
    await close(at('21T12:00:00'), '2026_PWD_7_1', 'Bridge');
    await close(at('21T12:00:00'), '2026_PWD_8_1', 'School');
    await app.run('closing-soon', at('21T12:00:30'));
    await app.run('search-alerts', at('21T12:01:00'));
    await app.run('search-alerts', at('21T12:02:00'));
    expect(texts(phone)).toEqual(['2 new tenders: Central Zone', 'Result is out', '1 result: Central Zone']);
    expect(phone.received.at(-1)?.payload.notification.body).toBe('Bridge · result is out');
    expect((await notices(who)).map(({ kind, fields }: { kind: string; fields: string[] }) => [kind, fields])).toEqual([
      ['office', ['result']],
      ['changed', ['result']],
      ['office', []],
      ['office', []],
    ]);
    // It was bookmarked at the instant of the result.
    expect(await notices(other)).toMatchObject([{ kind: 'changed', fields: ['result'] }]);
  });

  test('an award of a tender that is still open is no result', async () => {
    const who = await contractor();
    await follow(who);
    await publish(at('10T12:00:00'), { sourceId: '2026_PWD_10_1', title: 'Bridge' });
    await close(at('12T12:00:00'), '2026_PWD_10_1', 'Bridge');
    await app.run('search-alerts', at('12T12:01:00'));
    expect((await notices(who)).map(({ fields }: { fields: string[] }) => fields)).toEqual([[]]);
  });

  test('a result of a tender that closed more than a year ago is no news', async () => {
    const who = await contractor();
    await follow(who);
    const old = { publishedAt: new Date('2025-09-01T09:00:00+05:30'), closesAt: new Date('2025-11-01T11:00:00+05:30') };
    await publish(at('10T12:00:00'), { sourceId: '2025_PWD_9_1', ...old });
    await importTenders(
      app.database.dataSource,
      [createSourceTender({ sourceId: '2025_PWD_9_1', ...old, stage: 'awarded' })],
      { now: at('10T12:30:00') },
    );
    await app.run('search-alerts', at('10T12:31:00'));
    expect(await notices(who)).toEqual([]);
  });
});

describe('finding searches by their probes', () => {
  const tender = (words: string[], changes: Partial<MatchedTender> = {}): MatchedTender => ({
    id: 1,
    state: HP,
    district: 'Shimla',
    secondDistrict: null,
    department: 'PWD',
    category: 'Works',
    price: 500_000,
    emd: 10_000,
    emdExemptionAllowed: false,
    publishedAt: MORNING,
    closesAt: at('20T11:00:00'),
    words,
    textWords: words,
    ...changes,
  });
  const filter = (changes: object) => ({ state: '', district: '', department: '', q: '', ...changes });
  const ROAD = ['construction', 'of', 'road', 'shimla', 'co', '2026_pwd_1_1', 'retaining', 'wall'];

  test.each<[object, boolean]>([
    [{}, true],
    [{ state: HP }, true],
    [{ state: 'HP' }, true],
    [{ state: 'Assam' }, false],
    [{ state: HP, district: 'shimla' }, true],
    [{ state: HP, district: 'Solan' }, false],
    [{ state: HP, district: 'Nowhere' }, false],
    [{ district: 'Shimla' }, false],
    [{ state: HP, department: 'PWD' }, true],
    [{ state: HP, department: 'Public Works Deptt' }, true],
    [{ state: HP, department: 'Harbour Trust' }, false],
    [{ department: 'PWD' }, false],
    [{ state: HP, district: 'Shimla', department: 'PWD', q: 'road' }, true],
    [{ state: HP, district: ['Solan', 'shimla'] }, true],
    [{ state: HP, district: ['Nowhere', 'Shimla'] }, true],
    [{ state: HP, district: ['Solan', 'Mandi'] }, false],
    [{ state: HP, department: ['Forest', 'PWD'] }, true],
    [{ state: HP, district: 'Shimla', department: ['Forest', 'PWD'] }, true],
    [{ state: HP, district: ['Solan', 'Shimla'], department: 'PWD', q: 'road' }, true],
    [{ state: HP, district: ['Solan', 'Shimla', 'Una'], department: ['Forest', 'PWD'] }, true],
    [{ state: HP, district: ['Solan', 'Shimla'], department: ['Forest', 'PWD', 'Education'] }, true],
    [{ state: HP, district: ['Solan', 'Shimla'], department: ['Forest', 'Education'] }, false],
    [{ q: 'road' }, true],
    [{ q: 'constru' }, true],
    [{ q: 'roa', literal: 'all' }, true],
    [{ q: 'co', literal: 'all' }, true],
    [{ q: 'road shimla' }, true],
    [{ q: 'road solan' }, false],
    [{ q: 'road hamirpur' }, false],
    [{ q: 'shimla' }, true],
    [{ q: 'service road' }, true],
    [{ q: 'constr' }, true],
    [{ q: 'sadak' }, true],
    [{ q: 'सड़क' }, true],
    [{ q: 'r/wall' }, true],
    [{ q: 'road bridge' }, false],
    [{ q: 'roads shimla' }, true],
    [{ q: '/' }, false],
    [{ q: '2026_PWD_1_1' }, true],
    [{ min: 500_000, max: 500_000 }, true],
    [{ max: 499_999 }, false],
    [{ min: 500_001 }, false],
    [{ category: 'Goods' }, false],
    [{ category: 'Works' }, true],
    [{ within: 10 }, true],
    [{ within: 9 }, false],
  ])('%j matches: %s', (changes, expected) => {
    const search = prepareSearch(filter(changes), MORNING);
    const words = tender(ROAD);
    const probes = new Set(tenderProbes(words));
    for (const common of [new Set<string>(), new Set(['road', 'construction', 'shimla'])]) {
      const isFound = searchProbes(search, common).some((probe) => probes.has(probe));
      const isHit = isFound && search !== undefined && matchesSearch(search, words, new Set(ROAD), MORNING);
      expect(isHit).toBe(expected);
    }
  });

  test.each<[object, boolean]>([
    [{ state: HP, district: 'Shimla' }, true],
    [{ state: HP, district: 'Solan' }, true],
    [{ state: HP, district: 'Solan', department: 'PWD' }, true],
    [{ state: HP, district: ['Una', 'Solan'], department: ['PWD', 'Forest'] }, true],
    [{ q: 'road solan' }, true],
    [{ q: 'road shimla district' }, true],
    [{ q: 'road except solan' }, false],
    [{ state: HP, district: 'Una' }, false],
    [{ q: 'road una' }, false],
  ])('a tender of two districts, by either: %j matches: %s', (changes, expected) => {
    const there = tender(ROAD, { secondDistrict: 'Solan' });
    const search = prepareSearch(filter(changes), MORNING);
    const probes = new Set(tenderProbes(there));
    const isFound = searchProbes(search, new Set()).some((probe) => probes.has(probe));
    expect(isFound && search !== undefined && matchesSearch(search, there, new Set(ROAD), MORNING)).toBe(expected);
  });

  test.each<[string, object, boolean]>([
    ['a place in the words is that of the tender, not a word of it', { q: 'road solan' }, true],
    ['a tender of another place that names it is not meant', { q: 'road shimla' }, false],
    ['a district of the filter decides too', { state: HP, district: 'Shimla', q: 'road solan' }, false],
    ['a state in the words', { q: 'road himachal pradesh' }, true],
    ['another state in the words', { q: 'road assam' }, false],
    ['an earlier search asks for the word', { q: 'road shimla', literal: 'all' }, true],
    ['an earlier search of a place asks for the word', { q: 'shimla', literal: 'all' }, true],
    ['an earlier search completes its last word', { q: 'road shim', literal: 'all' }, true],
    ['an earlier search without the word', { q: 'road bridge', literal: 'all' }, false],
  ])('%s: %j', (_, changes, expected) => {
    // A road of Solan district, which leads to Shimla; its words do not name Solan.
    const words = ['widening', 'of', 'road', 'to', 'shimla'];
    const there = tender(words, { district: 'Solan' });
    const search = prepareSearch(filter(changes), MORNING);
    const probes = new Set(tenderProbes(there));
    const isFound = searchProbes(search, new Set()).some((probe) => probes.has(probe));
    expect(isFound && search !== undefined && matchesSearch(search, there, new Set(words), MORNING)).toBe(expected);
  });

  test.each<[string, boolean]>([
    ['road below 5 lakh', true],
    ['road 5 lakh se upar', true],
    ['road above 6 lakh', false],
    ['emd 10 hazar tak', true],
    ['no emd', false],
    ['road closing by 20 nov', true],
    ['road closing before 20 nov', false],
    ['new tenders', true],
    ['published yesterday', false],
    ['goods tenders', false],
    ['road not bridge', true],
    ['road without retaining wall', false],
    ['road except shimla', false],
  ])('a condition in the words of a saved search decides: %s', (q, expected) => {
    const search = prepareSearch(filter({ q }), MORNING);
    const road = tender(ROAD);
    const probes = new Set(tenderProbes(road));
    expect(searchProbes(search, new Set()).some((probe) => probes.has(probe))).toBe(true);
    expect(search && matchesSearch(search, road, new Set(ROAD), MORNING)).toBe(expected);
  });

  test('words of the office are not left out, only those of title and description', () => {
    const search = prepareSearch(filter({ q: 'road not bridge' }), MORNING);
    const ofBridgeDivision = tender([...ROAD, 'bridge'], { textWords: ROAD });
    expect(search && matchesSearch(search, ofBridgeDivision, new Set(ofBridgeDivision.words), MORNING)).toBe(true);
  });

  test('"closing today" is another day on each day', () => {
    const closing = tender(ROAD, { closesAt: at('20T11:00:00') });
    const isHit = (now: Date) => {
      const search = prepareSearch(filter({ q: 'road closing today' }), now);
      return search && matchesSearch(search, closing, new Set(ROAD), now);
    };
    expect([MORNING, at('20T08:00:00')].map(isHit)).toEqual([false, true]);
  });

  test('an unlisted organisation is found in each of its spellings', () => {
    const organisation = tender(ROAD, { department: 'Harbour Trust & Docks Ltd' });
    const probes = new Set(tenderProbes(organisation));
    for (const department of ['Harbour Trust & Docks Ltd', 'HARBOUR TRUST AND DOCKS LIMITED']) {
      const search = prepareSearch(filter({ state: HP, department }), MORNING);
      expect(searchProbes(search, new Set()).some((probe) => probes.has(probe))).toBe(true);
      expect(search && matchesSearch(search, organisation, new Set(ROAD), MORNING)).toBe(true);
    }
  });

  test('a tender that closes at the midnight that ends the chosen days does not match', () => {
    const search = prepareSearch(filter({ within: 10 }), MORNING);
    const matches = (time: string) =>
      search && matchesSearch(search, tender(ROAD, { closesAt: at(time) }), new Set(ROAD), MORNING);
    expect([matches('20T23:59:59'), matches('21T00:00:00')]).toEqual([true, false]);
  });

  test.each([{ max: 900_000 }, { min: 0 }])('an unknown price matches no price bounds: %j', (bounds) => {
    const search = prepareSearch(filter(bounds), MORNING);
    expect(search && matchesSearch(search, tender(ROAD, { price: null }), new Set(ROAD), MORNING)).toBe(false);
  });

  test.each<[string, Partial<MatchedTender>, boolean]>([
    ['of one state', { district: 'Hamirpur' }, true],
    ['of the other state', { state: 'Uttar Pradesh', district: 'Hamirpur' }, true],
    ['of another district', {}, false],
    ['of a state without it', { state: 'Assam', district: 'Hamirpur' }, false],
  ])('a name of districts in several states finds a tender %s', (_what, place, expected) => {
    for (const q of ['road hamirpur', 'hamirpur']) {
      const search = prepareSearch(filter({ q }), MORNING);
      const there = tender(ROAD, place);
      const probes = new Set(tenderProbes(there));
      const isFound = searchProbes(search, new Set()).some((probe) => probes.has(probe));
      expect(isFound && search !== undefined && matchesSearch(search, there, new Set(ROAD), MORNING), q).toBe(expected);
    }
    const inHimachal = prepareSearch(filter({ state: HP, q: 'hamirpur' }), MORNING);
    expect([inHimachal?.state, inHimachal?.districts, inHimachal?.place]).toEqual([HP, ['Hamirpur'], null]);
  });

  test('a tender without district or department is found by no search for one', () => {
    const bare = tender(ROAD, { district: null, department: null });
    const matches = (changes: object) => {
      const search = prepareSearch(filter(changes), MORNING);
      return search !== undefined && matchesSearch(search, bare, new Set(ROAD), MORNING);
    };
    expect(matches({ state: HP, district: 'Shimla' })).toBe(false);
    expect(matches({ state: HP, department: 'PWD' })).toBe(false);
    expect(matches({ state: HP })).toBe(true);
  });

  test('the probe of a search is its rarest word, or its place when all words are common', () => {
    const read = prepareSearch(filter({ state: HP, district: 'Shimla', q: 'hydrant bridge' }), MORNING);
    expect(searchProbes(read, new Set(['bridge']))).toEqual([`w ${HP}\thydran`]);
    const common = new Set(
      parseQuery('road').flatMap(({ alternatives }) => alternatives.flatMap(({ terms }) => terms)),
    );
    expect(searchProbes(prepareSearch(filter({ state: HP, district: 'Shimla', q: 'road' }), MORNING), common)).toEqual([
      `p ${HP}\tShimla\t*`,
    ]);
  });

  test.each<[object, string[]]>([
    [{ district: ['Shimla', 'Solan'] }, ['Shimla\t*', 'Solan\t*']],
    [{ department: ['PWD', 'Forest'] }, ['*\tpwd', '*\tforest']],
    [{ district: 'Shimla', department: ['PWD', 'Forest'] }, ['Shimla\tpwd', 'Shimla\tforest']],
    [{ district: ['Shimla', 'Solan', 'Una'], department: ['PWD', 'Forest'] }, ['*\tpwd', '*\tforest']],
    [{ district: ['Shimla', 'Solan'], department: ['PWD', 'Forest'] }, ['Shimla\t*', 'Solan\t*']],
  ])('the probes of %j are those of its shorter list of places', (places, expected) => {
    const search = prepareSearch(filter({ state: HP, ...places }), MORNING);
    expect(searchProbes(search, new Set())).toEqual(expected.map((place) => `p ${HP}\t${place}`));
  });
});

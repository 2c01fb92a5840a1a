/** Notices for the members of a firm whom rows of checklists are assigned to. */
import { randomUUID } from 'node:crypto';
import { NoticeListResponse } from '@nivida/contract/push/push';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFirmRow } from '../firms/test-firms.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { type PushApp, type SubscribedBrowser, startPushApp } from '../support/push-app.ts';

const at = (time: string) => new Date(`2026-11-${time}+05:30`);
const MORNING = at('10T11:30:00');

let app: PushApp;
let asha: SignedInAccount;
let ravi: SignedInAccount;
let firm: string;

beforeAll(async () => {
  app = await startPushApp(MORNING);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.clear(MORNING);
  asha = await createSession(app, { remembered: true });
  ravi = await createSession(app, { username: 'Ravi Negi', remembered: true });
  firm = await createFirmRow(app, [asha.user._id, ravi.user._id], { plan: at('01T00:00:00') });
});

const BID = randomUUID();

/** Sends a row of the checklist of a bid, changed `ms` after the start. */
async function assign(id: string, fields: Record<string, unknown>, { who = asha, url = `?firm=${firm}`, ms = 0 } = {}) {
  const stamp = `${MORNING.getTime() + ms}-0000-aaaaaaaaaaaaaaaa`;
  const record = {
    kind: 'check',
    id,
    fields,
    stamps: Object.fromEntries(Object.keys(fields).map((name) => [name, stamp])),
  };
  const { status, json } = await app.call('POST', `/api/bids/changes${url}`, { records: [record] }, who.headers);
  expect([status, json.results?.[0]?.result]).toEqual([200, 'accepted']);
}

const row = (assigneeId: string | null, more: object = {}) => ({ bidId: BID, kind: 'pan', assigneeId, ...more });
const listOf = async (who: SignedInAccount) =>
  v.parse(NoticeListResponse, (await app.get('/api/notices', who.headers)).json).notices;
const texts = ({ received }: SubscribedBrowser) =>
  received.map(({ payload: { notification } }) => `${notification.title}: ${notification.body}`);

describe('a row that is assigned to a member', () => {
  test('is in the notices of the member and pushed, with the firm and the page of the checklist', async () => {
    const phone = await app.subscribeBrowser(ravi);
    const title = { kind: 'bid', id: BID, fields: { title: 'School wall' } };
    const stamps = { title: `${MORNING.getTime()}-0000-aaaaaaaaaaaaaaaa` };
    await app.call('POST', `/api/bids/changes?firm=${firm}`, { records: [{ ...title, stamps }] }, asha.headers);
    await assign(randomUUID(), row(ravi.user._id));
    await app.run('send-pushes', MORNING);
    expect(texts(phone)).toEqual(['Yours to do: PAN card: School wall · Verma Builders']);
    const path = `/dashboard/applications/${BID}?firm=${firm}`;
    expect(phone.received[0]?.payload.notification.navigate).toMatch(
      new RegExp(`${path.replace('?', '\\?')}&n=[\\w-]+#documents$`),
    );
    expect(await listOf(ravi)).toMatchObject([
      {
        ...{ kind: 'assigned', title: 'School wall', tenderId: BID },
        assignment: { row: 'PAN card', firm: 'Verma Builders', path: `${path}#documents` },
      },
    ]);
    const hindi = await app.get('/api/notices', { ...ravi.headers, 'accept-language': 'hi' });
    expect(hindi.json.notices[0].assignment.row).toBe('PAN कार्ड');
  });

  test('is announced once for each assignment, also when the call is repeated or the row changes otherwise', async () => {
    const id = randomUUID();
    await assign(id, row(ravi.user._id));
    await assign(id, row(ravi.user._id));
    await assign(id, { state: 'ready' }, { ms: 1 });
    expect(await listOf(ravi)).toHaveLength(1);
    await assign(id, { assigneeId: null }, { ms: 2 });
    await assign(id, { assigneeId: ravi.user._id }, { ms: 3 });
    expect(await listOf(ravi)).toHaveLength(2);
  });

  test('is not announced to oneself, to a person outside the firm, and not for own records', async () => {
    const stranger = await createSession(app);
    await assign(randomUUID(), row(asha.user._id));
    await assign(randomUUID(), row(stranger.user._id));
    await assign(randomUUID(), row(ravi.user._id), { url: '' });
    for (const who of [asha, ravi, stranger]) expect(await listOf(who)).toEqual([]);
  });

  test('waits for the end of the quiet hours, and is not pushed when it has another assignee by then', async () => {
    const phone = await app.subscribeBrowser(ravi);
    const [first, second] = [randomUUID(), randomUUID()];
    app.clock.now = at('10T22:00:00');
    await assign(first, row(ravi.user._id));
    await assign(second, row(ravi.user._id, { kind: 'gst_registration' }));
    await app.run('send-pushes', at('10T22:00:00'));
    expect(phone.received).toEqual([]);
    await assign(first, { assigneeId: null }, { ms: 1 });
    await app.run('send-pushes', at('11T07:00:00'));
    expect(phone.received.map(({ payload }) => payload.notification.title)).toEqual(['Yours to do: GST registration']);
  });

  test('several rows are one push, and none comes when the member does not want it', async () => {
    const unwilling = await app.subscribeBrowser(ravi, { kinds: { assigned: false } });
    const phone = await app.subscribeBrowser(ravi);
    for (const kind of ['pan', 'gst_registration']) await assign(randomUUID(), row(ravi.user._id, { kind }));
    await app.run('send-pushes', MORNING);
    expect(phone.received.map(({ payload }) => payload.notification.title)).toEqual([
      '2 rows of checklists are yours to do',
    ]);
    expect(unwilling.received).toEqual([]);
  });

  test('leaves no notice with a member who is removed, and none when the firm is closed', async () => {
    await assign(randomUUID(), row(ravi.user._id));
    await app.call('DELETE', `/api/firms/${firm}/members/${ravi.user._id}`, undefined, asha.headers);
    expect(await listOf(ravi)).toEqual([]);
    const own = await createFirmRow(app, [asha.user._id, ravi.user._id], { plan: at('01T00:00:00') });
    await assign(randomUUID(), row(asha.user._id), { who: ravi, url: `?firm=${own}` });
    expect(await listOf(asha)).toHaveLength(1);
    await app.database.dataSource.query('UPDATE firm_member SET left_at = now() WHERE firm_id = $1 AND user_id = $2', [
      own,
      ravi.user._id,
    ]);
    await app.call('DELETE', `/api/firms/${own}`, undefined, asha.headers);
    expect(await listOf(asha)).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { followedSearchId, recordIdFor } from '@nivida/contract/bids/record-ids';
import { Firm, FirmListResponse } from '@nivida/contract/firms/firms';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SessionsService } from '../../src/auth/sessions/sessions.service.ts';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { FileBackupService } from '../../src/bids/file-backup.service.ts';
import { eraseAccounts } from '../../src/users/erase-accounts.job.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { findLastMail } from '../support/test-mailbox.ts';
import { createFirmRow } from './test-firms.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const DAY_MS = 86_400_000;
const ROAD = recordIdFor('bid', 'road');
const HASH = 'a'.repeat(64);

let app: TestApp;
let asha: SignedInAccount;
let ravi: SignedInAccount;
let stranger: SignedInAccount;

beforeAll(async () => {
  app = await startApp({ now: NOW });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
  ravi = await createSession(app, { username: 'Ravi Negi' });
  stranger = await createSession(app, { username: 'Stranger' });
});

const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);

async function call(
  account: SignedInAccount,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
) {
  const reply = await app.app.inject({ method, url, headers: account.headers, ...(payload && { payload }) });
  return { status: reply.statusCode, json: reply.body === '' ? null : reply.json() };
}

/** The status, and for a refusal its code. */
async function outcome(...parameters: Parameters<typeof call>): Promise<string> {
  const { status, json } = await call(...parameters);
  return json?.code ? `${status} ${json.code}` : String(status);
}

const firmsOf = async (account: SignedInAccount) =>
  v.parse(v.strictObject(FirmListResponse.entries), (await call(account, 'GET', '/api/firms')).json).firms;

const stamp = (ms: number, device = 'aaaaaaaaaaaaaaaa') => `${NOW.getTime() + ms}-0000-${device}`;

function record(kind: string, id: string, fields: Record<string, unknown>, ms = 0) {
  return { kind, id, fields, stamps: Object.fromEntries(Object.keys(fields).map((name) => [name, stamp(ms)])) };
}

async function send(account: SignedInAccount, firm: string, ...records: object[]) {
  const { status, json } = await call(account, 'POST', `/api/bids/changes?firm=${firm}`, { records });
  if (status !== 200) return [`${status} ${json.code}`];
  return json.results.map(({ result, message }: { result: string; message?: string }) => message ?? result);
}

async function notesOf(account: SignedInAccount, firm: string): Promise<unknown[]> {
  const { json } = await call(account, 'GET', `/api/bids/changes?firm=${firm}`);
  return (json?.records ?? []).map(({ fields }: { fields: { note?: string } }) => fields.note);
}

describe('records of a firm', () => {
  test('are shared by its members and merged field by field, apart from their own ones', async () => {
    const firm = await createFirmRow(app, [asha.user._id, ravi.user._id], { plan: NOW });
    await call(asha, 'POST', '/api/bids/changes', { records: [record('bid', ROAD, { note: 'My own' })] });
    expect(await send(asha, firm, record('bid', ROAD, { note: 'Call', stage: 'considering' }))).toEqual(['accepted']);
    expect(await send(ravi, firm, record('bid', ROAD, { stage: 'preparing' }, 1))).toEqual(['accepted']);
    const { json } = await call(asha, 'GET', `/api/bids/changes?firm=${firm}`);
    expect(json.records.map(({ fields }: { fields: object }) => fields)).toEqual([
      { note: 'Call', stage: 'preparing' },
    ]);
    const own = await call(asha, 'GET', '/api/bids/changes');
    expect(own.json.records.map(({ fields }: { fields: object }) => fields)).toEqual([{ note: 'My own' }]);
    const sent = await call(ravi, 'POST', '/api/outbox', { bookmarks: [], searches: [], offices: [] });
    expect(sent.json.present.firms).toEqual([{ id: firm, recordsCursor: json.cursor }]);
  });

  test('are closed to a stranger, to members of another firm and to a removed member, in every call', async () => {
    const firm = await createFirmRow(app, [asha.user._id, ravi.user._id], { plan: NOW });
    await createFirmRow(app, [stranger.user._id], { plan: NOW });
    await send(ravi, firm, record('bid', ROAD, { note: 'Call' }));
    expect(await outcome(asha, 'DELETE', `/api/firms/${firm}/members/${ravi.user._id}`)).toBe('204');
    for (const account of [stranger, ravi]) {
      const { user } = account;
      const calls = [
        ['GET', `/api/bids/changes?firm=${firm}`],
        ['POST', `/api/bids/changes?firm=${firm}`, { records: [record('bid', ROAD, { note: 'Mine' }, 5)] }],
        ['GET', `/api/bids/export?firm=${firm}`],
        ['GET', `/api/bids/file-backup?firm=${firm}`],
        ['PUT', `/api/bids/file-backup?firm=${firm}`, { isOn: false }],
        ['GET', `/api/bids/file-backup/files/${HASH}?firm=${firm}`],
        ['PUT', `/api/firms/${firm}`, { name: 'Mine' }],
        ['DELETE', `/api/firms/${firm}`],
        ['POST', `/api/firms/${firm}/invitations`, { email: 'x@firm.example', role: 'owner' }],
        ['DELETE', `/api/firms/${firm}/invitations/${randomUUID()}`],
        ['PUT', `/api/firms/${firm}/members/${user._id}`, { role: 'owner' }],
        ['DELETE', `/api/firms/${firm}/members/${asha.user._id}`],
        ['DELETE', `/api/firms/${firm}/members/${user._id}`],
      ] as const;
      for (const [method, url, payload] of calls)
        expect(await outcome(account, method, url, payload), `${method} ${url}`).toBe('403 NOT_A_MEMBER');
      expect((await firmsOf(account)).map(({ id }) => id)).not.toContain(firm);
    }
    // Neither does the answer say whether a firm exists.
    for (const unknown of [randomUUID(), 'x', '', `${firm}&firm=${firm}`])
      expect(await outcome(stranger, 'GET', `/api/bids/changes?firm=${unknown}`)).toBe('403 NOT_A_MEMBER');
    expect(await notesOf(asha, firm)).toEqual(['Call']);
  });

  test('a removal and a change of the removed member at once: the change is stored before, or refused', async () => {
    for (let round = 0; round < 8; round++) {
      const member = await createSession(app);
      const firm = await createFirmRow(app, [asha.user._id, member.user._id], { plan: NOW });
      const [removed, [result]] = await Promise.all([
        outcome(asha, 'DELETE', `/api/firms/${firm}/members/${member.user._id}`),
        send(member, firm, record('bid', ROAD, { note: 'Late' })),
      ]);
      expect(removed).toBe('204');
      expect(await notesOf(asha, firm)).toEqual(result === 'accepted' ? ['Late'] : []);
      expect(['accepted', '403 NOT_A_MEMBER']).toContain(result);
    }
  });

  test('without a plan can be read and exported, not changed; with a plan again they can', async () => {
    const firm = await createFirmRow(app, [asha.user._id, ravi.user._id], { plan: NOW });
    await send(ravi, firm, record('bid', ROAD, { note: 'Call' }));
    app.clock.now = new Date(NOW.getTime() + 366 * DAY_MS);
    asha = { ...asha, ...(await signInAgain(asha)) };
    ravi = { ...ravi, ...(await signInAgain(ravi)) };
    const refusal =
      'The firm has no plan, so its bids can be read only. Unsaved changes stay on this device until it has one.';
    expect(await send(ravi, firm, record('bid', ROAD, { note: 'Late' }, 366 * DAY_MS))).toEqual([refusal]);
    // What the server has already is accepted again: an answer may have been lost.
    expect(await send(ravi, firm, record('bid', ROAD, { note: 'Call' }))).toEqual(['accepted']);
    expect(await notesOf(ravi, firm)).toEqual(['Call']);
    const [{ canWrite, planEndsAt }] = (await firmsOf(ravi)) as [Firm];
    expect([canWrite, planEndsAt]).toEqual([false, null]);
    const exported = await call(asha, 'GET', `/api/bids/export?firm=${firm}`);
    expect(exported.json.records).toMatchObject([{ kind: 'bid', fields: { note: 'Call' } }]);
    expect(await outcome(ravi, 'GET', `/api/bids/export?firm=${firm}`)).toBe('403 FORBIDDEN');
    await query("UPDATE entitlement SET ends_at = ends_at + interval '1 year' WHERE firm_id = $1", [firm]);
    expect(await send(ravi, firm, record('bid', ROAD, { note: 'Late' }, 366 * DAY_MS))).toEqual(['accepted']);
  });

  test('comments are written once in the own name; only their author deletes them', async () => {
    const firm = await createFirmRow(app, [asha.user._id, ravi.user._id], { plan: NOW });
    const id = recordIdFor('comment', '1');
    const comment = (text: string, by: string, ms = 0) => record('comment', id, { bidId: ROAD, text, by }, ms);
    const written = comment('EMD is paid', asha.user._id);
    const onlyOwn = 'You can write comments in your own name only';
    const fixed = 'Comments cannot be changed, and only their author can delete them';
    expect(await send(ravi, firm, written)).toEqual([onlyOwn]);
    expect(await send(asha, firm, written)).toEqual(['accepted']);
    // Another device has received it and sends it again, as after a restored database.
    expect(await send(ravi, firm, written)).toEqual(['accepted']);
    expect(await send(ravi, firm, comment('EMD is not paid', ravi.user._id, 1))).toEqual([fixed]);
    expect(await send(asha, firm, comment('EMD is not paid', asha.user._id, 1))).toEqual([fixed]);
    const deleted = (ms: number) => ({ ...written, fields: {}, stamps: {}, deleted: stamp(ms) });
    expect(await send(ravi, firm, deleted(1))).toEqual([fixed]);
    expect(await send(asha, firm, deleted(1))).toEqual(['accepted']);
    expect(await send(ravi, firm, record('comment', id, { restored: true }, 2))).toEqual([fixed]);
    expect(await send(asha, firm, record('comment', id, { restored: true }, 2))).toEqual(['accepted']);
    const own = await call(asha, 'POST', '/api/bids/changes', { records: [written] });
    expect(own.json.results[0].message).toBe('Only a firm has records of this kind');
  });

  test('files of its documents are shared while it has a plan', async () => {
    const firm = await createFirmRow(app, [asha.user._id, ravi.user._id], { plan: NOW });
    const files = app.app.get(FileBackupService);
    const space = (account: SignedInAccount) => ({ userId: account.user._id, firmId: firm });
    await files.put(space(asha), { hash: HASH, part: 0, parts: 1 }, Buffer.from('%PDF'));
    expect((await files.get(space(ravi), HASH)).toString()).toBe('%PDF');
    expect((await files.read(space(ravi))).isOn).toBe(true);
    expect(await outcome(asha, 'PUT', `/api/bids/file-backup?firm=${firm}`, { isOn: false })).toBe('409 CONFLICT');
    const own = { userId: asha.user._id, firmId: undefined };
    await expect(files.get(own, HASH)).rejects.toThrow('The backup does not have this file');
  });
});

async function signInAgain({ user }: SignedInAccount): Promise<Pick<SignedInAccount, 'token' | 'headers'>> {
  const row = await app.database.dataSource.getRepository(UserEntity).findOneByOrFail({ id: user._id });
  const token = await app.app.get(SessionsService).start(row, false, 'Chrome on Android');
  return { token, headers: { authorization: `Bearer ${token}` } };
}

describe('members', () => {
  test('an owner creates a firm, changes it, gives roles; members see names and no invitations', async () => {
    const created = await call(asha, 'POST', '/api/firms', { name: ' Verma & Co ', gstin: '02aaacb1234c1zr' });
    expect(v.parse(Firm, created.json)).toMatchObject({
      ...{ name: 'Verma & Co', gstin: '02AAACB1234C1ZR', address: '', role: 'owner', canWrite: false },
      members: [{ id: asha.user._id, name: 'Asha Verma', role: 'owner' }],
    });
    const { id } = created.json;
    await query("INSERT INTO firm_member VALUES ($1, $2, 'member', $3)", [id, ravi.user._id, NOW]);
    await call(asha, 'POST', `/api/firms/${id}/invitations`, { email: 'c@firm.example', role: 'member' });
    const [seen] = (await firmsOf(ravi)) as [Firm];
    expect([seen.role, seen.invitations, seen.members.map(({ name }) => name).sort()]).toEqual([
      'member',
      [],
      ['Asha Verma', 'Ravi Negi'],
    ]);
    expect(await outcome(ravi, 'PUT', `/api/firms/${id}`, { name: 'Mine' })).toBe('403 FORBIDDEN');
    expect(await outcome(ravi, 'PUT', `/api/firms/${id}/members/${ravi.user._id}`, { role: 'owner' })).toBe(
      '403 FORBIDDEN',
    );
    expect(await outcome(asha, 'PUT', `/api/firms/${id}/members/${asha.user._id}`, { role: 'member' })).toBe(
      '409 CONFLICT',
    );
    expect(await outcome(asha, 'DELETE', `/api/firms/${id}/members/${asha.user._id}`)).toBe('409 CONFLICT');
    expect(await outcome(asha, 'PUT', `/api/firms/${id}/members/${ravi.user._id}`, { role: 'owner' })).toBe('200');
    expect(await outcome(asha, 'DELETE', `/api/firms/${id}/members/${asha.user._id}`)).toBe('204');
    expect(await firmsOf(asha)).toEqual([]);
    const [left] = (await firmsOf(ravi)) as [Firm];
    expect(left.formerMembers).toEqual([{ id: asha.user._id, name: 'Asha Verma' }]);
  });

  test.each([
    [{ name: '' }, 'Name of the firm is required'],
    [{ name: 'Offers at https://spam.example' }, 'A name has no web address'],
    [{ name: 'Verma', gstin: '02AAACB1234C1ZX' }, 'Please enter a valid 15-character GSTIN'],
  ])('a firm %j is refused', async (firm, message) => {
    const { status, json } = await call(asha, 'POST', '/api/firms', firm);
    expect([status, Object.values(json.fields)]).toEqual([400, [message]]);
  });

  test('one who leaves takes nothing along: neither notices nor searches that follow shared ones', async () => {
    const firm = await createFirmRow(app, [asha.user._id, ravi.user._id], { plan: NOW });
    const shared = recordIdFor('sharedSearch', 'bridges');
    await send(asha, firm, record('sharedSearch', shared, { name: 'Bridges', query: 'q=bridge' }));
    const filter = { state: 'Himachal Pradesh', district: '', department: '', q: 'bridge' };
    for (const id of [followedSearchId(shared, ravi.user._id), randomUUID()])
      await call(ravi, 'POST', '/api/searches', { id, name: 'Bridges', filter, openedUpTo: 0 });
    await query(
      `INSERT INTO notice (user_id, recipient, kind, version, state, detail, created_at, event_at)
       VALUES ($1, $1, 'expiry', 30, 'due', $2, now(), now())`,
      [ravi.user._id, { documentId: randomUUID(), validUntil: '2026-12-01', firmId: firm }],
    );
    await call(ravi, 'DELETE', `/api/firms/${firm}/members/${ravi.user._id}`);
    expect(await query('SELECT name FROM saved_search WHERE user_id = $1', [ravi.user._id])).toHaveLength(1);
    expect(await query('SELECT 1 FROM notice WHERE user_id = $1', [ravi.user._id])).toEqual([]);
  });

  test('a firm is closed when its owner is alone; its records and files end with it', async () => {
    const firm = await createFirmRow(app, [asha.user._id, ravi.user._id], { plan: NOW });
    await send(asha, firm, record('bid', ROAD, { note: 'Call' }));
    const space = { userId: asha.user._id, firmId: firm };
    await app.app.get(FileBackupService).put(space, { hash: HASH, part: 0, parts: 1 }, Buffer.from('%PDF'));
    expect(await outcome(asha, 'DELETE', `/api/firms/${firm}`)).toBe('409 CONFLICT');
    await call(asha, 'DELETE', `/api/firms/${firm}/members/${ravi.user._id}`);
    expect(await outcome(asha, 'DELETE', `/api/firms/${firm}`)).toBe('204');
    for (const table of ['bid_record', 'bid_sync', 'record_usage', 'file_backup', 'backup_file'])
      expect(await query(`SELECT 1 FROM ${table} WHERE owner_id = $1`, [firm]), table).toEqual([]);
    expect(await query('SELECT 1 FROM firm WHERE id = $1', [firm])).toEqual([]);
  });

  test('an erased account leaves its firms: the oldest member becomes the owner, an empty firm goes', async () => {
    const shared = await createFirmRow(app, [asha.user._id, ravi.user._id, stranger.user._id], { plan: NOW });
    const alone = await createFirmRow(app, [asha.user._id], { plan: NOW });
    for (const firm of [shared, alone]) await send(asha, firm, record('bid', ROAD, { note: 'Call' }));
    await query('UPDATE account SET deleted_at = $2 WHERE id = $1', [asha.user._id, NOW]);
    app.clock.now = new Date(NOW.getTime() + 8 * DAY_MS);
    await eraseAccounts({ dataSource: app.database.dataSource, now: app.clock.now });
    expect(await query('SELECT owner_id FROM bid_record WHERE owner_id = ANY($1)', [[shared, alone]])).toEqual([
      { owner_id: shared },
    ]);
    ravi = { ...ravi, ...(await signInAgain(ravi)) };
    const [firm] = (await firmsOf(ravi)) as [Firm];
    expect([firm.role, firm.formerMembers]).toEqual(['owner', [{ id: asha.user._id, name: 'Deleted account' }]]);
  });
});

describe('invitations', () => {
  async function invite(firm: string, email: string, role = 'member'): Promise<string> {
    expect(await outcome(asha, 'POST', `/api/firms/${firm}/invitations`, { email, role })).toBe('200');
    const { text = '', subject } = await findLastMail(app, email);
    expect(subject).toBe('Asha Verma invites you to Verma Builders on Nivida');
    return /#token=([\w-]+)/.exec(text)?.[1] ?? '';
  }
  const accept = (account: SignedInAccount, value: string) =>
    outcome(account, 'POST', '/api/firms/invitations/accept', { token: value });

  test('the mailed link makes the account of the address a member, once', async () => {
    const firm = await createFirmRow(app, [asha.user._id], { plan: NOW });
    const mailed = await invite(firm, ravi.user.email.replace('asha', 'Asha'));
    expect(await query('SELECT 1 FROM firm_invitation WHERE token_hash = $1', [mailed])).toEqual([]);
    expect(await accept(stranger, mailed)).toBe('403 FORBIDDEN');
    const read = await call(ravi, 'POST', '/api/firms/invitations/read', { token: mailed });
    expect(read.json).toMatchObject({ firm: 'Verma Builders', invitedBy: 'Asha Verma', role: 'member' });
    expect(await accept(ravi, mailed)).toBe('200');
    expect((await firmsOf(ravi)).map(({ id }) => id)).toEqual([firm]);
    expect(await accept(ravi, mailed)).toBe('404 NOT_FOUND');
    await call(asha, 'DELETE', `/api/firms/${firm}/members/${ravi.user._id}`);
    expect(await accept(ravi, mailed)).toBe('404 NOT_FOUND');
    // A new invitation brings a former member back.
    expect(await accept(ravi, await invite(firm, ravi.user.email))).toBe('200');
    expect(await firmsOf(ravi)).toHaveLength(1);
  });

  test('a link that was replaced, withdrawn or has expired is worth nothing', async () => {
    const firm = await createFirmRow(app, [asha.user._id], { plan: NOW });
    const replaced = await invite(firm, ravi.user.email);
    const newest = await invite(firm, ravi.user.email, 'owner');
    expect(await accept(ravi, replaced)).toBe('404 NOT_FOUND');
    const [{ invitations }] = (await firmsOf(asha)) as [Firm];
    expect(invitations).toMatchObject([{ email: ravi.user.email, role: 'owner' }]);
    const url = `/api/firms/${firm}/invitations/${invitations[0]?.id}`;
    expect(await outcome(asha, 'DELETE', url)).toBe('200');
    expect(await outcome(asha, 'DELETE', url)).toBe('404 NOT_FOUND');
    expect(await accept(ravi, newest)).toBe('404 NOT_FOUND');
    const late = await invite(firm, ravi.user.email);
    await query('UPDATE firm_invitation SET expires_at = $1', [NOW]);
    expect(await accept(ravi, late)).toBe('404 NOT_FOUND');
  });

  test('two devices that accept at once get one membership', async () => {
    const firm = await createFirmRow(app, [asha.user._id], { plan: NOW });
    const mailed = await invite(firm, ravi.user.email);
    const outcomes = await Promise.all([accept(ravi, mailed), accept(ravi, mailed), accept(ravi, mailed)]);
    expect(outcomes.sort()).toEqual(['200', '404 NOT_FOUND', '404 NOT_FOUND']);
    expect((await firmsOf(asha))[0]?.members).toHaveLength(2);
  });

  test('a firm has five places, open invitations included; a member is not invited again', async () => {
    const firm = await createFirmRow(app, [asha.user._id, ravi.user._id], { plan: NOW });
    for (const name of ['a', 'b', 'c']) await invite(firm, `${name}@five.example`);
    const url = `/api/firms/${firm}/invitations`;
    const refusal = async (email: string) => (await call(asha, 'POST', url, { email, role: 'member' })).json.message;
    expect(await refusal('d@five.example')).toBe('A firm has room for 5 people, open invitations included');
    expect(await refusal(ravi.user.email)).toBe('This person is already a member');
  });

  test('guessing ends at the limit of unknown ids, and mails at the limit of a mailbox', async () => {
    const statuses = new Set<string>();
    for (let guess = 0; guess < 31; guess++) {
      const reply = await app.app.inject({
        ...{ method: 'POST', url: '/api/firms/invitations/accept', headers: stranger.headers },
        ...{ payload: { token: `guess-${guess}` }, remoteAddress: '2001:db8:77::1' },
      });
      statuses.add(`${reply.statusCode}`);
    }
    expect([...statuses]).toEqual(['404', '429']);
    const firm = await createFirmRow(app, [asha.user._id], { plan: NOW });
    const email = 'one@mailbox.example';
    const invited: string[] = [];
    for (let time = 0; time < 6; time++)
      invited.push(await outcome(asha, 'POST', `/api/firms/${firm}/invitations`, { email, role: 'member' }));
    expect(invited.at(-1)).toBe('429 TOO_MANY');
    expect(invited.slice(0, 5)).toEqual(Array(5).fill('200'));
  });
});

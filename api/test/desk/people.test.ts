/** Accounts for support: the service and the commands, on a real database. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, MINUTE_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StaffService } from '../../src/auth/staff/staff.service.ts';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { runAudit } from '../../src/cli/commands/audit.command.ts';
import { runUsers } from '../../src/cli/commands/users.command.ts';
import { OPEN_CONTACT_MS, PeopleService } from '../../src/desk/people/people.service.ts';
import { eraseAccounts } from '../../src/users/erase-accounts.job.ts';
import { createSession } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const REASON = ['--reason', 'asked by phone'];

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-people-'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const context = () => ({
  dataSource: app.database.dataSource,
  now: app.clock.now,
  find: async <Service>(type: abstract new (...args: never[]) => Service) => app.app.get<Service>(type as never),
});
const users = (...args: string[]) => runUsers(args, context() as never);
const audit = async (...args: string[]) => JSON.parse(await runAudit(['list', '--json', ...args], context() as never));
const people = () => app.app.get(PeopleService);

async function signIn(mobileNo: string, password: string): Promise<number> {
  const payload = { mobileNo: mobileNo.slice(3), password, rememberMe: false };
  return (await app.app.inject({ method: 'POST', url: '/api/auth/login', payload })).statusCode;
}

describe('an account', () => {
  test('is found by id, mobile number and e-mail, and shown without them', async () => {
    const { user } = await createSession(app, { email: 'Ravi.Kumar@builders.example' });
    for (const text of [
      user._id,
      user.mobileNo.slice(3),
      `0${user.mobileNo.slice(3)}`,
      'ravi.kumar@BUILDERS.example',
    ]) {
      const [found, ...more] = JSON.parse(await users('find', text, '--json'));
      expect(more).toEqual([]);
      expect(found).toMatchObject({ id: user._id, status: 'open', email: 'R***@builders.example' });
    }
    for (const text of ['ravi', 'builders.example', '98', 'unknown@builders.example'])
      expect(await users('find', text)).toBe('0 accounts\n');
    const shown = await users('show', user._id);
    expect(shown).not.toContain(user.mobileNo.slice(3));
    expect(shown).not.toMatch(/ravi\.kumar/i);
    await expect(users('show', '00000000-0000-4000-8000-000000000000')).rejects.toThrow('There is no such account');
  });

  test('shows mobile number and e-mail for a reason only, and the audit log has it', async () => {
    const { user } = await createSession(app);
    await expect(users('show', user._id, '--reveal')).rejects.toThrow('show needs a --reason');
    const shown = JSON.parse(await users('show', user._id, '--reveal', ...REASON, '--json'));
    expect(shown).toMatchObject({ email: user.email, mobileNo: user.mobileNo });
    const { events } = await audit('--subject', user._id, '--action', 'account');
    expect(events).toMatchObject([
      { action: 'account.opened', actorId: null, detail: { reason: 'asked by phone' }, subject: user._id },
    ]);
    expect(JSON.stringify(events)).not.toContain(user.email);
  });

  test('is open to the member of staff who gave the reason, for fifteen minutes', async () => {
    const [{ user }, { user: reader }, { user: other }] = [
      await createSession(app),
      await createSession(app),
      await createSession(app),
    ];
    await people().openContact(user._id, { actorId: reader._id, reason: 'asked by phone' });
    expect(await people().read(user._id, reader._id)).toMatchObject({ email: user.email, mobileNo: user.mobileNo });
    expect((await people().read(user._id, other._id)).openUntil).toBeNull();
    app.clock.now = new Date(NOW.getTime() + OPEN_CONTACT_MS);
    expect(await people().read(user._id, reader._id)).toMatchObject({
      openUntil: null,
      mobileNo: expect.stringMatching(/^\*+/),
    });
    app.clock.now = NOW;
  });
});

describe('an act', () => {
  test('unlocks a number whose password was guessed', async () => {
    const { user } = await createSession(app);
    for (let n = 0; n < 5; n += 1) await signIn(user.mobileNo, 'wrong-password');
    expect(await signIn(user.mobileNo, 'wrong-password')).toBe(429);
    const { locks } = await people().read(user._id, null);
    expect(locks).toMatchObject([{ where: 'unknown', failuresInARow: 5, isFinal: false }]);
    expect(locks[0]?.lockedUntil).not.toBeNull();
    expect(await users('unlock', user.mobileNo, ...REASON)).toBe('The number can sign in again\n');
    expect(await signIn(user.mobileNo, 'wrong-password')).toBe(401);
    expect((await audit('--subject', user._id, '--action', 'account.unlocked')).events[0].detail).toEqual({
      counters: 1,
      reason: 'asked by phone',
    });
  });

  test('signs all devices out', async () => {
    const { user, headers } = await createSession(app);
    expect((await app.get('/api/me', headers)).status).toBe(200);
    expect(await users('end-sessions', user._id, ...REASON)).toBe('Sessions ended: 1\n');
    expect((await app.get('/api/me', headers)).status).toBe(401);
    expect(await users('end-sessions', user._id, ...REASON)).toBe('Sessions ended: 0\n');
  });

  test('exports the stored data to a new file of its owner', async () => {
    const { user } = await createSession(app);
    const [json, csv] = [join(folder, 'account.json'), join(folder, 'account.csv')];
    await users('export', user._id, json, ...REASON);
    expect(JSON.parse(await readFile(json, 'utf8')).account).toMatchObject({ email: user.email });
    expect((await stat(json)).mode & 0o777).toBe(0o600);
    await users('export', user._id, csv, ...REASON);
    expect(await readFile(csv, 'utf8')).toContain('"account","1","username","Asha Verma"');
    await expect(users('export', user._id, json, ...REASON)).rejects.toThrow('is there already');
    await expect(users('export', user._id, ...REASON)).rejects.toThrow('name an account and one file');
    expect((await audit('--subject', user._id, '--action', 'account.exported')).events).toHaveLength(3);
  });

  test('lets a member of staff fetch an export for five minutes', async () => {
    const [{ user }, { user: reader }] = [await createSession(app), await createSession(app)];
    await expect(people().readExport(user._id, reader._id)).rejects.toThrow('Give a reason first');
    await people().startExport(user._id, { actorId: reader._id, reason: 'asked by phone' });
    expect((await people().readExport(user._id, reader._id)).account.email).toBe(user.email);
    app.clock.now = new Date(NOW.getTime() + 5 * MINUTE_MS);
    await expect(people().readExport(user._id, reader._id)).rejects.toThrow('Give a reason first');
    app.clock.now = NOW;
  });
});

describe('an erasure', () => {
  test('takes seven days, is told to the user, and can be stopped', async () => {
    const { user, headers } = await createSession(app);
    expect(await users('erase', user._id, ...REASON)).toContain('will be erased on 17 Nov 2026, 11:30 AM');
    expect((await app.get('/api/me', headers)).status).toBe(401);
    await expect(users('erase', user._id, ...REASON)).rejects.toThrow('already being erased');
    expect(await people().read(user._id, null)).toMatchObject({
      status: 'closing',
      erasedOn: new Date(NOW.getTime() + 7 * DAY_MS).toISOString(),
    });
    await users('reopen', user._id, ...REASON);
    expect((await people().read(user._id, null)).status).toBe('open');
    await expect(users('reopen', user._id, ...REASON)).rejects.toThrow('This account is not being erased');
    expect((await audit('--subject', user._id)).events.map(({ action }: { action: string }) => action)).toEqual([
      'account.restored',
      'account.deleted',
    ]);
    const mails = (await readSentMails(app)).filter(({ to }) => to?.some(({ address }) => address === user.email));
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'Your Nivida account is open again',
      'Your Nivida account will be erased',
    ]);
    expect(mails.find(({ subject }) => subject?.includes('open'))?.text).toContain('support has opened your account');
  });

  test('that is over cannot be stopped, and leaves nothing to read', async () => {
    const { user } = await createSession(app);
    await users('erase', user._id, ...REASON);
    await eraseAccounts({ dataSource: app.database.dataSource, now: new Date(NOW.getTime() + 7 * DAY_MS) });
    expect(await people().read(user._id, null)).toMatchObject({
      status: 'erased',
      email: '',
      mobileNo: '',
      erasedOn: null,
    });
    for (const command of ['erase', 'reopen'])
      await expect(users(command, user._id, ...REASON)).rejects.toThrow('The data of this account are erased');
  });

  test('that two people ask for at once begins once', async () => {
    const { user } = await createSession(app);
    const act = { actorId: null, reason: 'asked by phone' };
    const results = await Promise.allSettled([people().erase(user._id, act), people().erase(user._id, act)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await audit('--subject', user._id, '--action', 'account.deleted')).events).toHaveLength(1);
  });

  test('of a member of staff is refused', async () => {
    const { user } = await createSession(app);
    await app.app.get(StaffService).add(user.mobileNo, 'support', 'root', { actorId: null, reason: 'new colleague' });
    await expect(users('erase', user._id, ...REASON)).rejects.toThrow('belongs to a member of staff');
    expect(
      (await app.database.dataSource.getRepository(UserEntity).findOneByOrFail({ id: user._id })).deletedAt,
    ).toBeNull();
  });
});

describe('the audit log', () => {
  test('is read in pages, by actor, subject, action and day', async () => {
    const [{ user }, { user: reader }] = [await createSession(app), await createSession(app)];
    for (let n = 0; n < 60; n += 1)
      await people().openContact(user._id, { actorId: n < 2 ? reader._id : null, reason: `call number ${n}` });
    const first = await audit('--subject', user._id);
    expect(first.events).toHaveLength(50);
    const second = await audit('--subject', user._id, '--before', first.next);
    expect([second.events.length, second.next]).toEqual([10, null]);
    expect(first.events[0].detail.reason).toBe('call number 59');
    expect((await audit('--actor', reader.mobileNo)).events).toMatchObject([
      { actorName: 'Asha Verma', detail: { reason: 'call number 1' } },
      { detail: { reason: 'call number 0' } },
    ]);
    expect((await audit('--actor', 'command', '--subject', user._id)).events).toHaveLength(50);
    expect((await audit('--subject', user._id, '--from', '2026-11-11')).events).toEqual([]);
    expect((await audit('--subject', user._id, '--to', '2026-11-10')).events).toHaveLength(50);
    expect((await audit('--subject', user._id, '--action', 'accoun')).events).toEqual([]);
    await expect(audit('--from', '2026-02-30')).rejects.toThrow('--from must be a day');
    await expect(audit('--actor', 'unknown@builders.example')).rejects.toThrow('There is no such account');
    const text = await runAudit(['list', '--subject', user._id], context() as never);
    expect(text).toContain(`50 events, more with --before ${first.next}`);
  });
});

/** Tenders, notices and incidents at the desk. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTenders } from '../../src/cli/commands/tenders.command.ts';
import type { SignedInAccount } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { actHeaders, createStaffSession } from './staff-session.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let app: TestApp;
let operator: SignedInAccount;
let id: number;
beforeAll(async () => {
  app = await startApp({ now: NOW });
  const { dataSource } = app.database;
  await dataSource.query("INSERT INTO pincode VALUES ('171001', 'Himachal Pradesh', 'Shimla', 1)");
  await importTenders(dataSource, [createSourceTender({ pincode: '171001' })], { now: NOW });
  [{ id }] = await dataSource.query('SELECT id FROM tender');
  operator = await createStaffSession(app, 'operator', NOW);
});
afterAll(() => app.close());

const read = async (path: string) => (await app.get(`/api/desk/${path}`, operator.headers)).json;
async function act(path: string, body: object, headers = actHeaders(operator)) {
  const reply = await app.app.inject({ method: 'POST', url: `/api/desk/${path}`, headers, payload: body });
  return { status: reply.statusCode, json: reply.json() };
}
const reason = 'the office called';

test('a tender is shown through every stage, and by the command too', async () => {
  const stages = await read(`tenders/${id}`);
  expect(stages).toMatchObject({
    source: { portal: 'hptenders', id: '2026_PWD_100001_1' },
    place: { district: 'Shimla', evidence: [{ from: 'pincode', text: '171001', district: 'Shimla' }] },
    department: { organisation: ['PWD', 'Central Zone'], is_listed: true },
    published: { is_public: true },
    changes: [{ kind: 'published' }],
    corrections: [],
    hidden: null,
  });
  const { dataSource } = app.database;
  const context = { dataSource, now: NOW, find: (async (type: never) => app.app.get(type)) as never };
  expect(await runTenders(['show', String(id)], context)).toContain('\tpincode "171001" names Shimla\n');
  expect((await read('tenders?find=2026_PWD_100001_1')).rows).toMatchObject([{ id, is_hidden: false }]);
  expect((await app.get('/api/desk/tenders/x', operator.headers)).status).toBe(404);
});

test('a correction and its end, a hidden tender and its undo; two at once', async () => {
  const { version } = await read(`tenders/${id}`);
  const body = { field: 'emd', value: '25000', version, reason };
  expect(await act(`tenders/${id}/correct`, body)).toMatchObject({
    status: 200,
    json: { corrections: [{ field: 'emd', value: '25000.00', source_value: '10000.00', reason }] },
  });
  const second = await act(`tenders/${id}/correct`, { ...body, value: '30000' });
  expect([second.status, second.json.message]).toEqual([
    409,
    'A colleague has corrected this field on 10 Nov 2026, 11:30 AM to “25000.00”: the office called',
  ]);
  expect((await read('tenders')).rows).toMatchObject([{ id, corrected: ['emd'] }]);
  expect((await act(`tenders/${id}/uncorrect`, { field: 'emd', reason })).json.corrections[0].ended_because).toBe(
    'operator',
  );
  expect((await act(`tenders/${id}/hide`, {})).status).toBe(400);
  // Pressed twice with one key, it is done once.
  const headers = actHeaders(operator);
  expect((await act(`tenders/${id}/hide`, { reason }, headers)).json.hidden).toMatchObject({ reason });
  expect((await act(`tenders/${id}/hide`, { reason }, headers)).status).toBe(200);
  expect((await act(`tenders/${id}/unhide`, { reason })).json.hidden).toBeNull();
  const events = await app.database.dataSource.query(
    'SELECT action FROM audit WHERE subject = $1 AND actor_id = $2 ORDER BY id',
    [String(id), operator.user._id],
  );
  expect(events.map(({ action }: { action: string }) => action)).toEqual([
    'tender.corrected',
    'tender.uncorrected',
    'tender.hidden',
    'tender.unhidden',
  ]);
});

test('a reader reports a mistake without an account; the desk and the command close it', async () => {
  const report = { id: randomUUID(), kind: 'date', text: 'It closes on 20 November' };
  const send = (body: object, tender: number | string = id) =>
    app.app.inject({ method: 'POST', url: `/api/tenders/${tender}/reports`, payload: body });
  // Sent twice, it is stored once.
  for (const _time of [1, 2]) expect((await send(report)).statusCode).toBe(200);
  expect((await send({ ...report, kind: 'other', text: ' ' })).json().fields).toEqual({ text: 'Write what is wrong' });
  expect((await send(report, 999_999)).statusCode).toBe(404);
  expect((await send(report, 'x')).statusCode).toBe(404);
  expect((await read('tenders?show=reported')).rows).toMatchObject([{ id, reports: 1 }]);
  const path = `tenders/${id}/reports/${report.id}`;
  expect((await act(`${path}/close`, { reason })).json.reports).toMatchObject([
    { ...report, at: NOW.toISOString(), closed_at: NOW.toISOString(), closed_reason: reason },
  ]);
  expect((await act(`${path}/close`, { reason })).status).toBe(409);
  expect((await act(`${path}/reopen`, { reason })).json.reports).toMatchObject([{ closed_at: null }]);
  expect((await act(`tenders/${id}/reports/x/close`, { reason })).status).toBe(404);
  // Only by its own tender.
  expect((await act(`tenders/999999/reports/${report.id}/close`, { reason })).status).toBe(404);
  expect((await read(`tenders/${id}`)).reports).toMatchObject([{ closed_at: null }]);

  const context = {
    dataSource: app.database.dataSource,
    now: NOW,
    find: (async (type: never) => app.app.get(type)) as never,
  };
  const run = (...args: string[]) => runTenders(['reports', ...args], context);
  expect(await run('list')).toBe(
    `${report.id}\t${id}\t10 Nov 2026, 11:30 AM\tdate\tIt closes on 20 November\n1 open\n`,
  );
  expect(await run('close', report.id, '--reason', 'corrected')).toBe(`Report ${report.id} is closed\n`);
  expect(await run('list')).toBe('0 open\n');
  await expect(run('close', 'x', '--reason', 'corrected')).rejects.toThrow('name a report by its id');
});

test('a notice and an incident', async () => {
  const texts = { en: 'Work tonight', hi: 'आज रात काम' };
  const notice = await act('notices', { texts, tone: 'info', reason });
  expect((await app.get('/api/site')).json.notice).toMatchObject({ id: notice.json.id, texts });
  expect((await act(`notices/${notice.json.id}/end`, { reason })).status).toBe(200);
  expect((await read('notices')).rows).toMatchObject([{ ends_at: NOW.toISOString() }]);
  const incident = await act('incidents', { texts, reason });
  expect((await act(`incidents/${incident.json.id}/update`, { texts, reason })).status).toBe(200);
  expect((await act(`incidents/${incident.json.id}/close`, { texts, reason })).status).toBe(200);
  expect((await act(`incidents/${incident.json.id}/close`, { texts, reason })).status).toBe(409);
  expect((await act('incidents/x/close', { texts, reason })).status).toBe(404);
  expect((await read('incidents')).rows).toMatchObject([{ ended_at: NOW.toISOString(), updates: [{}, {}, {}] }]);
});

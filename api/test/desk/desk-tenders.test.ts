/** Tenders, notices and incidents at the desk. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenderStages } from '@nivida/contract/desk/tenders';
import { DAY_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { runTenders } from '../../src/cli/commands/tenders.command.ts';
import { importFile } from '../../src/ingest/import.ts';
import { SupportService } from '../../src/support/support.service.ts';
import { eraseAccounts } from '../../src/users/erase-accounts.job.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { GEPNIC_COLUMNS, gepnicFile } from '../support/gepnic-files.ts';
import { createSourceTender, importContent, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { findLastMail } from '../support/test-mailbox.ts';
import { actHeaders, createStaffSession } from './staff-session.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let folder: string;
let app: TestApp;
let operator: SignedInAccount;
let id: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-desk-tenders-'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder } });
  const { dataSource } = app.database;
  await dataSource.query("INSERT INTO pincode VALUES ('171001', 'Himachal Pradesh', 'Shimla', 1)");
  await importTenders(dataSource, [createSourceTender({ pincode: '171001' })], { now: NOW });
  [{ id }] = await dataSource.query('SELECT id FROM tender');
  operator = await createStaffSession(app, 'operator', NOW);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

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
    `${report.id}\t${id}\t10 Nov 2026, 11:30 AM\tdate\tsigned out\tIt closes on 20 November\n1 open\n`,
  );
  expect(await run('close', report.id, '--reason', 'corrected')).toBe(`Report ${report.id} is closed\n`);
  expect(await run('list')).toBe('0 open\n');
  await expect(run('close', 'x', '--reason', 'corrected')).rejects.toThrow('name a report by its id');
});

test('a signed-in reader gets the answer as a message and by mail, and the reason stays with the staff', async () => {
  const reader = await createSession(app, { language: 'hi' });
  const ids = [randomUUID(), randomUUID()];
  const send = (reportId: string, headers = reader.headers) =>
    app.app.inject({
      ...{ method: 'POST', url: `/api/tenders/${id}/reports`, headers },
      payload: { id: reportId, kind: 'value', text: 'It is 5 lakh' },
    });
  for (const reportId of ids) expect((await send(reportId)).statusCode).toBe(200);
  expect((await read('today')).entries[0]).toMatchObject({ kind: 'reports', count: 2, since: NOW.toISOString() });
  const [first = '', second = ''] = ids;
  const path = `tenders/${id}/reports/${first}`;
  expect((await act(`${path}/close`, { reason })).json.fields).toEqual({ answer: 'Write an answer to the reader' });
  const { json } = await act(`${path}/close`, { reason: 'typed wrongly by us', answer: 'We have corrected it.' });
  expect(json.reports.find((report: { id: string }) => report.id === first)).toMatchObject({
    ...{ has_account: true, language: 'hi' },
    closed_reason: 'typed wrongly by us',
  });
  const threads = async () => (await app.get('/api/support/threads', reader.headers)).json.threads;
  expect(await threads()).toMatchObject([
    {
      ...{ id: first, state: 'answered', tenderId: String(id) },
      subject: expect.stringMatching(/^आपकी बताई गलती: /),
      messages: [
        { sender: 'user', text: expect.stringContaining('It is 5 lakh') },
        { sender: 'staff', text: 'We have corrected it.', readAt: null },
      ],
    },
  ]);
  const mail = await findLastMail(app, reader.user.email);
  expect(mail.text).toContain('We have corrected it.');
  expect(JSON.stringify([await threads(), mail])).not.toContain('typed wrongly');
  // Opened again and closed again, the thread has a further answer.
  await act(`${path}/reopen`, { reason });
  const context = {
    dataSource: app.database.dataSource,
    now: NOW,
    find: (async (type: never) => app.app.get(type)) as never,
  };
  const close = (report: string, ...args: string[]) =>
    runTenders(['reports', 'close', report, '--reason', 'portal', ...args], context);
  await expect(close(first)).rejects.toThrow('Write an answer to the reader');
  await close(first, '--answer', 'We kept it.');
  expect((await threads())[0].messages).toHaveLength(3);
  // Another user sees nothing of it.
  const other = await createSession(app);
  expect((await app.get('/api/support/threads', other.headers)).status).toBe(204);
  expect((await app.get('/api/me/export?format=json', reader.headers)).json.tenderReports).toMatchObject([
    { tenderId: String(id), kind: 'value', text: 'It is 5 lakh' },
    {},
  ]);
  await app.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [reader.user._id, NOW]);
  // An account in deletion gets no answer.
  const left = (await read(`tenders/${id}`)).reports.filter((report: { id: string }) =>
    ids.some((each) => each === report.id),
  );
  expect(left).toMatchObject(ids.map(() => ({ has_account: false, language: null })));
  await eraseAccounts({ dataSource: app.database.dataSource, now: new Date(NOW.getTime() + 8 * DAY_MS) });
  await expect(close(second)).rejects.toThrow('This report is not here any more');
});

test('the time to answer counts no reports, which are answered when their threads begin', async () => {
  const { dataSource } = app.database;
  const { clock } = app;
  const reader = await createSession(app);
  const reports = Array.from({ length: 10 }, () => randomUUID());
  await dataSource.query(
    `INSERT INTO tender_report (id, tender_id, user_id, kind, text, created_at)
     SELECT unnest($1::uuid[]), $2, $3, 'value', '', $4`,
    [reports, id, reader.user._id, NOW],
  );
  // Each reading of the clock is a second later.
  let seconds = 0;
  Object.defineProperty(clock, 'now', { configurable: true, get: () => new Date(NOW.getTime() + ++seconds * 1_000) });
  try {
    for (const report of reports)
      expect((await act(`tenders/${id}/reports/${report}/close`, { reason, answer: 'Corrected.' })).status).toBe(200);
    const [answered] = await dataSource.query(
      'SELECT count(*)::int AS threads FROM thread WHERE user_id = $1 AND first_answered_at > created_at',
      [reader.user._id],
    );
    expect(answered).toEqual({ threads: 10 });
    expect(await app.app.get(SupportService).answerHours()).toBeNull();
    await dataSource.query('UPDATE thread SET answers_report = false WHERE user_id = $1', [reader.user._id]);
    seconds += 3_600;
    expect(await app.app.get(SupportService).answerHours()).toBe(1);
  } finally {
    Object.defineProperty(clock, 'now', { value: NOW, writable: true, configurable: true });
  }
});

test('a sender has at most 20 open reports, and a tender too; each is a refusal that says so', async () => {
  const query = (text: string, values: unknown[]) => app.database.dataSource.query(text, values);
  const reader = await createSession(app);
  const reportId = randomUUID();
  const send = (account: SignedInAccount, report: string = randomUUID()) =>
    app.app.inject({
      ...{ method: 'POST', url: `/api/tenders/${id}/reports`, headers: account.headers },
      payload: { id: report, kind: 'date', text: '' },
    });
  const tenders = ['2026_A_1', '2026_A_2'].map((sourceId) => createSourceTender({ sourceId }));
  await importTenders(app.database.dataSource, tenders, { now: NOW });
  expect((await send(reader, reportId)).statusCode).toBe(200);
  const [{ sender }] = await query('SELECT sender FROM tender_report WHERE id = $1', [reportId]);
  expect(sender).toMatch(/^[0-9a-f]{64}$/);
  const fill = (of: string | null, tender: string, count: number) =>
    query(
      `INSERT INTO tender_report (id, tender_id, sender, kind, text, created_at)
       SELECT gen_random_uuid(), t.id, $1, 'date', '', $3 FROM generate_series(1, $4::int), tender t WHERE t.source_id = $2`,
      [of, tender, NOW, count],
    );
  await fill(sender, '2026_A_1', 19);
  const refused = await send(reader);
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    'You have reported 20 mistakes. We look at them first.',
  ]);
  // What is stored already is no further report.
  expect((await send(reader, reportId)).statusCode).toBe(200);
  expect((await send(await createSession(app))).statusCode).toBe(200);
  await query("UPDATE tender_report SET tender_id = $1 WHERE text = ''", [id]);
  const full = await send(await createSession(app));
  expect([full.statusCode, full.json().message]).toEqual([
    409,
    'This tender was reported many times already. We are checking it.',
  ]);
  await fill(null, '2026_PWD_100001_1', 40);
  const stages = await read(`tenders/${id}`);
  expect([stages.reports.length, stages.more_reports]).toEqual([50, expect.any(Number)]);
  expect(stages.more_reports).toBeGreaterThan(10);
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

/** Stage 1 of a tender by its portal's id. */
async function sourceOf(sourceId: string) {
  const [found] = await app.database.dataSource.query('SELECT id FROM tender WHERE source_id = $1', [sourceId]);
  const { source } = await read(`tenders/${found.id}`);
  const cellsOf = ({ cells }: TenderStages['source']['rows'][number]) =>
    Object.fromEntries(cells.map(({ column, value }) => [column, value]));
  return { tender: found.id as number, ...(source as TenderStages['source']), cells: source.rows.map(cellsOf) };
}

const REQUEST = { portal: 'hptenders', state: 'Himachal Pradesh' };
const NOTICE = {
  'Tender ID': '2026_PWD_7_1',
  Title: 'Repair of <b>path</b>',
  'Organisation Chain': 'PWD||Central Zone',
  'Publish Date': '02-Nov-2026 09:00 AM',
  'Bid Submission End Date': '28-Nov-2026 11:00 AM',
  Name: 'Shri R. K. Sharma, Executive Engineer',
  'Tender Value in ₹': '9816012345.0',
  'Cost Centre': '0042',
  Remark: 'Ask ee@hp.gov.in or 98160 12345',
};
const noticeFile = (...rows: Record<string, string>[]) =>
  gepnicFile(
    rows.map((row) => ({ ...NOTICE, ...row })),
    [...new Set([...GEPNIC_COLUMNS, ...Object.keys(NOTICE)])],
  );

test('the first stage shows the cells of the file, by the command too; the same file writes no row again', async () => {
  const { dataSource } = app.database;
  const versions = () => dataSource.query('SELECT xmin, ctid, tender_id FROM tender_source_row ORDER BY tender_id');
  await importContent({ app, content: noticeFile({}, { 'Tender ID': '2026_PWD_8_1' }) }, REQUEST);
  const { tender, rows, cells, releases } = await sourceOf('2026_PWD_7_1');
  expect(rows).toMatchObject([
    { file: 'hptenders.csv', line: 2, is_listed: false, read_at: app.clock.now.toISOString() },
  ]);
  expect(cells[0]).toMatchObject({
    Title: NOTICE.Title,
    'Tender Value in ₹': '9816012345.0',
    Pincode: '',
    'Cost Centre': '0042',
    Remark: 'Ask ••• or •••',
  });
  expect(cells[0]).not.toHaveProperty('Name');
  expect(releases).toEqual([]);
  const context = { dataSource, now: NOW, find: (async (type: never) => app.app.get(type)) as never };
  const shown = await runTenders(['show', String(tender)], context);
  expect(shown).toContain('row\thptenders.csv, line 2, read 10 Nov 2026');
  expect(shown).toContain('\n\tPincode\tempty\n');
  expect(shown).not.toContain('Sharma');
  expect(JSON.parse(await runTenders(['show', String(tender), '--json'], context)).source.rows).toEqual(rows);

  const before = await versions();
  await importContent({ app, content: noticeFile({}, { 'Tender ID': '2026_PWD_8_1' }) }, REQUEST);
  expect(await versions()).toEqual(before);
  // A column that is not read changes no tender, but its cells.
  const changed = noticeFile({ 'Cost Centre': '0043' }, { 'Tender ID': '2026_PWD_8_1' });
  expect(await importContent({ app, content: changed }, REQUEST)).toMatchObject({ changed: 0, unchanged: 2 });
  expect((await sourceOf('2026_PWD_7_1')).cells[0]).toMatchObject({ 'Cost Centre': '0043' });
  expect((await versions())[1]).toEqual(before[1]);
  // A changed field, in an earlier line of the file.
  const moved = noticeFile({ 'Tender ID': '2026_PWD_8_1' }, { 'Bid Submission End Date': '29-Nov-2026 11:00 AM' });
  expect(await importContent({ app, content: moved }, REQUEST)).toMatchObject({ changed: 1 });
  expect(await sourceOf('2026_PWD_7_1')).toMatchObject({
    rows: [{ line: 3, read_at: app.clock.now.toISOString() }],
    cells: [{ 'Bid Submission End Date': '29-Nov-2026 11:00 AM' }],
  });
  const [headers] = await dataSource.query('SELECT count(*)::int AS count FROM tender_source_header');
  expect(headers.count).toBe(1);

  // A list of the portal has its own row beside that of the notice.
  const LIST_HEADER =
    'S.No\te-Published Date\tClosing Date\tOpening Date\tTitle and Ref.No./Tender ID\tOrganisation Chain';
  const listOf = (...sourceIds: string[]) =>
    [
      LIST_HEADER,
      ...sourceIds.map(
        (sourceId, n) =>
          `${n + 1}\t02-Nov-2026 09:00 AM\t30-Nov-2026 11:00 AM\t30-Nov-2026 11:30 AM\t[Repair of path] [12/2026][${sourceId}]\tPWD||Central Zone`,
      ),
    ].join('\n');
  await importContent({ app, content: listOf('2026_PWD_7_1', '2026_PWD_8_1') }, REQUEST);
  expect(await sourceOf('2026_PWD_7_1')).toMatchObject({
    rows: [{ is_listed: false }, { is_listed: true, line: 2 }],
    cells: [
      { Remark: 'Ask ••• or •••' },
      { 'Title and Ref.No./Tender ID': '[Repair of path] [12/2026][2026_PWD_7_1]' },
    ],
  });
  // A new tender at the top of the list shifts the serial numbers of the others.
  const listed = await versions();
  await importContent({ app, content: listOf('2026_PWD_9_1', '2026_PWD_7_1', '2026_PWD_8_1') }, REQUEST);
  expect(
    (await versions()).filter(({ tender_id }: { tender_id: number }) =>
      listed.some((row: typeof listed) => row.tender_id === tender_id),
    ),
  ).toEqual(listed);
  await dataSource.query("DELETE FROM tender WHERE source_id LIKE '2026_PWD_%' AND id <> $1", [id]);
  expect(await versions()).toEqual([]);
});

test('a spreadsheet and a mapped table are shown by their own columns, OCDS by its releases', async () => {
  const { dataSource } = app.database;
  const file = join(app.config.dataDir, 'list.xlsx');
  const text = (row: string[]) => row.map((value) => ({ value, type: String }));
  const names = ['NIT No.', 'Name of Work / कार्य का नाम', 'Due', 'J.E.', 'Cost centre', 'Mobile'];
  const values = ['PWD/UK/101', 'Repair of footbridge', '20/11/2026', 'Shri Negi', '12', '98160 12345'];
  await writeWorkbook([text(['List of works']), text(names), text(values)]).toFile(file);
  const fields = ['tender_id', 'title', 'closing', 'contact', null, null] as const;
  const columns = {
    columns: names.map((column, n) => ({ column, field: fields[n] ?? null })),
    fixed: { organisation: 'PWD', state: 'Uttarakhand' },
    state: 'Uttarakhand',
  };
  const request = {
    ...{ file, format: 'auto' as const, portal: 'uktenders', state: 'Uttarakhand', rebase: undefined },
  };
  await importFile(
    { ...request, columns, dryRun: false, rejects: join(app.config.dataDir, 'rejects.csv') },
    { dataSource, dataDir: app.config.dataDir, now: NOW, log: () => {} },
  );
  const mapped = await sourceOf('PWD/UK/101');
  expect(mapped.rows).toMatchObject([{ file: 'list.xlsx', line: 3 }]);
  expect(mapped.cells).toEqual([
    {
      'NIT No.': 'PWD/UK/101',
      'Name of Work / कार्य का नाम': 'Repair of footbridge',
      Due: '20/11/2026',
      'Cost centre': '12',
    },
  ]);

  const releases = [{ ocid: 'ocds-abc123-1', tender: { title: 'Road' } }];
  await dataSource.query("INSERT INTO tender_statement VALUES ('hptenders', '2026_PWD_100001_1', $1, $2, now())", [
    id,
    JSON.stringify(releases),
  ]);
  expect(await sourceOf('2026_PWD_100001_1')).toMatchObject({ rows: [], releases });
  await dataSource.query('DELETE FROM tender_statement');
});

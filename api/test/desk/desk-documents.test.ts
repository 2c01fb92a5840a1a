/** Official files and requests for them at the desk. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { DocumentFetchService } from '../../src/documents/files/document-fetch.service.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { ReadDocumentsService } from '../../src/documents/reading/read-documents.service.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { pdfOf } from '../support/generated-documents/pdf.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { actHeaders, createStaffSession } from './staff-session.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const PDF = Buffer.from('%PDF-1.4 the notice');

let app: TestApp;
let staff: SignedInAccount;
let ids: number[];
beforeAll(async () => {
  app = await startApp({ now: NOW });
  const { dataSource } = app.database;
  const sources = ['2026_PWD_1_1', '2026_PWD_2_1', 'same'].map((sourceId) => createSourceTender({ sourceId }));
  await importTenders(dataSource, [...sources, createSourceTender({ sourceId: 'same', portal: 'other' })], {
    now: NOW,
  });
  const rows: { id: number }[] = await dataSource.query('SELECT id FROM tender ORDER BY source_id');
  ids = rows.map(({ id }) => id);
  staff = await createStaffSession(app, 'support', NOW);
});
afterAll(() => app.close());

const read = async (path: string) => (await app.get(`/api/desk/${path}`, staff.headers)).json;
async function post(path: string, payload: object | Buffer, headers: Record<string, string> = actHeaders(staff)) {
  const reply = await app.app.inject({ method: 'POST', url: `/api/desk/${path}`, headers, payload });
  return { status: reply.statusCode, json: reply.json() };
}
const send = (id: number | undefined, name: string, content: Buffer, kind = 'other', reason = 'asked by users') =>
  post(`documents/${id}/files?${new URLSearchParams({ name, kind, reason })}`, content, {
    ...staff.headers,
    'content-type': 'application/octet-stream',
  });
const audited = (action: string) =>
  app.database.dataSource.query('SELECT actor_id, subject, detail FROM audit WHERE action = $1 ORDER BY id', [action]);

test('requests are listed by how long they wait; any tender is found by its id', async () => {
  const user = await createSession(app);
  const ask = (id: number | undefined, at: string) =>
    app.database.dataSource.query(
      "INSERT INTO document_request (tender_id, user_id, requested_at, language) VALUES ($1, $2, $3, 'en')",
      [id, user.user._id, at],
    );
  await ask(ids[0], '2026-11-09T10:00:00Z');
  await ask(ids[1], '2026-11-08T10:00:00Z');
  const { rows } = await read('documents');
  expect(rows).toMatchObject([
    { id: ids[1], tender: '2026_PWD_2_1', asked: 1 },
    { id: ids[0], tender: '2026_PWD_1_1', asked: 1 },
  ]);
  expect((await read('documents?find=same')).rows).toMatchObject([
    { asked: 0 },
    { portal: 'other', firstAskedAt: null },
  ]);
  expect((await app.get('/api/desk/documents/0', staff.headers)).status).toBe(404);
});

test('the tenders of files are found by the names of files and folders', async () => {
  const names = ['2026_PWD_2_1', 'same', 'none'];
  expect((await post('documents/tenders', { names }, staff.headers)).json.tenders).toEqual([
    { name: '2026_PWD_2_1', id: ids[1], isAmbiguous: false },
    { name: 'same', id: null, isAmbiguous: true },
    { name: 'none', id: null, isAmbiguous: false },
  ]);
});

test('files are attached, refused, replaced and removed with a reason, and answered requests no longer wait', async () => {
  const [id] = ids;
  expect(await send(id, 'Notice.pdf', PDF, 'nit')).toEqual({
    status: 200,
    json: { name: 'Notice.pdf', kind: 'nit', state: 'ready', note: null },
  });
  expect((await send(id, 'Notice.pdf', PDF, 'nit')).json).toMatchObject({ isStored: true });
  expect((await send(id, 'Plan.pdf', Buffer.from('MZ'))).json).toMatchObject({
    state: 'refused',
    note: 'is a program',
    problem: 'program',
  });
  expect((await send(id, 'Plan.pdf', PDF, 'other', 'x')).status).toBe(400);
  expect((await post(`documents/${id}/package`, {}, staff.headers)).json).toMatchObject({
    isSellable: true,
    files: [{ name: 'Notice.pdf', kind: 'nit', state: 'ready', isOwn: true, bytes: PDF.length }],
  });
  await app.app.get(DocumentFetchService).run();
  expect((await read('documents')).rows).toMatchObject([{ id: ids[1] }]);

  const other = Buffer.concat([PDF, Buffer.from(' of today')]);
  await send(id, 'Notice.pdf', other, 'nit', 'a newer one');
  const { files } = await read(`documents/${id}`);
  expect(files).toMatchObject([{ bytes: other.length }]);
  const gone = await post(`documents/${id}/files/${files[0].id}/remove`, { reason: 'of another tender' });
  expect(gone).toMatchObject({ status: 200, json: { files: [], isSellable: false } });
  expect((await post(`documents/${ids[1]}/files/${files[0].id}/remove`, { reason: 'of another' })).status).toBe(404);
  const actor = { actor_id: staff.user._id, subject: String(id) };
  expect(await audited('documents.attached')).toEqual([
    { ...actor, detail: { files: ['Notice.pdf'], refused: [], reason: 'asked by users' } },
    { ...actor, detail: { files: [], refused: ['Plan.pdf'], reason: 'asked by users' } },
    { ...actor, detail: { files: ['Notice.pdf'], refused: [], reason: 'a newer one' } },
  ]);
  expect(await audited('documents.removed')).toEqual([
    { ...actor, detail: { file: 'Notice.pdf', kind: 'nit', reason: 'of another tender' } },
  ]);
});

test('a file that is removed while the package is built is not in the package', async () => {
  const [, id] = ids;
  const packages = app.app.get(PackagesService);
  await send(id, 'Notice.pdf', PDF, 'nit');
  await send(id, 'Map.pdf', PDF);
  const put = vi.spyOn(packages.store, 'put');
  onTestFinished(() => put.mockRestore());
  const built = post(`documents/${id}/package`, {}, staff.headers);
  await vi.waitFor(() => expect(put).toHaveBeenCalled(), { timeout: 60_000, interval: 1 });
  const { files } = await read(`documents/${id}`);
  const map: { id: string } = files.find(({ name }: { name: string }) => name === 'Map.pdf');
  const gone = await post(`documents/${id}/files/${map.id}/remove`, { reason: 'of another tender' });
  expect(await built).toMatchObject({ status: 200 });
  expect(gone).toMatchObject({ status: 200, json: { files: [{ name: 'Notice.pdf' }] } });
  const newest = await packages.findNewest(`tender-${id}`);
  expect(newest?.fileNames).toContain('Notice.pdf');
  expect(newest?.fileNames).not.toContain('Map.pdf');
});

test('lines of files are confirmed, corrected, hidden and restored, each against what the page shows', async () => {
  const [id] = ids;
  const notice = await pdfOf([[{ cells: ['1.', 'Earnest Money Deposit', 'Rs. 91,400/-'] }]]);
  await send(id, 'Tendernotice_1.pdf', notice, 'nit');
  await app.app.get(ReadDocumentsService).run(50);
  const { files, lines } = await read(`documents/${id}/lines`);
  expect(files).toMatchObject([{ name: 'Tendernotice_1.pdf', state: 'done' }]);
  const [line] = lines;
  const found = { unit: 'rupees', amount: '91400.00' };
  expect(line).toMatchObject({ topic: 'emd', state: 'found', value: found, foundValue: found, decidedAt: null });
  const act = (what: string, body: object, tenderId = id) =>
    post(`documents/${tenderId}/lines/${line.id}/${what}`, { reason: 'compared', ...body });

  const value = { unit: 'rupees', amount: '90000.00' };
  const corrected = await act('correct', { decidedAt: null, value });
  const decidedAt = NOW.toISOString();
  expect(corrected.json.lines).toMatchObject([{ state: 'corrected', value, foundValue: found, decidedAt }]);
  expect(await act('hide', { decidedAt: null })).toMatchObject({
    status: 409,
    json: { message: 'A colleague has decided on this line meanwhile.' },
  });
  expect((await act('hide', { decidedAt })).json.lines).toMatchObject([{ state: 'hidden' }]);
  expect((await act('confirm', { decidedAt })).json.lines).toMatchObject([{ state: 'confirmed', value: found }]);
  expect((await act('restore', { decidedAt })).json.lines).toMatchObject([{ state: 'found', decidedAt: null }]);
  expect((await act('confirm', { decidedAt: null }, ids[1])).status).toBe(404);
  expect(await act('correct', { decidedAt: null, value: { unit: 'rupees', amount: 'one' } })).toMatchObject({
    status: 400,
    json: { fields: { 'value.amount': 'Give the value as a number' } },
  });
  expect(await audited('documents.line-corrected')).toEqual([
    {
      ...{ actor_id: staff.user._id, subject: String(id) },
      detail: {
        ...{ file: 'Tendernotice_1.pdf', page: 1, topic: 'emd', before: 'found', reason: 'compared' },
        ...{ from: '91400.00 rupees', to: '90000.00 rupees' },
      },
    },
  ]);
  // A file that was replaced takes its lines along.
  await send(id, 'Tendernotice_1.pdf', PDF, 'nit', 'a newer one');
  expect((await act('confirm', { decidedAt: null })).status).toBe(404);
});

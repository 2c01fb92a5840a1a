/** The job that reads official files, with the reader of documents and the notices that follow. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ZipFile } from 'yazl';
import { runDocuments } from '../../src/cli/commands/documents.command.ts';
import { DocumentAttachService } from '../../src/documents/files/attach.service.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { ReadDocumentsService } from '../../src/documents/reading/read-documents.service.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { boqWorkbook } from '../support/generated-documents/boq-workbook.ts';
import { pdfOf } from '../support/generated-documents/pdf.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const MINUTE_MS = 60_000;

let app: TestApp;
let folder: string;
let follower: SignedInAccount;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-read-test-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}/files` } });
  const ids = ['2026_PWD_1_1', '2026_PWD_2_1', '2026_PWD_3_1', '2026_PWD_4_1'];
  const sources = ids.map((sourceId) => createSourceTender({ sourceId, price: '500000.00' }));
  await importTenders(app.database.dataSource, sources, { now: NOW });
  follower = await createSession(app);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);
const idOf = async (sourceId: string): Promise<number> => {
  const [row] = await query('SELECT id FROM tender WHERE source_id = $1', [sourceId]);
  return row.id;
};
const readingOf = async (sourceId: string) => (await app.get(`/api/tenders/${await idOf(sourceId)}/reading`)).json;
const run = (maxFiles = 50) => app.app.get(ReadDocumentsService).run(maxFiles);

async function attach(sourceId: string, files: Record<string, Buffer>): Promise<void> {
  const paths = Object.keys(files).map((name) => ({ path: join(folder, name) }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  await app.app.get(DocumentAttachService).attachFiles(sourceId, paths, { actorId: null, reason: 'test' });
}
const notice = (emd = '91,400') =>
  pdfOf([[{ cells: ['Notice Inviting Tender'] }, { cells: ['1.', 'Earnest Money Deposit', `Rs. ${emd}/-`] }]]);

function zipOf(files: Record<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(content, name);
  zip.end();
  return buffer(zip.outputStream);
}

test('attached files are read once: notice, BOQ, and a file that is no document', async () => {
  const boq = boqWorkbook({ format: 'biff8', items: [[10, 50_000]] });
  await attach('2026_PWD_1_1', {
    'Tendernotice_1.pdf': await notice(),
    'BOQ_1.xls': boq,
    'Read me.txt': Buffer.from('x'),
  });
  expect((await readingOf('2026_PWD_1_1')).files.map(({ state }: { state: string }) => state)).toEqual(
    Array(3).fill('waiting'),
  );
  expect(await run(2)).toBe(2);
  expect(await run()).toBe(1);
  expect(await run()).toBe(0);
  const { files, facts, boqs } = await readingOf('2026_PWD_1_1');
  expect(files).toMatchObject([
    { name: 'Tendernotice_1.pdf', kind: 'nit', state: 'done', pages: 1, readAt: NOW.toISOString() },
    { name: 'BOQ_1.xls', kind: 'boq', state: 'done', pages: null },
    { name: 'Read me.txt', kind: 'other', state: 'other' },
  ]);
  expect(facts).toMatchObject([
    { topic: 'emd', page: 1, value: { unit: 'rupees', amount: '91400.00' }, fileId: files[0].id },
  ]);
  expect(boqs).toMatchObject([
    { fileId: files[1].id, summary: { items: 1, totalPaise: 50_000_000, totalState: 'agrees' } },
  ]);
});

test('numbers of people are neither shown nor stored', async () => {
  const line = 'Earnest Money Deposit Rs. 5,000/-, contact mobile 98000-00001';
  await attach('2026_PWD_1_1', { 'People.pdf': await pdfOf([[{ cells: [line] }]]) });
  await run();
  const { files, facts } = await readingOf('2026_PWD_1_1');
  const { id } = files.find(({ name }: { name: string }) => name === 'People.pdf');
  const shown = 'Earnest Money Deposit Rs. 5,000/-, contact mobile ••••••••••';
  const quotes = facts.flatMap(({ fileId, quote }: Record<string, string>) => (fileId === id ? [quote] : []));
  expect(new Set(quotes)).toEqual(new Set([shown]));
  expect(await query('SELECT texts FROM file_reading WHERE id = $1', [id])).toEqual([{ texts: [shown] }]);
  await query("DELETE FROM package_file WHERE name = 'People.pdf'");
});

describe('the files of an archive', () => {
  test('are read under its name; pictures are left out, and no more than 20 are read', async () => {
    const content = await notice();
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`${n + 10}.pdf`, content]));
    await attach('2026_PWD_2_1', {
      'Documents.zip': await zipOf({
        'part/Tendernotice_1.pdf': content,
        'part/CON.pdf': await notice('500'),
        'photo.jpg': Buffer.from('ffd8ff00', 'hex'),
      }),
      'Many.zip': await zipOf(many),
    });
    await run();
    const { files, facts } = await readingOf('2026_PWD_2_1');
    expect(files.slice(0, 2)).toMatchObject([
      { name: 'Documents.zip/Tendernotice_1.pdf', kind: 'nit', state: 'done' },
      { name: 'Documents.zip/_CON.pdf', kind: 'other', state: 'done' },
    ]);
    const states = files.slice(2).map(({ state }: { state: string }) => state);
    expect(states).toEqual([...Array(20).fill('done'), 'too-large']);
    expect(facts).toHaveLength(22);
  });
});

describe('a file that cannot be read', () => {
  test('is tried three times with pauses and does not hold back others', async () => {
    await attach('2026_PWD_3_1', { 'Notice lost.pdf': await notice('700') });
    const [{ file_key }] = await query("SELECT file_key FROM package_file WHERE name = 'Notice lost.pdf'");
    await app.app.get(PackagesService).store.remove(file_key);
    await attach('2026_PWD_3_1', { 'Other.pdf': await notice('800') }).catch(() => undefined);
    const states = async () =>
      (await readingOf('2026_PWD_3_1')).files.map(({ name, state }: Record<string, string>) => [name, state]);
    expect(await run()).toBe(2);
    expect(await states()).toEqual([
      ['Notice lost.pdf', 'waiting'],
      ['Other.pdf', 'done'],
    ]);
    expect(await run()).toBe(0);
    for (const tries of [2, 3]) {
      app.clock.now = new Date(NOW.getTime() + tries * 31 * MINUTE_MS);
      expect(await run()).toBe(1);
    }
    expect(await states()).toEqual([
      ['Notice lost.pdf', 'broken'],
      ['Other.pdf', 'done'],
    ]);
    expect(await run()).toBe(0);
    app.clock.now = NOW;
  });

  test('is read when it is attached again, although its content is the same', async () => {
    await attach('2026_PWD_3_1', { 'Notice lost.pdf': await notice('700') });
    expect(await run()).toBe(1);
    expect((await readingOf('2026_PWD_3_1')).files[0]).toMatchObject({ name: 'Notice lost.pdf', state: 'done' });
  });

  test('because its worker died three times is tried once a day', async () => {
    await query("UPDATE package_file SET read_version = 0, read_tries = 3, read_until = $1 WHERE name = 'Other.pdf'", [
      new Date(NOW.getTime() + MINUTE_MS),
    ]);
    const { store } = app.app.get(PackagesService);
    const lost = vi.spyOn(store, 'openLocal').mockReturnValue(new Promise(() => undefined));
    app.clock.now = new Date(NOW.getTime() + 2 * MINUTE_MS);
    void run();
    await expect.poll(() => lost.mock.calls.length).toBe(1);
    lost.mockRestore();
    app.clock.now = new Date(NOW.getTime() + 23 * 60 * MINUTE_MS);
    expect(await run()).toBe(0);
    app.clock.now = new Date(NOW.getTime() + 25 * 60 * MINUTE_MS);
    expect(await run()).toBe(1);
    expect((await readingOf('2026_PWD_3_1')).files[1]).toMatchObject({ name: 'Other.pdf', state: 'done' });
    app.clock.now = NOW;
  });

  test('because the reader does not start waits, fails the job, and is read when it starts', async () => {
    await attach('2026_PWD_3_1', { 'Later.pdf': await notice('900') });
    const state = async () => (await readingOf('2026_PWD_3_1')).files.at(-1).state;
    const node = vi.spyOn(process, 'execPath', 'get').mockReturnValue('/nowhere/node');
    for (const tries of [1, 2, 3, 4]) {
      app.clock.now = new Date(NOW.getTime() + tries * 31 * MINUTE_MS);
      await expect(run()).rejects.toThrow('The program did not start: spawn /nowhere/node ENOENT');
      expect(await state()).toBe('waiting');
    }
    node.mockRestore();
    app.clock.now = new Date(NOW.getTime() + 5 * 31 * MINUTE_MS);
    expect(await run()).toBe(1);
    expect(await state()).toBe('done');
    app.clock.now = NOW;
  });
});

describe('when portal and BOQ name different estimates', () => {
  const notices = async () => (await app.get('/api/notices', follower.headers)).json.notices;

  test('those who bookmarked the tender are notified once', async () => {
    for (const sourceId of ['2026_PWD_1_1', '2026_PWD_4_1'])
      await app.app.inject({
        method: 'POST',
        url: `/api/tenders/${await idOf(sourceId)}/bookmark`,
        headers: follower.headers,
      });
    const boq = (rate: number) => boqWorkbook({ format: 'xlsx', items: [[10, rate]] });
    await attach('2026_PWD_4_1', { 'BOQ_4.xlsx': boq(90_000) });
    // A notice that cannot be stored: neither is the reading, so that both come later.
    await query('ALTER TABLE notice RENAME TO notice_away');
    expect(await run()).toBe(1);
    await query('ALTER TABLE notice_away RENAME TO notice');
    expect((await readingOf('2026_PWD_4_1')).files).toMatchObject([{ name: 'BOQ_4.xlsx', state: 'waiting' }]);
    app.clock.now = new Date(NOW.getTime() + 31 * MINUTE_MS);
    await attach('2026_PWD_1_1', { 'Tendernotice_1.pdf': await notice('91,500') });
    await run();
    expect(await notices()).toMatchObject([
      { kind: 'changed', tenderId: String(await idOf('2026_PWD_4_1')), fields: ['values'] },
    ]);
    await attach('2026_PWD_4_1', { 'BOQ_4.xlsx': boq(95_000) });
    await run();
    expect(await notices()).toHaveLength(1);
    app.clock.now = NOW;
  });
});

describe('the command', () => {
  const documents = (...args: string[]) =>
    runDocuments(args, { dataSource: app.database.dataSource, config: app.config, now: NOW, log: () => undefined });

  test('lists files and lines, and confirms, corrects, hides and restores a line', async () => {
    const listed = await documents('facts', '--tender', '2026_PWD_1_1');
    expect(listed).toMatch(/^done\tTendernotice_1\.pdf\t1 pages\n/);
    const [, id = ''] = /^(\d+)\tfound\temd\t91500\.00 rupees\tTendernotice_1\.pdf p\. 1\t/m.exec(listed) ?? [];
    expect(await documents('confirm', id, '--reason', 'compared')).toContain(`${id}\tconfirmed\temd\t91500.00 rupees`);
    expect(await documents('correct', id, '--value', '90 days')).toContain(`${id}\tcorrected\temd\t90 days`);
    expect(await documents('correct', id, '--value', 'none')).toContain(`${id}\tcorrected\temd\t\t`);
    expect(await documents('correct', id, '--value', '91500.5 rupees').catch(({ message }) => message)).toBe(
      'a value is like "25000 rupees", "90 days" or "6 months"',
    );
    expect(JSON.parse(await documents('hide', id, '--json')).lines).toMatchObject([{ id, state: 'hidden' }]);
    expect((await readingOf('2026_PWD_1_1')).facts).toEqual([]);
    expect(await documents('restore', id)).toContain(`${id}\tfound\temd\t91500.00 rupees`);
    for (const args of [['confirm', '999999'], ['hide', 'x'], ['facts'], ['correct', id]])
      await expect(documents(...args)).rejects.toThrow(/not here any more|name |needs/);
    const events = await query("SELECT action, detail FROM audit WHERE action LIKE 'documents.line-%' ORDER BY id");
    expect(events.map(({ action }: { action: string }) => action)).toEqual(
      ['confirmed', 'corrected', 'corrected', 'hidden', 'restored'].map((what) => `documents.line-${what}`),
    );
    expect(events[1].detail).toEqual({
      ...{ file: 'Tendernotice_1.pdf', page: 1, topic: 'emd', before: 'confirmed', reason: '' },
      ...{ from: '91500.00 rupees', to: '90 days' },
    });
  });
});

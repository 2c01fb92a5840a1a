/** Documents that a user shares into the app: read for this user alone, and forgotten unless they are kept. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BoqItem } from '@nivida/contract/documents/boq';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import { HOUR_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { OwnReadingsService } from '../../src/documents/reading/own-readings.service.ts';
import { RateLimitsService } from '../../src/http/limits/rate-limits.service.ts';
import { PdfDocument } from '../../src/pdf/pdf-document.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { boqWorkbook } from '../support/generated-documents/boq-workbook.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const later = (ms: number) => new Date(NOW.getTime() + ms);

let folder: string;
let temporary: string;
let app: TestApp;
let asha: SignedInAccount;
let ravi: SignedInAccount;
let tenderId: string;
let otherTenderId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-own-readings-'));
  temporary = await mkdtemp(join(tmpdir(), 'nivida-temporary-'));
  vi.stubEnv('TMPDIR', temporary);
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}` } });
  const tenders = ['2026_OWN_1_1', '2026_OWN_2_1'].map((sourceId) => createSourceTender({ sourceId }));
  await importTenders(app.database.dataSource, tenders, { now: NOW });
  const rows = await app.database.dataSource.query('SELECT id::text FROM tender ORDER BY source_id');
  [tenderId, otherTenderId] = rows.map(({ id }: { id: string }) => id);
});
afterAll(async () => {
  await app.close();
  vi.unstubAllEnvs();
  for (const each of [folder, temporary]) await rm(each, { recursive: true });
});
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
  ravi = await createSession(app, { username: 'Ravi' });
});

/** A PDF of one page with these lines; the same lines give different bytes each time. */
function pdfOf(...lines: string[]): Promise<Buffer> {
  const pdf = new PdfDocument(`Notice ${randomBytes(4).toString('hex')}`, NOW);
  for (const line of lines) pdf.text(line);
  return pdf.finish();
}

const EMD_LINE = 'Earnest money deposit: Rs. 45,000 in the form of a fixed deposit receipt';
const nit = () => pdfOf('Notice inviting tenders', EMD_LINE);

const hashOf = (file: Buffer) => createHash('sha256').update(file).digest('hex');
const partsOf = (file: Buffer) => Math.ceil(file.length / FILE_PART_BYTES);

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, account?: SignedInAccount, payload?: object) {
  const headers = account?.headers ?? {};
  const reply = await app.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, json: reply.body ? reply.json() : undefined };
}

interface Part {
  part?: number;
  parts?: number;
  sha256?: string;
  name?: string;
}

/** Sends one part of a file, by default a whole file of one part. */
async function sendPart(account: SignedInAccount | undefined, bytes: Buffer, changes: Part = {}) {
  const { part = 0, parts = 1, sha256 = hashOf(bytes), name = 'NIT of the bridge.pdf' } = changes;
  const reply = await app.app.inject({
    method: 'PUT',
    url: `/api/readings/files/${sha256}/${part}/${parts}?name=${encodeURIComponent(name)}`,
    headers: { ...account?.headers, 'content-type': 'application/octet-stream' },
    payload: bytes,
  });
  return { status: reply.statusCode, json: reply.json(), headers: reply.headers };
}

/** Sends a file part by part, as the app does. Returns the answer to the last part. */
async function share(account: SignedInAccount, file: Buffer, name?: string) {
  const parts = partsOf(file);
  for (let part = 0; ; ) {
    const bytes = file.subarray(part * FILE_PART_BYTES, (part + 1) * FILE_PART_BYTES);
    const answer = await sendPart(account, bytes, { part, parts, sha256: hashOf(file), ...(name && { name }) });
    if (answer.status !== 200 || answer.json.reading) return answer;
    part = answer.json.stored;
  }
}

const keep = (account: SignedInAccount, id: string, to: string | null) =>
  call('POST', `/api/readings/${id}/keep`, account, { tenderId: to });
const storedFiles = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

describe('a shared document', () => {
  test('is read, and its file is gone afterwards', async () => {
    const file = await nit();
    const { status, json } = await share(asha, file);
    expect(status).toBe(200);
    expect(json.reading).toMatchObject({
      ...{ name: 'NIT of the bridge.pdf', sha256: hashOf(file), state: 'done', pages: 1, boq: null },
      ...{ tenderId: null, expiresAt: later(HOUR_MS).toISOString() },
    });
    expect(json.reading.facts).toMatchObject([{ topic: 'emd', page: 1, quote: expect.stringContaining('45,000') }]);
    expect(json.reading).not.toHaveProperty('texts');
    expect([await storedFiles(), await readdir(temporary)]).toEqual([0, []]);
    expect((await call('GET', `/api/readings/${json.reading.id}`, asha)).json).toEqual(json.reading);
  });

  test('that is a BOQ is read with all its items, the total checked', async () => {
    const file = boqWorkbook({
      format: 'biff8',
      items: [
        [10, 25.5],
        [4, 100],
      ],
    });
    const { reading } = (await share(asha, file, 'BOQ_1.xls')).json;
    expect(reading).toMatchObject({ state: 'done', pages: null, boq: { kind: 'percentage', statedTotal: '655' } });
    expect(reading.boq.items.filter(({ quantity }: BoqItem) => quantity !== null)).toHaveLength(2);
    await keep(asha, reading.id, tenderId);
    const [boq] = (await call('GET', `/api/tenders/${tenderId}/reading`, asha)).json.boqs;
    expect(boq).toMatchObject({ fileId: reading.id, summary: { items: 2, totalPaise: 65_500, totalState: 'agrees' } });
    expect(boq.boq).toEqual(reading.boq);
  });

  test('arrives in parts that go on where the connection broke', async () => {
    // Bytes behind the end of a PDF are not read.
    const file = Buffer.concat([await nit(), randomBytes(600_000)]);
    const sha256 = hashOf(file);
    const send = (part: number) =>
      sendPart(asha, file.subarray(part * FILE_PART_BYTES, (part + 1) * FILE_PART_BYTES), { part, parts: 3, sha256 });
    expect((await send(0)).json).toEqual({ stored: 1, reading: null });
    // The answer was lost, so the device sends it again, and then one too far.
    expect((await send(0)).json).toEqual({ stored: 1, reading: null });
    expect((await send(2)).json).toEqual({ stored: 1, reading: null });
    expect((await send(1)).json).toEqual({ stored: 2, reading: null });
    const { reading } = (await send(2)).json;
    expect(reading.sha256).toBe(sha256);
    // The same file again is answered at its first part and is not read again.
    const again = (await send(0)).json;
    expect([again.stored, again.reading.id]).toEqual([3, reading.id]);
  });

  test('is a stranger for everybody else', async () => {
    const file = await nit();
    const { id } = (await share(asha, file)).json.reading;
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/keep', { tenderId }],
    ] as const)
      expect((await call(method, `/api/readings/${id}${path}`, ravi, body)).status).toBe(404);
    await call('DELETE', `/api/readings/${id}`, ravi);
    expect((await call('GET', `/api/readings/${id}`, asha)).status).toBe(200);
    // His own upload of the same file is another one.
    expect((await share(ravi, file)).json.reading.id).not.toBe(id);
    expect((await sendPart(undefined, file)).status).toBe(401);
    expect((await call('GET', `/api/readings/${id}`)).status).toBe(401);
  });

  test('is gone after an hour, with what arrived of an unfinished one', async () => {
    const { id } = (await share(asha, await nit())).json.reading;
    const file = Buffer.concat([await nit(), randomBytes(300_000)]);
    const place = { parts: 2, sha256: hashOf(file) };
    await sendPart(asha, file.subarray(0, FILE_PART_BYTES), place);
    expect(await storedFiles()).toBe(1);
    app.clock.now = later(HOUR_MS);
    expect((await call('GET', `/api/readings/${id}`, asha)).json.message).toBe(
      'This document is not here any more. Share it again.',
    );
    expect((await keep(asha, id, tenderId)).status).toBe(404);
    const service = app.app.get(OwnReadingsService);
    expect(await service.removeExpired(later(HOUR_MS - 1))).toBe(0);
    expect(await service.removeExpired(later(HOUR_MS))).toBeGreaterThanOrEqual(2);
    expect(await storedFiles()).toBe(0);
    const [{ count }] = await app.database.dataSource.query(
      'SELECT count(*)::int FROM own_reading WHERE user_id = $1',
      [asha.user._id],
    );
    expect(count).toBe(0);
    // The device goes on with the first part.
    expect((await sendPart(asha, file.subarray(FILE_PART_BYTES), { ...place, part: 1 })).json).toEqual({
      ...{ stored: 0, reading: null },
    });
  });

  test.each([
    ['when the other one has removed its parts', true],
    ['at the same time', false],
  ])('that two servers read %s has one answer', async (_when, isLate) => {
    const file = await nit();
    const { sha256, ...place } = { sha256: hashOf(file), part: 0, parts: 1, name: 'NIT.pdf' };
    const first = app.app.get(OwnReadingsService);
    const { dataSource } = app.database;
    const second = new OwnReadingsService(dataSource, app.app.get(RateLimitsService), app.config, () => later(1_000));
    const [isReading, isAnswered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const read = second.store.read.bind(second.store);
    vi.spyOn(second.store, 'read').mockImplementationOnce(async (key) => {
      isReading.resolve();
      if (isLate) await isAnswered.promise;
      return read(key);
    });
    const other = second.put(asha.user._id, { sha256, ...place }, file);
    await isReading.promise;
    const answer = await first.put(asha.user._id, { sha256, ...place }, file);
    isAnswered.resolve();
    expect(await other).toEqual(answer);
    expect(answer.reading).toMatchObject({ sha256, state: 'done' });
  });

  test('is read later when the reader does not start: an error of the server, not of the file', async () => {
    const file = await nit();
    const node = vi.spyOn(process, 'execPath', 'get').mockReturnValue('/nowhere/node');
    const { status, json } = await sendPart(asha, file);
    node.mockRestore();
    expect([status, json.code, await storedFiles()]).toEqual([500, 'INTERNAL', 1]);
    expect((await sendPart(asha, file)).json.reading).toMatchObject({ sha256: hashOf(file), state: 'done' });
  });

  test('is removed at once when its user removes it', async () => {
    const { id } = (await share(asha, await nit())).json.reading;
    for (const _again of [1, 2]) expect((await call('DELETE', `/api/readings/${id}`, asha)).status).toBe(204);
    expect((await call('GET', `/api/readings/${id}`, asha)).status).toBe(404);
  });

  test('has a name without a path', async () => {
    const { reading } = (await share(asha, await nit(), '../../etc/My bid\u202e.pdf')).json;
    expect(reading.name).toBe('My bid_.pdf');
  });
});

describe('a kept document', () => {
  test('stays, moves to another tender, and is let go again', async () => {
    const { id } = (await share(asha, await nit())).json.reading;
    expect((await keep(asha, id, tenderId)).json).toMatchObject({ tenderId, expiresAt: null });
    app.clock.now = later(10 * HOUR_MS);
    await app.app.get(OwnReadingsService).removeExpired(app.clock.now);
    expect((await keep(asha, id, otherTenderId)).json).toMatchObject({ id, tenderId: otherTenderId });
    expect((await keep(asha, id, null)).json).toMatchObject({
      tenderId: null,
      expiresAt: later(11 * HOUR_MS).toISOString(),
    });
  });

  test('stands among what the documents of its tender say, for its user only', async () => {
    const { id } = (await share(asha, await nit())).json.reading;
    await keep(asha, id, tenderId);
    const readingOf = async (tender: string, account?: SignedInAccount) =>
      (await call('GET', `/api/tenders/${tender}/reading`, account)).json;
    const reading = await readingOf(tenderId, asha);
    expect(reading.files).toMatchObject([
      { id, name: 'NIT of the bridge.pdf', kind: 'nit', state: 'done', isOwn: true },
    ]);
    expect(reading.facts).toMatchObject([{ fileId: id, topic: 'emd', page: 1, state: 'found' }]);
    const nothing = { files: [], facts: [], boqs: [] };
    expect(await readingOf(tenderId, ravi)).toEqual(nothing);
    expect(await readingOf(tenderId)).toEqual(nothing);
    expect(await readingOf(otherTenderId, asha)).toEqual(nothing);
  });

  test('needs a published tender', async () => {
    const { id } = (await share(asha, await nit())).json.reading;
    expect((await keep(asha, id, '99999')).json.message).toBe('Tender not found');
    expect((await keep(asha, id, 'x')).status).toBe(400);
    expect((await keep(asha, 'not-an-id', tenderId)).status).toBe(404);
  });

  test('is one of at most 50', async () => {
    const { id } = (await share(asha, await nit())).json.reading;
    await app.database.dataSource.query(
      `INSERT INTO own_reading (id, user_id, sha256, name, bytes, parts, file_keys, reading, tender_id, created_at)
       SELECT gen_random_uuid(), $1, lpad(to_hex(n), 64, '0'), 'a.pdf', 1, 1, '{}', '{}', $2, $3
       FROM generate_series(1, 50) n`,
      [asha.user._id, tenderId, NOW],
    );
    const { status, json } = await keep(asha, id, tenderId);
    expect([status, json.message]).toEqual([409, 'You can keep at most 50 of your own documents. Remove one first.']);
    await app.database.dataSource.query("DELETE FROM own_reading WHERE sha256 = lpad('1', 64, '0')");
    expect((await keep(asha, id, tenderId)).status).toBe(200);
  });

  test('is in the export of its user', async () => {
    const { id } = (await share(asha, await nit())).json.reading;
    const kept = (await keep(asha, id, tenderId)).json;
    expect((await call('GET', '/api/me/export?format=json', asha)).json.ownReadings).toEqual([kept]);
  });
});

describe('what is refused', () => {
  test.each([
    ['a picture', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(2_000)])],
    ['a program with the name of a PDF', Buffer.concat([Buffer.from('MZ'), randomBytes(2_000)])],
    ['a text', Buffer.from('Earnest money 45,000')],
  ])('%s, at its first part', async (_name, file) => {
    const { status, json } = await sendPart(asha, file, { parts: 1 });
    expect([status, json.message]).toEqual([
      415,
      'Only PDF files and workbooks of Excel can be read. Save the document as one of them and share it again.',
    ]);
    expect(await storedFiles()).toBe(0);
  });

  test('a file of more than 25 MB, before it is sent', async () => {
    const { status, json } = await sendPart(asha, randomBytes(FILE_PART_BYTES), { parts: 101 });
    expect([status, json.message]).toEqual([413, 'A document may have 25 MB. Share only the part that you need.']);
  });

  test('parts that no file can have', async () => {
    const file = await nit();
    for (const place of [{ part: 1, parts: 1 }, { parts: 2 }, { parts: 0 }])
      expect((await sendPart(asha, file, place)).status).toBeGreaterThanOrEqual(400);
    expect((await sendPart(asha, Buffer.alloc(0))).status).toBe(400);
    expect((await sendPart(asha, Buffer.alloc(FILE_PART_BYTES + 1))).status).toBe(413);
    expect((await sendPart(asha, file, { sha256: 'x' })).status).toBe(400);
  });

  test('a file that is not the one that was announced', async () => {
    const { status, json } = await sendPart(asha, await nit(), { sha256: 'a'.repeat(64) });
    expect([status, json.message]).toEqual([409, 'The file changed while it was sent. Send it again.']);
    expect(await storedFiles()).toBe(0);
  });

  test('more than 50 MB of files that are still being sent', async () => {
    await app.database.dataSource.query(
      `INSERT INTO own_reading (id, user_id, sha256, name, bytes, parts, file_keys, created_at, expires_at)
       VALUES (gen_random_uuid(), $1, lpad('1', 64, '0'), 'a.pdf', 49999999, 100, '{}', $2, $3)`,
      [asha.user._id, NOW, later(HOUR_MS)],
    );
    const { status, json } = await share(asha, await nit());
    expect([status, json.message]).toEqual([
      413,
      'Too many of your documents are still being sent. Wait until they are read, or try again in an hour.',
    ]);
  });

  test('a 31st document in an hour; what was sent waits', async () => {
    const limits = app.app.get(RateLimitsService);
    for (let n = 0; n < 30; n += 1) await limits.consume('own-reading', { account: asha.user._id });
    const file = await nit();
    const { status, headers } = await share(asha, file);
    expect([status, headers['retry-after']]).toEqual([429, '3600']);
    expect(await storedFiles()).toBe(1);
    await app.database.dataSource.query('DELETE FROM rate_limit');
    expect((await sendPart(asha, file)).json.reading.state).toBe('done');
    expect(await storedFiles()).toBe(0);
  });

  test('a third document while two are read, which is read when its last part is sent again', async () => {
    const files = await Promise.all([nit(), nit(), nit(), nit()]);
    const { store } = app.app.get(OwnReadingsService);
    const areOthersRefused = Promise.withResolvers<void>();
    const read = store.read.bind(store);
    const reads = vi.spyOn(store, 'read').mockImplementation(async (key) => {
      await areOthersRefused.promise;
      return read(key);
    });
    const busy: Awaited<ReturnType<typeof sendPart>>[] = [];
    const answers = files.map(async (file) => {
      const answer = await sendPart(asha, file);
      if (answer.status === 503) busy.push(answer);
    });
    await expect.poll(() => busy.length).toBe(2);
    areOthersRefused.resolve();
    await Promise.all(answers);
    reads.mockRestore();
    expect(busy).toHaveLength(2);
    for (const { headers, json } of busy)
      expect([headers['retry-after'], json.message]).toEqual(['5', 'The server is busy. Please try again.']);
    for (const file of files) expect((await sendPart(asha, file)).json.reading.sha256).toBe(hashOf(file));
  });
});

test('a document that many send at once is read once', async () => {
  const file = await nit();
  const answers = await Promise.all([1, 2, 3].map(() => sendPart(asha, file)));
  expect(new Set(answers.map(({ json }) => json.reading.id)).size).toBe(1);
  expect(await readdir(temporary)).toEqual([]);
});

test.each([
  ['/share', '/shared-files?problem=lost'],
  ['/hi/share', '/hi/shared-files?problem=lost'],
])('a share that reaches the server at %s is answered with the page that says so', async (url, page) => {
  const form = new FormData();
  form.set('files', new File([new Uint8Array(await nit())], 'NIT.pdf', { type: 'application/pdf' }));
  const payload = new Response(form);
  const reply = await app.app.inject({
    ...{ method: 'POST', url, payload: Buffer.from(await payload.arrayBuffer()) },
    headers: { 'content-type': payload.headers.get('content-type') ?? '' },
  });
  expect([reply.statusCode, reply.headers.location, await storedFiles()]).toEqual([303, page, 0]);
});

import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { STATES } from '@nivida/contract/regions/states';
import { SyncResetResponse } from '@nivida/contract/sync/sync';
import { readDelta } from '@nivida/contract/sync/sync-wire';
import { TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import { hash } from '@node-rs/argon2';
import { Client, type Pool } from 'pg';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { startWorker } from '../../src/app/worker.ts';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { READ_POOL } from '../../src/base/injection-tokens.ts';
import { withOwnConnection } from '../../src/database/own-connection.ts';
import type { SourceTender } from '../../src/ingest/source-tender.ts';
import { createDataSource } from '../../src/schema/data-source.ts';
import type { Database } from '../../src/schema/database.ts';
import { buildPack, compactPack } from '../../src/sync/build-pack.ts';
import { compactScopes } from '../../src/sync/compact-sync.job.ts';
import { parseCursor, type SyncCursor } from '../../src/sync/cursor.ts';
import { readDeltaPage } from '../../src/sync/delta.ts';
import { pruneTombstones, type SqlQuery } from '../../src/sync/epoch.ts';
import { PackBuildsService } from '../../src/sync/pack-builds.service.ts';
import {
  countScopeChanges,
  filterPublishedBy,
  readChangedRanges,
  readNitSiblings,
  readScopeChanges,
  readSimilarTenders,
} from '../../src/sync/scope-changes.sql.ts';
import { countRangeRows, readRowsAfter } from '../../src/sync/scope-rows.sql.ts';
import { publishDueDrafts } from '../../src/tenders/publish-drafts.job.ts';
import { createAccountRow } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { createTestDatabase, startApp, type TestApp } from '../support/start-app.ts';
import { fetchCompressed, parseJsonBody, requestManifest, SyncDevice } from './sync-device.ts';

/** 10 November 2026, 11:30 AM in India. */
const NOW = new Date('2026-11-10T11:30:00+05:30');
const DAY_MS = 86_400_000;
/** Allowance for a loaded machine. */
const WAIT = { timeout: 20_000 };
const HIMACHAL = 'himachal-pradesh';
const november = (time: string) => new Date(`2026-11-${time}+05:30`);

const idOf = (name: string) => `2026_${name}_1_1`;
const named = (name: string, changes: Partial<SourceTender> = {}) =>
  createSourceTender({ sourceId: idOf(name), ...changes });

let app: TestApp;

/** Lets seconds pass; the server's cache of the database lasts one. */
const pass = (seconds: number, on = app) => {
  on.clock.now = new Date(on.clock.now.getTime() + seconds * 1_000);
};
const store = async (
  notices: SourceTender[],
  options: Parameters<typeof importTenders>[2] = { now: app.clock.now },
) => {
  await importTenders(app.database.dataSource, notices, options);
  pass(1);
};
const compact = async () => {
  const built = await compactScopes({ dataSource: app.database.dataSource, now: app.clock.now });
  pass(1);
  return built;
};
const started = async (scope = HIMACHAL, on = app) => {
  const device = new SyncDevice(scope);
  await device.start(on);
  return device;
};
const startJobs = () =>
  startWorker({ config: app.config, database: app.database, now: () => app.clock.now, services: app.app });
/** A new device of the scope. */
const fresh = async (scope = HIMACHAL) => {
  const device = await started(scope);
  await device.update(app);
  return device;
};
const emptied = () => {
  beforeEach(async () => {
    app = await startApp({ now: NOW });
    return () => app.close();
  });
};

describe('a request that cannot be answered', () => {
  let cursor: string;
  beforeAll(async () => {
    app = await startApp({ now: NOW });
    await store([named('A')]);
    cursor = (await fresh()).cursor;
  });
  afterAll(() => app.close());

  test.each([
    '/api/sync/nowhere',
    '/api/sync/Himachal%20Pradesh',
    '/api/sync/HIMACHAL-PRADESH',
    '/api/sync/segments',
    '/api/sync/nowhere/delta?cursor=',
    '/api/sync/segments/x',
    `/api/sync/segments/${'0'.repeat(64)}`,
    `/api/sync/segments/${'A'.repeat(64)}`,
    `/api/sync/segments/${'0'.repeat(64)}.br`,
    "/api/sync/segments/'--",
    `/api/sync/${HIMACHAL}/list`,
  ])('%s returns 404', async (url) => {
    const { status, json, headers } = await app.get(url);
    expect(status).toBe(404);
    expect(json.code).toBe('NOT_FOUND');
    expect(headers['cache-control']).toBe('no-store');
  });

  const CURSORS: [string, (cursor: string) => string][] = [
    ['no cursor', () => ''],
    ['an empty cursor', () => '?cursor='],
    ['two cursors', (text) => `?cursor=${text}&cursor=${text}`],
    ['a cursor of another epoch', (text) => `?cursor=x${text}`],
    ['a cursor ahead of everything', (text) => `?cursor=${text.replace(/\.\d+\./, '.999999.')}`],
    ['a cursor one ahead', (text) => `?cursor=${text.replace(/\.(\d+)\./, (_, n) => `.${Number(n) + 1}.`)}`],
    ['a negative cursor', (text) => `?cursor=${text.replace(/\.\d+\./, '.-1.')}`],
    ['a cursor with a fraction', (text) => `?cursor=${text.replace(/\.\d+\./, '.0.5.')}`],
    ['a cursor beyond all numbers', (text) => `?cursor=${text.replace(/\.\d+\./, '.99999999999999999999.')}`],
    ['a cursor without its end', (text) => `?cursor=${text.slice(0, text.lastIndexOf('.'))}`],
    ['a number alone', () => '?cursor=1'],
    ['an odd text', () => "?cursor=%00';--"],
  ];
  test.each(CURSORS)('the cursor %s is refused, and the device reads the manifest again', async (_name, query) => {
    const { status, json, headers } = await app.get(`/api/sync/${HIMACHAL}/delta${query(cursor)}`);
    expect(status).toBe(409);
    expect(v.parse(SyncResetResponse, json)).toMatchObject({
      code: 'CONFLICT',
      reset: true,
      epoch: cursor.split('.')[0],
    });
    expect(json.requestId).toBe(headers['x-request-id']);
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('the pack of a state', () => {
  const SOME = [
    named('OPEN', { price: '123456789012.34', documents: [{ cover: 'Finance', type: 'xls', name: 'BOQ' }] }),
    named('LONG', {
      description: 'Construction of a footbridge over Giri khad',
      reference: 'No 7',
      price: null,
      emd: null,
    }),
    named('UPCOMING', { bidStartAt: november('12T10:00:00'), opensAt: november('21T15:00:00') }),
    named('CLOSED', { closesAt: november('09T11:00:00') }),
    named('CLOSED29', { publishedAt: new Date('2026-10-01T05:00:00Z'), closesAt: new Date('2026-10-12T05:30:00Z') }),
    named('CLOSED31', { publishedAt: new Date('2026-10-01T05:00:00Z'), closesAt: new Date('2026-10-10T05:30:00Z') }),
    named('CANCELLED', {
      stage: 'cancelled',
      corrigenda: [
        { title: 'Extended', type: 'Date' },
        { title: 'Cancelled', type: 'Cancellation' },
      ],
    }),
    named('NIT1', { nitKey: 'nit', sourceId: '2026_NIT_7_1', closingTimeKnown: false }),
    named('NIT2', {
      nitKey: 'nit',
      sourceId: '2026_NIT_7_2',
      preBidAt: november('12T10:00:00'),
      preBidPlace: 'Shimla',
    }),
    // A draft is no work of its NIT yet.
    named('DRAFT', { nitKey: 'nit', publishedAt: november('12T17:00:00') }),
    createSourceTender({
      sourceId: 'GEM/2026/B/1',
      portal: 'gem',
      state: 'Assam',
      priceText: 'USD 5',
      emdPercent: '2.50',
    }),
  ];
  beforeAll(async () => {
    app = await startApp({ now: NOW });
    await store(SOME);
    // A second version, with a corrigendum of our own.
    await store([named('OPEN', { price: '123456789012.34', closesAt: november('25T11:00:00') })]);
    // Read again by a later version of the reader, with the same values.
    await app.database.dataSource.query(
      "UPDATE tender SET fetched_at = fetched_at + interval '1 hour' WHERE portal = 'gem'",
    );
    await requestManifest(app, HIMACHAL);
  });
  afterAll(() => app.close());

  test("contains the tenders of the state's lists, and those that closed in the last thirty days", async () => {
    const device = await fresh();
    const lists = await Promise.all(['1', '0'].map((open) => app.get(`/api/tenders?state=${HIMACHAL}&open=${open}`)));
    const listed = lists.flatMap(({ json }) =>
      json.tenders.map((row: { source_tender_id: string }) => row.source_tender_id),
    );
    expect(device.sourceTenderIds()).toEqual(listed.filter((id) => id !== idOf('CLOSED31')).sort());
    expect(device.sourceTenderIds()).not.toContain(idOf('DRAFT'));
    expect(device.sourceTenderIds()).toHaveLength(8);
  });

  test('has the same fields of each tender as its own address', async () => {
    const device = await fresh('india');
    expect(device.rows.size).toBe(9);
    for (const row of device.rows.values()) {
      const { tender } = (await app.get(`/api/tenders/${row.id}`)).json;
      // The device derives these from the clock, the portal's last comparison and the rows of the NIT.
      const { status: _, fetched_at, nit_siblings: __, ...sentFields } = tender;
      expect(toTender(row)).toEqual(JSON.parse(JSON.stringify(sentFields), toMs));
      expect(Date.parse(device.checked[row.portal] ?? '')).toBeGreaterThanOrEqual(Date.parse(fetched_at));
    }
  });

  const INSTANT = /^\d{4}-\d\d-\d\dT/;
  const toMs = (_key: string, value: unknown) =>
    typeof value === 'string' && INSTANT.test(value) ? Date.parse(value) : value;
  const toTender = (row: Awaited<ReturnType<typeof fresh>>['rows'] extends Map<number, infer R> ? R : never) => ({
    ...Object.fromEntries(TENDER_FIELD_LIST.map(({ key, name }) => [name, row[key]])),
    _id: String(row.id),
    title: row.title,
    description: row.description || row.title,
    org_name: row.orgName,
    department: row.department,
    category: row.category,
    stage: row.stage,
    state: row.state,
    district: row.district,
    second_district: row.secondDistrict,
    is_listed: row.isListed ?? false,
    price: row.price && Number(row.price),
    price_text: row.priceText,
    emd: row.emd,
    published_date: row.publishedAt,
    closing_date: row.closesAt,
    closing_time_known: row.closingTimeKnown,
    source_portal: row.portal,
    source_tender_id: row.sourceTenderId,
    reference_number: row.reference,
    nit_works: row.nitWorks,
    last_corrigendum: row.lastCorrigendum,
    demonstration: row.demonstration,
    nit_id: row.nitId,
    organisation_chain: row.organisationChain,
    bid_start_date: row.bidStartAt,
    opening_date: row.opensAt,
    pre_bid_date: row.preBidAt,
    documents: row.documents,
    corrigenda: JSON.parse(JSON.stringify(row.corrigenda), toMs),
    district_confidence: row.districtConfidence,
    document_package: row.documentPackage,
    other_sources: JSON.parse(JSON.stringify(row.otherSources ?? []), toMs),
    version: row.version,
    updated_at: row.updatedAt,
  });

  test('of all India contains every state', async () => {
    const states = [...(await fresh('india')).rows.values()].map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['Himachal Pradesh', 'Assam']));
  });

  test('of a state without tenders is empty', async () => {
    const device = new SyncDevice('goa');
    expect(await device.start(app)).toMatchObject({ scope: 'goa', rows: 0, segments: [], checked: {} });
    expect(await device.update(app)).toEqual([204]);
  });

  test('of a state that gets its first tender is built, also when the server answered it as empty within the same second', async () => {
    pass(1);
    await fetchCompressed(app, '/api/sync/goa');
    pass(0.9);
    expect(await new SyncDevice('sikkim').start(app)).toMatchObject({ rows: 0, segments: [] });
    await importTenders(app.database.dataSource, [named('FIRST', { state: 'Sikkim' })], { now: app.clock.now });
    pass(0.1);
    expect((await fetchCompressed(app, '/api/sync/sikkim')).status).toBe(503);
    expect((await fresh('sikkim')).sourceTenderIds()).toEqual([idOf('FIRST')]);
  });

  test('of an unknown scope has no delta, and the test device reports the status', async () => {
    await expect(new SyncDevice('nowhere').update(app)).rejects.toThrow('the delta of nowhere was answered with 404');
  });

  test('has a manifest that is sent again only after a change', async () => {
    const { headers, status } = await fetchCompressed(app, `/api/sync/${HIMACHAL}`);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-cache');
    const again = await fetchCompressed(app, `/api/sync/${HIMACHAL}`, { 'if-none-match': headers.etag as string });
    expect(again).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
  });

  describe('has files', () => {
    let url: string;
    let hash: string;
    beforeAll(async () => {
      const { segments } = parseJsonBody(await fetchCompressed(app, `/api/sync/${HIMACHAL}`));
      ({ url, hash } = segments[0].detail);
    });

    test.each<[string, Record<string, string>, string | undefined, (bytes: Buffer) => Buffer]>([
      ['brotli for browsers', { 'accept-encoding': 'gzip, deflate, br, zstd' }, 'br', brotliDecompressSync],
      ['brotli for a client that accepts all', { 'accept-encoding': '*' }, 'br', brotliDecompressSync],
      ['gzip where brotli is not known', { 'accept-encoding': 'gzip, deflate' }, 'gzip', gunzipSync],
      ['gzip where brotli is refused', { 'accept-encoding': 'br;q=0, gzip' }, 'gzip', gunzipSync],
      ['plain where neither is known', { 'accept-encoding': 'identity' }, undefined, (bytes) => bytes],
      ['plain for a client that names none', { 'accept-encoding': '' }, undefined, (bytes) => bytes],
    ])('in %s, with headers that allow every cache', async (_name, asked, encoding, decode) => {
      for (const _again of [1, 2]) {
        const { status, headers, bytes } = await fetchCompressed(app, url, asked);
        expect(status).toBe(200);
        expect(headers).toMatchObject({
          'cache-control': 'public, max-age=31536000, immutable',
          etag: `"${hash}${encoding === undefined ? '' : `-${encoding}`}"`,
          'accept-ranges': 'bytes',
          vary: 'Accept-Encoding',
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(bytes.length),
        });
        expect(headers['content-encoding']).toBe(encoding);
        expect(JSON.parse(decode(bytes).toString())).toMatchObject({ schema: 1, rows: 8 });
      }
    });

    test.each<[string, Record<string, string>, number, string]>([
      ['a byte range', {}, 206, 'bytes 20-39/'],
      ['a byte range of the same file', { 'if-range': '"HASH-br"' }, 206, 'bytes 20-39/'],
      ['a byte range of another file', { 'if-range': '"other"' }, 200, ''],
      ['a byte range after the end', { range: 'bytes=9999999-' }, 416, 'bytes */'],
    ])('of which %s is answered', async (_name, asked, status, contentRange) => {
      const whole = await fetchCompressed(app, url);
      const headers = Object.fromEntries(
        Object.entries({ range: 'bytes=20-39', ...asked }).map(([name, value]) => [name, value.replace('HASH', hash)]),
      );
      const answer = await fetchCompressed(app, url, headers);
      expect(answer.status).toBe(status);
      expect(answer.headers['content-range'] ?? '').toBe(contentRange && `${contentRange}${whole.bytes.length}`);
      if (status === 206) {
        expect(answer.headers).toMatchObject({ etag: `"${hash}-br"`, 'content-encoding': 'br' });
        expect(answer.bytes).toEqual(whole.bytes.subarray(20, 40));
      }
    });

    test('whose rest after some uncompressed bytes is sent compressed', async () => {
      await store(Array.from({ length: 300 }, (_, at) => named(`REST${at}`, { title: `Bridge over stream ${at}` })));
      await compact();
      const { segments } = parseJsonBody(await fetchCompressed(app, `/api/sync/${HIMACHAL}`));
      const file = segments[0].detail;
      const whole = brotliDecompressSync((await fetchCompressed(app, file.url)).bytes);
      expect(whole.length).toBe(file.size);
      const rest = await fetchCompressed(app, `${file.url}?from=4096`);
      expect(rest.headers).toMatchObject({ 'x-file-etag': `"${file.hash}-br"`, 'x-file-offset': '4096' });
      expect(brotliDecompressSync(rest.bytes)).toEqual(whole.subarray(4_096));
      for (const from of ['4095', '-4096', 'x', String(Math.ceil(whole.length / 4_096) * 4_096 + 4_096)])
        expect((await fetchCompressed(app, `${file.url}?from=${from}`)).status, from).toBe(400);
    });

    test('that are not sent again to a client that has them', async () => {
      const answer = await fetchCompressed(app, url, { 'if-none-match': `"${hash}-br"` });
      expect(answer).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
    });
  });
});

describe('a device that was away', () => {
  emptied();

  test('gets 204 when nothing is new, also when other states changed', async () => {
    await store([named('A')]);
    const device = await fresh();
    expect(await device.update(app)).toEqual([204]);
    const { status, headers, bytes } = await fetchCompressed(
      app,
      `/api/sync/${HIMACHAL}/delta?cursor=${device.cursor}`,
    );
    expect({ status, length: bytes.length }).toEqual({ status: 204, length: 0 });
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate, s-maxage=5');
    await store([named('OTHER', { state: 'Goa' })]);
    pass(2);
    const asked = vi.spyOn(app.app.get<Pool>(READ_POOL), 'query');
    expect(await device.update(app)).toEqual([204]);
    // Only the head and the changed states are read, once for all devices.
    expect(asked).toHaveBeenCalledTimes(2);
    expect(await device.update(app)).toEqual([204]);
    expect(asked).toHaveBeenCalledTimes(2);
    asked.mockRestore();
    expect(device.sourceTenderIds()).toEqual([idOf('A')]);
    // All India has changed.
    const india = new SyncDevice('india');
    india.cursor = device.cursor;
    expect(await india.update(app)).toEqual([200]);
    // A tender that moves from one state to another is news in both.
    const goa = await fresh('goa');
    await store([named('OTHER', { state: 'Himachal Pradesh' })]);
    pass(2);
    expect([await device.update(app), await goa.update(app)]).toEqual([[200], [200]]);
    expect([device.sourceTenderIds(), goa.sourceTenderIds()]).toEqual([['A', 'OTHER'].map(idOf), []]);
  });

  test('gets new and changed tenders completely', async () => {
    await store([named('A'), named('B')]);
    const device = await fresh();
    await store([named('C'), named('B', { price: '700000.00', title: 'Construction of motor bridge' })]);
    expect(await device.update(app)).toEqual([200]);
    expect(device.sourceTenderIds()).toEqual(['A', 'B', 'C'].map(idOf));
    expect(device.find(idOf('B'))).toMatchObject({
      price: '700000.00',
      title: 'Construction of motor bridge',
      version: 2,
      lastCorrigendum: 'other',
      corrigenda: [{ changes: [{ field: 'price', old: '500000.00', new: '700000.00' }] }],
    });
    expect(device.rows).toEqual((await fresh()).rows);
  });

  test("gets the time of the portal's last comparison when no tender changed", async () => {
    await store([named('A')]);
    const device = await fresh();
    pass(3_600);
    const compared = app.clock.now;
    await store([named('A')]);
    pass(30);
    expect(await device.update(app)).toEqual([200]);
    expect(device.checked).toEqual({ hptenders: compared.toISOString() });
    expect(await device.update(app)).toEqual([204]);
  });

  test('learns of the newest comparison, also when another device was given the same changes before it', async () => {
    await store([named('A')]);
    const [early, late] = [await fresh(), await fresh()];
    await store([named('A'), named('B')]);
    await early.update(app);
    pass(3_600);
    const compared = app.clock.now;
    await store([named('A'), named('B')]);
    pass(30);
    expect(await late.update(app)).toEqual([200]);
    expect(late.checked).toEqual({ hptenders: compared.toISOString() });
  });

  test('gets a draft when it is published', async () => {
    await store([named('A'), named('DRAFT', { publishedAt: november('11T17:00:00') })]);
    const device = await fresh();
    app.clock.now = november('11T17:00:00');
    await publishDueDrafts({ dataSource: app.database.dataSource, now: app.clock.now });
    await device.update(app);
    expect(device.sourceTenderIds()).toEqual(['A', 'DRAFT'].map(idOf));
  });

  test('removes the demonstration tenders with the first real ones', async () => {
    await store([named('DEMO1'), named('DEMO2')], { now: NOW, origin: 'generated' });
    const device = await fresh();
    expect(device.find(idOf('DEMO1'))?.demonstration).toBe(true);
    await store([named('REAL')]);
    expect(await device.update(app)).toEqual([200]);
    expect(device.sourceTenderIds()).toEqual([idOf('REAL')]);
    expect((await fresh('india')).sourceTenderIds()).toEqual([idOf('REAL')]);
  });

  test('follows tenders whose dates moved with another rebase, in both directions', async () => {
    const old = named('OLD', {
      publishedAt: new Date('2026-09-01T05:00:00Z'),
      closesAt: new Date('2026-09-20T05:30:00Z'),
    });
    await store([named('A'), old], { now: NOW, origin: 'rebased' });
    const device = await fresh();
    expect(device.sourceTenderIds()).toEqual([idOf('A')]);
    await store([named('A'), old], { now: NOW, origin: 'rebased', shiftDays: 30 });
    await device.update(app);
    expect(device.sourceTenderIds()).toEqual(['A', 'OLD'].map(idOf));
    expect(device.find(idOf('A'))?.closesAt).toBe(Date.parse('2026-12-20T11:00:00+05:30'));
    await store([named('A'), old], { now: NOW, origin: 'rebased', shiftDays: 0 });
    await device.update(app);
    expect(device.sourceTenderIds()).toEqual([idOf('A')]);
  });

  test('removes a tender that was corrected to another state', async () => {
    await store([named('A'), named('MOVED')]);
    const [device, goa] = [await fresh(), await fresh('goa')];
    await store([named('MOVED', { state: 'Goa', price: '1.00' })]);
    await Promise.all([device.update(app), goa.update(app)]);
    expect(device.sourceTenderIds()).toEqual([idOf('A')]);
    expect(goa.sourceTenderIds()).toEqual([idOf('MOVED')]);
  });

  test('updates the number of works of a NIT when one joins it', async () => {
    await store([named('W1', { nitKey: 'nit', reference: 'No 7' })]);
    const device = await fresh();
    expect(device.find(idOf('W1'))?.nitWorks).toBe(1);
    await store([named('W2', { nitKey: 'nit', reference: 'No 7' }), named('W3')]);
    await device.update(app);
    expect(device.find(idOf('W1'))?.nitWorks).toBe(2);
    await store([named('W3', { nitKey: 'nit', reference: 'No 7' })]);
    await device.update(app);
    expect([...device.rows.values()].map(({ nitWorks }) => nitWorks)).toEqual([3, 3, 3]);
  });

  test('gets no tenders of an archive that closed long ago', async () => {
    await store([named('A')]);
    const device = await fresh();
    await store([
      named('OLD', { publishedAt: new Date('2026-01-01T05:00:00Z'), closesAt: new Date('2026-02-01T05:00:00Z') }),
    ]);
    const { bytes } = await fetchCompressed(app, `/api/sync/${HIMACHAL}/delta?cursor=${device.cursor}`, {
      'accept-encoding': '',
    });
    expect(JSON.parse(bytes.toString())).toMatchObject({ removed: [], list: { rows: 0 } });
  });

  test('fetches many changes page by page, and reloads the pack when that is cheaper', {
    tags: 'release',
  }, async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => named(`M${i}`));
    const rebase = (count: number, shiftDays: number) => store(many(count), { now: NOW, origin: 'rebased', shiftDays });
    await rebase(5_100, 0);
    const { segments } = await new SyncDevice(HIMACHAL).start(app);
    expect(segments.map(({ rows }) => rows)).toEqual([5_000, 100]);
    const device = await fresh();
    const late = new SyncDevice(HIMACHAL);
    late.cursor = device.cursor;
    const goa = await fresh('goa');
    await rebase(2_600, 1);
    const { bytes } = await fetchCompressed(app, `/api/sync/${HIMACHAL}/delta?cursor=${device.cursor}`, {
      'accept-encoding': '',
    });
    expect(JSON.parse(bytes.toString())).toMatchObject({ more: true, list: { rows: 2_000 }, details: { rows: 2_000 } });
    expect(await device.update(app)).toEqual([200, 200]);
    // The last change of a page and the first of the next one are among them.
    const moved = [...device.rows.values()].filter(({ closesAt }) => closesAt === november('21T11:00:00').getTime());
    expect(moved).toHaveLength(2_600);
    expect(device.rows).toEqual((await fresh()).rows);
    await rebase(300, 2);
    await compact();
    await expect(late.update(app)).rejects.toThrow('answered with 409');
    // A device cannot ask for more changes than the server sends by itself.
    const address = `/api/sync/${HIMACHAL}/delta?cursor=${late.cursor}&max=999999999`;
    expect((await fetchCompressed(app, address)).status).toBe(409);
    expect(await device.update(app)).toEqual([200]);
    expect(await goa.update(app)).toEqual([204]);
    expect((await fresh()).sourceTenderIds()).toHaveLength(5_100);
  });
});

describe('a delta', () => {
  emptied();

  test('of more than 2,000 changes comes in pages without gaps, of which only the last one has the new comparisons', async () => {
    const { dataSource } = app.database;
    await store(Array.from({ length: 2_003 }, (_, i) => named(`M${i}`)));
    const query: SqlQuery = (text, values) => dataSource.query(text, values);
    const [{ head }]: [{ head: number }] = await dataSource.query(
      'SELECT max(change_no)::float8 AS head FROM tender_history',
    );
    const pageAfter = async (cursor: SyncCursor) => {
      const request = {
        scope: HIMACHAL,
        cursor,
        isComplete: false,
        head,
        checked: { hp: NOW.toISOString() },
        now: NOW,
      };
      const delta = await readDeltaPage(query, request);
      const { list } = readDelta(JSON.parse(JSON.stringify(delta)));
      return { more: delta.more, cursor: parseCursor(delta.cursor) as SyncCursor, ids: list.id };
    };
    const one = await pageAfter({ epoch: 'e', changeNo: 0, stamp: '0' });
    expect(one).toMatchObject({ more: true, cursor: { epoch: 'e', stamp: '0' } });
    const two = await pageAfter(one.cursor);
    expect(two).toMatchObject({ more: false, cursor: { changeNo: head, stamp: NOW.getTime().toString(36) } });
    expect([one.ids.length, two.ids.length, new Set([...one.ids, ...two.ids]).size]).toEqual([2_000, 3, 2_003]);
  });

  test('compares new tenders with the newest 200 of their office, and with none when that takes too long', async () => {
    const { dataSource } = app.database;
    const documents = (name: string) => [{ cover: 'Technical', type: 'pdf', name }];
    await store(Array.from({ length: 210 }, (_, i) => named(`OLD${i}`, { documents: documents(`${i}`) })));
    const { cursor } = await fresh();
    const held = Number(cursor.split('.')[1]);
    await store([named('LIKE20', { documents: documents('20') }), named('LIKE5', { documents: documents('5') })]);
    const idsOf = async (...names: string[]): Promise<number[]> => {
      const rows = await dataSource.query(
        'SELECT id FROM tender JOIN unnest($1::text[]) WITH ORDINALITY AS n(source_id, nth) USING (source_id) ORDER BY nth',
        [names.map(idOf)],
      );
      return rows.map(({ id }: { id: number }) => id);
    };
    const [like20, like5, old20, old209] = (await idsOf('LIKE20', 'LIKE5', 'OLD20', 'OLD209')) as [
      number,
      number,
      number,
      number,
    ];
    const compare = (query: SqlQuery) => readSimilarTenders(query, HIMACHAL, app.clock.now, held, [like20, like5]);
    expect(await compare((text, values) => dataSource.query(text, values))).toEqual(
      new Map([
        [like20, old20],
        [like5, old209],
      ]),
    );
    const slow: SqlQuery = (text, values) =>
      dataSource.transaction(async (manager) => {
        await manager.query('SET LOCAL statement_timeout = 10');
        return manager.query(
          `WITH waited AS MATERIALIZED (SELECT pg_sleep(5)) SELECT FROM waited, (${text}) slow`,
          values,
        );
      });
    expect(await compare(slow)).toEqual(new Map());
  });

  test('compares a new tender with the one of its office that resembles it most', async () => {
    const { dataSource } = app.database;
    const paper = [{ cover: 'Technical', type: 'pdf', name: 'Drawing' }];
    const closed = { publishedAt: new Date('2026-10-01T05:00:00Z'), closesAt: new Date('2026-10-15T05:30:00Z') };
    await store([
      named('PAPER', { documents: paper }),
      named('CLOSED', { documents: paper, ...closed }),
      named('NEAR', { address: 'Rampur', place: 'Bus stand' }),
      named('TOWN', { address: 'Rampur' }),
      named('OTHER', { organisationChain: ['Jal Shakti'], documents: paper }),
      named('GOA', { state: 'Goa', documents: paper }),
      named('LAST'),
    ]);
    const { cursor } = await fresh();
    const held = Number(cursor.split('.')[1]);
    await store([
      named('NEW1', { documents: paper, address: 'Rampur', place: 'Bus stand' }),
      named('NEW2', { address: 'Rampur', place: 'Bus stand' }),
      named('NEW3'),
      named('NEW4', { organisationChain: ['Forest'] }),
      named('NEW5', { organisationChain: ['Jal Shakti'] }),
    ]);
    const rows: { id: number; name: string }[] = await dataSource.query(
      "SELECT id, split_part(source_id, '_', 2) AS name FROM tender",
    );
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    const asked = rows.filter(({ name }) => name.startsWith('NEW')).map(({ id }) => id);
    const query: SqlQuery = (text, values) => dataSource.query(text, values);
    const found = await readSimilarTenders(query, HIMACHAL, app.clock.now, held, asked);
    expect(Object.fromEntries([...found].map(([id, like]) => [names.get(id), names.get(like)]))).toEqual({
      ...{ NEW1: 'PAPER', NEW2: 'NEAR', NEW3: 'LAST', NEW5: 'OTHER' },
    });
  });

  test('of more changes than a device takes is refused only where there are newer segments', async () => {
    await store([named('A'), named('B')]);
    const { cursor } = await fresh();
    await store([named('C'), named('A', { price: '9.00' })]);
    const statusOf = async (more: string) =>
      (await fetchCompressed(app, `/api/sync/${HIMACHAL}/delta?cursor=${cursor}${more}`)).status;
    expect(await statusOf('&max=0')).toBe(200);
    expect(await compact()).toBe(2);
    const statuses = [];
    for (const more of ['', '&max=2', '&max=1', '&max=x', '&max=-1']) statuses.push(await statusOf(more));
    expect(statuses).toEqual([200, 200, 409, 200, 200]);
  });

  test('is the same after an import of another state, so that the server keeps it', async () => {
    await store([named('A')]);
    const device = await fresh();
    await store([named('B')]);
    const url = `/api/sync/${HIMACHAL}/delta?cursor=${device.cursor}`;
    const { headers } = await fetchCompressed(app, url);
    await store([named('OTHER', { state: 'Goa' })]);
    pass(2);
    expect((await fetchCompressed(app, url)).headers.etag).toBe(headers.etag);
    expect(await device.update(app)).toEqual([200]);
    expect(await device.update(app)).toEqual([204]);
    expect(device.sourceTenderIds()).toEqual(['A', 'B'].map(idOf));
  });

  test('that broke continues while it is the same, else it is sent whole', async () => {
    await store([named('A')]);
    const device = await fresh();
    await store(Array.from({ length: 300 }, (_, i) => named(`N${i}`, { title: `Bridge over stream ${i}` })));
    const url = `/api/sync/${HIMACHAL}/delta?cursor=${device.cursor}`;
    const whole = await fetchCompressed(app, url);
    const plain = brotliDecompressSync(whole.bytes);
    const continued = `${url}&from=4096&of=${encodeURIComponent(whole.headers['x-file-etag'] as string)}`;
    const rest = await fetchCompressed(app, continued);
    expect(rest.headers['x-file-offset']).toBe('4096');
    expect(brotliDecompressSync(rest.bytes)).toEqual(plain.subarray(4_096));
    // A proxy that compresses again makes the tag a weak one.
    const ofWeak = `&of=${encodeURIComponent(`W/${String(whole.headers.etag).replace('-br', '-gzip')}`)}`;
    const weak = await fetchCompressed(app, `${url}&from=4096${ofWeak}`, { 'accept-encoding': 'gzip' });
    expect(weak.headers).toMatchObject({ 'x-file-offset': '4096', 'content-encoding': 'gzip' });
    expect(gunzipSync(weak.bytes)).toEqual(plain.subarray(4_096));
    expect((await fetchCompressed(app, `${url}&from=4095`)).status).toBe(400);

    await store([named('LATER')]);
    const changed = await fetchCompressed(app, continued);
    expect(changed.headers['x-file-offset']).toBeUndefined();
    expect(parseJsonBody(changed)).toMatchObject({ list: { rows: 301 } });
  });

  test.each<[string, string | undefined]>([
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('for a client that accepts %s is sent compressed once', async (accepted, encoding) => {
    await store([named('A')]);
    const device = await fresh();
    await store(Array.from({ length: 40 }, (_, i) => named(`N${i}`)));
    const asked = { 'accept-encoding': accepted };
    const { status, headers, bytes } = await fetchCompressed(
      app,
      `/api/sync/${HIMACHAL}/delta?cursor=${device.cursor}`,
      asked,
    );
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers).toMatchObject({
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=0, must-revalidate, s-maxage=5',
      etag: expect.stringMatching(/^"[0-9a-f]{64}(-br|-gzip)?"$/),
    });
    const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding ? gunzipSync(bytes) : bytes;
    expect(JSON.parse(plain.toString())).toMatchObject({ schema: 1, more: false, list: { rows: 40 } });
    if (encoding === 'br') expect(bytes.length).toBeLessThan(1_500);
  });

  test('for a device without details contains none, also right after one for a device with details', async () => {
    await store([named('A')]);
    const { cursor } = await fresh();
    await store([named('B')]);
    pass(1);
    const address = `/api/sync/${HIMACHAL}/delta?cursor=${cursor}`;
    const complete = parseJsonBody(await fetchCompressed(app, `${address}&details=1`));
    const without = parseJsonBody(await fetchCompressed(app, address));
    expect(without.like).not.toEqual(complete.like);
    const { details } = readDelta(without);
    expect(Object.entries(details).filter(([, values]) => (values as unknown[]).includes(undefined))).toEqual([]);
  });
});

describe('compaction', () => {
  emptied();

  test('builds the states with tenders and all India, and then only changed ones', async () => {
    await store([named('A'), named('G', { state: 'Goa' })]);
    expect(await compact()).toBe(3);
    expect(await compact()).toBe(0);
    await store([named('B')]);
    expect(await compact()).toBe(2);
    expect((await started()).sourceTenderIds()).toEqual(['A', 'B'].map(idOf));
    expect((await started('goa')).sourceTenderIds()).toEqual([idOf('G')]);
  });

  test('of an unchanged pack says when the portal was last compared', async () => {
    await store([named('A')]);
    await compact();
    pass(3_600);
    const compared = app.clock.now;
    await store([named('A')]);
    expect(await compact()).toBe(0);
    const device = await started();
    expect(device.checked).toEqual({ hptenders: compared.toISOString() });
    expect(await device.update(app)).toEqual([204]);
  });

  test('omits tenders that closed more than thirty days ago', async () => {
    await store([named('A'), named('LATER', { closesAt: november('30T11:00:00') })]);
    await compact();
    expect((await started()).sourceTenderIds()).toEqual(['A', 'LATER'].map(idOf));
    app.clock.now = new Date('2026-12-21T06:00:00Z');
    expect(await compact()).toBe(2);
    expect((await started()).sourceTenderIds()).toEqual([idOf('LATER')]);
  });

  test('leaves old cursors and unfinished downloads valid', async () => {
    await store([named('A'), named('B')]);
    const slow = new SyncDevice(HIMACHAL);
    const manifest = await slow.start(app);
    const offline = await fresh();
    await store([named('C'), named('A', { price: '9.00' })]);
    await compact();
    await store([named('D')]);
    const other = await startApp({ now: app.clock.now, database: app.database });
    for (const { list, detail } of manifest.segments)
      for (const { url } of [list, detail]) expect((await fetchCompressed(other, url)).status).toBe(200);
    expect(await slow.update(other)).toEqual([200]);
    expect(await offline.update(app)).toEqual([200]);
    expect(slow.sourceTenderIds()).toEqual(['A', 'B', 'C', 'D'].map(idOf));
    expect(slow.rows).toEqual((await fresh()).rows);
    expect(offline.rows).toEqual(slow.rows);
    await other.close();
  });

  test('stores segments for two days after they left the manifest', async () => {
    await store([named('A')]);
    const { segments } = await new SyncDevice(HIMACHAL).start(app);
    const url = segments[0]?.list.url as string;
    await store([named('B')]);
    await compact();
    const statusAfter = async (days: number) => {
      app.clock.now = new Date(NOW.getTime() + days * DAY_MS);
      await compact();
      // Another process, which has not served it yet.
      const other = await startApp({ now: app.clock.now, database: app.database });
      const { status } = await fetchCompressed(other, url);
      await other.close();
      return status;
    };
    expect(await statusAfter(1.9)).toBe(200);
    expect(await statusAfter(2.1)).toBe(404);
    expect((await started()).sourceTenderIds()).toEqual(['A', 'B'].map(idOf));
  });

  test('stores a segment that came back for two days after it left again', async () => {
    const at = (days: number) => {
      app.clock.now = new Date(NOW.getTime() + days * DAY_MS);
    };
    await store([named('A')]);
    const { segments } = await new SyncDevice(HIMACHAL).start(app);
    const url = segments[0]?.list.url as string;
    await store([named('A'), named('ENDED', { closesAt: new Date(NOW.getTime() - 29.5 * DAY_MS) })]);
    await compact();
    at(1);
    await compact();
    expect((await new SyncDevice(HIMACHAL).start(app)).segments).toEqual(segments);
    at(2.5);
    await store([named('B')]);
    await compact();
    const other = await startApp({ now: app.clock.now, database: app.database });
    expect((await fetchCompressed(other, url)).status).toBe(200);
    await other.close();
  });

  test('starts automatically when a tenth of a pack has changed', async () => {
    await store(Array.from({ length: 20 }, (_, i) => named(`N${i}`)));
    const device = await fresh();
    await store(Array.from({ length: 3 }, (_, i) => named(`N${i}`, { price: '9.00' })));
    await device.update(app);
    const worker = await startJobs();
    await vi.waitFor(async () => {
      pass(1);
      const { cursor } = parseJsonBody(await fetchCompressed(app, `/api/sync/${HIMACHAL}`));
      expect(cursor).toBe(device.cursor);
    }, WAIT);
    await worker.stop();
  });

  test('brings few changes to a pack that was built by a clock ahead of more than a day', async () => {
    await store(Array.from({ length: 60 }, (_, i) => named(`N${i}`)));
    pass(2 * 86_400);
    expect(await compact()).toBe(2);
    pass(-2 * 86_400);
    await store([named('N1', { price: '7.00' })]);
    expect(await compact()).toBe(2);
    expect((await started()).find(idOf('N1'))?.price).toBe('7.00');
  });

  test('waits for a fiftieth of the tenders to change, at most a day', async () => {
    await store(Array.from({ length: 60 }, (_, i) => named(`N${i}`)));
    expect(await compact()).toBe(2);
    const prices = async () => {
      const device = await started();
      return ['N1', 'N2', 'N3'].map((name) => device.find(idOf(name))?.price);
    };
    await store([named('N1', { price: '7.00' })]);
    expect(await compact()).toBe(0);
    expect(await prices()).toEqual(['500000.00', '500000.00', '500000.00']);
    await store([named('N2', { price: '7.00' })]);
    expect(await compact()).toBe(2);
    expect(await prices()).toEqual(['7.00', '7.00', '500000.00']);
    await store([named('N3', { price: '7.00' })]);
    pass(86_390);
    expect(await compact()).toBe(0);
    pass(10);
    expect(await compact()).toBe(2);
    expect(await prices()).toEqual(['7.00', '7.00', '7.00']);
  });

  test('reads changes and rows in pages, and knows which ranges of row numbers have changed', async () => {
    const { dataSource } = app.database;
    const query: SqlQuery = (text, values) => dataSource.query(text, values);
    const nit = { nitKey: 'nit', reference: 'No 7' };
    await store([named('A', nit), ...['B', 'C', 'D', 'E'].map((name) => named(name))]);
    const read = async (): Promise<{ id: number; number: number; name: string }[]> =>
      dataSource.query(
        "SELECT id, change_no::int AS number, split_part(source_id, '_', 2) AS name FROM tender ORDER BY change_no",
      );
    const rows = await read();
    const head = rows.at(-1)?.number ?? 0;
    const pagesOf = async (limit: number) => {
      const pages: number[][] = [];
      for (let from = 0, more = true; more; ) {
        const page = await readScopeChanges(query, HIMACHAL, from, head, limit);
        pages.push(page.ids);
        ({ upTo: from, more } = page);
      }
      return pages;
    };
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = rows.map(({ id }) => id);
    expect(await pagesOf(2)).toEqual([[a, b], [c, d], [e]]);
    expect(await pagesOf(5)).toEqual([[a, b, c, d, e]]);
    expect(await readScopeChanges(query, HIMACHAL, 0, head, 9)).toEqual({
      ids: [a, b, c, d, e],
      upTo: head,
      more: false,
    });
    const counted = (scope: string, from: number, max: number) => countScopeChanges(query, scope, from, head, max);
    expect([
      await counted(HIMACHAL, 0, 3),
      await counted(HIMACHAL, 0, 9),
      await counted(HIMACHAL, rows[1]?.number ?? 0, 9),
      await counted('goa', 0, 9),
      await counted('india', 0, 9),
    ]).toEqual([3, 5, 3, 0, 5]);

    const ids = rows.map(({ id }) => id).sort((one, other) => one - other);
    const [first = 0, second = 0, third = 0, , last = 0] = ids;
    const state = 'Himachal Pradesh';
    expect(await countRangeRows(query, state, NOW, [third])).toEqual(
      new Map([
        [0, 2],
        [1, 3],
      ]),
    );
    const idsAfter = async (after: number, upTo: number | null, limit: number) =>
      (await readRowsAfter(query, state, NOW, { after, upTo }, limit)).map(({ id }) => id);
    expect([await idsAfter(0, second, 9), await idsAfter(second, null, 2), await idsAfter(last, null, 9)]).toEqual([
      [first, second],
      [third, ids[3]],
      [],
    ]);

    expect(await filterPublishedBy(query, [third, first, second], head)).toEqual([first, second, third]);
    expect(await filterPublishedBy(query, [a, b], rows[0]?.number ?? 0)).toEqual([a]);

    const lastName = rows.find(({ id }) => id === last)?.name ?? '';
    await store([named(lastName, { price: '9.00' })]);
    const changedAt = (await read()).at(-1)?.number ?? 0;
    const changedIn = async (starts: number[], from: number, to: number, scope = HIMACHAL) =>
      [...(await readChangedRanges(query, scope, from, to, starts))].sort();
    expect(await changedIn([third, last], head, changedAt)).toEqual([2]);
    expect([await changedIn([third], changedAt, changedAt), await changedIn([third], head, changedAt, 'goa')]).toEqual([
      [],
      [],
    ]);
    // A work that joins a notice changes the number of its works.
    await store([named('F', nit)]);
    const joined = (await read()).at(-1)?.number ?? 0;
    const sibling = rows.find(({ name }) => name === 'A')?.id ?? 0;
    expect(await readNitSiblings(query, HIMACHAL, changedAt, joined)).toEqual([sibling]);
    expect(await readNitSiblings(query, 'goa', changedAt, joined)).toEqual([]);
    expect(await changedIn([sibling + 1, last + 1], changedAt, joined)).toEqual([0, 2]);
  });

  test('prepares the packs that a first import leaves to build, once', async () => {
    const builds = app.app.get(PackBuildsService);
    expect(await builds.requestMissing(app.clock.now)).toBe(0);
    const old = { publishedAt: new Date('2026-01-01T05:00:00Z'), closesAt: new Date('2026-02-01T05:00:00Z') };
    const draft = { publishedAt: november('12T17:00:00') };
    await store([named('A'), named('G', { state: 'Goa' }), named('OLD', { state: 'Assam', ...old })]);
    await store([named('D', { state: 'Delhi', ...draft })]);
    expect(await builds.requestMissing(app.clock.now)).toBe(3);
    expect(await builds.requestMissing(app.clock.now)).toBe(3);
    const jobs = await app.database.dataSource.query(
      "SELECT data, priority FROM pgboss.job WHERE name = 'build-packs' ORDER BY data->>'scope'",
    );
    expect(jobs).toEqual(['goa', HIMACHAL, 'india'].map((scope) => ({ data: { scope, newerThan: -1 }, priority: 0 })));
    for (const { data } of jobs) await builds.build(data);
    expect(await builds.requestMissing(app.clock.now)).toBe(0);
    pass(1);
    expect((await started('goa')).sourceTenderIds()).toEqual([idOf('G')]);
  });

  describe('of a pack with several segments', () => {
    const COUNT = 5_300;
    const change = (from: number, count: number, price: string) =>
      store(Array.from({ length: count }, (_, i) => named(`N${from + i}`, { price })));
    const build = async (newerThan: number) => {
      const isBuilt = await buildPack(HIMACHAL, newerThan, { dataSource: app.database.dataSource, now: app.clock.now });
      pass(1);
      return isBuilt;
    };
    const readPack = async () => {
      const manifest = parseJsonBody(await requestManifest(app, HIMACHAL));
      return { ...manifest, changeNo: Number(manifest.cursor.split('.')[1]), hashes: hashesOf(manifest) };
    };
    const hashesOf = ({ segments }: { segments: { list: { hash: string }; detail: { hash: string } }[] }) =>
      segments.map(({ list, detail }) => `${list.hash} ${detail.hash}`);
    const writtenSegments = async () => {
      const rows = await app.database.dataSource.query('SELECT xmin::text AS version, hash FROM sync_segment');
      return new Map(rows.map(({ hash: each, version }: { hash: string; version: string }) => [each, version]));
    };

    test('writes only the segment of a changed row again, and none before a fiftieth has changed or a day has passed', {
      tags: 'release',
    }, async () => {
      await change(0, COUNT, '500000.00');
      const first = await readPack();
      expect(first.segments.map(({ rows }: { rows: number }) => rows)).toEqual([5_000, 300]);
      const versions = await writtenSegments();

      await change(5_200, 1, '7.00');
      expect(await compact()).toBe(1);
      expect((await readPack()).hashes).toEqual(first.hashes);
      expect(await build(first.changeNo)).toBe(true);
      const second = await readPack();
      expect(second.hashes.map((each: string, n: number) => each === first.hashes[n])).toEqual([true, false]);
      const later = await writtenSegments();
      for (const [each, version] of versions) expect(later.get(each)).toBe(version);
      expect((await fresh()).find(idOf('N5200'))?.price).toBe('7.00');

      await change(5_100, 150, '9.00');
      await store([named('LATE', { closesAt: november('30T11:00:00') })]);
      expect(await compact()).toBe(2);
      const third = await readPack();
      expect(third.hashes.map((each: string, n: number) => each === second.hashes[n])).toEqual([true, false]);
      expect(third.segments.map(({ rows }: { rows: number }) => rows)).toEqual([5_000, 301]);

      await change(1, 1, '11.00');
      expect(await compact()).toBe(0);
      pass(86_400);
      expect(await compact()).toBe(2);
      const device = await started();
      expect(await device.update(app)).toEqual([204]);
      expect(device.rows.size).toBe(COUNT + 1);
      expect(device.find(idOf('N1'))?.price).toBe('11.00');
      expect(device.find(idOf('N5100'))?.price).toBe('9.00');

      // Most tenders leave the pack by the clock, without a change.
      app.clock.now = new Date('2026-12-21T06:00:00Z');
      expect(await compact()).toBe(2);
      expect((await readPack()).segments.map(({ rows }: { rows: number }) => rows)).toEqual([1]);
      expect((await started()).sourceTenderIds()).toEqual([idOf('LATE')]);
    });

    test('gives the range of a segment whose tenders are gone to the segment before it, which stays', async () => {
      const { dataSource } = app.database;
      await store(['A', 'B', 'C'].map((name) => named(name)));
      await compact();
      const rows: { id: number; name: string }[] = await dataSource.query(
        "SELECT id, split_part(source_id, '_', 2) AS name FROM tender ORDER BY id",
      );
      const [first, second, third] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
      // One segment for each tender, as a large pack has for thousands.
      await dataSource.query(
        `UPDATE sync_manifest SET segments = (
           SELECT jsonb_agg(segments->0 || jsonb_build_object('rows', 1, 'upTo', up_to) ORDER BY up_to NULLS LAST)
           FROM unnest($2::int[]) up_to)
         WHERE scope = $1`,
        [HIMACHAL, [first.id, second.id, null]],
      );
      const ranges = async () => {
        const [{ segments }] = await dataSource.query('SELECT segments FROM sync_manifest WHERE scope = $1', [
          HIMACHAL,
        ]);
        return segments.map(({ rows: count, upTo }: { rows: number; upTo: number | null }) => [count, upTo]);
      };
      await store([named(second.name, { state: 'Goa' })]);
      await compact();
      expect(await ranges()).toEqual([
        [1, second.id],
        [1, null],
      ]);
      await store([named(third.name, { state: 'Goa' })]);
      await compact();
      expect(await ranges()).toEqual([[1, null]]);
    });

    test('of an earlier version, which names no ranges, is built as a whole', async () => {
      await change(0, 3, '500000.00');
      await compact();
      await app.database.dataSource.query(
        "UPDATE sync_manifest SET segments = jsonb_path_query_array(segments, '$[*]') #- '{0,upTo}'",
      );
      await change(1, 1, '7.00');
      expect(await compact()).toBe(2);
      expect((await started()).find(idOf('N1'))?.price).toBe('7.00');
    });
  });

  test('that is killed leaves the old manifest, and the next one completes it', async () => {
    await store([named('A')]);
    await compact();
    const before = parseJsonBody(await fetchCompressed(app, `/api/sync/${HIMACHAL}`));
    await store([named('B')]);
    const blocker = new Client(app.database.address as object);
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE sync_segment IN ACCESS EXCLUSIVE MODE');
    const killed = compactScopes({ dataSource: app.database.dataSource, now: app.clock.now });
    const failed = expect(killed).rejects.toThrow();
    await vi.waitFor(async () => {
      const ended = await app.database.dataSource.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM sync_segment%'`,
      );
      expect(ended).toHaveLength(1);
    }, WAIT);
    await failed;
    await blocker.query('ROLLBACK');
    await blocker.end();
    expect(parseJsonBody(await fetchCompressed(app, `/api/sync/${HIMACHAL}`))).toEqual(before);
    expect((await fresh()).sourceTenderIds()).toEqual(['A', 'B'].map(idOf));
    expect(await compact()).toBe(2);
    expect((await started()).sourceTenderIds()).toEqual(['A', 'B'].map(idOf));
  });

  test('whose segments are removed while it runs leaves the old manifest', async () => {
    await store([named('A')]);
    await compact();
    const before = parseJsonBody(await fetchCompressed(app, `/api/sync/${HIMACHAL}`));
    await store([named('B')]);
    const connections = () =>
      app.database.dataSource.query(
        "SELECT state FROM pg_stat_activity WHERE application_name = 'nivida-packs' AND datname = current_database()",
      );
    await withOwnConnection(app.database.dataSource, 'nivida-packs', async (query) => {
      const removing: SqlQuery = async (text, values) => {
        if (text === 'BEGIN')
          await query(
            "DELETE FROM sync_segment WHERE hash NOT IN (SELECT jsonb_path_query(segments, '$[*].*.hash') #>> '{}' FROM sync_manifest)",
          );
        return query(text, values);
      };
      await expect(compactPack(HIMACHAL, { query: removing, now: app.clock.now })).rejects.toThrow(
        'were removed during the build',
      );
      // The connection has neither an open transaction nor the lock of the scope.
      expect(await connections()).toEqual([{ state: 'idle' }]);
      expect(await query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")).toEqual([]);
    });
    await expect.poll(connections, WAIT).toEqual([]);
    expect(parseJsonBody(await fetchCompressed(app, `/api/sync/${HIMACHAL}`))).toEqual(before);
    expect(await compact()).toBe(2);
    expect((await started()).sourceTenderIds()).toEqual(['A', 'B'].map(idOf));
  });

  test('ends before the next segment when the worker stops, without a manifest', async () => {
    const { dataSource } = app.database;
    const builds = app.app.get(PackBuildsService);
    await store([named('A')]);
    await withOwnConnection(dataSource, 'nivida-packs', async (query) => {
      const stopping = new AbortController();
      const stopped: SqlQuery = async (text, values) => {
        if (text.includes('pg_advisory_lock')) stopping.abort(new Error('The worker stops'));
        return query(text, values);
      };
      const build = compactPack(HIMACHAL, { query: stopped, now: app.clock.now, signal: stopping.signal });
      await expect(build).rejects.toThrow('The worker stops');
    });
    builds.stop();
    await expect(builds.build({ scope: HIMACHAL, newerThan: -1 })).rejects.toThrow('The worker stops');
    expect(await dataSource.query('SELECT FROM sync_segment UNION ALL SELECT FROM sync_manifest')).toEqual([]);
  });

  test('deletes tombstones after ninety days, and earlier cursors become invalid', async () => {
    await store([named('DEMO')], { now: NOW, origin: 'generated' });
    const [old, goa] = [await fresh(), await fresh('goa')];
    await store([named('REAL', { closesAt: new Date('2027-06-01T05:30:00Z') })]);
    const afterwards = await fresh();
    await compact();
    app.clock.now = new Date(NOW.getTime() + 89 * DAY_MS);
    await compact();
    const copy = new SyncDevice(HIMACHAL);
    copy.cursor = old.cursor;
    expect(await copy.update(app)).toEqual([200]);
    const [{ last }] = await app.database.dataSource.query(
      "SELECT max(change_no)::int AS last FROM tender_history WHERE kind = 'removed'",
    );
    app.clock.now = new Date(NOW.getTime() + 91 * DAY_MS);
    await compact();
    const atLast = new SyncDevice(HIMACHAL);
    atLast.cursor = afterwards.cursor.replace(/\.\d+\./, `.${last}.`);
    await atLast.update(app);
    await expect(old.update(app)).rejects.toThrow('answered with 409');
    await expect(goa.update(app)).rejects.toThrow('answered with 409');
    await afterwards.update(app);
    for (const scope of [HIMACHAL, 'goa', 'india']) {
      const device = await started(scope);
      expect((await device.update(app)).at(-1)).toBe(204);
    }
    const left = await app.database.dataSource.query("SELECT FROM tender_history WHERE kind = 'removed'");
    expect(left).toHaveLength(0);
  });

  test('stores an old tombstone until every pack contains its change', async () => {
    const { dataSource } = app.database;
    await store([named('DEMO')], { now: NOW, origin: 'generated' });
    await fresh();
    await store([named('REAL', { closesAt: new Date('2027-06-01T05:30:00Z') })]);
    const tombstones = () => dataSource.query("SELECT FROM tender_history WHERE kind = 'removed'");
    app.clock.now = new Date(NOW.getTime() + 91 * DAY_MS);
    await pruneTombstones((text, values) => dataSource.query(text, values), app.clock.now);
    expect(await tombstones()).toHaveLength(1);
    await compact();
    expect(await tombstones()).toHaveLength(0);
  });
});

describe('several processes on one database', () => {
  let database: Database;
  let other: TestApp;
  beforeEach(async () => {
    database = await createTestDatabase();
    app = await startApp({ now: NOW, database });
    other = await startApp({ now: NOW, database });
    return async () => {
      await Promise.all([app.close(), other.close()]);
      await database.close();
    };
  });

  test('answer many concurrent first requests with 503, and a worker builds the pack once', async () => {
    const { dataSource } = database;
    await store([named('A')]);
    pass(1, other);
    const ask = () =>
      Promise.all(Array.from({ length: 12 }, (_, i) => fetchCompressed(i % 2 ? app : other, `/api/sync/${HIMACHAL}`)));
    for (const answer of await ask()) {
      expect(answer.status).toBe(503);
      expect(answer.headers).toMatchObject({
        'retry-after': expect.stringMatching(/^[2-6]$/),
        'cache-control': 'no-store',
      });
      expect(parseJsonBody(answer)).toMatchObject({
        code: 'NOT_READY',
        message: 'This download is being prepared. Please try again in a moment.',
      });
    }
    expect(await dataSource.query('SELECT FROM sync_segment')).toHaveLength(0);
    // A pack that a device waits for is built before those that only a first import has left.
    expect(
      await dataSource.query("SELECT data->>'scope' AS scope, priority FROM pgboss.job WHERE name = 'build-packs'"),
    ).toEqual([{ scope: HIMACHAL, priority: 1 }]);
    const worker = await startJobs();
    await vi.waitFor(async () => {
      pass(1);
      expect((await fetchCompressed(app, `/api/sync/${HIMACHAL}`)).status).toBe(200);
    }, WAIT);
    await worker.stop();
    pass(1);
    pass(2, other);
    const manifests = (await ask()).map(parseJsonBody);
    expect(new Set(manifests.map((each) => JSON.stringify(each))).size).toBe(1);
    expect((await started(HIMACHAL, other)).sourceTenderIds()).toEqual([idOf('A')]);
  });

  test('answer sign-in and lists while the packs of eleven first requests are built', async () => {
    const { dataSource } = database;
    const password = 'Asha@12345';
    const asha = await dataSource
      .getRepository(UserEntity)
      .save(createAccountRow({ passwordHash: await hash(password) }));
    const scopes = STATES.slice(0, 11);
    await store(scopes.map(({ name, slug }) => named(slug, { state: name })));
    const blocker = new Client(database.address as object);
    await blocker.connect();
    // Builds wait for this table.
    await blocker.query('BEGIN; LOCK TABLE sync_segment IN ACCESS EXCLUSIVE MODE');
    const worker = await startJobs();
    const answers = await Promise.all(scopes.map(({ slug }) => fetchCompressed(app, `/api/sync/${slug}`)));
    expect(answers.map(({ status }) => status)).toEqual(scopes.map(() => 503));
    const waiting = () =>
      dataSource.query(
        "SELECT application_name AS name FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
    await expect.poll(waiting, WAIT).toEqual([{ name: 'nivida-packs' }]);
    const signIn = await app.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { mobileNo: asha.mobileNo, password },
    });
    expect(signIn.statusCode).toBe(200);
    expect((await app.get(`/api/tenders?state=${scopes[0]?.slug}`)).json.total).toBe(1);
    // One build at a time, and none of the connections of requests.
    expect(await waiting()).toEqual([{ name: 'nivida-packs' }]);
    await blocker.query('ROLLBACK');
    await blocker.end();
    await vi.waitFor(async () => {
      const built = await dataSource.query('SELECT scope FROM sync_manifest ORDER BY scope');
      expect(built).toEqual(
        [...scopes.map(({ slug }) => ({ scope: slug })), { scope: 'india' }].sort((one, two) =>
          one.scope < two.scope ? -1 : 1,
        ),
      );
    }, WAIT);
    await worker.stop();
  });

  test("accept each other's cursors, also when one has read a change before the other", async () => {
    await store([named('A')]);
    pass(1, other);
    const device = await started(HIMACHAL, other);
    await device.update(other);
    await store([named('B')]);
    expect(await device.update(app)).toEqual([200]);
    // The other process still caches the head of the same second.
    expect(await device.update(other)).toEqual([204]);
    expect(device.sourceTenderIds()).toEqual(['A', 'B'].map(idOf));
  });

  test('agree on one epoch when they start at once', async () => {
    const epochs = await Promise.all(
      [app, other, app, other].map(async (each) => parseJsonBody(await requestManifest(each, 'goa')).epoch),
    );
    expect(new Set(epochs).size).toBe(1);
  });
});

test('a restored copy of a database has another epoch: every device reloads its pack', async () => {
  const server = inject('postgres');
  const database = await createTestDatabase();
  app = await startApp({ now: NOW, database });
  await store([named('A')]);
  const device = await fresh();
  await app.close();
  await database.dataSource.destroy();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new Client({ ...server, database: 'postgres' });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${(database.address as { database: string }).database}`);
  const address = { ...server, database: name };
  const dataSource = await createDataSource(address).initialize();
  const copy = await startApp({ now: NOW, database: { address, dataSource, close: () => dataSource.destroy() } });
  await expect(device.update(copy)).rejects.toThrow('answered with 409');
  const { epoch } = await device.start(copy);
  expect(epoch).not.toBe('');
  expect(device.sourceTenderIds()).toEqual([idOf('A')]);
  expect(await device.update(copy)).toEqual([204]);
  await copy.close();
  await dataSource.destroy();
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.end();
  await database.dataSource.initialize();
  await database.close();
});

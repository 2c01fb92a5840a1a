import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateClientTypes, schemaType } from '../../client/generate.ts';
import { ClientError, createNividaClient } from '../../client/nivida-client.ts';
import { ApiKeysService } from '../../src/data-out/keys/api-keys.service.ts';
import { isPublicRead } from '../../src/data-out/keys/register-api-keys.ts';
import { createSession } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const TYPES = join(import.meta.dirname, '../../client/paths.ts');

let app: TestApp;
let origin: string;
let key: string;

beforeAll(async () => {
  app = await startApp({ now: NOW });
  await importTenders(app.database.dataSource, [createSourceTender({ title: 'Bridge over the Sutlej' })], { now: NOW });
  const { user } = await createSession(app);
  ({ key } = await app.app.get(ApiKeysService).add(user._id, 'Test', 'request'));
  await app.app.listen(0, '127.0.0.1');
  origin = (await app.app.getUrl()).replace('[::1]', '127.0.0.1');
});
afterAll(() => app.close());

describe('the client', () => {
  test('has the types that the API describes', async () => {
    const { json } = await app.get('/api/openapi.json');
    const types = generateClientTypes(json, isPublicRead);
    if (process.env.WRITE_CLIENT) await writeFile(TYPES, types);
    expect(await readFile(TYPES, 'utf8')).toBe(types);
    expect(types).toContain('"/api/tenders": {');
    expect(types).not.toContain('/api/me');
  });

  test('reads lists, tenders, feeds and OCDS with types', async () => {
    const client = createNividaClient({ origin, key });
    const { data: list, remaining } = await client.get('/api/tenders', {
      query: { q: 'bridge', state: 'himachal-pradesh' },
    });
    const titles: string[] = list?.tenders.map(({ title }) => title) ?? [];
    expect(titles).toEqual(['Bridge over the Sutlej']);
    expect(remaining).toBe(599);
    const id = list?.tenders[0]?._id ?? '';
    const { data: found } = await client.get('/api/tenders/{id}', { path: { id } });
    const emd: string | null | undefined = found?.tender.emd;
    expect(emd).toBe('10000.00');
    const { data: atom } = await client.get('/feeds/tenders.atom', { query: { q: 'bridge' } });
    expect(atom).toContain('<feed ');
    const { data: releases } = await client.get('/api/ocds/releases', { query: { year: '2026' } });
    expect(releases?.releases?.map(({ ocid }) => ocid)).toEqual(['ocds-nivida-hptenders-2026_PWD_100001_1']);
  });

  test('asks whether something has changed', async () => {
    const client = createNividaClient({ origin });
    const { etag } = await client.get('/api/regions');
    const again = await client.get('/api/regions', { ifNoneMatch: etag ?? '' });
    expect(again.data).toBeUndefined();
  });

  test('throws a refusal with its code and the time to wait', async () => {
    const wrong = createNividaClient({ origin, key: `nva_${'a'.repeat(43)}` });
    await expect(wrong.get('/api/regions')).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    const client = createNividaClient({ origin });
    const refusal = client.get('/api/tenders', { query: { min: 'x' } });
    await expect(refusal).rejects.toBeInstanceOf(ClientError);
    await expect(refusal).rejects.toMatchObject({ status: 400, code: 'INVALID', retryAfter: null });
  });
});

describe('a type', () => {
  test.each<[string, object, string]>([
    ['an enum', { type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    ['a value that may be null', { type: 'number', nullable: true }, 'number | null'],
    [
      'alternatives',
      { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      'string | (string)[]',
    ],
    ['a record', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [
      'an object',
      { type: 'object', properties: { 'a-b': { type: 'boolean' } }, required: ['a-b'] },
      '{\n  "a-b": boolean;\n}',
    ],
    ['anything', {}, 'unknown'],
  ])('of %s is generated', (_name, schema, type) => {
    expect(schemaType(schema, 0)).toBe(type);
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEARCH_VERSION } from '@nivida/contract/search/search-version';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../../src/schema/database.ts';
import { sendText } from '../support/raw-request.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { createTestDatabase, emptyTables, startApp, type TestApp } from '../support/start-app.ts';

const IMPORT_MAP = '{"imports":{"/assets/app-1.js":"/assets/app-1a2b3c.js"}}';
// The SHA-256 of the map above.
const IMPORT_MAP_HASH = 'QTKMPxcrOh0ugJw+9vgVJcFXgMIhio925nuVCRYHe8c=';
const BUILT_PAGE = `<!doctype html><head><script type="importmap">${IMPORT_MAP}</script><title>Nivida</title></head>`;
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const NOW = new Date('2026-11-10T11:30:00+05:30');
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${IMPORT_MAP_HASH}'`,
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types nivida-sw nivida-engine',
];
const PROTECTION = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
};

// Searches are spoken, and the screen is kept on, on pages of the app itself, not in frames.
const PERMISSIONS = [
  ...['accelerometer', 'autoplay', 'camera', 'display-capture', 'encrypted-media', 'fullscreen', 'geolocation'],
  ...['gyroscope', 'hid', 'idle-detection', 'local-fonts', 'magnetometer', 'midi', 'payment', 'picture-in-picture'],
  ...['serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => `${feature}=()`)
  .concat('microphone=(self)', 'screen-wake-lock=(self)');

let folder: string;
let database: Database;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-floor-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), BUILT_PAGE);
  await writeFile(join(folder, 'assets/app-1a2b3c.js'), 'export {};');
  await writeFile(join(folder, 'sw.js'), `files=[{"url":"index.html","revision":"${md5(BUILT_PAGE)}"}]`);
  database = await createTestDatabase();
  app = await startApp({ now: NOW, database, pagesFolder: folder, env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  await database.close();
  await rm(folder, { recursive: true });
});

const send = (options: InjectOptions) => app.app.inject(options);

describe('the security headers', () => {
  test.each(['/', '/pricing', '/assets/app-1a2b3c.js', '/api/tenders', '/api/site', '/api/nothing', '/api/%zz', '/%'])(
    'are on %s',
    async (url) => {
      const { headers } = await send({ method: 'GET', url, headers: { accept: 'text/html' } });
      expect(String(headers['content-security-policy']).split('; ')).toEqual(POLICY);
      expect(headers).toMatchObject(PROTECTION);
      expect(String(headers['permissions-policy']).split(', ')).toEqual(PERMISSIONS);
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('server');
      expect(headers).not.toHaveProperty('strict-transport-security');
    },
  );

  test('leave a browser on https where the site is on https', async () => {
    const secure = await startApp({
      now: NOW,
      database,
      pagesFolder: folder,
      env: { PUBLIC_ORIGIN: 'https://nivida.example' },
    });
    const { headers } = await secure.get('/api/site');
    expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
    expect(headers['content-security-policy']).toBe([...POLICY, 'upgrade-insecure-requests'].join('; '));
    await secure.close();
  });

  test.each([
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(17_000)}\r\n\r\n`, '431'],
    ['what is not HTTP', 'HELLO\r\n\r\n', '400'],
    ['a length that is none', 'POST /api/nothing HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', '400'],
  ])('are in the response to %s', async (_what, bytes, status) => {
    const [head = '', body = ''] = (await sendText(app, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain(`content-security-policy: ${POLICY.join('; ').toLowerCase()}`);
    for (const [name, value] of Object.entries(PROTECTION))
      expect(head.toLowerCase()).toContain(`${name}: ${value.toLowerCase()}`);
    expect(JSON.parse(body)).toEqual({
      code: 'INVALID',
      message: expect.any(String),
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });
});

describe('with a CDN (ASSET_ORIGIN)', () => {
  const CDN = 'https://cdn.example';
  const SEGMENT = `/api/sync/segments/${'0'.repeat(64)}`;
  let site: TestApp;
  beforeAll(async () => {
    site = await startApp({ now: NOW, database, pagesFolder: folder, env: { ASSET_ORIGIN: CDN } });
  });
  afterAll(() => site.close());

  test('every page loads its files from there, and the policy allows only this', async () => {
    const map = IMPORT_MAP.replaceAll('/assets/', `${CDN}/assets/`);
    const hash = createHash('sha256').update(map).digest('base64');
    for (const url of ['/', '/pricing', '/index.html']) {
      const { text, headers } = await site.get(url, { accept: 'text/html' });
      expect(text).toContain(`<script type="importmap">${map}</script>`);
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy.filter((rule) => !POLICY.includes(rule))).toEqual([
        `script-src 'self' ${CDN} 'sha256-${hash}'`,
        `style-src 'self' ${CDN}`,
        `connect-src 'self' ${CDN}`,
      ]);
    }
  });

  test('the service worker knows it and the page that names it, and both are asked for at each visit', async () => {
    const page = await site.get('/index.html');
    const worker = await site.get('/sw.js');
    expect(worker.text).toBe(`self.ASSET_ORIGIN="${CDN}";files=[{"url":"index.html","revision":"${md5(page.text)}"}]`);
    expect((await site.get('/', { accept: 'text/html' })).headers['x-build']).toBe(md5(page.text));
    for (const { headers } of [page, worker]) expect(headers['cache-control']).toBe('no-cache');
    expect(worker.headers['content-type']).toContain('text/javascript');
  });

  test('its files may be read by the pages of the app, nothing else may', async () => {
    const { headers } = await site.get('/assets/app-1a2b3c.js');
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    const segment = await site.get(SEGMENT);
    expect(segment.headers['access-control-allow-origin']).toBe('*');
    expect(segment.headers['access-control-expose-headers']).toBe('ETag, X-File-ETag, X-File-Offset');
    // A CDN must not keep that a file was missing.
    expect(segment.headers['cache-control']).toBe('no-store');
    for (const url of ['/', '/sw.js', '/api/tenders', '/api/sync/himachal-pradesh'])
      expect((await site.get(url)).headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('manifests name it beside the paths of the segments', async () => {
    expect((await site.get('/api/sync/himachal-pradesh')).json.assetOrigin).toBe(CDN);
  });

  test('without one nothing names another origin', async () => {
    expect((await app.get('/', { accept: 'text/html' })).text).toContain(IMPORT_MAP);
    expect((await app.get('/sw.js')).text).not.toContain('ASSET_ORIGIN');
    expect((await app.get('/assets/app-1a2b3c.js')).headers).not.toHaveProperty('access-control-allow-origin');
    expect((await app.get('/api/sync/himachal-pradesh')).json).not.toHaveProperty('assetOrigin');
  });
});

describe('another site', () => {
  test.each(['https://evil.example', 'null', 'http://localhost:3000'])(
    'at %s is not allowed to read',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await send({
          method,
          url: '/api/tenders',
          headers: { origin, 'access-control-request-method': 'POST' },
        });
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    },
  );
});

describe('a request is refused', () => {
  test.each<[string, number, string, InjectOptions]>([
    ['with an address over 4 KB', 414, 'The address is too long', { url: `/api/nothing?q=${'a'.repeat(4_082)}` }],
    ['with an address that cannot be decoded', 400, 'The address cannot be read', { url: '/api/%zz' }],
    ['with a body over 32 KB', 413, 'The request is too large', json(`{"a":"${'a'.repeat(33_000)}"}`)],
    [
      'with a body nested too deep',
      400,
      'The request is nested deeper than 8 levels',
      json(`${'['.repeat(9)}${']'.repeat(9)}`),
    ],
    ['with a body that is no JSON', 400, 'The request cannot be read', json('{"a":')],
    ['with a key that reaches a prototype', 400, 'The request cannot be read', json('{"__proto__":{"role":"admin"}}')],
    ['with such a key further down', 400, 'The request cannot be read', json('{"a":[{"__proto__":{}}]}')],
    [
      'with a constructor that does',
      400,
      'The request cannot be read',
      json('{"constructor":{"prototype":{"role":"admin"}}}'),
    ],
    ['with a form', 415, 'Only JSON is accepted', typed('application/x-www-form-urlencoded', 'a=1')],
    ['with a form of parts', 415, 'Only JSON is accepted', typed('multipart/form-data; boundary=x', '--x--')],
    ['with text', 415, 'Only JSON is accepted', typed('text/plain', '{}')],
    ['with bytes', 415, 'Only JSON is accepted', typed('application/octet-stream', '{}')],
    ['with XML', 415, 'Only JSON is accepted', typed('application/xml', '<a/>')],
    ['with almost JSON', 415, 'Only JSON is accepted', typed('application/jsonp', '{}')],
  ])('%s', async (_what, status, message, options) => {
    const reply = await send(options);
    expect(reply.statusCode).toBe(status);
    expect(reply.json()).toMatchObject({ code: 'INVALID', message, requestId: reply.headers['x-request-id'] });
  });

  function typed(type: string, payload: string): InjectOptions {
    return { method: 'POST', url: '/api/auth/login', headers: { 'content-type': type }, payload };
  }
  function json(payload: string): InjectOptions {
    return typed('application/json', payload);
  }

  test('with a form of parts by a page that takes a plain form, which browsers send', async () => {
    const post = async (type: string, url: string) => {
      const reply = await send({ method: 'POST', url, headers: { 'content-type': type }, payload: '--x--' });
      return reply.statusCode;
    };
    const [plain, parts] = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    const download = `/d/${'A'.repeat(43)}`;
    expect([await post(plain, download), await post(parts, download)]).toEqual([404, 415]);
    // The button of a mail program may send either.
    const stop = '/api/unsubscribe/x';
    expect([await post(plain, stop), await post(parts, stop)]).toEqual([404, 404]);
  });

  test('not for a content type without a body', async () => {
    const reply = await send({ ...json(''), url: '/api/auth/logout' });
    expect(reply.statusCode).not.toBe(400);
    expect((await send(json(''))).json().message).not.toBe('The request cannot be read');
  });

  test('beyond these limits, and not at them', async () => {
    expect((await send({ url: `/api/nothing?q=${'a'.repeat(4_081)}` })).statusCode).toBe(404);
    expect((await send(json(`{"a":"${'a'.repeat(32_760)}"}`))).statusCode).toBe(400);
    expect((await send(json(`{"a":"${'a'.repeat(32_761)}"}`))).statusCode).toBe(413);
  });

  test.each<[string, string, string, string]>([
    ['lists', '['.repeat(7), '[1]', ']'.repeat(7)],
    ['objects', '{"a":'.repeat(7), '{"a":1}', '}'.repeat(7)],
  ])('with nine nested %s, and is accepted with eight', async (_what, open, inner, close) => {
    const [eight, nine] = [await send(json(open + inner + close)), await send(json(`${open}[${inner}]${close}`))];
    expect(eight.statusCode).toBe(400);
    expect(eight.json().message).not.toMatch(/levels/);
    expect(nine.json().message).toBe('The request is nested deeper than 8 levels');
  });

  test.each([
    ['its headers', 'GET /api/site HTTP/1.1\r\nHost: localhost\r\nX-A: a'],
    [
      'its body',
      'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('when %s take longer than the timeout, as soon as it ends', async (_what, bytes) => {
    const server = app.app.getHttpServer();
    expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 15_000]);
    // Node reads both settings at each check.
    Object.assign(server, { headersTimeout: 100, requestTimeout: 100 });
    try {
      const [head = '', body = ''] = (await sendText(app, bytes)).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
      expect(JSON.parse(body)).toMatchObject({ code: 'INVALID', message: 'The request took too long' });
    } finally {
      Object.assign(server, { headersTimeout: 10_000, requestTimeout: 15_000 });
    }
  });
});

describe('the rate limit', () => {
  let proxied: TestApp;
  beforeAll(async () => {
    proxied = await startApp({ now: NOW, database, pagesFolder: folder, env: { TRUST_PROXY: '1' } });
  });
  afterAll(() => proxied.close());

  /** Number of accepted requests out of `count` from an address. */
  async function pass(count: number, url: string, address: string): Promise<number> {
    let passed = 0;
    for (let sent = 0; sent < count; sent++) {
      const { status } = await proxied.get(url, { 'x-forwarded-for': address, accept: 'application/json' });
      if (status !== 429) passed++;
    }
    return passed;
  }

  test('allows an IPv6 network 60 searches a minute, from all its addresses together', async () => {
    const results: number[] = [];
    const answersOf = async (url: string, address = '2001:db8:0:1::9') => {
      const { status, text } = await proxied.get(url, { 'x-forwarded-for': address, accept: 'text/html' });
      return [status, text.includes('id="answer"')];
    };
    await importTenders(database.dataSource, [createSourceTender()], { now: NOW });
    onTestFinished(() => emptyTables(database, ['tender', 'tender_history']));
    const [{ id }] = await database.dataSource.query('SELECT id FROM tender');
    expect(await answersOf('/tenders/results?state=Assam')).toEqual([200, true]);
    for (const address of ['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1:ffff:1:2:3'])
      results.push(await pass(25, '/api/tenders?limit=1', address));
    // The page of results is the first of the 60.
    expect(results).toEqual([25, 25, 9]);
    // Pages are still sent, without search results.
    expect(await answersOf('/tenders/results?state=Assam')).toEqual([200, false]);
    expect(await answersOf('/analysis')).toEqual([200, false]);
    expect(await answersOf(`/tenders/${id}`)).toEqual([200, false]);
    expect(await answersOf(`/tenders/${id}`, '2001:db8:0:2::9')).toEqual([200, true]);
    expect(await answersOf('/')).toEqual([200, true]);
    expect(await pass(1, '/api/tenders/search?q=road', '2001:db8:0:1::9')).toBe(0);
    expect(await pass(1, '/tenders', '2001:db8:0:1::9')).toBe(0);
    expect(await pass(1, '/api/facets?state=Assam', '2001:db8:0:1::9')).toBe(0);
    expect(await pass(1, '/api/tenders/1/similar-works', '2001:db8:0:1::9')).toBe(0);
    expect(await pass(1, '/api/awards', '2001:db8:0:1::9')).toBe(0);
    expect(await pass(1, '/api/awards/states/assam?department=PWD', '2001:db8:0:1::9')).toBe(0);
    // A single tender is no search.
    for (const url of ['/api/tenders/1', '/api/tenders/1/office'])
      expect(await pass(1, url, '2001:db8:0:1::9')).toBe(1);
    expect(await pass(1, '/api/tenders?limit=1', '2001:db8:0:2::1')).toBe(1);
  });

  test('ends after a minute, also when the clock is set back in between', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      expect(await pass(61, '/api/tenders?limit=1', '2001:db8:0:3::1')).toBe(60);
      vi.setSystemTime(Date.now() - 86_400_000);
      vi.advanceTimersByTime(59_000);
      expect(await pass(1, '/api/tenders?limit=1', '2001:db8:0:3::1')).toBe(0);
      vi.advanceTimersByTime(1_001);
      expect(await pass(1, '/api/tenders?limit=1', '2001:db8:0:3::1')).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is an error of the usual form, with the time to wait', async () => {
    await pass(61, '/api/tenders?limit=1', '2001:db8:1:1::1');
    const { status, headers, json } = await proxied.get('/api/tenders', { 'x-forwarded-for': '2001:db8:1:1::1' });
    expect(status).toBe(429);
    expect(json).toEqual({
      code: 'TOO_MANY',
      message: 'Too many requests. Please wait a minute. Many people use your network. Another network works at once.',
      requestId: headers['x-request-id'],
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(headers).toMatchObject(PROTECTION);
  });

  test('allows an IPv6 network 300 calls a minute, without files, pages and segments', async () => {
    const address = '2001:db8:2:1::1';
    expect(await pass(310, '/api/nothing', address)).toBe(300);
    const segment = `/api/sync/segments/${'0'.repeat(64)}`;
    for (const url of ['/', '/pricing', '/assets/app-1a2b3c.js', segment]) expect(await pass(2, url, address)).toBe(2);
    // A part of a segment is compressed for its request.
    expect(await pass(1, `${segment}?from=1`, address)).toBe(0);
    expect(await pass(1, '/d/style.css', address)).toBe(0);
  });

  test('allows an IPv6 network 30 unknown orders a minute, for both names of the call', async () => {
    const statuses: number[] = [];
    for (let nth = 1; nth <= 40; nth++) {
      const name = nth % 2 ? 'payment-status' : 'status-check';
      const url = `/api/${name}?id=${randomBytes(16).toString('base64url')}`;
      statuses.push((await proxied.get(url, { 'x-forwarded-for': '2001:db8:40::1' })).status);
    }
    expect(statuses).toEqual([...Array(30).fill(404), ...Array(10).fill(429)]);
    expect((await proxied.get('/api/payment-status?id=x', { 'x-forwarded-for': '2001:db8:41::1' })).status).toBe(404);
  });

  test('allows an IPv6 network 30 unknown receipts and links a minute', async () => {
    const statuses: number[] = [];
    for (let nth = 1; nth <= 40; nth++) {
      const url = nth % 2 ? `/api/orders/${randomBytes(16).toString('base64url')}/receipt.pdf` : `/d/${'A'.repeat(43)}`;
      statuses.push((await proxied.get(url, { 'x-forwarded-for': '2001:db8:50::1' })).status);
    }
    expect(statuses).toEqual([...Array(30).fill(404), ...Array(10).fill(429)]);
  });

  test('allows an IPv4 address, which many share, many searches a minute', async () => {
    expect(await pass(100, '/api/tenders/search', '203.0.113.7')).toBe(100);
  });

  test('allows an IPv6 network the webhooks of its limit for providers', async () => {
    expect(await pass(605, '/api/webhooks/payments/sandbox', '2001:db8:4:1::1')).toBe(600);
    expect(await pass(1, '/api/nothing', '2001:db8:4:1::1')).toBe(1);
  });

  test('ignores an address that no trusted proxy wrote', async () => {
    const replies = await Promise.all(
      Array.from({ length: 62 }, () => app.get('/api/tenders?limit=1', { 'x-forwarded-for': '2001:db8:3:1::1' })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(62).fill(200));
  });
});

test.each([
  ['/api/tenders/999999', 404],
  ['/api/tenders?sort=colour', 400],
  ['/api/me', 401],
])('the error of %s has no ETag', async (url, status) => {
  const reply = await app.get(url);
  expect([reply.status, reply.headers.etag]).toEqual([status, undefined]);
  expect((await app.get('/api/regions')).headers.etag).toBeDefined();
});

describe('the settings of the operator', () => {
  test('are sent to pages, with null for a missing one', async () => {
    const { json, headers } = await app.get('/api/site');
    expect(json).toEqual({
      supportEmail: null,
      privacyEmail: null,
      dpoEmail: null,
      socialUrl: null,
      legalName: null,
      legalAddress: null,
      supportPhone: null,
      grievanceName: null,
      grievanceEmail: null,
      gstin: null,
      googleClientId: null,
      payments: 'sandbox',
      freePlan: null,
      answerHours: null,
      searchVersion: SEARCH_VERSION,
    });
    expect(headers['cache-control']).toBe('public, max-age=60');
  });

  test('are the only part of the environment that is sent', async () => {
    const configured = await startApp({
      now: NOW,
      database,
      env: {
        SUPPORT_EMAIL: 'help@nivida.example',
        PRIVACY_EMAIL: 'privacy@nivida.example',
        DPO_EMAIL: 'dpo@nivida.example',
        SOCIAL_URL: 'https://social.example/nivida',
        LEGAL_NAME: 'Nivida Private Limited',
        LEGAL_ADDRESS: '2 The Mall, Shimla 171001',
        SUPPORT_PHONE: '+911772650000',
        GRIEVANCE_NAME: 'Ravi Thakur',
        GRIEVANCE_EMAIL: 'grievance@nivida.example',
        GSTIN: '02ABCDE1234F1ZC',
        GOOGLE_CLIENT_ID: '1234-abc.apps.googleusercontent.com',
        MAIL_URL: 'smtp://u:p@mail.example',
        PAYMENT_PROVIDER: 'phonepe',
        PHONEPE_ENV: 'production',
        PHONEPE_CLIENT_ID: 'M1-client',
        PHONEPE_CLIENT_SECRET: 's3cret-of-phonepe',
        PHONEPE_WEBHOOK_SECRET: 'nivida:passw0rd',
      },
    });
    const { json, text } = await configured.get('/api/site');
    expect(json).toEqual({
      supportEmail: 'help@nivida.example',
      privacyEmail: 'privacy@nivida.example',
      dpoEmail: 'dpo@nivida.example',
      socialUrl: 'https://social.example/nivida',
      legalName: 'Nivida Private Limited',
      legalAddress: '2 The Mall, Shimla 171001',
      supportPhone: '+911772650000',
      grievanceName: 'Ravi Thakur',
      grievanceEmail: 'grievance@nivida.example',
      gstin: '02ABCDE1234F1ZC',
      googleClientId: '1234-abc.apps.googleusercontent.com',
      payments: 'live',
      freePlan: null,
      answerHours: null,
      searchVersion: SEARCH_VERSION,
    });
    expect(text).not.toMatch(/smtp|pepper|key-of|M1-client|s3cret|passw0rd/);
    expect((await configured.get('/api/health')).json).toEqual({
      status: 'ok',
      database: 'ok',
      payments: 'live',
      version: configured.config.version,
    });
    await configured.close();
  });
});

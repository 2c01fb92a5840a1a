import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendText } from '../support/raw-request.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const PAGE = '<!doctype html><title>Nivida</title><script type="module" src="/assets/app-1a2b3c.js"></script>';
/** The headers of a browser that opens an address. */
const NAVIGATION = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

let folder: string;
let app: TestApp;
let id: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-pages-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'sw.js'), '// worker');
  await writeFile(join(folder, 'manifest.webmanifest'), '{"name":"Nivida"}');
  await writeFile(join(folder, 'assets/app-1a2b3c.js'), 'export {};');
  app = await startApp({ now: NOW, pagesFolder: folder });
  await importTenders(app.database.dataSource, [createSourceTender()], { now: NOW });
  id = (await app.get('/api/tenders')).json.tenders[0]._id;
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

/** 'page', 'list', 'tender' or the code of the error. */
async function kindOf(url: string, headers: Record<string, string> = {}): Promise<string> {
  const { text, json, headers: got } = await app.get(url, headers);
  if (got['content-type'] === 'text/html; charset=utf-8') {
    expect(text).toContain('<script type="module" src="/assets/app-1a2b3c.js"></script>');
    return 'page';
  }
  expect(got['content-type']).toBe('application/json; charset=utf-8');
  if (json.code) return json.code;
  return 'tenders' in json ? 'list' : 'tender';
}

describe('/tenders and /tenders/{id} are a page and an API call', () => {
  test.each<[string, Record<string, string>, 'page' | 'call']>([
    ['a browser that opens it or loads it again', { accept: NAVIGATION }, 'page'],
    ['who accepts a page only', { accept: 'text/html' }, 'page'],
    ['who prefers a page', { accept: 'application/json;q=0.5, text/html' }, 'page'],
    ['who accepts any text', { accept: 'text/*' }, 'page'],
    ['the app', { accept: 'application/json' }, 'call'],
    ['who prefers JSON', { accept: 'application/json, text/html;q=0.9' }, 'call'],
    ['who names a page first', { accept: 'text/html, application/json' }, 'page'],
    ['who names JSON first', { accept: 'application/json, text/plain, text/html' }, 'call'],
    ['axios', { accept: 'application/json, text/plain, */*' }, 'call'],
    ['who takes anything', { accept: '*/*' }, 'page'],
    ['who says nothing', {}, 'page'],
    ['who accepts neither', { accept: 'image/png' }, 'page'],
    ['who cannot say it properly', { accept: ';;;,,/' }, 'page'],
    ['a program', { accept: '*/*', 'user-agent': 'curl/8.5.0' }, 'page'],
    [
      'Teams',
      { accept: '*/*', 'user-agent': 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5' },
      'page',
    ],
    ['Viber', { accept: '*/*', 'user-agent': 'Viber/22.1.0' }, 'page'],
    ['WhatsApp', { accept: '*/*', 'user-agent': 'WhatsApp/2.23.20.0' }, 'page'],
    ['Telegram', { accept: '*/*', 'user-agent': 'TelegramBot (like TwitterBot)' }, 'page'],
    ['Slack', { accept: '*/*', 'user-agent': 'Slackbot-LinkExpanding 1.0' }, 'page'],
    ['Facebook', { accept: '*/*', 'user-agent': 'facebookexternalhit/1.1' }, 'page'],
    ['Google', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }, 'page'],
    ['another crawler', { accept: 'application/json', 'user-agent': 'SomeCrawler/1.0' }, 'page'],
  ])('%s (%j) gets the %s', async (_who, headers, kind) => {
    expect(await kindOf('/tenders', headers)).toBe(kind === 'page' ? 'page' : 'list');
    expect(await kindOf(`/tenders/${id}`, headers)).toBe(kind === 'page' ? 'page' : 'tender');
    expect(await kindOf('/tenders?state=HP&q=bridge', headers)).toBe(kind === 'page' ? 'page' : 'list');
  });

  test('the API call is the one below /api, with its filter', async () => {
    const unprefixed = await app.get('/tenders?state=HP&limit=1', { accept: 'application/json' });
    expect(unprefixed.text).toBe((await app.get('/api/tenders?state=HP&limit=1')).text);
    expect(unprefixed.json.filter.state).toBe('Himachal Pradesh');
    const json = { accept: 'application/json' };
    expect((await app.get(`/tenders/${id}`, json)).text).toBe((await app.get(`/api/tenders/${id}`)).text);
    expect((await app.get('/tenders?open=2', json)).json.fields).toEqual({ open: 'open must be 0 or 1' });
  });

  test('an unknown tender is a page for browsers and an error for programs', async () => {
    expect(await kindOf('/tenders/999999', { accept: NAVIGATION })).toBe('page');
    expect(await kindOf('/tenders/999999', { accept: 'application/json' })).toBe('NOT_FOUND');
  });

  test('HEAD is answered like GET, without a body', async () => {
    for (const [accept, type] of [
      [NAVIGATION, 'text/html; charset=utf-8'],
      ['application/json', 'application/json; charset=utf-8'],
    ] as const) {
      const reply = await app.app.inject({ method: 'HEAD', url: `/tenders/${id}`, headers: { accept } });
      expect([reply.statusCode, reply.headers['content-type'], reply.body]).toEqual([200, type, '']);
    }
  });
});

describe('Vary names the headers that the response depends on', () => {
  test.each(['/tenders', '/tenders?q=road', '/tenders/1'])('Accept and User-Agent at %s', async (url) => {
    for (const accept of [NAVIGATION, 'application/json'])
      expect((await app.get(url, { accept })).headers.vary).toBe('Accept, User-Agent');
  });

  test('data at the address of a page stays out of shared caches, which may ignore Vary', async () => {
    const cachingOf = async (url: string) =>
      (await app.get(url, { accept: 'application/json' })).headers['cache-control'];
    expect(await cachingOf('/tenders?q=road')).toBe('private, max-age=0, must-revalidate, s-maxage=30');
    expect(await cachingOf('/api/tenders?q=road')).toBe('public, max-age=0, must-revalidate, s-maxage=30');
  });

  test('also Accept-Language for an error, whose text is in the language of the request', async () => {
    const varyOf = async (accept: string) => (await app.get('/tenders/999999', { accept })).headers.vary;
    expect(await varyOf(NAVIGATION)).toBe('Accept, User-Agent');
    expect(await varyOf('application/json')).toBe('Accept, User-Agent, Accept-Language');
  });

  test.each([
    '/',
    '/pricing',
    '/tenders/results',
    '/tenders/results?state=HP',
    '/tenders/bookmarked',
    '/tenders/1/bookmark',
    '/api/tenders',
    '/api/tenders/1',
    '/api/nothing',
    '/assets/app-1a2b3c.js',
  ])('neither at %s', async (url) => {
    for (const accept of [NAVIGATION, 'application/json'])
      expect((await app.get(url, { accept })).headers.vary ?? '').not.toMatch(/accept\b(?!-)|user-agent/i);
  });
});

describe('an address that a URL parser would read as another host', () => {
  test.each(['//', '//[', '//x:99999/', '/\\evil', '/\\/evil', '//evil.example/', '///', '/%5Cevil', '//tenders'])(
    '%s is a page that does not exist',
    async (target) => {
      const answer = await sendText(app, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 404 /);
      expect(answer).toContain('<title>Page not found · Nivida</title>');
    },
  );

  test('a request target with scheme and host is the same address without them', async () => {
    for (const [target, status] of [
      ['http://localhost/pricing', 200],
      ['http://localhost//[', 404],
      ['http://other.example/no-such-page', 404],
    ] as const) {
      const raw = await sendText(app, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(raw).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
    const call =
      'GET http://localhost/tenders HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nConnection: close\r\n\r\n';
    expect(await sendText(app, call)).toContain('"tenders":');
  });
});

describe('the Host header', () => {
  test.each([
    ['Host: a.example\r\nHost: b.example', 400],
    ['Host: a.example\r\nhost: a.example', 400],
    ['Host: a b', 400],
    ['Host: a/b', 400],
    ['Host: user@a', 400],
    ['Host: a,b', 400],
    ['Host: a:99999', 400],
    ['Host: a:x', 400],
    ['Host: [::1', 400],
    ['X-Host: a', 400],
    ['Host: a.example:3000', 200],
    ['Host: [::1]:3000', 200],
    ['Host: 127.0.0.1', 200],
    ['Host:', 200],
  ])('%j is answered with %i', async (header, status) => {
    const answer = await sendText(app, `GET /pricing HTTP/1.1\r\n${header}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe('pages', () => {
  test.each([
    '/',
    '/tenders/results',
    '/tenders/results?state=Himachal%20Pradesh',
    '/tenders/',
    '/pricing',
    '/dashboard/profile',
    '/payment-status?id=5',
    '/no-such-page',
    '/apis',
  ])('%s is the page for every Accept header', async (url) => {
    for (const accept of [NAVIGATION, 'application/json', '*/*']) expect(await kindOf(url, { accept })).toBe('page');
  });

  test('are revalidated on every visit', async () => {
    for (const url of ['/', '/pricing', '/index.html', '/tenders']) {
      const { headers, text } = await app.get(url, { accept: NAVIGATION });
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers.etag).toBeTruthy();
      expect(text).toContain('<script type="module" src="/assets/app-1a2b3c.js"></script>');
      const again = await app.get(url, { accept: NAVIGATION, 'if-none-match': headers.etag as string });
      expect(again.status).toBe(304);
    }
  });

  test('have a policy without inline scripts', async () => {
    const policy = (await app.get('/', { accept: NAVIGATION })).headers['content-security-policy'];
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
  });

  test('accept only GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const reply = await app.app.inject({ method, url: '/pricing', headers: { accept: NAVIGATION } });
      expect([reply.statusCode, reply.json().code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('files', () => {
  test('with a hash in their name are cached for a year', async () => {
    const { status, headers, text } = await app.get('/assets/app-1a2b3c.js');
    expect([status, text]).toEqual([200, 'export {};']);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toMatch(/^(?:text|application)\/javascript/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test.each(['/sw.js', '/manifest.webmanifest', '/index.html'])('%s is asked for again each time', async (url) => {
    const { status, headers } = await app.get(url);
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
  });

  test.each([
    '/assets/app-000000.js',
    '/favicon.ico',
    '/.env',
    '/assets/../../package.json',
    '/..%2f..%2fpackage.json',
  ])('%s is neither a file nor a page', async (url) => {
    expect(await kindOf(url, { accept: NAVIGATION })).toBe('NOT_FOUND');
  });
});

describe('addresses below /api are API calls', () => {
  test.each(['/api', '/api/', '/api/nothing', '/api/tenders/', '/api?x', `/api/tenders/${'x'.repeat(200)}`])(
    '%s is an error in JSON, for people too',
    async (url) => {
      for (const accept of [NAVIGATION, 'application/json', '*/*']) {
        const { status, json, headers } = await app.get(url, { accept });
        expect(status).toBe(404);
        expect(json).toEqual({
          code: 'NOT_FOUND',
          message: 'There is nothing at this address',
          requestId: headers['x-request-id'],
        });
        expect(headers['cache-control']).toBe('no-store');
      }
    },
  );

  test('a known call returns JSON to browsers too', async () => {
    expect(await kindOf('/api/tenders', { accept: NAVIGATION })).toBe('list');
    expect(await kindOf(`/api/tenders/${id}`, { accept: NAVIGATION, 'user-agent': 'WhatsApp/2' })).toBe('tender');
  });
});

describe('the calls that also work without /api', () => {
  test.each([
    ['POST', '/auth/login'],
    ['POST', '/auth/register'],
    ['POST', '/auth/forgot-password'],
    ['POST', '/auth/reset-password'],
    ['POST', '/auth/google'],
    ['POST', '/tenders/1/bookmark'],
    ['DELETE', '/tenders/1/bookmark'],
    ['GET', '/tenders/bookmarked'],
  ] as const)('%s %s is answered as below /api, never by a page', async (method, url) => {
    const headers = { accept: NAVIGATION };
    const [unprefixed, prefixed] = await Promise.all(
      [url, `/api${url}`].map((each) => app.app.inject({ method, url: each, headers })),
    );
    expect(unprefixed?.statusCode).toBe(prefixed?.statusCode);
    expect(unprefixed?.json().message).toBe(prefixed?.json().message);
  });
});

test('the calls work without a built app', async () => {
  const bare = await startApp({ now: NOW, database: app.database, pagesFolder: join(folder, 'nowhere') });
  expect((await bare.get('/api/tenders')).json.total).toBe(1);
  expect((await bare.get('/', { accept: NAVIGATION })).json.code).toBe('NOT_FOUND');
  await bare.close();
});

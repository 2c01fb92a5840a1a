/** The table of pages has all facts of a page: one that is added there is everywhere. */
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findPage, isDeskPath, PAGES, type Page, pageEntries } from '@nivida/contract/site/pages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLIC_PAGES, REDIRECTS, SIGNED_IN_PAGES } from '../../../e2e/support/expected-pages.ts';
import { pageKey } from '../../../pwa/src/data/stored-pages/stored-pages.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const ORIGIN = 'https://nivida.example';
const SCREENS = resolve(import.meta.dirname, '../../../pwa/src/screens');
const HTML = `<!doctype html><html><head><title>x</title>
    <link rel="icon" href="/icons/icon.svg" type="image/svg+xml" /></head><body><div id="root"></div></body></html>`;

const ADDED: Record<string, Page> = {
  '/bid-calendar': {
    title: 'Bid calendar',
    description: 'The closing hours of a month.',
    screen: 'info/About',
    landing: 'static',
    isStored: true,
  },
  '/own-calendar': {
    title: 'Own calendar',
    description: 'Your closing hours.',
    screen: 'info/About',
    isPrivate: true,
    needsSession: true,
  },
};

let base: string;
let app: TestApp;
let routes: typeof import('../../../pwa/src/routes.tsx');

beforeAll(async () => {
  Object.assign(PAGES, ADDED);
  routes = await import('../../../pwa/src/routes.tsx');
  const { renderPage } = await import('../../../pwa/src/page.tsx');
  Object.assign(globalThis, { renderPage });
  base = await mkdtemp(join(tmpdir(), 'nivida-pages-'));
  await mkdir(join(base, 'dist/.vite'), { recursive: true });
  await mkdir(join(base, 'dist-server'));
  await writeFile(join(base, 'package.json'), '{"type":"module"}');
  await writeFile(join(base, 'dist/index.html'), HTML);
  await writeFile(
    join(base, 'dist/.vite/manifest.json'),
    JSON.stringify({ 'src/screens/info/About.screen.tsx': { file: 'assets/About-1.js' } }),
  );
  await writeFile(join(base, 'dist-server/page.js'), 'export const renderPage = globalThis.renderPage;');
  app = await startApp({
    now: new Date('2026-11-10T06:00:00Z'),
    pagesFolder: join(base, 'dist'),
    env: { PUBLIC_ORIGIN: ORIGIN },
  });
});
afterAll(async () => {
  for (const path of Object.keys(ADDED)) Reflect.deleteProperty(PAGES, path);
  Reflect.deleteProperty(globalThis, 'renderPage');
  await app.close();
  await rm(base, { recursive: true });
});

const open = (path: string) => app.get(path, { accept: 'text/html' });
const sitemap = async () => (await app.get('/sitemaps/pages.xml')).text;

test('an added page is found by the server, with its texts, its first screen and the files of its screen', async () => {
  const { status, text } = await open('/bid-calendar');
  expect(status).toBe(200);
  expect(text).toContain('<title>Bid calendar · Nivida</title>');
  expect(text).toContain('<meta name="description" content="The closing hours of a month." />');
  expect(text).toContain('<script type="module" crossorigin src="/assets/About-1.js"></script>');
  expect(text).toMatch(/<div id="root">.*<h1/s);
  expect(text).not.toContain('noindex');
  expect(await sitemap()).toContain(`<loc>${ORIGIN}/bid-calendar</loc>`);
});

test('an added page is found by the router and by the service worker', async () => {
  expect(await routes.screenLoader('/bid-calendar')?.()).toHaveProperty('About');
  expect(pageKey(`${ORIGIN}/bid-calendar`)).toBe(`${ORIGIN}/bid-calendar`);
});

test('an added private page is not for search engines and not rendered by the server', async () => {
  const { status, text } = await open('/own-calendar');
  expect(status).toBe(200);
  expect(text).toContain('<title>Own calendar · Nivida</title>');
  expect(text).toContain('<meta name="robots" content="noindex" />');
  expect(text).toContain('<div id="root"></div>');
  expect((await app.get('/robots.txt')).text).toContain('Disallow: /own-calendar\n');
  expect(await sitemap()).not.toContain('/own-calendar');
  expect(pageKey(`${ORIGIN}/own-calendar`)).toBeNull();
});

test('every page has its screen, and every screen its page', () => {
  const inTable = pageEntries().flatMap(([path, { screen }]) => (screen && !(path in ADDED) ? screen : []));
  const files = globSync('*/*.screen.tsx', { cwd: SCREENS }).map((path) => path.replace('.screen.tsx', ''));
  // A list of the desk and one of its rows have the same screen.
  expect([...new Set(inTable)].sort()).toEqual(files.sort());
  for (const [, { screen, redirect }] of pageEntries()) expect(Boolean(screen) !== Boolean(redirect)).toBe(true);
});

test('a page is loaded ahead only if there is one', () => {
  const ahead = pageEntries().flatMap(([, page]) => page.ahead?.pages ?? []);
  expect(ahead.filter((path) => !Object.hasOwn(PAGES, path))).toEqual([]);
});

test('the journeys open every page whose address names no data; e2e/desk opens the desk', () => {
  const opened = [...PUBLIC_PAGES, ...SIGNED_IN_PAGES].map(({ address }) => address);
  const addresses = [...opened, ...REDIRECTS.map(([from]) => from)].map((address) => address.replace(/\?.*/, ''));
  const paths = new Set(addresses.map((address) => findPage(address.replace(':id', '1'))?.path));
  const others = pageEntries().filter(([path]) => !isDeskPath(path) && !(path in ADDED));
  const missing = others.filter(([path]) => !paths.has(path) && !path.includes(':'));
  expect(missing.map(([path]) => path)).toEqual([]);
});

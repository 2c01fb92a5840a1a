/** Files of the build: the page, the service worker, the files of each screen and the renderer. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inLanguage } from '@nivida/contract/i18n';
import type { SiteSettings } from '@nivida/contract/site/site';
import { beforeEach, expect, test } from 'vitest';
import { readBuiltPage, readServiceWorker } from '../http/html/built-page.ts';
import { plainPage } from '../http/html/plain-page.ts';
import { loadPageRenderer } from './page-renderer.ts';
import { preloadElements, readScreenFiles } from './screen-files.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const SITE = { supportEmail: 'help@nivida.example' } as SiteSettings;
const AT = new Date('2026-11-10T11:30:00+05:30');

let base: string;
let folder: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'nivida-build-'));
  folder = join(base, 'dist');
  await mkdir(folder);
  await mkdir(join(base, 'dist-server'));
  await writeFile(join(base, 'package.json'), '{"type":"module"}');
  return () => rm(base, { recursive: true });
});

test('the page of a build names the CDN for the files below /assets only, and is then another build', async () => {
  const html = '<link href="/icons/icon.svg"><script src="/assets/app.js"></script><link href="/assets/app.css">';
  expect(readBuiltPage(folder, undefined)).toBeUndefined();
  await writeFile(join(folder, 'index.html'), html);
  expect(readBuiltPage(folder, undefined)).toEqual({ html, build: md5(html) });
  const named =
    '<link href="/icons/icon.svg"><script src="https://cdn.example/assets/app.js"></script><link href="https://cdn.example/assets/app.css">';
  const page = readBuiltPage(folder, 'https://cdn.example');
  expect(page).toEqual({ html: named, build: md5(named) });
  await writeFile(join(folder, 'sw.js'), `a="${md5(html)}";b="${md5(html)}"`);
  expect(readServiceWorker(folder, page as NonNullable<typeof page>, 'https://cdn.example')).toBe(
    `self.ASSET_ORIGIN="https://cdn.example";a="${md5(named)}";b="${md5(named)}"`,
  );
});

test('a landing page has the files of its screen that the app does not load itself, styles first', async () => {
  expect((await readScreenFiles(folder))('/about')).toEqual([]);
  const manifest = {
    '_app.js': { file: 'assets/app-1.js', css: ['assets/app-1.css'] },
    '_tables.js': { file: 'assets/tables-1.js', imports: ['_app.js'], css: ['assets/tables-1.css'] },
    'src/screens/tenders/TenderDetail.screen.tsx': {
      file: 'assets/TenderDetail-1.js',
      imports: ['_tables.js', '_app.js'],
      css: ['assets/TenderDetail-1.css'],
    },
    'src/screens/awards/OfficeDetail.screen.tsx': { file: 'assets/Office-1.js', imports: ['_tables.js'] },
    'src/screens/awards/AwardState.screen.tsx': { file: 'assets/AwardState-1.js' },
    'src/screens/dashboard/Profile.screen.tsx': { file: 'assets/Profile-1.js' },
  };
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify(manifest));
  await writeFile(
    join(folder, 'index.html'),
    '<script type="importmap">{"imports":{"/assets/t.js":"/assets/tables-1.js"}}</script><link href="/assets/app-1.css"><script src="/assets/app-1.js"></script>',
  );
  const screenFilesOf = await readScreenFiles(folder);
  expect(screenFilesOf('/tenders/17')).toEqual([
    '/assets/tables-1.css',
    '/assets/TenderDetail-1.css',
    '/assets/tables-1.js',
    '/assets/TenderDetail-1.js',
  ]);
  expect(screenFilesOf('/analysis/offices/a1b2')).toEqual([
    '/assets/tables-1.css',
    '/assets/tables-1.js',
    '/assets/Office-1.js',
  ]);
  expect(screenFilesOf('/analysis/Himachal%20Pradesh')).toEqual(['/assets/AwardState-1.js']);
  for (const path of ['/', '/tenders/x', '/analysis/offices/a/b', '/dashboard/profile'])
    expect(screenFilesOf(path)).toEqual([]);
  expect(preloadElements(['/assets/a.css', '/assets/a.js'])).toBe(
    '<link rel="stylesheet" crossorigin href="/assets/a.css"><script type="module" crossorigin src="/assets/a.js"></script>',
  );
});

test('a page is rendered with its answer; pages of the device and pages without an answer are not', async () => {
  expect(await (await loadPageRenderer(folder, SITE))('/about', undefined)).toBe('');
  await writeFile(
    join(base, 'dist-server/page.js'),
    'export const renderPage = async (address, data) => JSON.stringify({ address, ...data });',
  );
  const render = await loadPageRenderer(folder, SITE);
  const answer = { call: 'api/tenders/1', json: '{"title":"Wall"}', at: AT };
  const written = { call: 'api/tenders/1', at: AT.toISOString(), answer: { title: 'Wall' } };
  expect(JSON.parse(await render('/tenders/1', answer))).toEqual({
    address: '/tenders/1',
    site: SITE,
    answer: written,
  });
  expect(JSON.parse(await render('/about', undefined))).toEqual({ address: '/about', site: SITE });
  expect(await render('/tenders/1', undefined)).toBe('');
  for (const address of ['/payment-status', '/bookmarks', '/notices']) expect(await render(address, answer)).toBe('');
});

test('a common page is rendered again when its answer changes or a minute has passed, not for each visitor', async () => {
  await writeFile(
    join(base, 'dist-server/page.js'),
    'let times = 0; export const renderPage = async (address) => address + " " + ++times;',
  );
  const render = await loadPageRenderer(folder, SITE);
  const home = (json: string, seconds: number, address = '/') =>
    render(address, { call: 'api/regions', json, at: new Date(AT.getTime() + seconds * 1_000) });
  expect(await home('{"open":7}', 0)).toBe('/ 1');
  expect(await home('{"open":7}', 59)).toBe('/ 1');
  expect(await home('{"open":8}', 59)).toBe('/ 2');
  expect(await home('{"open":8}', 60)).toBe('/ 3');
  expect(await render('/about', undefined)).toBe('/about 4');
  expect(await render('/about', undefined)).toBe('/about 4');
  expect(await home('{"open":8}', 60)).toBe('/ 3');
  // A list of results has as many addresses as there are searches, and each is rendered for its visitor.
  expect(await home('{}', 60, '/tenders/results?state=Goa')).toBe('/tenders/results?state=Goa 5');
  expect(await home('{}', 60, '/tenders/results?state=Goa')).toBe('/tenders/results?state=Goa 6');
});

test('a plain page has its title, body and language, and is not for search engines', () => {
  const page = plainPage('No download', '<h1>Gone</h1>', 'Official documents are free.');
  expect(page).toMatch(/^<!doctype html>\n<html lang="en-IN">/);
  for (const part of [
    '<meta name="robots" content="noindex">',
    '<title>No download - Nivida</title>',
    '<link rel="stylesheet" href="/d/style.css">',
    '<header><a href="/">Nivida <span lang="hi">निविदा</span></a></header>',
    '<main>\n<h1>Gone</h1>\n</main>',
    '<footer>Official documents are free.</footer>',
  ])
    expect(page).toContain(part);
  const hindi = inLanguage('hi', () => plainPage('x', 'y', 'z'));
  expect(hindi).toContain('<html lang="hi-IN">');
  expect(hindi).toContain('<header><a href="/hi">');
});

import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { type Font, writeFontSettings } from './support/browser/fonts.ts';
import { CHROMIUM_FLAGS, findChromium, findHeadlessShell } from './support/browsers.ts';
import { freePort } from './support/servers.ts';

// Every worker reads this file again. The main process chooses first; the workers read its choice from the
// environment.
if (!process.env.E2E_DATA_DIR) {
  process.env.E2E_CHROMIUM = findChromium();
  process.env.E2E_HEADLESS_SHELL = findHeadlessShell();
  const folder = mkdtempSync(join(tmpdir(), 'nivida-e2e-'));
  process.env.E2E_DATA_DIR = folder;
  // Layouts are measured with the same font on every machine.
  process.env.FONTCONFIG_FILE = writeFontSettings(
    join(folder, 'fontconfig'),
    (process.env.E2E_FONT ?? 'Roboto') as Font,
  );
  process.env.E2E_PORT = String(await freePort());
  process.env.E2E_SANDBOX_PORT = String(await freePort());
  process.env.E2E_ORIGIN = `http://localhost:${process.env.E2E_PORT}`;
  process.env.E2E_SESSION_KEY = randomBytes(32).toString('hex');
  // Servers and commands of the journeys load faster with compiled code.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/node');
  process.env.E2E_LOG = join(import.meta.dirname, 'output/server.log');
  mkdirSync(join(import.meta.dirname, 'output'), { recursive: true });
  mkdirSync(join(folder, 'feed'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
const { E2E_DATA_DIR = '', E2E_PORT = '', E2E_SANDBOX_PORT = '', E2E_HEADLESS_SHELL = '' } = process.env;
const { E2E_ORIGIN: origin = '', E2E_SESSION_KEY = '', E2E_LOG = '' } = process.env;
// The server inherits the environment, and journeys must never run on a developer's database.
delete process.env.DATABASE_URL;

// Some tests run only before a release: `npm run bench -- release`.
const isRelease = process.env.RELEASE_TESTS === '1';
const RELEASE_ONLY = /@release\b|\.release\.spec\.ts/;

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

export default defineConfig({
  testDir: '.',
  outputDir: 'output/runs',
  // More workers than the two cores, because some journeys wait for a network or a clock.
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // A small busy machine is slow. Slowness is not a failure.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: process.env.CI ? [['list'], ['json', { outputFile: 'output/playwright.json' }]] : 'list',
  use: {
    baseURL: origin,
    locale: 'en-IN',
    // Storing the app for offline use would slow down every journey. install.spec.ts and offline.spec.ts
    // allow it.
    serviceWorkers: 'block',
    launchOptions: { executablePath: E2E_HEADLESS_SHELL, args: CHROMIUM_FLAGS },
  },
  projects: [
    { name: 'first-packs', testMatch: 'site/first-packs.setup.ts' },
    {
      name: 'phone',
      dependencies: ['first-packs'],
      testIgnore: ['site/routes.spec.ts', 'tenders/desktop.spec.ts', 'site/server-log.spec.ts'],
      ...(isRelease ? { grep: RELEASE_ONLY } : { grepInvert: RELEASE_ONLY }),
      teardown: 'log',
      use: PHONE,
    },
    {
      name: 'desktop',
      dependencies: ['first-packs'],
      testMatch: 'tenders/desktop.spec.ts',
      teardown: 'log',
      use: { viewport: { width: 1280, height: 800 } },
    },
    // Many short tests. One half keeps the workers busy while the packs are built; the other half runs until
    // the end.
    {
      name: 'routes-first',
      testMatch: 'site/routes.spec.ts',
      grep: / signed out /,
      teardown: 'log',
      use: PHONE,
    },
    {
      name: 'routes',
      dependencies: ['first-packs'],
      testMatch: 'site/routes.spec.ts',
      grepInvert: / signed out /,
      teardown: 'log',
      use: PHONE,
    },
    // Runs after all other projects.
    { name: 'log', testMatch: 'site/server-log.spec.ts' },
  ],
  webServer: {
    // The complete log of the server, for server-log.spec.ts.
    command: 'exec node api/dist/main.js > "$E2E_LOG" 2>&1',
    cwd: join(import.meta.dirname, '..'),
    env: {
      PORT: E2E_PORT,
      PUBLIC_ORIGIN: origin,
      PAYMENT_SANDBOX_PORT: E2E_SANDBOX_PORT,
      DATA_DIR: E2E_DATA_DIR,
      SESSION_KEYS: E2E_SESSION_KEY,
      DEMO: 'on',
      LOG_LEVEL: 'info',
      SUPPORT_EMAIL: 'support@nivida.example',
      SOCIAL_URL: 'https://social.example/nivida',
      // A folder that no journey but that of the desk writes to.
      FEEDS: `sikkim-feed=${join(E2E_DATA_DIR, 'feed')};state=sikkim`,
      E2E_LOG,
    },
    url: `${origin}/api/health`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
});

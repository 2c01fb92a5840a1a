/**
 * `npm run screenshots`: takes the pictures of README into .github/screenshots, and the pictures of link
 * previews into pwa/public/icons. It starts the built product with demonstration tenders, as a new user does,
 * and opens it as a phone and as a desktop, in light and in dark.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from './support/browsers.ts';
import { freePort } from './support/servers.ts';
import { makeSession, storeSession } from './support/session.ts';
import { cards, offlineBanner } from './support/tenders.ts';
import { skipTour } from './support/test.ts';

if (process.argv.includes('--help')) {
  process.stdout.write(
    'Usage: npm run screenshots\n\nTakes the pictures of README from the built product, and draws those of link previews.\n',
  );
  process.exit();
}

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, '.github/screenshots');
/** Small enough that the repository's page opens on a phone. */
const MAX_BYTES = 60_000;
const QUALITIES = [0.8, 0.65, 0.5, 0.35];

const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 720 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 1.5,
};
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.75 };
const RESULTS = '/tenders/results?state=Himachal+Pradesh';

interface Picture {
  name: string;
  device: BrowserContextOptions;
  colorScheme: 'light' | 'dark';
  /** Opens what the picture shows. */
  open(page: Page): Promise<void>;
}

const openFirst = async (page: Page) => {
  await page.goto(RESULTS);
  await cards(page).first().getByRole('link').first().click();
  await page.getByRole('tab', { name: 'Overview' }).waitFor();
};
const openResults = async (page: Page) => {
  await page.goto(RESULTS);
  await cards(page).nth(9).waitFor();
  // Waits until the pack of the state is on the device.
  await offlineBanner(page).waitFor();
};

const PICTURES: readonly Picture[] = [
  {
    name: 'home-phone',
    device: PHONE,
    colorScheme: 'light',
    async open(page) {
      await page.goto('/');
      await page.getByText('tenders open now').waitFor();
    },
  },
  { name: 'results-phone', device: PHONE, colorScheme: 'dark', open: openResults },
  { name: 'tender-phone', device: PHONE, colorScheme: 'light', open: openFirst },
  {
    name: 'dashboard-phone',
    device: PHONE,
    colorScheme: 'dark',
    async open(page) {
      await page.goto('/');
      await storeSession(page, await makeSession());
      await openResults(page);
      for (const nth of [0, 1, 2])
        await cards(page)
          .nth(nth)
          .getByRole('button', { name: /bookmark/i })
          .click();
      await page.goto('/dashboard');
      await page.getByRole('heading', { name: 'Bookmarked tenders' }).waitFor();
    },
  },
  { name: 'results-desktop', device: DESKTOP, colorScheme: 'light', open: openResults },
  { name: 'tender-desktop', device: DESKTOP, colorScheme: 'dark', open: openFirst },
];

async function takeScreenshot(browser: Browser, { name, device, colorScheme, open }: Picture): Promise<void> {
  const context = await browser.newContext({
    ...device,
    colorScheme,
    locale: 'en-IN',
    baseURL: process.env.E2E_ORIGIN,
  });
  await skipTour(context);
  const page = await context.newPage();
  await open(page);
  await page.waitForLoadState('networkidle');
  // Animations and messages that appear once are left out.
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const bytes = await toWebp(await context.newPage(), png);
  writeFileSync(join(FOLDER, `${name}.webp`), bytes);
  process.stdout.write(`${name}.webp ${bytes.length} bytes\n`);
  await context.close();
}

/** The picture in the best quality that is small enough. The browser is the encoder. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  for (const quality of QUALITIES) {
    const base64 = await page.evaluate(
      async ([source, webpQuality]) => {
        const bytes = Uint8Array.from(atob(source), (letter) => letter.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        canvas.getContext('2d')?.drawImage(picture, 0, 0);
        const blob = await canvas.convertToBlob({ type: 'image/webp', quality: webpQuality });
        let text = '';
        for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
        return btoa(text);
      },
      [png.toString('base64'), quality] as const,
    );
    const webp = Buffer.from(base64, 'base64');
    if (webp.length <= MAX_BYTES) return webp;
  }
  throw new Error(`a picture is larger than ${MAX_BYTES} bytes in every quality`);
}

/**
 * Renders the picture of link previews in each language: logo, name and what home says of the product. It shows no tenders,
 * because they close.
 */
async function drawPreviews(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, colorScheme: 'light' });
  const { E2E_ORIGIN: origin = '' } = process.env;
  await page.goto(origin);
  const homes = await page
    .locator('link[rel=alternate]:not([hreflang=x-default])')
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLLinkElement).href).pathname));
  for (const home of homes) await drawPreview(page, origin + home);
  await page.close();
}

async function drawPreview(page: Page, home: string): Promise<void> {
  await page.goto(home);
  const { lang, heading, description, picture } = await page.evaluate(() => {
    const content = (selector: string) => document.querySelector(selector)?.getAttribute('content') ?? '';
    return {
      lang: document.documentElement.lang,
      heading: document.querySelector('h1')?.textContent ?? '',
      description: content('meta[name=description]'),
      picture: new URL(content('meta[property="og:image"]')).pathname,
    };
  });
  await page.goto('about:blank');
  await page.setContent(`
    <style>${readFileSync(join(ROOT, 'pwa/src/ui/tokens.css'), 'utf8')}</style>
    <style>
      body { display: grid; gap: 40px; align-content: center; height: 630px; margin: 0; padding: 0 96px;
        border-left: 40px solid var(--accent); box-sizing: border-box; background: var(--surface); color: var(--ink);
        font: 400 36px/1.4 var(--font); }
      header { display: flex; align-items: center; gap: 32px; font-size: 64px; font-weight: 700; }
      header svg { width: 128px; height: 128px; }
      header span, p { color: var(--muted); font-weight: 400; }
      h1, p { margin: 0; text-wrap: balance; }
      h1 { font-size: 68px; line-height: 1.2; }
    </style>
    <header>${readFileSync(join(ROOT, 'pwa/public/icons/icon.svg'), 'utf8')} Nivida <span lang="hi">निविदा</span></header>
    <div lang="${lang}"><h1>${heading}</h1></div>
    <p lang="${lang}">${description}</p>`);
  await page.screenshot({ path: join(ROOT, 'pwa/public', picture) });
}

/** Starts the product in a new folder. Sets the environment variables that session.ts reads. */
async function startProduct(folder: string): Promise<ChildProcess> {
  const port = await freePort();
  process.env.E2E_DATA_DIR = folder;
  process.env.E2E_ORIGIN = `http://localhost:${port}`;
  process.env.E2E_SESSION_KEY = randomBytes(32).toString('hex');
  const server = spawn(process.execPath, ['api/dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: '',
      PORT: String(port),
      PUBLIC_ORIGIN: process.env.E2E_ORIGIN,
      PAYMENT_SANDBOX_PORT: String(await freePort()),
      DATA_DIR: folder,
      SESSION_KEYS: process.env.E2E_SESSION_KEY,
      DEMO: 'on',
    },
  });
  for await (const line of createInterface(server.stdout)) {
    if (!line.includes(' is ready at ')) continue;
    server.stdout.resume();
    return server;
  }
  throw new Error('the server did not start');
}

const folder = mkdtempSync(join(tmpdir(), 'nivida-screenshots-'));
mkdirSync(FOLDER, { recursive: true });
const server = await startProduct(folder);
const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
try {
  for (const picture of PICTURES) await takeScreenshot(browser, picture);
  await drawPreviews(browser);
} finally {
  await browser.close();
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

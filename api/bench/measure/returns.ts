/**
 * The return to the installed app on a slow phone: the time from the start of the navigation until a closing hour is
 * painted, in a new browser process on the profile of an earlier visit; beside it the first visit in an empty profile.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { ageStoredPages } from '../../../e2e/site/stored-pages.ts';
import { CHROMIUM_FLAGS, findChromium, findFirefox } from '../../../e2e/support/browsers.ts';
import type { SlowLink } from './slow-link.ts';

export const RETURN_BROWSERS = ['chromium', 'firefox'] as const;
export type ReturnBrowser = (typeof RETURN_BROWSERS)[number];

/** Firefox has no such setting. */
const CHROMIUM_SLOWED = 4;
/** Closing hours of the screens: badges of cards, the tender's panel, and the chart of home. */
const CLOSING_HOURS = 'main [data-closes], main [aria-label^="Closings by hour"]';
/** Later counts as this time. */
const MAX_WAIT_MS = 15_000;
/** How long ago the earlier visit was: the stored pages are then older than the minute in which they are sent unchanged. */
const AWAY_MS = 7_200_000;

/** 'arrive' is a first visit; the others return. */
const VISITS = ['arrive', 'online', 'offline'] as const;
export type Visit = (typeof VISITS)[number];

interface Phone {
  page: Page;
  close: () => Promise<void>;
}

declare const closingPaintedAt: number | undefined;

/**
 * Runs in the document: records when the first frame with a visible closing hour was painted. The browser says so of the
 * first frame with content; of a later one its start is recorded.
 */
function watchClosingHour(selector: string): void {
  const isShown = () =>
    [...document.querySelectorAll(selector)].some((hour) => hour.checkVisibility({ visibilityProperty: true }));
  const look = () => {
    if (!isShown()) {
      requestAnimationFrame(look);
      return;
    }
    const shownAt = performance.now();
    const note = () => {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      // the entry comes after the frame
      if (!paint) setTimeout(note, 50);
      else Object.assign(globalThis, { closingPaintedAt: Math.max(paint.startTime, shownAt) });
    };
    note();
  };
  requestAnimationFrame(look);
}

async function openPhone(name: ReturnBrowser, profile: string, isSlow: boolean): Promise<Phone> {
  const isChromium = name === 'chromium';
  const browser: Browser = await puppeteer.launch({
    browser: isChromium ? 'chrome' : 'firefox',
    executablePath: isChromium ? findChromium() : findFirefox(),
    headless: true,
    userDataDir: profile,
    acceptInsecureCerts: true,
    args: isChromium ? [...CHROMIUM_FLAGS, '--ignore-certificate-errors'] : [],
    defaultViewport: { width: 360, height: 640, ...(isChromium && { isMobile: true, hasTouch: true }) },
  });
  const page = await browser.newPage();
  if (isChromium && isSlow) await page.emulateCPUThrottling(CHROMIUM_SLOWED);
  return { page, close: () => browser.close() };
}

async function timeToClosingHour(page: Page, url: string): Promise<number> {
  await page.evaluateOnNewDocument(watchClosingHour, CLOSING_HOURS);
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  const painted = await page
    .waitForFunction(() => (typeof closingPaintedAt === 'number' ? closingPaintedAt : null), { timeout: MAX_WAIT_MS })
    .then((handle) => handle.jsonValue())
    .catch(() => MAX_WAIT_MS);
  return Math.round(painted ?? MAX_WAIT_MS);
}

/**
 * The first visits: the app is stored, its worker has stored the pages, and the state of the last one, a list, is on the phone.
 * Returns the folder of the profile.
 */
async function makeProfile(name: ReturnBrowser, folder: string, urls: readonly string[]): Promise<string> {
  const profile = join(folder, 'visited');
  const { page, close } = await openPhone(name, profile, false);
  for (const [index, url] of urls.entries()) {
    await page.goto(url);
    if (index === 0) await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  }
  // a page that is used downloads its state
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => document.body.innerText.includes('Offline copy'));
  const aged = await page.evaluate(ageStoredPages, AWAY_MS);
  await close();
  if (aged !== urls.length) throw new Error(`${name} stored ${aged} of ${urls.length} pages`);
  return profile;
}

/** Visits `url` in a new browser process, on a copy of the profile `visited`, or on none to arrive. */
async function visitOnce(
  name: ReturnBrowser,
  { folder, visited }: { folder: string; visited: string },
  visit: Visit,
  url: string,
  link: SlowLink,
): Promise<number> {
  const profile = join(folder, 'profile');
  if (visit !== 'arrive') await cp(visited, profile, { recursive: true });
  const { page, close } = await openPhone(name, profile, true);
  if (visit === 'offline') {
    link.cut();
    await page.setOfflineMode(true);
  } else link.state = 'slow';
  const time = await timeToClosingHour(page, url);
  await close();
  await rm(profile, { recursive: true, force: true });
  return time;
}

/** Milliseconds of `times` visits of each kind to each screen, by 'arrive_list', 'offline_list' and so on. The list is the last screen. */
export async function measureReturns(
  name: ReturnBrowser,
  link: SlowLink,
  urls: Record<string, string>,
  times: number,
): Promise<Map<string, number[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-return-'));
  const measured = new Map<string, number[]>();
  try {
    link.state = 'fast';
    const visited = await makeProfile(name, folder, Object.values(urls));
    for (const visit of VISITS)
      for (const [screen, url] of Object.entries(urls)) {
        const runs: number[] = [];
        for (let round = 1; round <= times; round++)
          runs.push(await visitOnce(name, { folder, visited }, visit, url, link));
        measured.set(`${visit}_${screen}`, runs);
      }
    return measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

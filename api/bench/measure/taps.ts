/** Taps right after the first paint of a list or a tender, on a slow phone and a slow link: the response times and the lost taps. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from '../../../e2e/support/browsers.ts';

/** Slow 4G and a cheap phone, like Lighthouse's mobile settings. */
const SLOWED = 4;
const LATENCY_MS = 150;
const BYTES_PER_SECOND = 200_000;
/** A tap without an effect after this time is lost. */
const LOST_AFTER_MS = 15_000;

interface TargetPlace {
  page: 'list' | 'tender';
  /** The tapped element. */
  element: string;
  /** Shows the element when tapped; the browser does it without the app. */
  opener?: string;
}

const TARGETS = {
  card: { page: 'list', element: 'ol li:nth-child(3) article a' },
  filter: { page: 'list', element: 'button[aria-label="Filters"]' },
  bookmark: { page: 'list', element: 'ol li:nth-child(2) article button' },
  sort: {
    page: 'list',
    element: '[aria-label="Sort by"] button:nth-of-type(2)',
    opener: 'details:has([aria-label="Sort by"]) summary',
  },
  tab: { page: 'tender', element: '[role="tab"]:nth-child(2)' },
} as const satisfies Record<string, TargetPlace>;

export type Target = keyof typeof TARGETS;
export const TAPPED = Object.keys(TARGETS) as Target[];

/** The page that has the target. */
export const pageOfTarget = (target: Target): TargetPlace['page'] => TARGETS[target].page;

/** Milliseconds from the tap to its first visible sign and to its effect; null where there was none. */
export interface Tap {
  reactionMs: number | null;
  effectMs: number | null;
}

declare const report: (name: string, at: number) => Promise<void>;

/** Runs in every document of the tab: reports the tap, its first visible sign and its effect in wall-clock time. */
function watchTap(target: Target): void {
  const now = () => performance.timeOrigin + performance.now();
  const reported = new Set<string>();
  const reportOnce = (name: string, at: number) => {
    if (reported.has(name)) return;
    reported.add(name);
    void report(name, at);
  };
  // The last tap counts: one before it may open a panel.
  const onTap = ({ timeStamp }: Event) => void report('tap', performance.timeOrigin + timeStamp);
  addEventListener('pointerdown', onTap, { capture: true });
  const has = (selector: string) => document.querySelector(selector) !== null;
  const isTender = () =>
    /^\/tenders\/\d+$/.test(location.pathname) && has('main h1') && performance.getEntriesByType('paint').length > 0;
  const effects: Record<Target, () => boolean> = {
    card: () => isTender() && !has('main [aria-busy="true"]'),
    filter: () => has('dialog[open]'),
    bookmark: () => has('article button[aria-pressed="true"]'),
    sort: () => location.search.includes('sort=closing_date') && has('ol article') && !has('main [aria-busy="true"]'),
    tab: () => has('[role="tab"]:nth-child(2)[aria-selected="true"]') && !has('[role="tabpanel"] [aria-busy="true"]'),
  };
  const signs: Record<Target, () => boolean> = {
    card: () => isTender() || has('progress[aria-label="Loading"]'),
    filter: () => has('dialog[open], [data-waiting]'),
    // the bookmark looks pressed
    bookmark: () => has('article button:is([aria-pressed="true"], [data-waiting="true"])'),
    sort: () => has('[aria-label="Sort by"] button:nth-of-type(2):is([aria-pressed="true"], [data-waiting])'),
    tab: () => has('[role="tab"]:nth-child(2):is([aria-selected="true"], [data-waiting])'),
  };
  const look = () => {
    // The current document is painted with this frame.
    if (signs[target]()) reportOnce('sign', now());
    if (effects[target]()) reportOnce('effect', now());
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
}

/** Opens a page in a new browser profile and taps `afterMs` after its first paint. */
async function tapOnce(browser: Browser, url: string, target: Target, afterMs: number): Promise<Tap> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
    ignoreHTTPSErrors: true,
    serviceWorkers: 'block',
  });
  const at = new Map<string, number>();
  let reportEffect = () => {};
  const effect = new Promise<void>((resolve) => {
    reportEffect = resolve;
  });
  await context.exposeBinding('report', (_source, name: string, time: number) => {
    at.set(name, time);
    if (name === 'effect') reportEffect();
  });
  const page = await context.newPage();
  await page.addInitScript(watchTap, target);
  await slowDown(context, page);
  await page.goto(url, { waitUntil: 'commit' });
  const painted = await page.waitForFunction(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return paint && performance.timeOrigin + paint.startTime;
  });
  const paintedAt = Number(await painted.jsonValue());
  const { element, opener }: TargetPlace = TARGETS[target];
  if (opener) await page.locator(opener).first().tap();
  const tapped = page.locator(element).first();
  await tapped.scrollIntoViewIfNeeded();
  const box = await tapped.boundingBox();
  if (!box) throw new Error(`there is no ${target} to tap`);
  await wait(Math.max(0, paintedAt + afterMs - Date.now()));
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await Promise.race([effect, wait(LOST_AFTER_MS)]);
  await context.close();
  const since = (name: string) => {
    const time = at.get(name);
    return time === undefined ? null : Math.round(time - (at.get('tap') ?? paintedAt + afterMs));
  };
  return { reactionMs: since('sign'), effectMs: since('effect') };
}

/** Taps a target `times` times, each time in a page that was never opened before. */
export async function tap(url: string, target: Target, afterMs: number, times: number): Promise<Tap[]> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  try {
    const taps: Tap[] = [];
    for (let round = 1; round <= times; round++) taps.push(await tapOnce(browser, url, target, afterMs));
    return taps;
  } finally {
    await browser.close();
  }
}

import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS } from './browsers.ts';
import { test as base, expect, recordErrors, skipTour } from './test.ts';

const OFFLINE = /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/;

/** Most journeys on a phone wait for its worker. The default interval would grow to a second. */
const OFTEN = { intervals: [100] };

/** The server's result for one bookmark change. */
export interface AnsweredBookmarkChange {
  id: string;
  refusal: object | null;
}

/** Uses the page. Returns when the service worker controls it. */
export async function waitForWorker(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      // The page may not listen for input yet.
      await page.keyboard.press('Shift');
      return page.evaluate(() => navigator.serviceWorker.controller !== null);
    }, OFTEN)
    .toBe(true);
}

/** Uses the page. Returns when the whole app is stored on the device. */
export async function waitForWholeApp(page: Page): Promise<void> {
  await waitForWorker(page);
  await page.keyboard.press('Shift');
  // `waitForFunction` does not await an asynchronous function.
  await expect
    .poll(() => page.evaluate(async () => (await caches.match('/app-is-complete')) !== undefined), OFTEN)
    .toBe(true);
}

/** A phone whose profile survives when its browser ends. `page` is the newest page. */
export class TestPhone {
  page!: Page;
  /** For each answered call with changes, in order, the results of the changes, whether accepted or not. */
  readonly answeredChanges: AnsweredBookmarkChange[][] = [];
  private context!: BrowserContext;
  private errors: string[] = [];

  private constructor(
    private readonly profile: string,
    private readonly baseURL: string,
    private readonly browserPath: string,
  ) {}

  /** Starts the browser with the profile's folder. The folder need not exist. */
  static async start(
    profile: string,
    baseURL: string,
    browserPath = process.env.E2E_HEADLESS_SHELL ?? '',
  ): Promise<TestPhone> {
    const phone = new TestPhone(profile, baseURL, browserPath);
    await phone.open();
    return phone;
  }

  /**
   * Opens an address. Returns when the whole app is stored on the device and the service worker controls its
   * pages.
   */
  async visit(address: string): Promise<void> {
    await this.page.goto(address);
    await waitForWholeApp(this.page);
  }

  /**
   * Returns a function that wakes the service worker, as Chromium does when the network is back. Call it
   * before the first visit.
   */
  async backgroundSync(): Promise<() => Promise<void>> {
    const browser = await this.context.newCDPSession(this.page);
    let registrationId = '';
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      registrationId = registrations.findLast(({ isDeleted }) => !isDeleted)?.registrationId ?? registrationId;
    });
    await browser.send('ServiceWorker.enable');
    const origin = new URL(this.baseURL).origin;
    return async () => {
      await browser.send('ServiceWorker.dispatchSyncEvent', {
        origin,
        registrationId,
        tag: 'outbox',
        lastChance: false,
      });
    };
  }

  async setOffline(isOffline: boolean): Promise<void> {
    await this.context.setOffline(isOffline);
  }

  /** Ends the browser and starts it again. */
  async restart(): Promise<void> {
    await this.close();
    await this.open();
  }

  /** Ends the browser and starts it again without a network. */
  async restartOffline(): Promise<void> {
    await this.restart();
    await this.setOffline(true);
  }

  /**
   * Kills all processes of the browser with SIGKILL, so that nothing more is written, and starts it again.
   */
  async kill({ isOffline = false } = {}): Promise<void> {
    const closed = this.context.waitForEvent('close');
    const browser = await this.context.browser()?.newBrowserCDPSession();
    const { processInfo = [] } = (await browser?.send('SystemInfo.getProcessInfo')) ?? {};
    if (processInfo.length === 0) throw new Error('The browser does not name its processes');
    for (const { id } of processInfo) process.kill(id, 'SIGKILL');
    await closed;
    expect(this.errors, 'errors on the console').toEqual([]);
    await this.open();
    await this.setOffline(isOffline);
  }

  /** Ends the browser. Fails when a page has reported an error other than a missing network. */
  async close(): Promise<void> {
    await this.context.close();
    expect(this.errors, 'errors on the console').toEqual([]);
  }

  private async open(): Promise<void> {
    this.context = await chromium.launchPersistentContext(this.profile, {
      executablePath: this.browserPath,
      args: CHROMIUM_FLAGS,
      baseURL: this.baseURL,
      locale: 'en-IN',
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
      serviceWorkers: 'allow',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await skipTour(this.context);
    // Chromium would wake the service worker at any time. Journeys wake it with `backgroundSync`.
    await this.context.addInitScript(() => {
      const { SyncManager } = globalThis as { SyncManager?: { prototype: { register: () => Promise<void> } } };
      if (SyncManager) SyncManager.prototype.register = async () => undefined;
    });
    this.errors = recordErrors(this.context, OFFLINE);
    this.context.on('response', async (response) => {
      if (!response.url().endsWith('/api/outbox')) return;
      // The answer cannot be read when the page is left at once. `answeredChanges` then lacks it.
      const answer: { bookmarks: AnsweredBookmarkChange[] } | undefined = await response.json().catch(() => undefined);
      if (answer && answer.bookmarks.length > 0) this.answeredChanges.push(answer.bookmarks);
    });
    this.page = this.context.pages()[0] ?? (await this.context.newPage());
  }
}

/** The journeys' test with a phone of a new profile. */
export const phoneTest = base.extend<{
  /** Path of the phone's Chromium. The headless shell shows neither PDFs nor notifications. */
  phoneBrowser: string | undefined;
  phone: TestPhone;
}>({
  phoneBrowser: [undefined, { option: true }],
  phone: async ({ baseURL, phoneBrowser }, use, testInfo) => {
    const phone = await TestPhone.start(testInfo.outputPath('profile'), baseURL ?? '', phoneBrowser);
    await use(phone);
    await phone.close();
  },
});

import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS } from './browsers.ts';
import { test as base, expect, noteErrors } from './test.ts';

const OFFLINE = /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/;

/** What the server said to a wish for or against a bookmark. */
export interface AcceptedBookmarkChange {
  tenderId: string;
  result: string;
}

/** A phone whose profile outlives its browser. `page` is the one that was opened last. */
export class TestPhone {
  page!: Page;
  /** The wishes of every answered call that carried some, in the order of the calls. */
  readonly acceptedChanges: AcceptedBookmarkChange[][] = [];
  private context!: BrowserContext;
  private errors: string[] = [];

  private constructor(
    private readonly profile: string,
    private readonly baseURL: string,
  ) {}

  /** Starts the browser on the profile's folder, which need not exist. */
  static async start(profile: string, baseURL: string): Promise<TestPhone> {
    const phone = new TestPhone(profile, baseURL);
    await phone.open();
    return phone;
  }

  /** Opens an address and returns when the app is stored on the device and answers for its pages. */
  async visit(address: string): Promise<void> {
    await this.page.goto(address);
    await this.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  }

  /** Gives what the browser does when the device has a network again: it wakes the service worker. Call it before a visit. */
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

  /** Ends the browser and starts it again without a network. */
  async restartOffline(): Promise<void> {
    await this.close();
    await this.open();
    await this.setOffline(true);
  }

  /** Ends the browser; fails when a page has reported an error other than the missing network. */
  async close(): Promise<void> {
    await this.context.close();
    expect(this.errors, 'errors on the console').toEqual([]);
  }

  private async open(): Promise<void> {
    this.context = await chromium.launchPersistentContext(this.profile, {
      executablePath: process.env.E2E_CHROMIUM ?? '',
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
    // The browser would wake the service worker at a moment of its own; journeys wake it themselves, by `backgroundSync`.
    await this.context.addInitScript(() => {
      const { SyncManager } = globalThis as { SyncManager?: { prototype: { register: () => Promise<void> } } };
      if (SyncManager) SyncManager.prototype.register = async () => undefined;
    });
    this.errors = noteErrors(this.context, OFFLINE);
    this.context.on('response', async (response) => {
      if (!response.url().endsWith('/api/bookmarks/sync')) return;
      // The page may go on before an answer's body is read; an answer to no wish is then lost without harm.
      const answer: { results: AcceptedBookmarkChange[] } | undefined = await response.json().catch(() => undefined);
      if (answer && answer.results.length > 0) this.acceptedChanges.push(answer.results);
    });
    this.page = this.context.pages()[0] ?? (await this.context.newPage());
  }
}

/** The journeys' test with a phone, whose profile is new. */
export const phoneTest = base.extend<{ phone: TestPhone }>({
  phone: async ({ baseURL }, use, testInfo) => {
    const phone = await TestPhone.start(testInfo.outputPath('profile'), baseURL ?? '');
    await use(phone);
    await phone.close();
  },
});

import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findFirefox } from '../support/browsers.ts';

/** Starts a Firefox that uses the push service at `pushUrl`. Every site may show notifications. */
export async function startFirefox(profile: string, pushUrl: string): Promise<{ browser: Browser; page: Page }> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: findFirefox(),
    headless: true,
    userDataDir: profile,
    extraPrefsFirefox: {
      'dom.push.enabled': true,
      // Without this setting: AbortError "Error retrieving push subscription".
      'dom.push.connection.enabled': true,
      'dom.push.serverURL': pushUrl,
      'dom.push.testing.allowInsecureServerURL': true,
      'dom.push.testing.ignorePermission': true,
      'dom.push.userAgentID': '',
      'dom.push.retryBaseInterval': 200,
      'network.proxy.type': 0,
      'permissions.default.desktop-notification': 1,
      // Without this setting showNotification fails where there is no desktop.
      'alerts.useSystemBackend': false,
    },
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 360, height: 640 });
  return { browser, page };
}

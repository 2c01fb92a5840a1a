import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { installPackage } from '../support/browsers.ts';

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

const installedFirefox = () =>
  [process.env.FIREFOX_PATH, ...FIREFOX].find((path) => path !== undefined && existsSync(path));

/** The path of a Firefox: $FIREFOX_PATH, the system's, else one that apt-get installs now (as root only). Throws with what to install. */
function findFirefox(): string {
  if (!installedFirefox()) installPackage('firefox-esr');
  const path = installedFirefox();
  if (path) return path;
  throw new Error('The journey of a real push needs a Firefox: install your system’s, or name one in FIREFOX_PATH');
}

/** Starts a Firefox with the push service at `pushUrl`. Every site may show notifications. */
export async function startFirefox(profile: string, pushUrl: string): Promise<{ browser: Browser; page: Page }> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: findFirefox(),
    headless: true,
    userDataDir: profile,
    extraPrefsFirefox: {
      'dom.push.enabled': true,
      // without it: AbortError "Error retrieving push subscription"
      'dom.push.connection.enabled': true,
      'dom.push.serverURL': pushUrl,
      'dom.push.testing.allowInsecureServerURL': true,
      'dom.push.testing.ignorePermission': true,
      'dom.push.userAgentID': '',
      'dom.push.retryBaseInterval': 200,
      'network.proxy.type': 0,
      'permissions.default.desktop-notification': 1,
      // without it showNotification fails where there is no desktop
      'alerts.useSystemBackend': false,
    },
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 360, height: 640 });
  return { browser, page };
}

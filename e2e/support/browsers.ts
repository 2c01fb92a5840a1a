import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const SYSTEM_CHROMIUM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

/** Flags for stable runs: root in a container, no QUIC, no background calls. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The path of a Chromium: $CHROMIUM_PATH, the system's, or Playwright's own. When there is none, apt-get
 * installs one (as root only). Otherwise throws with what to install.
 */
export function findChromium(): string {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath && !existsSync(configuredPath))
    throw new Error(`CHROMIUM_PATH names ${configuredPath}, which does not exist`);
  if (configuredPath) return configuredPath;
  if (!installedChromium()) installPackage('chromium');
  const path = installedChromium();
  if (path) return path;
  throw new Error(
    'The browser tests need a Chromium: install your system’s package chromium or Google Chrome, run ' +
      '`npx playwright install chromium`, or name one in CHROMIUM_PATH',
  );
}

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * The Chromium for journeys without installation and notifications. Debian's headless shell opens the page of
 * a new device in a third of the processor time. Falls back to `findChromium`, and uses it when
 * $CHROMIUM_PATH is set.
 */
export function findHeadlessShell(): string {
  const isThere = process.env.CHROMIUM_PATH === undefined && existsSync(HEADLESS_SHELL);
  return isThere ? HEADLESS_SHELL : findChromium();
}

const installedFirefox = () =>
  [process.env.FIREFOX_PATH, ...FIREFOX].find((path) => path !== undefined && existsSync(path));

/**
 * The path of a Firefox: $FIREFOX_PATH or the system's. When there is none, apt-get installs one (as root
 * only). Otherwise throws with what to install.
 */
export function findFirefox(): string {
  if (!installedFirefox()) installPackage('firefox-esr');
  const path = installedFirefox();
  if (path) return path;
  throw new Error('The journeys in Firefox need one: install your system’s, or name one in FIREFOX_PATH');
}

function installedChromium(): string | undefined {
  return [...SYSTEM_CHROMIUM, chromium.executablePath()].find((path) => existsSync(path));
}

/** Installs a system package as root, where there is apt-get. Does nothing elsewhere. */
function installPackage(name: string): void {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    execFileSync('apt-get', ['update'], options);
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], options);
  }
}

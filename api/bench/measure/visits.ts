/** What a first visit downloads: one without a touch, and one until the app works without a connection. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from '../../../e2e/support/browsers.ts';
import type { SlowLink } from './slow-link.ts';

/** Shorter than the time after which a page without a touch counts as read. */
const UNTOUCHED_MS = 10_000;
/** After this time without a byte everything has come. */
const QUIET_MS = 3_000;

export interface VisitSize {
  /** KB (1,000 bytes) of ten seconds without a touch. */
  untouched: number;
  /** KB of the same visit until nothing more comes. */
  prepared: number;
}

async function untilQuiet(link: SlowLink): Promise<void> {
  for (let before = -1; before !== link.downloadedBytes; ) {
    before = link.downloadedBytes;
    await wait(QUIET_MS);
  }
}

/** Visits `url` with an empty Chromium that trusts the key of the certificate, without a touch. */
export async function measureVisit(link: SlowLink, keyHash: string, url: string): Promise<VisitSize> {
  const profile = await mkdtemp(join(tmpdir(), 'nivida-visit-'));
  link.state = 'fast';
  const before = link.downloadedBytes;
  const size = () => (link.downloadedBytes - before) / 1_000;
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    args: [...CHROMIUM_FLAGS, `--ignore-certificate-errors-spki-list=${keyHash}`],
    viewport: { width: 360, height: 640 },
  });
  const page = await context.newPage();
  try {
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    await wait(UNTOUCHED_MS);
    const untouched = size();
    await wait(QUIET_MS);
    await untilQuiet(link);
    return { untouched, prepared: size() };
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

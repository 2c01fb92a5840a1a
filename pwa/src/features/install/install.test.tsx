// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';

// 13 April in India, day 20,556
const NOW = new Date('2026-04-13T04:30:00Z');
let endApp: () => Promise<void>;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(async () => {
  await closeTestPages();
  await endApp();
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const name of ['storage', 'standalone']) Reflect.deleteProperty(navigator, name);
});

/** Code of a page that has just loaded. */
async function loadApp() {
  vi.resetModules();
  const { InstallOffer } = await import('./InstallOffer.tsx');
  const install = await import('./install.ts');
  const { captureInstallPrompt } = await import('./install-prompt.ts');
  const { closeDatabase, withDatabase } = await import('../../data/device/database.ts');
  const { readSetting, writeSetting } = await import('../../data/device/settings.ts');
  const stored = () => readSetting('install');
  endApp = async () => {
    touch();
    // The count of the visit is the app's last write.
    await expect.poll(stored).toBeDefined();
    await withDatabase((db) => db.delete());
    await closeDatabase();
  };
  captureInstallPrompt();
  return {
    ...install,
    stored,
    store: (memory: object) => writeSetting('install', memory),
    openOffer: (hasBookmark: boolean) => openTestPage(<InstallOffer hasBookmark={hasBookmark} />),
  };
}

/** The browser offers its prompt, which the user answers. */
function offerPrompt(outcome: 'accepted' | 'dismissed') {
  const prompt = vi.fn(async () => ({ outcome }));
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  window.dispatchEvent(event);
  return { prompt, event };
}
const touch = () => window.dispatchEvent(new Event('pointerup'));

test('the prompt that came before the code of the offer installs the app, once', async () => {
  const app = await loadApp();
  const { prompt, event } = offerPrompt('accepted');
  expect(event.defaultPrevented).toBe(true);
  app.watchInstallPrompt();
  const offer = await app.openOffer(true);
  expect(offer.texts('p')).toEqual(['Opens with one tap, also without a connection']);
  await offer.press('Install');
  expect(prompt).toHaveBeenCalledOnce();
  await expect.poll(offer.text).toBe('');
  await app.promptInstall();
  expect(prompt).toHaveBeenCalledOnce();
  touch();
  await expect.poll(app.stored).toEqual({ visits: 1, lastVisit: 20_556, refused: null });
});

test('a prompt that the user dismisses is not offered again for 30 days', async () => {
  const app = await loadApp();
  app.watchInstallPrompt();
  offerPrompt('dismissed');
  await (await app.openOffer(true)).press('Install');
  await expect.poll(app.stored).toEqual({ visits: 1, lastVisit: 20_556, refused: 20_556 });
  offerPrompt('accepted');
  expect((await app.openOffer(true)).text()).toBe('');
});

test('a refused offer disappears, and the refusal is stored', async () => {
  const app = await loadApp();
  app.watchInstallPrompt();
  const { prompt } = offerPrompt('accepted');
  const offer = await app.openOffer(true);
  await offer.press('Not now');
  expect(offer.text()).toBe('');
  expect(prompt).not.toHaveBeenCalled();
  await expect.poll(app.stored).toMatchObject({ refused: 20_556 });
});

test('the second day is counted once, from what the device stored on the first', async () => {
  const app = await loadApp();
  await app.store({ visits: 1, lastVisit: 20_555, refused: null });
  app.watchInstallPrompt();
  offerPrompt('accepted');
  const offer = await app.openOffer(false);
  await expect.poll(() => offer.names()).toEqual(['Install', 'Not now']);
  await app.openOffer(false);
  await expect.poll(app.stored).toEqual({ visits: 2, lastVisit: 20_556, refused: null });
});

test('on an iPhone the offer says how the user installs the app', async () => {
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1';
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  const app = await loadApp();
  app.watchInstallPrompt();
  const offer = await app.openOffer(true);
  expect(offer.texts('p')).toEqual([
    'To open without a connection, tap Share in the browser, then “Add to Home Screen”',
  ]);
  expect(offer.names()).toEqual(['Not now']);
});

test('the installed app makes no offer', async () => {
  Object.defineProperty(navigator, 'standalone', { value: true, configurable: true });
  const app = await loadApp();
  app.watchInstallPrompt();
  expect((await app.openOffer(true)).text()).toBe('');
  expect(app.useInstall.getState().isInstalled).toBe(true);
});

test('once the app is installed the browser is asked not to clear its storage', async () => {
  const persist = vi.fn(async () => true);
  const storage = { persisted: async () => false, persist };
  Object.defineProperty(navigator, 'storage', { value: storage, configurable: true });
  const app = await loadApp();
  app.watchInstallPrompt();
  offerPrompt('accepted');
  const offer = await app.openOffer(true);
  expect(persist).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('appinstalled'));
  await expect.poll(offer.text).toBe('');
  await expect.poll(() => persist.mock.calls.length).toBeGreaterThan(0);
});

// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest';
import { deviceLabel, deviceName, isAppleMobile, isStandalone } from './device-info.ts';

afterEach(() => vi.unstubAllGlobals());

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`Mozilla/5.0 (Linux; Android 10; K) ${KHTML} Chrome/131.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/131.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${KHTML} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${KHTML} Chrome/130.0.0.0 Mobile Safari/537.36 OPR/86.0.0.0`,
    'Opera on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari on Mac',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/131.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${KHTML} Chrome/131.0.0.0 Mobile Safari/537.36 EdgA/131.0.0.0`,
    'Edge on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 EdgiOS/131.0.0.0 Mobile/15E148 Safari/604.1',
    'Edge on iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; U; Android 10; en-US; SM-A505F) ${KHTML} Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.4.0.1306 Mobile Safari/537.36`,
    'UC Browser on Android',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/132.0 Mobile/15E148 Safari/605.1.15',
    'Firefox on iPad',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${KHTML} HeadlessChrome/131.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  ['Mozilla/5.0 (X11; FreeBSD amd64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox'],
  ['Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko', 'Windows'],
  ['Chrome on Android', 'Chrome on Android'],
  ['curl/8.5.0', 'Unknown device'],
  ['', 'Unknown device'],
])('%s is called %s', (userAgent, name) => {
  expect([deviceName(userAgent), deviceLabel(userAgent)]).toEqual([name, name]);
});

test.each([
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)', 5, true],
  ['an iPad that names itself', 'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X)', 5, true],
  ['an iPad that names a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, true],
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, false],
  ['a phone with Android', 'Mozilla/5.0 (Linux; Android 10; K)', 5, false],
])('%s installs by hand: %#', (_what, userAgent, maxTouchPoints, isApple) => {
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints });
  expect(isAppleMobile()).toBe(isApple);
});

test.each([
  ['an iPhone with the app on its home screen', true, false, true],
  ['a window of its own', undefined, true, true],
  ['a tab', false, false, false],
  ['a tab of a browser without the property', undefined, false, false],
])('the app in %s is the installed one: %#', (_what, standalone, matches, isInstalled) => {
  const asked: string[] = [];
  vi.stubGlobal('navigator', { standalone });
  vi.stubGlobal('matchMedia', (query: string) => {
    asked.push(query);
    return { matches };
  });
  expect(isStandalone()).toBe(isInstalled);
  for (const query of asked) expect(query).toBe('(display-mode: standalone), (display-mode: minimal-ui)');
});

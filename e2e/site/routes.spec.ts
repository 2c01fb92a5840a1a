import type { Page } from '@playwright/test';
import { ALL_LOOKS, expectAccessibleInBothThemes } from '../support/accessibility.ts';
import { type ExpectedPage, PUBLIC_PAGES, REDIRECTS, SIGNED_IN_PAGES } from '../support/expected-pages.ts';
import { signInBeforeLoad } from '../support/session.ts';
import { type OpenTender, openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

test.describe.configure({ mode: 'parallel' });
// Chromium reports the status 404 of pages that do not exist.
test.use({
  expectedErrors: /^Failed to load resource: the server responded with a status of 404 .*\/(nowhere|999999999)\)$/,
});

const STATES = 36;

/** An address without its query, with `:id` in place of a number. */
const routeOf = (address: string) => address.replace(/\?.*/, '').replace(/\d+$/, ':id');
const TESTED_ROUTES = new Set([...PUBLIC_PAGES, ...SIGNED_IN_PAGES].map(({ address }) => routeOf(address)));

/** Opens a page. Returns when it shows its content and loads nothing more. */
async function open(page: Page, expected: ExpectedPage, tender: OpenTender): Promise<void> {
  await page.goto(expected.address.replace(':id', tender._id));
  await expectContent(page, expected, tender);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

/** Checks texts, title, heading and actions. */
async function expectContent(page: Page, { texts, title, heading, actions = [] }: ExpectedPage, tender: OpenTender) {
  const main = page.getByRole('main');
  for (const text of texts) await expect(main).toContainText(text, { useInnerText: true });
  const named = (text: string) => text.replace(':id', () => tender.title);
  await expect(page).toHaveTitle(`${named(title)} · Nivida`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText([
    heading === '' ? /^Good (morning|afternoon|evening), Asha Verma$/ : named(heading),
  ]);
  for (const name of actions) {
    const action = (role: 'button' | 'link') => page.getByRole(role, { name, exact: true });
    await expect(action('button').or(action('link')).filter({ visible: true }).first()).toBeVisible();
  }
}

const PHONE = { width: 360, height: 640 };
const DESKTOP = { width: 1280, height: 800 };

/**
 * Zoom of 200 % halves the width; WCAG requires at least 320 px. Text of twice the size is checked after it.
 */
async function expectNoSidewaysScroll(page: Page, size: { width: number; height: number }): Promise<void> {
  const sideways = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const setTextSize = (value: string) =>
    page.evaluate((text) => document.documentElement.style.setProperty('font-size', text), value);
  const narrow = Math.max(320, size.width / 2);
  await page.setViewportSize({ width: narrow, height: 640 });
  expect(await sideways(), `at ${narrow} px`).toBe(0);
  await page.setViewportSize(size);
  await setTextSize('200%');
  expect(await sideways(), 'with text of twice the size').toBe(0);
  await setTextSize('');
}

/**
 * The addresses of this site to which a page links. Links to other sites must not give them access to the
 * window.
 */
async function linksOf(page: Page): Promise<Set<string>> {
  const links = await page.locator('a[href]').evaluateAll((all) =>
    (all as HTMLAnchorElement[]).map((link) => ({
      href: link.href,
      rel: link.rel,
      isInMain: link.closest('main') !== null,
    })),
  );
  const here = new URL(page.url());
  const withFrame = hasFrame({ address: here.pathname });
  const internal = new Set<string>();
  for (const { href, rel, isInMain } of links) {
    const url = new URL(href);
    if (url.origin === here.origin) {
      const isAnchor = url.hash !== '' && url.pathname === here.pathname;
      if (!isAnchor && (isInMain || withFrame)) internal.add(url.pathname + url.search);
      // These links open the tab of a tender's changes, and the tour.
      if (isAnchor && isInMain && !['#changes', '#tour'].includes(url.hash))
        await expect(page.locator(url.hash), `the target of ${href}`).toBeAttached();
    } else if (!['mailto:', 'tel:'].includes(url.protocol))
      expect(rel.split(' '), `rel of ${href}`).toContain('noopener');
  }
  return internal;
}

/** Addresses that have answered in an earlier test of this worker. */
const checkedAddresses = new Set<string>();

/** The lists of the states are one route, so only two are requested. Before a release all are. */
const MAX_LISTS = ALL_LOOKS ? Number.POSITIVE_INFINITY : 2;
const isList = (address: string): boolean => address.startsWith('/tenders/results?');

/** The server answers each address. A route that no test of this file opens is opened here. */
async function expectNoDeadLink(page: Page, addresses: ReadonlySet<string>): Promise<void> {
  const untested = new Map<string, string>();
  const others = [...addresses].filter((address) => !isList(address));
  const lists = [...addresses].filter(isList).slice(0, MAX_LISTS);
  for (const address of [...others, ...lists]) {
    if (checkedAddresses.has(address)) continue;
    checkedAddresses.add(address);
    const answer = await page.request.get(address, { headers: { Accept: 'text/html' } });
    expect(answer.status(), address).toBe(200);
    // A file of the API is not a page.
    if (!TESTED_ROUTES.has(routeOf(address)) && !address.startsWith('/api/')) untested.set(routeOf(address), address);
  }
  for (const address of untested.values()) {
    await page.goto(address, { waitUntil: 'commit' });
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading, address).toBeVisible();
    await expect(heading, address).not.toHaveText(/^(Page not found|Error )/);
  }
}

/** The names of a landmark's links in order, without counts. */
async function expectLinks(page: Page, landmark: 'navigation' | 'contentinfo', name: string, expected: string[]) {
  const within = name === '' ? page.getByRole(landmark) : page.getByRole(landmark, { name, exact: true });
  await expect(within.getByRole('link')).toHaveText(expected);
}

/** Header and footer are equal on every page, so only the home page and the dashboard are checked. */
const hasFrame = ({ address }: { address: string }): boolean => ['/', '/dashboard'].includes(address);

/** Each part that only a desktop shows is on one of these pages. */
const hasDesktopParts = ({ address }: ExpectedPage): boolean =>
  /^\/(?:$|pricing|privacy|tenders\/(?:results|:id)|dashboard$)/.test(address);

/**
 * The layout and accessibility of these pages are checked in every run. All other pages are checked before a
 * release.
 */
const MAIN_PAGES = {
  signedOut: [
    ...['/', '/tenders', '/tenders/results?state=Uttar+Pradesh', '/tenders/:id', '/pricing', '/contact'],
    ...['/payment-status', '/privacy', '/notices'],
  ],
  signedIn: ['/dashboard', '/dashboard/settings', '/dashboard/profile', '/dashboard/applications'],
};

/** The page is accessible and never scrolls sideways. On a desktop all its parts are checked. */
async function expectAccessibleLayout(page: Page, expected: ExpectedPage, tender: OpenTender): Promise<void> {
  const darkPart = hasFrame(expected) ? 'html' : 'main';
  await expectAccessibleInBothThemes(page, darkPart);
  await expectNoSidewaysScroll(page, PHONE);
  await page.setViewportSize(DESKTOP);
  await expectContent(page, expected, tender);
  if (ALL_LOOKS && hasDesktopParts(expected)) await expectAccessibleInBothThemes(page, darkPart);
  await expectNoSidewaysScroll(page, DESKTOP);
}

let tender: OpenTender | undefined;

for (const isSignedIn of [false, true])
  test.describe(isSignedIn ? 'signed in' : 'signed out', () => {
    test.beforeEach(async ({ page }) => {
      if (isSignedIn) await signInBeforeLoad(page);
    });

    const pages = isSignedIn
      ? [
          // Most of a public page is the same for all, so its other parts are checked before a release.
          ...PUBLIC_PAGES.filter(({ differsSignedIn }) => ALL_LOOKS && differsSignedIn).map((page) => ({
            ...page,
            ...page.signedIn,
          })),
          ...SIGNED_IN_PAGES,
        ]
      : PUBLIC_PAGES;
    const mainPages = isSignedIn ? MAIN_PAGES.signedIn : MAIN_PAGES.signedOut;
    for (const expected of pages) {
      const isWhole = ALL_LOOKS || mainPages.includes(expected.address);
      const promise = isWhole ? 'accessible on phone and desktop' : 'shown on a phone';
      test(`${expected.address} is complete and ${promise}, and its links work`, async ({ page }) => {
        [tender] = tender ? [tender] : await openTenders(page.request, 'Uttar Pradesh');
        if (!tender) throw new Error('no tender');
        await open(page, expected, tender);
        // On a phone the page also contains the menus.
        const links = await linksOf(page);
        if (isWhole) await expectAccessibleLayout(page, expected, tender);
        await expectNoDeadLink(page, links);
      });
    }

    for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP }))
      test(`header, footer and the list of states lead to all pages on a ${device}`, async ({ page }) => {
        await page.setViewportSize(viewport);
        await page.goto('/');
        await expectLinks(page, 'contentinfo', '', [
          ...['About Us', 'Help', 'Status', 'Privacy', 'Terms', 'Cookies', 'Refund'],
          'Follow us on social.example',
        ]);
        const states = page.getByRole('region', { name: 'Browse Tenders by State' }).getByRole('link');
        await expect(states).toHaveCount(STATES);
        await expect(states.first()).toHaveAttribute('href', '/tenders/results?state=Andhra+Pradesh');
        if (device === 'phone') await page.getByRole('button', { name: 'Menu', exact: true }).tap();
        const menu = ['Home', 'Tenders', 'Competitive Analysis', 'Contact'];
        await expectLinks(page, 'navigation', device === 'phone' ? 'Menu' : 'Main', menu);
        const button = (name: string) => page.getByRole('button', { name, exact: true });
        if (isSignedIn) await expect(page.getByRole('link', { name: 'Dashboard', exact: true })).toBeVisible();
        for (const name of isSignedIn ? ['Logout'] : ['Sign in', 'Sign up']) await expect(button(name)).toBeVisible();
      });
  });

for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP }))
  test(`the dashboard has a menu of its seven pages on a ${device}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await signInBeforeLoad(page);
    await page.goto('/dashboard');
    if (device === 'phone') await page.getByRole('button', { name: 'Dashboard pages' }).tap();
    await expectLinks(page, 'navigation', 'Dashboard', [
      ...['Dashboard', 'My Applications', 'Payments & EMD', 'Analytics', 'Profile', 'Settings', 'Support'],
    ]);
    await expect(page.getByRole('region', { name: 'Your dashboard' })).toContainText('Asha Verma');
  });

test('old addresses lead to the new ones, and most pages of an account lead a signed-out visitor home', async ({
  page,
}) => {
  const pages = SIGNED_IN_PAGES.map(
    ({ address, worksSignedOut }) => [address, worksSignedOut ? address : '/'] as const,
  );
  for (const [from, to] of [...REDIRECTS, ...pages]) {
    await page.goto(from);
    await expect(page).toHaveURL(to);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  }
});

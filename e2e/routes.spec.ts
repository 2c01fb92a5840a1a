import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { type ExpectedPage, PUBLIC_PAGES, REDIRECTS, SIGNED_IN_PAGES } from './expected-pages.ts';
import { makeSession, storeSession } from './session.ts';
import { type ListedTender, openTenders } from './tenders.ts';
import { expect, test } from './test.ts';

// The browser itself logs the 404 of what is not found.
test.use({
  expectedErrors: /^Failed to load resource: the server responded with a status of 404 .*\/(nowhere|999999999)\)$/,
});
// Each walks some thirty pages.
test.setTimeout(240_000);

const STATES = 36;

/** Opens a page and returns when nothing of it is still to come. */
async function open(page: Page, { address, texts }: ExpectedPage, tender: ListedTender): Promise<void> {
  await page.goto(address.replace(':id', tender._id));
  const main = page.getByRole('main');
  for (const text of texts) await expect(main).toContainText(text, { useInnerText: true });
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

async function expectWords(
  page: Page,
  { title, heading, actions: ways = [] }: ExpectedPage,
  tender: ListedTender,
): Promise<void> {
  const named = (text: string) => text.replace(':id', () => tender.title);
  await expect(page).toHaveTitle(`${named(title)} · Nivida`);
  const headings = page.getByRole('heading', { level: 1 });
  await expect(headings).toHaveText([
    heading === '' ? /^Good (morning|afternoon|evening), Asha Verma$/ : named(heading),
  ]);
  for (const name of ways) {
    const way = (role: 'button' | 'link') => page.getByRole(role, { name, exact: true });
    await expect(way('button').or(way('link')).filter({ visible: true }).first()).toBeVisible();
  }
}

/** A zoom of 200% halves the width; 320 px is the narrowest that WCAG asks for. Then letters of twice the size. */
async function expectNoSidewaysScroll(page: Page, isMobile: boolean): Promise<void> {
  const [wide, narrow] = isMobile ? [360, 320] : [1280, 640];
  const sideways = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await page.setViewportSize({ width: narrow, height: 640 });
  expect(await sideways(), `at ${narrow} px`).toBe(0);
  await page.setViewportSize({ width: wide, height: isMobile ? 640 : 800 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  expect(await sideways(), 'with letters of twice the size').toBe(0);
}

/** The internal addresses that a page links to; links elsewhere must not hand over the window. */
async function linksOf(page: Page): Promise<string[]> {
  const links = await page.locator('a[href]').evaluateAll((all) =>
    (all as HTMLAnchorElement[]).map((link) => ({
      href: link.href,
      rel: link.rel,
      // a place on the page itself; those of the bar are of another page, or come with what is saved
      place: link.closest('main') && link.pathname === location.pathname ? link.hash : '',
    })),
  );
  const { origin } = new URL(page.url());
  const internal: string[] = [];
  for (const { href, rel, place } of links) {
    const url = new URL(href);
    if (url.origin === origin) {
      // A place on a page leads nowhere else; a page that is missing has such links too.
      const here = new URL(page.url());
      if (url.hash === '' || url.pathname !== here.pathname) internal.push(url.pathname + url.search);
      if (place) await expect(page.locator(place), `the place of ${href}`).toBeAttached();
    } else if (!['mailto:', 'tel:'].includes(url.protocol))
      expect(rel.split(' '), `rel of ${href}`).toContain('noopener');
  }
  return internal;
}

/**
 * Each address is answered, and opens a page of the app; of those that one route serves, the first is opened, and those
 * in `walked` have been.
 */
async function expectToLeadSomewhere(page: Page, addresses: ReadonlySet<string>, walked: ReadonlySet<string>) {
  const routes = new Map<string, string>();
  for (const address of addresses) {
    const answer = await page.request.get(address, { headers: { Accept: 'text/html' } });
    expect(answer.status(), address).toBe(200);
    const route = address.replace(/\?.*/, '').replace(/\d+$/, ':id');
    if (!walked.has(address) && !routes.has(route)) routes.set(route, address);
  }
  for (const address of routes.values()) {
    await page.goto(address, { waitUntil: 'commit' });
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading, address).toBeVisible();
    await expect(heading, address).not.toHaveText(/^(Page not found|Error )/);
  }
}

/** The names of a landmark's links in their order, without counts. */
async function expectLinks(page: Page, landmark: 'navigation' | 'contentinfo', name: string, expected: string[]) {
  const within = name === '' ? page.getByRole(landmark) : page.getByRole(landmark, { name, exact: true });
  await expect(within.getByRole('link')).toHaveText(expected);
}

const PAGES_OF_NAV = ['Home', 'Tenders', 'Competitive Analysis', 'Contact'];

async function expectFrame(page: Page, isMobile: boolean, isSignedIn: boolean): Promise<void> {
  await page.goto('/');
  await expectLinks(page, 'contentinfo', '', [
    ...['About Us', 'Privacy', 'Terms', 'Cookies', 'Refund'],
    'Follow us on social.example',
  ]);
  const states = page.getByRole('region', { name: 'Browse Tenders by State' }).getByRole('link');
  await expect(states).toHaveCount(STATES);
  await expect(states.first()).toHaveAttribute('href', '/tenders/results?state=Andhra+Pradesh');
  if (isMobile) await page.getByRole('button', { name: 'Menu', exact: true }).tap();
  await expectLinks(page, 'navigation', isMobile ? 'Menu' : 'Main', PAGES_OF_NAV);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  if (isSignedIn) await expect(page.getByRole('link', { name: 'Dashboard', exact: true })).toBeVisible();
  for (const name of isSignedIn ? ['Logout'] : ['Sign in', 'Sign up']) await expect(button(name)).toBeVisible();
}

async function expectDashboardFrame(page: Page, isMobile: boolean): Promise<void> {
  await page.goto('/dashboard');
  if (isMobile) await page.getByRole('button', { name: 'Dashboard pages' }).tap();
  await expectLinks(page, 'navigation', 'Dashboard', [
    ...['Dashboard', 'My Applications', 'Payments & EMD', 'Analytics', 'Profile', 'Settings', 'Support'],
  ]);
  await expect(page.getByRole('region', { name: 'Your dashboard' })).toContainText('Asha Verma');
}

async function expectToLeadOn(page: Page, ways: readonly (readonly [from: string, to: string])[]): Promise<void> {
  for (const [from, to] of ways) {
    await page.goto(from);
    await expect(page).toHaveURL(to);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  }
}

for (const isSignedIn of [false, true]) {
  test(`every page is whole for whoever is signed ${isSignedIn ? 'in' : 'out'}`, async ({ page, isMobile }) => {
    const [tender] = await openTenders(page.request, 'Uttar Pradesh');
    if (!tender) throw new Error('no tender');
    await page.goto('/');
    if (isSignedIn) await storeSession(page, await makeSession());
    const pages = isSignedIn ? [...PUBLIC_PAGES, ...SIGNED_IN_PAGES] : PUBLIC_PAGES;
    const linked = new Set<string>();
    const walked = new Set<string>();
    for (const listed of pages) {
      await test.step(listed.address, async () => {
        await open(page, listed, tender);
        await expectWords(page, listed, tender);
        await expectAccessibleInBothThemes(page);
        for (const address of await linksOf(page)) linked.add(address);
        walked.add(listed.address.replace(':id', tender._id));
        await expectNoSidewaysScroll(page, isMobile);
      });
    }
    await test.step('the frame', () => expectFrame(page, isMobile, isSignedIn));
    if (isSignedIn) await test.step('its dashboard', () => expectDashboardFrame(page, isMobile));
    await test.step('addresses that lead on', async () => {
      const own = isSignedIn ? [] : SIGNED_IN_PAGES.map(({ address }) => [address, '/'] as const);
      await expectToLeadOn(page, [...REDIRECTS, ...own]);
    });
    // The links are those of the phone, where the menus are in the page too.
    if (isMobile) await test.step('no dead link', () => expectToLeadSomewhere(page, linked, walked));
  });
}

test('the registration opens at /register and by /?register=1', async ({ page }) => {
  for (const address of ['/register', '/?register=1']) {
    await page.goto(address);
    await expect(page.getByRole('dialog', { name: 'Create Account' })).toBeVisible();
    await expect(page).toHaveURL('/');
  }
});

/** How one comes into the app in a language, and stays in it: the icon, its shortcuts, links, tabs, sessions and accounts. */
import type { Locator, Page } from '@playwright/test';
import { button, signInByDialog } from '../support/account-dialogs.ts';
import { waitForWholeApp, waitForWorker } from '../support/phone.ts';
import { withServerDatabase } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { registerByApi } from '../support/test-accounts.ts';

test.describe.configure({ mode: 'parallel' });

const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });
const languageOf = (page: Page): Locator => page.locator('html');

async function switchTo(page: Page, language: 'English' | 'हिन्दी'): Promise<void> {
  await page.locator('button[popovertarget=menu]').tap();
  await page.locator('#menu').getByRole('link', { name: language }).tap();
}

/** The address of home in the language that was chosen on this device. */
const chosenHome = (page: Page) => page.evaluate(() => localStorage.getItem('home'));
const choose = (page: Page, home: string) =>
  page.addInitScript((value) => localStorage.setItem('home', JSON.stringify(value)), home);

interface Manifest {
  id: string;
  lang: string;
  start_url: string;
  share_target: { action: string };
  shortcuts: { name: string; url: string }[];
}

test('the icon, its shortcuts and the share sheet open the chosen language, by whichever manifest the app was installed', {
  tag: '@release',
}, async ({ page }) => {
  const manifests: Manifest[] = [];
  for (const home of ['/', '/hi']) {
    await page.goto(home);
    const address = await page.locator('link[rel=manifest]').getAttribute('href');
    manifests.push(await (await page.request.get(address ?? '')).json());
  }
  expect(manifests.map(({ id, lang, shortcuts }) => [id, lang, shortcuts.map(({ name }) => name)])).toEqual([
    ['/?app', 'en-IN', ['Search tenders', 'Saved tenders', 'Notices', 'Add a list of tenders']],
    ['/?app', 'hi-IN', ['टेंडर खोजें', 'सहेजे हुए टेंडर', 'सूचनाएँ', 'टेंडर की सूची जोड़ें']],
  ]);
  for (const [home, prefix] of [
    ['/hi', '/hi'],
    ['/', ''],
  ] as const) {
    await page.evaluate((value) => localStorage.setItem('home', JSON.stringify(value)), home);
    for (const { start_url, share_target, shortcuts } of manifests)
      for (const [opened, shown] of [
        [start_url, `${home}?src=pwa`],
        [shortcuts[0]?.url, `${prefix}/tenders?src=pwa`],
        [shortcuts[1]?.url, `${prefix}/tenders?src=pwa#saved`],
        [`${share_target.action}?text=road`, `${prefix}/tenders?q=road`],
      ]) {
        await page.goto(opened ?? '');
        await expect(page).toHaveURL(shown ?? '');
      }
  }
});

test('a chosen language that the app no longer has counts as no choice', async ({ page }) => {
  await choose(page, '/xx');
  await page.goto('/?src=pwa');
  await expect(heading(page)).toHaveText('Government tenders, down to the closing hour.');
  await expect(page).toHaveURL('/?src=pwa');
});

test('a Hindi link stays Hindi for a user of English, and is no choice', async ({ page }) => {
  await choose(page, '/');
  const [tender] = await openTenders(page.request, 'Uttar Pradesh');
  await page.goto(`/hi/tenders/${tender?._id}`);
  await expect(languageOf(page)).toHaveAttribute('lang', 'hi-IN');
  await expect(page.locator('#menu').getByText('English')).toBeAttached();
  expect(await chosenHome(page)).toBe('"/"');
  await page.goto('/?src=pwa');
  await expect(languageOf(page)).toHaveAttribute('lang', 'en-IN');
});

test('a switch keeps query and hash, and asks before typed text is lost', async ({ page }) => {
  await page.goto('/tenders?q=road#saved');
  await switchTo(page, 'हिन्दी');
  await expect(page).toHaveURL('/hi/tenders?q=road#saved');
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/hi/manifest.webmanifest');

  await page.goto('/contact');
  const message = page.getByRole('textbox', { name: /^Message/ });
  await message.fill('Which tenders does Nivida have?');
  await switchTo(page, 'हिन्दी');
  const question = page.getByRole('status').filter({ hasText: 'What you typed on this page would be lost.' });
  await expect(question).toBeVisible();
  await expect(message).toHaveValue('Which tenders does Nivida have?');
  await expect(page).toHaveURL('/contact');
  await button(question, 'हिन्दी').tap();
  await expect(page).toHaveURL('/hi/contact');
});

test('two tabs have two languages', { tag: '@release' }, async ({ page, context }) => {
  await page.goto('/about');
  const hindi = await context.newPage();
  await hindi.goto('/about');
  await switchTo(hindi, 'हिन्दी');
  await expect(heading(hindi)).toHaveText('हमारे बारे में');
  await page.bringToFront();
  await page.locator('button[popovertarget=menu]').tap();
  await page.locator('#menu').getByRole('link', { name: 'Contact' }).tap();
  await expect(heading(page)).toHaveText('Contact');
  await expect(languageOf(hindi)).toHaveAttribute('lang', 'hi-IN');
});

test.describe('a page that does not exist', () => {
  test.use({ expectedErrors: /status of 404/ });

  test('says so in Hindi', async ({ page }) => {
    expect((await page.goto('/hi/nowhere'))?.status()).toBe(404);
    await expect(heading(page)).toHaveText('पेज नहीं मिला');
    await page.getByRole('main').getByRole('link').first().tap();
    await expect(page).toHaveURL(/\/hi(\/|$)/);
  });
});

test.describe('an account', () => {
  test.use({ expectedErrors: /status of 401/ });

  test('brings its language to another device; after the end of a session a sign-in returns to the page in Hindi', async ({
    page,
  }) => {
    const person = await registerByApi();
    const ofAccount = (sql: string) =>
      withServerDatabase((client) =>
        client.query(sql.replace('ACCOUNT', '(SELECT id FROM account WHERE email = $1)'), [person.email]),
      );
    await ofAccount("UPDATE account SET language = 'hi' WHERE id = ACCOUNT");
    await page.goto('/about');
    await signInByDialog(page, person);
    await button(page.getByRole('status'), 'हिन्दी').tap();
    await expect(page).toHaveURL('/hi/about');

    await page.goto('/hi/dashboard/profile');
    await expect(heading(page)).toHaveText('प्रोफ़ाइल');
    await ofAccount('UPDATE session SET revoked_at = now() WHERE user_id = ACCOUNT');
    await page.reload();
    await expect(page).toHaveURL('/hi');
    await page.locator('button[popovertarget=menu]').tap();
    await button(page.locator('#menu'), 'साइन इन').tap();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[name=mobileNo]').fill(person.mobileNo);
    await dialog.locator('input[name=password]').fill(person.password);
    await dialog.locator('button[type=submit]').tap();
    await expect(page).toHaveURL('/hi/dashboard/profile');
    await expect(heading(page)).toHaveText('प्रोफ़ाइल');
  });
});

test('an action tapped before the texts of other screens are here speaks Hindi', async ({ page }) => {
  const sizes: number[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/hi-.*\.js$/, async (route) => {
    const response = await route.fetch();
    sizes.push((await response.body()).length);
    // The first file has the texts of the first screens.
    if (sizes.length > 1) await held;
    await route.fulfill({ response });
  });
  await page.goto('/hi/tenders/results?state=Uttar+Pradesh');
  await expect(page.getByRole('status').filter({ hasText: 'खोज' })).toHaveCount(0);
  // Watched at each frame from before the tap: on a busy machine the message may be over when the tap returns.
  const message = page.waitForFunction(() =>
    [...document.querySelectorAll('[role=status]')].some(
      (status) => status.checkVisibility() && status.textContent.includes('खोज'),
    ),
  );
  await page.locator('button[data-search]').tap();
  await message;
  release();
});

test.describe('a Hindi page whose texts cannot be loaded', () => {
  test.use({ expectedErrors: /net::ERR_FAILED/ });

  test('becomes an English page that works', async ({ page }) => {
    await page.route(/\/assets\/hi-.*\.js$/, (route) => route.abort());
    await page.goto('/hi/about');
    await expect(heading(page)).toHaveText('About Us');
    await expect(languageOf(page)).toHaveAttribute('lang', 'en-IN');
    await page.locator('button[popovertarget=menu]').tap();
    await page.locator('#menu').getByRole('link', { name: 'Contact' }).tap();
    await expect(heading(page)).toHaveText('Contact');
  });
});

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: /net::ERR_(?:INTERNET_DISCONNECTED|FAILED)/ });

  test('a language that is not on the phone needs a connection, and the app says so', async ({ page, context }) => {
    await page.goto('/tenders');
    await waitForWholeApp(page);
    await context.setOffline(true);
    await switchTo(page, 'हिन्दी');
    const note = page
      .getByRole('status')
      .filter({ hasText: 'हिन्दी: this language is not on the phone yet and needs a connection.' });
    await expect(note).toBeVisible();
    // The menu would cover the note.
    await expect(page.locator('#menu')).toBeHidden();
    await expect(page).toHaveURL('/tenders');
    await page.goto('/hi/tenders');
    await expect(note).toBeVisible();
    await expect(heading(page)).toHaveText('Find tenders');
    await expect(languageOf(page)).toHaveAttribute('lang', 'en-IN');
    await context.setOffline(false);
    await page.goto('/tenders');
    await switchTo(page, 'हिन्दी');
    await expect(page).toHaveURL('/hi/tenders');
    await expect(languageOf(page)).toHaveAttribute('lang', 'hi-IN');
  });

  test('after a switch the stored page is that of the new language', { tag: '@release' }, async ({ page, context }) => {
    await page.goto('/tenders/results?state=Uttar+Pradesh');
    await waitForWorker(page);
    await switchTo(page, 'हिन्दी');
    const address = '/hi/tenders/results?state=Uttar+Pradesh';
    await expect(page).toHaveURL(address);
    await expect
      .poll(() =>
        page.evaluate(async (url) => (await (await caches.match(url, { ignoreVary: true }))?.text()) ?? '', address),
      )
      .toContain('<html lang="hi-IN"');
    await context.setOffline(true);
    await page.reload();
    await expect(languageOf(page)).toHaveAttribute('lang', 'hi-IN');
    await expect(page.getByRole('article').first()).toBeVisible();
  });
});

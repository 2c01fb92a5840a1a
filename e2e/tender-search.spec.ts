import type { Locator, Page } from '@playwright/test';
import { cards, factValue, firstPageOf, openTenders, resultCount } from './tenders.ts';
import { expect, test } from './test.ts';

/** The badge of an open tender: countdown and hour. */
const OPEN_LABEL = /^(Closing today|Closing tomorrow|\d+ days left|\d+ days remaining) · \d{1,2}:\d{2} (AM|PM)$/;

const stateSelect = (page: Page) => page.getByRole('combobox', { name: 'State' });
const districtSelect = (page: Page) => page.getByRole('combobox', { name: 'District' });
const departmentSelect = (page: Page) => page.getByRole('combobox', { name: 'Department' });
const showTenders = (page: Page) => page.getByRole('button', { name: /^Show (\d+ )?tenders?$/ });

test.describe('finding a tender', () => {
  test('a phone finds a Himachal tender and how to bid in three taps from home', async ({ page }) => {
    let taps = 0;
    const tap = async (target: Locator) => {
      taps++;
      await target.tap();
    };
    await page.goto('/');
    await tap(
      page.getByRole('region', { name: 'Browse Tenders by State' }).getByRole('link', { name: /^Himachal Pradesh/ }),
    );
    await expect(page.getByRole('heading', { level: 1, name: 'Tenders in Himachal Pradesh' })).toBeAttached();
    const card = cards(page).first();
    const title = await card.getByRole('heading').innerText();
    const label = await card.locator('time').innerText();
    const emd = (
      await card
        .getByText(/^\s*·?\s*EMD /)
        .last()
        .innerText()
    ).replace(/^.*EMD /s, '');
    expect(label).toMatch(OPEN_LABEL);

    await tap(card.getByRole('link', { name: title }));
    await expect(page).toHaveURL(/\/tenders\/\d+$/);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(label, { exact: true }).filter({ visible: true })).toBeVisible();
    await expect(factValue(page, 'EMD').first()).toHaveText(emd, { ignoreCase: true });
    await expect(factValue(page, 'Organisation')).toBeVisible();

    await tap(page.getByRole('tab', { name: 'Bidding Details' }));
    await expect(factValue(page, 'Bid submission ends')).toContainText(
      /^\w{3} \d{1,2} \w{3}( \d{4})?, \d{1,2}:\d{2} (AM|PM)/,
    );
    expect(taps).toBe(3);
  });

  test('words are searched in all states', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('searchbox', { name: 'Work, place, department or tender ID' }).fill('retaining wall');
    await page.getByRole('button', { name: 'Search' }).tap();
    await expect(page).toHaveURL('/tenders/results?q=retaining+wall');
    await expect(page.getByRole('heading', { level: 1, name: 'Tenders for “retaining wall”' })).toBeAttached();
    await expect(resultCount(page)).toHaveText(/^Showing 1 to 10 of \d+ tenders$/);
    await expect(page.getByRole('link', { name: 'Change the search: “retaining wall” All states' })).toBeVisible();
  });

  test('a misspelt word shows the results of the right one, with a note', async ({ page }) => {
    await page.goto('/tenders/results?q=constrution');
    await expect(
      page.getByText('Showing results for “construction”. Nothing was found for “constrution”.'),
    ).toBeVisible();
    await expect(cards(page)).toHaveCount(10);
  });

  test('a slug in the address is shown as the listed name', async ({ page }) => {
    await page.goto('/tenders/results?state=himachal-pradesh');
    await expect(page.getByRole('heading', { level: 1, name: 'Tenders in Himachal Pradesh' })).toBeAttached();
    await expect(page.getByRole('link', { name: /Change the search: Himachal Pradesh/ })).toBeVisible();
    await page.goto('/tenders?state=himachal-pradesh&district=sirmour');
    await expect(stateSelect(page)).toHaveValue('Himachal Pradesh');
    await expect(districtSelect(page)).toHaveValue('Sirmaur');
  });
});

test.describe('the search form', () => {
  test('waits for a state before it offers districts and departments', async ({ page }) => {
    await page.goto('/tenders');
    await expect(districtSelect(page)).toBeDisabled();
    await expect(departmentSelect(page)).toBeDisabled();
    await stateSelect(page).selectOption('Himachal Pradesh');
    await districtSelect(page).selectOption('Kangra');
    await expect(districtSelect(page)).toHaveValue('Kangra');
    await departmentSelect(page).selectOption({ index: 1 });

    await stateSelect(page).selectOption('Delhi');
    await expect(districtSelect(page)).toHaveValue('');
    await expect(departmentSelect(page)).toHaveValue('');
    await expect(districtSelect(page).getByRole('option', { name: 'Kangra' })).toHaveCount(0);
  });

  test('requires a state when nothing was chosen', async ({ page }) => {
    await page.goto('/tenders');
    await showTenders(page).tap();
    await expect(page.getByText('State is required')).toBeVisible();
    await expect(stateSelect(page)).toBeFocused();
    await expect(stateSelect(page)).toHaveAccessibleDescription('State is required');
    await expect(stateSelect(page)).toHaveAttribute('aria-invalid', 'true');
    await stateSelect(page).selectOption('Kerala');
    await expect(page.getByText('State is required')).toHaveCount(0);
  });

  test('needs no state for words', async ({ page }) => {
    await page.goto('/tenders');
    await page.getByRole('combobox', { name: 'Work, place or tender ID' }).fill('road');
    await showTenders(page).tap();
    await expect(page).toHaveURL('/tenders/results?q=road');
    await expect(cards(page)).toHaveCount(10);
  });

  test('narrows the list by district and by department', async ({ page, request }) => {
    const tenders = await openTenders(request, 'Uttar Pradesh');
    const chosen = tenders.find(({ district, department }) => district && department);
    const { district, department } = chosen as { district: string; department: string };
    const inDistrict = tenders.filter((tender) => tender.district === district);
    const both = inDistrict.filter((tender) => tender.department === department);

    await page.goto('/tenders');
    await stateSelect(page).selectOption('Uttar Pradesh');
    await districtSelect(page).selectOption(district);
    await showTenders(page).tap();
    await expect(page).toHaveURL(`/tenders/results?${new URLSearchParams({ state: 'Uttar Pradesh', district })}`);
    await expect(resultCount(page)).toHaveText(firstPageOf(inDistrict.length));
    for (const card of await cards(page).all()) await expect(card).toContainText(district);

    await page.getByRole('link', { name: /^Change the search/ }).tap();
    await expect(districtSelect(page)).toHaveValue(district);
    const counts = Map.groupBy(inDistrict, (tender) => tender.department);
    const offered = await departmentSelect(page).getByRole('option').allInnerTexts();
    expect(offered[0]).toBe('All departments');
    expect(new Set(offered.slice(1))).toEqual(new Set([...counts].map(([name, { length }]) => `${name} (${length})`)));
    await departmentSelect(page).selectOption(department);
    await showTenders(page).tap();
    await expect(resultCount(page)).toHaveText(firstPageOf(both.length));
  });
});

test.describe('the tender', () => {
  test('its tabs change by tap and by arrow keys, and are part of the address', async ({ page, request }) => {
    const [tender] = await openTenders(request, 'Himachal Pradesh');
    const tab = (name: string) => page.getByRole('tab', { name });
    await page.goto(`/tenders/${tender?._id}`);
    await expect(tab('Overview')).toHaveAttribute('aria-selected', 'true');
    await tab('Documents').tap();
    await expect(page).toHaveURL(`/tenders/${tender?._id}#documents`);
    await expect(page.getByRole('tabpanel', { name: 'Documents' }).getByText('NIT & BOQ')).toBeVisible();

    await page.keyboard.press('ArrowRight');
    await expect(tab('Bidding Details')).toBeFocused();
    await expect(page).toHaveURL(`/tenders/${tender?._id}#bidding`);
    await page.keyboard.press('ArrowRight');
    await expect(tab('Overview')).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(tab('Bidding Details')).toBeFocused();
    await page.keyboard.press('Home');
    await expect(page.getByRole('tabpanel', { name: 'Overview' })).toBeVisible();
  });

  test('a link to a tab opens it', async ({ page, request }) => {
    const [tender] = await openTenders(request, 'Himachal Pradesh');
    await page.goto(`/tenders/${tender?._id}#bidding`);
    await expect(page.getByRole('tab', { name: 'Bidding Details' })).toHaveAttribute('aria-selected', 'true');
    await expect(factValue(page, 'EMD exemption')).toHaveText(/^(Allowed|Not allowed|Not specified)$/);
  });

  test('back leads to the search form when the tender was opened by a link', async ({ page, request }) => {
    const [tender] = await openTenders(request, 'Himachal Pradesh');
    await page.goto(`/tenders/${tender?._id}`);
    await page.getByRole('button', { name: /^Back to search/ }).tap();
    await expect(page).toHaveURL('/tenders');
    await expect(page.getByRole('heading', { level: 1, name: 'Find tenders' })).toBeVisible();
  });
});

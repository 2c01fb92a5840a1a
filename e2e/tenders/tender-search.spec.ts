import type { Locator, Page } from '@playwright/test';
import { waitForHydration } from '../site/hydration.ts';
import { expectAccessible } from '../support/accessibility.ts';
import {
  cards,
  choosePlace,
  factValue,
  firstPageOf,
  openTenders,
  placeButton,
  placeList,
  resultCount,
  tenderHeading,
} from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

/** The badge of an open tender: countdown and hour. */
const OPEN_LABEL = /^(Closing today|Closing tomorrow|\d+ days left|\d+ days remaining) · \d{1,2}:\d{2} (AM|PM)$/;

const stateSelect = (page: Page) => page.getByRole('combobox', { name: 'State' });
const districts = (page: Page) => placeButton(page, 'District');
const departments = (page: Page) => placeButton(page, 'Department');
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
    await expect(tenderHeading(page, title)).toBeVisible();
    await expect(page.getByText(label, { exact: true }).filter({ visible: true })).toBeVisible();
    await expect(factValue(page, 'EMD').first()).toHaveText(emd, { ignoreCase: true });
    await expect(factValue(page, 'Organisation')).toBeVisible();

    await tap(page.getByRole('tab', { name: 'Bidding Details' }));
    await expect(factValue(page, 'Bid submission ends')).toContainText(
      /^\w{3} \d{1,2} \w{3}( \d{4})?, \d{1,2}:\d{2} (AM|PM)/,
    );
    expect(taps).toBe(3);
  });

  test('words are searched in all states', { tag: '@release' }, async ({ page }) => {
    await page.goto('/');
    await page.getByRole('searchbox', { name: 'Work, place, department or tender ID' }).fill('retaining wall');
    await page.getByRole('button', { name: 'Search' }).tap();
    await expect(page).toHaveURL('/tenders/results?q=retaining+wall');
    await expect(page.getByRole('heading', { level: 1, name: 'Tenders for “retaining wall”' })).toBeAttached();
    await expect(resultCount(page)).toHaveText(/^Showing 1 to \d+ of \d+ tenders/);
    await expect(
      page.getByRole('link', { name: /^Change the search: retaining wall All states\s+· \d+ in \d+ notices/ }),
    ).toBeVisible();
  });

  test('a misspelt word shows the results of the right one, with a note', async ({ page }) => {
    await page.goto('/tenders/results?q=constrution');
    await expect(page.getByText('Showing results for “construction” · Search “constrution” instead')).toBeVisible();
    await expect(cards(page)).toHaveCount(10);
  });

  test('a place in the words is a filter with a way back, found words are marked, and an empty list offers the nearest', async ({
    page,
  }) => {
    await page.goto('/tenders/results?q=sadak+himachal');
    await expect(page.getByText('Tenders in Himachal Pradesh for “sadak”')).toBeVisible();
    const mark = cards(page).locator('mark').first();
    await expect(mark).toHaveAttribute('title', /^sadak: /);
    await page.getByRole('link', { name: 'Search the word himachal instead' }).tap();
    await expect(page).toHaveURL('/tenders/results?q=sadak+himachal&literal=place');
    await expect(page.getByText('Tenders in Himachal Pradesh for “sadak”')).toHaveCount(0);

    await page.goto('/tenders/results?state=Himachal+Pradesh&q=sadak&min=999999999999');
    await expect(page.getByRole('heading', { name: 'No Tenders Found' })).toBeVisible();
    const nearest = page.getByRole('link', { name: /^\d+ without these filters$/ });
    const total = parseInt(await nearest.innerText(), 10);
    await nearest.tap();
    await expect(resultCount(page)).toHaveText(firstPageOf(total));
  });

  test('conditions in the words are filters that a key removes, with a way back to the words', async ({ page }) => {
    await page.goto('/tenders/results?state=Himachal+Pradesh&q=sadak+20+lakh+se+kam+not+bridge');
    const filters = page.getByRole('list', { name: 'Filters set' });
    await filters.getByRole('link', { name: 'Remove Value up to ₹20 Lakh' }).press('Enter');
    await expect(page).toHaveURL('/tenders/results?state=Himachal+Pradesh&q=sadak+not+bridge');
    await expect(filters.getByRole('link', { name: 'Remove Without “bridge”' })).toBeVisible();
    await page.getByRole('link', { name: 'Search the words not bridge instead' }).tap();
    await expect(page).toHaveURL('/tenders/results?state=Himachal+Pradesh&q=sadak+not+bridge&literal=conditions');
    await expect(filters.getByRole('link', { name: 'Remove Without “bridge”' })).toHaveCount(0);
  });

  test('a slug in the address is shown as the listed name', { tag: '@release' }, async ({ page }) => {
    await page.goto('/tenders/results?state=himachal-pradesh');
    await expect(page.getByRole('heading', { level: 1, name: 'Tenders in Himachal Pradesh' })).toBeAttached();
    await expect(page.getByRole('link', { name: /Change the search: Himachal Pradesh/ })).toBeVisible();
    await page.goto('/tenders?state=himachal-pradesh&district=sirmour');
    await expect(stateSelect(page)).toHaveValue('Himachal Pradesh');
    await expect(districts(page)).toHaveText('Sirmaur');
  });
});

test.describe('the search form', () => {
  test('waits for a state before it offers districts and departments', async ({ page }) => {
    await page.goto('/tenders');
    await expect(districts(page)).toBeDisabled();
    await expect(departments(page)).toBeDisabled();
    await stateSelect(page).selectOption('Himachal Pradesh');
    await choosePlace(page, 'District', 'Kangra');
    await expect(districts(page)).toHaveText('Kangra');
    await departments(page).tap();
    await placeList(page, 'Department').getByRole('checkbox').first().check();
    await expect(departments(page)).not.toHaveText('All departments');

    await stateSelect(page).selectOption('Delhi');
    await expect(districts(page)).toHaveText('All districts');
    await expect(departments(page)).toHaveText('All departments');
    await expect(placeList(page, 'District').getByRole('checkbox', { name: /^Kangra/ })).toHaveCount(0);
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

  test('needs no state for words', { tag: '@release' }, async ({ page }) => {
    await page.goto('/tenders');
    await page.getByRole('combobox', { name: 'Work, place or tender ID' }).fill('road');
    await showTenders(page).tap();
    await expect(page).toHaveURL('/tenders/results?q=road');
    await expect(cards(page)).toHaveCount(10);
  });

  test('suggests recent searches and works while typing, by keyboard and for screen readers', async ({ page }) => {
    await page.goto('/tenders');
    const field = page.getByRole('combobox', { name: 'Work, place or tender ID' });
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await field.fill('retain');
    await expect(options).toHaveText(['retaining wallWork', 'retaining']);
    await field.press('ArrowDown');
    await expect(options.first()).toHaveAttribute('aria-selected', 'true');
    await expect(field).toHaveAttribute('aria-activedescendant', (await options.first().getAttribute('id')) ?? '');
    await field.press('End');
    await expect(field).not.toHaveAttribute('aria-activedescendant');
    await field.press('ArrowDown');
    await field.press('Enter');
    await expect(field).toHaveValue('retaining wall');
    await expect(field).toHaveAttribute('aria-expanded', 'false');
    await expect(page).toHaveURL('/tenders');
    await field.press('Enter');
    await expect(page).toHaveURL('/tenders/results?q=retaining+wall');
    await expect(cards(page).first()).toBeVisible();

    await page.goBack();
    await field.fill('retain');
    await expect(options).toHaveText(['“retaining wall”Recent', 'retaining wallWork', 'retaining']);
    await expect(page.getByRole('status').filter({ hasText: /^3 suggestions$/ })).toBeAttached();
    await expectAccessible(page);
    await field.press('ArrowDown');
    await field.press('Shift+Delete');
    await expect(options).toHaveText(['retaining wallWork', 'retaining']);
  });

  test.describe('with speech recognition', () => {
    // The connection is cut while the page loads the code of other screens.
    test.use({ expectedErrors: /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/ });

    test('takes spoken words into the field, and is off without a connection', async ({ page, context }) => {
      await page.addInitScript(() => {
        class TestRecognition {
          onresult?: (event: object) => void;
          onend?: () => void;
          start() {
            this.onresult?.({ results: [[{ transcript: 'Road repair.' }]] });
            this.onend?.();
          }
          abort() {}
        }
        Object.assign(window, { SpeechRecognition: TestRecognition });
      });
      await page.goto('/tenders');
      const microphone = page.getByRole('button', { name: 'Speak the search' });
      await microphone.tap();
      const field = page.getByRole('combobox', { name: 'Work, place or tender ID' });
      await expect(field).toHaveValue('Road repair');
      await expect(field).toBeFocused();
      await expect(page).toHaveURL('/tenders');
      await context.setOffline(true);
      await expect(microphone).toBeDisabled();
      await expect(page.getByText(/^Voice input needs a connection/)).toBeVisible();
    });
  });

  test('narrows the list by district and by department', async ({ page, request }) => {
    const tenders = await openTenders(request, 'Uttar Pradesh');
    const chosen = tenders.find(({ district, department }) => district && department);
    const { district, department } = chosen as { district: string; department: string };
    const inDistrict = tenders.filter((tender) => tender.district === district);
    const both = inDistrict.filter((tender) => tender.department === department);

    await page.goto('/tenders');
    await stateSelect(page).selectOption('Uttar Pradesh');
    await choosePlace(page, 'District', district);
    await showTenders(page).tap();
    await expect(page).toHaveURL(`/tenders/results?${new URLSearchParams({ state: 'Uttar Pradesh', district })}`);
    await expect(resultCount(page)).toHaveText(firstPageOf(inDistrict.length));
    for (const card of await cards(page).all()) await expect(card).toContainText(district);

    await page.getByRole('link', { name: /^Change the search/ }).tap();
    await expect(districts(page)).toHaveText(district);
    const counts = Map.groupBy(inDistrict, (tender) => tender.department);
    await departments(page).tap();
    const offered = await placeList(page, 'Department').getByRole('listitem').allInnerTexts();
    const choices = [...counts].map(([name, { length }]) => `${name} ${length} ${length === 1 ? 'tender' : 'tenders'}`);
    expect(new Set(offered.map((text) => text.replace(/\s+/g, ' ')))).toEqual(new Set(choices));
    await choosePlace(page, 'Department', department);
    await showTenders(page).tap();
    await expect(resultCount(page)).toHaveText(firstPageOf(both.length));

    await test.step('and begins with the state of the last search', async () => {
      await page.goto('/tenders');
      await expect(stateSelect(page)).toHaveValue('Uttar Pradesh');
      await expect(districts(page)).toHaveText('All districts');
    });
  });
});

test('districts are chosen in the filters and removed by their chips, and the state offers them again', {
  tag: '@release',
}, async ({ page, request }) => {
  const state = 'Uttar Pradesh';
  const tenders = await openTenders(request, state);
  const named = [...new Set(tenders.flatMap(({ district }) => district ?? []))].slice(0, 2).sort();
  const [first = '', second = ''] = named;
  const countIn = (names: string[]) => tenders.filter(({ district }) => district && names.includes(district)).length;
  const address = (names: string[]) =>
    `/tenders/results?${new URLSearchParams([['state', state], ...names.map((name) => ['district', name])])}`;
  const chip = (name: string) => page.getByRole('list', { name: 'Filters set' }).getByRole('link', { name });
  const states = page.getByRole('region', { name: 'Browse Tenders by State' });
  const openState = () => states.getByRole('link', { name: /^Uttar Pradesh/ }).tap();

  await test.step('two districts', async () => {
    await page.goto('/');
    await openState();
    await page.getByRole('button', { name: 'Filters', exact: true }).tap();
    const filters = page.getByRole('dialog', { name: 'Filters' });
    await choosePlace(filters, 'District', second);
    await choosePlace(filters, 'District', first);
    await expectAccessible(page);
    await filters.getByRole('button', { name: `Show ${countIn(named)} tenders` }).tap();
    await expect(page).toHaveURL(address(named));
    await expect(resultCount(page)).toHaveText(firstPageOf(countIn(named)));
    await expect(page.getByRole('button', { name: 'Filters, 2 set' })).toBeVisible();
  });

  await test.step('one is removed', async () => {
    expect((await chip(`Remove ${first}`).boundingBox())?.height).toBe(48);
    await chip(`Remove ${first}`).tap();
    await expect(chip(`Remove ${second}`)).toBeFocused();
    await expect(page).toHaveURL(address([second]));
    await expect(resultCount(page)).toHaveText(firstPageOf(countIn([second])));
    await expect(page.getByRole('button', { name: 'Filters, 1 set' })).toBeVisible();
    await page.reload();
    await expect(chip(`Remove ${second}`)).toBeVisible();
    await expect(resultCount(page)).toHaveText(firstPageOf(countIn([second])));
  });

  await test.step('back leaves the list, and the state offers its last filter', async () => {
    await page.goBack();
    await expect(page).toHaveURL('/');
    await openState();
    await page.getByRole('link', { name: `Last filter: ${second}` }).tap();
    await expect(page).toHaveURL(address([second]));
    // If the app's code did not remove a filter, because the page was still loading, the filter is offered
    // again.
    await waitForHydration(page);
    await expect(resultCount(page)).toHaveText(firstPageOf(countIn([second])));
    await chip(`Remove ${second}`).tap();
    await expect(page.getByRole('heading', { level: 1, name: `Tenders in ${state}` })).toBeFocused();
    await expect(resultCount(page)).toHaveText(firstPageOf(tenders.length));
    await expect(page.getByRole('link', { name: /^Last filter/ })).toHaveCount(0);
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
    await expect(tab('Checklist')).toBeFocused();
    await expect(page.getByRole('heading', { name: 'Will my bid survive?' })).toBeVisible();
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

  test('back leads to the search form when the tender was opened by a link', { tag: '@release' }, async ({
    page,
    request,
  }) => {
    const [tender] = await openTenders(request, 'Himachal Pradesh');
    await page.goto(`/tenders/${tender?._id}`);
    await page.getByRole('button', { name: /^Back to search/ }).tap();
    await expect(page).toHaveURL('/tenders');
    await expect(page.getByRole('heading', { level: 1, name: 'Find tenders' })).toBeVisible();
  });
});

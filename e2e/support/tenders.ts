import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { unrendered } from './site.ts';

/** The fields of a tender that a journey needs before opening it. */
export interface OpenTender {
  _id: string;
  source_tender_id: string;
  title: string;
  district: string | null;
  department: string | null;
}

/**
 * Up to 1,000 open tenders of a state, requested like any other client does. Throws when the state has none.
 */
export async function openTenders(request: APIRequestContext, state: string): Promise<OpenTender[]> {
  const answer = await request.get('/api/tenders', { params: { state } });
  const { tenders } = (await answer.json()) as { tenders: OpenTender[] };
  if (tenders.length === 0) throw new Error(`no open tender in ${state}`);
  return tenders;
}

/** The button that shows the chosen districts or departments and opens their list. */
export const placeButton = (within: Page | Locator, kind: 'District' | 'Department'): Locator =>
  within.getByRole('button', { name: new RegExp(`^${kind}`) });

/** The open list of districts or departments. */
export const placeList = (within: Page | Locator, kind: 'District' | 'Department'): Locator =>
  within.getByRole('group', { name: new RegExp(`^${kind}`) });

/** Ticks or unticks a district or department. */
export async function choosePlace(
  within: Page | Locator,
  kind: 'District' | 'Department',
  name: string,
  isChosen = true,
): Promise<void> {
  const button = placeButton(within, kind);
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
  const text = name.replace(/[^\w\s]/g, '\\$&');
  const label = new RegExp(`^${text}( \\d+ tenders?)?$`);
  await placeList(within, kind).getByRole('checkbox', { name: label }).setChecked(isChosen);
}

/**
 * Turns on the data saver: no state is downloaded without a tap, so that lists and tenders are the server's.
 */
export async function enableSaveData(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
}

/** The line over a list that comes from the phone. */
export const offlineBanner = (page: Page): Locator => page.getByRole('button', { name: /^Offline copy · Saved / });

/** The cards of the list. Placeholders of a loading list are left out. */
export const cards = (page: Page): Locator => page.locator('ol:not([aria-busy]) > li').getByRole('article');

/**
 * The heading of a tender's page. Its name differs from the title: explained short forms are buttons with
 * spaces around them.
 */
export const tenderHeading = (page: Page, title: string): Locator =>
  page.getByRole('heading', { level: 1 }).filter({ hasText: title });

/** The line that says which tenders of how many are shown. */
export const resultCount = (page: Page): Locator => page.getByRole('status').filter({ hasText: /^Showing / });

/**
 * Matches the line on the first page of `total` tenders. An entry of the list stands for all works of its
 * NIT.
 */
export const firstPageOf = (total: number): RegExp =>
  new RegExp(
    `^Showing ${Math.min(1, total)}( to \\d+)? of ${total} ${total === 1 ? 'tender' : 'tenders'}( in \\d+ notices?)?$`,
  );

/** Matches the line on any page after the first. */
export const LATER_PAGE = /^Showing (?!1 )\d+ to \d+ of \d+ tenders( in \d+ notices)?$/;

/** The titles of the cards, in their order. */
export const titles = (page: Page): Promise<string[]> => cards(page).getByRole('heading').allInnerTexts();

/** The closing badges of the cards, in their order. */
export const badges = (page: Page): Promise<string[]> => cards(page).locator('time').allInnerTexts();

/** The value of a named fact of a tender. */
export function factValue(page: Page, name: string): Locator {
  const pair = page.locator('dl > div').filter({ has: page.getByRole('term').getByText(name, { exact: true }) });
  return pair.getByRole('definition');
}

/** '₹4.50 Lakh' as rupees. */
export function rupeesFromText(text: string): number {
  const [, amount = '', unit] = /^₹([\d,.]+)(?: (Lakh|Cr))?/.exec(text) ?? [];
  const size = { Lakh: 100_000, Cr: 10_000_000 }[unit ?? ''] ?? 1;
  return Number(amount.replaceAll(',', '')) * size;
}

/**
 * Opens an address as the stored app does. Its page is empty and has no answer, so the first screen asks the
 * server.
 */
export async function openStoredApp(page: Page, path: string, origin = ''): Promise<void> {
  const isPage = (url: URL) => url.pathname + url.search === path;
  await page.route(isPage, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({
      response,
      body: unrendered(html.replace(/<script type="application\/json" id="answer">.*?<\/script>/s, '')),
    });
  });
  await page.goto(origin + path);
}

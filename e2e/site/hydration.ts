/** Steps for the page as the server renders it and as the app hydrates it. */
import type { Page } from '@playwright/test';
import { enableSaveData } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

export const HYDRATION_STATE = 'Uttar Pradesh';
export const HYDRATION_LIST = `/tenders/results?${new URLSearchParams({ state: HYDRATION_STATE })}`;
export const APP = '**/assets/index-*.js';

/**
 * Waits until the app has hydrated or rendered the whole page: React then has set its properties on each
 * element.
 */
export const waitForHydration = (page: Page) =>
  page.waitForFunction(() => {
    const elements = [...document.querySelectorAll('#root :not(noscript *)')];
    return elements.length > 0 && elements.every((each) => Object.keys(each).some((key) => key.startsWith('__react')));
  });

/** Delays the app's code until the returned function is called. */
export async function holdApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(APP, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Pages on which nothing moves during hydration. */
export const STILL_PAGES = ['/', '/tenders', HYDRATION_LIST, '/pricing', '/contact', '/privacy'];

/** The positions of texts on the screen. Layout shift alone would not detect that the page was replaced. */
const places = (page: Page) =>
  page.locator('#root :is(h1, h2, h3, p, a, button, input, select, summary, dt, dd, time)').evaluateAll((all) =>
    all
      .map((element) => ({ box: element.getBoundingClientRect(), text: element.textContent }))
      .filter(({ box }) => box.width > 0 && box.height > 0 && box.top < innerHeight)
      .map(({ box, text }) => `${Math.round(box.left)} ${Math.round(box.top)} ${Math.round(box.width)} ${text}`)
      // The minute may change between the two measurements.
      .map((place) => place.replace(/, now \d+:\d+ [AP]M/, ', now')),
  );

/** Everything that the server has rendered stays in its place when the app hydrates the page. */
export async function expectNothingMoves(page: Page, address: string): Promise<void> {
  await enableSaveData(page);
  const release = await holdApp(page);
  await page.goto(address, { waitUntil: 'commit' });
  await expect(page.getByRole('contentinfo')).toBeAttached();
  // The browser paints nothing before the styles have loaded, but scripts could already measure.
  await page.waitForFunction(() => {
    const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
    return styles.every(({ sheet }) => sheet !== null);
  });
  // A line with only a space is reserved for a text that the device knows. Placeholders of loading content
  // are left out too.
  const rendered = (await places(page)).filter((place) => !/\d (?:\s+|Loading…)$/.test(place));
  expect(rendered.length).toBeGreaterThan(5);
  release();
  await waitForHydration(page);
  await expect.poll(async () => (await places(page)).filter((place) => rendered.includes(place))).toEqual(rendered);
}

/** The page as the server renders it, and as the app hydrates it. */
import type { Page } from '@playwright/test';
import { enableSaveData } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

export const HYDRATION_STATE = 'Uttar Pradesh';
export const HYDRATION_LIST = `/tenders/results?${new URLSearchParams({ state: HYDRATION_STATE })}`;
export const APP = '**/assets/index-*.js';

/** Waits until the app has hydrated, or rendered, the whole page: React puts its properties on each element. */
export const waitForHydration = (page: Page) =>
  page.waitForFunction(() => {
    const elements = [...document.querySelectorAll('#root :not(noscript *)')];
    return elements.length > 0 && elements.every((each) => Object.keys(each).some((key) => key.startsWith('__react')));
  });

/** Holds the app's code back until the result is called. */
export async function holdApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(APP, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Pages on which nothing moves. */
export const STILL_PAGES = ['/', '/tenders', HYDRATION_LIST, '/pricing', '/contact', '/privacy'];

/** The positions of texts on the screen: layout shift alone does not detect a replaced page. */
const places = (page: Page) =>
  page.locator('#root :is(h1, h2, h3, p, a, button, input, select, summary, dt, dd, time)').evaluateAll((all) =>
    all
      .map((element) => ({ box: element.getBoundingClientRect(), text: element.textContent }))
      .filter(({ box }) => box.width > 0 && box.height > 0 && box.top < innerHeight)
      .map(({ box, text }) => `${Math.round(box.left)} ${Math.round(box.top)} ${Math.round(box.width)} ${text}`)
      // the minute may change in between
      .map((place) => place.replace(/, now \d+:\d+ [AP]M/, ', now')),
  );

/** What the server has rendered stays in its place when the app hydrates it. */
export async function expectNothingMoves(page: Page, address: string): Promise<void> {
  await enableSaveData(page);
  const release = await holdApp(page);
  await page.goto(address, { waitUntil: 'commit' });
  await expect(page.getByRole('contentinfo')).toBeAttached();
  // the browser paints nothing before the styles are there, but scripts may measure
  await page.waitForFunction(() => {
    const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
    return styles.every(({ sheet }) => sheet !== null);
  });
  // A line that holds only a space is reserved for a text that the device knows; what loads shows its content soon.
  const rendered = (await places(page)).filter((place) => !/\d (?:\s+|Loading…)$/.test(place));
  expect(rendered.length).toBeGreaterThan(5);
  release();
  await waitForHydration(page);
  await expect.poll(async () => (await places(page)).filter((place) => rendered.includes(place))).toEqual(rendered);
}

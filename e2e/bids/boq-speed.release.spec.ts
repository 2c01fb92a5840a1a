/** A large BOQ on a slow phone without a network. The times are printed, not judged: other work shares the machine. */
import { phoneTest } from '../support/phone.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { storeBoq } from './boq.ts';

/** The least of several times is nearest to that of a machine without other work. */
const ROUNDS = 4;

/** What a frame of the page showed, with the milliseconds since the act. */
interface ShownFrame {
  ms: number;
  rows: number;
}

phoneTest('308 items open and are searched on a phone at a quarter of its speed', async ({ phone, request }) => {
  phoneTest.slow();
  const session = await makeSession();
  const [, , tender] = await openTenders(request, 'Himachal Pradesh');
  await storeBoq(tender?._id ?? '', session.user._id, 308);
  const { page } = phone;
  await page.goto('/');
  await storeSession(page, session);
  await phone.visit(`/tenders/${tender?._id}/boq`);
  await expect(page.locator('[data-row]')).toHaveCount(308);
  await phone.setOffline(true);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 });

  /** Acts in the page. Returns the frames with other numbers of rows, until there are so many. */
  const framesUntil = (rows: number, act: string) =>
    page.evaluate(
      ([last, run]) =>
        new Promise<ShownFrame[]>((resolve) => {
          const frames: ShownFrame[] = [];
          const from = performance.now();
          new Function(run as string)();
          const look = () => {
            const shown = document.querySelectorAll('[data-row]').length;
            if (shown !== frames.at(-1)?.rows) frames.push({ ms: Math.round(performance.now() - from), rows: shown });
            if (shown === last) requestAnimationFrame(() => resolve(frames));
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }),
      [rows, act] as const,
    );
  const type = (value: string) =>
    `const field = document.querySelector('#boq-items ~ * input[type=search]');
     Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${value}');
     field.dispatchEvent(new Event('input', { bubbles: true }));`;
  const cold: ShownFrame[][] = [];
  const warm: ShownFrame[][] = [];
  const open = async (openings: ShownFrame[][], isNew: boolean) => {
    await page.getByRole('link', { name: 'Rate book' }).first().click();
    await expect(page.getByRole('heading', { name: 'Rate book' })).toBeVisible();
    if (isNew) await page.reload();
    await expect(page.getByRole('heading', { name: 'Rate book' })).toBeVisible();
    const frames = await framesUntil(308, 'history.back()');
    openings.push(frames.filter(({ rows }) => rows > 0));
  };
  const found: ShownFrame[][] = [];
  const all: ShownFrame[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // A new page has nothing in memory: it loads the code of the screen and reads the stored BOQ.
    await open(cold, true);
    await open(warm, false);
    found.push(await framesUntil(61, type('plaster')));
    all.push(await framesUntil(308, type('')));
  }
  const least = (openings: ShownFrame[][], at: 0 | -1) => Math.min(...openings.map((frames) => frames.at(at)?.ms ?? 0));
  const ms = {
    ...{ 'new page, first items': least(cold, 0), 'new page, all items': least(cold, -1) },
    ...{ 'first items': least(warm, 0), 'all items': least(warm, -1) },
    ...{ 'items found': least(found, -1), 'all again': least(all, -1) },
  };
  process.stdout.write(`308 items at a quarter of the speed, least ms of ${ROUNDS}: ${JSON.stringify(ms)}\n`);
  // The first frame with items has not waited for all of them.
  for (const [first] of [...cold, ...warm]) expect(first?.rows).toBeLessThan(40);
});

/** Data in: an unknown spreadsheet is mapped once, a mass change is accepted, a feed and a key; the bookmark of lists. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Locator, type Page } from '@playwright/test';
import writeWorkbook from 'write-excel-file/node';
import { expectAccessible } from '../support/accessibility.ts';
import {
  act,
  auditRows,
  confirmAct,
  expectNoSideways,
  makeMember,
  openDesk,
  showOnPhone,
  deskTest as test,
} from './desk.ts';

// The portal's policy forbids the call of the bookmark.
test.use({ expectedErrors: /violates the following Content Security Policy directive|Refused to connect/ });

const PORTAL = 'sikkim-roads';
const HEADER = ['Kram', 'Vivaran', 'Karyalay', 'Kramank', 'Rashi', 'Jama', 'Nikala', 'Antim din'];
const DAY_MS = 86_400_000;
const day = (days: number) => {
  const [year, month, date] = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10).split('-');
  return `${date}/${month}/${year}`;
};

/** The rows of a list; the last one has no number, so it is rejected. */
const rows = (first: number, later = 0) => [
  ...Array.from({ length: 25 }, (_, n) => [
    String(n + 1),
    `Widening of the road to village ${first + n} of the block`,
    'Roads and Bridges Department',
    `RB/${first + n}/2026`,
    '5,00,000',
    '10000',
    day(later - 5),
    day(20 + n + later),
  ]),
  ['26', 'A work without a number', 'Roads and Bridges Department', '', '100000', '2000', day(-5), day(30)],
];

async function workbook(name: string, table: string[][]) {
  const cells = [['List of works'], [], ...table].map((row) => row.map((value) => ({ value })));
  return {
    name,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: (await writeWorkbook(cells as never).toBuffer()) as Buffer,
  };
}

async function sendFile(page: Page, file: Awaited<ReturnType<typeof workbook>>): Promise<string> {
  await page.goto('/desk/data');
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByRole('heading', { name: file.name, level: 1 })).toBeVisible();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

const fieldOf = (page: Page, column: string) => page.getByLabel(`Field of “${column}”`);
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

async function namePortal(page: Page): Promise<void> {
  await page.getByLabel('Portal').fill(PORTAL);
  await page.getByLabel('Portal').press('Enter');
}

test('an unknown spreadsheet is mapped by hand once; the next imports by itself; others ask', async ({ page }) => {
  const operator = await makeMember('operator');
  await openDesk(page, operator, '/desk/data');
  await expect(heading(page, 'Data in')).toBeVisible();
  const id = await sendFile(page, await workbook('works.xlsx', [HEADER, ...rows(1)]));

  // By hand: thirteen actions of the mouse and the keyboard.
  await namePortal(page);
  await page.getByLabel('State').selectOption('Sikkim');
  for (const [column, label] of [
    ['Kram', 'not read'],
    ['Vivaran', 'Title *'],
    ['Karyalay', 'Organisation *'],
    ['Kramank', 'Tender id *'],
    ['Rashi', 'Estimated cost'],
    ['Jama', 'EMD'],
    ['Nikala', 'Published'],
    ['Antim din', 'Closing *'],
  ] as const)
    await fieldOf(page, column).selectOption({ label });
  await expect(page.getByText('RB/1/2026')).toBeVisible();
  await button(page, 'Show what would change').press('Enter');
  await expect(page.getByText('26 read · 25 new · 0 changed · 0 unchanged · 1 rejected')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: /Closing \d.*RB\//s })).toHaveCount(10);
  const report = page.waitForEvent('download');
  await button(page, 'Save the rejected rows').click();
  expect((await report).suggestedFilename()).toBe('works-rejected.csv');
  await expectAccessible(page);
  await act(page, 'Save mapping and import', 'The list of the department');
  await expect(heading(page, 'Imported')).toBeVisible();
  await expect(page.getByText('26 read · 25 new')).toBeVisible();
  expect(await auditRows(PORTAL)).toMatchObject([
    { action: 'mapping.saved', actor: operator.user._id, reason: 'The list of the department' },
  ]);
  expect(await auditRows(id)).toMatchObject([
    { action: 'import.requested', actor: operator.user._id, detail: { portal: PORTAL, mapping: 1 } },
  ]);

  await sendFile(page, await workbook('works-2.xlsx', [HEADER, ...rows(26)]));
  await expect(page.getByText(`Read by the mapping of ${PORTAL}, version 1.`)).toBeVisible();
  await act(page, 'Import', 'Daily list');
  await expect(heading(page, 'Imported')).toBeVisible();

  // All dates of the first file move by a day.
  const emptied = await sendFile(page, await workbook('works-3.xlsx', [HEADER, ...rows(1, 1)]));
  await act(page, 'Import', 'Daily list');
  await expect(
    page.getByText('Many tenders would lose a field or move their dates. Nothing was stored.'),
  ).toBeVisible();
  await act(page, 'Import all the same', 'The portal confirmed it');
  await expect(heading(page, 'Imported')).toBeVisible();
  expect((await auditRows(emptied)).map(({ detail }) => detail.accepts)).toEqual([undefined, ['mass-change']]);

  const other = HEADER.map((name) => (name === 'Rashi' ? 'Mulya' : name));
  await sendFile(page, await workbook('works-4.xlsx', [other, ...rows(1)]));
  await namePortal(page);
  await expect(
    page.getByText(/^The columns differ from the saved mapping of sikkim-roads \(version 1\)/),
  ).toBeVisible();
  await expect(fieldOf(page, 'Vivaran')).toHaveValue('title');
  await showOnPhone(page);
  await expectNoSideways(page);

  await page.goto('/desk/data/portals');
  await expect(page.getByRole('row').filter({ hasText: PORTAL })).toContainText('version 1');
  await expectNoSideways(page);
  await expectAccessible(page);
  await page.goto('/desk/data');
  await expect(page.getByText('works-4.xlsx')).toBeVisible();
  await expectNoSideways(page);
});

test('a feed is paused, read and resumed; a key is made, sends a list from a page of a portal, and is ended', async ({
  page,
  context,
}) => {
  const operator = await makeMember('operator');
  await openDesk(page, operator, '/desk/data/feeds');
  await act(page, 'Pause', 'The portal moves');
  await expect(page.getByText('Paused: The portal moves')).toBeVisible();
  await act(page, 'Read now', 'Look once');
  await expect(page.getByText('Being read')).toBeHidden();
  await expectAccessible(page);
  await act(page, 'Resume', 'The portal is back');
  await expect(page.getByText('every 60 minutes')).toBeVisible();
  expect((await auditRows('sikkim-feed')).map(({ action }) => action)).toEqual([
    'feed.paused',
    'feed.run',
    'feed.resumed',
  ]);

  await page.goto('/desk/data/keys');
  await button(page, 'New key').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the key').fill('Browser of Meena');
  await dialog.getByLabel('Portal').fill('sikkim-list');
  await dialog.getByLabel('State').selectOption('Sikkim');
  await confirmAct(page, 'Make the key', 'For the daily list');
  await expect(page.getByText(/^nvk_/)).toBeVisible();
  await expectAccessible(page);
  const bookmark = (await page.getByRole('link', { name: 'Send this list' }).getAttribute('href')) ?? '';

  // A portal of another origin: one that allows calls, and one that allows none.
  const portal = createServer(({ url }, reply) => {
    reply.setHeader('content-type', 'text/html; charset=utf-8');
    if (url === '/strict') {
      reply.setHeader('content-security-policy', "default-src 'none'; form-action 'none'; frame-ancestors 'none'");
      reply.setHeader('cross-origin-opener-policy', 'same-origin');
    }
    reply.end(listPage());
  });
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
  const script = decodeURIComponent(bookmark.replace('javascript:', ''));
  const site = await context.newPage();
  const said: string[] = [];
  site.on('dialog', (shown) => {
    said.push(shown.message());
    void shown.accept();
  });
  await site.goto(origin);
  await site.evaluate(script);
  await expect.poll(() => said).toEqual(['Sent. Read / new: 2 / +2']);
  await site.goto(`${origin}/strict`);
  const opened = context.waitForEvent('page');
  await site.evaluate(script);
  const desk = await opened;
  await button(desk, 'Read this list').click();
  await expect(desk.getByText('Known as gepnic-list: it needs no mapping.')).toBeVisible();
  await button(desk, 'Show what would change').click();
  await expect(desk.getByText('2 read · 0 new')).toBeVisible();
  portal.close();

  await act(page, 'End the key', 'It is not used any more');
  await expect(page.getByText(/^Ended /)).toBeVisible();
  await showOnPhone(page);
  await expectNoSideways(page);
  await page.goto('/desk/data/feeds');
  await expect(page.getByText('every 60 minutes')).toBeVisible();
  await expectNoSideways(page);
});

/** A list as a GePNIC portal shows it. */
function listPage(): string {
  const at = (days: number) => {
    const [, month = '', date = '', year = ''] =
      /^\w+ (\w+) (\d+) (\d+)/.exec(new Date(Date.now() + days * DAY_MS).toDateString()) ?? [];
    return `${date}-${month}-${year} 11:00 AM`;
  };
  const header = [
    'S.No',
    'e-Published Date',
    'Closing Date',
    'Opening Date',
    'Title and Ref.No./Tender ID',
    'Organisation Chain',
  ];
  const works = [1, 2].map((n) => [
    `${n}.`,
    at(-2),
    at(15),
    at(16),
    `[Bridge ${n} over the Teesta] [RB/${n}][2026_RBD_40${n}_1]`,
    'Roads and Bridges Department||Gangtok Circle',
  ]);
  const line = (cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  return `<!DOCTYPE html><title>Tenders</title><table><tr><td>Menu</td></tr><tr><td><table>${line(header)}${works.map(line).join('')}</table></td></tr></table>`;
}

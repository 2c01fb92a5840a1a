// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { readSetting } from '../../data/device/settings.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { Profile } from '../dashboard/Profile.screen.tsx';

const FIRM = {
  companyName: 'Verma Builders',
  companyType: 'private',
  state: 'Himachal Pradesh',
  districts: ['Shimla'],
  departments: ['PWD'],
  address: 'The Mall',
};
const account = (firm: object = FIRM) => ({
  user: { _id: '7', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' },
  ...{ ...firm, billing: { gstin: '', firm: '', firmAddress: '' }, createdAt: '2026-04-01T00:00:00Z' },
});

let page: TestPage;
let sent: unknown[];
let load: () => Response;
let save: (body: object) => Response;

beforeEach(() => {
  sent = [];
  load = () => Response.json(account());
  save = (body) => Response.json(account(body));
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    if (call === 'GET /api/me') return load();
    if (call !== 'PUT /api/me/company') return Response.json({}, { status: 404 });
    const body = JSON.parse(await request.clone().text());
    sent.push(body);
    return save(body);
  });
  signInForTest('7');
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  clearSession();
  localStorage.clear();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const SAVE = 'Save your firm';
/** Opens the profile with the firm in its form. */
async function open(): Promise<void> {
  page = await openTestPage(<Profile />);
  await expect.poll(() => page.texts('fieldset label')).toContain('Shimla');
}
const setOnline = (isOnline: boolean) =>
  act(async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  });

test('the firm is shown as registered and saved with another state, whose tenders the dashboard then shows', async () => {
  await open();
  expect(['Company name', 'Company type', 'State', 'Address optional'].map((label) => page.field(label).value)).toEqual(
    ['Verma Builders', 'private', 'Himachal Pradesh', 'The Mall'],
  );
  expect(page.text()).toContain(
    'Another state here does not change the states of your plan. Those can change once in 30 days.',
  );
  await page.enter('Company name', ' Verma & Sons ');
  await page.enter('State', 'Goa');
  await expect.poll(() => page.texts('fieldset label')).toContain('North Goa');
  await page.press(SAVE);
  expect(page.text()).toContain('At least one district is required');
  expect(sent).toEqual([]);
  await page.toggle('North Goa');
  await page.toggle('Public Works Department');
  await page.press(SAVE);
  await expect.poll(() => useToast.getState().current?.text).toBe('Your firm was saved.');
  const places = { state: 'Goa', districts: ['North Goa'], departments: ['Public Works Department'] };
  expect(sent).toEqual([{ ...FIRM, ...places, companyName: 'Verma & Sons' }]);
  expect(await readSetting('interests')).toEqual({ userId: '7', ...places });
  await expect.poll(() => page.field('Company name').value).toBe('Verma & Sons');
});

test('a firm that the server refuses says why, at its field or above the button', async () => {
  await open();
  const message = 'Please choose a state from the list';
  save = () => Response.json({ message, fields: { state: message } }, { status: 400 });
  await page.press(SAVE);
  await expect.poll(() => page.errorAt('State')).toBe(message);
  save = () => Response.json({}, { status: 500 });
  await page.press(SAVE);
  await expect.poll(() => page.texts('[role="alert"]')).toEqual(['Failed to save your firm']);
});

test('without a connection the firm cannot be saved, what was typed stays, and a sentence says so', async () => {
  await open();
  await page.enter('Company name', 'Verma & Sons');
  await setOnline(false);
  expect(page.text()).toContain('No connection. You can save your firm when there is a connection.');
  expect(page.button(SAVE).disabled).toBe(true);
  await setOnline(true);
  expect([page.button(SAVE).disabled, page.field('Company name').value]).toEqual([false, 'Verma & Sons']);
});

test('a firm that could not be loaded is loaded again on request, and when there is a connection', async () => {
  load = () => Response.json({}, { status: 500 });
  page = await openTestPage(<Profile />);
  await expect.poll(() => page.texts('[role="alert"] p')).toEqual(['Failed to load your firm']);
  load = () => Response.json(account());
  await page.press('Try Again');
  await expect.poll(() => page.hasButton(SAVE)).toBe(true);
  await closeTestPages();
  await setOnline(false);
  page = await openTestPage(<Profile />);
  expect(page.text()).toContain('Your firm can be changed when there is a connection.');
  await setOnline(true);
  await expect.poll(() => page.hasButton(SAVE)).toBe(true);
});

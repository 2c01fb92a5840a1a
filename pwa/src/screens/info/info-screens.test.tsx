// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useAuthDialog } from '../../features/auth/dialogs.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { NotFound } from '../NotFound.tsx';
import { RouteError } from '../RouteError.tsx';
import { About } from './About.screen.tsx';
import { Analysis } from './Analysis.screen.tsx';
import { Contact } from './Contact.screen.tsx';

let answers: (() => Promise<Response>)[];
let asked: string[];

beforeEach(() => {
  [answers, asked] = [[], []];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== '/api/awards') return Response.json({});
    asked.push(pathname);
    return (answers.shift() ?? (async () => Response.json({ states: [] })))();
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  clearSession();
  localStorage.clear();
  useAuthDialog.setState({ open: null });
});

const hrefOf = (page: TestPage, name: string) => page.button(name).getAttribute('href');

describe('about us', () => {
  test('asks a visitor to create an account', async () => {
    const page = await openTestPage(<About />);
    await page.press('Get Started Free');
    expect(useAuthDialog.getState().open).toBe('register');
    expect(page.hasButton('My dashboard')).toBe(false);
    expect(hrefOf(page, 'Contact Us')).toBe('/contact');
  });

  test('leads a signed-in user to the dashboard', async () => {
    signInForTest('7');
    const page = await openTestPage(<About />);
    expect(page.hasButton('Get Started Free')).toBe(false);
    expect(hrefOf(page, 'My dashboard')).toBe('/dashboard');
  });

  test('has the title of the page', async () => {
    await openTestPage(<About />);
    expect(document.title).toBe('About Us · Nivida');
  });
});

describe('the contact page', () => {
  test('offers the trial to a visitor', async () => {
    const page = await openTestPage(<Contact />);
    expect(page.text()).toContain('7-day free trial, no credit card.');
    await page.press('Start Your Free Trial');
    expect(useAuthDialog.getState().open).toBe('register');
    expect(hrefOf(page, 'View Pricing')).toBe('/pricing');
  });

  test('offers no trial to a signed-in user, who had one', async () => {
    signInForTest('7');
    const page = await openTestPage(<Contact />);
    expect(page.hasButton('Start Your Free Trial')).toBe(false);
    expect(page.text()).not.toContain('7-day free trial');
    expect(hrefOf(page, 'View Pricing')).toBe('/pricing');
  });
});

test('Competitive Analysis that cannot be loaded says so, and is loaded by Try Again', async () => {
  const refusal = Promise.withResolvers<Response>();
  answers = [
    () => refusal.promise,
    async () =>
      Response.json({
        states: [
          { state: 'Goa', awards: 8, offices: 3, lastKnownOn: '2026-03-02', isDemonstration: false, version: null },
        ],
      }),
  ];
  const page = await openTestPage(<Analysis />);
  expect(page.texts('[role="status"]')[0]).toBe('Loading awards');
  expect(page.text()).not.toContain('It does not work yet');
  refusal.resolve(
    Response.json({ code: 'INVALID', message: 'The address is too long', requestId: 'x' }, { status: 400 }),
  );
  await expect.poll(() => page.texts('[role="alert"] h2')[0]).toBe('Awards cannot be loaded now');
  expect(page.text()).not.toContain('States with awards');
  await page.press('Try Again');
  await expect.poll(page.text).toContain('8 awards · 3 offices · until Mar 2026');
  expect(page.texts('[role="alert"]')).toEqual([]);
  expect(page.page.querySelector('li a')?.getAttribute('href')).toBe('/analysis/Goa');
  expect(hrefOf(page, 'My bids in figures')).toBe('/dashboard/analytics');
  expect(asked).toHaveLength(2);
});

test('an unknown address leads home', async () => {
  const page = await openTestPage(<NotFound />);
  expect(page.texts('h1')[0]).toBe('Page not found');
  expect(document.title).toBe('Page not found · Nivida');
  expect(page.texts('[role="alert"]')).toEqual([]);
  expect(hrefOf(page, 'Return Home')).toBe('/');
});

test('a screen that fails is an announced error, with a reload and the way home', () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const Failing = () => {
    throw new Error('x is not a function');
  };
  const router = createMemoryRouter([{ path: '/', Component: Failing, ErrorBoundary: RouteError }]);
  act(() => void root.render(<RouterProvider router={router} />));
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
  });
  expect(page.querySelector('[role="alert"] h1')?.textContent).toBe('Something went wrong');
  expect(page.textContent).not.toContain('x is not a function');
  const [home] = page.querySelectorAll('a');
  expect([home?.textContent, home?.getAttribute('href')]).toEqual(['Home', '/']);
  expect(reload).not.toHaveBeenCalled();
  const [again] = page.querySelectorAll('button');
  expect(again?.textContent).toBe('Try Again');
  act(() => again?.click());
  expect(reload).toHaveBeenCalledOnce();
});

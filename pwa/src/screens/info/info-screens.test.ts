// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'preact/test-utils';
import { type ComponentType, createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useAuthDialog } from '../../features/auth/dialogs.ts';
import { NotFound } from '../NotFound.tsx';
import { RouteError } from '../RouteError.tsx';
import { About } from './About.tsx';
import { Analysis } from './Analysis.tsx';
import { Contact } from './Contact.tsx';

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
afterEach(() => {
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  useAuthDialog.setState({ open: null });
});

function open(Screen: ComponentType) {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const router = createMemoryRouter([
    { path: '/', element: h(Screen) },
    { path: '*', element: 'Another page' },
  ]);
  act(() => void root.render(h(RouterProvider, { router })));
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
  });
  const named = (name: string) =>
    [...page.querySelectorAll<HTMLElement>('a, button')].find(({ textContent }) => textContent?.trim() === name);
  return { page, router, named };
}

describe('about us', () => {
  test('asks a visitor to create an account', () => {
    const { named } = open(About);
    act(() => named('Get Started Free')?.click());
    expect(useAuthDialog.getState().open).toBe('register');
    expect(named('My dashboard')).toBeUndefined();
    expect(named('Contact Us')?.getAttribute('href')).toBe('/contact');
  });

  test('leads a signed-in user to the dashboard', () => {
    signInForTest('7');
    const { named } = open(About);
    expect(named('Get Started Free')).toBeUndefined();
    expect(named('My dashboard')?.getAttribute('href')).toBe('/dashboard');
  });

  test('has the title of the page', () => {
    open(About);
    expect(document.title).toBe('About Us · Nivida');
  });
});

describe('the contact page', () => {
  test('offers the trial to a visitor', () => {
    const { page, named } = open(Contact);
    expect(page.textContent).toContain('7-day free trial, no credit card.');
    act(() => named('Start Your Free Trial')?.click());
    expect(useAuthDialog.getState().open).toBe('register');
    expect(named('View Pricing')?.getAttribute('href')).toBe('/pricing');
  });

  test('offers no trial to a signed-in user, who had one', () => {
    signInForTest('7');
    const { page, named } = open(Contact);
    expect(named('Start Your Free Trial')).toBeUndefined();
    expect(page.textContent).not.toContain('7-day free trial');
    expect(named('View Pricing')?.getAttribute('href')).toBe('/pricing');
  });
});

test('Competitive Analysis that cannot be loaded says so, and is loaded by Try Again', async () => {
  answers = [
    async () => Response.json({ code: 'INVALID', message: 'The address is too long', requestId: 'x' }, { status: 400 }),
    async () =>
      Response.json({
        states: [{ state: 'Goa', awards: 8, offices: 3, lastKnownOn: '2026-03-02', isDemonstration: false }],
      }),
  ];
  const { page, named } = open(Analysis);
  expect(page.querySelector('[role="status"]')?.textContent).toBe('Loading awards');
  expect(page.textContent).not.toContain('It does not work yet');
  await expect.poll(() => page.querySelector('[role="alert"] h2')?.textContent).toBe('Awards cannot be loaded now');
  expect(page.textContent).not.toContain('States with awards');
  act(() => named('Try Again')?.click());
  await expect.poll(() => page.textContent).toContain('8 awards · 3 offices · until Mar 2026');
  expect(page.querySelector('[role="alert"]')).toBeNull();
  expect(page.querySelector('li a')?.getAttribute('href')).toBe('/analysis/Goa');
  expect(named('My bids in figures')?.getAttribute('href')).toBe('/dashboard/analytics');
  expect(asked).toHaveLength(2);
});

test('an unknown address leads home', () => {
  const { page, named } = open(NotFound);
  expect(page.querySelector('h1')?.textContent).toBe('Page not found');
  expect(document.title).toBe('Page not found · Nivida');
  expect(page.querySelector('[role="alert"]')).toBeNull();
  expect(named('Return Home')?.getAttribute('href')).toBe('/');
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
  act(() => void root.render(h(RouterProvider, { router })));
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
    vi.restoreAllMocks();
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

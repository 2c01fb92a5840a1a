import 'fake-indexeddb/auto';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { signInForTest } from './data/test-session.ts';
import { routes } from './routes.tsx';

/** Opens the app at an address. */
async function open(address: string) {
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 503 }));
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  await act(async () => root.render(<RouterProvider router={router} />));
  onTestFinished(async () => {
    await act(async () => root.unmount());
    page.remove();
    localStorage.clear();
  });
  return { page, router };
}

test.each(['/bookmarks', '/dashboard/profile?tab=2'])(
  '%s is for a user: a visitor is sent home, to come back after signing in',
  async (address) => {
    const { router } = await open(address);
    await expect.poll(() => router.state.location.pathname).toBe('/');
    expect(router.state.location.state).toEqual({ returnTo: address });
  },
);

test.each(['/notices', '/dashboard/applications'])('%s shows a visitor the data of the device', async (address) => {
  const { page, router } = await open(address);
  await expect.poll(() => page.querySelector('main h1')?.textContent).toMatch(/Notices|My Applications/);
  expect(router.state.location.pathname).toBe(address);
});

test('a user sees the own bookmarks', async () => {
  signInForTest('7');
  const { page, router } = await open('/bookmarks');
  await expect.poll(() => page.querySelector('main h1')?.textContent).toBe('Bookmarked tenders');
  expect(router.state.location.pathname).toBe('/bookmarks');
});

test('an unknown address says that there is no page', async () => {
  const { page } = await open('/dashboard/nowhere');
  await expect.poll(() => page.querySelector('main h1')?.textContent).toBe('Page not found');
});

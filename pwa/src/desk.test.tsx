import 'fake-indexeddb/auto';
import { DeskMeResponse } from '@nivida/contract/desk/me';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { reloadSession } from './data/session.ts';
import { signInForTest } from './data/test-session.ts';
import { readDeskAnswer } from './features/desk/data/desk-call.ts';
import { refreshDeskMe } from './features/desk/data/desk-me.ts';
import { routes } from './routes.tsx';

/** The answer to `GET api/desk/me`. */
let me: () => Response;
const showPasskey = vi.hoisted(() => vi.fn(async () => 'confirmed'));
vi.mock('./data/passkeys/passkey-prompts.ts', async (original) => ({
  ...(await original<object>()),
  confirmPasskey: showPasskey,
}));

const refusal = (code: string, message: string, status: number) => () =>
  Response.json({ code, message, requestId: '1' }, { status });
const staff =
  (isOpen: boolean, role = 'support') =>
  () =>
    Response.json({ username: 'Asha', role, isOpen, closesAt: isOpen ? '2099-01-01T06:30:00.000Z' : null });

let user = 0;
const signIn = () => signInForTest(String(++user));

beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request | string) =>
    String(typeof request === 'string' ? request : request.url).endsWith('/api/desk/me')
      ? me()
      : Response.json({}, { status: 503 }),
  );
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});

async function open(address = '/desk') {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  await act(async () => root.render(<RouterProvider router={router} />));
  onTestFinished(async () => {
    await act(async () => root.unmount());
    page.remove();
    localStorage.clear();
    reloadSession();
  });
  const text = (selector: string) => page.querySelector(selector)?.textContent ?? null;
  const press = async (name: string) => {
    const button = [...page.querySelectorAll('button')].find((each) => each.textContent === name);
    await act(async () => button?.click());
  };
  return { page, router, text, press };
}
const meAgain = () => act(() => refreshDeskMe(String(user)));

test('a visitor is sent home', async () => {
  const { router } = await open();
  await expect.poll(() => router.state.location.pathname).toBe('/');
});

test('for a user who is not staff the desk is an address without a page, in the frame of all pages', async () => {
  me = refusal('NOT_FOUND', 'There is nothing at this address', 404);
  signIn();
  const { page, text } = await open('/desk');
  await expect.poll(() => text('main h1')).toBe('Page not found');
  expect(page.querySelector('footer')).not.toBeNull();
  expect(page.textContent).not.toContain('Desk');
});

test('a closed desk asks for a passkey, then shows the page', async () => {
  me = staff(false);
  signIn();
  const { text, press, page } = await open();
  await expect.poll(() => text('dialog h2')).toBe('Show your passkey to open the desk');
  expect(text('main h1')).toBeNull();
  me = staff(true);
  await press('Show passkey');
  await expect.poll(() => text('main h1')).toBe('Today');
  expect(showPasskey).toHaveBeenCalled();
  expect(page.querySelector('dialog')).toBeNull();
  expect(text('header')).toContain('Desk closes at 12:00 PM');
  expect(text('header')).toContain('Asha · Support');
});

test('a desk that closes keeps its page below the gate, and a call waits for the passkey', async () => {
  me = staff(true);
  signIn();
  const { text, press, page } = await open();
  await expect.poll(() => text('main h1')).toBe('Today');
  const heading = page.querySelector('main h1');
  me = refusal('PASSKEY_NEEDED', 'Show your passkey to open the desk', 403);
  let answer: unknown;
  await act(async () => void readDeskAnswer('me', DeskMeResponse).then((given) => (answer = given)));
  me = staff(false);
  await meAgain();
  await expect.poll(() => text('dialog h2')).toBe('Show your passkey to open the desk');
  expect(page.querySelector('main h1')).toBe(heading);
  me = staff(true);
  await press('Show passkey');
  await expect.poll(() => answer).toMatchObject({ isOpen: true });
  expect(page.querySelector('main h1')).toBe(heading);
});

test('an open desk ends when the role is taken back', async () => {
  me = staff(true);
  signIn();
  const { text, router } = await open();
  await expect.poll(() => text('main h1')).toBe('Today');
  me = refusal('UNAUTHENTICATED', 'Please sign in', 401);
  await meAgain();
  await expect.poll(() => router.state.location.pathname).toBe('/');
});

test('a file that is dropped beside the places for files is refused, while text is dropped as everywhere', async () => {
  me = staff(true);
  signIn();
  const { text } = await open('/desk');
  await expect.poll(() => text('header')).toContain('Asha');
  const isRefused = (type: string) => {
    const event = Object.assign(new Event('dragover', { cancelable: true }), { dataTransfer: { types: [type] } });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect([isRefused('Files'), isRefused('text/plain')]).toEqual([true, false]);
});

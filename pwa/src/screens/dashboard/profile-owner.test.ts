import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { Profile } from './Profile.tsx';

let root: Root;

afterEach(() => {
  root.unmount();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
});

test('what a user has typed into the profile is not shown to the next user', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  signInForTest('7');
  const page = document.createElement('div');
  root = createRoot(page);
  const router = createMemoryRouter([{ path: '/', element: createElement(Profile) }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  const username = () => page.querySelector<HTMLInputElement>('[name="username"]') as HTMLInputElement;
  await act(async () => {
    username().value = 'Asha Verma';
    username().dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(username().value).toBe('Asha Verma');
  await act(async () => signInForTest('8'));
  expect(username().value).toBe('Asha');
});

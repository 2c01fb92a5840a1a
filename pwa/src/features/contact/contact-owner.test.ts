import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { ContactForm } from './ContactForm.tsx';

let root: Root;

afterEach(() => {
  root.unmount();
  clearSession();
  localStorage.clear();
  sessionStorage.clear();
});

test('a form that stays open while the user changes shows the draft of the present user only', async () => {
  signInForTest('7');
  const page = document.createElement('div');
  root = createRoot(page);
  const router = createMemoryRouter([{ path: '/', element: createElement(ContactForm) }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  const subject = () => page.querySelector<HTMLInputElement>('[name="subject"]') as HTMLInputElement;
  await act(async () => {
    subject().value = 'A private question';
    subject().dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(subject().value).toBe('A private question');
  await act(async () => clearSession());
  expect(subject().value).toBe('');
  await act(async () => signInForTest('8'));
  expect(subject().value).toBe('');
  await act(async () => signInForTest('7'));
  expect(subject().value).toBe('A private question');
});

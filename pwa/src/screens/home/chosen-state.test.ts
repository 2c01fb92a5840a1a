// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { expect, test } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { chooseState, proposeState, useChosenState } from './chosen-state.ts';

test("home shows the state of the present user only, and a visitor's choice to all", async () => {
  const ChosenState = () => String(useChosenState());
  const page = document.createElement('div');
  const router = createMemoryRouter([{ path: '/', Component: ChosenState }]);
  await act(async () => createRoot(page).render(createElement(RouterProvider, { router })));
  const shownAfter = async (change: () => void) => {
    await act(async () => change());
    return page.textContent;
  };
  expect(page.textContent).toBe('null');
  expect(await shownAfter(() => signInForTest('7'))).toBe('null');
  expect(await shownAfter(() => proposeState('7', 'Assam'))).toBe('Assam');
  expect(localStorage.getItem('homeState')).toBeNull();
  // the same tab after a sign-out, then of another user
  expect(await shownAfter(clearSession)).toBe('null');
  expect(await shownAfter(() => signInForTest('8'))).toBe('null');
  expect(await shownAfter(() => proposeState('8', 'Odisha'))).toBe('Odisha');
  // all states are a choice too
  expect(await shownAfter(() => chooseState(''))).toBe('');
  expect(await shownAfter(clearSession)).toBe('');
});

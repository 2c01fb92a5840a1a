import { act, createElement, Fragment, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { optionalPart } from './optional-part.ts';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

async function pageWith(load: () => Promise<() => string>): Promise<string> {
  const root = document.createElement('div');
  const part = createElement(Suspense, null, createElement(optionalPart(load)));
  await act(async () => createRoot(root).render(createElement(Fragment, null, 'The page. ', part)));
  return root.textContent;
}

test('a part whose code is loaded is on the page', async () => {
  expect(await pageWith(async () => () => 'An offer.')).toBe('The page. An offer.');
});

test('a part whose code cannot be loaded is left out, and the page stays', async () => {
  expect(await pageWith(() => Promise.reject(new TypeError('Failed to fetch')))).toBe('The page. ');
});

import { createElement, Fragment, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { optionalPart } from './optional-part.ts';

const offer = async () => () => 'An offer.';
const partOf = (load: () => Promise<() => string>) => createElement(Suspense, null, createElement(optionalPart(load)));

test('a part whose code is loaded is on the page', async () => {
  const root = document.createElement('div');
  createRoot(root).render(createElement(Fragment, null, 'The page. ', partOf(offer)));
  await expect.poll(() => root.textContent).toBe('The page. An offer.');
});

test('a part whose code cannot be loaded is left out, and the page and its other parts stay', async () => {
  const root = document.createElement('div');
  const missing = partOf(() => Promise.reject(new TypeError('Failed to fetch')));
  createRoot(root).render(createElement(Fragment, null, 'The page. ', missing, partOf(offer)));
  await expect.poll(() => root.textContent).toBe('The page. An offer.');
});

import { createElement, Fragment, useLayoutEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, onTestFinished, test } from 'vitest';
import { optionalPart } from './optional-part.ts';

const offer = async () => () => 'An offer.';
const partOf = (load: () => Promise<() => string>) => createElement(optionalPart(load));

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

test('a part is waited for once, and is at once on a page that shows it again', async () => {
  const Part = optionalPart(offer, 'Loading.');
  expect(renderToString(createElement(Part))).toBe('Loading.');
  const root = document.createElement('div');
  createRoot(root).render(createElement(Part));
  expect(root.textContent).toBe('Loading.');
  await expect.poll(() => root.textContent).toBe('An offer.');
  const next = document.createElement('div');
  createRoot(next).render(createElement(Part));
  expect(next.textContent).toBe('An offer.');
});

test('two parts whose page renders again before their code is loaded cause no error', async () => {
  const errors: unknown[] = [];
  const note = (error: unknown) => void errors.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  const [First, Second] = [optionalPart(offer), optionalPart(offer)];
  function Page() {
    const [text, setText] = useState('A page. ');
    useLayoutEffect(() => setText('The page. '), []);
    return createElement(Fragment, null, text, createElement(First), createElement(Second));
  }
  const root = document.createElement('div');
  createRoot(root).render(createElement(Page));
  await expect.poll(() => root.textContent).toBe('The page. An offer.An offer.');
  expect(errors).toEqual([]);
});

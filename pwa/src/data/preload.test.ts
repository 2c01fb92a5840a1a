import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { reportScreenReady } from './first-screen.ts';
import { usePreload, usePreloadWhenUsed } from './preload.ts';

test('code is loaded after the first screen, if it is wanted; that of a used page with the first touch', async () => {
  const load = vi.fn(async () => undefined);
  const unwanted = vi.fn(async () => undefined);
  const loadWhenUsed = vi.fn(async () => undefined);
  function Part() {
    usePreloadWhenUsed(loadWhenUsed);
    usePreload(unwanted, false);
    usePreload(load);
    return null;
  }
  await act(() => createRoot(document.createElement('div')).render(createElement(Part)));
  expect(load).not.toHaveBeenCalled();
  reportScreenReady();
  await expect.poll(() => load.mock.calls.length).toBe(1);
  expect(unwanted).not.toHaveBeenCalled();
  expect(loadWhenUsed).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('pointerup'));
  await expect.poll(() => loadWhenUsed.mock.calls.length).toBe(1);
  expect(unwanted).not.toHaveBeenCalled();
});

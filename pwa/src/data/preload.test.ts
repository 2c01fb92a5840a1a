import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { reportScreenReady } from './first-screen.ts';
import { preload, usePreload, usePreloadWhenUsed } from './preload.ts';

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

test('loads start one after another, each when the browser is idle; a failed one does not stop the others', async () => {
  const idle: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => idle.push(callback));
  const started: string[] = [];
  reportScreenReady();
  preload(async () => {
    started.push('first');
    throw new Error('offline');
  });
  preload(async () => started.push('second'));
  const passIdlePeriod = async () => {
    await expect.poll(() => idle.length).toBe(1);
    idle.pop()?.();
  };
  await passIdlePeriod();
  await expect.poll(() => started).toEqual(['first']);
  await passIdlePeriod();
  await expect.poll(() => started).toEqual(['first', 'second']);
  vi.unstubAllGlobals();
});

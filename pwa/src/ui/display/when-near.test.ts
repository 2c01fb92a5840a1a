import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { WhenNear } from './WhenNear.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a part is rendered when the reader comes near, and stays', async () => {
  let report: (entries: { isIntersecting: boolean }[]) => void = () => undefined;
  const disconnect = vi.fn();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => undefined;
      disconnect = disconnect;
      constructor(callback: typeof report) {
        report = callback;
      }
    },
  );
  const root = document.createElement('div');
  await act(() => createRoot(root).render(createElement(WhenNear, null, 'The office.')));
  await act(() => report([{ isIntersecting: false }]));
  expect(root.textContent).toBe('');
  await act(() => report([{ isIntersecting: true }]));
  expect(root.textContent).toBe('The office.');
  await act(() => report([{ isIntersecting: false }]));
  expect(root.textContent).toBe('The office.');
});

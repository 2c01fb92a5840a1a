import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { WhenNear } from './WhenNear.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a part is rendered when the reader comes near, and stays', async () => {
  let report: (entries: { isIntersecting: boolean }[]) => void = () => undefined;
  const disconnect = vi.fn();
  const observed: unknown[] = [];
  let options: unknown;
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = (place: unknown) => void observed.push(place);
      disconnect = disconnect;
      constructor(callback: typeof report, given: unknown) {
        report = callback;
        options = given;
      }
    },
  );
  const root = document.createElement('div');
  await act(() => createRoot(root).render(createElement(WhenNear, null, 'The office.')));
  expect(observed).toEqual([root.firstElementChild]);
  expect(options).toEqual({ rootMargin: '100% 0px' });
  await act(() => report([{ isIntersecting: false }]));
  expect(root.textContent).toBe('');
  await act(() => report([{ isIntersecting: true }]));
  expect(root.textContent).toBe('The office.');
  await act(() => report([{ isIntersecting: false }]));
  expect(root.textContent).toBe('The office.');
});

test('a part that is left before the reader comes near is watched no longer', async () => {
  const disconnect = vi.fn();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => undefined;
      disconnect = disconnect;
    },
  );
  const root = createRoot(document.createElement('div'));
  await act(() => root.render(createElement(WhenNear, null, 'The office.')));
  expect(disconnect).not.toHaveBeenCalled();
  await act(() => root.unmount());
  expect(disconnect).toHaveBeenCalledOnce();
});

import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestPage } from '../test-page.tsx';
import { WhenNear } from './WhenNear.tsx';

const disconnect = vi.fn();
const observed: unknown[] = [];
let options: unknown;
let report: (isNear: boolean) => Promise<void>;

beforeEach(() => {
  disconnect.mockClear();
  observed.length = 0;
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = (place: unknown) => void observed.push(place);
      disconnect = disconnect;
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void, given: unknown) {
        report = (isIntersecting) => act(async () => callback([{ isIntersecting }]));
        options = given;
      }
    },
  );
});
afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
});

test('a part is rendered when the reader comes near, and stays', async () => {
  const { page, text } = await openTestPage(<WhenNear>The office.</WhenNear>);
  expect(observed).toEqual([page.firstElementChild]);
  expect(options).toEqual({ rootMargin: '100% 0px' });
  await report(false);
  expect(text()).toBe('');
  await report(true);
  expect(text()).toBe('The office.');
  await report(false);
  expect(text()).toBe('The office.');
});

test('a part that is removed before the reader comes near is no longer observed', async () => {
  const { close } = await openTestPage(<WhenNear>The office.</WhenNear>);
  expect(disconnect).not.toHaveBeenCalled();
  await close();
  expect(disconnect).toHaveBeenCalledOnce();
});

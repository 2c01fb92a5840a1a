import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { openTestHook } from '../../ui/test-page.tsx';
import { type Mutation, useMutation } from '../useMutation.ts';

const onLine = vi.spyOn(navigator, 'onLine', 'get');
let last: () => Mutation;

beforeEach(async () => {
  onLine.mockReturnValue(true);
  ({ last } = await openTestHook(() => useMutation('Failed to save')));
});

/** Makes a call; its result. */
async function run(call: () => Promise<unknown>): Promise<boolean | undefined> {
  let result: boolean | undefined;
  await act(async () => {
    result = await last().run(call);
  });
  return result;
}

test('a button is busy during its call, and a second press makes no other call', async () => {
  const first = Promise.withResolvers<void>();
  let done: Promise<boolean> | undefined;
  await act(async () => {
    done = last().run(() => first.promise);
  });
  expect(last()).toMatchObject({ isBusy: true, problem: undefined });
  const second = vi.fn(async () => undefined);
  expect(await run(second)).toBe(false);
  expect(second).not.toHaveBeenCalled();
  await act(async () => {
    first.resolve();
    expect(await done).toBe(true);
  });
  expect(last()).toMatchObject({ isBusy: false, problem: undefined });
  expect(await run(second)).toBe(true);
});

test('a call that fails has its problem until the next one begins, or it is cleared', async () => {
  expect(await run(() => Promise.reject(new Error('broken')))).toBe(false);
  expect(last()).toMatchObject({ isBusy: false, problem: 'Failed to save' });
  await act(async () => last().clear());
  expect(last().problem).toBeUndefined();
  await run(() => Promise.reject(new Error('broken')));
  expect(await run(async () => undefined)).toBe(true);
  expect(last().problem).toBeUndefined();
});

test('a call of a device that is offline is not made', async () => {
  onLine.mockReturnValue(false);
  const call = vi.fn(async () => undefined);
  expect(await run(call)).toBe(false);
  expect(call).not.toHaveBeenCalled();
  expect(last().problem).toBe('You are offline: this needs a connection. Nothing was sent.');
});

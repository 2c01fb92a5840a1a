import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import { openTestPage } from '../test-page.tsx';
import { type Switch, useSwitch } from './useSwitch.ts';

/** A button over a store; each press waits in `works` until the test finishes it. */
async function openSwitch() {
  const works: ((isStored: boolean) => void)[] = [];
  const asked: boolean[] = [];
  let isOn = false;
  let shown = {} as Switch;
  function Probe({ on }: { on: boolean }) {
    shown = useSwitch(on);
    return null;
  }
  const { show } = await openTestPage(<Probe on={isOn} />);
  const work = (wanted: boolean) => {
    asked.push(wanted);
    return new Promise<void>((resolve) => {
      works.push((isStored) => {
        if (isStored) isOn = wanted;
        resolve();
      });
    });
  };
  return {
    asked,
    isPressed: () => shown.isPressed,
    press: () => act(async () => shown.press(work)),
    finish: async (isStored: boolean) => {
      await act(async () => works.shift()?.(isStored));
      await show(<Probe on={isOn} />);
    },
  };
}

test('a press shows at once, and stays when it is stored', async () => {
  const { press, finish, isPressed } = await openSwitch();
  await press();
  expect(isPressed()).toBe(true);
  await finish(true);
  expect(isPressed()).toBe(true);
});

test('a press that cannot be stored is taken back', async () => {
  const { press, finish, isPressed } = await openSwitch();
  await press();
  await finish(false);
  await expect.poll(isPressed).toBe(false);
});

test('a second press before the first is stored switches back, after it', async () => {
  const { press, finish, isPressed, asked } = await openSwitch();
  await press();
  await press();
  expect(isPressed()).toBe(false);
  expect(asked).toEqual([true]);
  await finish(true);
  await expect.poll(() => asked).toEqual([true, false]);
  await finish(true);
  expect(isPressed()).toBe(false);
});

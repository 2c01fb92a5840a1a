import { act } from 'react';
import { expect, test, vi } from 'vitest';
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
    return new Promise<boolean>((resolve) => {
      works.push((isStored) => {
        if (isStored) isOn = wanted;
        resolve(isStored);
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
    /** Ends the work; the stored state comes with `showStored`. */
    endWork: (isStored: boolean) => act(async () => works.shift()?.(isStored)),
    showStored: () => show(<Probe on={isOn} />),
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

test('a press stays until the stored state comes, and a press meanwhile switches back', async () => {
  const { press, endWork, showStored, isPressed, asked } = await openSwitch();
  await press();
  await endWork(true);
  expect(isPressed()).toBe(true);
  await press();
  expect([isPressed(), asked]).toEqual([false, [true, false]]);
  await showStored();
  expect(isPressed()).toBe(false);
  await endWork(true);
  await showStored();
  expect(isPressed()).toBe(false);
});

test('if the stored state does not arrive after a press, the button shows the earlier state after three seconds', async () => {
  const { press, endWork, isPressed } = await openSwitch();
  await press();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await endWork(true);
    await act(async () => void (await vi.advanceTimersByTimeAsync(2_999)));
    expect(isPressed()).toBe(true);
    await act(async () => void (await vi.advanceTimersByTimeAsync(1)));
    expect(isPressed()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

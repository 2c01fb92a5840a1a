import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { useSwitch } from './useSwitch.ts';

/** A button over a store; each press waits in `works` until the test finishes it. */
async function page() {
  const works: ((isStored: boolean) => Promise<void>)[] = [];
  const asked: boolean[] = [];
  const root = createRoot(document.createElement('div'));
  let isOn = false;
  let shown = { isPressed: false, press: (_work: (wanted: boolean) => Promise<void>): void => undefined };
  function Probe({ on }: { on: boolean }) {
    shown = useSwitch(on);
    return null;
  }
  const render = () => act(async () => root.render(createElement(Probe, { on: isOn })));
  await render();
  return {
    asked,
    isPressed: () => shown.isPressed,
    press: () =>
      act(async () =>
        shown.press((wanted) => {
          asked.push(wanted);
          return new Promise((resolve) => {
            works.push(async (isStored) => {
              if (isStored) isOn = wanted;
              resolve();
            });
          });
        }),
      ),
    finish: async (isStored: boolean) => {
      await act(async () => works.shift()?.(isStored));
      await render();
    },
  };
}

test('a press shows at once, and stays when it is stored', async () => {
  const button = await page();
  await button.press();
  expect(button.isPressed()).toBe(true);
  await button.finish(true);
  expect(button.isPressed()).toBe(true);
});

test('a press that cannot be stored is taken back', async () => {
  const button = await page();
  await button.press();
  await button.finish(false);
  expect(button.isPressed()).toBe(false);
});

test('a second press before the first is stored switches back, after it', async () => {
  const button = await page();
  await button.press();
  await button.press();
  expect(button.isPressed()).toBe(false);
  expect(button.asked).toEqual([true]);
  await button.finish(true);
  expect(button.asked).toEqual([true, false]);
  await button.finish(true);
  expect(button.isPressed()).toBe(false);
});

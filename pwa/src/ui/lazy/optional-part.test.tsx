import { useLayoutEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, onTestFinished, test } from 'vitest';
import { openTestPage } from '../test-page.tsx';
import { optionalPart } from './lazy.tsx';

const offer = async () => () => 'An offer.';

test('a part whose code is loaded is on the page', async () => {
  const Part = optionalPart(offer);
  const { text } = await openTestPage(
    <>
      {'The page. '}
      <Part />
    </>,
  );
  await expect.poll(text).toBe('The page. An offer.');
});

test('a part whose code cannot be loaded is left out, and the page and its other parts stay', async () => {
  const Missing = optionalPart(() => Promise.reject(new TypeError('Failed to fetch')));
  const Part = optionalPart(offer);
  const { text } = await openTestPage(
    <>
      {'The page. '}
      <Missing />
      <Part />
    </>,
  );
  await expect.poll(text).toBe('The page. An offer.');
});

test('a part is waited for once, and is at once on a page that shows it again', async () => {
  const loading = Promise.withResolvers<() => string>();
  const Part = optionalPart(() => loading.promise, 'Loading.');
  expect(renderToString(<Part />)).toBe('Loading.');
  const { text } = await openTestPage(<Part />);
  expect(text()).toBe('Loading.');
  loading.resolve(await offer());
  await expect.poll(text).toBe('An offer.');
  expect((await openTestPage(<Part />)).text()).toBe('An offer.');
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
    return (
      <>
        {text}
        <First />
        <Second />
      </>
    );
  }
  // Not within `act`, because it renders in another order.
  const page = document.createElement('div');
  const root = createRoot(page);
  onTestFinished(() => root.unmount());
  root.render(<Page />);
  await expect.poll(() => page.textContent).toBe('The page. An offer.An offer.');
  expect(errors).toEqual([]);
});

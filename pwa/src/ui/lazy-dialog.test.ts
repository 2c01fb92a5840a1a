import { act, type ComponentProps, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { Dialog } from './Dialog.tsx';
import { LazyPart } from './feedback/LazyPart.tsx';
import { LazyDialog } from './LazyDialog.tsx';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

const Content = ({ onClose }: { onClose: () => void }) =>
  createElement(Dialog, { title: 'Ask for the documents', onClose } as ComponentProps<typeof Dialog>, 'Free.');

test('a dialog whose code cannot be loaded says so in its place, and opens after Try Again', async () => {
  let isReachable = false;
  const load = async () => {
    if (!isReachable) throw new TypeError('Failed to fetch dynamically imported module');
    return Content;
  };
  const page = document.createElement('div');
  document.body.append(page);
  const dialog = { onClose: () => undefined };
  const root = createRoot(page);
  await act(async () =>
    root.render(
      createElement(
        'main',
        null,
        createElement('textarea', { defaultValue: 'Typed words' }),
        createElement(LazyDialog<typeof dialog>, { load, title: 'Ask for the documents', dialog }),
      ),
    ),
  );
  const buttons = () => [...page.querySelectorAll('button')].map(({ textContent }) => textContent).filter(Boolean);
  const tryAgain = () =>
    act(async () =>
      [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Try Again')?.click(),
    );
  expect(page.querySelector('h2')?.textContent).toBe('Ask for the documents');
  expect(page.querySelector('[role="alert"]')?.textContent).toContain(
    'This could not be loaded. Please check your internet connection.',
  );
  expect(buttons()).toEqual(['Try Again']);
  await tryAgain();
  expect(buttons()).toEqual(['Reload the page', 'Try Again']);
  isReachable = true;
  await tryAgain();
  expect(page.querySelector('dialog')?.textContent).toContain('Free.');
  expect(page.querySelector('textarea')?.value).toBe('Typed words');
});

test('a part of a page whose code cannot be loaded says so in its place, and is shown after Try Again', async () => {
  let isReachable = false;
  const load = async () => {
    if (!isReachable) throw new TypeError('Failed to fetch dynamically imported module');
    return ({ bid }: { bid: string }) => `Checklist of ${bid}`;
  };
  const page = document.createElement('div');
  const part = createElement(LazyPart<{ bid: string }>, { load, name: 'the checklist', part: { bid: 'a road' } });
  await act(async () => createRoot(page).render(createElement('main', null, 'The tender. ', part)));
  expect(page.querySelector('[role="alert"]')?.textContent).toBe('The checklist cannot be loaded now.');
  expect(page.textContent).toContain('The tender. ');
  isReachable = true;
  await act(async () => page.querySelector('button')?.click());
  expect(page.textContent).toBe('The tender. Checklist of a road');
});

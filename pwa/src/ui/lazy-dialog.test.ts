import { type ComponentProps, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { Dialog } from './Dialog.tsx';
import { LazyPart } from './feedback/LazyPart.tsx';
import { LazyDialog } from './LazyDialog.tsx';

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
  root.render(
    createElement(
      'main',
      null,
      createElement('textarea', { defaultValue: 'Typed words' }),
      createElement(LazyDialog<typeof dialog>, { load, title: 'Ask for the documents', dialog }),
    ),
  );
  const buttons = () => [...page.querySelectorAll('button')].map(({ textContent }) => textContent).filter(Boolean);
  const tryAgain = () =>
    [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Try Again')?.click();
  await expect.poll(buttons).toEqual(['Try Again']);
  expect(page.querySelector('h2')?.textContent).toBe('Ask for the documents');
  expect(page.querySelector('[role="alert"]')?.textContent).toContain(
    'This could not be loaded. Please check your internet connection.',
  );
  tryAgain();
  await expect.poll(buttons).toEqual(['Reload the page', 'Try Again']);
  isReachable = true;
  tryAgain();
  await expect.poll(() => page.querySelector('dialog')?.textContent).toContain('Free.');
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
  createRoot(page).render(createElement('main', null, 'The tender. ', part));
  const alert = () => page.querySelector('[role="alert"]')?.textContent;
  await expect.poll(alert).toBe('The checklist cannot be loaded now.');
  expect(page.textContent).toContain('The tender. ');
  isReachable = true;
  page.querySelector('button')?.click();
  await expect.poll(() => page.textContent).toBe('The tender. Checklist of a road');
});

test('while its code loads a dialog is an empty frame that can be closed', async () => {
  let closed = 0;
  const page = document.createElement('div');
  document.body.append(page);
  const dialog = {
    onClose: () => {
      closed += 1;
    },
  };
  const load = () => new Promise<typeof Content>(() => undefined);
  const root = createRoot(page);
  root.render(createElement(LazyDialog<typeof dialog>, { load, title: 'Ask for the documents', dialog }));
  expect(page.querySelector('dialog')?.open).toBe(true);
  expect(page.querySelector('h2')?.textContent).toBe('Ask for the documents');
  expect(page.querySelector('[role="status"]')?.textContent).toBe('Loading');
  expect(page.querySelector('[role="alert"]')).toBeNull();
  page.querySelector<HTMLElement>('[aria-label="Close"]')?.click();
  expect(closed).toBe(1);
});

test('while its code loads a part of a page says what loads, and it gets its properties', async () => {
  const page = document.createElement('div');
  const loading = Promise.withResolvers<(part: { bid: string }) => string>();
  const load = () => loading.promise;
  createRoot(page).render(
    createElement(LazyPart<{ bid: string }>, { load, name: 'the checklist', part: { bid: 'a road' } }),
  );
  expect(page.querySelector('[role="status"]')?.textContent).toBe('Loading the checklist');
  loading.resolve(({ bid }) => `Checklist of ${bid}`);
  await expect.poll(() => page.textContent).toBe('Checklist of a road');
});

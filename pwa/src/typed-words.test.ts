// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { type ComponentType, createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PAGE_ROUTE } from './data/server/page.ts';
import { hasEnteredText, repeatEarlyInput } from './early.ts';
import { BidNotes } from './features/bids/BidNotes.tsx';
import { ContactForm } from './features/contact/ContactForm.tsx';
import { RequestDialog } from './features/documents/RequestDialog.tsx';
import { reloadOnceForMissingChunk, watchMissingChunks } from './features/install/missing-chunk.ts';
import { LazyPart } from './ui/feedback/LazyPart.tsx';
import { LazyDialog } from './ui/LazyDialog.tsx';

const reload = vi.fn();
let page: HTMLElement;

beforeEach(() => {
  vi.spyOn(location, 'reload').mockImplementation(reload);
  watchMissingChunks(hasEnteredText);
  page = document.createElement('div');
  page.id = 'root';
  document.body.append(page);
});
afterEach(() => {
  vi.restoreAllMocks();
  watchMissingChunks(() => false);
  reload.mockReset();
  sessionStorage.clear();
  page.remove();
});

/** A file fails as Vite reports it, before the import rejects with the same error. */
async function missing(): Promise<never> {
  const payload = new TypeError('Failed to fetch dynamically imported module: /assets/Missing.js');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  throw payload;
}

const close = () => undefined;
const forms: [string, ComponentType, string, string][] = [
  ['a contact form', ContactForm, 'textarea', 'Roads of Kinnaur'],
  [
    'a bid note',
    () => h(BidNotes, { bid: { id: 'b1', stage: 'preparing' } as never }),
    'textarea',
    'Call the contractor',
  ],
  ['an open dialog', () => h(RequestDialog, { onAsk: close, onClose: close }), 'dialog input', 'asha@example'],
];

/** A frame with a form, and with a part and a dialog whose code is missing. */
function showFrame(Form: ComponentType) {
  function Frame() {
    const [isAsking, setIsAsking] = useState(false);
    return h(
      'main',
      null,
      h(Form),
      h(LazyPart<object>, { load: missing, name: 'the checklist', part: {} }),
      h('button', { id: 'ask', type: 'button', onClick: () => setIsAsking(true) }),
      isAsking && h(LazyDialog<{ onClose: () => void }>, { load: missing, title: 'Ask', dialog: { onClose: close } }),
    );
  }
  const router = createMemoryRouter([{ id: PAGE_ROUTE, path: '/', Component: Frame }], {
    hydrationData: { loaderData: { [PAGE_ROUTE]: { site: {}, answer: null } } },
  });
  createRoot(page).render(h(RouterProvider, { router }));
}

/** Waits for a field of the frame. */
async function fieldOf(selector: string): Promise<HTMLInputElement> {
  await expect.poll(() => page.querySelector(selector)).not.toBeNull();
  return page.querySelector(selector) as HTMLInputElement;
}

test.each(forms)('half-typed words of %s stay when files cannot be fetched', async (_what, Form, selector, words) => {
  showFrame(Form);
  const field = await fieldOf(selector);
  field.value = words;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await expect.poll(() => page.textContent).toContain('The checklist cannot be loaded now.');
  page.querySelector<HTMLElement>('#ask')?.click();
  await expect.poll(() => page.textContent).toContain('This could not be loaded.');
  // a screen beside them fails
  expect(reloadOnceForMissingChunk(await missing().catch((error) => error))).toBe(false);
  expect(page.querySelector<HTMLInputElement>(selector)?.value).toBe(words);
  expect(reload).not.toHaveBeenCalled();
});

test('a screen that cannot be fetched reloads a page without typed words', async () => {
  showFrame(() => h(RequestDialog, { onAsk: close, onClose: close }));
  await fieldOf('dialog input');
  expect(reloadOnceForMissingChunk(await missing().catch((error) => error))).toBe(true);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('an untouched form with preset fields does not keep a failed screen from its reload', async () => {
  repeatEarlyInput();
  showFrame(ContactForm);
  const code = await fieldOf('select[name="countryCode"]');
  expect(code.value).toBe('+91');
  code.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  expect(hasEnteredText()).toBe(false);
  code.value = '';
  code.dispatchEvent(new Event('input', { bubbles: true }));
  expect(hasEnteredText()).toBe(true);
  code.value = '+91';
  expect(reloadOnceForMissingChunk(await missing().catch((error) => error))).toBe(true);
});

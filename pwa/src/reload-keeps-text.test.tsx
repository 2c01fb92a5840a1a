// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { type ComponentType, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { repeatEarlyInput } from './early.ts';
import { BidNotes } from './features/bids/BidNotes.tsx';
import { ContactForm } from './features/contact/ContactForm.tsx';
import { RequestDialog } from './features/documents/RequestDialog.tsx';
import { reloadOnceForMissingChunk, watchMissingChunks } from './features/install/missing-chunk.ts';
import { hasEnteredText } from './ui/form/entered-text.ts';
import { lazyDialog, lazyPart } from './ui/lazy/lazy.tsx';
import { closeTestPages, openTestPage } from './ui/test-page.tsx';

const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
watchMissingChunks(hasEnteredText);

afterEach(async () => {
  await closeTestPages();
  reload.mockClear();
  sessionStorage.clear();
});

/** A file fails as Vite reports it, before the import rejects with the same error. */
async function missing(): Promise<never> {
  const payload = new TypeError('Failed to fetch dynamically imported module: /assets/Missing.js');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  throw payload;
}
const reloadForMissing = async () => reloadOnceForMissingChunk(await missing().catch((error) => error));

const close = () => undefined;
const MissingPart = lazyPart(missing, {
  loading: () => 'Loading the checklist',
  failed: () => 'The checklist cannot be loaded now.',
});
const MissingDialog = lazyDialog<{ onClose: () => void }>(missing, () => 'Dialog');
const Contact = () => <ContactForm sendToSupport={() => Promise.reject(new Error('signed out'))} />;
const Request = () => <RequestDialog onAsk={close} onClose={close} />;
const Notes = () => <BidNotes bid={{ id: 'b1', stage: 'preparing' } as never} />;
const forms: [string, ComponentType, string, string][] = [
  ['a contact form', Contact, 'Message 10 to 1000 characters', 'Roads of Kinnaur'],
  ['a bid note', Notes, 'Note', 'Call the contractor'],
  ['an open dialog', Request, 'Email', 'asha@example'],
];

/** A frame with a form, and with a part and a dialog whose code is missing. */
async function openFrame(Form: ComponentType, label: string) {
  function Frame() {
    const [isAsking, setIsAsking] = useState(false);
    return (
      <main id="root">
        <Form />
        <MissingPart />
        <button type="button" onClick={() => setIsAsking(true)}>
          Open the dialog
        </button>
        {isAsking && <MissingDialog onClose={close} />}
      </main>
    );
  }
  const page = await openTestPage(<Frame />);
  await expect.poll(() => page.field(label)).toBeTruthy();
  return page;
}

test.each(forms)('half-typed words of %s stay when files cannot be fetched', async (_what, Form, label, words) => {
  const { enter, press, field, text } = await openFrame(Form, label);
  await enter(label, words);
  await expect.poll(text).toContain('The checklist cannot be loaded now.');
  await press('Open the dialog');
  await expect.poll(text).toContain('This could not be loaded.');
  // a screen beside them fails
  expect(await reloadForMissing()).toBe(false);
  expect(field(label).value).toBe(words);
  expect(reload).not.toHaveBeenCalled();
});

test('a screen that cannot be fetched reloads a page without typed words', async () => {
  await openFrame(Request, 'Email');
  expect(await reloadForMissing()).toBe(true);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('an untouched form with preset fields does not keep a failed screen from its reload', async () => {
  repeatEarlyInput();
  const { field } = await openFrame(Contact, 'Country code');
  const code = field('Country code');
  expect(code.value).toBe('+91');
  code.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  expect(hasEnteredText()).toBe(false);
  code.value = '';
  code.dispatchEvent(new Event('input', { bubbles: true }));
  expect(hasEnteredText()).toBe(true);
  code.value = '+91';
  expect(await reloadForMissing()).toBe(true);
});

import { MAX_DOCUMENT_FILES } from '@nivida/contract/limits';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { VaultDocumentDialog } from './VaultDocumentDialog.tsx';

afterEach(() => document.body.replaceChildren());

const pdf = (name: string, text: string) => new File([`%PDF-1.7 ${text}`], name);

/** Opens the form of a new document; `choose` chooses files and returns the listed ones. */
async function openForm() {
  const page = document.createElement('div');
  document.body.append(page);
  const dialog = createElement(VaultDocumentDialog, { onClose: () => undefined });
  await act(async () => createRoot(page).render(dialog));
  const input = page.querySelector<HTMLInputElement>('input[type="file"][multiple]') as HTMLInputElement;
  const listed = () =>
    [...page.querySelectorAll('fieldset li > span')].map(({ firstChild }) => firstChild?.textContent);
  return {
    page,
    choose: async (...files: File[]) => {
      Object.defineProperty(input, 'files', { value: files, configurable: true });
      await act(async () => void input.dispatchEvent(new Event('change', { bubbles: true })));
      await expect.poll(() => page.querySelector('[aria-busy="true"]')).toBeNull();
      return listed();
    },
  };
}

test('a file that is chosen again is in the document once', async () => {
  const { choose } = await openForm();
  expect(await choose(pdf('PAN.pdf', 'one'))).toEqual(['PAN.pdf']);
  expect(await choose(pdf('PAN (1).pdf', 'one'), pdf('back.pdf', 'two'))).toEqual(['PAN.pdf', 'back.pdf']);
});

test('two copies of a file that are chosen together are in the document once', async () => {
  const { choose } = await openForm();
  expect(await choose(pdf('PAN.pdf', 'one'), pdf('PAN (1).pdf', 'one'))).toEqual(['PAN.pdf']);
});

test('only different files count for the limit of a document', async () => {
  const { page, choose } = await openForm();
  const files = Array.from({ length: MAX_DOCUMENT_FILES }, (_, n) => pdf(`${n + 1}.pdf`, `page ${n + 1}`));
  expect(await choose(...files, pdf('copy.pdf', 'page 1'))).toHaveLength(MAX_DOCUMENT_FILES);
  expect(page.textContent).not.toContain(`At most ${MAX_DOCUMENT_FILES} files.`);
  expect(await choose(pdf('last.pdf', 'another page'))).toHaveLength(MAX_DOCUMENT_FILES);
  expect(page.textContent).toContain(`At most ${MAX_DOCUMENT_FILES} files.`);
});

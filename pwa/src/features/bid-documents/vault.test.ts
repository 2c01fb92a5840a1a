// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { MAX_DOCUMENT_FILES } from '@nivida/contract/limits';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { parse, safeParse } from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';
import { storedHashes } from '../../data/bid-documents/files.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import { useToast } from '../../ui/feedback/toast.ts';
import { addDocument, addFiles, deleteDocument, saveDocument, saveErrorText } from './document-actions.ts';
import { DocumentForm, documentFields, documentValues } from './document-form.ts';
import { prepareFile } from './prepare-file.ts';
import { VaultDocumentDialog } from './VaultDocumentDialog.tsx';

afterEach(async () => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const pdf = (name: string, text = 'one') => new File([`%PDF-1.7 ${text}`], name, { type: 'text/plain' });
const documents = async () =>
  (await withDatabase((db) => readRecords(db, '', 'bidDocument'))).map(({ id, fields }) => ({ id, ...fields }));
const fileCount = async () => (await withDatabase((db) => storedHashes(db, ''))).size;

test('a document is saved with its files, its emptied fields are removed, and a file that is taken out goes', async () => {
  const values = { ...documentValues(), kind: 'pan', number: 'ABCDE1234F', issuer: 'Income Tax Department' };
  const id = await saveDocument(undefined, documentFields(values), [
    await prepareFile(pdf('PAN card.pdf')),
    await prepareFile(pdf('back.exe', 'two')),
  ]);
  const [saved] = await documents();
  expect(saved).toMatchObject({ id, kind: 'pan', number: 'ABCDE1234F' });
  expect(saved?.files?.map(({ name, type, bytes }) => `${name} ${type} ${bytes}`)).toEqual([
    'PAN card.pdf application/pdf 12',
    'back.pdf application/pdf 12',
  ]);
  expect(await fileCount()).toBe(2);

  await saveDocument(saved, documentFields({ ...values, number: '' }), saved?.files?.slice(0, 1) ?? []);
  const [edited] = await documents();
  expect(edited?.number).toBeUndefined();
  expect(edited?.issuer).toBe('Income Tax Department');
  expect(edited?.files).toHaveLength(1);
  expect(await fileCount()).toBe(1);
});

test('files that are added to a document follow its own, and change nothing else of it', async () => {
  const id = await addDocument({ kind: 'pan', number: 'ABCDE1234F' }, [pdf('PAN card.pdf')]);
  const [saved] = await documents();
  expect(saved && (await addFiles(saved, [pdf('back.pdf', 'two')]))).toBe(true);
  const [added] = await documents();
  expect(added).toMatchObject({ id, kind: 'pan', number: 'ABCDE1234F', createdAt: saved?.createdAt });
  expect(added?.files?.map(({ name }) => name)).toEqual(['PAN card.pdf', 'back.pdf']);
  expect(await fileCount()).toBe(2);
  // a refused file adds nothing
  expect(added && (await addFiles(added, [pdf('third.pdf', 'three'), new File(['<html>'], 'scan.pdf')]))).toBe(false);
  expect((await documents())[0]?.files).toHaveLength(2);
  expect(await fileCount()).toBe(2);
});

test('the form of a document has each of its fields', () => {
  const fields = {
    ...{ kind: 'enlistment', title: 'Enlistment', number: '4711', issuer: 'HPPWD' },
    ...{ forState: 'Himachal Pradesh', validUntil: '2027-03-31' },
  };
  const values = documentValues({ id: '1', ...fields });
  expect(values).toEqual(fields);
  expect(documentFields(parse(DocumentForm, values))).toEqual(fields);
  expect(documentFields({ ...documentValues(), kind: 'pan' })).toEqual({
    ...{ kind: 'pan', title: null, number: null, issuer: null, forState: null, validUntil: null },
  });
});

test.each([
  [{ validUntil: '2026-02-30' }, 'Enter a date, such as 15-04-2026'],
  [{ validUntil: '0202-04-15' }, 'Check the year'],
  [{ kind: '' }, 'Choose the kind of document'],
  [{ number: 'x'.repeat(61) }, 'At most 60 letters'],
])('a document with %j is refused: %s', (change, text) => {
  const { issues } = safeParse(DocumentForm, { ...documentValues(), kind: 'pan', ...change });
  expect(issues?.map(({ message }) => message)).toEqual([text]);
});

test('a picture has the extension of the type in which it is stored', async () => {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 40, height: 30, close: () => undefined }));
  const context = { fillRect: () => undefined, drawImage: () => undefined } as unknown as RenderingContext;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context);
  let pngBytes = 100;
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) =>
    done(new Blob([new Uint8Array(type === 'image/png' ? pngBytes : 100)])),
  );
  const prepared = async (content: string, name: string) => {
    const bytes = Uint8Array.from(content, (character) => character.charCodeAt(0));
    const { name: storedName, type } = await prepareFile(new File([bytes], name));
    return `${storedName} ${type}`;
  };
  const png = '\x89PNG\r\n\x1a\n';
  expect(await prepared('RIFF\0\0\0\0WEBP', 'Challan.webp')).toBe('Challan.jpg image/jpeg');
  expect(await prepared(png, 'Challan.jpeg')).toBe('Challan.png image/png');
  pngBytes = 10 * 1_048_576 + 1;
  expect(await prepared(png, 'Challan.png')).toBe('Challan.jpg image/jpeg');
});

test('the files of a document that is refused take no space', async () => {
  const files = await Promise.all(Array.from({ length: 21 }, (_, n) => prepareFile(pdf(`${n}.pdf`, String(n)))));
  await saveDocument(undefined, { kind: 'pan' }, files.slice(0, 1));
  await expect(saveDocument(undefined, { kind: 'gst_registration' }, files)).rejects.toThrow('At most 20 files');
  expect(await documents()).toHaveLength(1);
  expect(await fileCount()).toBe(1);
});

test('a deleted document comes back with its files by Undo', async () => {
  await saveDocument(undefined, { kind: 'pan' }, [await prepareFile(pdf('PAN.pdf'))]);
  const [saved] = await documents();
  if (saved) await deleteDocument(saved);
  expect(await documents()).toEqual([]);
  const offer = useToast.getState().current;
  expect(offer?.text).toBe('Deleted: PAN card');
  offer?.action?.run();
  await expect.poll(documents).toHaveLength(1);
  expect(await fileCount()).toBe(1);
});

test.each([
  [new File(['<html>'], 'scan.pdf'), '“scan.pdf” is not a PDF, JPEG, PNG or WebP file. It was not added.'],
  [new File([], 'empty.jpg'), '“empty.jpg” is not a PDF, JPEG, PNG or WebP file. It was not added.'],
  [
    new File([`%PDF-${'x'.repeat(10_000_000)}`], 'big.pdf'),
    '“big.pdf” has 10.0 MB. A file may have at most 10 MB. It was not added.',
  ],
])('a file is refused with its reason: %#', async (file, text) => {
  await expect(prepareFile(file)).rejects.toThrow(text);
});

test('a damaged picture is refused with its reason', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('', 'InvalidStateError')));
  const file = new File([Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1])], 'cut.jpg');
  await expect(prepareFile(file)).rejects.toThrow(
    '“cut.jpg” could not be opened as a picture. It may be damaged. It was not added.',
  );
  vi.unstubAllGlobals();
});

test('a full phone says so, and no document without its file is stored', async () => {
  const file = await prepareFile(pdf('PAN.pdf'));
  await withDatabase(async (db) => {
    vi.spyOn(db.documentFiles, 'bulkPut').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
  });
  const saving = saveDocument(undefined, { kind: 'pan' }, [file]);
  const error = await saving.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(saveErrorText(error)).toBe(
    'The storage of this phone is full. The document was not saved. Free some storage, then save again.',
  );
  expect(await documents()).toEqual([]);
});

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

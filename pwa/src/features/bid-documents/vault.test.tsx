// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { MAX_DOCUMENT_FILES } from '@nivida/contract/limits';
import type { ReactNode } from 'react';
import { parse, safeParse } from 'valibot';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ChecklistRow, ChecklistTender } from '../../data/bid-documents/checklist-rows.ts';
import { FilesFullError, storedHashes } from '../../data/bid-documents/files.ts';
import { findKind } from '../../data/bid-documents/match-kinds.ts';
import { ownEntryTender } from '../../data/bid-documents/own-entry.ts';
import type { VaultDocument } from '../../data/bid-documents/vault-document.ts';
import { closeDatabase, DatabaseUnavailableError, withDatabase } from '../../data/device/database.ts';
import type { TenderRow } from '../../data/device/schema.ts';
import { type EvictedData, onEvicted } from '../../data/device/storage-quota.ts';
import { prepareFile } from '../../data/files/prepare-file.ts';
import { deleteRecord, readRecords, TooManyRecordsError, writeRecords } from '../../data/records/record-rows.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { addDocument, addFiles, deleteDocument, saveDocument, saveErrorText } from './document-actions.ts';
import { DocumentForm, documentFields, documentValues } from './document-form.ts';
import { ExpiryNotices } from './ExpiryNotices.tsx';
import { RowDocument } from './RowDocument.tsx';
import { Vault } from './Vault.tsx';
import { VaultDocumentDialog } from './VaultDocumentDialog.tsx';
import { VaultLink } from './VaultLink.tsx';

afterEach(async () => {
  await closeTestPages();
  clearSession();
  while (useToast.getState().current) dismissToast();
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
  expect(parse(DocumentForm, { ...values, number: '४७/११' }).number).toBe('47/11');
  expect(documentFields({ ...documentValues(), kind: 'pan' })).toEqual({
    ...{ kind: 'pan', title: null, number: null, issuer: null, forState: null, validUntil: null },
  });
});

test.each([
  [{ validUntil: '2026-02-30' }, 'Enter a date, such as 15-04-2026'],
  [{ validUntil: '0202-04-15' }, 'Check the year'],
  [{ kind: '' }, 'Choose the kind of document'],
  [{ number: 'x'.repeat(61) }, 'At most 60 letters'],
  [{ title: 'x'.repeat(201) }, 'At most 200 letters'],
  [{ issuer: 'x'.repeat(201) }, 'At most 200 letters'],
  [{ validUntil: '2100-04-15' }, 'Check the year'],
])('a document with %j is refused: %s', (change, text) => {
  const { issues } = safeParse(DocumentForm, { ...documentValues(), kind: 'pan', ...change });
  expect(issues?.map(({ message }) => message)).toEqual([text]);
});

test('a picture has the extension of the type in which it is stored', async () => {
  let open = 0;
  vi.stubGlobal('createImageBitmap', async (_file: Blob, { imageOrientation }: ImageBitmapOptions) => {
    open += 1;
    return { width: imageOrientation === 'from-image' ? 4_000 : 0, height: 3_000, close: () => void open-- };
  });
  let drawn: unknown[] = [];
  const context: CanvasRenderingContext2D = {
    fillRect: (...area: unknown[]) => drawn.push([context.fillStyle, ...area]),
    drawImage: (_picture: unknown, ...area: unknown[]) => drawn.push(area),
  } as unknown as CanvasRenderingContext2D;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context);
  let pngBytes = 100;
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) =>
    done(new Blob([new Uint8Array(type === 'image/png' ? pngBytes : 100)])),
  );
  const prepared = async (content: string, name: string) => {
    drawn = [];
    const bytes = Uint8Array.from(content, (character) => character.charCodeAt(0));
    const { name: storedName, type } = await prepareFile(new File([bytes], name));
    return `${storedName} ${type}`;
  };
  const png = '\x89PNG\r\n\x1a\n';
  expect(await prepared('RIFF\0\0\0\0WEBP', 'Challan.webp')).toBe('Challan.jpg image/jpeg');
  // A JPEG has a white ground instead of transparency; the picture is upright and at most 2,000 pixels wide.
  expect(drawn).toEqual([
    ['#fff', 0, 0, 2_000, 1_500],
    [0, 0, 2_000, 1_500],
  ]);
  expect(await prepared(png, 'Challan.jpeg')).toBe('Challan.png image/png');
  expect(drawn).toEqual([[0, 0, 2_000, 1_500]]);
  pngBytes = 10_000_000;
  expect(await prepared(png, 'Challan.png')).toBe('Challan.png image/png');
  pngBytes += 1;
  expect(await prepared(png, 'Challan.png')).toBe('Challan.jpg image/jpeg');
  expect(open).toBe(0);
});

test('a picture that would fill the memory is not opened, and a file that cannot be read is named', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('opened')));
  const jpeg = () => new File([Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])], 'site.jpg');
  const huge = Object.defineProperty(jpeg(), 'size', { value: 50 * 1_048_576 + 1 });
  await expect(prepareFile(huge)).rejects.toThrow(
    '“site.jpg” has 52.4 MB. A file may have at most 10 MB. It was not added.',
  );
  const large = Object.defineProperty(jpeg(), 'size', { value: 50 * 1_048_576 });
  await expect(prepareFile(large)).rejects.toThrow('“site.jpg” could not be opened as a picture.');
  const unreadable = () => Promise.reject(new DOMException('', 'NotReadableError'));
  const gone = Object.assign(pdf('gone.pdf'), { slice: () => ({ arrayBuffer: unreadable }) });
  await expect(prepareFile(gone)).rejects.toThrow('“gone.pdf” could not be read. It was not added.');
  const lost = Object.assign(pdf('lost.pdf'), { arrayBuffer: unreadable });
  await expect(prepareFile(lost)).rejects.toThrow('“lost.pdf” could not be read. It was not added.');
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

test('a document on a full phone is saved in the place of offline tenders, which is reported', async () => {
  const tender = {} as TenderRow['tender'];
  const reported: EvictedData[] = [];
  onEvicted((evicted) => reported.push(evicted));
  await withDatabase(async (db) => {
    await db.tenders.add({ id: '1', tender, savedAt: 0 });
    const put = db.documentFiles.bulkPut.bind(db.documentFiles);
    let isFull = true;
    vi.spyOn(db.documentFiles, 'bulkPut').mockImplementation((...values) => {
      if (!isFull) return put(...values);
      isFull = false;
      throw new DOMException('full', 'QuotaExceededError');
    });
  });
  await saveDocument(undefined, { kind: 'pan' }, [await prepareFile(pdf('PAN.pdf'))]);
  expect(reported).toEqual([{ scopes: [], tenders: 1 }]);
  expect([await fileCount(), await withDatabase((db) => db.tenders.count())]).toEqual([1, 0]);
  await saveDocument(undefined, { kind: 'pan' }, [await prepareFile(pdf('back.pdf', 'two'))]);
  expect(reported).toHaveLength(1);
});

/** Shows a part of the app, whose fields are found by the beginnings of their labels. */
async function show(element: ReactNode) {
  const shown = await openTestPage(element);
  const { page, texts } = shown;
  const labelOf = (start: string) => texts('label').find((each) => each.startsWith(start)) ?? start;
  return {
    ...shown,
    field: (start: string) => shown.field(labelOf(start)),
    errorAt: (start: string) => shown.errorAt(labelOf(start)),
    fill: async (values: Record<string, string>) => {
      for (const [start, value] of Object.entries(values)) await shown.enter(labelOf(start), value);
    },
    /** Chooses files; returns those that the form then lists. */
    choose: async (selector: string, ...files: File[]) => {
      const input = page.querySelector(selector) as HTMLInputElement;
      Object.defineProperty(input, 'files', { value: files, configurable: true });
      await act(async () => void input.dispatchEvent(new Event('change', { bubbles: true })));
      await expect.poll(() => page.querySelector('[aria-busy="true"]')).toBeNull();
      return texts('fieldset li > span');
    },
  };
}

const APRIL = new Date('2026-04-15T12:00:00+05:30');

describe('the screen of the vault', () => {
  const openVault = async () => {
    const vault = await show(<Vault now={APRIL} />);
    await expect.poll(() => vault.page.querySelector('[role="status"] .sr')).toBeNull();
    return vault;
  };

  test('explains itself while it is empty, and opens the form', async () => {
    const { text, press, texts } = await openVault();
    expect(text()).toContain('No documents yet.');
    expect(text()).not.toContain('Photos and PDFs are only on this phone');
    await press('Add a document');
    expect(texts('dialog h2')).toEqual(['Add a document']);
    await press('Cancel');
    expect(texts('dialog h2')).toEqual([]);
  });

  test('has each document under its kind, with its validity, its facts and its files', async () => {
    await addDocument(
      {
        ...{ kind: 'enlistment', title: 'Class C', number: '4711', issuer: 'HPPWD' },
        ...{ forState: 'Himachal Pradesh', validUntil: '2026-04-14' },
      },
      [pdf('Enlistment.pdf')],
    );
    await saveDocument(undefined, { kind: 'pan' }, [
      { hash: 'f'.repeat(64), name: 'Other phone.pdf', type: 'application/pdf', bytes: 3 },
    ]);
    await addDocument({ kind: 'other', title: 'Letter' }, []);
    const { page, text, texts, press } = await openVault();
    expect(texts('section > h2')).toEqual([
      expect.stringMatching(/^Contractor enlistment \/ registration /),
      'PAN card PAN कार्ड',
      'Other documents अन्य दस्तावेज़',
    ]);
    const cards = [...page.querySelectorAll('section > ul > li')];
    const cardText = (at: number) => texts('section > ul > li')[at];
    expect(cards).toHaveLength(3);
    expect(cards[0]?.querySelector('b')?.textContent).toBe('Class C');
    expect(cards[0]?.querySelector('[data-tone="red"]')?.textContent).toBe('Expired on 14 Apr 2026');
    expect(cardText(0)).toContain('No. 4711 · HPPWD · Himachal Pradesh');
    await expect.poll(() => cardText(1)).toContain('not on this phone');
    expect(cardText(0)).toContain('Enlistment.pdf');
    expect(cardText(0)).not.toContain('not on this phone');
    expect(cards[1]?.querySelector('b')).toBeNull();
    expect(cards[1]?.querySelector('[data-tone="gray"]')?.textContent).toBe('No expiry date');
    expect(cardText(2)).toContain('No photo or PDF yet.');
    expect(text()).toContain('Photos and PDFs are only on this phone.');
    await press('Enlistment.pdf');
    expect(texts('dialog h2')).toEqual(['Enlistment.pdf']);
    await press('Close');
    expect(texts('dialog h2')).toEqual([]);
  });

  test.each([
    [{ kind: 'enlistment', validUntil: '2026-04-20' }, 'amber', 'Expires in 5 days, on 20 Apr 2026'],
    [{ kind: 'enlistment', validUntil: '2027-04-20' }, 'green', 'Valid till 20 Apr 2027'],
    [{ kind: 'enlistment' }, 'amber', 'No expiry date saved. Read the date and enter it.'],
  ])('shows %j in %s', async (fields, tone, text) => {
    await addDocument(fields, []);
    const { page } = await openVault();
    expect(page.querySelector(`li [data-tone="${tone}"]`)?.textContent).toBe(text);
  });

  test('opens the form of a document with its values, and deletes it with Undo', async () => {
    await addDocument({ kind: 'pan', title: 'PAN of the firm', number: 'ABCDE1234F' }, [pdf('PAN.pdf')]);
    await addDocument({ kind: 'gst_registration' }, []);
    const { press, texts, field, text } = await openVault();
    await press('Edit PAN of the firm');
    expect(texts('dialog h2')).toEqual(['Edit document']);
    expect(
      ['Kind of document', 'Number', 'Name', 'Issued by', 'For tenders of', 'Valid until'].map(
        (each) => field(each).value,
      ),
    ).toEqual(['pan', 'ABCDE1234F', 'PAN of the firm', '', '', '']);
    expect(texts('dialog fieldset li > span')).toEqual(['PAN.pdf 1 KB']);
    await press('Cancel');
    await press('Delete PAN of the firm');
    await expect.poll(() => useToast.getState().current?.text).toBe('Deleted: PAN of the firm');
    await expect.poll(text).not.toContain('PAN of the firm');
    expect((await documents()).map(({ kind }) => kind)).toEqual(['gst_registration']);
  });

  test('removes the files of documents that were deleted more than a day ago', async () => {
    const { hash, file, bytes, name, type } = await prepareFile(pdf('PAN.pdf'));
    await saveDocument(undefined, { kind: 'gst_registration' }, [await prepareFile(pdf('GST.pdf', 'two'))]);
    const id = '00000000-0000-4000-8000-000000000001';
    const days = (count: number) => Date.now() - count * 86_400_000;
    await withDatabase(async (db) => {
      await db.documentFiles.put({ owner: '', hash, bytes, file, at: 1 });
      await writeRecords(
        db,
        '',
        [{ kind: 'bidDocument', id, change: { files: [{ hash, name, type, bytes }] } }],
        days(3),
      );
      await deleteRecord(db, '', 'bidDocument', id, days(2));
    });
    expect(await fileCount()).toBe(2);
    await openVault();
    await expect.poll(fileCount).toBe(1);
  });
});

describe('the form of a document', () => {
  const openDialog = async (document?: VaultDocument) => {
    let closed = 0;
    const form = await show(<VaultDocumentDialog document={document} onClose={() => void closed++} />);
    return { ...form, save: () => form.press('Save'), closed: () => closed };
  };

  test('saves each field, and closes', async () => {
    const { fill, save, closed, choose } = await openDialog();
    await fill({ 'Kind of document': 'enlistment', 'Valid until': '2027-03-31', Number: ' 4711 ' });
    await fill({ Name: 'Class C', 'Issued by': 'HPPWD', 'For tenders of': 'Assam' });
    expect(await choose('input[multiple]', pdf('Enlistment.pdf'))).toEqual(['Enlistment.pdf 1 KB']);
    await save();
    await expect.poll(closed).toBe(1);
    expect(await documents()).toEqual([
      {
        ...{ id: expect.any(String), createdAt: expect.any(String), kind: 'enlistment', title: 'Class C' },
        ...{ number: '4711', issuer: 'HPPWD', forState: 'Assam', validUntil: '2027-03-31' },
        files: [expect.objectContaining({ name: 'Enlistment.pdf', type: 'application/pdf', bytes: 12 })],
      },
    ]);
  });

  test('explains the chosen kind, and asks for the date of one that expires', async () => {
    const { page, fill, texts } = await openDialog();
    const label = () => texts('label').find((text) => text.startsWith('Valid until'));
    expect([page.querySelector('form > p'), label()]).toEqual([null, 'Valid until if it has a date']);
    await fill({ 'Kind of document': 'enlistment' });
    expect(page.querySelector('form > p')?.textContent).toBe(
      'Registration with PWD / Jal Shakti / board in the class that covers this work.',
    );
    expect(label()).toBe('Valid until read it on the document');
    await fill({ 'Kind of document': 'pan' });
    expect(label()).toBe('Valid until if it has a date');
    const options = texts('select:first-of-type option');
    expect(options[0]).toBe('Choose the kind');
    expect(options).toContain('PAN card · PAN कार्ड');
    expect(options).toContain('Another document · अन्य दस्तावेज़');
    expect(options).toContain('All states');
  });

  test('says at each field what is wrong, until it is changed', async () => {
    const { fill, save, errorAt, closed } = await openDialog();
    await fill({ 'Valid until': '0202-03-31' });
    await save();
    expect(errorAt('Kind of document')).toBe('Choose the kind of document');
    expect(errorAt('Valid until')).toBe('Check the year');
    await fill({ 'Kind of document': 'other', 'Valid until': '2027-03-31' });
    expect([errorAt('Kind of document'), errorAt('Valid until'), closed()]).toEqual([undefined, undefined, 0]);
    await save();
    await expect.poll(closed).toBe(1);
  });

  test('names each refused file, and takes a file out again', async () => {
    const { choose, press, texts } = await openDialog();
    const html = new File(['<html>'], 'page.pdf');
    const listed = await choose('input[multiple]', pdf('PAN.pdf'), html, pdf('back.pdf', 'two'));
    expect(listed).toEqual(['PAN.pdf 1 KB', 'back.pdf 1 KB']);
    expect(texts('[role="alert"]')).toEqual(['“page.pdf” is not a PDF, JPEG, PNG or WebP file. It was not added.']);
    await press('Remove PAN.pdf');
    expect(texts('fieldset li > span')).toEqual(['back.pdf 1 KB']);
    expect(await choose('input[multiple]', pdf('third.pdf', 'three'))).toEqual(['back.pdf 1 KB', 'third.pdf 1 KB']);
    expect(texts('[role="alert"]')).toEqual([]);
  });

  test('has a file that is chosen again once, and two copies that are chosen together', async () => {
    const { choose } = await openDialog();
    expect(await choose('input[multiple]', pdf('PAN.pdf', 'one'))).toEqual(['PAN.pdf 1 KB']);
    const again = [pdf('PAN (1).pdf', 'one'), pdf('back.pdf', 'two'), pdf('back (1).pdf', 'two')];
    expect(await choose('input[multiple]', ...again)).toEqual(['PAN.pdf 1 KB', 'back.pdf 1 KB']);
  });

  test('counts only different files for the limit of a document', async () => {
    const { text, choose } = await openDialog();
    const files = Array.from({ length: MAX_DOCUMENT_FILES }, (_, n) => pdf(`${n + 1}.pdf`, `page ${n + 1}`));
    expect(await choose('input[multiple]', ...files, pdf('copy.pdf', 'page 1'))).toHaveLength(MAX_DOCUMENT_FILES);
    expect(text()).not.toContain(`At most ${MAX_DOCUMENT_FILES} files.`);
    expect(await choose('input[multiple]', pdf('last.pdf', 'another page'))).toHaveLength(MAX_DOCUMENT_FILES);
    expect(text()).toContain(`At most ${MAX_DOCUMENT_FILES} files.`);
  });

  test('takes photos with the camera and chooses files of the accepted types, also the same file again', async () => {
    const { page, press, choose } = await openDialog();
    const [camera, files] = [...page.querySelectorAll<HTMLInputElement>('input[type="file"]')];
    expect([camera?.accept, camera?.getAttribute('capture'), camera?.multiple]).toEqual([
      'image/*',
      'environment',
      false,
    ]);
    expect([files?.accept, files?.getAttribute('capture'), files?.multiple]).toEqual([
      ...['application/pdf,image/jpeg,image/png,image/webp', null, true],
    ]);
    const opened: unknown[] = [];
    vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (this: HTMLInputElement) {
      opened.push(this);
    });
    await press('Take a photo');
    await press('Choose files');
    expect(opened).toEqual([camera, files]);
    const values: string[] = [];
    Object.defineProperty(files, 'value', { set: (value: string) => values.push(value), configurable: true });
    await choose('input[multiple]', pdf('PAN.pdf'));
    expect(values).toEqual(['']);
  });

  test('stays open with its values when the phone cannot store it', async () => {
    const { fill, save, texts, field, closed } = await openDialog();
    await fill({ 'Kind of document': 'pan', Number: 'ABCDE1234F' });
    await withDatabase(async (db) => void vi.spyOn(db.records, 'put').mockRejectedValue(new Error('disk')));
    await save();
    await expect.poll(() => texts('[role="alert"]')).toEqual(['The document was not saved. Please try again.']);
    expect([field('Number').value, closed()]).toEqual(['ABCDE1234F', 0]);
  });

  test('of a present document changes only it', async () => {
    await addDocument({ kind: 'pan', number: 'OLD' }, []);
    await addDocument({ kind: 'pan', number: 'OTHER' }, []);
    const before = (await documents()).find(({ number }) => number === 'OLD');
    const { fill, save, closed } = await openDialog(before);
    await fill({ Number: 'NEW' });
    await save();
    await expect.poll(closed).toBe(1);
    const after = await documents();
    expect(after.map(({ number }) => number).sort()).toEqual(['NEW', 'OTHER']);
    expect(after.find(({ number }) => number === 'NEW')).toEqual({ ...before, number: 'NEW' });
  });
});

test.each<[unknown, string]>([
  [new TooManyRecordsError(), 'The vault has 500 documents already. Delete one first.'],
  [
    new FilesFullError(),
    'All files together may have 50 MB on this phone. Remove a file first. The document was not saved.',
  ],
  [new DatabaseUnavailableError(), 'This browser blocks storage, so documents cannot be saved here.'],
  [new Error('disk'), 'The document was not saved. Please try again.'],
])('a document that is not saved says why: %s', (error, text) => {
  expect(saveErrorText(error)).toBe(text);
});

test('a deletion that the phone cannot store says so, and offers no Undo', async () => {
  await addDocument({ kind: 'pan' }, []);
  const [saved] = await documents();
  await withDatabase(async (db) => void vi.spyOn(db.records, 'put').mockRejectedValue(new Error('disk')));
  if (saved) await deleteDocument(saved);
  const notice = useToast.getState().current;
  expect([notice?.text, notice?.action]).toEqual([
    'The change was not saved. Free some storage and try again.',
    undefined,
  ]);
  vi.restoreAllMocks();
  if (saved) await deleteDocument(saved);
  const { action } = useToast.getState().current ?? {};
  expect(action?.label).toBe('Undo');
  await withDatabase(async (db) => void vi.spyOn(db.records, 'put').mockRejectedValue(new Error('disk')));
  action?.run();
  await expect
    .poll(() => useToast.getState().current?.text)
    .toBe('The change was not saved. Free some storage and try again.');
});

test('a file that is refused is named, and no document is made of the others', async () => {
  expect(await addDocument({ kind: 'pan' }, [pdf('PAN.pdf'), new File(['<html>'], 'page.pdf')])).toBeNull();
  expect(useToast.getState().current?.text).toBe('“page.pdf” is not a PDF, JPEG, PNG or WebP file. It was not added.');
  expect([await documents(), await fileCount()]).toEqual([[], 0]);
});

describe('a document that expires', () => {
  const openNotices = async (isLinked = true) => {
    const shown = await show(<ExpiryNotices now={APRIL} isLinked={isLinked} />);
    return { ...shown, notes: () => shown.texts('section > div') };
  };

  test('is named with its day, the most urgent first, until the user hides it', async () => {
    await addDocument({ kind: 'enlistment', validUntil: '2026-05-15' }, []);
    await addDocument({ kind: 'epf', title: 'EPF code', validUntil: '2026-04-14' }, []);
    await addDocument({ kind: 'pan' }, []);
    const { page, notes, press, texts } = await openNotices();
    await expect
      .poll(notes)
      .toEqual([
        'EPF code: Expired on 14 Apr 2026. Renew it before the next bid. Hide the warning of EPF code',
        'Contractor enlistment / registration: Expires in 30 days, on 15 May 2026. Renew it before the next bid. Hide the warning of Contractor enlistment / registration',
      ]);
    expect([...page.querySelectorAll('section > div')].map((note) => note.getAttribute('data-tone'))).toEqual([
      'red',
      'amber',
    ]);
    expect(page.querySelector('section')?.getAttribute('aria-label')).toBe('Documents that expire');
    await press('Hide the warning of EPF code');
    await expect.poll(notes).toHaveLength(1);
    expect(texts('b')).toEqual(['Contractor enlistment / registration']);
    // It is still hidden at the next visit.
    const again = await openNotices();
    await expect.poll(again.notes).toEqual([expect.stringMatching(/^Contractor enlistment/)]);
    await again.press('Hide the warning of Contractor enlistment / registration');
    await expect.poll(() => [again, { page }].map((each) => each.page.querySelector('section'))).toEqual([null, null]);
  });

  const links = (page: Element) => [...page.querySelectorAll('a')].map((link) => link.getAttribute('href'));

  test('links a signed-out user to no vault', async () => {
    await addDocument({ kind: 'enlistment', validUntil: '2026-04-14' }, []);
    const signedOut = await openNotices();
    await expect.poll(signedOut.notes).toHaveLength(1);
    expect(links(signedOut.page)).toEqual([]);
    expect((await show(<VaultLink count={3} />)).text()).toBe('');
  });

  test('links a signed-in user to the vault, outside of the vault', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    signInForTest('7');
    await addDocument({ kind: 'enlistment', validUntil: '2026-04-14' }, []);
    const signedIn = await openNotices();
    await expect.poll(signedIn.notes).toHaveLength(1);
    expect(links(signedIn.page)).toEqual(['/dashboard/documents']);
    const inVault = await openNotices(false);
    await expect.poll(inVault.notes).toHaveLength(1);
    expect(links(inVault.page)).toEqual([]);
    const link = await show(<VaultLink count={3} />);
    expect([link.text(), links(link.page)]).toEqual(['Document vault: 3', ['/dashboard/documents']]);
  });
});

describe('the document of a checklist row', () => {
  const TENDER: ChecklistTender = {
    ...ownEntryTender({ id: '1', title: 'Road' }),
    state: 'Assam',
    source_tender_id: '2026_PWD_1_1',
  };
  const openRow = async (row: Partial<ChecklistRow>, vault: VaultDocument[] = [], tender = TENDER) => {
    const chosen: string[] = [];
    const shown = await show(
      <RowDocument
        row={{
          ...{ key: 'enlistment', kind: findKind('enlistment'), name: 'Enlistment', lines: [], badges: [] },
          ...{ check: undefined, document: undefined, status: 'unmarked', text: '', isOwn: false },
          ...row,
        }}
        {...{ tender, documents: vault, now: APRIL, onChoose: (id: string) => chosen.push(id) }}
      />,
    );
    return { ...shown, chosen };
  };
  const ADD = ['Add photo of Enlistment', 'Add file of Enlistment'];

  test('is one of the vault that could serve it, at most three, each with its validity', async () => {
    const vault = ['2026-04-14', '2027-01-01', '2028-01-01', '2029-01-01'].map((validUntil, n) => ({
      ...{ id: `e${n}`, kind: 'enlistment', title: `Class ${n}`, validUntil },
    }));
    const pan = { id: 'p', kind: 'pan' };
    const { texts, press, chosen } = await openRow({}, [...vault, pan]);
    expect(texts('button')).toEqual([
      'Use Class 3, Valid till 1 Jan 2029',
      'Use Class 2, Valid till 1 Jan 2028',
      'Use Class 1, Valid till 1 Jan 2027',
      ...ADD,
    ]);
    await press('Use Class 2, Valid till 1 Jan 2028');
    expect(chosen).toEqual(['e2']);
  });

  test('that serves it is named with its files, is edited there, and is not offered again', async () => {
    const file = { hash: 'a', name: 'a.pdf', type: 'application/pdf', bytes: 1 };
    const document = { id: 'e', kind: 'enlistment', title: 'Class C', files: [file] };
    const one = await openRow({ document }, [document]);
    expect(one.texts('button')).toEqual(['Class C · 1 file']);
    await one.press('Class C · 1 file');
    expect(one.texts('dialog h2')).toEqual(['Edit document']);
    expect(
      (await openRow({ document: { ...document, files: [file, { ...file, hash: 'b' }] } })).texts('button'),
    ).toEqual(['Class C · 2 files']);
    expect((await openRow({ document: { ...document, files: [] } })).texts('button')).toEqual(['Class C', ...ADD]);
  });

  test('is made of a photo, and chosen for the row', async () => {
    const { choose, chosen } = await openRow({});
    await choose('input[capture]', pdf('scan.pdf'));
    await expect.poll(() => chosen).toHaveLength(1);
    const [saved] = await documents();
    expect(saved).toMatchObject({ id: chosen[0], kind: 'enlistment', files: [{ name: 'scan.pdf' }] });
    expect(saved?.title).toBeUndefined();
  });

  test('that is made again for each bid has the name of the bid; a line without a kind has its own words', async () => {
    const perBid = { kind: findKind('emd'), name: 'EMD / bid security proof' };
    expect(findKind('emd')?.life).toBe('per_bid');
    const first = await openRow(perBid);
    await first.choose('input[multiple]', pdf('emd.pdf'));
    const own = { ...TENDER, source_tender_id: null };
    const second = await openRow(perBid, [], own);
    await second.choose('input[multiple]', pdf('emd.pdf', 'two'));
    const line = await openRow({ kind: undefined, name: 'Estimate'.repeat(30) });
    await line.choose('input[multiple]', pdf('estimate.pdf', 'three'));
    await expect
      .poll(async () => (await documents()).map(({ kind, title }) => `${kind}: ${title}`).sort())
      .toEqual([
        'emd: EMD / bid security proof, 2026_PWD_1_1',
        'emd: EMD / bid security proof, Road',
        `other: ${'Estimate'.repeat(25)}`,
      ]);
  });

  test('without a file gets it, and stays the one that serves the row', async () => {
    await addDocument({ kind: 'enlistment', title: 'Class C' }, []);
    const [document] = await documents();
    const { choose, chosen } = await openRow({ document });
    await choose('input[multiple]', pdf('scan.pdf'));
    await expect.poll(async () => (await documents())[0]?.files?.map(({ name }) => name)).toEqual(['scan.pdf']);
    expect([await documents(), chosen]).toEqual([
      [expect.objectContaining({ id: document?.id, title: 'Class C' })],
      [],
    ]);
  });

  test('is not chosen when its file is refused', async () => {
    const { choose, chosen, button } = await openRow({});
    await choose('input[multiple]', new File(['<html>'], 'page.pdf'));
    await expect.poll(() => useToast.getState().current?.text).toContain('“page.pdf” is not a PDF');
    expect([chosen, button('Add file of Enlistment').getAttribute('aria-busy')]).toEqual([[], null]);
  });
});

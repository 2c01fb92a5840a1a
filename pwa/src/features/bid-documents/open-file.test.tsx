// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { Blob as NodeBlob } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isBackupOn } from '../../data/bid-documents/file-backup-setting.ts';
import { readFile, storedHashes, storeFiles } from '../../data/bid-documents/files.ts';
import type { DocumentFile, VaultDocument } from '../../data/bid-documents/vault-document.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { hashContent } from '../../data/hash.ts';
import { writeRecords } from '../../data/records/record-rows.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { canShareFile, shareFile } from '../../ui/save-file.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { addDocument } from './document-actions.ts';
import { FileBackupSwitch } from './FileBackupSwitch.tsx';
import { FileDialog } from './FileDialog.tsx';
import { loadFile } from './open-file.ts';
import { syncDocumentFiles } from './sync-files.ts';

const ASHA = '7';

/** The calls that the server receives, without those of records; `answer` is its response. */
let calls: string[];
let answer: (request: Request) => Response | Promise<Response>;

beforeEach(() => {
  calls = [];
  answer = () => new Response('abc');
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/bids/changes') return new Response(null, { status: 403 });
    calls.push(`${request.method} ${pathname}`);
    return answer(request);
  });
  signInForTest(ASHA);
});

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const backUp = (owner: string, isOn: boolean) =>
  withDatabase((db) => db.settings.put({ key: `file backup of ${owner}`, value: isOn }));
const store = (owner: string, hash: string, text: string) => {
  // A blob that can be cloned, as a browser's can when it is stored.
  const file = new NodeBlob([text]) as Blob;
  return withDatabase((db) => storeFiles(db, [{ owner, hash, bytes: file.size, file, at: 1 }]));
};
const listed = (hash: string) => ({ hash, name: 'PAN.pdf', type: 'application/pdf', bytes: 3 });
const hashes = (owner: string) => withDatabase(async (db) => [...(await storedHashes(db, owner))]);

test('a file of this phone opens without a request, and not for another user', async () => {
  await store(ASHA, 'a', 'abc');
  const file = await loadFile(listed('a'));
  expect([file?.name, file?.type]).toEqual(['PAN.pdf', 'application/pdf']);
  signInForTest('8');
  expect(await loadFile(listed('a'))).toBeUndefined();
  expect(calls).toEqual([]);
});

test('a file of the backup opens and stays on the phone', async () => {
  const hash = await hashContent(new TextEncoder().encode('abc').buffer);
  await backUp(ASHA, true);
  const file = await loadFile(listed(hash));
  expect([file?.name, file?.size]).toEqual(['PAN.pdf', 3]);
  expect(calls).toEqual([`GET /api/bids/file-backup/files/${hash}`]);
  expect(await hashes(ASHA)).toEqual([hash]);
});

test('a file with other content than the listed one is neither opened nor stored', async () => {
  await backUp(ASHA, true);
  expect(await loadFile(listed('f'.repeat(64)))).toBeUndefined();
  expect(await hashes(ASHA)).toEqual([]);
});

test('the backup is not asked while it is off, and without a connection the file opens later', async () => {
  await backUp(ASHA, false);
  expect(await loadFile(listed('a'))).toBeUndefined();
  expect(calls).toEqual([]);
  await backUp(ASHA, true);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  answer = () => {
    throw new TypeError('Failed to fetch');
  };
  await expect(loadFile(listed('a'))).rejects.toMatchObject({ name: 'BackupUnreachableError' });
});

test('a sync gives the files of the signed-out phone to the user, and asks for the backup only while it is on', async () => {
  await store('', 'a', 'abc');
  await syncDocumentFiles();
  expect([await hashes(ASHA), await hashes(''), calls]).toEqual([['a'], [], []]);
  expect(await withDatabase((db) => readFile(db, ASHA, 'a'))).toBeDefined();
  await backUp(ASHA, true);
  answer = () => Response.json({ isOn: true, hashes: [], begun: [] });
  await syncDocumentFiles();
  expect(calls).toEqual(['GET /api/bids/file-backup']);
});

test('a file that is added while the backup is on is sent at once, and a document without a new file sends nothing', async () => {
  vi.stubGlobal('Blob', NodeBlob);
  await backUp(ASHA, true);
  answer = ({ method }) =>
    method === 'GET' ? Response.json({ isOn: true, hashes: [], begun: [] }) : new Response(null, { status: 204 });
  const id = await addDocument({ kind: 'pan' }, [new File(['%PDF-1.7'], 'PAN.pdf')]);
  const [hash] = await hashes(ASHA);
  await expect.poll(() => calls).toContain(`PUT /api/bids/file-backup/files/${hash}/0/1`);
  const backups = () => calls.filter((call) => call.includes('file-backup')).length;
  const before = backups();
  expect(await addDocument({ kind: 'gst_registration' }, [])).not.toBe(id);
  expect(backups()).toBe(before);
});

test('signed out, the files stay on the phone and no backup is requested', async () => {
  clearSession();
  await store('', 'a', 'abc');
  await backUp('', true);
  await syncDocumentFiles();
  expect(await loadFile(listed('b'))).toBeUndefined();
  expect([await hashes(''), calls]).toEqual([['a'], []]);
});

test('a file of the backup is not opened for the user who signs in while it is on its way', async () => {
  const hash = await hashContent(new TextEncoder().encode('abc').buffer);
  await backUp(ASHA, true);
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, 'digest').mockImplementation((...values) => {
    signInForTest('8');
    return digest(...values);
  });
  expect(await loadFile(listed(hash))).toBeUndefined();
  expect([await hashes(ASHA), await hashes('8')]).toEqual([[], []]);
});

test('a file is shared under its name, where the browser can share files', async () => {
  const file = new File(['abc'], 'PAN.pdf', { type: 'application/pdf' });
  expect(canShareFile(file)).toBe(false);
  const shared: unknown[] = [];
  const canShare = ({ files }: ShareData) => files?.[0]?.type === 'application/pdf';
  const share = async (data: ShareData) => {
    shared.push(data);
    throw new DOMException('', 'AbortError');
  };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { canShare, share }));
  expect([canShareFile(file), canShareFile(new File(['a'], 'a.webp', { type: 'image/webp' }))]).toEqual([true, false]);
  await shareFile(file);
  expect(shared).toEqual([{ files: [file], title: 'PAN.pdf' }]);
});

describe('the dialog of a file', () => {
  const openFile = async (file: DocumentFile) => {
    const events: string[] = [];
    const dialog = await openTestPage(<FileDialog listed={file} onClose={() => events.push('close')} />);
    const opened = () => expect.poll(() => dialog.texts('[role="status"]')).toEqual([]);
    return { ...dialog, events, opened };
  };

  test('of a PDF says its size, and saves a copy under its name', async () => {
    const saved: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${(blob as Blob).type}`);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(`${this.download} ${this.getAttribute('href')}`);
    });
    await store(ASHA, 'a', 'abc');
    const { texts, text, hasButton, press, opened } = await openFile(listed('a'));
    await opened();
    expect(texts('h2')).toEqual(['PAN.pdf']);
    expect(text()).toContain('PDF, 1 KB. Save a copy to open it.');
    expect(hasButton('Share')).toBe(false);
    await press('Save a copy');
    expect(saved).toEqual(['PAN.pdf blob:application/pdf']);
  });

  test('says that a file is on another device, or in the account, which is out of reach', async () => {
    const absent = await openFile(listed('a'));
    await absent.opened();
    expect(absent.text()).toContain('This file is not on this phone. It is on the device that added it.');
    expect(absent.hasButton('Save a copy')).toBe(false);
    await absent.close();
    await backUp(ASHA, true);
    answer = () => {
      throw new TypeError('Failed to fetch');
    };
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const later = await openFile(listed('a'));
    await later.opened();
    expect(later.text()).toContain('This file is in your account. It opens here when there is a connection.');
  });

  test('draws a picture in its own size, and says when it cannot be drawn', async () => {
    const picture = { ...listed('a'), name: 'PAN.jpg', type: 'image/jpeg' };
    await store(ASHA, 'a', 'abc');
    const drawn: unknown[] = [];
    let closed = 0;
    const bitmap = { width: 40, height: 30, close: () => void closed++ };
    vi.stubGlobal('createImageBitmap', async () => bitmap);
    const context = { drawImage: (...values: unknown[]) => drawn.push(values) } as unknown as RenderingContext;
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context);
    const { page, text, close } = await openFile(picture);
    await expect.poll(() => drawn).toEqual([[bitmap, 0, 0]]);
    const canvas = page.querySelector('canvas');
    expect([canvas?.width, canvas?.height, canvas?.getAttribute('aria-label'), closed]).toEqual([40, 30, 'PAN.jpg', 1]);
    expect(text()).not.toContain('PDF, ');
    await close();
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('', 'InvalidStateError')));
    const broken = await openFile(picture);
    await expect.poll(broken.text).toContain('This picture cannot be shown. Save a copy and open it with another app.');
    expect(broken.hasButton('Save a copy')).toBe(true);
  });

  test('is closed', async () => {
    const { press, events, opened } = await openFile(listed('a'));
    await opened();
    await press('Close');
    expect(events).toEqual(['close']);
  });
});

describe('the switch of the backup', () => {
  const vault = (...files: DocumentFile[]): VaultDocument[] => [{ id: '1', kind: 'pan', files }, { id: '2' }];
  const file = (hash: string, bytes: number) => ({ ...listed(hash), bytes });
  const openSwitch = async (documents: VaultDocument[]) => {
    const panel = await openTestPage(<FileBackupSwitch documents={documents} />);
    return {
      ...panel,
      box: () => panel.field('Back up to my account'),
      toggle: () => panel.toggle('Back up to my account'),
      status: () => panel.texts('[role="status"]')[0],
    };
  };
  const backup = (hashes: string[], isOn = true) => Response.json({ isOn, hashes, begun: [] });

  test('is only for a signed-in user', async () => {
    clearSession();
    const { text, page } = await openSwitch(vault());
    expect(text()).toBe(
      'Photos and PDFs are only on this phone. Names, numbers and dates reach your other devices when you are signed in.',
    );
    expect([page.querySelector('input'), calls]).toEqual([null, []]);
  });

  test.each<[string, () => Response, DocumentFile[], boolean, string]>([
    [
      'is off',
      () => backup([], false),
      [file('a', 3)],
      false,
      'Photos and PDFs are only on the phone that added them.',
    ],
    ['has the only file', () => backup(['a']), [file('a', 3)], true, '1 of 1 file is in your account.'],
    [
      'has all files',
      () => backup(['a', 'b', 'old']),
      [file('a', 3), file('b', 3)],
      true,
      '2 of 2 files are in your account.',
    ],
    [
      'waits for another phone',
      () => backup(['a']),
      [file('a', 3), file('b', 3), file('b', 3)],
      true,
      '1 of 2 files are in your account. The others are sent when the phone that has them is online.',
    ],
    [
      'waits for another phone with exactly 50 MB',
      () => backup(['a']),
      [file('a', 1_000_000), file('b', 49_000_000)],
      true,
      '1 of 2 files are in your account. The others are sent when the phone that has them is online.',
    ],
    [
      'has no room',
      () => backup(['a']),
      [file('a', 1_000_001), file('b', 49_000_000)],
      true,
      '1 of 2 files are in your account. Your files have 50.0 MB; an account has room for 50.0 MB. Delete files that you no longer need.',
    ],
  ])('says when the backup %s', async (_state, response, files, isOn, expected) => {
    answer = response;
    const { box, status } = await openSwitch(vault(...files));
    await expect.poll(status).toBe(expected);
    expect([box().checked, box().disabled]).toEqual([isOn, false]);
    expect(await withDatabase((db) => isBackupOn(db, ASHA))).toBe(isOn);
  });

  test('waits for the server, and says so without a connection', async () => {
    answer = () => {
      throw new TypeError('Failed to fetch');
    };
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { box, status } = await openSwitch(vault(file('a', 3)));
    expect(status()).toBe('You can see the backup when you are online.');
    expect([box().checked, box().disabled]).toEqual([false, true]);
  });

  test('is turned on, which sends the files of this phone, and off again', async () => {
    const hash = await hashContent(new TextEncoder().encode('abc').buffer);
    await store(ASHA, hash, 'abc');
    const id = '00000000-0000-4000-8000-000000000001';
    await withDatabase((db) =>
      writeRecords(db, ASHA, [{ kind: 'bidDocument', id, change: { files: [listed(hash)] } }], 1),
    );
    answer = () => backup([], false);
    const { box, toggle, status } = await openSwitch(vault(listed(hash)));
    await expect.poll(() => box().disabled).toBe(false);
    const bodies: unknown[] = [];
    let switched = Promise.withResolvers<void>();
    answer = async (request) => {
      if (request.method === 'PUT' && request.url.endsWith('/file-backup')) {
        bodies.push(JSON.parse(await request.text()));
        await switched.promise;
        return backup([], bodies.length === 1);
      }
      return request.method === 'GET' ? backup([]) : new Response(null, { status: 204 });
    };
    await toggle();
    expect([box().checked, box().disabled, status()]).toEqual([true, true, 'Working…']);
    await expect.poll(() => bodies).toEqual([{ isOn: true }]);
    switched.resolve();
    await expect.poll(status).toBe('1 of 1 file is in your account.');
    expect(calls).toContain(`PUT /api/bids/file-backup/files/${hash}/0/1`);
    const sent = calls.length;
    switched = Promise.withResolvers();
    await toggle();
    expect(box().checked).toBe(false);
    await expect.poll(() => bodies).toEqual([{ isOn: true }, { isOn: false }]);
    switched.resolve();
    await expect.poll(status).toBe('Photos and PDFs are only on the phone that added them.');
    expect([box().checked, calls.length]).toEqual([false, sent + 1]);
    expect(await withDatabase((db) => isBackupOn(db, ASHA))).toBe(false);
  });

  test('stays as it was when the server refuses, with the reason', async () => {
    answer = () => backup([], false);
    const { texts, box, toggle } = await openSwitch(vault(file('a', 3)));
    await expect.poll(() => box().disabled).toBe(false);
    answer = () => Response.json({ message: 'Too many requests' }, { status: 429 });
    await toggle();
    await expect.poll(() => texts('[role="alert"]')).toEqual(['Too many requests']);
    expect(box().checked).toBe(false);
  });
});

import 'fake-indexeddb/auto';
import type { PurchasedPackage } from '@nivida/contract/orders/documents';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteAccountData } from '../../data/device/account-lists.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import {
  offlinePackageVersions,
  packageFileName,
  removeOfflinePackage,
  savePackageOffline,
  WrongPackageFileError,
} from './offline-packages.ts';

const ZIP = new TextEncoder().encode('a zip file');
const SHA256 = '2cf4b3d8';

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const OWNED: PurchasedPackage = {
  nit: 'SD-III/15903-919 dt. 4-12-25',
  tenderId: '7',
  title: 'A road',
  files: ['NIT.pdf'],
  bytes: ZIP.length,
  sha256: SHA256,
  version: 2,
  hasNewer: false,
  acquiredAt: '2026-11-01T00:00:00.000Z',
  by: 'purchase',
  orderId: null,
};

/** A server that makes a link and serves its file. */
function server() {
  const calls: string[] = [];
  vi.stubGlobal(
    'fetch',
    vi.fn(async ({ method, url }: Request) => {
      const { pathname } = new URL(url, 'https://nivida.example');
      calls.push(`${method} ${pathname}`);
      if (pathname.startsWith('/d/')) return new Response(ZIP);
      const link = { url: 'https://nivida.example/d/token', expiresAt: '2026-11-08T00:00:00.000Z' };
      return new Response(JSON.stringify(link), { status: 201, headers: { 'content-type': 'application/json' } });
    }),
  );
  return calls;
}

const ignore = () => undefined;

beforeEach(() => withDatabase((db) => deleteAccountData(db, 'asha')));
afterEach(async () => {
  vi.unstubAllGlobals();
  await closeDatabase();
});

describe('a package on the phone', () => {
  test('is fetched through its link and stored with its version', async () => {
    const calls = server();
    const shares: number[] = [];
    await savePackageOffline('asha', { ...OWNED, sha256: await digestOf(ZIP) }, (share) => shares.push(share));
    expect(shares.at(-1)).toBe(1);
    expect(calls).toEqual(['POST /api/tenders/7/documents', 'POST /d/token']);
    expect(await offlinePackageVersions('asha')).toEqual(new Map([['SD-III/15903-919 dt. 4-12-25', 2]]));
    const row = await withDatabase((db) => db.packageFiles.get(['asha', OWNED.nit]));
    expect(row).toMatchObject({ owner: 'asha', nit: OWNED.nit, version: 2 });
    expect(new Uint8Array(row?.file ?? new ArrayBuffer(0))).toEqual(ZIP);
  });

  test('is not stored when it is not the file that the library names', async () => {
    server();
    await expect(savePackageOffline('asha', OWNED, ignore)).rejects.toBeInstanceOf(WrongPackageFileError);
    expect(await offlinePackageVersions('asha')).toEqual(new Map());
  });

  test('belongs to its owner, and is deleted when it is removed or the owner signs out', async () => {
    server();
    const owned = { ...OWNED, sha256: await digestOf(ZIP) };
    await savePackageOffline('asha', owned, ignore);
    expect(await offlinePackageVersions('ravi')).toEqual(new Map());
    await removeOfflinePackage('asha', OWNED.nit);
    expect(await offlinePackageVersions('asha')).toEqual(new Map());
    await savePackageOffline('asha', owned, ignore);
    await withDatabase((db) => deleteAccountData(db, 'asha'));
    expect(await offlinePackageVersions('asha')).toEqual(new Map());
  });
});

test.each([
  ['C/O bridge over Sainj Khad, km 0/480', 'nivida-C-O-bridge-over-Sainj-Khad-km-0-480.zip'],
  ['सड़क की मरम्मत', 'nivida-सड़क-की-मरम्मत.zip'],
  ['../..', 'nivida-documents.zip'],
  [`Road ${'a'.repeat(90)}`, `nivida-Road-${'a'.repeat(55)}.zip`],
  [`${'a'.repeat(59)} bridge`, `nivida-${'a'.repeat(59)}.zip`],
])('the documents of %s are saved as %s', (title, name) => {
  expect(packageFileName(title)).toBe(name);
});

/** Files of the vault on this device. Each content is stored once for an owner, under its hash. */
import { MAX_ALL_DOCUMENT_FILE_BYTES } from '@nivida/contract/limits';
import { DAY_MS } from '@nivida/contract/time';
import type { DeviceDatabase, DocumentFileRow, RecordRow } from '../device/schema.ts';
import { writeWithEviction } from '../device/storage-quota.ts';

/** Thrown when all files of an owner would have more bytes than allowed. */
export class FilesFullError extends Error {
  override name = 'FilesFullError';
}

type FileKey = [owner: string, hash: string, bytes: number];

/** Hash and bytes of an owner's files. Reads the index only, since the files are large. */
async function fileKeys(db: DeviceDatabase, owner: string): Promise<FileKey[]> {
  const keys = await db.documentFiles
    .where('[owner+hash+bytes]')
    .between([owner, '', 0], [owner, '\uffff', Number.POSITIVE_INFINITY])
    .keys();
  return keys as unknown as FileKey[];
}

/** The hashes of an owner's files on this device. */
export const storedHashes = async (db: DeviceDatabase, owner: string): Promise<Set<string>> =>
  new Set((await fileKeys(db, owner)).map(([, hash]) => hash));

/**
 * Stores all files or none. On a full device, offline packs and opened tenders are removed first. Throws
 * FilesFullError and the error of a full device.
 */
export async function storeFiles(db: DeviceDatabase, rows: readonly DocumentFileRow[]): Promise<void> {
  await writeWithEviction(db, null, () =>
    db.transaction('rw', db.documentFiles, async () => {
      for (const owner of new Set(rows.map((row) => row.owner))) {
        const bytesByHash = new Map((await fileKeys(db, owner)).map(([, hash, bytes]) => [hash, bytes]));
        for (const row of rows) if (row.owner === owner) bytesByHash.set(row.hash, row.bytes);
        const total = [...bytesByHash.values()].reduce((sum, bytes) => sum + bytes, 0);
        if (total > MAX_ALL_DOCUMENT_FILE_BYTES) throw new FilesFullError('too many bytes in all files');
      }
      await db.documentFiles.bulkPut([...rows]);
    }),
  );
}

/** The content of a file; undefined where it is not on this device. */
export async function readFile(db: DeviceDatabase, owner: string, hash: string): Promise<Blob | undefined> {
  return (await db.documentFiles.get([owner, hash]))?.file;
}

const documentRows = async (db: DeviceDatabase, owner: string): Promise<RecordRow<'bidDocument'>[]> =>
  (await db.records.where({ owner, kind: 'bidDocument' }).toArray()) as unknown as RecordRow<'bidDocument'>[];

const hashesOf = (rows: readonly RecordRow<'bidDocument'>[]): string[] =>
  rows.flatMap(({ fields }) => (fields.files ?? []).map(({ hash }) => hash));

/**
 * The hashes of the files of an owner's documents. Deleted documents count while their records are stored.
 */
export const listedHashes = async (db: DeviceDatabase, owner: string): Promise<Set<string>> =>
  new Set(hashesOf(await documentRows(db, owner)));

/** Removes files that an edit has removed from a document and that no other document has. */
export function removeUnusedFiles(db: DeviceDatabase, owner: string, hashes: readonly string[]): Promise<void> {
  return db.transaction('rw', db.documentFiles, db.records, async () => {
    const used = new Set(hashesOf(await documentRows(db, owner)));
    await db.documentFiles.bulkDelete(hashes.filter((hash) => !used.has(hash)).map((hash) => [owner, hash]));
  });
}

/**
 * Removes the files of documents that were deleted at least a day ago; until then the deletion can be undone.
 * A file without a record stays, because its record may come with the next sync.
 */
export function removeDeletedFiles(
  db: DeviceDatabase,
  owner: string,
  isDeleted: (row: RecordRow) => boolean,
  now: number,
): Promise<void> {
  return db.transaction('rw', db.documentFiles, db.records, async () => {
    const rows = await documentRows(db, owner);
    const gone = rows.filter((row) => isDeleted(row) && row.at < now - DAY_MS);
    const used = new Set(hashesOf(rows.filter((row) => !gone.includes(row))));
    const unused = hashesOf(gone).filter((hash) => !used.has(hash));
    await db.documentFiles.bulkDelete(unused.map((hash) => [owner, hash]));
  });
}

/** Gives the files that were added signed out to the user who signs in. One transaction. */
export function mergeFilesAtSignIn(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.documentFiles, async () => {
    const unowned = await db.documentFiles.where('owner').equals('').toArray();
    await db.documentFiles.bulkPut(unowned.map((row) => ({ ...row, owner })));
    await db.documentFiles.where('owner').equals('').delete();
  });
}

/**
 * Removes a user's files when the account is deleted. At a sign-out they stay: without a backup only this
 * device has them.
 */
export async function deleteFilesOf(db: DeviceDatabase, owner: string): Promise<void> {
  await db.documentFiles.where('owner').equals(owner).delete();
}

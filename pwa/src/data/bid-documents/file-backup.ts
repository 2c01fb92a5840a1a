/** The backup of the vault's files in the account. It is a second copy: the device works without it. */
import { FileBackup } from '@nivida/contract/bids/file-backup';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import { isHTTPError } from 'ky';
import type { DeviceDatabase } from '../device/schema.ts';
import { firmOf, userOf } from '../firms/space.ts';
import { hashContent } from '../hash.ts';
import { apiOf } from '../server/api.ts';
import { noteBackup } from './file-backup-setting.ts';
import { listedHashes, readFile, storedHashes } from './files.ts';

const ADDRESS = 'api/bids/file-backup';

/** The calls about an owner's backup. */
const callsOf = (owner: string) => {
  const firm = firmOf(owner);
  return apiOf(userOf(owner)).extend(firm === undefined ? {} : { searchParams: { firm } });
};

/** Asks the server for the signed-in owner's backup. Throws when it does not answer. */
export async function readFileBackup(db: DeviceDatabase, owner: string): Promise<FileBackup> {
  return noteBackup(db, owner, await callsOf(owner).get(ADDRESS).json(FileBackup));
}

/**
 * Switches the backup on or off. When it is switched off, the server deletes its files. Throws when the
 * server does not answer.
 */
export async function switchFileBackup(db: DeviceDatabase, owner: string, isOn: boolean): Promise<FileBackup> {
  return noteBackup(db, owner, await callsOf(owner).put(ADDRESS, { json: { isOn } }).json(FileBackup));
}

/** True when the server refuses a file because the account has reached its limit of stored bytes. */
const isFull = (error: unknown): boolean => isHTTPError(error) && error.response.status === 413;

/**
 * While the backup is on, sends the files of documents that the device has and the backup has not.
 *
 * A file is sent in parts, and parts that have arrived are not sent again. Small files are first. Files over
 * the account's limit are skipped. Throws other refusals, and throws when the server does not answer.
 */
export async function backUpFiles(db: DeviceDatabase, owner: string): Promise<FileBackup> {
  const backup = await readFileBackup(db, owner);
  if (!backup.isOn) return backup;
  const [listed, stored] = await Promise.all([listedHashes(db, owner), storedHashes(db, owner)]);
  const backedUp = new Set(backup.hashes);
  const files: { hash: string; file: Blob }[] = [];
  for (const hash of listed) {
    const file = stored.has(hash) && !backedUp.has(hash) ? await readFile(db, owner, hash) : undefined;
    if (file) files.push({ hash, file });
  }
  files.sort((one, other) => one.file.size - other.file.size);
  for (const { hash, file } of files) {
    const arrived = backup.begun.find((each) => each.hash === hash)?.parts ?? [];
    try {
      await sendParts(owner, hash, await file.arrayBuffer(), new Set(arrived));
    } catch (error) {
      if (isFull(error)) break;
      throw error;
    }
    backedUp.add(hash);
  }
  return { isOn: true, hashes: [...backedUp], begun: [] };
}

async function sendParts(
  owner: string,
  hash: string,
  content: ArrayBuffer,
  arrived: ReadonlySet<number>,
): Promise<void> {
  const parts = Math.ceil(content.byteLength / FILE_PART_BYTES);
  const headers = { 'content-type': 'application/octet-stream' };
  for (let part = 0; part < parts; part++) {
    if (arrived.has(part)) continue;
    const body = content.slice(part * FILE_PART_BYTES, (part + 1) * FILE_PART_BYTES);
    await callsOf(owner).put(`${ADDRESS}/files/${hash}/${part}/${parts}`, { body, headers });
  }
}

/**
 * The content of a file in the owner's backup. Throws when the server does not have the file, sends another
 * one or does not answer.
 */
export async function fetchBackedUpFile(owner: string, hash: string): Promise<ArrayBuffer> {
  const content = await callsOf(owner).get(`${ADDRESS}/files/${hash}`, { timeout: false }).arrayBuffer();
  if ((await hashContent(content)) !== hash) throw new Error('the backup sent another file');
  return content;
}

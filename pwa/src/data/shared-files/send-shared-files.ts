/** Sends files to be read, and what the user decides about them. Everything is repeated until the server has answered. */
import { t } from '@lingui/core/macro';
import { ReadingUpload } from '@nivida/contract/documents/own-readings';
import { OwnReading } from '@nivida/contract/documents/tender-reading';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import { parse } from 'valibot';
import { create } from 'zustand';
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import type { DeviceDatabase, SharedFileRow } from '../device/schema.ts';
import { hashContent } from '../hash.ts';
import { createOutboxLoop } from '../outbox/outbox.ts';
import { refreshReading } from '../readings/readings.ts';
import { apiOf, refusalOf, serverMessageOr } from '../server/api.ts';
import { classifySendError } from '../server/retry.ts';
import { currentOwner } from '../session.ts';
import { changeSharedFile, deleteOldSharedFiles, nextFileStep, storeOwnReading } from './shared-file-rows.ts';

/** How far a file is: the share of its bytes that the server has, and why it waits. */
export interface UploadProgress {
  sent: number;
  /** The server's reason, such as a limit an hour. */
  delay: string | null;
}

/** Files that are being sent by this page, by id. */
export const useReadingUploads = create<Record<string, UploadProgress>>(() => ({}));

const noteProgress = (id: string, progress: UploadProgress) => useReadingUploads.setState({ [id]: progress });

/** The user has removed the file while it was sent. */
class RemovedError extends Error {}

/** Sends the parts that the server does not have. Returns what was read. */
async function upload({ id, owner, name }: SharedFileRow, file: Blob, isWanted: () => Promise<boolean>) {
  const sha256 = await hashContent(await file.arrayBuffer());
  const parts = Math.max(1, Math.ceil(file.size / FILE_PART_BYTES));
  for (let part = 0; ; ) {
    if (!(await isWanted())) throw new RemovedError();
    noteProgress(id, { sent: part / parts, delay: null });
    const body = file.slice(part * FILE_PART_BYTES, (part + 1) * FILE_PART_BYTES);
    const answer = await apiOf(owner)
      .put(`api/readings/files/${sha256}/${part}/${parts}`, {
        body,
        headers: { 'content-type': 'application/octet-stream' },
        searchParams: { name },
      })
      .json();
    const { stored, reading } = parse(ReadingUpload, answer);
    if (reading) return reading;
    // When only the reading is missing, the last part asks for it again.
    part = Math.min(stored, parts - 1);
  }
}

async function read(db: DeviceDatabase, row: SharedFileRow, file: Blob): Promise<void> {
  const isWanted = async () => {
    const present = await db.sharedFiles.get(row.id);
    return currentOwner() === row.owner && present?.removedAt === null && present.tenderId !== null;
  };
  const reading = await upload(row, file, isWanted);
  if (!(await storeOwnReading(db, row.id, reading))) await removeOnServer(row.owner, reading.id);
}

async function keep(db: DeviceDatabase, { id, owner, reading }: SharedFileRow, tenderId: string): Promise<void> {
  if (!reading) return;
  const json = { tenderId: tenderId === '' ? null : tenderId };
  const kept = parse(OwnReading, await apiOf(owner).post(`api/readings/${reading.id}/keep`, { json }).json());
  await changeSharedFile(db, id, { reading: kept });
  for (const changed of new Set([tenderId, reading.tenderId ?? '']))
    if (changed !== '') void refreshReading(owner, changed);
}

const removeOnServer = (owner: string, readingId: string) => apiOf(owner).delete(`api/readings/${readingId}`).text();

async function remove(db: DeviceDatabase, { id, owner, reading }: SharedFileRow): Promise<void> {
  if (reading) await removeOnServer(owner, reading.id);
  await db.sharedFiles.delete(id);
  if (reading?.tenderId) void refreshReading(owner, reading.tenderId);
}

/** Does all that is left to do for a file. */
async function finish(db: DeviceDatabase, id: string): Promise<void> {
  for (;;) {
    const row = await db.sharedFiles.get(id);
    if (!row) return;
    switch (nextFileStep(row, currentTime().getTime())) {
      case 'read':
        if (row.file) await read(db, row, row.file);
        break;
      case 'keep':
        await keep(db, row, row.tenderId ?? '');
        break;
      case 'remove':
        return remove(db, row);
      default:
        return;
    }
  }
}

async function sendFiles(db: DeviceDatabase): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  await deleteOldSharedFiles(db, owner, currentTime().getTime());
  const failures: unknown[] = [];
  for (const { id } of await db.sharedFiles.where('owner').equals(owner).toArray()) {
    try {
      await finish(db, id);
    } catch (error) {
      if (error instanceof RemovedError) continue;
      if (classifySendError(error) === 'rejected') {
        const refusal = serverMessageOr(error, t`The server refused this document.`);
        await changeSharedFile(db, id, { refusal });
        continue;
      }
      noteProgress(id, { sent: useReadingUploads.getState()[id]?.sent ?? 0, delay: refusalOf(error)?.message ?? null });
      failures.push(error);
    } finally {
      if (failures.length === 0) useReadingUploads.setState(({ [id]: _done, ...others }) => others, true);
    }
  }
  if (failures.length > 0) throw failures[0];
}

const loop = createOutboxLoop('shared-files', () => withDatabase(sendFiles));

/** Sends the signed-in user's files and decisions, and retries what fails. Throws the first failure. */
export async function sendSharedFiles(): Promise<void> {
  if (currentOwner() === '') return loop.stop();
  await loop.run();
}

/** Sends in the background; the list shows how far it is. */
export const sendSharedFilesSoon = (): void => void sendSharedFiles().catch(() => undefined);

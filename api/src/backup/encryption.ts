/** Encrypted backups: the age format (age-encryption.org/v1), which the program `age` reads too. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { InvalidBackupError } from './archive.ts';

const HEADER = 'age-encryption.org/v1\n';
const IDENTITY_PATTERN = /^AGE-SECRET-KEY-\S+$/;

/** Encrypts a file for the public keys `recipients`. `to` exists only after success. */
export async function encryptFile(from: string, to: string, recipients: readonly string[]): Promise<void> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const source = Readable.toWeb(createReadStream(from)) as globalThis.ReadableStream<Uint8Array>;
  await writeStream(await encrypter.encrypt(source), to);
}

/** Decrypts a file with the identities of a key file. Throws InvalidBackupError. */
export async function decryptFile(from: string, to: string, identityFile: string): Promise<void> {
  const identities = (await readFile(identityFile, 'utf8')).split(/\s+/).filter((line) => IDENTITY_PATTERN.test(line));
  if (identities.length === 0) throw new InvalidBackupError(`${identityFile} holds no AGE-SECRET-KEY`);
  try {
    const decrypter = new Decrypter();
    for (const identity of identities) decrypter.addIdentity(identity);
    const source = Readable.toWeb(createReadStream(from)) as globalThis.ReadableStream<Uint8Array>;
    await writeStream(await decrypter.decrypt(source), to);
  } catch (error) {
    throw new InvalidBackupError(`${from} cannot be decrypted: ${(error as Error).message}`);
  }
}

export async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === HEADER;
  } finally {
    await file.close();
  }
}

async function writeStream(stream: globalThis.ReadableStream<Uint8Array>, path: string): Promise<void> {
  try {
    await pipeline(Readable.fromWeb(stream as ReadableStream<Uint8Array>), createWriteStream(path, { mode: 0o600 }));
    const file = await open(path, 'r+');
    await file.sync().finally(() => file.close());
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

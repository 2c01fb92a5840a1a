import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateHybridIdentity, generateIdentity, identityToRecipient } from 'age-encryption';
import { beforeEach, expect, test } from 'vitest';
import { InvalidOptionsError, readConfig } from '../base/config.ts';
import { runRestore } from '../cli/commands/backup.command.ts';
import { InvalidBackupError } from './archive.ts';
import { decryptFile, encryptFile, isEncrypted } from './encryption.ts';

const BACKUP = 'rows of the tables '.repeat(10_000);

let folder: string;
let plain: string;
let encrypted: string;
let identities: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-encryption-'));
  [plain, encrypted] = [join(folder, 'nivida.zip'), join(folder, 'nivida.zip.age')];
  await writeFile(plain, BACKUP);
  identities = [await generateIdentity(), await generateIdentity()];
  await encryptFile(plain, encrypted, await Promise.all(identities.map(identityToRecipient)));
  return () => rm(folder, { recursive: true });
});

async function keyFile(...lines: string[]): Promise<string> {
  const path = join(folder, 'backup.key');
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

test('an encrypted backup is read with the key of any of its recipients, and only its owner can read the files', async () => {
  expect((await readFile(encrypted)).includes('rows of the tables')).toBe(false);
  expect((await stat(encrypted)).mode & 0o777).toBe(0o600);
  const stranger = await generateIdentity();
  for (const identity of identities) {
    const copy = join(folder, 'decrypted.zip');
    await decryptFile(
      encrypted,
      copy,
      await keyFile('# created: 2026-11-10', `# public key: age1abc`, stranger, identity),
    );
    expect(await readFile(copy, 'utf8')).toBe(BACKUP);
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
  }
});

test('a backup for a post-quantum key is read with it', async () => {
  const identity = await generateHybridIdentity();
  const sealed = join(folder, 'post-quantum.zip.age');
  const copy = join(folder, 'decrypted.zip');
  await encryptFile(plain, sealed, [await identityToRecipient(identity)]);
  await decryptFile(sealed, copy, await keyFile(identity));
  expect(await readFile(copy, 'utf8')).toBe(BACKUP);
});

test('a file without a key, with another key, and a damaged backup are refused, and nothing is left', async () => {
  const copy = join(folder, 'decrypted.zip');
  const empty = await keyFile('# created: 2026-11-10', 'age1abc');
  await expect(decryptFile(encrypted, copy, empty)).rejects.toThrow(
    new InvalidBackupError(`${empty} holds no AGE-SECRET-KEY`),
  );
  const other = await keyFile(await generateIdentity());
  await expect(decryptFile(encrypted, copy, other)).rejects.toThrow(`${encrypted} cannot be decrypted: `);
  await expect(decryptFile(encrypted, copy, other)).rejects.toBeInstanceOf(InvalidBackupError);
  // The last part of the file is missing, after the first ones were written.
  const bytes = await readFile(encrypted);
  await writeFile(encrypted, bytes.subarray(0, bytes.length - 100));
  await expect(decryptFile(encrypted, copy, await keyFile(identities[0] ?? ''))).rejects.toBeInstanceOf(
    InvalidBackupError,
  );
  expect((await readdir(folder)).sort()).toEqual(['backup.key', 'nivida.zip', 'nivida.zip.age']);
});

test('a backup is known as encrypted by its first line', async () => {
  expect(await isEncrypted(encrypted)).toBe(true);
  expect(await isEncrypted(plain)).toBe(false);
  await writeFile(plain, 'age-encryption.org/v1');
  expect(await isEncrypted(plain)).toBe(false);
  await writeFile(plain, '');
  expect(await isEncrypted(plain)).toBe(false);
});

test('a restore of an encrypted backup asks for its key before it opens a database, and leaves no decrypted file', async () => {
  const DATA_DIR = join(folder, 'data');
  const config = readConfig({ DATA_DIR, DATABASE_URL: 'postgresql://127.0.0.1:9/none' });
  const restore = (...args: string[]) => runRestore(args, { config, now: new Date(), log: () => {} });
  await expect(restore(encrypted)).rejects.toThrow(
    new InvalidOptionsError(`"${encrypted}" is encrypted: add --identity with the file of its age key`),
  );
  const identity = await keyFile(identities[0] ?? '');
  // It is decrypted, and no ZIP file.
  await expect(restore(encrypted, '--identity', identity)).rejects.toThrow('is no backup, or not a whole one');
  expect(await readdir(DATA_DIR)).toEqual([]);
  expect((await stat(DATA_DIR)).mode & 0o777).toBe(0o700);
  await expect(restore(encrypted, plain)).rejects.toThrow(new InvalidOptionsError('name one file'));
  await expect(restore()).rejects.toThrow(new InvalidOptionsError('name one file'));
});

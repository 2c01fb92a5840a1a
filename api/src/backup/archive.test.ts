import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { HashingStream, hashStream, RowHashingStream } from './archive.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const read = async (chunks: string[]) => {
  const stream = await hashStream(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), new RowHashingStream());
  return { rows: stream.rows, bytes: stream.bytes, rowsSha256: stream.rowsDigest(), sha256: stream.hexDigest() };
};

test('rows are counted and hashed alike however they are cut into chunks', async () => {
  const whole = await read(['first\nsecond row\n\nlast\n']);
  expect(whole).toMatchObject({ rows: 4, bytes: 23, sha256: sha256('first\nsecond row\n\nlast\n') });
  for (const chunks of [
    ['first', '\nsecond row\n', '\nlast\n'],
    ['fir', 's', 't\nsecond', ' row\n\nla', 'st', '\n'],
    [...'first\nsecond row\n\nlast\n'],
  ])
    expect(await read(chunks)).toEqual(whole);
});

test('the digest of rows does not depend on their order, and differs when a row is missing, double or changed', async () => {
  const { rowsSha256, sha256: inOrder } = await read(['a\nb\nc\n']);
  const turned = await read(['c\na\nb\n']);
  expect(turned.rowsSha256).toBe(rowsSha256);
  expect(turned.sha256).not.toBe(inOrder);
  expect(rowsSha256).toMatch(/^[\da-f]{64}$/);
  for (const other of ['a\nb\n', 'a\nb\nc\nc\n', 'a\nb\nd\n', 'ab\n\nc\n'])
    expect((await read([other])).rowsSha256).not.toBe(rowsSha256);
  expect((await read([])).rowsSha256).toBe('0'.repeat(64));
});

test('the digest of rows stays within 256 bits, which a few rows exceed', async () => {
  const sum = ['a', 'b', 'c', 'd', 'e'].reduce((total, row) => total + BigInt(`0x${sha256(row)}`), 0n);
  expect(sum).toBeGreaterThan(2n ** 256n);
  expect((await read(['a\nb\nc\nd\ne\n'])).rowsSha256).toBe((sum % 2n ** 256n).toString(16).padStart(64, '0'));
});

test('a source that fails in the middle fails the digest', async () => {
  async function* failing() {
    yield Buffer.from('a\n');
    throw new Error('the disk is gone');
  }
  await expect(hashStream(Readable.from(failing()), new HashingStream())).rejects.toThrow('the disk is gone');
});

/** Writes rows by COPY. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { EntityManager } from 'typeorm';

/** Rows per chunk. The server stores one chunk while the next one is written. */
const CHUNK_ROWS = 50;

/** Sends rows as lines of `copyLine` to the statement `COPY … FROM STDIN`, in the transaction of `manager`. */
export async function copyRows(
  manager: EntityManager,
  statement: string,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const { queryRunner } = manager;
  if (!queryRunner) throw new Error('COPY needs a transaction');
  const client: PoolClient = await queryRunner.connect();
  await pipeline(Readable.from(toChunks(rows), { objectMode: false }), client.query(copyFrom(statement)));
}

function* toChunks(rows: readonly (readonly unknown[])[]): Generator<Buffer> {
  for (let at = 0; at < rows.length; at += CHUNK_ROWS) {
    let chunk = '';
    for (const row of rows.slice(at, at + CHUNK_ROWS)) chunk += copyLine(row);
    yield Buffer.from(chunk);
  }
}

/** A row in the text format of COPY. */
export function copyLine(values: readonly unknown[]): string {
  return `${values.map(copyValue).join('\t')}\n`;
}

const SPECIAL_CHARACTERS = /[\\\n\r\t]/g;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Lists and objects are JSON. */
function copyValue(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  const text = toText(value);
  SPECIAL_CHARACTERS.lastIndex = 0;
  if (!SPECIAL_CHARACTERS.test(text)) return text;
  return text.replace(SPECIAL_CHARACTERS, (character) => ESCAPES[character] as string);
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

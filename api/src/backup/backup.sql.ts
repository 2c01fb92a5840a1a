/** Tables and sequences of a backup, in the order of the restore. SQL: they are read from PostgreSQL's catalogue and copied by COPY. */

import { type Client, escapeIdentifier } from 'pg';
import { HAS_MIGRATION_TABLE } from '../database/server.sql.ts';
import { copyOut } from './postgres-copy.ts';

/**
 * Tables that a backup leaves out:
 * - migrations, which are compared instead;
 * - packs, which are rebuilt because a restored database begins a new epoch;
 * - job runs, which belong to the installation that ran them;
 * - `open_tender`, `file_usage` and `record_usage`, which triggers fill again.
 */
const EXCLUDED_TABLES = [
  'migration',
  'sync_manifest',
  'sync_segment',
  'job_run',
  'open_tender',
  'file_usage',
  'record_usage',
];

/** A table with its stored columns. */
export interface Table {
  name: string;
  columns: string[];
}

/** The state of a sequence. */
export interface Sequence {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

/** Makes the text of values independent of the server's settings. */
export async function setSessionFormat(client: Client): Promise<void> {
  await client.query(`SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC';
    SET extra_float_digits = 1; SET client_encoding = 'UTF8';
    SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`);
}

/** The tables, each after the tables it references. Partitions are part of their table. */
export async function readTables(client: Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL ($1)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [EXCLUDED_TABLES],
  );
  const { rows: references } = await client.query<{ table: string; to: string }>(
    `SELECT c.relname AS table, t.relname AS to FROM pg_constraint f
       JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class t ON t.oid = f.confrelid
     WHERE f.contype = 'f' AND f.conrelid <> f.confrelid AND c.relnamespace = current_schema()::regnamespace`,
  );
  const sorted: Table[] = [];
  const place = (table: Table, path: string[]): void => {
    if (sorted.includes(table)) return;
    if (path.includes(table.name)) throw new Error(`${[...path, table.name].join(' refers to ')}`);
    const before = references.filter((reference) => reference.table === table.name).map(({ to }) => to);
    for (const other of tables) if (before.includes(other.name)) place(other, [...path, table.name]);
    sorted.push(table);
  };
  for (const table of tables) place(table, []);
  return sorted;
}

/** All sequences, including those of identity columns. */
export async function readSequences(client: Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema() ORDER BY sequencename',
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const { rows: state } = await client.query<Omit<Sequence, 'name'>>(
      `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${escapeIdentifier(name)}`,
    );
    sequences.push({ name, ...(state[0] as Omit<Sequence, 'name'>) });
  }
  return sequences;
}

/** The name of the last migration; undefined for a database without any. */
export async function lastMigrationName(client: Client): Promise<string | undefined> {
  const { rows } = await client.query(HAS_MIGRATION_TABLE);
  if (!rows[0]?.exists) return undefined;
  return (await client.query('SELECT name FROM migration ORDER BY id DESC LIMIT 1')).rows[0]?.name;
}

const columnsOf = ({ name, columns }: Table) =>
  `${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')})`;

/** All rows of a table. A query, because COPY takes no partitioned table. */
export const copyTableOut = (client: Client, { name, columns }: Table) =>
  copyOut(client, `COPY (SELECT ${columns.map(escapeIdentifier).join(', ')} FROM ${escapeIdentifier(name)}) TO STDOUT`);

/** The statement that reads the rows of `copyTableOut`. */
export const copyTableInStatement = (table: Table): string => `COPY ${columnsOf(table)} FROM STDIN`;

/** Keys of the stored files. Files that `documents-cleanup` has removed are left out, and dropped ones, which `apply-retention` removes. */
export const FILE_KEYS = `
  SELECT file_key AS key FROM document_package WHERE removed_at IS NULL
  UNION SELECT file_key FROM package_file WHERE file_key IS NOT NULL
  UNION SELECT unnest(file_keys) FROM attachment
  UNION SELECT file_key FROM backup_file WHERE NOT is_dropped ORDER BY key`;

export const SET_SEQUENCE = 'SELECT setval($1::regclass, $2, $3)';
export const SKIP_WAITING_DELIVERIES = "UPDATE push_delivery SET state = 'skipped' WHERE state = 'waiting'";

/** Without its state, the next read of the epoch begins a new one. */
export const BEGIN_NEW_EPOCH = "DELETE FROM setting WHERE key = 'sync'";

export const RAISE_INVOICE_NO = `
  INSERT INTO invoice_series AS s (series, financial_year, last_no) VALUES ($1, $2, $3)
  ON CONFLICT (series, financial_year) DO UPDATE SET last_no = greatest(s.last_no, excluded.last_no)`;

/** Whether a table has any row. */
export const holdsRowsStatement = (table: string): string =>
  `SELECT EXISTS (SELECT FROM ${escapeIdentifier(table)}) AS holds`;

/** The caller appends the name. Encoding and locale are the server's, as in a restore into a new database. */
export const CREATE_DATABASE = 'CREATE DATABASE ';

export const DROP_DATABASE = (name: string): string => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;

/** Sessions of other programs in this database. */
export const COUNT_OTHER_SESSIONS = `
  SELECT count(*)::int AS sessions FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;

export const LAST_INVOICES = `
  SELECT series, financial_year AS "financialYear", last_no::int AS no FROM invoice_series
  WHERE last_no > 0 ORDER BY series, financial_year`;

export const createSchemaStatement = (schema: string): string => `CREATE SCHEMA ${schema}`;
export const dropSchemaStatement = (schema: string): string => `DROP SCHEMA IF EXISTS ${schema} CASCADE`;

/** Replaces the tables in one transaction. The next worker creates the job queue again. */
export const replaceSchemaStatement = (schema: string): string => `
  BEGIN;
  SET LOCAL lock_timeout = '10s';
  DROP SCHEMA IF EXISTS public, pgboss CASCADE;
  ALTER SCHEMA ${schema} RENAME TO public;
  COMMIT`;

/** $1 job. */
export const LAST_SUCCESS = 'SELECT succeeded_at AS at FROM job_run WHERE job = $1';

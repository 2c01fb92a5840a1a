/** Stores the cells of the rows from which tenders are made. The caller holds the change lock. */
import type { EntityManager } from 'typeorm';
import { copyRows } from '../database/copy-rows.ts';
import { COPY_SOURCE_ROWS, INSERT_SOURCE_HEADERS, SOURCE_ROW_DIGESTS, UPSERT_SOURCE_ROWS } from './ingest.sql.ts';
import type { SourceCells } from './source-tender.ts';

/** The row of a stored tender. A source that is no table has no cells. */
export interface CellsOfTender {
  id: number;
  isListed: boolean;
  cells: SourceCells | undefined;
}

interface ReadOptions {
  now: Date;
  fileName?: string;
}

type FilledRow = CellsOfTender & { cells: SourceCells };

const hasCells = (row: CellsOfTender): row is FilledRow => row.cells !== undefined;

/** Stores the cells of new tenders. */
export async function copySourceRows(
  manager: EntityManager,
  rows: readonly CellsOfTender[],
  options: ReadOptions,
): Promise<void> {
  const filled = rows.filter(hasCells);
  if (filled.length === 0) return;
  await addHeaders(manager, filled);
  await copyRows(
    manager,
    COPY_SOURCE_ROWS,
    filled.map((row) => toColumns(row, options)),
  );
}

/** Stores the cells that differ from the stored ones. */
export async function updateSourceRows(
  manager: EntityManager,
  rows: readonly CellsOfTender[],
  options: ReadOptions,
): Promise<void> {
  const filled = rows.filter(hasCells);
  if (filled.length === 0) return;
  const stored: { tender_id: number; is_listed: boolean; digest: string }[] = await manager.query(SOURCE_ROW_DIGESTS, [
    filled.map(({ id }) => id),
  ]);
  const digests = new Map(stored.map((row) => [`${row.tender_id} ${row.is_listed}`, row.digest]));
  const changed = new Map(
    filled.flatMap((row) => {
      const key = `${row.id} ${row.isListed}`;
      return digests.get(key) === row.cells.digest ? [] : [[key, row]];
    }),
  );
  if (changed.size === 0) return;
  const written = [...changed.values()];
  await addHeaders(manager, written);
  const columns = written.map((row) => toColumns(row, options));
  await manager.query(
    UPSERT_SOURCE_ROWS,
    columns[0]?.map((_, n) => columns.map((values) => values[n])),
  );
}

/** The columns of a row in the order of the statements. */
const toColumns = ({ id, isListed, cells }: FilledRow, { now, fileName = '' }: ReadOptions) => [
  id,
  isListed,
  cells.columns.digest,
  cells.digest,
  cells.json,
  fileName,
  cells.line,
  now.toISOString(),
];

async function addHeaders(manager: EntityManager, rows: readonly FilledRow[]): Promise<void> {
  const headers = new Map(rows.map(({ cells: { columns } }) => [columns.digest, columns.names]));
  await manager.query(INSERT_SOURCE_HEADERS, [[...headers.keys()], [...headers.values()]]);
}

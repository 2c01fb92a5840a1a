/** Imports the PIN → district table and derives the districts of stored tenders again. */
import { formatCount } from '@nivida/contract/format';
import { findDistrict, findRegion } from '@nivida/contract/regions/regions';
import { parse } from 'csv-parse';
import { agreedCell } from '../cells/doubled-cells.ts';
import { cleanText, parsePincode } from '../cells/normalise.ts';
import { openSource } from '../files/source-file.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportContext } from '../import-request.ts';
import type { IngestCounts } from '../ingest-run.ts';
import {
  InvalidValueError,
  type Rejection,
  toRejection as toValueRejection,
  UnreadableFileError,
} from '../source-tender.ts';
import { PincodeEntity } from './pincode.entity.ts';
import { INSERT_PINCODES } from './places.sql.ts';
import { rederivePlaces } from './rederive-places.job.ts';

interface PinRow {
  pincode: string;
  state: string;
  district: string;
  offices: string;
  /** 'STATE/DISTRICT:offices;…' */
  other_matches: string;
}

/**
 * Replaces the table by the file's rows, then derives the districts of stored tenders again. A row may name several
 * districts; all of them are stored.
 */
export async function importPincodes(
  file: string,
  context: ImportContext,
  report: ImportReport,
  dryRun: boolean,
): Promise<IngestCounts> {
  const counts: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
  const table = context.dataSource.getRepository(PincodeEntity);
  const before = new Map((await table.find()).map((row) => [entityKey(row), row.share]));
  const rows = new Map<string, PincodeEntity>();
  for await (const cells of await readRows(file)) {
    counts.read++;
    const row = toPinRow(cells);
    if (row instanceof InvalidValueError) {
      counts.rejected++;
      await report.reject(toValueRejection(row, counts.read + 1));
      continue;
    }
    const entities = toEntities(row);
    counts[countedOutcome(entities, before)]++;
    if (entities.length === 0) await report.reject(toRejection(row, counts.read + 1));
    for (const entity of entities) rows.set(entityKey(entity), entity);
  }
  if (rows.size === 0) throw new UnreadableFileError('holds no PIN code of a known district');
  if (dryRun) return counts;
  await context.dataSource.transaction(async (manager) => {
    await manager.clear(PincodeEntity);
    await manager.query(INSERT_PINCODES, [JSON.stringify([...rows.values()])]);
  });
  const found = await rederivePlaces(context.dataSource, context.now);
  if (found > 0) context.log(`Districts found again for ${formatCount(found)} tenders`);
  return counts;
}

const entityKey = ({ pincode, state, district }: PincodeEntity) => `${pincode} ${state} ${district}`;

/** How a row is counted. It may name several districts. */
function countedOutcome(entities: PincodeEntity[], before: Map<string, number>): Exclude<keyof IngestCounts, 'read'> {
  if (entities.length === 0) return 'rejected';
  const shares = entities.map((entity) => before.get(entityKey(entity)));
  if (shares.every((share) => share === undefined)) return 'new';
  const isSame = entities.every(({ share }, n) => Math.abs(share - (shares[n] ?? -1)) <= 1e-6);
  return isSame ? 'unchanged' : 'changed';
}

/** A column that occurs twice has a list of cells. */
type PinCells = { [Column in keyof PinRow]: string | string[] };

/** One clean cell for each column; an error for doubled columns that contradict each other. */
function toPinRow(cells: PinCells): PinRow | InvalidValueError {
  try {
    const agreed = Object.entries(cells).map(([column, cell]) => [
      column,
      cleanText(agreedCell(column, [cell].flat())),
    ]);
    return Object.fromEntries(agreed) as PinRow;
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    return error;
  }
}

async function readRows(file: string): Promise<AsyncIterable<PinCells>> {
  const input = await openSource(file);
  const csv = input.pipe(parse({ bom: true, columns: true, group_columns_by_name: true, relax_column_count: true }));
  input.on('error', (error) => csv.destroy(error));
  return csv;
}

/** The districts of a PIN code. Old names of states and districts are accepted. */
function toEntities(row: PinRow): PincodeEntity[] {
  const pincode = parsePincode(row.pincode);
  const offices = parseOffices(row.offices);
  if (!pincode || offices === null) return [];
  const served = [`${row.state}/${row.district}:${offices}`, ...(row.other_matches ?? '').split(';')]
    .map((text) => /^(.+?)\/(.+):(\d+)$/.exec(text.trim()))
    .filter((match) => match !== null)
    .map(([, state = '', district = '', offices]) => {
      const region = findRegion(state);
      const listed = region && findDistrict(region, district);
      return { state: region?.state.name, district: listed?.name, offices: Number(offices) };
    });
  const all = served.reduce((sum, { offices }) => sum + offices, 0) || 1;
  return served.flatMap(({ state, district, offices }) =>
    state && district ? [{ pincode, state, district, share: offices / all }] : [],
  );
}

/** Rejection of a row; the line number is exact when no cell has line breaks. */
function toRejection({ pincode, state, district, offices }: PinRow, line: number): Rejection {
  if (!parsePincode(pincode)) return { line, column: 'pincode', value: pincode ?? '', reason: 'is no PIN code' };
  if (!findRegion(state ?? '')) return { line, column: 'state', value: state ?? '', reason: 'unknown state' };
  if (parseOffices(offices) === null && findListedDistrict(state, district))
    return { line, column: 'offices', value: offices ?? '', reason: 'is no number of post offices' };
  return { line, column: 'district', value: district ?? '', reason: `is no district of ${state} that is listed` };
}

/** A whole number of post offices; null for any other text. */
function parseOffices(text = ''): number | null {
  return /^\s*\d+(?:\.0+)?\s*$/.test(text) ? Number(text) : null;
}

function findListedDistrict(state = '', district = '') {
  const region = findRegion(state);
  return region && findDistrict(region, district);
}

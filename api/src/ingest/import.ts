/** The `import` command. It checks the whole file before it stores anything, so a broken file changes nothing. */
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { formatCount, indianDay, truncateText } from '@nivida/contract/format';
import { findRegion } from '@nivida/contract/regions/regions';
import { isCentralPortal } from '@nivida/contract/tenders/portals';
import type { DataSource } from 'typeorm';
import { InvalidOptionsError } from '../base/config.ts';
import { type AwardFileRow, checkAwardDates, checkAwardFile, readAwardFile } from './award-files/award-csv.ts';
import { AwardRun, awardsReport, importAwards } from './award-files/import-awards.ts';
import { readOcdsAwards } from './award-files/ocds-awards.ts';
import { mayHoldMonthFirst } from './cells/date-order.ts';
import { parseDate } from './cells/normalise.ts';
import { type PlainFile, withPlainFiles } from './files/plain-file.ts';
import { detectFormat, openSource } from './files/source-file.ts';
import type { GepnicColumn } from './gepnic/column-lists.ts';
import { findColumn, type GepnicHeader, mayBeMissing } from './gepnic/gepnic-columns.ts';
import { checkGepnic, checkGepnicDates, readGepnic } from './gepnic/gepnic-csv.ts';
import { distinguishOrganisations } from './gepnic/organisation-ids.ts';
import type { SourceColumns } from './gepnic/source-cells.ts';
import { ImportReport } from './import-report.ts';
import type { ImportContext, ImportRequest } from './import-request.ts';
import { GENERATED_TENDERS_BY_STATE } from './ingest.sql.ts';
import { addCounts, type IngestCounts, IngestRun } from './ingest-run.ts';
import { KnownDepartments } from './known-departments.ts';
import type { StoredMapping } from './mapping/mapped-table.ts';
import { findMappings } from './mapping/stored-mappings.ts';
import { type GatheredWork, MassChangeCheck } from './mass-change.ts';
import { type OcdsRow, readOcds } from './ocds/ocds.ts';
import type { OcdsOptions } from './ocds/ocds-tender.ts';
import { mergeHistory, RepeatedProcesses, withReleasesLock } from './ocds/release-history.ts';
import { importPincodes } from './places/pincodes.ts';
import { StateCheck } from './places/state-check.ts';
import { HeldBackFileError, type KeptRow, type SourceRow, UnreadableFileError } from './source-tender.ts';
import { shiftDate } from './stored-row.ts';
import { SupersededRows } from './superseded-rows.ts';
import type { WriteOptions } from './tender-rows.ts';

/**
 * Imports one file and returns the counts; of an archive with several files, their sums. Throws UnreadableFileError or
 * InvalidOptionsError before anything is stored.
 */
export async function importFile(request: ImportRequest, context: ImportContext): Promise<IngestCounts> {
  const mappings = await mappingsOf(request, context.dataSource);
  return withPlainFiles(request.file, mappings, async (files) => {
    const requests = files.map((file) => toPlainRequest(request, file));
    for (const each of requests) for (const note of each.notes) context.log(`${nameOf(each)}: ${note}`);
    // A broken file of an archive stores nothing of the others.
    if (requests.length > 1 && !request.dryRun)
      for (const each of requests) await importPlainFile({ ...each, dryRun: true }, { ...context, log: () => {} });
    const total: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
    for (const each of requests) addCounts(total, await importPlainFile(each, context));
    return total;
  });
}

/** A request whose file is read at `plainFile` and named by its own path. */
type PlainRequest = ImportRequest & {
  plainFile: string;
  sourceColumns: SourceColumns | undefined;
  notes: string[];
  /** Name in the archive; null when the file is not one of several. */
  member: string | null;
  /** Set when its fields are not all of a tender. */
  isMapped: boolean;
};

const nameOf = ({ file, member }: PlainRequest): string =>
  member === null ? basename(file) : `${basename(file)} (${member})`;

/** The mappings by which a file may be read, the newest first. Throws InvalidOptionsError for a portal without any. */
async function mappingsOf(request: ImportRequest, dataSource: DataSource): Promise<StoredMapping[]> {
  const { columns, mapping, format } = request;
  const { portal } = readPlaceOptions(request);
  if (columns) return [{ portal: portal ?? '', version: 0, columns }];
  const name = mapping?.trim().toLowerCase() ?? (format === 'auto' ? portal : undefined);
  if (name === undefined) return [];
  const found = await findMappings(dataSource, name);
  if (mapping !== undefined && found.length === 0)
    throw new InvalidOptionsError(`--mapping: no mapping is saved for "${mapping}"`);
  return found;
}

/** The request for one plain file. What the file or its mapping says fills the options that are missing. */
function toPlainRequest(request: ImportRequest, plain: PlainFile): PlainRequest {
  const { path: plainFile, name: member, sourceColumns, mapping, notes } = plain;
  if ((request.mapping !== undefined || request.columns) && !mapping)
    throw new UnreadableFileError('is no table with columns, which a mapping needs');
  if (request.format === 'gepnic-list' && plain.format !== 'gepnic-list')
    throw new UnreadableFileError(
      'is no list of a GePNIC portal: it has neither the column "Title and Ref.No./Tender ID" nor rows like "[title] [reference][id]"',
    );
  const isList = plain.format === 'gepnic-list' && (request.format === 'auto' || request.format === 'gepnic-list');
  return {
    ...request,
    plainFile,
    sourceColumns,
    member,
    notes: [
      ...notes,
      ...(mapping && mapping.version > 0
        ? [`read by the mapping of ${mapping.portal}, version ${mapping.version}`]
        : []),
    ],
    format: mapping || isList ? 'gepnic' : request.format,
    isMapped: mapping !== undefined,
    portal: request.portal ?? (mapping?.portal || undefined) ?? plain.portal,
    state: request.state ?? mapping?.columns.state ?? undefined,
  };
}

async function importPlainFile(request: PlainRequest, context: ImportContext): Promise<IngestCounts> {
  const format = request.format === 'auto' ? await detectFormat(request.plainFile) : request.format;
  const name = request.member ?? basename(request.file);
  const rejects = request.rejects ?? join(context.dataDir, 'rejects', `${name}.csv`);
  const report = new ImportReport(rejects, context.onReject);
  try {
    if (format === 'awards') return await importAwardFile(request, context, report);
    if (format === 'pincodes' && request.tendersOnly)
      throw new UnreadableFileError('is a table of PIN codes: an operator imports it by command or at the desk');
    if (format === 'pincodes') return await importPincodes(request.plainFile, context, report, request.dryRun);
    if (format === 'gepnic-list') throw new Error('a list is read as a notice file');
    const work = () => importTenders(format, request, context, report);
    return format === 'ocds' ? await withReleasesLock(context.dataSource, work) : await work();
  } finally {
    // Closed even after a failure, because the rejected rows contain the reasons.
    await report.close((line) => context.log(line), nameOf(request));
  }
}

/** Of the name of a file that is stored with its rows. */
const MAX_NAME_CHARACTERS = 200;

async function importTenders(
  format: 'gepnic' | 'ocds',
  request: PlainRequest,
  context: ImportContext,
  report: ImportReport,
): Promise<IngestCounts> {
  const shiftDays = request.rebase ? daysSince(request.rebase, context.now) : 0;
  const source = createSource(format, request, context, shiftDays);
  const departments = new KnownDepartments();
  const read = source.read;
  source.read = (input) => departments.count(read(input));
  const options: WriteOptions = {
    now: context.now,
    origin: request.rebase ? 'rebased' : 'portal',
    shiftDays,
    namesCorrigenda: source.namesCorrigenda,
    acceptsLoss: request.acceptMassChange ?? false,
    fileName: truncateText(nameOf(request), MAX_NAME_CHARACTERS),
  };
  const { rows, superseded, work, rowOrRejection } = await checkFile(source, request, options, context.dataSource);
  if (rows === 0) throw new UnreadableFileError('holds no tender');

  const generated = await countGenerated(context.dataSource);
  const ingest = await IngestRun.start(context.dataSource, { ...options, dryRun: request.dryRun });
  const progress = new ProgressLog(nameOf(request), rows, context.log);
  if (work) await ingest.addUnchanged(work.unchanged);
  // The collected rows lack the unchanged ones, so superseded rows are found again.
  const skipped = work ? SupersededRows.of(work.rows) : superseded;
  const waiting: string[] = [];
  let n = 0;
  for await (const found of work?.rows ?? source.read(await openSource(request.plainFile))) {
    const row = skipped.rowOrRejection(rowOrRejection(found), n);
    if (skipped.isSuperseded(row, n++)) ingest.skip();
    else if ('rejection' in row) {
      ingest.reject(row.statement);
      await report.reject(row.rejection);
    } else {
      if ('tender' in row) {
        context.onTender?.(row.tender);
        await ingest.add(row.tender, row);
      } else ingest.skip(row.statement);
      if ('example' in row) waiting.push(row.example);
      ingest.warn(await report.warn(row.warnings));
    }
    progress.update(ingest.counts.read);
    context.onProgress?.(ingest.counts.read, rows);
  }
  const counts = await ingest.finish();
  if (superseded.report !== undefined) context.log(`${nameOf(request)}: ${superseded.report}`);
  const sentences = [
    waitingReport(waiting),
    outdatedReport(ingest.outdated),
    unstatedReport(ingest.unstated),
    attachedReport(ingest.counts.attached),
    departments.report(request.portal?.trim().toLowerCase()),
    movedReport(ingest.moved),
  ];
  for (const sentence of sentences) if (sentence !== undefined) context.log(`${nameOf(request)}: ${sentence}`);
  if (format === 'ocds' && options.origin === 'portal') await importOcdsAwards(request, context, report);
  if (request.dryRun) context.log('Dry run: nothing was stored');
  await logReplacedDemo(generated, context);
  return counts;
}

/** The sentence on releases whose tender is not known; undefined without any. */
function waitingReport(examples: readonly string[]): string | undefined {
  const [first] = examples;
  if (first === undefined) return undefined;
  const releases =
    examples.length === 1 ? '1 release changes a tender' : `${formatCount(examples.length)} releases change tenders`;
  return `${releases} not known yet, like ${first}: stored, and used as soon as a file brings the tender; counted as unchanged`;
}

/** The sentence on rows that are older than what is stored; undefined without any. */
function outdatedReport(examples: readonly string[]): string | undefined {
  const [first] = examples;
  if (first === undefined) return undefined;
  const rows = examples.length === 1 ? '1 row is' : `${formatCount(examples.length)} rows are`;
  return `${rows} older than what is stored, like ${first}, and counted as unchanged: an earlier closing or the end of a cancellation comes with a new corrigendum`;
}

/** The sentence on tenders that another portal has already published; undefined without any. */
function attachedReport(attached = 0): string | undefined {
  if (attached === 0) return undefined;
  const tenders = attached === 1 ? '1 tender is' : `${formatCount(attached)} tenders are`;
  return `${tenders} stored already from another portal, with the same id, reference, title and closing: attached there as a second source`;
}

/** The sentence on facts that rows no longer state; undefined without any. */
function unstatedReport(unstated: IngestRun['unstated']): string | undefined {
  const found = [...unstated].filter(([, ids]) => ids.length > 0);
  if (found.length === 0) return undefined;
  const rows = found.map(
    ([column, ids]) => `${formatCount(ids.length)} ${ids.length === 1 ? 'row' : 'rows'} without "${column}"`,
  );
  return `${rows.join(' and ')}, like ${found[0]?.[1][0]}: the stored ones stay`;
}

/** The sentence on dates that moved to another day of --rebase; undefined without any. */
function movedReport({ tenders, dates }: IngestRun['moved']): string | undefined {
  if (tenders === 0) return undefined;
  const kinds = [...dates].filter(([, count]) => count > 0).map(([kind, count]) => `${formatCount(count)} ${kind}`);
  const total = [...dates.values()].reduce((sum, count) => sum + count, 0);
  const moved = `${formatCount(total)} dates of ${formatCount(tenders)} unchanged tenders moved`;
  const stayed = tenders - (dates.get('publishing') ?? 0);
  const note = stayed > 0 ? `; ${formatCount(stayed)} public already: published as before` : '';
  return kinds.length === 0 ? moved : `${moved}: ${kinds.join(', ')}${note}`;
}

/** Reads the whole file before anything is stored, and counts its rows. Throws UnreadableFileError. */
async function checkFile(
  source: ImportSource,
  request: PlainRequest,
  options: WriteOptions,
  dataSource: DataSource,
): Promise<CheckedFile & { work: GatheredWork | null; rowOrRejection(row: SourceRow | KeptRow): SourceRow | KeptRow }> {
  if (source.checkDates && (await mayHoldMonthFirst(await openSource(request.plainFile)))) await source.checkDates();
  const portal = request.portal?.trim().toLowerCase();
  const { state } = readPlaceOptions(request);
  const places = source.namesPlaces ? placesOf(request) : undefined;
  if (request.acceptMassChange || !(await MassChangeCheck.isNeeded(dataSource, portal))) {
    const checked = await source.check();
    if (places) await addSample(places, source.read, request.plainFile);
    assertState(places, state);
    return { ...checked, work: null, rowOrRejection: (row) => row };
  }
  const check = new MassChangeCheck(dataSource, options);
  const superseded = new SupersededRows();
  let rows = 0;
  for await (const row of source.read(await openSource(request.plainFile))) {
    rows++;
    superseded.add(row);
    if ('tender' in row) places?.add(row.tender);
    await check.add(row);
  }
  assertState(places, state);
  const finding = await check.findProblem();
  if (finding)
    throw new HeldBackFileError(
      `${finding}. Nothing was stored; if the file is right, import it with --accept-mass-change`,
      'mass-change',
    );
  return { rows, superseded, work: check.work, rowOrRejection: (row) => check.rowOrRejection(row) };
}

/** Number of tenders whose places are compared with their state before a first import. */
const SAMPLE_TENDERS = 2_000;

/** The check of a file of one state; undefined for a central portal, and when the operator has accepted the state. */
function placesOf(request: ImportRequest): StateCheck | undefined {
  const { portal, state } = readPlaceOptions(request);
  const isCentral = portal !== undefined && isCentralPortal(portal);
  return state === undefined || isCentral || request.acceptState ? undefined : new StateCheck();
}

async function addSample(
  places: StateCheck,
  read: (input: Readable) => AsyncIterable<SourceRow | KeptRow | AwardFileRow>,
  file: string,
): Promise<void> {
  const input = await openSource(file);
  let count = 0;
  for await (const row of read(input)) {
    if ('tender' in row) places.add(row.tender);
    if ('award' in row) places.add({ ...row.award, place: null });
    if (++count >= SAMPLE_TENDERS) break;
  }
  input.destroy();
}

/** Throws HeldBackFileError for a file of another state. */
function assertState(places: StateCheck | undefined, state = ''): void {
  const problem = places?.findProblem(state);
  if (problem)
    throw new HeldBackFileError(
      `${problem}. Nothing was stored; name the right --state, or import it with --accept-state`,
      'state',
    );
}

/** Imports the awards of an OCDS file, after its tenders. */
async function importOcdsAwards(request: PlainRequest, context: ImportContext, report: ImportReport): Promise<void> {
  const run = createAwardRun(request, context);
  const options = readPlaceOptions(request);
  const repeated = await findRepeated(request.plainFile, options);
  const merge = (rows: AsyncIterable<OcdsRow>) => mergeHistory(rows, repeated, options, context.dataSource);
  const counts = await importAwards(readOcdsAwards(await openSource(request.plainFile), options, merge), run, report);
  if (counts.read > 0) context.log(`${nameOf(request)}: ${awardsReport(counts)}`);
}

async function importAwardFile(
  request: PlainRequest,
  context: ImportContext,
  report: ImportReport,
): Promise<IngestCounts> {
  if (request.rebase !== undefined) throw new InvalidOptionsError('--rebase: awards keep their dates');
  const options = readPlaceOptions(request);
  const rows = await checkAwardFile(await openSource(request.plainFile));
  if (rows === 0) throw new UnreadableFileError('holds no award');
  if (await mayHoldMonthFirst(await openSource(request.plainFile)))
    await checkAwardDates(await openSource(request.plainFile));
  const places = placesOf(request);
  if (places) await addSample(places, (input) => readAwardFile(input, options), request.plainFile);
  assertState(places, options.state);
  const run = createAwardRun(request, context);
  const progress = new ProgressLog(nameOf(request), rows, context.log);
  const counts = await importAwards(readAwardFile(await openSource(request.plainFile), options), run, report, () =>
    progress.update(run.counts.read),
  );
  if (request.dryRun) context.log('Dry run: nothing was stored');
  return counts;
}

const createAwardRun = (
  { dryRun, acceptMassChange }: ImportRequest,
  { dataSource, now, withAwardNames = false }: ImportContext,
) =>
  new AwardRun(dataSource, {
    now,
    dryRun,
    origin: 'portal',
    withNames: withAwardNames,
    acceptsLoss: acceptMassChange ?? false,
  });

/** Number of generated tenders by state. */
async function countGenerated(dataSource: DataSource): Promise<Map<string, number>> {
  const rows: { state: string; count: number }[] = await dataSource.query(GENERATED_TENDERS_BY_STATE);
  return new Map(rows.map(({ state, count }) => [state, count]));
}

/** Logs the number of demonstration tenders that the first import of a state has removed. */
async function logReplacedDemo(before: Map<string, number>, { dataSource, log }: ImportContext): Promise<void> {
  if (before.size === 0) return;
  const left = await countGenerated(dataSource);
  for (const [state, count] of before) {
    if (left.has(state)) continue;
    log(`Removed the ${formatCount(count)} demonstration tenders of ${state}: this was its first import`);
  }
}

/** The result of the first pass over a file. */
interface CheckedFile {
  rows: number;
  superseded: SupersededRows;
}

/** A file that is read twice; `check` throws for another format. */
interface ImportSource {
  check(): Promise<CheckedFile>;
  /** Throws when dates have the month before the day. */
  checkDates?(): Promise<void>;
  /** Set when the places of its tenders are compared with the state. */
  namesPlaces?: true;
  read(input: Readable): AsyncGenerator<SourceRow | KeptRow>;
  /** Call it after the first row is read. */
  namesCorrigenda(): boolean;
}

/** Portal and state of the options; throws InvalidOptionsError. */
function readPlaceOptions(request: Pick<ImportRequest, 'portal' | 'state'>) {
  const region = request.state === undefined ? undefined : findRegion(request.state);
  if (request.state !== undefined && !region)
    throw new InvalidOptionsError(`--state: there is no state "${request.state}" in India`);
  const portal = request.portal?.trim().toLowerCase();
  if (portal !== undefined && !/^[a-z0-9][a-z0-9.-]{0,62}$/.test(portal))
    throw new InvalidOptionsError('--portal must be a short name of letters, digits, dots and dashes, like hptenders');
  return { portal, state: region?.state.name };
}

function createSource(
  format: 'gepnic' | 'ocds',
  { plainFile: file, ...request }: PlainRequest,
  { dataSource, now }: ImportContext,
  shiftDays: number,
): ImportSource {
  const { portal, state } = readPlaceOptions(request);
  if (format === 'ocds') {
    const options = { portal, state };
    let repeated: RepeatedProcesses | undefined;
    return {
      async check() {
        repeated = await findRepeated(file, options);
        return { rows: repeated.rows, superseded: new SupersededRows() };
      },
      async *read(input) {
        repeated ??= await findRepeated(file, options);
        yield* mergeHistory(readOcds(input, options), repeated, options, dataSource);
      },
      namesCorrigenda: () => false,
    };
  }
  if (!portal)
    throw new InvalidOptionsError('--portal is needed: a GePNIC file does not name its portal, like hptenders');
  const allowMissing = new Set(request.allowMissing?.map(parseColumnName));
  let namesCorrigenda = false;
  let hasIdsOfOrganisations = false;
  const onHeader = (header: GepnicHeader) => {
    if (!state && !header.has('State'))
      throw new InvalidOptionsError('--state is needed: a GePNIC file does not name its state');
    namesCorrigenda = header.has('Corrigendum Title') && header.has('Corrigendum Type');
    hasIdsOfOrganisations = header.kind?.hasIdsOfOrganisations ?? false;
  };
  // --rebase makes a past day today, so the file was read on that day.
  const { isMapped, sourceColumns } = request;
  const readAt = shiftDate(now, -shiftDays);
  const options = { portal, state, allowMissing, isMapped, sourceColumns, onHeader, readAt };
  const read = (input: Readable) =>
    distinguishOrganisations(readGepnic(input, options), portal, () => hasIdsOfOrganisations, dataSource);
  return {
    read,
    namesPlaces: true,
    namesCorrigenda: () => namesCorrigenda,
    checkDates: async () => checkGepnicDates(await openSource(file), options),
    check: async () => {
      const { rows, mayRepeat } = await checkGepnic(await openSource(file), options);
      // Only a file that may name a tender twice needs another pass. Such files are rare.
      return mayRepeat
        ? checkRows(read(await openSource(file)), request.acceptMassChange)
        : { rows, superseded: new SupersededRows() };
    },
  };
}

function parseColumnName(name: string): GepnicColumn {
  const column = findColumn(name);
  if (!column) throw new InvalidOptionsError(`--allow-missing: unknown column "${name}"`);
  if (!mayBeMissing(column)) throw new InvalidOptionsError(`--allow-missing: column "${column}" is required`);
  return column;
}

/** Reads the whole file. Throws UnreadableFileError. */
async function findRepeated(file: string, options: OcdsOptions): Promise<RepeatedProcesses> {
  const repeated = new RepeatedProcesses(options);
  for await (const row of readOcds(await openSource(file), options)) repeated.add(row);
  return repeated;
}

async function checkRows(source: AsyncIterable<SourceRow>, acceptsLoss?: boolean): Promise<CheckedFile> {
  const superseded = new SupersededRows(acceptsLoss);
  let rows = 0;
  for await (const row of source) {
    rows++;
    superseded.add(row);
  }
  return { rows, superseded };
}

function daysSince(day: string, now: Date): number {
  const match = /^\d{4}-\d{2}-\d{2}$/.test(day);
  let at: Date | undefined;
  try {
    at = match ? parseDate('--rebase', day)?.at : undefined;
  } catch {
    at = undefined;
  }
  if (!at) throw new InvalidOptionsError(`--rebase must be a day like 2025-12-15, not "${day}"`);
  return indianDay(now) - indianDay(at);
}

const PROGRESS_EVERY_MS = 1_000;

/** Logs the progress of an import, at most once a second. */
class ProgressLog {
  private loggedAt = performance.now();

  constructor(
    private readonly name: string,
    private readonly total: number,
    private readonly log: (line: string) => void,
  ) {}

  update(rows: number): void {
    const now = performance.now();
    if (now - this.loggedAt < PROGRESS_EVERY_MS) return;
    this.loggedAt = now;
    const percent = Math.floor((rows / this.total) * 100);
    this.log(`${this.name}: ${formatCount(rows)} of ${formatCount(this.total)} rows, ${percent}%`);
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import {
  ColumnMapping,
  type FileDescription,
  type MappingPreview,
  PortalKey,
  type SavedMapping,
} from '@nivida/contract/desk/mapping';
import { findRegion } from '@nivida/contract/regions/regions';
import { DataSource, type EntityManager } from 'typeorm';
import { safeParse } from 'valibot';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError, forPrograms, invalidField } from '../../base/app-error.ts';
import { InvalidOptionsError } from '../../base/config.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { withPlainFiles } from '../files/plain-file.ts';
import { openSource } from '../files/source-file.ts';
import { readGepnic } from '../gepnic/gepnic-csv.ts';
import { importFile } from '../import.ts';
import type { ImportContext, ImportRequest } from '../import-request.ts';
import { type IngestCounts } from '../ingest-run.ts';
import { readPincodes } from '../places/rederive-places.job.ts';
import { HeldBackFileError, type SourceTender, UnreadableFileError } from '../source-tender.ts';
import { describeFile } from './describe-file.ts';
import { foldHeader, hasColumnsOf } from './mapped-table.ts';
import { PortalMappingEntity } from './portal-mapping.entity.ts';
import { previewTender } from './preview-tender.ts';
import { RejectionReasons } from './rejection-reasons.ts';
import { findMappings } from './stored-mappings.ts';

const MAX_PREVIEWED = 10;

/** What a preview reads a file with: the portal's saved mapping, or one that is not saved. */
export interface PreviewRequest {
  portal: string;
  /** Name, slug or alias; needed when neither the mapping nor a column names it. */
  state?: string | undefined;
  /** Default: the saved mapping of the portal that has the file's columns. */
  mapping?: ColumnMapping | undefined;
  acceptMassChange?: boolean;
  acceptState?: boolean;
}

/** Mappings of the columns of portals' tables. A file is at a path of this machine. */
@Injectable()
export class MappingService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * The table that an import would read, with guesses. Without a portal, that of the only portal whose mapping has the
   * file's columns is named. INVALID for a file that cannot be read.
   */
  async describe(file: string, portal?: string): Promise<FileDescription> {
    const mappings = await findMappings(this.dataSource, portal && readPortal(portal));
    const found = await refusing(() => describeFile(file, mappings));
    const header = found.columns.map(({ column }) => column);
    const portals = mappings.filter(({ columns }) => hasColumnsOf(columns, header)).map((each) => each.portal);
    return new Set(portals).size > 1 ? { ...found, mapping: null } : found;
  }

  /** What an import would do. Nothing is stored. INVALID for a file that cannot be read, and for a wrong mapping. */
  async preview(file: string, request: PreviewRequest): Promise<MappingPreview> {
    const portal = readPortal(request.portal);
    const columns = request.mapping && readMapping(request.mapping);
    const folder = await mkdtemp(join(tmpdir(), 'nivida-preview-'));
    try {
      const notes: string[] = [];
      const reasons = new RejectionReasons();
      const importRequest: ImportRequest = {
        file,
        format: 'auto',
        portal,
        state: request.state,
        rebase: undefined,
        dryRun: true,
        rejects: join(folder, 'rejects.csv'),
        ...(columns ? { columns } : { mapping: portal }),
        acceptMassChange: request.acceptMassChange ?? false,
        acceptState: request.acceptState ?? false,
      };
      const context: ImportContext = {
        dataSource: this.dataSource,
        dataDir: folder,
        now: this.now(),
        log: (line) => notes.push(line),
        onReject: (rejection) => reasons.add(rejection),
      };
      const tenders = await refusing(() => this.readFirst(importRequest, portal));
      const { counts, problem } = await refusing(() => countRows(importRequest, context));
      const now = this.now();
      const pincodes = await readPincodes(this.dataSource);
      return {
        tenders: tenders.map((tender) => previewTender(tender, pincodes, now)),
        counts,
        rejections: reasons.list(),
        notes: notes.filter((note) => !note.includes(folder) && !note.startsWith('Dry run')),
        problem,
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Saves a new version of a portal's mapping. An equal mapping stays the version that it is. INVALID for a wrong one. */
  save(portal: string, mapping: ColumnMapping, act: OperatorAct): Promise<SavedMapping> {
    return this.dataSource.transaction((manager) => this.saveIn(manager, portal, mapping, act));
  }

  /** `save` in a transaction. CONFLICT when a colleague has saved a version meanwhile. */
  async saveIn(
    manager: EntityManager,
    portal: string,
    mapping: ColumnMapping,
    act: OperatorAct,
  ): Promise<SavedMapping> {
    const name = readPortal(portal);
    const columns = readMapping(mapping);
    const newest = await this.findNewest(name, manager);
    if (newest && isDeepStrictEqual(newest.columns, columns)) return toSaved(newest);
    const row: PortalMappingEntity = {
      portal: name,
      version: (newest?.version ?? 0) + 1,
      columns,
      madeBy: act.actorId,
      at: this.now(),
    };
    await manager
      .getRepository(PortalMappingEntity)
      .insert(row)
      .catch((error: { code?: string }) => {
        if (error.code !== UNIQUE_VIOLATION) throw error;
        throw new AppError(
          'CONFLICT',
          () => t`A mapping of ${name} was saved a moment ago. Look at it and save again.`,
        );
      });
    const detail = { version: row.version, columns: columns.columns.length, mapped: mappedNames(columns) };
    await recordAct(manager, act, { action: 'mapping.saved', subject: name, detail }, this.now());
    return toSaved(row);
  }

  /** The newest mapping of a portal; null without one. */
  async newest(portal: string): Promise<SavedMapping | null> {
    const found = await this.findNewest(readPortal(portal));
    return found && toSaved(found);
  }

  /** The newest mapping of each portal, by name. */
  async list(): Promise<SavedMapping[]> {
    const all = await this.dataSource
      .getRepository(PortalMappingEntity)
      .find({ order: { portal: 'ASC', version: 'DESC' } });
    return all.filter(({ portal }, n) => portal !== all[n - 1]?.portal).map(toSaved);
  }

  /** The versions of a portal's mapping, the newest first. NOT_FOUND without any. */
  async show(portal: string): Promise<SavedMapping[]> {
    const name = readPortal(portal);
    const versions = await this.dataSource
      .getRepository(PortalMappingEntity)
      .find({ where: { portal: name }, order: { version: 'DESC' } });
    if (versions.length === 0) throw new AppError('NOT_FOUND', () => t`No mapping is saved for ${name}`);
    return versions.map(toSaved);
  }

  private findNewest(
    portal: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<PortalMappingEntity | null> {
    return manager.getRepository(PortalMappingEntity).findOne({ where: { portal }, order: { version: 'DESC' } });
  }

  /** The first tenders of the file, as it is read by the mapping. */
  private async readFirst(request: ImportRequest, portal: string): Promise<SourceTender[]> {
    const mappings = request.columns
      ? [{ portal, version: 0, columns: request.columns }]
      : await findMappings(this.dataSource, portal);
    return withPlainFiles(request.file, mappings, async ([plain]) => {
      const { mapping, path = '' } = plain ?? {};
      const state = findRegion(request.state ?? mapping?.columns.state ?? '')?.state.name;
      const tenders: SourceTender[] = [];
      if (!mapping) return tenders;
      const input = await openSource(path);
      for await (const row of readGepnic(input, { portal, state, isMapped: true, readAt: this.now() })) {
        if ('tender' in row) tenders.push(row.tender);
        if (tenders.length >= MAX_PREVIEWED) break;
      }
      input.destroy();
      return tenders;
    });
  }
}

const UNIQUE_VIOLATION = '23505';

/** Runs a dry import. A file that waits for the operator's decision is a problem of the preview and no error. */
async function countRows(request: ImportRequest, context: ImportContext) {
  const none: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
  try {
    return { counts: await importFile(request, context), problem: null };
  } catch (error) {
    if (!(error instanceof HeldBackFileError)) throw error;
    return { counts: none, problem: error.message };
  }
}

/** Errors of a file or of options become INVALID, with the sentence of the import. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      const problem = error.message;
      throw new AppError('INVALID', () => t`The file cannot be read: it ${problem}`);
    }
    if (error instanceof InvalidOptionsError) throw new AppError('INVALID', forPrograms(error.message));
    throw error;
  }
}

function readPortal(text: string): string {
  const { success, output, issues } = safeParse(PortalKey, text);
  if (success) return output;
  const [{ message }] = issues;
  throw invalidField('portal', () => message);
}

/** The mapping with the listed name of its state. Throws INVALID. */
function readMapping(mapping: ColumnMapping): ColumnMapping {
  const { success, output, issues } = safeParse(ColumnMapping, mapping);
  if (!success) {
    const [{ message }] = issues;
    throw invalidField('mapping', () => message);
  }
  const { state } = output;
  const region = state === null ? undefined : findRegion(state);
  if (state !== null && !region) throw invalidField('state', () => t`There is no state “${state}” in India`);
  const names = output.columns.map(({ column }) => foldHeader(column));
  if (names.every((name) => name === '')) throw invalidField('mapping', () => t`The columns have no names`);
  return { ...output, state: region?.state.name ?? null };
}

const mappedNames = ({ columns, fixed }: ColumnMapping): string[] => [
  ...columns.flatMap(({ column, field, unit }) =>
    field === null ? [] : `${column} = ${field}${unit ? ` in ${unit}` : ''}`,
  ),
  ...Object.keys(fixed).map((field) => `fixed ${field}`),
];

const toSaved = ({ portal, version, columns, madeBy, at }: PortalMappingEntity): SavedMapping => ({
  portal,
  version,
  mapping: columns,
  made_by: madeBy,
  at: at.toISOString(),
});

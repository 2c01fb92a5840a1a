import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import {
  type CountFileRequest,
  DATA_PART_BYTES,
  type DeskFile,
  type DeskFileList,
  type DeskFileRow,
  type DeskPortalList,
  type FileColumns,
  type ImportFileRequest,
  MAX_DESK_FILE_BYTES,
} from '@nivida/contract/desk/data-in';
import { findRegion } from '@nivida/contract/regions/regions';
import { DataSource } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError, invalidField } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { MappingService } from '../../ingest/mapping/mapping.service.ts';
import { SentFilesService, toSentFile } from '../../ingest/sent-files/sent-files.service.ts';
import { COMPARED_PORTALS, SENDER_OF_FILE, SENT_FILE_ROWS } from './data-in.sql.ts';

const PAGE_ROWS = 25;

type Row<T> = { [K in keyof T]: K extends `${string}_at` ? Date | null : T[K] };

/** Files of operators: sent in parts, described, counted, mapped and imported by the workers. */
@Injectable()
export class DataInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: SentFilesService,
    private readonly mappings: MappingService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Begins a file of the member of staff. Returns its id. */
  async stage(name: string, actorId: string): Promise<string> {
    return (await this.files.stage(name, { keyId: null, actorId })).id;
  }

  /** Adds a part; see `SentFilesService.addPart`. Returns the number of parts. */
  addPart(id: string, position: number, part: Readable): Promise<number> {
    return this.files.addPart(id, position, part, DATA_PART_BYTES, MAX_DESK_FILE_BYTES);
  }

  /** A page of all files that were sent, the newest first. */
  async list(page: number): Promise<DeskFileList> {
    const rows: Row<DeskFileRow>[] = await this.dataSource.query(SENT_FILE_ROWS, [
      PAGE_ROWS + 1,
      (page - 1) * PAGE_ROWS,
    ]);
    return {
      rows: rows.slice(0, PAGE_ROWS).map((row) => ({ ...row, sent_at: row.sent_at?.toISOString() ?? '' })),
      more: rows.length > PAGE_ROWS,
    };
  }

  /** NOT_FOUND for an unknown file. */
  async show(id: string): Promise<DeskFile> {
    const file = await this.files.find(id);
    const [{ sender }] = await this.dataSource.query(SENDER_OF_FILE, [id]);
    return {
      ...toSentFile(file),
      // A program may have sent its alias.
      state: file.state && (findRegion(file.state)?.state.name ?? file.state),
      sender,
      bytes: Number(file.bytes),
      isHere: file.fileKeys.length > 0,
      hasRejects: file.rejectsKey !== null,
      accepts: file.accepts,
      mapping: file.mapping,
      tenders: file.tenders ?? [],
      rejections: file.rejections ?? [],
      notes: file.notes ?? [],
    };
  }

  /** The columns of a file, and what the portal's newest mapping makes of others. INVALID for a file that has no table. */
  async columns(id: string, portal: string | undefined): Promise<FileColumns> {
    const file = await this.files.find(id);
    if (file.fileKeys.length === 0)
      throw new AppError('CONFLICT', () => t`This file was removed after a day. Send it again.`);
    const folder = await mkdtemp(join(tmpdir(), 'nivida-columns-'));
    try {
      const path = join(folder, file.name);
      await pipeline(this.files.read(file), createWriteStream(path, { mode: 0o600 }));
      const described = await this.mappings.describe(path, portal);
      return { ...described, saved: portal === undefined ? null : await this.mappings.newest(portal) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Lets a worker count what an import would do. CONFLICT for a file that is imported, or that is being read. */
  async count(id: string, request: CountFileRequest): Promise<DeskFile> {
    const options = { ...request, state: readState(request.state), isDryRun: true };
    await this.dataSource.transaction((manager) => this.files.request(manager, id, options));
    return this.show(id);
  }

  /** Saves the mapping, if there is one, and lets a worker import the file. CONFLICT as `count`. */
  async import(id: string, request: ImportFileRequest, act: OperatorAct): Promise<DeskFile> {
    const { mapping, portal, format, accepts } = request;
    const options = { portal, format, accepts, state: readState(request.state), isDryRun: false };
    await this.dataSource.transaction(async (manager) => {
      await this.files.request(manager, id, options);
      const saved = mapping && (await this.mappings.saveIn(manager, portal, mapping, act));
      const { name } = await this.files.find(id, manager);
      const detail = { name, portal, ...(saved && { mapping: saved.version }), ...(accepts.length > 0 && { accepts }) };
      await recordAct(manager, act, { action: 'import.requested', subject: id, detail }, this.now());
    });
    return this.show(id);
  }

  /** The report of rejected rows as CSV. */
  async rejects(id: string): Promise<Readable> {
    return this.files.readRejects(await this.files.find(id));
  }

  async portals(): Promise<DeskPortalList> {
    const rows: Row<DeskPortalList['rows'][number]>[] = await this.dataSource.query(COMPARED_PORTALS, [this.now()]);
    return {
      rows: rows.map((row) => ({
        ...row,
        imported_at: row.imported_at?.toISOString() ?? null,
        published_at: row.published_at?.toISOString() ?? null,
      })),
    };
  }
}

/** The listed name of a state. INVALID for any other. */
function readState(state: string | null): string | null {
  if (state === null || state === '') return null;
  const name = findRegion(state)?.state.name;
  if (name === undefined) throw invalidField('state', () => t`There is no state “${state}” in India`);
  return name;
}

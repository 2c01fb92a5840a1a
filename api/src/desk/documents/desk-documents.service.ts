import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import {
  type AttachedFile,
  type AttachQuery,
  type DeskDocumentsResponse,
  type DeskTenderFiles,
  type DocumentsTender,
  type FindTendersResponse,
  MAX_OFFICIAL_FILE_BYTES,
} from '@nivida/contract/desk/documents';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import { DataSource } from 'typeorm';
import type { OperatorAct } from '../../audit/record-act.ts';
import { AppError, tenderNotFound } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { listRequestedTenders } from '../../documents/document-requests.service.ts';
import { DocumentAttachService } from '../../documents/files/attach.service.ts';
import { packageKey } from '../../orders/document-delivery.port.ts';
import { TenderEntity } from '../../tenders/tender.entity.ts';
import { FOUND_TENDERS, TENDER_DOCUMENTS } from './desk-documents.sql.ts';

/** Official files and requests for them, as the desk sees them. */
@Injectable()
export class DeskDocumentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: DocumentAttachService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The tenders with an id, or without one those with requests, the longest waiting first. */
  async list(find: string): Promise<DeskDocumentsResponse> {
    if (find !== '') {
      const id = /^\d{1,10}$/.test(find) && Number(find) <= MAX_INTEGER_ID ? Number(find) : -1;
      const rows: DocumentsTender[] = await this.dataSource.query(FOUND_TENDERS, [id, find]);
      return { rows };
    }
    const rows = await listRequestedTenders(this.dataSource, this.now());
    return { rows: rows.sort((one, other) => one.firstAskedAt.localeCompare(other.firstAskedAt)) };
  }

  /** A tender with its files. NOT_FOUND. */
  async read(id: number): Promise<DeskTenderFiles> {
    const tender = await this.findTender(id);
    const [row] = await this.dataSource.query(TENDER_DOCUMENTS, [id, packageKey(tender)]);
    return row;
  }

  /** Finds tenders by names, with the rule of the command for names of folders. */
  async findTenders(names: readonly string[]): Promise<FindTendersResponse> {
    const found = await this.files.findTenders(names);
    const tenders = names.map((name) => {
      const [tender, ...others] = found.get(name) ?? [];
      const isAmbiguous = others.length > 0;
      return { name, id: tender && !isAmbiguous ? tender.id : null, isAmbiguous };
    });
    return { tenders };
  }

  /**
   * Attaches one file; it replaces a file of the same name. The package is built by `build`, or by the next run of
   * `fetch-documents`. NOT_FOUND; INVALID with status 413 for a file that is too large.
   */
  async attach(
    id: number,
    { name, kind, allWorks }: AttachQuery,
    content: Readable,
    act: OperatorAct,
  ): Promise<AttachedFile> {
    const tender = await this.findTender(id);
    // The scan reads a file several times, so it needs a local one.
    const folder = await mkdtemp(join(tmpdir(), 'nivida-attach-'));
    try {
      const path = join(folder, 'file');
      await pipeline(limitedBytes(content), createWriteStream(path));
      const [file] = await this.files.storeFiles(tender, [{ path, name, kind }], act, allWorks === 'true');
      if (!file) throw new Error('No file was stored');
      return file;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Builds the package of a tender from its files. */
  async build(id: number): Promise<DeskTenderFiles> {
    await this.files.build(await this.findTender(id));
    return this.read(id);
  }

  /** Removes a file from a tender's package and builds it anew. NOT_FOUND for a file of another package. */
  async remove(id: number, fileId: string, act: OperatorAct): Promise<DeskTenderFiles> {
    await this.files.removeFile(await this.findTender(id), fileId, act);
    return this.read(id);
  }

  private async findTender(id: number): Promise<TenderEntity> {
    const tender = await this.dataSource.getRepository(TenderEntity).findOneBy({ id });
    if (!tender) throw tenderNotFound();
    return tender;
  }
}

async function* limitedBytes(content: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_OFFICIAL_FILE_BYTES)
      throw new AppError(
        'INVALID',
        () =>
          t`A file may have ${{ size: MAX_OFFICIAL_FILE_BYTES / 1_000_000 }} MB. Attach a larger one with the command.`,
        undefined,
        413,
      );
    yield chunk;
  }
}

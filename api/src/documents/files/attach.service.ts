import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import type { FileKind } from '@nivida/contract/orders/document-package';
import { DataSource } from 'typeorm';
import { recordAuditEvent } from '../../audit/audit.service.ts';
import { CLOCK } from '../../http/injection-tokens.ts';
import { packageKey } from '../../orders/document-delivery.port.ts';
import { TenderEntity } from '../../tenders/tender.entity.ts';
import { PackagesService } from '../packages/packages.service.ts';
import { FileUploadService, type UploadedFile } from './file-upload.service.ts';
import { IS_SELLABLE, LISTED_FILES } from './files.sql.ts';

/** The id names no tender, or tenders of several portals. */
export class UnknownTenderError extends Error {
  override name = 'UnknownTenderError';
}

/** A file or package as the operator sees it. */
export interface ListedDocumentFile {
  tender: string;
  name: string;
  kind: FileKind;
  /** It belongs to every work of the notice. */
  allWorks: boolean;
  state: string;
  bytes: number | null;
  note: string | null;
}

/** A file to attach. The kind follows from the name unless it is given. */
export interface FileToAttach {
  path: string;
  kind?: FileKind | undefined;
}

/** Attaches official files to tenders. */
@Injectable()
export class DocumentAttachService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly uploads: FileUploadService,
    private readonly packages: PackagesService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Attaches files to the tender with an id, ours or the portal's, and builds its package; with `allWorks` the files
   * belong to every work of its notice. Throws UnknownTenderError.
   */
  async attachFiles(
    id: string,
    attached: readonly FileToAttach[],
    reason: string,
    allWorks = false,
  ): Promise<UploadedFile[]> {
    const tender = await this.findTender(id);
    const nit = packageKey(tender);
    const taken = await this.dataSource.transaction(async (manager) => {
      const files: UploadedFile[] = [];
      for (const { path, kind } of attached) {
        const place = { nit, tenderId: tender.id, name: basename(path), kind, allWorks };
        files.push(await this.uploads.upload(manager, place, path));
      }
      const named = (state: UploadedFile['state']) =>
        files.filter((file) => file.state === state).map(({ name }) => name);
      const detail = { files: named('ready'), refused: named('refused'), ...(allWorks && { allWorks }), reason };
      const event = {
        action: 'documents.attached',
        actorId: null,
        subject: String(tender.id),
        detail,
        requestId: null,
      };
      await recordAuditEvent(manager, event, this.now());
      return files;
    });
    await this.packages.renew(nit, this.now());
    return taken;
  }

  /**
   * Attaches the files of a folder that holds one folder per tender, named by its id. Returns the result per file;
   * `unknown` are folders without a tender.
   */
  async attachFolder(
    folder: string,
    reason: string,
  ): Promise<{ files: (UploadedFile & { tender: string })[]; unknown: string[] }> {
    const files: (UploadedFile & { tender: string })[] = [];
    const unknown: string[] = [];
    for (const entry of (await readdir(folder, { withFileTypes: true })).filter((each) => each.isDirectory())) {
      const inside = await readdir(join(folder, entry.name), { withFileTypes: true });
      // Symbolic links are skipped: they may lead anywhere on this machine.
      const paths = inside.filter((each) => each.isFile()).map(({ name }) => join(folder, entry.name, name));
      try {
        const attached = paths.sort().map((path) => ({ path }));
        for (const file of await this.attachFiles(entry.name, attached, reason))
          files.push({ ...file, tender: entry.name });
      } catch (error) {
        if (!(error instanceof UnknownTenderError)) throw error;
        unknown.push(entry.name);
      }
    }
    return { files, unknown };
  }

  /** All official files, of one tender or of all, in the order of their tenders. */
  async listFiles(id: string | undefined): Promise<ListedDocumentFile[]> {
    const only = id === undefined ? null : (await this.findTender(id)).id;
    return this.dataSource.query(LISTED_FILES, [only]);
  }

  /** Whether the tender's package can be sold: its NIT is among the files. */
  async isSellable(id: string): Promise<boolean> {
    const { id: tenderId } = await this.findTender(id);
    const [row] = await this.dataSource.query(IS_SELLABLE, [tenderId]);
    return row.sellable;
  }

  private async findTender(id: string): Promise<TenderEntity> {
    const tenders = this.dataSource.getRepository(TenderEntity);
    const isOurs = /^\d{1,10}$/.test(id) && Number(id) <= MAX_INTEGER_ID;
    const found = isOurs ? await tenders.findBy({ id: Number(id) }) : await tenders.findBy({ sourceId: id });
    const [tender] = found;
    if (!tender) throw new UnknownTenderError(`there is no tender "${id}"`);
    if (found.length > 1) {
      const ids = found.map((each) => `${each.id} (${each.portal})`).join(', ');
      throw new UnknownTenderError(`several portals have a tender "${id}"; name it by its id here: ${ids}`);
    }
    return tender;
  }
}

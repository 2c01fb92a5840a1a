import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import type { FileKind } from '@nivida/contract/orders/document-package';
import { DataSource, In } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { forEachConcurrently } from '../../base/task-runners.ts';
import { packageKey } from '../../orders/document-delivery.port.ts';
import { TenderEntity } from '../../tenders/tender.entity.ts';
import { PackagesService } from '../packages/packages.service.ts';
import { FileUploadService, type UploadedFile } from './file-upload.service.ts';
import { DELETE_FILE, IS_SELLABLE, LISTED_FILES } from './files.sql.ts';

/** Notices attached in parallel. Two cores scan and zip while the others wait for the disk and the store. */
const NOTICES_AT_ONCE = 4;

const IDS_PER_QUERY = 1_000;

/** Whether an id is one of ours and not a portal's. */
const isOwnId = (id: string): boolean => /^\d{1,10}$/.test(id) && Number(id) <= MAX_INTEGER_ID;

/** The one tender of an id. Throws UnknownTenderError or AmbiguousTenderError. */
function oneTender(id: string, [tender, ...others]: readonly TenderEntity[] = []): TenderEntity {
  if (!tender) throw new UnknownTenderError(`there is no tender "${id}"`);
  if (others.length === 0) return tender;
  const ids = [tender, ...others].map((each) => `${each.id} (${each.portal})`).join(', ');
  throw new AmbiguousTenderError(`several portals have a tender "${id}"; name it by its id here: ${ids}`);
}

/** The id names no tender. */
export class UnknownTenderError extends Error {
  override name = 'UnknownTenderError';
}

/** The id names tenders of several portals. */
export class AmbiguousTenderError extends Error {
  override name = 'AmbiguousTenderError';
}

/** A folder of files, named by the id of its tender. */
interface TenderFolder {
  name: string;
  tender: TenderEntity;
}

/** Progress after the folder of one tender. `done` counts the finished folders; they finish in any order. */
export interface AttachProgress {
  tender: string;
  done: number;
  total: number;
  /** Undefined when the folder failed. */
  files?: readonly UploadedFile[];
}

/** The result of a folder. Tenders are in the order of their names. */
export interface AttachedFolder {
  files: (UploadedFile & { tender: string })[];
  /** Folders without a tender. */
  unknown: string[];
  /** Tenders whose files or package could not be stored. */
  failed: { tender: string; message: string }[];
}

/** A file or package as the operator sees it. */
export interface ListedDocumentFile {
  tender: string;
  name: string;
  kind: FileKind;
  /** Whether it belongs to every work of the notice. */
  allWorks: boolean;
  state: string;
  bytes: number | null;
  note: string | null;
}

/** A file to attach. The kind follows from the name unless it is given. */
export interface FileToAttach {
  path: string;
  /** The name in the package; without it that of the path. */
  name?: string;
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
   * belong to every work of its notice. Throws UnknownTenderError or AmbiguousTenderError.
   */
  async attachFiles(
    id: string,
    attached: readonly FileToAttach[],
    act: OperatorAct,
    allWorks = false,
  ): Promise<UploadedFile[]> {
    const tender = await this.findTender(id);
    const taken = await this.storeFiles(tender, attached, act, allWorks);
    await this.build(tender);
    return taken;
  }

  /**
   * Attaches the files of a folder that holds one folder per tender, named by its id. Stored files are skipped, so the call
   * can be repeated. A tender that fails does not stop the others.
   */
  async attachFolder(
    folder: string,
    act: OperatorAct,
    onProgress: (progress: AttachProgress) => void,
  ): Promise<AttachedFolder> {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
    const unknown: string[] = [];
    const failures = new Map<string, string>();
    const attached = new Map<string, UploadedFile[]>();
    const fail = (name: string, error: unknown) => {
      failures.set(name, (error as Error).message);
      attached.delete(name);
    };
    const folders: TenderFolder[] = [];
    const tenders = await this.findTenders(names);
    for (const name of names)
      try {
        folders.push({ name, tender: oneTender(name, tenders.get(name)) });
      } catch (error) {
        if (error instanceof UnknownTenderError) unknown.push(name);
        else fail(name, error);
      }
    let done = 0;
    // The works of a notice share a package. It is built once for all of them.
    const notices = [...Map.groupBy(folders, ({ tender }) => packageKey(tender))];
    await forEachConcurrently(notices, NOTICES_AT_ONCE, async ([nit, works]) => {
      for (const { name, tender } of works) {
        const files = await this.filesOf(join(folder, name))
          .then((paths) => this.storeFiles(tender, paths, act, false))
          .catch((error) => fail(name, error));
        if (files) attached.set(name, files);
        done += 1;
        onProgress({ tender: name, done, total: folders.length, ...(files && { files }) });
      }
      const built = this.packages.renew(nit, this.now());
      await built.catch((error) => {
        for (const { name } of works) if (attached.has(name)) fail(name, error);
      });
    });
    return {
      files: names.flatMap((tender) => (attached.get(tender) ?? []).map((file) => ({ ...file, tender }))),
      unknown,
      failed: names.flatMap((tender) => {
        const message = failures.get(tender);
        return message === undefined ? [] : [{ tender, message }];
      }),
    };
  }

  /** The files directly in a folder. Symbolic links are skipped: they may lead anywhere on this machine. */
  private async filesOf(folder: string): Promise<FileToAttach[]> {
    const inside = await readdir(folder, { withFileTypes: true });
    const paths = inside.filter((each) => each.isFile()).map(({ name }) => join(folder, name));
    return paths.sort().map((path) => ({ path }));
  }

  /** Stores files of a tender and records them in one audit event. Its package stays as it is until it is built. */
  storeFiles(
    tender: TenderEntity,
    attached: readonly FileToAttach[],
    act: OperatorAct,
    allWorks: boolean,
  ): Promise<UploadedFile[]> {
    const nit = packageKey(tender);
    return this.dataSource.transaction(async (manager) => {
      const files: UploadedFile[] = [];
      for (const { path, name = basename(path), kind } of attached) {
        const place = { nit, tenderId: tender.id, name, kind, allWorks };
        files.push(await this.uploads.upload(manager, place, path));
      }
      const changed = files.filter(({ isStored }) => !isStored);
      if (changed.length === 0) return files;
      const named = (state: UploadedFile['state']) =>
        changed.filter((file) => file.state === state).map(({ name }) => name);
      const detail = { files: named('ready'), refused: named('refused'), ...(allWorks && { allWorks }) };
      const change = { action: 'documents.attached', subject: String(tender.id), detail };
      await recordAct(manager, act, change, this.now());
      return files;
    });
  }

  /** Removes a file of a tender's package and builds the package. Packages of buyers stay. NOT_FOUND. */
  async removeFile(tender: TenderEntity, fileId: string, act: OperatorAct): Promise<void> {
    const fileKey = await this.dataSource.transaction(async (manager) => {
      const [[removed]]: [{ name: string; kind: FileKind; fileKey: string | null }[]] = await manager.query(
        DELETE_FILE,
        [fileId, packageKey(tender), tender.id],
      );
      if (!removed) throw new AppError('NOT_FOUND', () => t`This file is not here any more`);
      const detail = { file: removed.name, kind: removed.kind };
      await recordAct(manager, act, { action: 'documents.removed', subject: String(tender.id), detail }, this.now());
      return removed.fileKey;
    });
    // A build of this process that has begun still reads the file, so it goes after the next one. A build of the documents
    // job in another process may fail for it; the job logs that, and its next run builds what is still stale.
    await this.build(tender).finally(async () => {
      if (fileKey) await this.packages.store.remove(fileKey);
    });
  }

  /** Builds the package of a tender and its notice from the stored files. */
  async build(tender: TenderEntity): Promise<void> {
    await this.packages.renew(packageKey(tender), this.now());
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

  /** The tender with an id, ours or the portal's. Throws UnknownTenderError or AmbiguousTenderError. */
  async findTender(id: string): Promise<TenderEntity> {
    return oneTender(id, (await this.findTenders([id])).get(id));
  }

  /** The tenders with ids, ours or the portals', by these ids; one query for a thousand. An unknown id is missing. */
  async findTenders(ids: readonly string[]): Promise<Map<string, TenderEntity[]>> {
    const found = new Map<string, TenderEntity[]>();
    for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
      const [ours, others] = [new Set<string>(), new Set<string>()];
      for (const id of ids.slice(from, from + IDS_PER_QUERY)) (isOwnId(id) ? ours : others).add(id);
      const tenders = await this.dataSource
        .getRepository(TenderEntity)
        .findBy([{ id: In([...ours].map(Number)) }, { sourceId: In([...others]) }]);
      const add = (id: string, tender: TenderEntity) => found.set(id, [...(found.get(id) ?? []), tender]);
      for (const tender of tenders) {
        if (others.has(tender.sourceId)) add(tender.sourceId, tender);
        for (const id of ours) if (Number(id) === tender.id) add(id, tender);
      }
    }
    return found;
  }
}

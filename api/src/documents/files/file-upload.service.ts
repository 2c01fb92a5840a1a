import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { FileProblem } from '@nivida/contract/desk/documents';
import { type FileKind, fileKindFromName } from '@nivida/contract/orders/document-package';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import type { StoredFile } from '../../storage/file-store.ts';
import { safeFileName } from '../packages/file-names.ts';
import { PackagesService } from '../packages/packages.service.ts';
import { RejectedFileError, scanFile } from './file-scan.ts';
import { PACKAGE_BYTES_WITHOUT_FILE, STORED_FILE, UPSERT_FILE } from './files.sql.ts';

/** Maximum size of one package before it is zipped. */
const MAX_PACKAGE_BYTES = 200_000_000;

/** Result for one file; `note` is the reason of a rejection, or a warning for its readers. */
export interface UploadedFile {
  name: string;
  kind: FileKind;
  state: 'ready' | 'refused';
  note: string | null;
  /** The code of a reason that the desk has advice for. */
  problem?: FileProblem;
  /** Set when the file was stored before with the same content. */
  isStored?: true;
}

/** Where a file belongs. */
export interface FileLocation {
  nit: string;
  tenderId: number;
  name: string;
  /** Derived from the name when missing. */
  kind?: FileKind | undefined;
  /** The file belongs to every work of the notice. */
  allWorks?: boolean;
}

/** Scans and stores files and records them for their tender's package. */
@Injectable()
export class FileUploadService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly packages: PackagesService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Stores a local file unless the same one is stored. It replaces a file of the same name. A rejected file is not recorded. */
  async upload(manager: EntityManager, location: FileLocation, path: string): Promise<UploadedFile> {
    const name = safeFileName(location.name);
    const stored = await this.findStored(manager, { ...location, name }, path);
    if (stored) return stored;
    try {
      // Scanned before it is copied, so that a rejected file is not copied.
      await scanFile(path, name);
      const stored = await this.packages.store.put(createReadStream(path));
      return await this.register(manager, { ...location, name }, stored, null);
    } catch (error) {
      if (error instanceof RejectedFileError) return { name, kind: fileKind(location), ...refusal(error) };
      throw error;
    }
  }

  /** The file with the same name, content and place, if the store has it. */
  private async findStored(
    manager: EntityManager,
    location: FileLocation,
    path: string,
  ): Promise<UploadedFile | undefined> {
    const { nit, tenderId, name, allWorks = false } = location;
    const kind = fileKind(location);
    const [row]: { fileKey: string; sha256: string; note: string | null }[] = await manager.query(STORED_FILE, [
      nit,
      tenderId,
      name,
      kind,
      allWorks,
    ]);
    if (!row) return undefined;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    if (hash.digest('hex') !== row.sha256 || !(await this.packages.store.has(row.fileKey))) return undefined;
    return { name, kind, state: 'ready', note: row.note, isStored: true };
  }

  /** Scans a stored file and records it. A rejected file is recorded too, and removed from the store. */
  async register(
    manager: EntityManager,
    location: FileLocation,
    stored: StoredFile,
    sourceUrl: string | null,
  ): Promise<UploadedFile> {
    try {
      const { warning } = await this.scanStored(stored, location.name);
      await this.assertPackageSize(manager, location, stored.bytes);
      await this.storeFileRow(manager, location, { state: 'ready', note: warning, sourceUrl, stored });
      return { name: location.name, kind: fileKind(location), state: 'ready', note: warning };
    } catch (error) {
      await this.packages.store.remove(stored.key);
      if (!(error instanceof RejectedFileError)) throw error;
      if (sourceUrl === null) throw error;
      await this.storeFileRow(manager, location, { ...refusal(error), sourceUrl });
      return { name: location.name, kind: fileKind(location), ...refusal(error) };
    }
  }

  /** Records a file that could not be fetched, with the reason. */
  registerRejected(location: FileLocation, sourceUrl: string, error: Error): Promise<void> {
    return this.storeFileRow(this.dataSource.manager, location, { ...refusal(error), sourceUrl });
  }

  private async scanStored({ key }: StoredFile, name: string): ReturnType<typeof scanFile> {
    const { path, release } = await this.packages.store.openLocal(key);
    return scanFile(path, name).finally(release);
  }

  private async assertPackageSize(
    manager: EntityManager,
    { nit, tenderId, name }: FileLocation,
    bytes: number,
  ): Promise<void> {
    const [{ total }]: [{ total: number }] = await manager.query(PACKAGE_BYTES_WITHOUT_FILE, [nit, tenderId, name]);
    if (total + bytes > MAX_PACKAGE_BYTES)
      throw new RejectedFileError(
        `would make the package larger than ${MAX_PACKAGE_BYTES / 1_000_000} MB`,
        'package-size',
      );
  }

  private async storeFileRow(
    manager: EntityManager,
    location: FileLocation,
    file: Pick<UploadedFile, 'state' | 'note' | 'problem'> & { sourceUrl: string | null; stored?: StoredFile },
  ): Promise<void> {
    const { nit, tenderId, name, allWorks = false } = location;
    const { state, note, problem, sourceUrl, stored } = file;
    const values = [
      nit,
      tenderId,
      name,
      sourceUrl,
      stored?.key,
      stored?.sha256,
      stored?.bytes,
      state,
      note,
      this.now(),
      fileKind(location),
      allWorks,
      problem,
    ];
    await manager.query(UPSERT_FILE, values);
  }
}

const refusal = (error: Error): Pick<UploadedFile, 'state' | 'note' | 'problem'> => ({
  state: 'refused',
  note: error.message,
  ...(error instanceof RejectedFileError && error.problem && { problem: error.problem }),
});

const fileKind = ({ kind, name }: FileLocation): FileKind => kind ?? fileKindFromName(name);

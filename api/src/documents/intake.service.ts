import { createReadStream } from 'node:fs';
import { Inject, Injectable } from '@nestjs/common';
import { type FileKind, kindOfName } from '@nivida/contract/document-package';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK } from '../http/tokens.ts';
import { safeName } from './names.ts';
import { PackagesService } from './packages.service.ts';
import { Refused, scanFile } from './scan.ts';
import type { StoredFile } from './store.ts';

/** Of one package, before it is zipped. */
export const MOST_PACKAGE_BYTES = 200_000_000;

/** What became of a file; `note` says why it was refused, or what its readers should know. */
export interface TakenFile {
  name: string;
  kind: FileKind;
  state: 'ready' | 'refused';
  note: string | null;
}

/** Where a file belongs. */
export interface FilePlace {
  nit: string;
  tenderId: number;
  name: string;
  /** Left out, it follows from the name. */
  kind?: FileKind | undefined;
  /** The file belongs to every work of the notice. */
  allWorks?: boolean;
}

/** Takes files in: scanned, stored, and entered for the package of their tender. */
@Injectable()
export class IntakeService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(PackagesService) private readonly packages: PackagesService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Takes a file of this machine in, in place of one of the same name. Nothing is entered for a refused one. */
  async attach(manager: EntityManager, place: FilePlace, path: string): Promise<TakenFile> {
    const name = safeName(place.name);
    try {
      // First where it lies: what is refused need not be copied.
      await scanFile(path, name);
      const stored = await this.packages.store.put(createReadStream(path));
      return await this.enter(manager, { ...place, name }, stored, null);
    } catch (error) {
      if (error instanceof Refused) return { name, kind: kindOf(place), state: 'refused', note: error.message };
      throw error;
    }
  }

  /** Judges a file that is in the store already and enters it, also when it is refused: then it is not stored any more. */
  async enter(
    manager: EntityManager,
    place: FilePlace,
    stored: StoredFile,
    sourceUrl: string | null,
  ): Promise<TakenFile> {
    try {
      const { warning } = await scanFile(this.packages.store.pathOf(stored.key), place.name);
      await this.refuseLarge(manager, place, stored.bytes);
      await this.write(manager, place, { state: 'ready', note: warning, sourceUrl, stored });
      return { name: place.name, kind: kindOf(place), state: 'ready', note: warning };
    } catch (error) {
      await this.packages.store.remove(stored.key);
      if (!(error instanceof Refused)) throw error;
      if (sourceUrl === null) throw error;
      await this.write(manager, place, { state: 'refused', note: error.message, sourceUrl });
      return { name: place.name, kind: kindOf(place), state: 'refused', note: error.message };
    }
  }

  /** Enters a file that will not come, and why. */
  refuse(place: FilePlace, sourceUrl: string, note: string): Promise<void> {
    return this.write(this.dataSource.manager, place, { state: 'refused', note, sourceUrl });
  }

  private async refuseLarge(manager: EntityManager, { nit, tenderId, name }: FilePlace, bytes: number): Promise<void> {
    const [{ total }]: [{ total: number }] = await manager.query(
      `SELECT coalesce(sum(bytes), 0)::float8 AS total FROM package_file
       WHERE nit = $1 AND state = 'ready' AND (tender_id, name) <> ($2, $3)`,
      [nit, tenderId, name],
    );
    if (total + bytes > MOST_PACKAGE_BYTES)
      throw new Refused(`would make the package larger than ${MOST_PACKAGE_BYTES / 1_000_000} MB`);
  }

  private async write(
    manager: EntityManager,
    place: FilePlace,
    file: { state: 'ready' | 'refused'; note: string | null; sourceUrl: string | null; stored?: StoredFile },
  ): Promise<void> {
    const { nit, tenderId, name, allWorks = false } = place;
    const { state, note, sourceUrl, stored } = file;
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
      kindOf(place),
      allWorks,
    ];
    await manager.query(
      `INSERT INTO package_file
         (nit, tender_id, name, source_url, file_key, sha256, bytes, state, note, added_at, ready_at, kind, all_works)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12)
       ON CONFLICT (nit, tender_id, name) DO UPDATE SET source_url = excluded.source_url, file_key = excluded.file_key,
         sha256 = excluded.sha256, bytes = excluded.bytes, state = excluded.state, note = excluded.note,
         kind = excluded.kind, all_works = excluded.all_works, next_try_at = NULL, ready_at = CASE
           WHEN (package_file.sha256, package_file.kind, package_file.all_works)
             IS DISTINCT FROM (excluded.sha256, excluded.kind, excluded.all_works) THEN excluded.ready_at ELSE package_file.ready_at END`,
      values,
    );
  }
}

const kindOf = ({ kind, name }: FilePlace): FileKind => kind ?? kindOfName(name);

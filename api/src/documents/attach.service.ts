import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { FileKind } from '@nivida/contract/document-package';
import { DataSource } from 'typeorm';
import { recordDeed } from '../audit/audit.service.ts';
import { CLOCK } from '../http/tokens.ts';
import { nitOf } from '../orders/delivery.service.ts';
import { TenderEntity } from '../tenders/tender.entity.ts';
import { IntakeService, type TakenFile } from './intake.service.ts';
import { PackagesService } from './packages.service.ts';

const LARGEST_ID = 2_147_483_647;

/** Thrown for an id that names no tender, or several of different portals. */
export class UnknownTender extends Error {
  override name = 'UnknownTender';
}

/** One file or package as the operator sees it. */
export interface ListedFile {
  tender: string;
  name: string;
  kind: FileKind;
  /** It belongs to every work of the notice. */
  allWorks: boolean;
  state: string;
  bytes: number | null;
  note: string | null;
}

/** A file to attach; without a kind it follows from the name. */
export interface AttachedFile {
  path: string;
  kind?: FileKind | undefined;
}

/** The operator's way to give tenders their official files. */
@Injectable()
export class AttachService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(IntakeService) private readonly intake: IntakeService,
    @Inject(PackagesService) private readonly packages: PackagesService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Attaches files to the tender of an id, ours or the portal's, and makes its package; with `allWorks` they belong to every
   * work of its notice. Throws UnknownTender.
   */
  async attach(id: string, attached: readonly AttachedFile[], reason: string, allWorks = false): Promise<TakenFile[]> {
    const tender = await this.find(id);
    const nit = nitOf(tender);
    const taken = await this.dataSource.transaction(async (manager) => {
      const files: TakenFile[] = [];
      for (const { path, kind } of attached) {
        const place = { nit, tenderId: tender.id, name: basename(path), kind, allWorks };
        files.push(await this.intake.attach(manager, place, path));
      }
      const named = (state: TakenFile['state']) => files.filter((file) => file.state === state).map(({ name }) => name);
      const detail = { files: named('ready'), refused: named('refused'), ...(allWorks && { allWorks }), reason };
      const deed = { action: 'documents.attached', actorId: null, subject: String(tender.id), detail, requestId: null };
      await recordDeed(manager, deed, this.now());
      return files;
    });
    await this.packages.renew(nit, this.now());
    return taken;
  }

  /**
   * Attaches the files of a folder that holds one folder for each tender, called by its id. Gives what became of every
   * file; `unknown` are the folders that no tender is called by.
   */
  async attachFolder(
    folder: string,
    reason: string,
  ): Promise<{ files: (TakenFile & { tender: string })[]; unknown: string[] }> {
    const files: (TakenFile & { tender: string })[] = [];
    const unknown: string[] = [];
    for (const entry of (await readdir(folder, { withFileTypes: true })).filter((each) => each.isDirectory())) {
      const inside = await readdir(join(folder, entry.name), { withFileTypes: true });
      // Links may lead anywhere on this machine, and are left alone.
      const paths = inside.filter((each) => each.isFile()).map(({ name }) => join(folder, entry.name, name));
      try {
        const attached = paths.sort().map((path) => ({ path }));
        for (const file of await this.attach(entry.name, attached, reason)) files.push({ ...file, tender: entry.name });
      } catch (error) {
        if (!(error instanceof UnknownTender)) throw error;
        unknown.push(entry.name);
      }
    }
    return { files, unknown };
  }

  /** All official files, of one tender or of all, in the order of their tenders. */
  async list(id: string | undefined): Promise<ListedFile[]> {
    const only = id === undefined ? null : (await this.find(id)).id;
    return this.dataSource.query(
      `SELECT coalesce(t.source_id, f.tender_id::text) AS tender, f.name, f.kind, f.all_works AS "allWorks", f.state, f.bytes::float8 AS bytes, f.note
       FROM package_file f LEFT JOIN tender t ON t.id = f.tender_id
       WHERE $1::integer IS NULL OR f.tender_id = $1 ORDER BY f.tender_id, f.id`,
      [only],
    );
  }

  /** Whether anything can be sold for a tender: its NIT is among the files. */
  async isSellable(id: string): Promise<boolean> {
    const { id: tenderId } = await this.find(id);
    const [row] = await this.dataSource.query('SELECT package_kind FROM tender WHERE id = $1', [tenderId]);
    return row.package_kind !== null;
  }

  private async find(id: string): Promise<TenderEntity> {
    const tenders = this.dataSource.getRepository(TenderEntity);
    const isOurs = /^\d{1,10}$/.test(id) && Number(id) <= LARGEST_ID;
    const found = isOurs ? await tenders.findBy({ id: Number(id) }) : await tenders.findBy({ sourceId: id });
    const [tender] = found;
    if (!tender) throw new UnknownTender(`there is no tender "${id}"`);
    if (found.length > 1) {
      const ids = found.map((each) => `${each.id} (${each.portal})`).join(', ');
      throw new UnknownTender(`several portals have a tender "${id}"; name it by its id here: ${ids}`);
    }
    return tender;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { Boq } from '@nivida/contract/documents/boq';
import { compareBoqs } from '@nivida/contract/documents/compare-boqs';
import {
  type BoqChanges,
  type BoqSummary,
  type ReadFile,
  type ReadingCounts,
  type ReadingVersions,
  readingVersion,
  type TenderBoq,
  type TenderFact,
  type TenderReading,
} from '@nivida/contract/documents/tender-reading';
import { DataSource } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import { packageKey } from '../../orders/document-delivery.port.ts';
import { PaymentGateway } from '../../payments/payment-gateway.port.ts';
import type { TenderEntity } from '../../tenders/tender.entity.ts';
import { DownloadQuotasService } from '../delivery/download-quotas.service.ts';
import { DocumentsService } from '../documents.service.ts';
import { OwnReadingsService } from './own-readings.service.ts';
import {
  BOQS_OF_TENDER,
  EARLIER_BOQS,
  FACTS_OF_TENDER,
  FILES_WITH_STATE,
  HAS_DOWNLOADED,
  READING_COUNTS,
} from './reading.sql.ts';

/** A BOQ as stored; `boq` is null when it was not asked for. */
interface StoredBoq {
  fileId: string;
  name: string;
  tenderId: number;
  summary: BoqSummary;
  boq: Boq | null;
  readAt: Date;
}

type Queryable = Pick<DataSource, 'query'>;

const NOTHING: TenderReading = { files: [], facts: [], boqs: [] };

type EarlierBoq = Pick<StoredBoq, 'name' | 'tenderId' | 'readAt'> & { boq: Boq };

/** What the official documents of a tender say. */
@Injectable()
export class TenderReadingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: DocumentsService,
    private readonly own: OwnReadingsService,
    private readonly quotas: DownloadQuotasService,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Lines and summaries for everybody, whole BOQs for an account that has the package, and its own files. NOT_FOUND. */
  async read(id: string, userId: string | null): Promise<TenderReading> {
    const tender = await this.documents.findTender(id);
    const hasPackage = userId !== null && (await this.hasPackage(tender, userId));
    const own = userId === null ? NOTHING : await this.own.ofTender(userId, tender.id);
    const files = await readFilesOf(this.dataSource, tender);
    if (files.length === 0) return own;
    return {
      files: [...files, ...own.files],
      facts: [...(await this.readFacts(tender)), ...own.facts],
      boqs: [...(await this.readBoqs(tender, hasPackage)), ...own.boqs],
    };
  }

  /** The versions of what devices have stored. */
  async versions(ids: readonly number[]): Promise<ReadingVersions> {
    const rows: (Omit<ReadingCounts, 'readAt'> & { id: number; readAt: Date | null })[] = await this.dataSource.query(
      READING_COUNTS,
      [ids, this.now()],
    );
    const entries = rows.map(({ id, readAt, ...counts }) => [
      id,
      readingVersion({ ...counts, readAt: readAt?.toISOString() ?? null }),
    ]);
    return { versions: Object.fromEntries(entries) };
  }

  /** Without the lines that an operator has hidden. */
  readFacts(tender: TenderEntity, source: Queryable = this.dataSource): Promise<TenderFact[]> {
    return source.query(FACTS_OF_TENDER, [packageKey(tender), tender.id]);
  }

  /** `isWhole`: with the tables and what changed in them. */
  async readBoqs(tender: TenderEntity, isWhole: boolean, source: Queryable = this.dataSource): Promise<TenderBoq[]> {
    const nit = packageKey(tender);
    const current: StoredBoq[] = await source.query(BOQS_OF_TENDER, [nit, tender.id, isWhole]);
    const earlier: EarlierBoq[] = isWhole && current.length > 0 ? await source.query(EARLIER_BOQS, [nit]) : [];
    return current.map((boq) => ({
      fileId: boq.fileId,
      summary: boq.summary,
      boq: boq.boq,
      changes: findChanges(boq, current, earlier),
    }));
  }

  /**
   * Bought, or downloaded with a plan in any month: a plan alone does not do, because reading takes no download of it.
   * Where nothing is sold, what the account could download.
   */
  private async hasPackage(tender: TenderEntity, userId: string): Promise<boolean> {
    const { refusal, isFree } = await this.quotas.readPermission(userId, tender.id);
    if (refusal === null && (isFree || this.gateway.mode === 'none')) return true;
    const [row] = await this.dataSource.query(HAS_DOWNLOADED, [userId, packageKey(tender)]);
    return row.downloaded;
  }
}

/** The files of a tender with the state of their reading; the members of an archive once it is read. */
export async function readFilesOf(
  dataSource: Queryable,
  tender: Pick<TenderEntity, 'id' | 'nitKey'>,
): Promise<ReadFile[]> {
  const rows: (Omit<ReadFile, 'readAt' | 'isOwn'> & { readAt: Date | null })[] = await dataSource.query(
    FILES_WITH_STATE,
    [packageKey(tender), tender.id],
  );
  return rows.map((file) => ({ ...file, readAt: file.readAt?.toISOString() ?? null, isOwn: false }));
}

/** Compares with the file of the same name before, or with the one BOQ of the work that this one replaced. */
function findChanges(
  { name, tenderId, boq, readAt }: StoredBoq,
  current: StoredBoq[],
  earlier: EarlierBoq[],
): BoqChanges | null {
  const before = earlier.filter((each) => each.tenderId === tenderId && each.readAt < readAt);
  const isOnly = current.filter((each) => each.tenderId === tenderId).length === 1;
  const replaced = before.find((each) => each.name === name) ?? (isOnly ? before[0] : undefined);
  return boq && replaced ? compareBoqs(replaced.boq, boq) : null;
}

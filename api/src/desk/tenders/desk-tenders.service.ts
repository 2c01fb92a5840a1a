import { Injectable } from '@nestjs/common';
import {
  CORRECTABLE_FIELDS,
  type DeskTenderList,
  type DeskTenderQuery,
  type PLACE_EVIDENCE,
  type TenderStages,
} from '@nivida/contract/desk/tenders';
import { knownLanguage } from '@nivida/contract/languages';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import { findRegion, type Region } from '@nivida/contract/regions/regions';
import { parseQuery } from '@nivida/contract/search/query-words';
import { DataSource, In, IsNull } from 'typeorm';
import { UserEntity } from '../../auth/user.entity.ts';
import { tenderNotFound } from '../../base/app-error.ts';
import { CORRECTED_FIELDS } from '../../ingest/corrections/corrected-fields.ts';
import { CorrectionEntity } from '../../ingest/corrections/correction.entity.ts';
import { deriveDistrict, type PincodeTable, type PlaceTexts } from '../../ingest/places/places.ts';
import { readPincodes } from '../../ingest/places/rederive-places.job.ts';
import { findListedDepartment, type StoredRow } from '../../ingest/stored-row.ts';
import { HiddenTenderEntity } from '../../tenders/hidden-tender.entity.ts';
import { TenderReportEntity } from '../../tenders/reports/tender-report.entity.ts';
import { TenderEntity, TenderHistoryEntity } from '../../tenders/tender.entity.ts';
import { toTsquery } from '../../tenders/words.sql.ts';
import {
  CHANGED_BY_OPERATORS,
  FIND_TENDERS,
  LAST_SEEN_AT,
  NOTICES_BY_KIND,
  RELEASES_OF_TENDER,
  REPORTED_TENDERS,
  ROWS_OF_TENDER,
} from './tender-stages.sql.ts';

/** A stored row: the names of its columns, and its cells in their order. */
interface SourceRowOfTender {
  is_listed: boolean;
  file: string;
  line: number;
  read_at: Date;
  columns: string[];
  cells: string[];
}

const MAX_LISTED = 50;
/** Newest changes that are shown. */
const MAX_CHANGES = 50;
const MAX_EVIDENCE_LETTERS = 200;

/** Why a tender is shown as it is. It changes nothing. */
@Injectable()
export class DeskTendersService {
  constructor(private readonly dataSource: DataSource) {}

  /** Tenders by their id, the portal's id or words; without a text those that operators have changed, or with open reports. */
  async list({ find, show }: DeskTenderQuery): Promise<DeskTenderList> {
    const text = find.trim();
    const listed = show === 'reported' ? REPORTED_TENDERS : CHANGED_BY_OPERATORS;
    if (text === '') return { rows: await this.dataSource.query(listed, [MAX_LISTED]) };
    const id = /^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER_ID ? Number(text) : null;
    return { rows: await this.dataSource.query(FIND_TENDERS, [MAX_LISTED, id, toTsquery(parseQuery(text)), text]) };
  }

  /** One tender through every stage. NOT_FOUND. */
  async show(id: number): Promise<TenderStages> {
    const tender = await this.dataSource.getRepository(TenderEntity).findOneBy({ id });
    const region = tender && findRegion(tender.state);
    if (!tender || !region) throw tenderNotFound();
    const [history, corrections, hidden, [reports, reportCount], [seen], alerts, rows, [statement], pincodes] =
      await Promise.all([
        this.dataSource
          .getRepository(TenderHistoryEntity)
          .find({ where: { tenderId: id }, order: { changeNo: 'DESC' }, take: MAX_CHANGES }),
        this.dataSource.getRepository(CorrectionEntity).find({ where: { tenderId: id }, order: { id: 'DESC' } }),
        this.dataSource.getRepository(HiddenTenderEntity).findOneBy({ tenderId: id }),
        this.dataSource
          .getRepository(TenderReportEntity)
          .findAndCount({ where: { tenderId: id }, order: { createdAt: 'DESC' }, take: MAX_LISTED }),
        this.dataSource.query<{ seenAt: Date }[]>(LAST_SEEN_AT, [id]),
        this.dataSource.query<TenderStages['alerts']>(NOTICES_BY_KIND, [id]),
        this.dataSource.query<SourceRowOfTender[]>(ROWS_OF_TENDER, [id]),
        this.dataSource.query<{ releases: object[] }[]>(RELEASES_OF_TENDER, [tender.portal, tender.sourceId]),
        readPincodes(this.dataSource),
      ]);
    const readers = new Map(
      (
        await this.dataSource.getRepository(UserEntity).find({
          select: { id: true, language: true },
          where: { id: In(reports.flatMap(({ userId }) => userId ?? [])), deletedAt: IsNull() },
        })
      ).map((reader) => [reader.id, knownLanguage(reader.language)]),
    );
    const row = this.toStoredRow(tender);
    const lastRead = seen && seen.seenAt > tender.fetchedAt ? seen.seenAt : tender.fetchedAt;
    return {
      id,
      version: tender.version,
      title: tender.title,
      source: {
        portal: tender.portal,
        id: tender.sourceId,
        first_read_at: tender.fetchedAt.toISOString(),
        last_read_at: lastRead.toISOString(),
        rows: rows.map(({ columns, cells, read_at, ...read }) => ({
          ...read,
          read_at: read_at.toISOString(),
          cells: columns.map((column, n) => ({ column, value: cells[n] ?? '' })),
        })),
        releases: statement?.releases ?? [],
      },
      read_as: CORRECTABLE_FIELDS.map((field) => ({ field, value: CORRECTED_FIELDS[field].read(row) })),
      place: {
        district: tender.district,
        second_district: tender.secondDistrict,
        confidence: tender.districtConfidence,
        evidence: placeEvidence(region, tender, pincodes),
      },
      department: {
        name: tender.department,
        organisation: tender.organisationChain,
        is_listed: findListedDepartment(region, tender.organisationChain) !== null,
      },
      published: { at: hidden ? null : tender.publishedAt.toISOString(), is_public: tender.changeNo !== null },
      changes: history.map(({ at, kind, changes }) => ({ at: at.toISOString(), kind, changes })),
      alerts,
      corrections: corrections.map(({ field, value, sourceValue, reason, at, endedAt, endedBecause }) => ({
        field,
        value,
        source_value: sourceValue,
        reason,
        at: at.toISOString(),
        ended_at: endedAt?.toISOString() ?? null,
        ended_because: endedBecause,
      })),
      hidden: hidden && { at: hidden.hiddenAt.toISOString(), reason: hidden.reason },
      reports: reports.map((report) => ({
        id: report.id,
        kind: report.kind,
        text: report.text,
        at: report.createdAt.toISOString(),
        has_account: report.userId !== null && readers.has(report.userId),
        language: (report.userId !== null && readers.get(report.userId)) || null,
        closed_at: report.closedAt?.toISOString() ?? null,
        closed_reason: report.closedReason,
      })),
      more_reports: reportCount - reports.length,
    };
  }

  private toStoredRow(tender: TenderEntity): StoredRow {
    const { columns } = this.dataSource.getMetadata(TenderEntity);
    return Object.fromEntries(
      columns.map((column) => [column.databaseName, column.getEntityValue(tender)]),
    ) as unknown as StoredRow;
  }
}

const NO_TEXTS: PlaceTexts = {
  pincode: null,
  title: '',
  description: '',
  place: null,
  address: null,
  organisationChain: [],
};

/** The district that each text names by itself. Texts without one are left out. */
function placeEvidence(
  region: Region,
  tender: TenderEntity,
  pincodes: PincodeTable,
): TenderStages['place']['evidence'] {
  const { pincode, title, description, place, address, organisationChain } = tender;
  const texts: [(typeof PLACE_EVIDENCE)[number], string | null, Partial<PlaceTexts>][] = [
    ['pincode', pincode, { pincode }],
    ['title', title, { title }],
    ['description', description === title ? null : description, { description }],
    ['place', place, { place }],
    ['address', address, { address }],
    ['organisation', organisationChain.join(', '), { organisationChain }],
  ];
  return texts.flatMap(([from, text, alone]) => {
    const { district } = deriveDistrict(region, { ...NO_TEXTS, ...alone }, pincodes);
    return text && district ? { from, text: text.slice(0, MAX_EVIDENCE_LETTERS).toWellFormed(), district } : [];
  });
}

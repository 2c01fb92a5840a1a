import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { CorrectableField } from '@nivida/contract/desk/tenders';
import { formatDateTime } from '@nivida/contract/format';
import { findRegion, type Region } from '@nivida/contract/regions/regions';
import { CORRECTION_TYPE } from '@nivida/contract/tenders/tender';
import { DataSource, type EntityManager } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError, invalidField, tenderNotFound } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { takeChangeLock } from '../../database/locks.sql.ts';
import { isHidden } from '../../tenders/hidden-tender.entity.ts';
import { TenderEntity } from '../../tenders/tender.entity.ts';
import { compareRows, type Difference } from '../differences.ts';
import { INSERT_CHANGES, INSERT_CORRIGENDA } from '../ingest.sql.ts';
import { readPincodes } from '../places/rederive-places.job.ts';
import { InvalidValueError } from '../source-tender.ts';
import type { StoredRow } from '../stored-row.ts';
import {
  type AppliedCorrection,
  applyCorrections,
  endCorrections,
  readCorrections,
  undoCorrections,
} from './apply-corrections.ts';
import { CORRECTED_FIELDS } from './corrected-fields.ts';
import { CorrectionEntity } from './correction.entity.ts';
import { UPDATE_CORRECTED_TENDER } from './corrections.sql.ts';

/** A correction to make. `version`: the tender's version that its author saw. */
export interface NewCorrection {
  field: CorrectableField;
  /** As typed; empty: the field is emptied. */
  value: string;
  version?: number | undefined;
}

/** Title of a correction whose old and new values are not shown. */
const CORRECTION_TITLE = 'Details corrected';

/**
 * Corrects fields of tenders. A correction holds for later imports until the source states another value. Devices and
 * bookmarkers learn of it as of a change by the portal.
 */
@Injectable()
export class CorrectionsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Corrects a field. NOT_FOUND; INVALID for a value that the import would not read and for the present value; CONFLICT when
   * the tender has changed since `version`.
   */
  async correct(id: number, { field, value: typed, version }: NewCorrection, act: OperatorAct): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { tender, region, held } = await this.lock(manager, id);
      const earlier = held.find((each) => each.field === field);
      if (version !== undefined && version !== tender.version) throw changedMeanwhile(earlier);
      const value = readTyped(field, typed, region);
      const added: AppliedCorrection = { field, value };
      const kept = held.filter((each) => each !== earlier);
      const shown = await this.store(manager, tender, held, [...kept, added]);
      if (shown.before === value) throw invalidField('value', () => t`The tender has this value already`);
      if (earlier) await endCorrections(manager, [earlier], 'replaced', this.now());
      // The source's own value needs no correction.
      if (added.sourceValue !== value)
        await manager.getRepository(CorrectionEntity).insert({
          tenderId: id,
          field,
          value,
          sourceValue: added.sourceValue ?? null,
          reason: act.reason,
          actor: act.actorId,
          at: this.now(),
        });
      const detail = { field, before: shown.before ?? '', after: value ?? '', source: added.sourceValue ?? '' };
      await recordAct(manager, act, { action: 'tender.corrected', subject: String(id), detail }, this.now());
    });
  }

  /** Ends the correction of a field: the source's value is shown again. NOT_FOUND without one. */
  async uncorrect(id: number, field: CorrectableField, act: OperatorAct): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { tender, held } = await this.lock(manager, id);
      const ended = held.find((each) => each.field === field);
      if (!ended) throw new AppError('NOT_FOUND', () => t`This field is not corrected`);
      await this.store(
        manager,
        tender,
        held,
        held.filter((each) => each !== ended),
        field,
      );
      await endCorrections(manager, [ended], 'operator', this.now());
      const detail = { field, before: ended.value ?? '', after: ended.sourceValue ?? '' };
      await recordAct(manager, act, { action: 'tender.uncorrected', subject: String(id), detail }, this.now());
    });
  }

  /** The tender under the change lock, with the corrections that hold. NOT_FOUND. */
  private async lock(manager: EntityManager, id: number) {
    await takeChangeLock(manager);
    const tender = await manager.getRepository(TenderEntity).findOneBy({ id });
    const region = tender && findRegion(tender.state);
    if (!tender || !region) throw tenderNotFound();
    return { tender, region, held: (await readCorrections(manager, [id])).get(id) ?? [] };
  }

  /** Stores a tender with other corrections than it has: row, history and entry of changes. Returns what the field showed. */
  private async store(
    manager: EntityManager,
    tender: TenderEntity,
    held: readonly CorrectionEntity[],
    corrections: AppliedCorrection[],
    field: CorrectableField = (corrections.at(-1) as AppliedCorrection).field,
  ): Promise<{ before: string | null }> {
    const pincodes = await readPincodes(manager);
    const row = this.toRow(tender);
    const before = CORRECTED_FIELDS[field].read(row);
    undoCorrections(row, held, pincodes);
    const ended = applyCorrections(row, corrections, pincodes);
    await endCorrections(
      manager,
      ended.filter((each): each is CorrectionEntity => each instanceof CorrectionEntity),
      'source',
      this.now(),
    );
    assertDates(row);
    await this.write(manager, tender, row, compareRows(tender, row, []));
    return { before };
  }

  private async write(
    manager: EntityManager,
    { id, changeNo }: TenderEntity,
    row: StoredRow,
    { changes, corrigenda, kind }: Difference,
  ): Promise<void> {
    if (changes.length === 0) return;
    const now = this.now();
    await manager.query(UPDATE_CORRECTED_TENDER, [JSON.stringify(row), now, kind ?? 'other']);
    // A draft and a hidden tender are on no device.
    if (changeNo === null) return;
    await manager.query(INSERT_CHANGES, [JSON.stringify([{ id, changes }]), now]);
    const [first = { title: CORRECTION_TITLE, changes: [] }] = corrigenda;
    const entry = { ...first, tender_id: id, type: CORRECTION_TYPE };
    await manager.query(INSERT_CORRIGENDA, [JSON.stringify([entry]), now]);
  }

  /** The columns of a stored tender. The words are derived anew. */
  private toRow(tender: TenderEntity): StoredRow {
    const columns = this.dataSource.getMetadata(TenderEntity).columns;
    return Object.fromEntries(
      columns.map((column) => [column.databaseName, column.getEntityValue(tender)]),
    ) as unknown as StoredRow;
  }
}

function readTyped(field: CorrectableField, typed: string, region: Region): string | null {
  try {
    return CORRECTED_FIELDS[field].parse(typed, region);
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    const { value } = error;
    const { source } = CORRECTED_FIELDS[field];
    throw invalidField('value', () => t`“${value}” is no value for ${source}`);
  }
}

/** The import keeps a tender's dates in their order; a typing error must not break it. */
function assertDates(row: StoredRow): void {
  const { published_at, closes_at } = row;
  const opensAt = row.opens_at as Date | null;
  if (closes_at <= published_at && !isHidden({ publishedAt: published_at }))
    throw invalidField('value', () => t`A tender cannot close before it is published`);
  if (opensAt !== null && opensAt < closes_at)
    throw invalidField('value', () => t`Bids cannot be opened before the closing. Correct the opening first.`);
}

function changedMeanwhile(earlier: CorrectionEntity | undefined): AppError {
  if (!earlier)
    return new AppError('CONFLICT', () => t`This tender has changed since you opened it. Look at it again.`);
  const when = formatDateTime(earlier.at);
  const { value, reason } = earlier;
  const shown = value ?? '';
  return new AppError('CONFLICT', () => t`A colleague has corrected this field on ${when} to “${shown}”: ${reason}`);
}

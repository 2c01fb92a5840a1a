import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { DeskLine, DeskLines, LineState } from '@nivida/contract/desk/document-lines';
import type { FactValue } from '@nivida/contract/documents/document-facts';
import { DataSource } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError, tenderNotFound } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { DECIDE_ON_LINE, LINES_OF_TENDER, LOCK_LINE, TENDER_OF_LINE } from '../../documents/reading/reading.sql.ts';
import { readFilesOf } from '../../documents/reading/tender-reading.service.ts';
import { packageKey } from '../../orders/document-delivery.port.ts';
import { TenderEntity } from '../../tenders/tender.entity.ts';

type StoredLine = Omit<DeskLine, 'decidedAt'> & { decidedAt: Date | null };
type LockedLine = Pick<StoredLine, 'topic' | 'page' | 'state' | 'value' | 'decidedAt'> & { file: string };

/** What an operator decides on a line. 'found' takes the decision back. */
export type LineDecision =
  | { state: 'found' | 'confirmed' | 'hidden' }
  | { state: 'corrected'; value: FactValue | null };

const ACTIONS: Readonly<Record<LineState, string>> = {
  found: 'documents.line-restored',
  confirmed: 'documents.line-confirmed',
  corrected: 'documents.line-corrected',
  hidden: 'documents.line-hidden',
};

/** Confirms, corrects and hides lines of official files. */
@Injectable()
export class DocumentLinesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The files and lines of a tender. NOT_FOUND. */
  async read(tenderId: number): Promise<DeskLines> {
    const tender = await this.findTender(tenderId);
    const rows: StoredLine[] = await this.dataSource.query(LINES_OF_TENDER, [packageKey(tender), tenderId]);
    const lines = rows.map((line) => ({ ...line, decidedAt: line.decidedAt?.toISOString() ?? null }));
    return { id: tenderId, files: await readFilesOf(this.dataSource, tender), lines };
  }

  /** The tender whose file has the line. NOT_FOUND. */
  async findTenderOf(lineId: string): Promise<number> {
    const [row] = await this.dataSource.query(TENDER_OF_LINE, [lineId]);
    if (!row) throw lineNotFound();
    return row.id;
  }

  /**
   * Decides on a line. NOT_FOUND for a line of another tender, and when its file was replaced or read anew without it.
   * CONFLICT when the last decision is not that of the instant `shown`. The same decision once more changes nothing.
   */
  async decide(
    tenderId: number,
    lineId: string,
    decision: LineDecision,
    act: OperatorAct,
    shown?: string | null,
  ): Promise<DeskLines> {
    const tender = await this.findTender(tenderId);
    await this.dataSource.transaction(async (manager) => {
      const [line]: LockedLine[] = await manager.query(LOCK_LINE, [packageKey(tender), tenderId, lineId]);
      if (!line) throw lineNotFound();
      if (shown !== undefined && (line.decidedAt?.toISOString() ?? null) !== shown)
        throw new AppError('CONFLICT', () => t`A colleague has decided on this line meanwhile.`);
      const { topic, page, state: before, value: oldValue, file } = line;
      const value = decision.state === 'corrected' ? decision.value : null;
      const isSame = before === decision.state && (before !== 'corrected' || isEqual(oldValue, value));
      if (isSame) return;
      const now = this.now();
      await manager.query(DECIDE_ON_LINE, [lineId, decision.state, value && JSON.stringify(value), now]);
      const corrected = decision.state === 'corrected' && { from: valueText(oldValue), to: valueText(value) };
      const detail = { file, page, topic, before, ...corrected };
      await recordAct(manager, act, { action: ACTIONS[decision.state], subject: String(tenderId), detail }, now);
    });
    return this.read(tenderId);
  }

  private async findTender(id: number): Promise<TenderEntity> {
    const tender = await this.dataSource.getRepository(TenderEntity).findOneBy({ id });
    if (!tender) throw tenderNotFound();
    return tender;
  }
}

const lineNotFound = () => new AppError('NOT_FOUND', () => t`This line is not here any more`);

const isEqual = (one: FactValue | null, other: FactValue | null): boolean => valueText(one) === valueText(other);

/** '25000.00 rupees', '90 days', 'none' */
export const valueText = (value: FactValue | null): string => (value ? `${value.amount} ${value.unit}` : 'none');

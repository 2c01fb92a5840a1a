import { Inject, Injectable } from '@nestjs/common';
import { type ComparedTender, findContradictions } from '@nivida/contract/documents/contradictions';
import { DataSource, In } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import { DifferenceNoticesService } from '../../push/alerts/difference-notices.service.ts';
import { TenderEntity } from '../../tenders/tender.entity.ts';
import { OPEN_TENDERS_OF_FILE } from './reading.sql.ts';
import type { FileToRead } from './reading-store.service.ts';
import { readFilesOf, TenderReadingService } from './tender-reading.service.ts';

/** Notifies followers of what a reading found. */
@Injectable()
export class ReadingNoticesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly readings: TenderReadingService,
    private readonly notices: DifferenceNoticesService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Notifies followers of the open tenders of a file whose estimate the portal, the notice and the BOQ name differently. */
  async notify({ id }: Pick<FileToRead, 'id'>): Promise<void> {
    const open: { id: number }[] = await this.dataSource.query(OPEN_TENDERS_OF_FILE, [id, this.now()]);
    const tenders = await this.dataSource.getRepository(TenderEntity).findBy({ id: In(open.map((each) => each.id)) });
    const differing: number[] = [];
    for (const tender of tenders) if (await this.hasDifferentEstimates(tender)) differing.push(tender.id);
    await this.notices.notify(differing);
  }

  private async hasDifferentEstimates(tender: TenderEntity): Promise<boolean> {
    const files = await readFilesOf(this.dataSource, tender);
    const facts = await this.readings.readFacts(tender);
    const boqs = await this.readings.readBoqs(tender, false);
    return findContradictions(comparedTender(tender), { files, facts, boqs }).some(({ topic }) => topic === 'estimate');
  }
}

const comparedTender = (tender: TenderEntity): ComparedTender => ({
  price: tender.price === null ? null : Number(tender.price),
  emd: tender.emd,
  tender_fee: tender.tenderFee,
  period_of_work_days: tender.periodOfWorkDays,
  bid_validity_days: tender.bidValidityDays,
});

import { Inject, Injectable } from '@nestjs/common';
import { type ComparedTender, findContradictions } from '@nivida/contract/documents/contradictions';
import { type EntityManager, In } from 'typeorm';
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
    private readonly readings: TenderReadingService,
    private readonly notices: DifferenceNoticesService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** In the transaction of the reading: notifies followers of the open tenders of a file whose estimate the portal, the notice and the BOQ name differently. */
  async notify({ id }: Pick<FileToRead, 'id'>, manager: EntityManager): Promise<void> {
    const open: { id: number }[] = await manager.query(OPEN_TENDERS_OF_FILE, [id, this.now()]);
    const tenders = await manager.getRepository(TenderEntity).findBy({ id: In(open.map((each) => each.id)) });
    const differing: number[] = [];
    for (const tender of tenders) if (await this.hasDifferentEstimates(tender, manager)) differing.push(tender.id);
    await this.notices.notify(differing, manager);
  }

  private async hasDifferentEstimates(tender: TenderEntity, manager: EntityManager): Promise<boolean> {
    const files = await readFilesOf(manager, tender);
    const facts = await this.readings.readFacts(tender, manager);
    const boqs = await this.readings.readBoqs(tender, false, manager);
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

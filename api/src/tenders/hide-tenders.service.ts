import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { formatDateTime } from '@nivida/contract/format';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { type OperatorAct, recordAct } from '../audit/record-act.ts';
import { AppError, tenderNotFound } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { takeChangeLock } from '../database/locks.sql.ts';
import { HIDDEN_UNTIL, HiddenTenderEntity } from './hidden-tender.entity.ts';
import { HIDE_TENDER, UNHIDE_TENDER } from './hidden-tenders.sql.ts';
import { TenderEntity } from './tender.entity.ts';

/** Hides false tenders and shows them again. Orders and documents of buyers stay, and imports do not bring a tender back. */
@Injectable()
export class HideTendersService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Hides a tender. Devices remove it with their next delta. NOT_FOUND; CONFLICT for a hidden tender. */
  hide(id: number, act: OperatorAct): Promise<void> {
    return this.change(id, async (manager, tender, hidden) => {
      if (hidden) {
        const when = formatDateTime(hidden.hiddenAt);
        const { reason } = hidden;
        throw new AppError('CONFLICT', () => t`This tender is hidden already, since ${when}: ${reason}`);
      }
      const { publishedAt, shiftDays, changeNo } = tender;
      await manager.getRepository(HiddenTenderEntity).insert({
        tenderId: id,
        publishedAt: new Date(publishedAt.getTime() - shiftDays * DAY_MS),
        wasPublic: changeNo !== null,
        reason: act.reason,
        hiddenBy: act.actorId,
        hiddenAt: this.now(),
      });
      await manager.query(HIDE_TENDER, [id, this.now(), HIDDEN_UNTIL]);
      const detail = { portal: tender.portal, sourceId: tender.sourceId };
      await recordAct(manager, act, { action: 'tender.hidden', subject: String(id), detail }, this.now());
    });
  }

  /** Shows a hidden tender again, without alerts. NOT_FOUND; CONFLICT for a tender that is not hidden. */
  unhide(id: number, act: OperatorAct): Promise<void> {
    return this.change(id, async (manager, tender, hidden) => {
      if (!hidden) throw new AppError('CONFLICT', () => t`This tender is not hidden`);
      const publishedAt = new Date(hidden.publishedAt.getTime() + tender.shiftDays * DAY_MS);
      const isPublic = hidden.wasPublic && publishedAt <= this.now();
      await manager.getRepository(HiddenTenderEntity).delete({ tenderId: id });
      await manager.query(UNHIDE_TENDER, [id, this.now(), publishedAt, isPublic]);
      const detail = { hiddenSince: hidden.hiddenAt.toISOString(), hiddenBecause: hidden.reason };
      await recordAct(manager, act, { action: 'tender.unhidden', subject: String(id), detail }, this.now());
    });
  }

  private change(
    id: number,
    work: (manager: EntityManager, tender: TenderEntity, hidden: HiddenTenderEntity | null) => Promise<void>,
  ): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await takeChangeLock(manager);
      const tender = await manager.getRepository(TenderEntity).findOneBy({ id });
      if (!tender) throw tenderNotFound();
      await work(manager, tender, await manager.getRepository(HiddenTenderEntity).findOneBy({ tenderId: id }));
    });
  }
}

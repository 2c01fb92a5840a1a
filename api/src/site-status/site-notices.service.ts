import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { LanguageTexts, SiteNotice } from '@nivida/contract/site/status';
import { DataSource, IsNull, LessThanOrEqual, MoreThan } from 'typeorm';
import { type OperatorAct, recordAct } from '../audit/record-act.ts';
import { AppError } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import { SiteNoticeEntity } from './site-notice.entity.ts';

const CACHE_MS = 5_000;
const MAX_LISTED = 100;

/** A notice to publish. It starts now and has no end unless it says so. */
export interface NewSiteNotice {
  texts: LanguageTexts;
  tone: SiteNotice['tone'];
  startsAt?: Date | undefined;
  endsAt?: Date | undefined;
}

/** The line that all users see. */
@Injectable()
export class SiteNoticesService {
  private readonly shown = new TtlCache<SiteNotice | null>(CACHE_MS);

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The notice of this instant; the last one published when there are several. Null without one, and without a database. */
  async current(): Promise<SiteNotice | null> {
    return this.shown.get('', this.now(), () => this.readCurrent()).catch(() => null);
  }

  private async readCurrent(): Promise<SiteNotice | null> {
    const now = this.now();
    const startsAt = LessThanOrEqual(now);
    const found = await this.dataSource.getRepository(SiteNoticeEntity).findOne({
      where: [
        { startsAt, endsAt: IsNull() },
        { startsAt, endsAt: MoreThan(now) },
      ],
      order: { id: 'DESC' },
    });
    return found && toSiteNotice(found);
  }

  /** The newest notices, first those that last the longest in time. */
  async list(): Promise<SiteNotice[]> {
    const found = await this.dataSource
      .getRepository(SiteNoticeEntity)
      .find({ order: { id: 'DESC' }, take: MAX_LISTED });
    return found.map(toSiteNotice);
  }

  /** Publishes a notice and returns its id. INVALID for an end that is past or before the start. */
  async publish({ texts, tone, startsAt = this.now(), endsAt }: NewSiteNotice, act: OperatorAct): Promise<number> {
    const now = this.now();
    if (endsAt && (endsAt <= now || endsAt <= startsAt))
      throw new AppError('INVALID', () => t`The end must be later than the start and than now`);
    return this.change(act, async (manager) => {
      const row = { texts, tone, startsAt, endsAt: endsAt ?? null, publishedAt: now };
      const { id } = await manager.getRepository(SiteNoticeEntity).save(row);
      const detail = { text: texts.en, from: startsAt.toISOString(), to: endsAt?.toISOString() ?? '' };
      return { id, action: 'notice.published', detail };
    });
  }

  /** Ends a notice now. NOT_FOUND; CONFLICT for one that has ended. */
  end(id: number, act: OperatorAct): Promise<number> {
    const now = this.now();
    return this.change(act, async (manager) => {
      const notices = manager.getRepository(SiteNoticeEntity);
      const notice = await notices.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!notice) throw new AppError('NOT_FOUND', () => t`There is no such notice`);
      if (notice.endsAt && notice.endsAt <= now) throw new AppError('CONFLICT', () => t`This notice has ended already`);
      // A notice that has not begun must not end before its start.
      const startsAt = notice.startsAt < now ? notice.startsAt : now;
      await notices.update({ id }, { startsAt, endsAt: now });
      return { id, action: 'notice.ended', detail: { text: notice.texts.en } };
    });
  }

  private async change(
    act: OperatorAct,
    work: (manager: DataSource['manager']) => Promise<{ id: number; action: string; detail: Record<string, string> }>,
  ): Promise<number> {
    const id = await this.dataSource.transaction(async (manager) => {
      const { id, action, detail } = await work(manager);
      await recordAct(manager, act, { action, subject: String(id), detail }, this.now());
      return id;
    });
    // This process shows the change at once, others within the time of their caches.
    await this.shown.get('', this.now(), () => this.readCurrent(), true);
    return id;
  }
}

const toSiteNotice = ({ id, texts, tone, startsAt, endsAt }: SiteNoticeEntity): SiteNotice => ({
  id,
  texts,
  tone,
  starts_at: startsAt.toISOString(),
  ends_at: endsAt?.toISOString() ?? null,
});

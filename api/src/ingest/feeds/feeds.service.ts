import { basename, join } from 'node:path';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource, type QueryRunner } from 'typeorm';
import type { Config, FeedSettings } from '../../base/config.ts';
import { CLOCK, CONFIG, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import type { Job } from '../../jobs/job.ts';
import { MailService } from '../../mail/mail.service.ts';
import { importFile } from '../import.ts';
import { TRY_LOCK_FEED, UNLOCK_FEED } from '../ingest.sql.ts';
import { addCounts, type IngestCounts } from '../ingest-run.ts';
import { HeldBackFileError } from '../source-tender.ts';
import { FeedEntity } from './feed.entity.ts';
import { changedFiles, FEED_LIMITS, type FeedFile, type FeedLimits, fetchChanged } from './feed-sources.ts';

const FEED_LOCK = 4_770_004;

/** Imports the feeds of FEEDS, each at its own interval, as `npm run import` does. */
@Injectable()
export class FeedsService {
  private readonly logger = new Logger('Feeds');

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
    private readonly mails: MailService,
  ) {}

  /** Imports due feeds that no other process imports now. Returns the number of files. A failure does not stop the others. */
  async run(limits: FeedLimits = FEED_LIMITS): Promise<number> {
    let files = 0;
    for (const feed of this.config.feeds) files += await this.withFeedLock(feed, () => this.importFeed(feed, limits));
    return files;
  }

  /** Runs `work` under the feed's lock. The lock ends with the connection, even when the process is killed. */
  private async withFeedLock(feed: FeedSettings, work: () => Promise<number>): Promise<number> {
    const runner: QueryRunner = this.dataSource.createQueryRunner();
    const lock = [FEED_LOCK, feed.portal];
    try {
      const [{ held: isLocked }] = await runner.query(TRY_LOCK_FEED, lock);
      if (!isLocked) return 0;
      return await work().finally(() => runner.query(UNLOCK_FEED, lock));
    } finally {
      await runner.release();
    }
  }

  private async importFeed(feed: FeedSettings, limits: FeedLimits): Promise<number> {
    const feeds = this.dataSource.getRepository(FeedEntity);
    const now = this.now();
    const before = await feeds.findOneBy({ name: feed.portal, source: feed.source });
    const dueAt = before && before.triedAt.getTime() + feed.everyMinutes * MINUTE_MS;
    // An attempt in the future was written by a clock that has been set back since.
    if (dueAt && now.getTime() < dueAt && before.triedAt <= latestPlausibleInstant(now)) return 0;
    const row: FeedEntity = {
      ...(before ?? {
        name: feed.portal,
        source: feed.source,
        succeededAt: null,
        counts: null,
        seen: {},
        heldBack: false,
      }),
      triedAt: now,
      error: null,
    };
    // Stored before the result is known: after a failure the next attempt waits for the interval too.
    await feeds.save(row);
    const errors: string[] = [];
    let heldBackReason: string | undefined;
    const counts: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
    let imported = 0;
    for (const file of await this.findNewFiles(feed, row.seen, limits, errors)) {
      try {
        const found = await this.importFeedFile(feed, file, now);
        addCounts(counts, found);
        // All rows were rejected, so the portal's form has changed. The file is read again after the repair.
        if (found.read > 0 && found.rejected === found.read)
          throw new Error(
            `was rejected row by row (${found.rejected} rows); the reasons are in ${rejectFilePath(this.config, feed, file)}`,
          );
        row.seen = feed.isFolder ? { ...row.seen, ...file.seen } : file.seen;
        imported += 1;
        await file.removeHeldBack();
      } catch (error) {
        let { path } = file;
        if (error instanceof HeldBackFileError) {
          path = await file.holdBack();
          heldBackReason ??= `${path} ${error.message}`;
        }
        errors.push(`${path} ${(error as Error).message}`);
      } finally {
        await file.removeFetched();
      }
    }
    if (imported > 0 || counts.read > 0) row.counts = counts;
    if (errors.length === 0) row.succeededAt = now;
    else row.error = errors.join('; ');
    // A file is held back until the operator acts. Only the first time sends a mail.
    const isNews = heldBackReason !== undefined && !before?.heldBack;
    // A failed attempt does not show whether the file still waits.
    const isStillWaiting = row.heldBack && imported === 0 && errors.length > 0;
    row.heldBack = heldBackReason !== undefined || isStillWaiting;
    await this.dataSource.transaction(async (manager) => {
      await manager.getRepository(FeedEntity).save(row);
      const { supportEmail: to } = this.config;
      if (isNews && to)
        await this.mails.queue(manager, { kind: 'feed-held', to, portal: feed.portal, what: heldBackReason ?? '' });
    });
    if (row.error !== null) this.logger.error(`${feed.portal}: ${row.error}`);
    return imported;
  }

  private async findNewFiles(
    feed: FeedSettings,
    seen: Record<string, string>,
    limits: FeedLimits,
    errors: string[],
  ): Promise<FeedFile[]> {
    try {
      if (feed.isFolder) return await changedFiles(feed.source, seen);
      const file = await fetchChanged(feed.source, seen, join(this.config.dataDir, 'feeds', feed.portal), limits);
      return file ? [file] : [];
    } catch (error) {
      // An address may contain a key.
      errors.push(`${feed.isFolder ? feed.source : new URL(feed.source).origin} ${(error as Error).message}`);
      return [];
    }
  }

  private importFeedFile(feed: FeedSettings, file: FeedFile, now: Date): Promise<IngestCounts> {
    const { portal, state, format, allowMissing } = feed;
    const { dataDir } = this.config;
    const request = {
      file: file.path,
      format,
      portal,
      state,
      rebase: undefined,
      dryRun: false,
      rejects: rejectFilePath(this.config, feed, file),
      allowMissing,
    };
    const log = (line: string) => this.logger.log(`${portal}: ${line}`);
    return importFile(request, {
      dataSource: this.dataSource,
      dataDir,
      withAwardNames: this.config.awardNames,
      now,
      log,
    });
  }
}

/** The file with the rejected rows and their reasons. */
const rejectFilePath = ({ dataDir }: Config, { portal }: FeedSettings, { path }: FeedFile): string =>
  join(dataDir, 'rejects', `${portal}-${basename(path)}.csv`);

export const importFeedsJob: Job = {
  name: 'import-feeds',
  cron: '* * * * *',
  run: async ({ find }) => (await find(FeedsService)).run(),
};

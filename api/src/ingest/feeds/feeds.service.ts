import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { t } from '@lingui/core/macro';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AcceptedFiles, HeldFile } from '@nivida/contract/desk/data-in';
import type { Acceptance } from '@nivida/contract/ingest/sent-files';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError, invalidField } from '../../base/app-error.ts';
import type { Config, FeedSettings } from '../../base/config.ts';
import { CLOCK, CONFIG, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import type { Job } from '../../jobs/job.ts';
import { JobSenderService } from '../../jobs/job-sender.service.ts';
import { MailService } from '../../mail/mail.service.ts';
import { importFile } from '../import.ts';
import { addCounts, type IngestCounts } from '../ingest-run.ts';
import { PORTAL_BUSY_SECONDS, withPortalLock } from '../portal-lock.ts';
import { HeldBackFileError } from '../source-tender.ts';
import { FeedEntity } from './feed.entity.ts';
import {
  changedFiles,
  FEED_LIMITS,
  type FeedFile,
  type FeedLimits,
  fetchChanged,
  heldBackFile,
} from './feed-sources.ts';

/** The instant of a feed that was paused before its first attempt. */
const NEVER_TRIED = new Date(0);

/** A portal may have two feeds, of tenders and of awards. */
const feedName = ({ portal, format }: FeedSettings): string => (format === 'awards' ? `${portal}:awards` : portal);

/** An address may contain a key, so only its origin is shown. */
const shownSource = ({ isFolder, source }: FeedSettings): string => (isFolder ? source : new URL(source).origin);

/** A job of the queue: reads a feed now. */
export interface FeedRun extends Partial<AcceptedFiles> {
  feed: string;
}

/** A feed of FEEDS with the outcome of its last attempt. */
export type ListedFeed = Pick<
  FeedEntity,
  'name' | 'source' | 'succeededAt' | 'error' | 'heldFiles' | 'counts' | 'pausedAt' | 'pausedReason'
> & {
  portal: string;
  everyMinutes: number;
  /** Null before the first attempt. */
  triedAt: Date | null;
};

/** Imports the feeds of FEEDS, each at its own interval, as `npm run import` does. */
@Injectable()
export class FeedsService {
  private readonly logger = new Logger('Feeds');

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
    private readonly mails: MailService,
    private readonly jobs: JobSenderService,
  ) {}

  /** Imports due feeds that no other process imports now. Returns the number of files. A failure does not stop the others. */
  async run(limits: FeedLimits = FEED_LIMITS): Promise<number> {
    let files = 0;
    for (const feed of this.config.feeds) files += (await this.importAlone(feed, undefined, limits)) ?? 0;
    return files;
  }

  /** The feeds of FEEDS with the outcome of their last attempt. */
  async list(): Promise<ListedFeed[]> {
    const rows = await this.dataSource.getRepository(FeedEntity).find();
    return this.config.feeds.map((feed) => {
      const name = feedName(feed);
      const row = rows.find((each) => each.name === name);
      const known = row?.source === feed.source ? row : undefined;
      return {
        name,
        portal: feed.portal,
        source: shownSource(feed),
        everyMinutes: feed.everyMinutes,
        triedAt: known && known.triedAt > NEVER_TRIED ? known.triedAt : null,
        succeededAt: known?.succeededAt ?? null,
        error: known?.error ?? null,
        heldFiles: known?.heldFiles ?? [],
        counts: known?.counts ?? null,
        pausedAt: row?.pausedAt ?? null,
        pausedReason: row?.pausedReason ?? null,
      };
    });
  }

  /** Pauses a feed, or lets it go on. NOT_FOUND for a feed that FEEDS does not have. */
  async setPaused(name: string, isPaused: boolean, act: OperatorAct): Promise<void> {
    const feed = this.find(name);
    await this.dataSource.transaction(async (manager) => {
      const feeds = manager.getRepository(FeedEntity);
      const before = await feeds.findOneBy({ name });
      if (!before) await feeds.insert({ name, source: feed.source, triedAt: NEVER_TRIED, seen: {} });
      const state = isPaused
        ? { pausedAt: this.now(), pausedReason: act.reason }
        : { pausedAt: null, pausedReason: null };
      await feeds.update({ name }, state);
      const action = isPaused ? 'feed.paused' : 'feed.resumed';
      const detail = { before: before?.pausedAt ? 'paused' : 'running' };
      await recordAct(manager, act, { action, subject: name, detail }, this.now());
    });
  }

  /**
   * Asks a worker to read a feed now, also a paused one, and to import files that wait for the operator as far as their
   * problems are accepted. NOT_FOUND for a feed that FEEDS does not have, INVALID when nothing is accepted of a file, CONFLICT
   * for a file that does not wait, or not in this content.
   */
  async requestRun(name: string, act: OperatorAct, accepted: AcceptedFiles = NOTHING_ACCEPTED): Promise<void> {
    this.find(name);
    const { accepts, files } = accepted;
    if (files.length > 0 && accepts.length === 0) throw invalidField('accepts', () => t`Choose what you accept`);
    await this.dataSource.transaction(async (manager) => {
      const row = await manager.getRepository(FeedEntity).findOneBy({ name });
      const areHeld = files.every((file) => row?.heldFiles.some((held) => isSameFile(held, file)));
      if (!areHeld || (accepts.length > 0 && files.length === 0))
        throw new AppError('CONFLICT', () => t`Other files of this feed wait now. Look at them first.`);
      await this.jobs.send(manager, 'import-files', { feed: name, ...accepted } satisfies FeedRun);
      const detail = { accepts, files: files.map((file) => file.name) };
      await recordAct(manager, act, { action: 'feed.run', subject: name, detail }, this.now());
    });
  }

  /**
   * Reads a feed that an operator asked for, later if its portal is being imported. A feed that FEEDS does not have any
   * more is left.
   */
  async runRequested(run: FeedRun, limits: FeedLimits = FEED_LIMITS): Promise<void> {
    const { feed: name, accepts = [], files = [] } = run;
    const feed = this.config.feeds.find((each) => feedName(each) === name);
    if (!feed || (await this.importAlone(feed, { accepts, files }, limits)) !== undefined) return;
    await this.dataSource.transaction((manager) =>
      this.jobs.send(manager, 'import-files', run, { startAfter: PORTAL_BUSY_SECONDS }),
    );
  }

  private find(name: string): FeedSettings {
    const feed = this.config.feeds.find((each) => feedName(each) === name);
    if (!feed) throw new AppError('NOT_FOUND', () => t`There is no feed “${name}”`);
    return feed;
  }

  /**
   * `asked`: what the operator accepts who asked for it; undefined for a feed that is read when it is due. Returns the
   * number of files, undefined when the portal is being imported.
   */
  private importAlone(
    feed: FeedSettings,
    asked: AcceptedFiles | undefined,
    limits: FeedLimits,
  ): Promise<number | undefined> {
    return withPortalLock(this.dataSource, feed.portal, () => this.importFeed(feed, asked, limits));
  }

  private async importFeed(feed: FeedSettings, asked: AcceptedFiles | undefined, limits: FeedLimits): Promise<number> {
    const feeds = this.dataSource.getRepository(FeedEntity);
    const now = this.now();
    const name = feedName(feed);
    const stored = await feeds.findOneBy({ name });
    if (!asked && stored?.pausedAt) return 0;
    const before = stored?.source === feed.source ? stored : null;
    const dueAt = before && before.triedAt.getTime() + feed.everyMinutes * MINUTE_MS;
    // An attempt in the future was written by a clock that has been set back since.
    if (!asked && dueAt && now.getTime() < dueAt && before.triedAt <= latestPlausibleInstant(now)) return 0;
    const row: FeedEntity = {
      ...(before ?? {
        name,
        source: feed.source,
        pausedAt: stored?.pausedAt ?? null,
        pausedReason: stored?.pausedReason ?? null,
        succeededAt: null,
        counts: null,
        seen: {},
        heldFiles: [],
      }),
      triedAt: now,
      error: null,
    };
    // Stored before the result is known: after a failure the next attempt waits for the interval too.
    await feeds.save(row);
    const errors: string[] = [];
    const held: HeldFile[] = [];
    const unknown: string[] = [];
    const wasHeld = before?.heldFiles ?? [];
    let news: string | undefined;
    const counts: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
    let imported = 0;
    const files = await this.findNewFiles(feed, row.seen, { asked, limits, errors });
    for (const file of files ?? []) {
      let sha256 = '';
      try {
        // Before the import, so that another content that comes meanwhile is not taken for this one.
        sha256 = await fileSha256(file.path);
        const seen = { name: file.name, sha256 };
        const accepts = asked?.files.some((each) => isSameFile(each, seen)) ? asked.accepts : [];
        const found = await this.importFeedFile(feed, file, now, accepts);
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
          const heldFile = { name: file.name, sha256, problem: error.decision, text: error.message };
          held.push(heldFile);
          // A file waits until the operator acts: only the first time sends a mail. An address brings another content each time.
          if (!wasHeld.some((each) => (feed.isFolder ? isSameFile(each, heldFile) : each.name === file.name)))
            news ??= `${path} ${error.message}`;
        } else unknown.push(file.name);
        errors.push(`${path} ${(error as Error).message}`);
      } finally {
        await file.removeFetched();
      }
    }
    if (imported > 0 || counts.read > 0) row.counts = counts;
    if (errors.length === 0) row.succeededAt = now;
    else row.error = errors.join('; ');
    // A failed attempt does not show whether the file still waits.
    row.heldFiles = [...held, ...wasHeld.filter(({ name }) => files === undefined || unknown.includes(name))];
    await this.dataSource.transaction(async (manager) => {
      // Not saved as a whole: an operator may have paused the feed in the meantime.
      const { pausedAt: _at, pausedReason: _reason, ...outcome } = row;
      await manager.getRepository(FeedEntity).update({ name }, outcome);
      const { supportEmail: to } = this.config;
      if (news !== undefined && to)
        await this.mails.queue(manager, { kind: 'feed-held', to, portal: feed.portal, what: news });
    });
    if (row.error !== null) this.logger.error(`${feed.portal}: ${row.error}`);
    return imported;
  }

  /** Adds to `errors` and returns undefined when the files are not known. */
  private async findNewFiles(
    feed: FeedSettings,
    seen: Record<string, string>,
    { asked, limits, errors }: { asked: AcceptedFiles | undefined; limits: FeedLimits; errors: string[] },
  ): Promise<FeedFile[] | undefined> {
    try {
      if (feed.isFolder) return await changedFiles(feed.source, seen);
      // The two feeds of a portal may both have a file that waits.
      const folder = join(this.config.dataDir, 'feeds', feed.portal, ...(feed.format === 'awards' ? ['awards'] : []));
      // The address may give other bytes at each download, so the copy is imported that the operator accepted.
      const held = heldBackFile(folder, seen);
      const [accepted] = asked?.files ?? [];
      if (accepted && (await fileSha256(held.path).catch(() => undefined)) === accepted.sha256) return [held];
      const file = await fetchChanged(feed.source, seen, folder, limits);
      return file ? [file] : [];
    } catch (error) {
      errors.push(`${shownSource(feed)} ${(error as Error).message}`);
      return undefined;
    }
  }

  private importFeedFile(
    feed: FeedSettings,
    file: FeedFile,
    now: Date,
    accepts: readonly Acceptance[],
  ): Promise<IngestCounts> {
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
      acceptMassChange: accepts.includes('mass-change'),
      acceptState: accepts.includes('state'),
      tendersOnly: true,
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

const NOTHING_ACCEPTED: AcceptedFiles = { accepts: [], files: [] };

type NamedFile = AcceptedFiles['files'][number];
const isSameFile = (one: NamedFile, other: NamedFile) => one.name === other.name && one.sha256 === other.sha256;

async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The file with the rejected rows and their reasons. */
const rejectFilePath = ({ dataDir }: Config, { portal }: FeedSettings, { path }: FeedFile): string =>
  join(dataDir, 'rejects', `${portal}-${basename(path)}.csv`);

export const importFeedsJob: Job = {
  name: 'import-feeds',
  cron: '* * * * *',
  run: async ({ find }) => (await find(FeedsService)).run(),
};

import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK } from '../base/injection-tokens.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import type { Job } from '../jobs/job.ts';
import { JobSenderService } from '../jobs/job-sender.service.ts';
import { buildPack } from './build-pack.ts';
import { readEpochState, type SqlQuery } from './epoch.ts';
import { scopesWithoutPack } from './scope-rows.sql.ts';

const QUEUE = 'build-packs';
/** A process requests the same pack at most once in this time. */
const REQUEST_TTL_MS = 10_000;
/** Priority of packs that a device waits for. They are built first. */
const REQUESTED_PRIORITY = 1;

/** A job of the queue: builds the pack of a scope unless its manifest is newer than `newerThan`. */
export interface PackBuild {
  scope: string;
  newerThan: number;
}

/** Requests builds of packs. Workers build them; requests only add jobs to the queue. */
@Injectable()
export class PackBuildsService {
  private readonly requested = new TtlCache<void>(REQUEST_TTL_MS);
  private readonly stopping = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobSenderService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Requests a pack that a device waits for. */
  request(build: PackBuild): Promise<void> {
    return this.requested.get(`${build.scope} ${build.newerThan}`, this.now(), () =>
      this.send(build, 'requested', REQUESTED_PRIORITY),
    );
  }

  /** The `prepare-packs` job: requests packs that are missing after a first start, a restore or a first import. */
  async requestMissing(now: Date): Promise<number> {
    const query: SqlQuery = (text, values) => this.dataSource.query(text, values);
    const { epoch } = await readEpochState(query);
    const scopes = await scopesWithoutPack(query, now, epoch);
    for (const scope of scopes) await this.send({ scope, newerThan: -1 }, 'missing', 0);
    return scopes.length;
  }

  /** Runs one job of the queue. */
  async build({ scope, newerThan }: PackBuild): Promise<void> {
    const { dataSource, now, stopping } = this;
    await buildPack(scope, newerThan, { dataSource, now: now(), signal: stopping.signal });
  }

  /** Ends the running build between two segments. The queue gives the job to another worker, or runs it after the next start. */
  stop(): void {
    this.stopping.abort(new Error('The worker stops'));
  }

  /** Adds a build to the queue, unless it is there for the same reason. */
  private send(build: PackBuild, reason: 'requested' | 'missing', priority: number): Promise<void> {
    const key = `${build.scope} ${build.newerThan} ${reason}`;
    return this.jobs.send(this.dataSource.manager, QUEUE, build, { priority, singletonKey: key });
  }
}

export const preparePacksJob: Job = {
  name: 'prepare-packs',
  everySeconds: 60,
  run: async ({ find, now }) => (await find(PackBuildsService)).requestMissing(now),
};

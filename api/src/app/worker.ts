/** Runs jobs by pg-boss, which schedules and retries them. Any number of workers may run. */
import { setTimeout as wait } from 'node:timers/promises';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { HOUR_SECONDS } from '@nivida/contract/time';
import { type JobResult, PgBoss } from 'pg-boss';
import { runJobInSpan } from '../base/call-context.ts';
import type { Config } from '../base/config.ts';
import { type RepeatingTask, repeatEvery } from '../base/task-runners.ts';
import { Metrics } from '../http/monitoring/metrics.ts';
import { type FeedRun, FeedsService } from '../ingest/feeds/feeds.service.ts';
import { type FileImport, SentFilesService } from '../ingest/sent-files/sent-files.service.ts';
import { type JobRunOutcome, jobIntervalSeconds, recordJobRun, registerJobs } from '../jobs/job-runs.ts';
import { createQueues } from '../jobs/queues.ts';
import { createMailSender, type MailJob } from '../mail/mail-delivery.ts';
import { PushSenderService } from '../push/sending/push-sender.service.ts';
import { toPgOptions } from '../schema/data-source.ts';
import type { Database } from '../schema/database.ts';
import { type PackBuild, PackBuildsService } from '../sync/pack-builds.service.ts';
import { JOBS } from './features.ts';

/**
 * A run may take long: each feed takes up to half an hour. If it expired too early, pg-boss would start a second run in
 * parallel. Heartbeats detect a worker that died.
 */
const RECURRING_JOB_OPTIONS = { retryLimit: 2, expireInSeconds: 12 * HOUR_SECONDS, heartbeatSeconds: 30 };
/**
 * How often a worker looks for jobs of dead workers. Another worker takes over their mails within a minute: the sum of a
 * heartbeat of 15 s, this interval and a retry delay of 10 s.
 */
export const SUPERVISION = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 10 };
/** After this time another worker retries the running jobs. Shorter than the stop_grace_period of compose.yml. */
const STOP_TIMEOUT_MS = 40_000;

export interface JobWorkerOptions {
  config: Config;
  database: Database;
  now: () => Date;
  /** Resolves the services of the app for jobs. */
  services: Pick<INestApplicationContext, 'get'>;
}

/** A running worker. `stop` waits for running jobs, at most 40 seconds. */
export interface JobWorker {
  stop(): Promise<void>;
}

/** Starts a worker for all jobs. */
export async function startWorker({ config, database, now, services }: JobWorkerOptions): Promise<JobWorker> {
  const logger = new Logger('Jobs');
  const options = { ...toPgOptions(database.address), max: 4, application_name: 'nivida-jobs' };
  const boss = new PgBoss({ ...options, ...SUPERVISION });
  let stopping = false;
  // pg-boss does not await its own statements when it stops; their connection errors are expected.
  boss.on('error', (error) => stopping || logger.error(error));
  await boss.start();
  await createQueues(boss);
  const metrics = services.get(Metrics);
  const onEnd = (outcome: JobRunOutcome) => metrics.observeJobRun(outcome);
  await sendMails(boss, createMailSender(config, now), config.mailConnections, onEnd);
  await buildPacks(boss, services.get(PackBuildsService), onEnd);
  await importFiles(boss, services, onEnd);
  await registerJobs(database.dataSource, JOBS, now());
  const repeatingTasks: RepeatingTask[] = [];
  const { dataSource } = database;
  for (const job of JOBS) {
    const { name } = job;
    const run = () =>
      recordJobRun(dataSource, { job: name, everySeconds: jobIntervalSeconds(job), now, onEnd }, () =>
        runJobInSpan(name, {}, () => job.run({ dataSource, now: now(), find: async (type) => services.get(type) })),
      );
    if (job.everySeconds !== undefined) repeatingTasks.push(repeatEvery(job.everySeconds, name, run));
    if (job.cron === undefined) continue;
    await boss.createQueue(name, { policy: 'singleton', ...RECURRING_JOB_OPTIONS });
    // Updates the options of a queue that an earlier version created.
    await boss.updateQueue(name, RECURRING_JOB_OPTIONS);
    await boss.work(name, async () => {
      await run();
    });
    await boss.schedule(name, job.cron, null, { tz: 'Asia/Kolkata' });
  }
  return {
    async stop() {
      stopping = true;
      services.get(PushSenderService).stop();
      services.get(PackBuildsService).stop();
      const stopped = Promise.all(repeatingTasks.map((task) => task.stop()));
      await Promise.all([
        Promise.race([stopped, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]),
        boss.stop({ graceful: true, close: true, timeout: STOP_TIMEOUT_MS }),
      ]);
    },
  };
}

/** Builds one pack after another, without a pause while packs wait. */
async function buildPacks(
  boss: PgBoss,
  builds: PackBuildsService,
  onEnd: (outcome: JobRunOutcome) => void,
): Promise<void> {
  // pg-boss skips the pause only after a full batch, and a full batch has at least two jobs.
  const options = { pollingIntervalSeconds: 1, batchSize: 2, burstWhenBatchFull: true } as const;
  await boss.work<PackBuild>('build-packs', options, async (jobs) => {
    // An error makes pg-boss retry both jobs. A pack that is already built takes no time.
    for (const { data } of jobs) await runJob('build-packs', data, onEnd, () => builds.build(data));
  });
}

/** Imports one file after another: those that were sent, and feeds that an operator asked for. */
async function importFiles(
  boss: PgBoss,
  services: JobWorkerOptions['services'],
  onEnd: (outcome: JobRunOutcome) => void,
): Promise<void> {
  const files = services.get(SentFilesService);
  const feeds = services.get(FeedsService);
  await boss.work<FileImport | FeedRun>('import-files', { pollingIntervalSeconds: 1 }, async ([job]) => {
    if (!job) return;
    const { data } = job;
    await runJob('import-files', data, onEnd, () => ('feed' in data ? feeds.runRequested(data) : files.run(data)));
  });
}

/**
 * Sends mails in small batches without a pause while more wait, one batch over each connection to the mail server. A failed
 * mail does not affect the others.
 */
async function sendMails(
  boss: PgBoss,
  deliver: (job: MailJob) => Promise<void>,
  connections: number,
  onEnd: (outcome: JobRunOutcome) => void,
): Promise<void> {
  const options = {
    includeMetadata: true,
    perJobResults: true,
    // A visitor may be waiting for a code.
    pollingIntervalSeconds: 1,
    localConcurrency: connections,
    // A killed process delays its whole batch by most of a minute, so batches are small.
    batchSize: 5,
    burstWhenBatchFull: true,
  } as const;
  await boss.work<MailJob['data'], JobResult[], typeof options>('mail', options, async (jobs) => {
    const results: JobResult[] = [];
    // pg-boss claims the most urgent mails, but returns them in any order.
    for (const job of jobs.toSorted((one, other) => other.priority - one.priority)) {
      // This worker missed its heartbeats, so another worker has taken the mail.
      if (job.signal.aborted) continue;
      try {
        await runJob('mail', job.data, onEnd, async () => {
          await deliver(job);
          // Otherwise pg-boss would store the mail for days.
          await boss.deleteJob('mail', job.id);
        });
        results.push({ id: job.id, status: 'completed' });
      } catch (error) {
        results.push({ id: job.id, status: 'failed', output: { message: (error as Error).message } });
      }
    }
    return results;
  });
}

/** Runs one job of a queue for the request that has caused it, and reports its outcome and duration. */
async function runJob(
  job: string,
  data: object,
  onEnd: (outcome: JobRunOutcome) => void,
  run: () => Promise<unknown>,
): Promise<void> {
  const started = performance.now();
  let outcome: JobRunOutcome['outcome'] = 'failed';
  try {
    await runJobInSpan(job, data, run);
    outcome = 'succeeded';
  } finally {
    onEnd({ job, outcome, seconds: (performance.now() - started) / 1_000 });
  }
}

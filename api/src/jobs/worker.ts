/** pg-boss: schedules and retries the jobs; any number of workers may run. */
import { setTimeout as wait } from 'node:timers/promises';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { type JobResult, PgBoss } from 'pg-boss';
import type { Config } from '../config.ts';
import { toPgOptions } from '../database/data-source.ts';
import type { Database } from '../database/database.ts';
import { createMailSender, type MailJob } from '../mail/mail-delivery.ts';
import { PushSenderService } from '../push/sending/push-sender.service.ts';
import { createQueues } from './queues.ts';
import { JOBS } from './schedule.ts';
import { type RepeatingTask, repeatEvery } from './task-runners.ts';

/**
 * One run at a time is enough: a job does all that is due. A run may take long (the feeds alone half an hour each), and one
 * that is counted as over too soon would be begun again beside itself; whoever died with one is noticed by its silence.
 */
const RECURRING_JOB_OPTIONS = { retryLimit: 2, expireInSeconds: 12 * 3_600, heartbeatSeconds: 60 };
/** What still runs after that is left: the jobs are taken up again by another worker. Shorter than the grace of compose.yml. */
const STOP_TIMEOUT_MS = 40_000;

/** What a worker needs. */
export interface JobWorkerOptions {
  config: Config;
  database: Database;
  now: () => Date;
  /** Where jobs find the services of the app. */
  services: Pick<INestApplicationContext, 'get'>;
}

/** A running worker. `stop` waits for what runs, for 40 seconds at most. */
export interface JobWorker {
  stop(): Promise<void>;
}

/** Starts a worker for all jobs. */
export async function startWorker({ config, database, now, services }: JobWorkerOptions): Promise<JobWorker> {
  const logger = new Logger('Jobs');
  const boss = new PgBoss({ ...toPgOptions(database.address), max: 4, application_name: 'nivida-jobs' });
  let stopping = false;
  // pg-boss does not wait for its own statements when it ends; those that find the connection closed are no news.
  boss.on('error', (error) => stopping || logger.error(error));
  await boss.start();
  await createQueues(boss);
  await sendMails(boss, createMailSender(config, now));
  const rhythms: RepeatingTask[] = [];
  for (const [name, job] of Object.entries(JOBS)) {
    const run = () =>
      job.run({ dataSource: database.dataSource, now: now(), find: async (type) => services.get(type) });
    if (job.everySeconds !== undefined) rhythms.push(repeatEvery(job.everySeconds, name, run));
    if (job.cron === undefined) continue;
    await boss.createQueue(name, { policy: 'singleton', ...RECURRING_JOB_OPTIONS });
    // An installation of an earlier version follows today's numbers.
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
      const resting = Promise.all(rhythms.map((rhythm) => rhythm.stop()));
      await Promise.all([
        Promise.race([resting, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]),
        boss.stop({ graceful: true, close: true, timeout: STOP_TIMEOUT_MS }),
      ]);
    },
  };
}

/**
 * Some mails at a time, one after the other: as many as wait, without a pause while more do, and one that fails keeps none
 * of the others.
 */
async function sendMails(boss: PgBoss, deliver: (job: MailJob) => Promise<void>): Promise<void> {
  const options = {
    includeMetadata: true,
    perJobResults: true,
    // Somebody sits and waits for a code.
    pollingIntervalSeconds: 1,
    localConcurrency: 2,
    // Of a process that is killed, so many wait until the queue gives it up.
    batchSize: 5,
    burstWhenBatchFull: true,
  } as const;
  await boss.work<MailJob['data'], JobResult[], typeof options>('mail', options, async (jobs) => {
    const results: JobResult[] = [];
    for (const job of jobs) {
      try {
        await deliver(job);
        // pg-boss would keep what was in it for days.
        await boss.deleteJob('mail', job.id);
        results.push({ id: job.id, status: 'completed' });
      } catch (error) {
        results.push({ id: job.id, status: 'failed', output: { message: (error as Error).message } });
      }
    }
    return results;
  });
}

/** pg-boss: schedules and retries the jobs; any number of workers may run. */
import { Logger } from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import type { DataSource } from 'typeorm';
import { type DatabaseAddress, toPgOptions } from '../database/data-source.ts';
import { JOBS } from './schedule.ts';

/** A running worker. `stop` waits for the job at hand. */
export interface Queue {
  stop(): Promise<void>;
}

/** Starts a worker for all recurring jobs. */
export async function startQueue(address: DatabaseAddress, dataSource: DataSource, now: () => Date): Promise<Queue> {
  const logger = new Logger('Jobs');
  const boss = new PgBoss({ ...toPgOptions(address), max: 4, application_name: 'nivida-jobs' });
  boss.on('error', (error) => logger.error(error));
  await boss.start();
  for (const [name, job] of Object.entries(JOBS)) {
    // One run at a time is enough: a job does all that is due.
    await boss.createQueue(name, { policy: 'singleton', retryLimit: 2 });
    await boss.work(name, async () => {
      await job.run({ dataSource, now: now() });
    });
    await boss.schedule(name, job.cron, null, { tz: 'Asia/Kolkata' });
  }
  return { stop: () => boss.stop({ graceful: true, close: true, timeout: 10_000 }) };
}

/** Every recurring job: its name on the command line, its rhythm in Indian time, and what it does. */
import type { DataSource } from 'typeorm';
import { compactScopes } from '../sync/compact.service.ts';
import { publishDue } from '../tenders/publish.service.ts';

/** What a job is given; `now` is the instant for which it works. */
export interface JobContext {
  dataSource: DataSource;
  now: Date;
}

/** One recurring job; `run` gives the number of things done. */
export interface Job {
  cron: string;
  run(context: JobContext): Promise<number>;
}

/** Cron is read in Asia/Kolkata. */
export const JOBS: Readonly<Record<string, Job>> = {
  'tender-status': { cron: '* * * * *', run: publishDue },
  'compact-sync': { cron: '7 * * * *', run: compactScopes },
};

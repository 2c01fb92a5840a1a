/** Records the last run of each recurring job and of the backup, for metrics and `doctor`. */
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@nivida/contract/time';
import type { DataSource } from 'typeorm';
import { maskSecrets } from '../base/log.ts';
import type { Job } from './job.ts';
import { FORGET_REMOVED_JOBS, RECORD_JOB_RUN, REGISTER_JOBS } from './job-runs.sql.ts';

/** Name of the backup among the jobs. It has no schedule here: docker/backup.js or the operator starts it. */
export const BACKUP_JOB = 'backup';
/** Name of the weekly trial restore among the jobs; part of the nightly backup. */
export const TRIAL_RESTORE_JOB = 'trial-restore';
export const TRIAL_RESTORE_INTERVAL_SECONDS = 7 * DAY_SECONDS;
/** Expected interval of backups. */
const BACKUP_INTERVAL_SECONDS = DAY_SECONDS;
const MAX_ERROR_CHARACTERS = 300;

/** The seconds between two runs of a job. */
export function jobIntervalSeconds({ cron, everySeconds }: Pick<Job, 'cron' | 'everySeconds'>): number {
  if (everySeconds !== undefined) return everySeconds;
  const [minute = '', hour] = (cron ?? '').split(' ');
  const everyMinutes = minute === '*' ? 1 : Number(/^\*\/(\d+)$/.exec(minute)?.[1] ?? 0);
  if (everyMinutes > 0) return everyMinutes * MINUTE_SECONDS;
  return hour === '*' ? HOUR_SECONDS : DAY_SECONDS;
}

/** How one run ended. */
export interface JobRunOutcome {
  job: string;
  outcome: 'succeeded' | 'failed';
  seconds: number;
}

/** Runs single statements: a data source or a client. */
interface Database {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

export interface JobRunOptions {
  job: string;
  everySeconds: number;
  now: () => Date;
  /** Called after each run, including failed ones. */
  onEnd?(outcome: JobRunOutcome): void;
}

/** Runs a job and records its outcome. A record that cannot be written does not fail the job. */
export async function recordJobRun(
  database: Database,
  { job, everySeconds, now, onEnd }: JobRunOptions,
  run: () => Promise<number>,
): Promise<number> {
  const startedAt = now();
  const started = performance.now();
  const record = async (items: number | null, error: string | null) => {
    const seconds = (performance.now() - started) / 1_000;
    onEnd?.({ job, outcome: error === null ? 'succeeded' : 'failed', seconds });
    const succeededAt = error === null ? now() : null;
    await database
      .query(RECORD_JOB_RUN, [job, everySeconds, startedAt, seconds, succeededAt, items, error])
      .catch(() => {});
  };
  try {
    const items = await run();
    await record(items, null);
    return items;
  } catch (error) {
    await record(null, errorLine(error));
    throw error;
  }
}

/** Runs a backup and records its outcome. `run` returns the bytes. */
export async function recordBackup(
  client: { query(text: string, values?: unknown[]): Promise<unknown> },
  now: () => Date,
  run: () => Promise<number>,
): Promise<void> {
  await recordJobRun(client, { job: BACKUP_JOB, everySeconds: BACKUP_INTERVAL_SECONDS, now }, run);
}

/** Registers the recurring jobs, so that a job that never runs is noticed. Deletes records of jobs that no version has run for two days. */
export async function registerJobs(
  dataSource: DataSource,
  jobs: readonly Pick<Job, 'name' | 'cron' | 'everySeconds'>[],
  now: Date,
): Promise<void> {
  const names = jobs.map(({ name }) => name);
  await dataSource.query(REGISTER_JOBS, [names, jobs.map(jobIntervalSeconds), now]);
  await dataSource.query(FORGET_REMOVED_JOBS, [[...names, BACKUP_JOB, TRIAL_RESTORE_JOB], now]);
}

/** The first line of an error, without secrets and personal data. */
const errorLine = (error: unknown): string =>
  maskSecrets(String((error as Error)?.message ?? error).split('\n', 1)[0] ?? '').slice(0, MAX_ERROR_CHARACTERS) ||
  'failed without a message';

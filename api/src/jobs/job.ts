import type { Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';

/** The context of a job; `now` is the instant for which it works. */
export interface JobContext {
  dataSource: DataSource;
  now: Date;
  /** Finds a service of the app. If a command runs the job, the service's clock returns `now`. */
  find<Service>(type: Type<Service>): Promise<Service>;
}

/** A recurring job; `run` returns the number of processed items. */
export interface Job {
  /** For minutes and longer, in Asia/Kolkata. One process at a time runs it. */
  cron?: string;
  /** For intervals below a minute. Every worker runs it, so the job must claim its work itself. */
  everySeconds?: number;
  run(context: JobContext): Promise<number>;
}

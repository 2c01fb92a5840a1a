import type { Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { DataSource } from 'typeorm';

/** The context of a job; `now` is the instant for which it works. */
export interface JobContext {
  dataSource: DataSource;
  now: Date;
  /** Finds a service of the app. If a command runs the job, the service's clock returns `now`. */
  find<Service>(type: Type<Service>): Promise<Service>;
}

/** A recurring job, with a cron pattern or an interval; `run` returns the number of processed items. */
export interface Job {
  /** The name in `npm run job -- NAME`. */
  name: string;
  /** For minutes and longer, in Asia/Kolkata. One process at a time runs it. */
  cron?: string;
  /** For intervals of at most a minute. Every worker runs it, so the job must claim its work itself. */
  everySeconds?: number;
  run(context: JobContext): Promise<number>;
}

/** Decorates the module of a feature with its recurring jobs. */
export const RecurringJobs = Reflector.createDecorator<readonly Job[]>();

/** The recurring jobs of modules. */
export function jobsOf(modules: readonly Type[]): Job[] {
  const reflector = new Reflector();
  return modules.flatMap((module) => reflector.get(RecurringJobs, module) ?? []);
}

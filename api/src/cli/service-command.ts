/** Commands that need the services of the app. */
import { parseArgs } from 'node:util';
import { type Abstract, type INestApplicationContext, Logger, type LoggerService, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { createModule } from '../app/app.module.ts';
import { findJob } from '../app/features.ts';
import { assertRequiredSettings, withSecrets } from '../app/secrets.ts';
import { InvalidOptionsError, readProcessConfig } from '../base/config.ts';
import { maskSecrets } from '../base/log.ts';
import { jobIntervalSeconds, recordJobRun } from '../jobs/job-runs.ts';
import { hasMigrations } from '../schema/data-source.ts';
import { openDatabase } from '../schema/database.ts';

const EXIT_FAILED = 1;

/** Writes warnings and errors of a job to stderr, one line each. Progress is left out. */
class JobMessages implements LoggerService {
  errors = 0;

  warn(message: unknown, context?: string): void {
    this.write(message, context);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.errors += 1;
    this.write(message, rest.at(-1));
  }
  log(): void {}

  private write(message: unknown, context: unknown): void {
    const [line = ''] = String((message as Error)?.message ?? message).split('\n', 1);
    process.stderr.write(`${maskSecrets(`${context}: ${line}`)}\n`);
  }
}

/**
 * Runs `job ARGS` and returns the exit code, which is 1 when the job has logged an error and continued. Throws
 * InvalidOptionsError and any error that ends the job.
 */
export async function runJob(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { now: { type: 'string' } } });
  const [given = ''] = positionals;
  // The command has two names for this job.
  const name = given === 'tender-status' ? 'publish-drafts' : given;
  const job = findJob(name);
  if (!job) throw new InvalidOptionsError(`there is no job "${name}"`);
  const now = values.now === undefined ? new Date() : new Date(values.now);
  if (Number.isNaN(now.getTime())) throw new InvalidOptionsError(`--now must be an instant like 2026-01-31T12:30:00Z`);
  const messages = new JobMessages();
  // Set here because some jobs log without creating the services.
  Logger.overrideLogger(messages);
  return withServices(now, messages, async ({ dataSource, find }) => {
    // A run with --now is recorded at the real time.
    const options = { job: name, everySeconds: jobIntervalSeconds(job), now: () => new Date() };
    const items = await recordJobRun(dataSource, options, () => job.run({ dataSource, now, find }));
    process.stdout.write(`${name}: ${items}\n`);
    return messages.errors > 0 ? EXIT_FAILED : 0;
  });
}

/** Finds a service of the app. */
export type FindService = <Service>(type: Type<Service> | Abstract<Service>) => Promise<Service>;

/** What a command with services gets. */
export interface ServiceContext {
  dataSource: DataSource;
  now: Date;
  /** The first call creates the services of the app, which takes a second. */
  find: FindService;
}

/** A command that gets the services of the app and returns the text for stdout. */
export const serviceCommand =
  (run: (args: string[], context: ServiceContext) => Promise<string>) =>
  (args: string[]): Promise<number> =>
    withServices(new Date(), false, async (context) => {
      process.stdout.write(await run(args, context));
      return 0;
    });

/** Opens the database and runs `work`, which returns the exit code. */
async function withServices(
  now: Date,
  logger: LoggerService | false,
  work: (context: ServiceContext) => Promise<number>,
): Promise<number> {
  const settings = assertRequiredSettings(readProcessConfig());
  const database = await openDatabase(settings);
  let services: INestApplicationContext | undefined;
  try {
    const config = withSecrets(settings, await hasMigrations(database.dataSource));
    const parts = { config, database, now: () => now, pagesFolder: '' };
    const find: FindService = async (type) => {
      services ??= await NestFactory.createApplicationContext(createModule(parts), {
        logger,
        abortOnError: false,
      });
      return services.get(type);
    };
    return await work({ dataSource: database.dataSource, now, find });
  } finally {
    await services?.close();
    await database.close();
  }
}

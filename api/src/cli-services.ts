/** The commands that need the services of the app: `job` and `orders`. */
import { parseArgs } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { createModule } from './app.module.ts';
import { type FindService, runOrders } from './cli-orders.ts';
import { InvalidOptionsError, readProcessConfig } from './config.ts';
import { hasMigrations } from './database/data-source.ts';
import { openDatabase } from './database/database.ts';
import { jobIntervalSeconds, recordJobRun } from './jobs/job-runs.ts';
import { EARLIER_JOB_NAMES, JOBS } from './jobs/schedule.ts';
import { assertRequiredSettings, withSecrets } from './secrets.ts';

/** Runs `job ARGS`; returns the exit code. Throws InvalidOptionsError. */
export async function runJob(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { now: { type: 'string' } } });
  const given = positionals[0] ?? '';
  const name = EARLIER_JOB_NAMES[given] ?? given;
  const job = JOBS[name];
  if (!job) throw new InvalidOptionsError(`there is no job "${name}"`);
  const now = values.now === undefined ? new Date() : new Date(values.now);
  if (Number.isNaN(now.getTime())) throw new InvalidOptionsError(`--now must be an instant like 2026-01-31T12:30:00Z`);
  return withServices(now, async ({ dataSource, find }) => {
    // A run for another instant is recorded at the real one.
    const options = { job: name, everySeconds: jobIntervalSeconds(job), now: () => new Date() };
    const items = await recordJobRun(dataSource, options, () => job.run({ dataSource, now, find }));
    process.stdout.write(`${name}: ${items}\n`);
  });
}

/** Runs `orders ARGS`; returns the exit code. Throws what `runOrders` throws. */
export function runOrdersCommand(args: string[]): Promise<number> {
  return withServices(new Date(), async (context) => {
    process.stdout.write(await runOrders(args, context));
  });
}

/** Runs `work` with the database. The services of the app are created with the first `find`. */
async function withServices(
  now: Date,
  work: (context: { dataSource: DataSource; now: Date; find: FindService }) => Promise<void>,
): Promise<number> {
  const settings = assertRequiredSettings(readProcessConfig());
  const database = await openDatabase(settings);
  let services: INestApplicationContext | undefined;
  try {
    const config = withSecrets(settings, await hasMigrations(database.dataSource));
    const parts = { config, database, now: () => now, pagesFolder: '' };
    const find: FindService = async (type) => {
      services ??= await NestFactory.createApplicationContext(createModule(parts), {
        logger: false,
        abortOnError: false,
      });
      return services.get(type);
    };
    await work({ dataSource: database.dataSource, now, find });
  } finally {
    await services?.close();
    await database.close();
  }
  return 0;
}

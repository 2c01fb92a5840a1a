/** The process of the web server, the worker, or both (ROLE). */
import { setTimeout as wait } from 'node:timers/promises';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DemoAccountService } from '../auth/registration/demo-account.service.ts';
import type { Config } from '../base/config.ts';
import { createLog, type Log, NestLog } from '../base/log.ts';
import { removeLeftFolders } from '../base/temporary-folders.ts';
import { EMBEDDED_IN_PRODUCTION } from '../database/embedded-postgres.ts';
import { makeMissingMonths } from '../database/monthly-partitions.sql.ts';
import { Readiness } from '../http/monitoring/readiness.ts';
import { importDemoTenders } from '../ingest/demo/fill-demo.ts';
import { PAYMENT_PROVIDERS } from '../payments/providers.ts';
import { FreePlanService } from '../plans/free-plan.service.ts';
import { hasMigrations } from '../schema/data-source.ts';
import { type Database, openDatabase } from '../schema/database.ts';
import { createModule } from './app.module.ts';
import { startMonitoringServer } from './monitoring-server.ts';
import { superviseSandbox } from './sandbox-process.ts';
import { withSecrets } from './secrets.ts';
import { builtPagesFolder, createServer, type ServerOptions } from './server.ts';
import { EX_SOFTWARE } from './startup-error.ts';
import { startWorker } from './worker.ts';

type CloseHandler = () => Promise<unknown>;

let isEnding = false;

/** Starts the process; `exitWithError` ends it when it cannot start or shut down. `onEnd` is the last step of its end. */
export async function runServer(
  settings: Config,
  exitWithError: (error: unknown) => never,
  onEnd: CloseHandler,
): Promise<void> {
  try {
    await start(settings, exitWithError, onEnd);
  } catch (error) {
    // A signal during the start closes the database, so the start fails. That failure is expected.
    if (!isEnding) exitWithError(error);
  }
}

async function start(settings: Config, exitWithError: (error: unknown) => never, onEnd: CloseHandler): Promise<void> {
  const now = () => new Date();
  const log = createLog(settings);
  Logger.overrideLogger(new NestLog(log));
  if (settings.production) logWarningsOfNode(log);
  await removeLeftFolders(now());
  if (settings.production && settings.databaseUrl === undefined)
    log.warn(`DATABASE_URL is not set: ${EMBEDDED_IN_PRODUCTION}`);
  const database = await openDatabase(settings, {
    onRestart: () => log.warn('The embedded database stopped and was restarted'),
    onLost: ({ message }) => {
      log.fatal(`${message}. This process ends`);
      process.exit(EX_SOFTWARE);
    },
  });
  const closing: CloseHandler[] = [onEnd, () => database.close()];
  onTerminationSignal(
    () => closing.reduceRight((before, close) => before.then(close), Promise.resolve<unknown>(undefined)),
    exitWithError,
  );
  // Without them rows wait in the default partitions until the hourly job runs.
  await makeMissingMonths(database.dataSource, now()).catch((error) => log.warn({ err: error }, error.message));
  const completeSettings = withSecrets(settings, await hasMigrations(database.dataSource));
  const config = await startSandbox(completeSettings, database, closing);
  if (config.demo) await importDemoTenders(database.dataSource, now());
  const parts = { config, database, now, pagesFolder: builtPagesFolder(), log };
  const web = config.role === 'worker' ? undefined : startWeb(parts);
  const app = web ?? startServices(parts);
  // A signal may arrive during the start. Then the app is closed once it has started.
  closing.push(() => app.then((started) => started.close()));
  const services = await app;
  await services.get(DemoAccountService).apply();
  await services.get(FreePlanService).applyToAll();
  if (!web && config.metricsPort !== undefined) {
    const monitoring = await startMonitoringServer(services, config, log);
    closing.push(() => monitoring.close());
  }
  if (config.role !== 'web') {
    const queue = startWorker({ config, database, now, services });
    closing.push(() => queue.then(({ stop }) => stop()));
    await queue;
  }
  if (web) closing.push(async () => drainAndClose(await web, config));
  services.get(Readiness).markReady();
  const ready = config.role === 'worker' ? 'Nivida worker is ready' : `Nivida is ready at ${config.publicOrigin}`;
  if (config.production) log.info(ready);
  else process.stdout.write(`${ready}\n`);
}

/** Replaces the text that Node writes for deprecated functions and the like. */
function logWarningsOfNode(log: Log): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message));
}

/** Starts the payment sandbox if it is the provider, and adds its port to the settings. */
async function startSandbox(config: Config, database: Database, closing: CloseHandler[]): Promise<Config> {
  if (PAYMENT_PROVIDERS.sandbox.missingSettings(config).length > 0) return config;
  const sandbox = superviseSandbox(config, config.databaseUrlDirect ?? database.address);
  closing.push(() => sandbox.then(({ stop }) => stop()));
  return { ...config, paymentSandboxPort: (await sandbox).port };
}

async function startWeb(parts: ServerOptions): Promise<NestFastifyApplication> {
  const app = await createServer(createModule(parts), parts);
  await app.listen(parts.config.port, parts.config.host);
  return app;
}

/** Reports unready, answers requests until the proxies have noticed, then closes the HTTP server. Jobs still run. */
async function drainAndClose(app: NestFastifyApplication, { drainSeconds }: Config): Promise<void> {
  app.get(Readiness).markEnding();
  await wait(drainSeconds * 1_000);
  await app.getHttpAdapter().close();
}

/** The services for jobs in a process without a web server. */
function startServices(parts: ServerOptions): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(createModule(parts), { abortOnError: false });
}

/** Shuts down on the first signal, exits at once on the second. */
function onTerminationSignal(close: CloseHandler, exitWithError: (error: unknown) => never): void {
  const end = () => {
    if (isEnding) process.exit(1);
    isEnding = true;
    close().then(() => process.exit(0), exitWithError);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

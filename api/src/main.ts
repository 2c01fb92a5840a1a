/** Starts the roles asked for: the web server, the worker, or both. */
import 'reflect-metadata';
import { createModule } from './app.module.ts';
import { type Config, ConfigError, processConfig } from './config.ts';
import { type Database, openDatabase } from './database/database.ts';
import { builtPagesFolder, createServer } from './http/server.ts';
import { fillDemo } from './ingest/fill-demo.ts';
import { startQueue } from './jobs/queue.ts';
import { withSecrets } from './secrets.ts';

const EX_CONFIG = 78;

type Close = () => Promise<unknown>;

async function main(config: Config): Promise<void> {
  const now = () => new Date();
  const database = await openDatabase(config);
  const closing: Close[] = [() => database.close()];
  onSignal(() => closing.reduceRight((before, close) => before.then(close), Promise.resolve<unknown>(undefined)));
  if (config.demo) await fillDemo(database.dataSource, now());
  if (config.role !== 'web') {
    const queue = await startQueue(database.address, database.dataSource, now);
    closing.push(() => queue.stop());
  }
  if (config.role !== 'worker') closing.push(await startWeb(config, database, now));
  process.stdout.write(
    config.role === 'worker' ? 'Nivida worker is ready\n' : `Nivida is ready at ${config.publicOrigin}\n`,
  );
}

async function startWeb(config: Config, database: Database, now: () => Date): Promise<Close> {
  const parts = { config, database, now, pagesFolder: builtPagesFolder() };
  const app = await createServer(createModule(parts), parts);
  await app.listen(config.port, config.host);
  return () => app.close();
}

/** Ends in order on the first signal, at once on the second. */
function onSignal(close: Close): void {
  let ending = false;
  const end = () => {
    if (ending) process.exit(1);
    ending = true;
    close().then(
      () => process.exit(0),
      (error) => fail(error),
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

function fail(error: unknown): never {
  const isConfig = error instanceof ConfigError;
  process.stderr.write(`${isConfig ? error.message : ((error as Error).stack ?? error)}\n`);
  process.exit(isConfig ? EX_CONFIG : 1);
}

try {
  await main(withSecrets(processConfig()));
} catch (error) {
  fail(explain(error));
}

function explain(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error;
  return new ConfigError(`PORT ${(error as { port?: number }).port} is in use; stop what listens there or set another`);
}

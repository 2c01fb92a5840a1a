/** Starts the web server, the worker, or both (ROLE). */
import 'reflect-metadata';
import { assertRequiredSettings } from './app/secrets.ts';
import { explainStartupError } from './app/startup-error.ts';
import {
  type Config,
  isProductionProcess,
  readCommandName,
  readProcessConfig,
  withCommandName,
} from './base/config.ts';
import { createLog, maskSecrets } from './base/log.ts';

const HELP = `Usage: npm start, or node api/dist/main.js

Starts Nivida. Settings are environment variables; README lists them. The most used:
  PORT (3000), HOST (127.0.0.1), PUBLIC_ORIGIN, DATA_DIR (./.data), DATABASE_URL, ROLE (all, web or worker)
Shuts down on SIGTERM or Ctrl-C. Exit codes: 70 the embedded database cannot be restarted, 78 a setting is wrong or missing
`;

function exitWithError(error: unknown): never {
  const explained = explainStartupError(error, settings ?? {});
  const line = explained && withCommandName(explained.line, readCommandName());
  if (isProductionProcess())
    createLog({ production: true, role: settings?.role ?? 'all', logLevel: settings?.logLevel ?? 'info' }).fatal(
      explained ? {} : { err: error },
      line ?? 'Nivida cannot start',
    );
  else process.stderr.write(`${line ?? maskSecrets(String((error as Error).stack ?? error))}\n`);
  process.exit(explained?.exitCode ?? 1);
}

/** Starts the export of traces, which must see the import of `pg`. Returns what ends it. */
async function startTracesIfConfigured({ tracesEndpoint, role, version }: Config): Promise<() => Promise<void>> {
  if (tracesEndpoint === undefined) return async () => {};
  const { startTraces } = await import('./app/start-traces.ts');
  return startTraces(tracesEndpoint, { role, version });
}

let settings: Config | undefined;
if (process.argv.includes('--help')) {
  process.stdout.write(HELP);
} else {
  process.on('uncaughtException', exitWithError);
  try {
    settings = readProcessConfig();
    const complete = assertRequiredSettings(settings);
    // Loaded after the settings are read. The app takes a second to load, and a wrong setting is reported before that.
    const stopTraces = await startTracesIfConfigured(complete);
    const { runServer } = await import('./app/server-process.ts');
    await runServer(complete, exitWithError, stopTraces);
  } catch (error) {
    exitWithError(error);
  }
}

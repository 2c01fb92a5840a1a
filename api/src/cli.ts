/** The operator's commands: import, documents, orders, messages, backup, restore, migrate, job, doctor. Progress goes to stderr, the result is the last line on stdout. */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { createModule } from './app.module.ts';
import { InvalidBackupError } from './backup/archive.ts';
import { RestoreError } from './backup/restore.ts';
import { BACKUP_USAGE, type BackupContext, runBackup, runRestore } from './cli-backup.ts';
import { DOCTOR_USAGE, runDoctor } from './cli-doctor.ts';
import { assertFolder, attachFolder, DOCUMENTS_USAGE, runDocuments } from './cli-documents.ts';
import { MESSAGES_USAGE, runMessages } from './cli-messages.ts';
import { type FindService, ORDERS_USAGE, runOrders } from './cli-orders.ts';
import { ConfigError, readProcessConfig } from './config.ts';
import { hasMigrations } from './database/data-source.ts';
import { openDatabase } from './database/database.ts';
import { type ImportRequest, InvalidOptionsError, importFile } from './ingest/import.ts';
import type { IngestCounts } from './ingest/ingest-run.ts';
import { UnreadableFileError } from './ingest/source-tender.ts';
import { jobIntervalSeconds, recordJobRun } from './jobs/job-runs.ts';
import { EARLIER_JOB_NAMES, JOBS } from './jobs/schedule.ts';
import { OperatorError } from './orders/operator/order-operator.ts';
import { GatewayError } from './payments/payment-gateway.port.ts';
import { assertRequiredSettings, createSecrets, secretsPath, withSecrets } from './secrets.ts';
import { explainStartupError } from './startup-error.ts';

// Imports allocate many short-lived rows. A growing young generation needs more memory (measured: 313 MB instead of 186 MB)
// and is not faster.
setFlagsFromString('--semi-space-growth-factor=1');

const EXIT_REJECTED = 1;
const EXIT_UNREADABLE = 2;
const FORMATS = ['auto', 'gepnic', 'ocds', 'pincodes'] as const;

const USAGE = `Usage:
  npm run import -- FILE… [--format auto|gepnic|ocds|pincodes] [--portal NAME] [--state NAME]
                          [--rebase YYYY-MM-DD] [--dry-run] [--rejects FILE] [--json]
                          [--documents DIR]     DIR: official files in folders by tender id
                          [--allow-missing COLUMN]…   a column that the portal does not give
                          [--accept-mass-change]      store a file that empties a field, or moves
                                                      all dates, of most stored tenders
  npm run migrate [-- --new-secrets]   --new-secrets: creates DATA_DIR/secrets.json when it is lost
${DOCUMENTS_USAGE}
${ORDERS_USAGE}
${MESSAGES_USAGE}
${BACKUP_USAGE}
${DOCTOR_USAGE}
  npm run job -- NAME [--now ISO]      NAME: ${Object.keys(JOBS).join(', ')}`;

const logLine = (line: string) => process.stderr.write(`${line}\n`);

async function runImport(args: string[]): Promise<number> {
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'auto' },
      portal: { type: 'string' },
      state: { type: 'string' },
      rebase: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      rejects: { type: 'string' },
      documents: { type: 'string' },
      'allow-missing': { type: 'string', multiple: true, default: [] },
      'accept-mass-change': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (files.length === 0) throw new InvalidOptionsError('name the file to import');
  if (values.documents !== undefined) assertFolder(values.documents);
  const format = FORMATS.find((name) => name === values.format);
  if (!format) throw new InvalidOptionsError(`--format must be one of ${FORMATS.join(', ')}`);
  const total: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
  const config = readProcessConfig();
  const database = await openDatabase(config);
  try {
    for (const file of files) {
      const request: ImportRequest = {
        file,
        format,
        portal: values.portal,
        state: values.state,
        rebase: values.rebase,
        dryRun: values['dry-run'],
        rejects: values.rejects,
        allowMissing: values['allow-missing'],
        acceptMassChange: values['accept-mass-change'],
      };
      const context = { dataSource: database.dataSource, dataDir: config.dataDir, now: new Date(), log: logLine };
      const counts = await importFile(request, context).catch((error) => {
        throw error instanceof UnreadableFileError ? new UnreadableFileError(`${file} ${error.message}`) : error;
      });
      for (const key of Object.keys(total) as (keyof IngestCounts)[]) total[key] += counts[key];
    }
    if (values.documents !== undefined && !values['dry-run']) {
      const context = { dataSource: database.dataSource, config, now: new Date(), log: logLine };
      logLine((await attachFolder(values.documents, `import of ${files.join(', ')}`, false, context)).trimEnd());
    }
  } finally {
    await database.close();
  }
  const line = values.json
    ? JSON.stringify(total)
    : Object.entries(total)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ');
  process.stdout.write(`${line}\n`);
  return total.rejected === total.read ? EXIT_REJECTED : 0;
}

async function runDocumentsCommand(args: string[]): Promise<number> {
  const config = readProcessConfig();
  const database = await openDatabase(config);
  try {
    const context = { dataSource: database.dataSource, config, now: new Date(), log: logLine };
    process.stdout.write(await runDocuments(args, context));
  } finally {
    await database.close();
  }
  return 0;
}

async function runMigrate(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { 'new-secrets': { type: 'boolean', default: false } } });
  const config = readProcessConfig();
  const database = await openDatabase(config);
  await database.close();
  if (values['new-secrets']) {
    const made = createSecrets(config);
    if (!made) throw new OperatorError(`Nothing was created: secrets are set, or stored in ${secretsPath(config)}`);
    logLine(`${made} holds new secrets: earlier sessions and push subscriptions end`);
  }
  process.stdout.write('The database is up to date\n');
  return 0;
}

async function runJob(args: string[]): Promise<number> {
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

function runOrdersCommand(args: string[]): Promise<number> {
  return withServices(new Date(), async (context) => {
    process.stdout.write(await runOrders(args, context));
  });
}

async function runMessagesCommand(args: string[]): Promise<number> {
  const database = await openDatabase(readProcessConfig());
  try {
    process.stdout.write(await runMessages(args, database));
  } finally {
    await database.close();
  }
  return 0;
}

async function runDoctorCommand(args: string[]): Promise<number> {
  const { text, exitCode } = await runDoctor(args, readProcessConfig, new Date());
  process.stdout.write(text);
  return exitCode;
}

/** A command that opens the database itself. */
const withBackupContext =
  (run: (args: string[], context: BackupContext) => Promise<string>) => async (args: string[]) => {
    process.stdout.write(await run(args, { config: readProcessConfig(), now: new Date(), log: logLine }));
    return 0;
  };

const COMMANDS: Record<string, (args: string[]) => Promise<number>> = {
  import: runImport,
  documents: runDocumentsCommand,
  orders: runOrdersCommand,
  messages: runMessagesCommand,
  backup: withBackupContext(runBackup),
  restore: withBackupContext(runRestore),
  migrate: runMigrate,
  job: runJob,
  doctor: runDoctorCommand,
};

/** The lines of USAGE for one command; all lines for an unknown one. */
function usageOf(name: string): string {
  const [title, ...entries] = USAGE.split(/\n(?= {2}npm run )/);
  const own = entries.filter((entry) => entry.startsWith(`  npm run ${name} `));
  return [title, ...(own.length > 0 ? own : entries)].join('\n');
}

async function main([name = '', ...args]: string[]): Promise<number> {
  if ([name, ...args].includes('--help')) {
    process.stdout.write(`${usageOf(name)}\n`);
    return 0;
  }
  const command = COMMANDS[name];
  if (!command) throw new InvalidOptionsError(name ? `there is no command "${name}"` : 'name a command');
  return command(args);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportError(error as Error & { code?: string });
}

/** One line for an error that the operator can fix, the stack for any other. */
function reportError(error: Error & { code?: string }): number {
  if (error instanceof UnreadableFileError || error instanceof InvalidBackupError) {
    logLine(error.message);
    return EXIT_UNREADABLE;
  }
  if (error instanceof InvalidOptionsError || error.code?.startsWith('ERR_PARSE_ARGS')) {
    logLine(`${error.message}\n${usageOf(process.argv[2] ?? '')}`);
    return EXIT_UNREADABLE;
  }
  if (error instanceof OperatorError || error instanceof RestoreError) logLine(error.message);
  else if (error instanceof GatewayError)
    logLine(`The payment provider did not answer, so nothing has changed: ${error.message}. Try again in a minute`);
  else return reportUnexpectedError(error);
  return 1;
}

function reportUnexpectedError(error: Error): number {
  const explained = explainStartupError(error, error instanceof ConfigError ? {} : readProcessConfig());
  logLine(explained?.line ?? error.stack ?? String(error));
  return explained?.exitCode ?? 1;
}

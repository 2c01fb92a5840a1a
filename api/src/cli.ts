/** The operator's commands. Progress goes to stderr, the result is the last line on stdout. */
import 'reflect-metadata';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import type { DataSource } from 'typeorm';
import {
  type Config,
  InvalidOptionsError,
  readCommandName,
  readProcessConfig,
  withCommandName,
} from './base/config.ts';
import type { ServiceContext } from './cli/service-command.ts';
import { usageOf } from './cli/usage.ts';

// Imports allocate many short-lived rows. A growing young generation needs more memory (measured: 313 MB instead of 186 MB)
// and is not faster.
setFlagsFromString('--semi-space-growth-factor=1');

const EXIT_FAILED = 1;
const EXIT_UNREADABLE = 2;

const logLine = (line: string) => process.stderr.write(`${withCommandName(line, readCommandName())}\n`);

interface DatabaseContext {
  dataSource: DataSource;
  config: Config;
  now: Date;
  log(line: string): void;
  /** Called when a part failed and the others were done. */
  onFailure(): void;
}

/** A command that gets the open database and returns the text for stdout. */
const databaseCommand =
  (load: () => Promise<(args: string[], context: DatabaseContext) => Promise<string>>) => async (args: string[]) => {
    const [run, { openDatabase }] = await Promise.all([load(), import('./schema/database.ts')]);
    const config = readProcessConfig();
    const { dataSource, close } = await openDatabase(config);
    let exitCode = 0;
    const onFailure = () => {
      exitCode = EXIT_FAILED;
    };
    try {
      process.stdout.write(await run(args, { dataSource, config, now: new Date(), log: logLine, onFailure }));
    } finally {
      await close();
    }
    return exitCode;
  };

async function runMigrate(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { 'new-secrets': { type: 'boolean', default: false } } });
  const [{ createSecrets, secretsPath }, { openDatabase }] = await Promise.all([
    import('./app/secrets.ts'),
    import('./schema/database.ts'),
  ]);
  const config = readProcessConfig();
  const database = await openDatabase(config);
  await database.close();
  if (values['new-secrets']) {
    const made = createSecrets(config);
    if (!made) {
      const { OperatorError } = await import('./base/operator-error.ts');
      throw new OperatorError(`Nothing was created: secrets are set, or stored in ${secretsPath(config)}`);
    }
    logLine(`${made} holds new secrets: earlier sessions and push subscriptions end`);
  }
  process.stdout.write('The database is up to date\n');
  return 0;
}

async function runDoctorCommand(args: string[]): Promise<number> {
  const { runDoctor } = await import('./cli/commands/doctor.command.ts');
  const { text, exitCode } = await runDoctor(args, readProcessConfig, new Date());
  process.stdout.write(withCommandName(text, readCommandName()));
  return exitCode;
}

async function askOperator(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return terminal.question(question).finally(() => terminal.close());
}

/** A command that opens the database itself. */
const backupCommand = (name: 'runBackup' | 'runRestore') => async (args: string[]) => {
  const { [name]: run } = await import('./cli/commands/backup.command.ts');
  const ask = process.stdin.isTTY && process.stderr.isTTY ? askOperator : undefined;
  process.stdout.write(await run(args, { config: readProcessConfig(), now: new Date(), log: logLine, ask }));
  return 0;
};

/** A command that shows what it will send and asks before it does. */
async function runMailCommand(args: string[]): Promise<number> {
  const [{ runMail }, { serviceCommand: withServices }] = await Promise.all([
    import('./cli/commands/mail.command.ts'),
    import('./cli/service-command.ts'),
  ]);
  const ask = process.stdin.isTTY && process.stderr.isTTY ? askOperator : undefined;
  return withServices((own, context) => runMail(own, { ...context, log: logLine, ask }))(args);
}

/** A command that gets the services of the app. */
const serviceCommand =
  (load: () => Promise<(args: string[], context: ServiceContext) => Promise<string>>) => async (args: string[]) => {
    const [run, { serviceCommand }] = await Promise.all([load(), import('./cli/service-command.ts')]);
    return serviceCommand(run)(args);
  };

// Each command loads only its own code, because loading everything takes a second.
const COMMANDS: Record<string, (args: string[]) => Promise<number>> = {
  import: async (args) => (await import('./cli/commands/import.command.ts')).runImport(args),
  documents: databaseCommand(async () => (await import('./cli/commands/documents.command.ts')).runDocuments),
  rates: serviceCommand(async () => (await import('./cli/commands/rates.command.ts')).runRates),
  orders: serviceCommand(async () => (await import('./cli/commands/orders.command.ts')).runOrders),
  staff: serviceCommand(async () => (await import('./cli/commands/staff.command.ts')).runStaff),
  users: serviceCommand(async () => (await import('./cli/commands/users.command.ts')).runUsers),
  plans: serviceCommand(async () => (await import('./cli/commands/plans.command.ts')).runPlans),
  mail: runMailCommand,
  audit: serviceCommand(async () => (await import('./cli/commands/audit.command.ts')).runAudit),
  mappings: serviceCommand(async () => (await import('./cli/commands/mappings.command.ts')).runMappings),
  notices: serviceCommand(async () => (await import('./cli/commands/notices.command.ts')).runNotices),
  incidents: serviceCommand(async () => (await import('./cli/commands/notices.command.ts')).runIncidents),
  tenders: serviceCommand(async () => (await import('./cli/commands/tenders.command.ts')).runTenders),
  messages: serviceCommand(async () => (await import('./cli/commands/messages.command.ts')).runMessages),
  feeds: serviceCommand(async () => (await import('./cli/commands/feeds.command.ts')).runFeeds),
  ocds: serviceCommand(async () => (await import('./cli/commands/ocds.command.ts')).runOcds),
  awards: databaseCommand(async () => (await import('./cli/commands/awards.command.ts')).runAwards),
  backup: backupCommand('runBackup'),
  restore: backupCommand('runRestore'),
  migrate: runMigrate,
  job: async (args) => (await import('./cli/service-command.ts')).runJob(args),
  doctor: runDoctorCommand,
};

async function main([name = '', ...args]: string[]): Promise<number> {
  if ([name, ...args].includes('--help')) {
    process.stdout.write(`${withCommandName(await usageOf(name), readCommandName())}\n`);
    return 0;
  }
  const command = COMMANDS[name];
  if (!command) throw new InvalidOptionsError(name ? `there is no command "${name}"` : 'name a command');
  return command(args);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = await reportError(error as Error & { code?: string });
}

/** One line for an error that the operator can fix, the stack for any other. */
async function reportError(error: Error & { code?: string }): Promise<number> {
  if (error instanceof InvalidOptionsError || error.code?.startsWith('ERR_PARSE_ARGS')) {
    logLine(`${error.message}\n${await usageOf(process.argv[2] ?? '')}`);
    return EXIT_UNREADABLE;
  }
  const { explainError } = await import('./cli/explain-error.ts');
  const { line, exitCode } = explainError(error);
  logLine(line);
  return exitCode;
}

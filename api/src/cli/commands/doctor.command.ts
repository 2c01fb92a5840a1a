/** The operator's command that checks the installation. */
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { areSecretsConfigured, assertRequiredSettings, secretsPath, withSecrets } from '../../app/secrets.ts';
import { explainStartupError } from '../../app/startup-error.ts';
import { type Config, ConfigError } from '../../base/config.ts';
import { maskSecrets } from '../../base/log.ts';
import { describeLocation } from '../../base/storage-location.ts';
import { vapidKeyId } from '../../base/vapid-keys.ts';
import { isPooledByTransaction, isSameDatabase } from '../../database/pooler.sql.ts';
import { REPLICA_LAG } from '../../database/server.sql.ts';
import { checkDisks, checkRecords } from '../../desk/installation/check-installation.ts';
import {
  describeAge,
  type Finding,
  failure,
  formatFindings,
  ok,
  warning,
  worstLevel,
} from '../../desk/installation/findings.ts';
import { HAS_QUEUES, PUSH_FACTS, SERVER_FACTS } from '../../desk/installation/installation.sql.ts';
import {
  embeddedFindings,
  type PushHostFacts,
  pushFindings,
  serverFindings,
  settingsFindings,
} from '../../desk/installation/installation-findings.ts';
import { checkForUpdate } from '../../desk/installation/update-check.ts';
import { verifySmtpServer } from '../../mail/smtp-transport.ts';
import { GatewayRejectedError } from '../../payments/payment-gateway.port.ts';
import { PAYMENT_PROVIDERS } from '../../payments/providers.ts';
import { readDocument } from '../../reading/document-reader.ts';
import { countMissingMigrations, toPgOptions } from '../../schema/data-source.ts';
import { openDatabaseServer } from '../../schema/database.ts';
import { checkFileStore } from '../../storage/file-store.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const OTHERS_MODE = 0o077;
const MAX_LAG_SECONDS = 300;

interface DoctorResult {
  text: string;
  exitCode: number;
}

/** Runs `doctor`. Nothing is changed: the database is not migrated, and no secret is created. */
export async function runDoctor(args: string[], readSettings: () => Config, now: Date): Promise<DoctorResult> {
  parseArgs({ args, options: {} });
  const findings: Finding[] = [];
  let config: Config;
  try {
    config = readSettings();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return toResult([failure('settings', `${error.message}. Correct it, then run doctor again`)]);
  }
  findings.push(ok('version', `${config.version}, Node ${process.versions.node}`));
  if (config.updateUrl !== undefined) findings.push(await checkForUpdate(config.updateUrl, config.version));
  const settings = checkSettings(config);
  findings.push(...settings);
  const database = await checkDatabase(config, now);
  findings.push(...embeddedFindings(config));
  findings.push(...database.findings);
  findings.push(...(await checkPooler(config)), ...(await checkReplicas(config)));
  // The server does not start with incomplete settings, so the state of its keys does not matter.
  if (worstLevel(settings) < worstLevel([failure('settings', '')]))
    findings.push(...checkKeys(config, database.isUsed));
  findings.push(await checkMail(config), ...(await checkProviders(config, now)));
  if (config.files.kind === 'bucket') findings.push(await checkBucket(config));
  findings.push(await checkReader(), ...(await checkDisks(config)));
  return toResult(findings);
}

const toResult = (findings: Finding[]): DoctorResult => ({
  text: maskSecrets(formatFindings(findings)),
  exitCode: worstLevel(findings),
});

function checkSettings(config: Config): Finding[] {
  try {
    assertRequiredSettings(config);
    return settingsFindings(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [failure('settings', `${error.message}. The server does not start without this`)];
  }
}

function checkKeys(config: Config, isUsed: boolean): Finding[] {
  const path = secretsPath(config);
  const areSet = areSecretsConfigured(config);
  if (!areSet && !existsSync(path))
    return [
      isUsed
        ? failure(
            'keys',
            `${path} is missing, and the database was used with it. Put it back, or run npm run migrate -- --new-secrets`,
          )
        : ok('keys', `the first start generates ${path}`),
    ];
  try {
    withSecrets(config, isUsed);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [failure('keys', error.message)];
  }
  if (!areSet && (statSync(path).mode & OTHERS_MODE) !== 0)
    return [warning('keys', `other users can read ${path}. Run chmod 600 ${path}`)];
  return [ok('keys', `${areSet ? 'set as variables' : `stored in ${path}`}; keep a copy elsewhere`)];
}

/** Checks that need the database. `isUsed`: a server has used it. */
async function checkDatabase(config: Config, now: Date): Promise<{ findings: Finding[]; isUsed: boolean }> {
  const isEmbedded = config.databaseUrl === undefined;
  const folder = join(config.dataDir, 'postgres');
  if (isEmbedded && !existsSync(join(folder, 'PG_VERSION')))
    return {
      findings: [
        warning('database', `there is none in ${folder} yet. The first start creates it; or set DATABASE_URL`),
      ],
      isUsed: false,
    };
  let server: Awaited<ReturnType<typeof openDatabaseServer>> | undefined;
  let client: Client | undefined;
  try {
    server = await openDatabaseServer(config);
    client = new Client({
      ...toPgOptions(server.address),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
    });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query(SERVER_FACTS);
    const findings = serverFindings(rows[0], now);
    const { findings: contents, isUsed } = await checkContents(client, config, now);
    return { findings: [...findings, ...contents], isUsed };
  } catch (error) {
    const line = explainStartupError(error, config)?.line ?? (error as Error).message.split('\n', 1)[0];
    return { findings: [failure('database', `${line}. Start it, or correct DATABASE_URL`)], isUsed: true };
  } finally {
    await client?.end().catch(() => {});
    await server?.stop();
  }
}

async function checkContents(
  client: Client,
  config: Config,
  now: Date,
): Promise<{ findings: Finding[]; isUsed: boolean }> {
  const read = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query(text, values)).rows as Row[];
  let missing: number;
  try {
    missing = await countMissingMigrations((text) => read(text));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: [failure('schema', error.message)], isUsed: true };
  }
  if (missing > 0)
    return {
      findings: [warning('schema', `${missing} migrations are missing. Run npm run migrate, or start the server`)],
      isUsed: (await read<{ exists: boolean }>(HAS_QUEUES))[0]?.exists ?? false,
    };
  const findings = [ok('schema', 'up to date'), ...(await checkRecords(read, config, now))];
  const [queues] = await read<{ exists: boolean }>(HAS_QUEUES);
  const hosts = await read<PushHostFacts>(PUSH_FACTS, [now]);
  findings.push(...(await checkPush(hosts, config)));
  return { findings, isUsed: queues?.exists ?? false };
}

/** Whether this machine reaches the push services of its devices. */
async function checkPush(hosts: PushHostFacts[], config: Config): Promise<Finding[]> {
  if (hosts.length === 0) return [ok('push', 'no browser has subscribed yet')];
  const keyIds = loadKeyIds(config);
  const findings = keyIds ? pushFindings(hosts, keyIds) : [];
  for (const { host } of hosts) {
    const code = await connectionError(host);
    if (code !== undefined)
      findings.push(
        warning('push', `${host} cannot be reached (${code}). Check DNS and the firewall for outgoing HTTPS`),
      );
  }
  const devices = hosts.reduce((sum, host) => sum + host.devices, 0);
  return findings.length > 0 ? findings : [ok('push', `${devices} devices, all their push services can be reached`)];
}

/** Ids of the configured keys; undefined when they cannot be read. Another finding reports that. */
function loadKeyIds(config: Config): string[] | undefined {
  if (!areSecretsConfigured(config) && !existsSync(secretsPath(config))) return undefined;
  try {
    return withSecrets(config, true).vapidKeys.map(({ publicKey }) => vapidKeyId(publicKey));
  } catch {
    return undefined;
  }
}

/** The code of a failed connection; undefined when the host answers at all. */
function connectionError(host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const ping = request(`https://${host}/`, { method: 'HEAD', timeout: CONNECT_TIMEOUT_MS }, (answer) => {
      answer.destroy();
      done(undefined);
    });
    ping.on('timeout', () => ping.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    ping.on('error', ({ code }: NodeJS.ErrnoException) => done(code ?? 'no answer'));
    ping.end();
  });
}

/** Whether locks of sessions hold: a pooler by transaction needs a direct address beside it. */
async function checkPooler({ databaseUrl, databaseUrlDirect }: Config): Promise<Finding[]> {
  if (databaseUrl === undefined) return [];
  try {
    if (databaseUrlDirect === undefined)
      return (await isPooledByTransaction(databaseUrl))
        ? [
            failure(
              'pooler',
              'DATABASE_URL is a pooler by transaction, so imports and migrations are not locked. Set DATABASE_URL_DIRECT to the database itself',
            ),
          ]
        : [];
    if (await isPooledByTransaction(databaseUrlDirect))
      return [failure('pooler', 'DATABASE_URL_DIRECT is a pooler by transaction. Set it to the database itself')];
    return (await isSameDatabase(databaseUrl, databaseUrlDirect))
      ? [ok('pooler', 'DATABASE_URL and DATABASE_URL_DIRECT lead to one database')]
      : [failure('pooler', 'DATABASE_URL and DATABASE_URL_DIRECT lead to different databases. Correct one of them')];
  } catch (error) {
    // Without DATABASE_URL_DIRECT the line of the database reports it.
    if (databaseUrlDirect === undefined) return [];
    const reason = (error as NodeJS.ErrnoException).code ?? 'no answer';
    return [failure('pooler', `DATABASE_URL_DIRECT or DATABASE_URL does not answer (${reason}). Correct it`)];
  }
}

/** One line for each replica. Several are numbered as in DATABASE_URL_READ. */
function checkReplicas({ databaseUrlsRead }: Config): Promise<Finding[]> {
  const nameOf = (at: number) => (databaseUrlsRead.length === 1 ? 'replica' : `replica ${at + 1}`);
  return Promise.all(databaseUrlsRead.map((address, at) => checkReplica(nameOf(at), address)));
}

async function checkReplica(name: string, connectionString: string): Promise<Finding> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ seconds: number }>(REPLICA_LAG);
    const seconds = rows[0]?.seconds ?? 0;
    return seconds > MAX_LAG_SECONDS
      ? warning(name, `${describeAge(seconds)} behind, so it is not read. Check the network and long statements on it`)
      : ok(name, `${describeAge(seconds)} behind`);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'no answer';
    return warning(
      name,
      `does not answer (${reason}), so other servers are read. Start it, or correct DATABASE_URL_READ`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** Calls the object store, which tests the credentials. */
async function checkBucket(config: Config): Promise<Finding> {
  const place = describeLocation(config.files);
  return checkFileStore(config).then(
    () => ok('files', `${place} answers`),
    (error: Error) =>
      failure(
        'files',
        `${place}: ${error.message}. Check FILES_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the clock of this machine`,
      ),
  );
}

async function checkMail({ mailUrl, isMailTlsOptional, production, dataDir }: Config): Promise<Finding> {
  if (mailUrl === undefined)
    return production
      ? failure(
          'mail',
          'MAIL_URL is not set. Set it to the address of your mail server, with user and password; docs/configuration.md has its form',
        )
      : ok('mail', `mails are files in ${join(dataDir, 'mail')}`);
  const { host } = new URL(mailUrl);
  return verifySmtpServer({ url: mailUrl, isTlsOptional: isMailTlsOptional }).then(
    () => ok('mail', `${host} accepts this server`),
    (error: Error) =>
      failure('mail', `${host} does not accept this server (${error.message}). Check MAIL_URL and the mail server`),
  );
}

/** Asks the provider of new orders, and the one that stands in for it. */
async function checkProviders(config: Config, now: Date): Promise<Finding[]> {
  const names = [config.paymentProvider, config.paymentFallback];
  return (await Promise.all(names.map((name) => checkProvider(config, name, now)))).flat();
}

/** Asks a provider about an order that does not exist, which tests the credentials. */
async function checkProvider(config: Config, name: Config['paymentProvider'], now: Date): Promise<Finding[]> {
  if (name === undefined) return [];
  if (name === 'none')
    return [ok('payments', `nothing is sold; every account has what FREE_PLAN=${config.freePlan} gives`)];
  if (name === 'sandbox') return [ok('payments', 'the sandbox; no money moves')];
  // Another finding names the missing settings.
  if (PAYMENT_PROVIDERS[name].missingSettings(config).length > 0) return [];
  const gateway = PAYMENT_PROVIDERS[name].createGateway(config, () => now);
  return gateway.fetchStatus('doctor-0', { providerRef: null, expiresAt: now, leftAt: null }).then(
    () => [ok('payments', `${name} answers${gateway.live ? '' : '; its trial environment, no money moves'}`)],
    // Payments are settled later, so a provider that does not answer is no failure of this installation.
    (error: Error) => [
      (error instanceof GatewayRejectedError ? failure : warning)(
        'payments',
        `${name}: ${error.message}. Check its settings (docs/configuration.md) and outgoing HTTPS`,
      ),
    ],
  );
}

/** Whether the program that reads documents starts on this machine. */
async function checkReader(): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-reader-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, 'no document');
    await readDocument(path);
    return ok('documents', 'their reader starts');
  } catch (error) {
    return failure('documents', `they are not read: ${(error as Error).message}. Install this version again`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

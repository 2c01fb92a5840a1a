/** Findings of `doctor` from the facts of an installation. */
import { indianDay } from '@nivida/contract/format';
import { DAY_SECONDS, dayText, HOUR_SECONDS } from '@nivida/contract/time';
import type { Config } from '../../base/config.ts';
import { EMBEDDED_IN_PRODUCTION } from '../../database/embedded-postgres.ts';
import { MIN_MONTHS_AHEAD } from '../../database/monthly-partitions.sql.ts';
import type { DiskSpace } from '../../http/monitoring/disk.ts';
import { BACKUP_JOB, TRIAL_RESTORE_JOB } from '../../jobs/job-runs.ts';
import { describeAge, type Finding, failure, ok, warning } from './findings.ts';

const MIN_VERSION_NUMBER = 150_000;
const MIN_CONNECTIONS = 100;
const MAX_CLOCK_DIFFERENCE_SECONDS = 5;
const MAX_BACKUP_AGE_SECONDS = 26 * HOUR_SECONDS;
const MAX_FAILURES = 3;
const BYTES_PER_GB = 1e9;

/** The state of the database server. */
export interface ServerFacts {
  versionNumber: number;
  version: string;
  now: Date;
  encoding: string;
  maxConnections: number;
  connections: number;
  offSettings: string[] | null;
}

/** The record of a job. */
export interface JobFacts {
  job: string;
  failures: number;
  error: string | null;
  everySeconds: number;
  hasRun: boolean;
  hasSucceeded: boolean;
  ageSeconds: number;
}

/** The devices of a push service. */
export interface PushHostFacts {
  host: string;
  devices: number;
  keyIds: string[];
  paused: boolean;
}

type Settings = Pick<Config, 'production' | 'metricsToken' | 'supportEmail' | 'databaseUrl'>;

/** Optional settings that most operators want. */
export function settingsFindings(config: Settings): Finding[] {
  if (!config.production) return [ok('settings', 'valid; not for production, because NODE_ENV is not production')];
  const findings = [ok('settings', 'valid for production')];
  if (!config.metricsToken)
    findings.push(
      warning('settings', 'METRICS_TOKEN is not set, so /api/metrics has no reader. Set it (openssl rand -hex 20)'),
    );
  if (!config.supportEmail)
    findings.push(
      warning('settings', 'SUPPORT_EMAIL is not set, so failures and orders in review are not mailed. Set it'),
    );
  return findings;
}

/** Where the database runs. */
export const embeddedFindings = ({ production, databaseUrl }: Settings): Finding[] =>
  production && databaseUrl === undefined ? [warning('database', EMBEDDED_IN_PRODUCTION)] : [];

/** Version, settings and clock of the database server. */
export function serverFindings(facts: ServerFacts, now: Date): Finding[] {
  const { version, versionNumber, encoding, maxConnections, connections } = facts;
  const off = facts.offSettings ?? [];
  const findings: Finding[] = [];
  if (versionNumber < MIN_VERSION_NUMBER)
    findings.push(failure('database', `PostgreSQL ${version} is too old. Update it to 15 or newer`));
  if (encoding !== 'UTF8')
    findings.push(failure('database', `its encoding is ${encoding}. Create it again with ENCODING UTF8 and restore`));
  for (const name of off.filter((setting) => ['fsync', 'full_page_writes'].includes(setting)))
    findings.push(failure('database', `${name} is off, so a power failure can destroy the data. Set it to on`));
  if (off.includes('synchronous_commit'))
    findings.push(warning('database', 'synchronous_commit is off, so a crash loses the last orders. Set it to on'));
  if (off.includes('autovacuum'))
    findings.push(warning('database', 'autovacuum is off, so tables grow without end. Set it to on'));
  if (off.includes('data_checksums'))
    findings.push(
      warning(
        'database',
        'data checksums are off, so damage stays unnoticed. Stop the server and run pg_checksums --enable',
      ),
    );
  if (maxConnections < MIN_CONNECTIONS)
    findings.push(
      warning(
        'database',
        `max_connections is ${maxConnections}; a web process takes up to 27 and a worker up to 30. Set it to ${MIN_CONNECTIONS} or more`,
      ),
    );
  if (connections > maxConnections * 0.8)
    findings.push(
      warning(
        'database',
        `${connections} of ${maxConnections} connections are in use. Raise max_connections, or run fewer processes`,
      ),
    );
  if (findings.length === 0)
    findings.push(ok('database', `PostgreSQL ${version}, ${connections} of ${maxConnections} connections in use`));
  return [...findings, clockFinding((facts.now.getTime() - now.getTime()) / 1_000)];
}

function clockFinding(difference: number): Finding {
  const seconds = Math.round(Math.abs(difference));
  if (seconds <= MAX_CLOCK_DIFFERENCE_SECONDS) return ok('clock', 'equal to that of the database');
  const text = `the database is ${describeAge(seconds)} ${difference > 0 ? 'ahead of' : 'behind'} this machine. Set both clocks (timedatectl set-ntp true), see the runbook, Clock wrong`;
  return seconds > 60 ? failure('clock', text) : warning('clock', text);
}

/** The newest backup. Only production needs one. `now` names the file of another one. */
export function backupFinding(jobs: readonly JobFacts[], production: boolean, now: Date): Finding {
  const command = `npm run backup -- nivida-${dayText(indianDay(now))}.zip`;
  const backup = jobs.find(({ job }) => job === BACKUP_JOB);
  const cause = backup?.error ? ` The last attempt failed: ${backup.error}.` : '';
  if (!backup?.hasSucceeded)
    return production
      ? failure('backup', `there is none.${cause} Start the service backup, or run ${command}`, command)
      : ok('backup', 'there is none');
  const trial = jobs.find(({ job }) => job === TRIAL_RESTORE_JOB);
  if (trial?.error)
    return failure('backup', `the newest could not be restored in the weekly trial: ${trial.error}. Repair the cause`);
  const age = describeAge(backup.ageSeconds);
  if (backup.ageSeconds <= MAX_BACKUP_AGE_SECONDS) return ok('backup', `the newest is ${age} old`);
  const level = backup.ageSeconds > 3 * DAY_SECONDS && production ? failure : warning;
  return level(
    'backup',
    `the newest is ${age} old.${cause} Look at the log of the service backup, then run ${command}`,
    command,
  );
}

/** Jobs that fail or do not run. */
export function jobFindings(records: readonly JobFacts[]): Finding[] {
  const jobs = records.filter(({ job }) => job !== BACKUP_JOB && job !== TRIAL_RESTORE_JOB);
  if (jobs.length === 0) return [warning('jobs', 'no worker has started yet. Start one (ROLE=worker or all)')];
  const failing = jobs.filter(({ failures }) => failures >= MAX_FAILURES);
  const late = jobs.filter((job) => !failing.includes(job) && job.ageSeconds > HOUR_SECONDS + 1.5 * job.everySeconds);
  if (late.length > 0 && late.length === jobs.length)
    return [
      failure(
        'jobs',
        `no job has succeeded for ${describeAge(Math.min(...late.map(({ ageSeconds }) => ageSeconds)))}. Start a worker (ROLE=worker or all)`,
      ),
    ];
  const findings = [
    ...failing.map(({ job, failures, error }) => {
      const command = `npm run job -- ${job}`;
      return failure(
        'jobs',
        `${job} failed ${failures} times in a row: ${error}. Repair the cause, then run ${command}`,
        command,
      );
    }),
    ...late.map(({ job, ageSeconds }) =>
      warning('jobs', `${job} has not succeeded for ${describeAge(ageSeconds)}. Look at the log of the workers`),
    ),
  ];
  return findings.length > 0 ? findings : [ok('jobs', `${jobs.length} run in time`)];
}

/** A feed that was paused, or whose last attempt failed. */
export interface FeedFact {
  name: string;
  error: string | null;
  pausedReason: string | null;
}

/** Feeds that are paused or whose last attempt failed. */
export const feedFindings = (feeds: readonly FeedFact[], configured: number): Finding[] =>
  feeds.length > 0
    ? feeds.map(({ name, error, pausedReason }) =>
        warning(
          'feeds',
          pausedReason === null
            ? `${name} failed: ${error}. Repair it, then npm run feeds -- run ${name}`
            : `${name} is paused (${pausedReason}). To go on: npm run feeds -- resume ${name}`,
        ),
      )
    : [ok('feeds', configured === 0 ? 'none are set' : `${configured} read without an error`)];

/** Tables whose next months have no partition. Their rows are not lost: they wait in the default partition. */
export function partitionFindings(tables: readonly { table: string; value: number | string }[]): Finding[] {
  const command = 'npm run job -- monthly-partitions';
  const short = tables.filter(({ value }) => Number(value) < MIN_MONTHS_AHEAD).map(({ table }) => table);
  return short.length > 0
    ? [
        warning(
          'partitions',
          `${short.join(', ')} have partitions for fewer than ${MIN_MONTHS_AHEAD} months ahead. Run ${command}`,
          command,
        ),
      ]
    : [ok('partitions', 'made for the next months')];
}

/** Offline packs that are not built. */
export function packFinding({ missing, failed }: { missing: number; failed: number }): Finding {
  const command = 'npm run job -- compact-sync';
  if (failed > 0)
    return warning(
      'packs',
      `${failed} builds of the last day failed. The log of the workers says why; run ${command}`,
      command,
    );
  return missing > 0
    ? warning('packs', `${missing} are not built yet. Workers build them one after the other; devices wait until then`)
    : ok('packs', 'all built');
}

/** Devices that no push can reach. */
export function pushFindings(hosts: readonly PushHostFacts[], ownKeyIds: readonly string[]): Finding[] {
  const lost = hosts.filter(({ keyIds }) => keyIds.some((id) => !ownKeyIds.includes(id)));
  return [
    ...(lost.length > 0
      ? [
          failure(
            'push',
            'devices subscribed with a key that is not set. Put the old pair back as the second of VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY',
          ),
        ]
      : []),
    ...hosts
      .filter(({ paused }) => paused)
      .map(({ host, devices }) =>
        warning('push', `${host} refuses pushes, so ${devices} devices wait. It is tried again by itself`),
      ),
  ];
}

/** Free space of a folder. */
export function diskFinding(folder: string, { freeBytes, sizeBytes }: DiskSpace): Finding {
  const share = freeBytes / sizeBytes;
  const text = `${folder} has ${(freeBytes / BYTES_PER_GB).toFixed(1)} GB free (${Math.floor(share * 100)} %)`;
  if (share < 0.03) return failure('disk', `${text}. Make room now: old backups, logs and images first`);
  return share < 0.1 ? warning('disk', `${text}. Grow the volume, or remove old backups and images`) : ok('disk', text);
}

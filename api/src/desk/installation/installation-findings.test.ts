import { describe, expect, test } from 'vitest';
import { describeAge, type Finding, formatFindings, worstLevel } from './findings.ts';
import {
  backupFinding,
  diskFinding,
  embeddedFindings,
  feedFindings,
  type JobFacts,
  jobFindings,
  packFinding,
  partitionFindings,
  pushFindings,
  serverFindings,
  settingsFindings,
} from './installation-findings.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const HOUR = 3_600;
const DAY = 24 * HOUR;

const job = (name: string, more: Partial<JobFacts> = {}): JobFacts => ({
  job: name,
  failures: 0,
  error: null,
  everySeconds: 60,
  hasRun: true,
  hasSucceeded: true,
  ageSeconds: 0,
  ...more,
});
const server = (more: object = {}, secondsAhead = 0) =>
  serverFindings(
    {
      versionNumber: 180_004,
      version: '18.4',
      now: new Date(NOW.getTime() + secondsAhead * 1_000),
      encoding: 'UTF8',
      maxConnections: 150,
      connections: 40,
      offSettings: null,
      ...more,
    },
    NOW,
  );
const backup = (ageSeconds: number, production: boolean) => [
  backupFinding([job('backup', { ageSeconds })], production, NOW),
];
const disk = (freeBytes: number) => [diskFinding('/data', { freeBytes, sizeBytes: 1_000 })];
const late = (ageSeconds: number) =>
  jobFindings([job('compact-sync', { everySeconds: HOUR, ageSeconds }), job('mails')]);
const failing = (failures: number) => jobFindings([job('documents', { failures, error: 'no network' }), job('mails')]);

const LEVELS = ['ok', 'warning', 'failure'];

test.each<[string, Finding[], string]>([
  ['the oldest supported server', server({ versionNumber: 150_000 }), 'ok'],
  ['an older one', server({ versionNumber: 149_999 }), 'failure'],
  ['a server with 100 connections', server({ maxConnections: 100 }), 'ok'],
  ['with 99', server({ maxConnections: 99 }), 'warning'],
  ['80 % of its connections in use', server({ maxConnections: 100, connections: 80 }), 'ok'],
  ['more', server({ maxConnections: 100, connections: 81 }), 'warning'],
  ['another encoding', server({ encoding: 'SQL_ASCII' }), 'failure'],
  ...['fsync', 'full_page_writes'].map((name): [string, Finding[], string] => [
    `${name} off`,
    server({ offSettings: [name] }),
    'failure',
  ]),
  ...['synchronous_commit', 'autovacuum', 'data_checksums'].map((name): [string, Finding[], string] => [
    `${name} off`,
    server({ offSettings: [name] }),
    'warning',
  ]),
  ['a clock 5 seconds ahead', server({}, 5), 'ok'],
  ['a clock 5.4 seconds ahead', server({}, 5.4), 'ok'],
  ['a clock 5.5 seconds ahead', server({}, 5.5), 'warning'],
  ['a clock 6 seconds ahead', server({}, 6), 'warning'],
  ['a clock 6 seconds behind', server({}, -6), 'warning'],
  ['a clock a minute behind', server({}, -60), 'warning'],
  ['a clock 61 seconds ahead', server({}, 61), 'failure'],
  ['a clock 61 seconds behind', server({}, -61), 'failure'],
  ['a backup of 26 hours', backup(26 * HOUR, true), 'ok'],
  ['an older one', backup(26 * HOUR + 1, true), 'warning'],
  ['one of three days', backup(3 * DAY, true), 'warning'],
  ['one of more than three days', backup(3 * DAY + 1, true), 'failure'],
  ['one of more than three days, outside of production', backup(3 * DAY + 1, false), 'warning'],
  ['no backup', [backupFinding([], true, NOW)], 'failure'],
  ['no backup outside of production', [backupFinding([], false, NOW)], 'ok'],
  [
    'a new backup that the trial could not restore',
    [backupFinding([job('backup'), job('trial-restore', { error: 'damaged' })], true, NOW)],
    'failure',
  ],
  ['a job that failed twice', failing(2), 'ok'],
  ['a job that failed three times', failing(3), 'failure'],
  ['an hourly job two and a half hours ago', late(2.5 * HOUR), 'ok'],
  ['longer ago', late(2.5 * HOUR + 1), 'warning'],
  ['months of partitions three ahead', partitionFindings([{ table: 'notice', value: '3' }]), 'ok'],
  [
    'months of partitions one ahead for one of two tables',
    partitionFindings([
      { table: 'notice', value: '2' },
      { table: 'push_receipt', value: '1' },
    ]),
    'warning',
  ],
  ['all packs built', [packFinding({ missing: 0, failed: 0 })], 'ok'],
  ['one pack missing', [packFinding({ missing: 1, failed: 0 })], 'warning'],
  ['one failed build', [packFinding({ missing: 0, failed: 1 })], 'warning'],
  ['a disk with a tenth free', disk(100), 'ok'],
  ['with less', disk(99), 'warning'],
  ['with 3 %', disk(30), 'warning'],
  ['with less than 3 %', disk(29), 'failure'],
  [
    'devices of the present keys',
    pushFindings([{ host: 'h', devices: 2, keyIds: ['a', 'b'], paused: false }], ['a', 'b']),
    'ok',
  ],
  [
    'devices of which some have a lost key',
    pushFindings([{ host: 'h', devices: 2, keyIds: ['a', 'lost'], paused: false }], ['a']),
    'failure',
  ],
])('%s', (_state, findings, level) => {
  expect(LEVELS[worstLevel(findings)]).toBe(level);
});

describe('the lines of the findings', () => {
  const texts = (findings: readonly Finding[]) => formatFindings(findings).trimEnd().split('\n');

  test('packs that are not built, and builds that failed', () => {
    expect(texts([packFinding({ missing: 3, failed: 0 }), packFinding({ missing: 3, failed: 2 })])).toEqual([
      'warning  packs: 3 are not built yet. Workers build them one after the other; devices wait until then',
      'warning  packs: 2 builds of the last day failed. The log of the workers says why; run npm run job -- compact-sync',
    ]);
  });

  test('an old server with few connections and without autovacuum', () => {
    const facts = { versionNumber: 140_009, version: '14.9', maxConnections: 20, connections: 19 };
    expect(texts(server({ ...facts, offSettings: ['autovacuum', 'data_checksums'] }))).toEqual([
      'failure  database: PostgreSQL 14.9 is too old. Update it to 15 or newer',
      'warning  database: autovacuum is off, so tables grow without end. Set it to on',
      'warning  database: data checksums are off, so damage stays unnoticed. Stop the server and run pg_checksums --enable',
      'warning  database: max_connections is 20; a web process takes up to 27 and a worker up to 30. Set it to 100 or more',
      'warning  database: 19 of 20 connections are in use. Raise max_connections, or run fewer processes',
      'ok       clock: equal to that of the database',
    ]);
  });

  test('production without a backup, with an old one, and with one that fails', () => {
    expect(texts([backupFinding([], true, NOW), ...backup(100_000, true)])).toEqual([
      'failure  backup: there is none. Start the service backup, or run npm run backup -- nivida-2026-11-10.zip',
      'warning  backup: the newest is 27 hours old. Look at the log of the service backup, then run npm run backup -- nivida-2026-11-10.zip',
    ]);
    const failed = job('backup', { ageSeconds: 5 * DAY, error: 'The disk is full' });
    expect(texts([backupFinding([failed], true, NOW)])).toEqual([
      'failure  backup: the newest is 5 days old. The last attempt failed: The disk is full. Look at the log of the service backup, then run npm run backup -- nivida-2026-11-10.zip',
    ]);
  });

  test('workers that are down, and one late job', () => {
    expect(texts(jobFindings([]))).toEqual([
      'warning  jobs: no worker has started yet. Start one (ROLE=worker or all)',
    ]);
    expect(
      texts(jobFindings([job('documents', { ageSeconds: 20_000 }), job('send-pushes', { ageSeconds: 8_000 })])),
    ).toEqual(['failure  jobs: no job has succeeded for 2 hours. Start a worker (ROLE=worker or all)']);
    expect(texts(late(20_000))).toEqual([
      'warning  jobs: compact-sync has not succeeded for 5 hours. Look at the log of the workers',
    ]);
  });

  test('jobs that fail, jobs that are late, and the runs of backups, which are no jobs of a worker', () => {
    const failed = job('documents', { failures: 3, error: 'no network', ageSeconds: 20_000 });
    expect(texts(jobFindings([failed, job('mails', { ageSeconds: 20_000 }), job('send-pushes')]))).toEqual([
      'failure  jobs: documents failed 3 times in a row: no network. Repair the cause, then run npm run job -- documents',
      'warning  jobs: mails has not succeeded for 5 hours. Look at the log of the workers',
    ]);
    // A worker runs when a job of it fails.
    expect(texts(jobFindings([failed, job('mails', { ageSeconds: 20_000 })]))).toHaveLength(2);
    const backups = ['backup', 'trial-restore'].map((name) => job(name, { failures: 9, ageSeconds: 50 * DAY }));
    expect(texts(jobFindings([...backups, job('mails'), job('documents')]))).toEqual(['ok       jobs: 2 run in time']);
    expect(texts(jobFindings(backups))).toEqual([
      'warning  jobs: no worker has started yet. Start one (ROLE=worker or all)',
    ]);
  });

  test('a backup in time, a first one that failed, and one that the weekly trial could not restore', () => {
    expect(
      texts([backupFinding([job('backup', { ageSeconds: 2 * HOUR })], true, NOW), backupFinding([], false, NOW)]),
    ).toEqual(['ok       backup: the newest is 2 hours old', 'ok       backup: there is none']);
    const never = job('backup', { hasSucceeded: false, error: 'The disk is full' });
    expect(texts([backupFinding([job('mails'), never], true, NOW), backupFinding([never], false, NOW)])).toEqual([
      'failure  backup: there is none. The last attempt failed: The disk is full. Start the service backup, or run npm run backup -- nivida-2026-11-10.zip',
      'ok       backup: there is none',
    ]);
    const trial = job('trial-restore', { error: 'permission denied to create database' });
    expect(texts([backupFinding([trial, job('backup', { ageSeconds: 5 * DAY })], false, NOW)])).toEqual([
      'failure  backup: the newest could not be restored in the weekly trial: permission denied to create database. Repair the cause',
    ]);
    expect(texts([backupFinding([job('trial-restore'), job('backup', { ageSeconds: 5 })], true, NOW)])).toEqual([
      'ok       backup: the newest is 5 seconds old',
    ]);
  });

  test('feeds that failed or are paused, feeds that were read, and none', () => {
    const failed = [
      { name: 'hptenders', error: 'no answer', pausedReason: null },
      { name: 'assam', error: 'no column "Title"', pausedReason: 'the portal moves' },
    ];
    expect(texts([...feedFindings(failed, 3), ...feedFindings([], 3), ...feedFindings([], 0)])).toEqual([
      'warning  feeds: hptenders failed: no answer. Repair it, then npm run feeds -- run hptenders',
      'warning  feeds: assam is paused (the portal moves). To go on: npm run feeds -- resume assam',
      'ok       feeds: 3 read without an error',
      'ok       feeds: none are set',
    ]);
  });

  test('a server that can lose data, in another encoding, and a clock that differs', () => {
    const offSettings = ['fsync', 'full_page_writes', 'synchronous_commit'];
    expect(texts(server({ offSettings, encoding: 'LATIN1' }, 3 * HOUR))).toEqual([
      'failure  database: its encoding is LATIN1. Create it again with ENCODING UTF8 and restore',
      'failure  database: fsync is off, so a power failure can destroy the data. Set it to on',
      'failure  database: full_page_writes is off, so a power failure can destroy the data. Set it to on',
      'warning  database: synchronous_commit is off, so a crash loses the last orders. Set it to on',
      'failure  clock: the database is 3 hours ahead of this machine. Set both clocks (timedatectl set-ntp true), see the runbook, Clock wrong',
    ]);
    expect(texts(server({}, -30))).toEqual([
      'ok       database: PostgreSQL 18.4, 40 of 150 connections in use',
      'warning  clock: the database is 30 seconds behind this machine. Set both clocks (timedatectl set-ntp true), see the runbook, Clock wrong',
    ]);
  });

  test('outside of production only that it is none', () => {
    const settings = { production: false, metricsToken: undefined, supportEmail: undefined, databaseUrl: undefined };
    expect(texts(settingsFindings(settings))).toEqual([
      'ok       settings: valid; not for production, because NODE_ENV is not production',
    ]);
    const complete = {
      ...settings,
      production: true,
      metricsToken: 'x'.repeat(20),
      supportEmail: 'help@nivida.example',
    };
    expect(texts(settingsFindings(complete))).toEqual(['ok       settings: valid for production']);
  });

  test('push hosts that pause, and devices of a lost key', () => {
    const host = { host: 'fcm.googleapis.com', devices: 12, keyIds: ['a'], paused: true };
    expect(texts(pushFindings([host], ['b']))).toEqual([
      'failure  push: devices subscribed with a key that is not set. Put the old pair back as the second of VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY',
      'warning  push: fcm.googleapis.com refuses pushes, so 12 devices wait. It is tried again by itself',
    ]);
    const hosts = [
      { ...host, keyIds: ['b'], paused: false },
      { ...host, host: 'push.apple.com', devices: 3, keyIds: ['c', 'b'] },
    ];
    expect(texts(pushFindings(hosts, ['b', 'c']))).toEqual([
      'warning  push: push.apple.com refuses pushes, so 3 devices wait. It is tried again by itself',
    ]);
    expect(pushFindings([{ ...host, paused: false }], ['b', 'a'])).toEqual([]);
  });

  test('a full disk, and production without monitoring and support address', () => {
    const volume = (freeBytes: number) => diskFinding('/data', { freeBytes, sizeBytes: 100e9 });
    expect(texts([volume(50e9), volume(9.96e9), volume(8e9), volume(1.25e9)])).toEqual([
      'ok       disk: /data has 50.0 GB free (50 %)',
      'warning  disk: /data has 10.0 GB free (9 %). Grow the volume, or remove old backups and images',
      'warning  disk: /data has 8.0 GB free (8 %). Grow the volume, or remove old backups and images',
      'failure  disk: /data has 1.3 GB free (1 %). Make room now: old backups, logs and images first',
    ]);
    const settings = {
      production: true,
      metricsToken: undefined,
      supportEmail: undefined,
      databaseUrl: 'postgresql://x',
    };
    expect(embeddedFindings(settings)).toEqual([]);
    expect(texts(embeddedFindings({ ...settings, databaseUrl: undefined }))).toEqual([
      'warning  database: the embedded PostgreSQL is for trying and for small operators: one machine, no replica, and its OpenSSL 1.1.1 gets no more security updates. Set DATABASE_URL; docs/operations.md says how to move',
    ]);
    expect(embeddedFindings({ ...settings, production: false, databaseUrl: undefined })).toEqual([]);
    expect(texts(settingsFindings(settings))).toEqual([
      'ok       settings: valid for production',
      'warning  settings: METRICS_TOKEN is not set, so /api/metrics has no reader. Set it (openssl rand -hex 20)',
      'warning  settings: SUPPORT_EMAIL is not set, so failures and orders in review are not mailed. Set it',
    ]);
  });
});

test('the exit code is that of the worst line, wherever it stands; without lines it is 0', () => {
  const [fine, bad, worst] = [
    { level: 'ok', subject: 'a', text: 'b' },
    { level: 'warning', subject: 'a', text: 'b' },
    { level: 'failure', subject: 'a', text: 'b' },
  ] as const;
  expect([[], [fine], [fine, bad], [worst, bad, fine]].map(worstLevel)).toEqual([0, 0, 1, 2]);
});

test.each([
  [0.9, '0 seconds'],
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [7_199, '119 minutes'],
  [7_200, '2 hours'],
  [172_799, '47 hours'],
  [172_800, '2 days'],
])('%d seconds are %s', (seconds, text) => {
  expect(describeAge(seconds)).toBe(text);
});

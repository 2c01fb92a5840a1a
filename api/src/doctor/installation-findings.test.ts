import { expect, test } from 'vitest';
import { describeAge, type Finding, worstLevel } from './findings.ts';
import {
  backupFinding,
  diskFinding,
  type JobFacts,
  jobFindings,
  packFinding,
  pushFindings,
  serverFindings,
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
  backupFinding([job('backup', { ageSeconds })], production),
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
  ['no backup', [backupFinding([], true)], 'failure'],
  ['no backup outside of production', [backupFinding([], false)], 'ok'],
  [
    'a new backup that the trial could not restore',
    [backupFinding([job('backup'), job('trial-restore', { error: 'damaged' })], true)],
    'failure',
  ],
  ['a job that failed twice', failing(2), 'ok'],
  ['a job that failed three times', failing(3), 'failure'],
  ['an hourly job two and a half hours ago', late(2.5 * HOUR), 'ok'],
  ['longer ago', late(2.5 * HOUR + 1), 'warning'],
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

test.each([
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

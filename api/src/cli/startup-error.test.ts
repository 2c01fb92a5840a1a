/** Errors as thrown by Node, pg and TypeORM. */
import { writeFileSync } from 'node:fs';
import { QueryFailedError } from 'typeorm';
import { expect, test } from 'vitest';
import { explainStartupError } from '../app/startup-error.ts';
import { InvalidBackupError } from '../backup/archive.ts';
import { EmptyDatabaseError } from '../backup/backup.ts';
import { RestoreError } from '../backup/restore.ts';
import { ConfigError } from '../base/config.ts';
import { OperatorError } from '../base/operator-error.ts';
import { EmbeddedPostgresError } from '../database/embedded-postgres.ts';
import { HeldBackFileError, UnreadableFileError } from '../ingest/source-tender.ts';
import { GatewayError, GatewayRejectedError } from '../payments/payment-gateway.port.ts';
import { explainError } from './explain-error.ts';
import { usageOf } from './usage.ts';

const error = (fields: object, message = '') => Object.assign(new Error(message), fields);

/** The error of a full file system. */
function fullDisk(): unknown {
  try {
    return writeFileSync('/dev/full', 'text');
  } catch (thrown) {
    return Object.assign(thrown as Error, { path: '/srv/nivida/rejects/x.csv' });
  }
}

const URL_WITH_PASSWORD = 'postgresql://nivida:secret@db.example:5432/nivida?sslmode=require';

test.each<[string, unknown, string, number]>([
  ['a wrong setting', new ConfigError('PORT must be a port'), 'PORT must be a port', 78],
  [
    'a port of the system',
    error({ code: 'EACCES', syscall: 'listen', port: 80 }),
    'PORT 80 needs a privilege that this process does not have. Set PORT to 1024 or higher, and let a proxy listen on 80',
    78,
  ],
  ['a full disk', fullDisk(), 'The disk is full: /srv/nivida/rejects/x.csv. Make room and try again', 1],
  [
    'a full disk of the database',
    new QueryFailedError('INSERT', [], error({ code: '53100' }, 'could not extend file')),
    'The disk is full. Make room and try again',
    1,
  ],
  [
    'a full disk of the embedded database',
    new EmbeddedPostgresError(
      'The embedded database cannot be created: could not create directory: No space left on device',
    ),
    'The disk is full. Make room and try again',
    1,
  ],
  [
    'a folder of another user',
    error({ code: 'EACCES', syscall: 'mkdir', path: '/srv/nivida' }),
    '/srv/nivida cannot be read or written (EACCES). Check that it is a folder of this user',
    78,
  ],
  [
    'a read-only file system',
    error({ code: 'EROFS', syscall: 'open', path: '/data/postgres.log' }),
    '/data/postgres.log cannot be read or written (EROFS). Check that it is a folder of this user',
    78,
  ],
  [
    'a name that does not resolve',
    error({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
    'The database does not answer at db.example:5432/nivida (ENOTFOUND)',
    1,
  ],
  [
    'a database that ends',
    new QueryFailedError('SELECT', [], error({ code: '57P01' })),
    'The database does not answer at db.example:5432/nivida (57P01)',
    1,
  ],
  [
    'a connection that breaks',
    error({}, 'Connection terminated unexpectedly'),
    'The database does not answer at db.example:5432/nivida (Connection terminated unexpectedly)',
    1,
  ],
  [
    'a wrong password',
    error({ code: '28P01' }),
    'The database at db.example:5432/nivida refuses the user or password of DATABASE_URL',
    78,
  ],
  [
    'an embedded database that is gone',
    new EmbeddedPostgresError('The embedded database is gone'),
    'The embedded database is gone',
    70,
  ],
])('%s is one line without the password', (_name, thrown, line, exitCode) => {
  expect(explainStartupError(thrown, { databaseUrl: URL_WITH_PASSWORD })).toEqual({ line, exitCode });
});

test.each([
  ['a mistake in the code', new TypeError('x is not a function')],
  ['a statement that is wrong', new QueryFailedError('SELEC', [], error({ code: '42601' }))],
  ['a statement that took too long', new QueryFailedError('SELECT', [], error({ code: '57014' }))],
])('%s is not explained away', (_name, thrown) => {
  expect(explainStartupError(thrown, {})).toBeUndefined();
});

test.each([
  ['EADDRINUSE', { syscall: 'listen', port: 3000 }, 'PORT 3000 is in use; stop what listens there or set another'],
  [
    'EADDRNOTAVAIL',
    { syscall: 'listen', port: 3000, address: '192.0.2.1' },
    'HOST 192.0.2.1 is not an address of this machine',
  ],
  ['EADDRINUSE', { syscall: 'bind', port: 4010 }, 'PORT 4010 is in use; stop what listens there or set another'],
])('%s of %j is explained', (code, fields, line) => {
  expect(explainStartupError(error({ code, ...fields }), {})).toEqual({ line, exitCode: 78 });
});

test('an address without a port or a database names its socket or the folder of the embedded one', () => {
  const refused = error({ code: 'ECONNREFUSED', syscall: 'connect' });
  expect(explainStartupError(refused, {})?.line).toBe(
    'The database does not answer at DATA_DIR/postgres (ECONNREFUSED)',
  );
  expect(explainStartupError(refused, { databaseUrl: 'postgresql:///nivida?host=/run/postgresql' })?.line).toBe(
    'The database does not answer at /run/postgresql/nivida (ECONNREFUSED)',
  );
});

test.each<[string, Error, string, number]>([
  ['a file that cannot be read', new UnreadableFileError('x.csv is no table'), 'x.csv is no table', 2],
  [
    'a file that waits for a decision',
    new HeldBackFileError('x.csv would move all dates'),
    'x.csv would move all dates',
    2,
  ],
  ['a damaged backup', new InvalidBackupError('The backup is damaged'), 'The backup is damaged', 2],
  [
    'a database without tables',
    new EmptyDatabaseError('There is nothing to back up yet'),
    'There is nothing to back up yet',
    75,
  ],
  ['a decision that is not possible', new OperatorError('The order is PENDING'), 'The order is PENDING', 1],
  ['a database that is not empty', new RestoreError('The database is not empty'), 'The database is not empty', 1],
  [
    'a provider that does not answer',
    new GatewayError('phonepe answered 503'),
    'The payment provider did not answer, so nothing has changed: phonepe answered 503. Try again in a minute',
    1,
  ],
  ['a wrong setting', new ConfigError('PORT must be a port'), 'PORT must be a port', 78],
  [
    'a lost database',
    error({ code: 'ECONNREFUSED', syscall: 'connect' }),
    'The database does not answer at DATA_DIR/postgres (ECONNREFUSED)',
    1,
  ],
])('a command that fails by %s says so in one line', (_what, thrown, line, exitCode) => {
  expect(explainError(thrown)).toEqual({ line, exitCode });
});

test('the error of a command whose request the provider rejects does not say to try again', () => {
  const rejected = new GatewayRejectedError('PhonePe refused with 400');
  expect(explainError(rejected)).toEqual({ line: rejected.stack, exitCode: 1 });
});

test('a command that fails by a mistake in the code prints its stack', () => {
  const mistake = new TypeError('x is not a function');
  expect(explainError(mistake)).toEqual({ line: mistake.stack, exitCode: 1 });
});

test('a command that is used wrongly prints its own usage, an unknown one that of all', async () => {
  expect(await usageOf('migrate')).toBe(
    'Usage:\n  npm run migrate [-- --new-secrets]   --new-secrets: creates DATA_DIR/secrets.json when it is lost',
  );
  expect((await usageOf('awards')).split('\n')).toHaveLength(5);
  expect(await usageOf('awards')).not.toContain('npm run backup');
  const all = (await usageOf('fly')).split('\n').filter((line) => line.startsWith('  npm run '));
  expect(new Set(all.map((line) => line.split(' ')[4]))).toEqual(
    new Set([
      'import',
      'migrate',
      'documents',
      'rates',
      'orders',
      'mappings',
      'messages',
      'tenders',
      'notices',
      'incidents',
      'staff',
      'users',
      'audit',
      'mail',
      'plans',
      'feeds',
      'ocds',
      'awards',
      'backup',
      'restore',
      'doctor',
      'job',
    ]),
  );
  expect(await usageOf('')).toBe(await usageOf('fly'));
  for (const usage of [await usageOf('job'), await usageOf('fly')])
    expect(usage).toMatch(/ NAME: [a-z-]+(, [a-z-]+){26}$/);
});

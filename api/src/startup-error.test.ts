/** Errors as thrown by Node, pg and TypeORM. */
import { writeFileSync } from 'node:fs';
import { QueryFailedError } from 'typeorm';
import { expect, test } from 'vitest';
import { ConfigError } from './config.ts';
import { EmbeddedPostgresError } from './database/embedded-postgres.ts';
import { explainStartupError } from './startup-error.ts';

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

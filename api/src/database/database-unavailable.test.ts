import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { expect, test } from 'vitest';
import { isDatabaseUnavailable, isStatementTimeout } from './database-unavailable.ts';

const error = (fields: object, message = '') => Object.assign(new Error(message), fields);
const failedQuery = (fields: object) => new QueryFailedError('SELECT 1', [], error(fields));

test.each<[string, unknown]>([
  ['a connection that is refused', error({ code: 'ECONNREFUSED', syscall: 'connect' })],
  ['a connection that is reset', error({ code: 'ECONNRESET', syscall: 'read' })],
  ['a connection that is closed while it is written to', error({ code: 'EPIPE', syscall: 'write' })],
  ['a connection that takes too long', error({ code: 'ETIMEDOUT', syscall: 'connect' })],
  ['a host without a route', error({ code: 'EHOSTUNREACH', syscall: 'connect' })],
  ['a network without a route', error({ code: 'ENETUNREACH', syscall: 'connect' })],
  ['a stopped server without its socket file', error({ code: 'ENOENT', syscall: 'connect' })],
  ['a socket file of another user', error({ code: 'EACCES', syscall: 'connect' })],
  ['a name that is not known', error({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
  ['a name service that does not answer', error({ code: 'EAI_AGAIN', syscall: 'getaddrinfo' })],
  ['a failed connection', error({ code: '08006' })],
  ['a shutdown by the operator', error({ code: '57P01' })],
  ['the restart after a crash', error({ code: '57P02' })],
  ['a server that starts', error({ code: '57P03' })],
  ['a dropped database', error({ code: '57P04' })],
  ['too many connections', error({ code: '53300' })],
  ['a database that does not exist', error({ code: '3D000' })],
  ['a lost connection of a query', failedQuery({ code: '57P01' })],
  ['a connection that pg gives up', error({}, 'Connection terminated unexpectedly')],
  ['a pool without a free connection', error({}, 'timeout exceeded when trying to connect')],
  ['a connection that failed before', error({}, 'Client has encountered a connection error and is not queryable')],
  ['a closed data source', error({}, 'Driver not Connected')],
  ['a transaction whose connection was lost', new QueryRunnerAlreadyReleasedError()],
  ['a manager of such a transaction', new QueryRunnerProviderAlreadyReleasedError()],
])('%s means that the database is away', (_what, thrown) => {
  expect(isDatabaseUnavailable(thrown)).toBe(true);
});

test.each<[string, unknown]>([
  ['an error of the program', new TypeError('Cannot read properties of undefined')],
  ['an error that only quotes such a message', error({}, 'The mail server says: Connection terminated')],
  ['a missing file', error({ code: 'ENOENT', syscall: 'open' })],
  ['a folder of another user', error({ code: 'EACCES', syscall: 'mkdir' })],
  ['a violated rule', failedQuery({ code: '23505' })],
  ['a full disk', failedQuery({ code: '53100' })],
  ['a cancelled statement', failedQuery({ code: '57014' })],
  ['a missing table', failedQuery({ code: '42P01' })],
])('%s does not', (_what, thrown) => {
  expect(isDatabaseUnavailable(thrown)).toBe(false);
});

test('a cancelled statement is one that took too long, even inside an error of TypeORM', () => {
  expect(isStatementTimeout(error({ code: '57014' }))).toBe(true);
  expect(isStatementTimeout(failedQuery({ code: '57014' }))).toBe(true);
  for (const thrown of [error({ code: '57P01' }), failedQuery({ code: '55P03' }), new Error('57014')])
    expect(isStatementTimeout(thrown)).toBe(false);
});

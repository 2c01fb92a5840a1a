import { expect, test } from 'vitest';
import { readinessStatus } from './health.controller.ts';

test.each([
  ['ready', 'ok', undefined, 'ready'],
  ['ready', 'ok', 'down', 'ready'],
  ['starting', 'ok', 'ok', 'starting'],
  ['ending', 'down', 'ok', 'ending'],
  ['ready', 'down', 'ok', 'read-only'],
  // A replica without its primary is soon behind.
  ['ready', 'down', 'behind', 'read-only'],
  ['ready', 'down', 'down', 'down'],
  ['ready', 'down', undefined, 'down'],
] as const)(
  'a process that is %s, with the database %s and the replica %s, says %s',
  (phase, database, replica, status) => {
    expect(readinessStatus(phase, database, replica)).toBe(status);
  },
);

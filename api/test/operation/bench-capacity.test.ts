import { expect, test } from 'vitest';
import { StatementCounter } from '../../bench/measure/capacity/database-link.ts';
import { type CapacityFigures, machinesFor } from '../../bench/measure/capacity/machines.ts';

const FIGURES: CapacityFigures = {
  requestsPerWeb: 200,
  requestsPerPhone: 2,
  bytesPerPhone: 5_000,
  statementsPerRequest: 2,
  databaseSecondsPerStatement: 0.001,
  pushesPerWorker: 250,
  mailsPerWorker: 30,
};

test('machines follow from the busiest minute: a fiftieth of the users within 60 seconds', () => {
  // 300,000 users: 100 phones a second make 200 requests, which is one process and a spare one.
  expect(machinesFor(300_000, FIGURES)).toEqual({
    requestsPerSecond: 200,
    webProcesses: 2,
    // 500 pushes a second; 50 mails a second need less.
    workers: 3,
    connections: 2 * 35 + 3 * 38,
    // 24 for statements and 8 for each worker.
    pooledConnections: 48,
    databaseCores: 0.4,
    replicas: 0,
    hasCdn: false,
  });
});

test('workers are as many as the mails need when these take longer than the pushes', () => {
  expect(machinesFor(300_000, { ...FIGURES, mailsPerWorker: 5 }).workers).toBe(11);
});

test('many users need more connections of the pooler, replicas and a CDN', () => {
  expect(machinesFor(30_000_000, FIGURES)).toMatchObject({
    webProcesses: 101,
    pooledConnections: 2_400 + 201 * 8,
    databaseCores: 40,
    replicas: 4,
    hasCdn: true,
  });
});

/** A message of PostgreSQL's protocol; the first one of a connection has no type. */
function message(type: string, text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + Buffer.byteLength(text));
  return Buffer.concat([Buffer.from(type), length, Buffer.from(text)]);
}

test('statements of a connection are counted wherever its packets end', () => {
  const bytes = Buffer.concat([
    message('', 'user of the start, with an E and a Q'),
    message('Q', 'BEGIN'),
    ...[message('P', 'SELECT 1'), message('B', ''), message('D', ''), message('E', ''), message('S', '')],
    message('X', ''),
  ]);
  for (const size of [1, 3, bytes.length]) {
    const counter = new StatementCounter();
    let statements = 0;
    for (let from = 0; from < bytes.length; from += size)
      statements += counter.count(bytes.subarray(from, from + size));
    expect(statements).toBe(2);
  }
});

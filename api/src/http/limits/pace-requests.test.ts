import { setImmediate as turn } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { Pacer, paceSyncRequests } from './pace-requests.ts';

test('a burst is released in its order, two callers a turn, and other work runs in between', async () => {
  const pacer = new Pacer(2);
  const log: string[] = [];
  const burst = ['a', 'b', 'c', 'd', 'e'].map((name) => pacer.wait().then(() => log.push(name)));
  const other = (async () => {
    for (const name of ['1', '2', '3']) {
      await turn();
      log.push(name);
    }
  })();
  await Promise.all([...burst, other]);
  expect(log.join('')).toBe('ab1cd2e3');
});

test('the next burst is released after the pacer was idle', async () => {
  const pacer = new Pacer(2);
  await pacer.wait();
  await turn();
  expect(
    await Promise.race([
      pacer.wait().then(() => 'released'),
      turn()
        .then(turn)
        .then(() => 'held'),
    ]),
  ).toBe('released');
});

test('manifests and deltas wait for their turn; segments and other calls do not', async () => {
  const server = fastify();
  onTestFinished(() => server.close());
  const begun: string[] = [];
  paceSyncRequests(server);
  server.get('*', async ({ url }) => {
    begun.push(url);
  });
  await server.ready();
  const paced = ['/api/sync/goa', '/api/sync/goa/delta?cursor=1', '/api/sync/india', '/api/sync/segments'];
  const unpaced = ['/api/sync/segments/1', '/api/sync/segments/1?from=7', '/api/tenders', '/api/sync', '/sync/goa'];
  await Promise.all([...paced, ...unpaced].map((url) => server.inject(url)));
  expect(begun).toEqual([...unpaced, ...paced]);
});

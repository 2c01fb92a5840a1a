/** @module-tag release */
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readOcds } from '../../src/ingest/ocds/ocds.ts';

const RELEASE = {
  id: '1',
  date: '2026-04-01T10:00:00+05:30',
  tag: ['tender'],
  initiationType: 'tender',
  parties: [{ id: 'IN-HP-PWD', name: 'Public Works Department', roles: ['buyer'], address: { locality: 'Shimla' } }],
  buyer: { id: 'IN-HP-PWD', name: 'Public Works Department' },
  tender: {
    id: 'NIT-7',
    title: 'Construction of a footbridge',
    description: 'Footbridge of 12 m span',
    status: 'active',
    value: { amount: 1234567.5, currency: 'INR' },
    tenderPeriod: { startDate: '2026-04-02T09:00:00+05:30', endDate: '2026-04-15T11:00:00+05:30' },
  },
};

test('the memory of an import does not grow with the OCDS file', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const releases = 20_000;
  function* file() {
    yield '{"version":"1.1","releases":[';
    for (let n = 0; n < releases; n++)
      yield `${n ? ',' : ''}${JSON.stringify({ ...RELEASE, ocid: `ocds-a1b2c3-${n}` })}`;
    yield ']}';
  }
  collect();
  const before = process.memoryUsage().heapUsed;
  let rows = 0;
  let most = 0;
  for await (const _ of readOcds(Readable.from(file(), { objectMode: false }), { portal: 'hp', state: 'Assam' })) {
    rows++;
    if (rows % 5_000 !== 0) continue;
    collect();
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }
  expect(rows).toBe(releases);
  expect(most).toBeLessThan(24_000_000);
});

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notedSecrets } from '../support/secrets.ts';
import { expect, test } from '../support/test.ts';

const ROOT = join(import.meta.dirname, '../..');
const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;

test('the server’s log of all journeys has no password, code, token, address or number of a user', async () => {
  const log = readFileSync(process.env.E2E_LOG ?? '', 'utf8');
  // Otherwise there would be nothing to search.
  expect(log.match(/"path":"\/api\//g)?.length ?? 0, 'requests in the log').toBeGreaterThan(0);

  // The id of some request may contain the six digits of a code by chance.
  const file = test.info().outputPath('log');
  writeFileSync(file, log.replaceAll(UUID, 'id'));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['api/test/support/leaks.ts', file, ...notedSecrets()],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  expect(stdout + stderr, 'leaks').toBe('');
  expect(status).toBe(0);
});

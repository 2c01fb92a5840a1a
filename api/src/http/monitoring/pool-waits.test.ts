import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { observePoolWaits } from './pool-waits.ts';

test('a wait for a connection counts, also when it ends without one', async () => {
  // Nothing listens there.
  const pool = new Pool({ host: '127.0.0.1', port: 1 });
  const waits: number[] = [];
  observePoolWaits(pool, (seconds) => waits.push(seconds));
  await expect(pool.connect()).rejects.toThrow();
  expect(waits).toHaveLength(1);
  await expect(pool.query('SELECT 1')).rejects.toThrow();
  expect(waits).toHaveLength(2);
  await pool.end();
});

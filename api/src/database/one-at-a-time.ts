import type { DataSource, QueryRunner } from 'typeorm';

/** What processes that start at once do one after the other: the numbers of their advisory locks. */
export const START_LOCKS = { migrations: 4_770_001, queues: 4_770_010 } as const;

/** Does `work` while no other process does work under the same lock; `runner` is the connection that holds it. */
export async function oneAtATime(
  dataSource: DataSource,
  lock: keyof typeof START_LOCKS,
  work: (runner: QueryRunner) => Promise<unknown>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [START_LOCKS[lock]]);
    try {
      await work(runner);
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [START_LOCKS[lock]]);
    }
  } finally {
    await runner.release();
  }
}

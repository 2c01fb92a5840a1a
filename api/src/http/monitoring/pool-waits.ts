/** Measures how long callers wait for a connection of a pool. */
import type { Pool, PoolClient } from 'pg';

type Connect = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;

/** Calls `observe` with the seconds of each wait, including failed ones. `Pool.query` is covered because it calls `connect`. */
export function observePoolWaits(pool: Pool, observe: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool);
  function measuredConnect(callback?: Connect): Promise<PoolClient> | undefined {
    const started = performance.now();
    const done = () => observe((performance.now() - started) / 1_000);
    if (!callback) return connect().finally(done);
    connect((error, client, release) => {
      done();
      callback(error, client, release);
    });
    return undefined;
  }
  pool.connect = measuredConnect as Pool['connect'];
}

/** Recognises a pooler by transaction, such as PgBouncer with `pool_mode = transaction`. SQL: it asks two clients of their own. */
import { randomInt } from 'node:crypto';
import { Client } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;
/** Other clients may take the connection that the first one has just used. */
const TRIES = 10;
const PID = 'SELECT pg_backend_pid() AS pid';

async function withClients<Result>(
  addresses: readonly string[],
  work: (...clients: Client[]) => Promise<Result>,
): Promise<Result> {
  const options = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS };
  const clients = addresses.map((connectionString) => new Client({ connectionString, ...options }));
  try {
    for (const client of clients) {
      client.on('error', () => {});
      await client.connect();
    }
    return await work(...clients);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/** Whether a second client gets the server process that the first one, still connected, has just used. */
export function isPooledByTransaction(address: string): Promise<boolean> {
  return withClients([address, address], async (first, second) => {
    for (let nth = 0; nth < TRIES; nth += 1) {
      const before = (await first?.query(PID))?.rows[0].pid;
      if ((await second?.query(PID))?.rows[0].pid === before) return true;
    }
    return false;
  });
}

/** Whether two addresses lead to one database: a lock that is taken at one is held at the other. */
export function isSameDatabase(address: string, other: string): Promise<boolean> {
  return withClients([address, other], async (one, two) => {
    const key = randomInt(2 ** 31 - 1);
    await one?.query('BEGIN');
    await one?.query('SELECT pg_advisory_xact_lock($1)', [key]);
    const { rows } = (await two?.query('SELECT pg_try_advisory_xact_lock($1) AS free', [key])) ?? { rows: [] };
    await one?.query('ROLLBACK');
    return rows[0]?.free === false;
  });
}

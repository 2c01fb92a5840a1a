import { Pool, type PoolConfig, type QueryConfig, type QueryResult } from 'pg';

/** At 30 ms to the database they carry 30,000 phones a minute; 16 carried 20,000 (`bench capacity`). */
const READ_CONNECTIONS = 24;
/** Maximum milliseconds of a public read. */
export const READ_TIMEOUT_MS = 3_000;
/** The default of 4 is for spinning disks. With it a search for a frequent word reads the whole table instead of the index. */
const RANDOM_PAGE_COST = 1.1;
const BEGIN_READ = `BEGIN; SET LOCAL statement_timeout = ${READ_TIMEOUT_MS}; SET LOCAL random_page_cost = ${RANDOM_PAGE_COST}`;

/**
 * A pool of public reads, which end after three seconds. It is closed with the app.
 *
 * A pooler by transaction (`isPooledByTransaction`) refuses settings at the start of a session, and settings made later would
 * reach other clients. Each statement then runs in a transaction with its settings. Callers use promises only.
 */
export class ReadPool extends Pool {
  constructor(options: PoolConfig, isPooledByTransaction: boolean) {
    super({
      max: READ_CONNECTIONS,
      ...options,
      ...(isPooledByTransaction
        ? { options: '-c timezone=UTC' }
        : {
            statement_timeout: READ_TIMEOUT_MS,
            options: `-c timezone=UTC -c random_page_cost=${RANDOM_PAGE_COST}`,
          }),
    });
    if (isPooledByTransaction) this.query = this.queryInTransaction as Pool['query'];
    // A broken idle connection is replaced with the next query.
    this.on('error', () => {});
  }

  onApplicationShutdown(): Promise<void> {
    return this.end();
  }

  private async queryInTransaction(statement: string | QueryConfig, values?: unknown[]): Promise<QueryResult> {
    const client = await this.connect();
    let lost: Error | undefined;
    // An error between two statements. The next one fails too, and is reported.
    const onError = (error: Error) => {
      lost = error;
    };
    client.on('error', onError);
    try {
      await client.query(BEGIN_READ);
      const result = await client.query(statement as string, values);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(onError);
      throw error;
    } finally {
      client.off('error', onError);
      client.release(lost);
    }
  }
}

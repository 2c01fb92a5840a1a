/** Public reads, spread over the replicas that are available. */

import { DatabaseError, type Pool, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { IS_REPLICA_BEHIND, REPLICA_LAG } from './server.sql.ts';

const REPLICA_CHECK_INTERVAL_MS = 5_000;

/** State of a replica; `behind`: it answers, but its lag is too large. */
export type ReplicaState = 'ok' | 'behind' | 'down';

/** Reads from the healthy replicas in turn, else from the primary. Ends the pools of the replicas with the app. */
export class ReplicaReader {
  private readonly replicas: Replica[];
  private turn = 0;

  /** `checkPools` ask for the state of the replicas, in the same order: the connections for reads may all be in use. */
  constructor(
    private readonly primary: Pool,
    readonly replicaPools: readonly Pool[],
    private readonly checkPools: readonly Pool[],
  ) {
    this.replicas = replicaPools.map((pool, at) => new Replica(pool, checkPools[at] ?? pool));
  }

  /** The result from a replica or the primary. It may be a few seconds old. */
  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>> {
    const states = await Promise.all(this.replicas.map((replica) => replica.readState()));
    const healthy = this.replicas.filter((_, at) => states[at] === 'ok');
    const start = healthy.length === 0 ? 0 : this.turn++ % healthy.length;
    const others = this.replicas.filter((replica) => !healthy.includes(replica));
    let lastError: unknown;
    // Replicas that are behind come last, because old rows are better than none.
    for (const server of [...healthy.slice(start), ...healthy.slice(0, start), undefined, ...others])
      try {
        return await (server?.pool ?? this.primary).query<Row>(statement);
      } catch (error) {
        if (!isReplicaUnavailable(error)) throw error;
        if (server && healthy.includes(server)) server.setFailed(error);
        lastError = error;
      }
    throw lastError;
  }

  /** One row. A row that the replica lacks is looked up in the primary too. */
  async find<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row | undefined> {
    const { rows } = await this.query<Row>(statement);
    if (rows[0] || this.replicas.length === 0) return rows[0];
    return (await this.primary.query<Row>(statement).catch(rethrowUnlessUnavailable))?.rows[0];
  }

  /** The best state of all replicas; undefined without one. It is checked every 5 seconds. Only the first call waits for the check. */
  async replicaState(): Promise<ReplicaState | undefined> {
    const states = await Promise.all(this.replicas.map((replica) => replica.readState()));
    return (['ok', 'behind', 'down'] as const).find((state) => states.includes(state));
  }

  /** Seconds that each replica is behind; null when it does not answer. */
  replicaLags(): Promise<(number | null)[]> {
    const lagOf = (pool: Pool) =>
      pool.query<{ seconds: number }>(REPLICA_LAG).then(
        ({ rows }) => rows[0]?.seconds ?? 0,
        () => null,
      );
    return Promise.all(this.replicaPools.map(lagOf));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.replicaPools, ...this.checkPools].map((pool) => pool.end()));
  }
}

/** A replica and what its last check has shown. */
class Replica {
  private state: ReplicaState | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private pendingCheck: Promise<ReplicaState> | undefined;

  constructor(
    readonly pool: Pool,
    private readonly checkPool: Pool,
  ) {}

  async readState(): Promise<ReplicaState> {
    if (performance.now() - this.checkedAt > REPLICA_CHECK_INTERVAL_MS)
      this.pendingCheck ??= checkReplica(this.checkPool)
        .then((state) => this.setState(state))
        .finally(() => {
          this.pendingCheck = undefined;
        });
    return this.state ?? (await (this.pendingCheck as Promise<ReplicaState>));
  }

  /** Of a replica whose connections are all in use nothing is known, so the next read checks it. */
  setFailed(error: unknown): void {
    if (isPoolBusy(error)) this.checkedAt = Number.NEGATIVE_INFINITY;
    else this.setState('down');
  }

  private setState(state: ReplicaState): ReplicaState {
    this.state = state;
    this.checkedAt = performance.now();
    return state;
  }
}

async function checkReplica(replica: Pool): Promise<ReplicaState> {
  return replica.query<{ behind: boolean }>(IS_REPLICA_BEHIND).then(
    ({ rows }) => (rows[0]?.behind ? 'behind' : 'ok'),
    () => 'down',
  );
}

/** Whether a caller has waited for a free connection in vain. */
const isPoolBusy = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

/**
 * Whether another database may still answer. True for failed and closed connections, too many connections, a
 * statement that the replica's replay has cancelled, and tables or columns that are not replicated yet.
 */
function isReplicaUnavailable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return /^(?:08|53|57P|40001|3D000|42P01|42703|42883)/.test(error.code ?? '');
}

function rethrowUnlessUnavailable(error: unknown): undefined {
  if (!isReplicaUnavailable(error)) throw error;
}

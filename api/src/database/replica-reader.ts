/** Public reads, answered by the replica when it is available. */

import { DatabaseError, type Pool, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { IS_REPLICA_BEHIND, REPLICA_LAG } from './server.sql.ts';

const REPLICA_CHECK_INTERVAL_MS = 5_000;

/** State of the replica; `behind`: it answers, but its lag is too large. */
export type ReplicaState = 'ok' | 'behind' | 'down';

/** Reads from the replica if one is configured and healthy, else from the primary. */
export class ReplicaReader {
  private state: ReplicaState | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private pendingCheck: Promise<ReplicaState> | undefined;

  constructor(
    private readonly primary: Pool,
    private readonly replica: Pool | undefined,
  ) {}

  /** The result from the replica or the primary. It may be a few seconds old. */
  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>> {
    const { replica } = this;
    if (!replica) return this.primary.query<Row>(statement);
    const isFirst = (await this.replicaState()) === 'ok';
    const [first, second] = isFirst ? [replica, this.primary] : [this.primary, replica];
    try {
      return await first.query<Row>(statement);
    } catch (error) {
      if (!isReplicaUnavailable(error)) throw error;
      if (isFirst) this.setState('down');
      return second.query<Row>(statement);
    }
  }

  /** One row. A row that the replica lacks is looked up in the primary too. */
  async find<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row | undefined> {
    const { rows } = await this.query<Row>(statement);
    if (rows[0] || !this.replica) return rows[0];
    return (await this.primary.query<Row>(statement).catch(rethrowUnlessUnavailable))?.rows[0];
  }

  /** The state of the replica; undefined without one. It is checked every 5 seconds. Only the first call waits for the check. */
  async replicaState(): Promise<ReplicaState | undefined> {
    const { replica } = this;
    if (!replica) return undefined;
    if (performance.now() - this.checkedAt > REPLICA_CHECK_INTERVAL_MS)
      this.pendingCheck ??= checkReplica(replica)
        .then((state) => this.setState(state))
        .finally(() => {
          this.pendingCheck = undefined;
        });
    return this.state ?? this.pendingCheck;
  }

  /** Seconds that the replica is behind; null when it does not answer, undefined without a replica. */
  async replicaLagSeconds(): Promise<number | null | undefined> {
    return this.replica?.query<{ seconds: number }>(REPLICA_LAG).then(
      ({ rows }) => rows[0]?.seconds ?? 0,
      () => null,
    );
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

/**
 * Whether the other database may still answer. True for failed and closed connections, too many connections, a
 * statement that the replica's replay has cancelled, and tables or columns that are not replicated yet.
 */
function isReplicaUnavailable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return /^(?:08|53|57P|40001|3D000|42P01|42703|42883)/.test(error.code ?? '');
}

function rethrowUnlessUnavailable(error: unknown): undefined {
  if (!isReplicaUnavailable(error)) throw error;
}

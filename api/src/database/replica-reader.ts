/** Reads that a copy of the database may answer: what everybody may see and nobody writes by asking. */
import { DatabaseError, type Pool, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';

/** So old may what a replica gives be while the primary could be asked. Jobs write every minute, so its age is known. */
const MAX_REPLICA_LAG_SECONDS = 300;
const REPLICA_CHECK_INTERVAL_MS = 5_000;

/** How the replica stands; `behind`: it answers, but from long ago. */
export type ReplicaState = 'ok' | 'behind' | 'down';

/** Asks the replica where there is one and it will do, else the primary. */
export class ReplicaReader {
  private state: ReplicaState | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private pendingCheck: Promise<ReplicaState> | undefined;

  constructor(
    private readonly primary: Pool,
    private readonly replica: Pool | undefined,
  ) {}

  /** The answer of whichever database will do; seconds old perhaps. */
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

  /** One row; before there is none the primary is asked, too. */
  async find<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row | undefined> {
    const { rows } = await this.query<Row>(statement);
    if (rows[0] || !this.replica) return rows[0];
    return (await this.primary.query<Row>(statement).catch(rethrowUnlessUnavailable))?.rows[0];
  }

  /** Undefined without a replica. Looked at every 5 seconds, and but for the first time nobody waits for that. */
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

  private setState(state: ReplicaState): ReplicaState {
    this.state = state;
    this.checkedAt = performance.now();
    return state;
  }
}

async function checkReplica(replica: Pool): Promise<ReplicaState> {
  const text = `SELECT pg_is_in_recovery() AND
    coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()) > ${MAX_REPLICA_LAG_SECONDS}, false) AS behind`;
  return replica.query<{ behind: boolean }>(text).then(
    ({ rows }) => (rows[0]?.behind ? 'behind' : 'ok'),
    () => 'down',
  );
}

/**
 * Whether another database may know better: no connection, one that ends, too many of them, a statement that the
 * replica gave up to go on replaying, and what a migration has not brought to it yet.
 */
function isReplicaUnavailable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return /^(?:08|53|57P|40001|3D000|42P01|42703|42883)/.test(error.code ?? '');
}

function rethrowUnlessUnavailable(error: unknown): undefined {
  if (!isReplicaUnavailable(error)) throw error;
}

/** The head of each scope, in memory: a device that has it has all changes of the scope, so that no statement is needed. */
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import { TtlCache } from '../base/ttl-cache.ts';
import { isStatementTimeout } from '../database/database-unavailable.ts';
import { type EpochState, readEpochState, type SqlQuery } from './epoch.ts';
import { readChangedStates } from './scope-changes.sql.ts';
import { SCOPES, scopeState } from './scope-rows.sql.ts';

const HEAD_TTL_MS = 1_000;

interface KnownHeads {
  epoch: string;
  /** Changes up to this number are in `byScope`. */
  upTo: number;
  byScope: Map<string, number>;
}

/** Heads that are read at most once a second for all scopes. */
export class ScopeHeads {
  private readonly states = new TtlCache<EpochState>(HEAD_TTL_MS);
  private known: KnownHeads | undefined;

  constructor(private readonly query: SqlQuery) {}

  /** The state of the database, at most a second old; with `isForced` as it is now. */
  state(now: Date, isForced = false): Promise<EpochState> {
    return this.states.get('', now, () => this.read(), isForced);
  }

  /** A change number after which the scope has no change; the head of the database if more is not known. */
  of(scope: string, { epoch, head }: EpochState): number {
    return (this.known?.epoch === epoch ? this.known.byScope.get(scope) : undefined) ?? head;
  }

  private async read(): Promise<EpochState> {
    const state = await readEpochState(this.query);
    const { epoch, head } = state;
    const { known } = this;
    if (known?.epoch !== epoch || head < known.upTo) {
      this.known = { epoch, upTo: head, byScope: new Map(SCOPES.map((scope) => [scope, head])) };
    } else if (head > known.upTo) {
      const changed = await readChangedStates(this.query, known.upTo, head).catch(allIfTooSlow);
      for (const scope of SCOPES)
        if (scope === INDIA_SCOPE || changed === 'all' || changed.has(scopeState(scope) ?? ''))
          known.byScope.set(scope, Math.max(head, known.byScope.get(scope) ?? 0));
      known.upTo = Math.max(head, known.upTo);
    }
    return state;
  }
}

/** After a very large import every scope counts as changed. */
function allIfTooSlow(error: unknown): 'all' {
  if (!isStatementTimeout(error)) throw error;
  return 'all';
}

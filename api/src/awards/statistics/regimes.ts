import type { RegimeNotice } from '@nivida/contract/awards/awards';
import regimes from './regimes.json' with { type: 'json' };

/** A day from which prices of a department's tenders follow another rule. */
export interface Regime {
  /** Null: all departments of the state. */
  department: string | null;
  /** Day number; tenders published from this day follow the new rule. */
  from: number;
}

/** The curated changes of rules of a state. */
export function curatedRegimes(state: string): RegimeNotice[] {
  return regimes.filter((regime) => regime.state === state).map(({ state: _state, ...notice }) => notice);
}

/** The newest change of rules of each department. */
export class Regimes {
  private readonly ofDepartment = new Map<string, number>();
  private ofState = Number.NEGATIVE_INFINITY;

  constructor(changes: readonly Regime[]) {
    for (const { department, from } of changes) {
      if (department === null) this.ofState = Math.max(this.ofState, from);
      else this.ofDepartment.set(department, Math.max(this.ofDepartment.get(department) ?? from, from));
    }
  }

  /** Day number of the newest change; null when none is known. */
  changedOn(department: string): number | null {
    const day = Math.max(this.ofState, this.ofDepartment.get(department) ?? Number.NEGATIVE_INFINITY);
    return Number.isFinite(day) ? day : null;
  }
}

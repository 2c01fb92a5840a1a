import type { RegimeNotice } from '@nivida/contract/awards/awards';
import { dayNumber } from '@nivida/contract/time';
import { STATE_REGIMES } from '../statistics.sql.ts';
import { curatedRegimes, type Regime } from './regimes.ts';

/** A change of rules as statistics need it, with the notice for readers. */
export interface KnownRegime extends Regime {
  notice: RegimeNotice;
}

/** Runs a statement and returns its rows. */
interface RowReader {
  query(text: string, values: unknown[]): Promise<RegimeNotice[]>;
}

/** The curated, stored and detected changes of price rules of a state until a day, oldest first. */
export async function readRegimes(reader: RowReader, state: string, until: string): Promise<KnownRegime[]> {
  const stored = await reader.query(STATE_REGIMES, [state, until]);
  const isStored = ({ department, from }: RegimeNotice) =>
    stored.some((each) => each.department === department && each.from === from && each.rule !== null);
  const curated = curatedRegimes(state).filter((regime) => regime.from <= until && !isStored(regime));
  // A rule with its source replaces a detected change of the same day.
  const isCurated = ({ department, from }: RegimeNotice) =>
    curated.some((each) => each.department === department && each.from === from);
  return [...curated, ...stored.filter((regime) => !isCurated(regime))]
    .sort((a, b) => a.from.localeCompare(b.from) || (a.department ?? '').localeCompare(b.department ?? ''))
    .map((notice) => ({ department: notice.department, from: dayNumber(notice.from), notice }));
}

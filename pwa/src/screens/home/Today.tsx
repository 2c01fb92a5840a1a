import { t } from '@lingui/core/macro';
import { formatDate, formatTime, indianDay } from '@nivida/contract/format';
import type { RegionListResponse } from '@nivida/contract/tenders/tender';
import { useEffect } from 'react';
import { useNow } from '../../data/clock.ts';
import { useIsStalled } from '../../data/server/reachability.ts';
import { useStateCounts } from '../../data/server/state-counts.ts';
import { TodayOnDevice } from '../lazy.tsx';
import { useChosenState } from './chosen-state.ts';
import css from './Today.module.css';
import { TodayView } from './TodayView.tsx';
import { mergeClosings, todayFacts } from './today.ts';

/** Today's counts of a state from the server: the chosen state, or the state with most open tenders. */
function dayFromCounts({ states }: RegionListResponse, chosen: string | null) {
  const withTenders = states.filter(({ open }) => open > 0);
  const [most] = withTenders.toSorted((one, other) => other.open - one.open);
  const isKnown = chosen === '' || withTenders.some(({ state }) => state === chosen);
  const state = isKnown ? (chosen ?? '') : (most?.state ?? '');
  const shown = withTenders.filter((each) => state === '' || each.state === state);
  const total = (figure: (each: (typeof shown)[number]) => number) =>
    shown.reduce((all, each) => all + figure(each), 0);
  return {
    state,
    states: withTenders.map((each) => each.state),
    open: total((each) => each.open),
    fresh: total((each) => each.fresh ?? 0),
    closing: mergeClosings(shown.map((each) => each.closing ?? [])),
  };
}

/** 'Checked 10:32 AM' today, 'Checked 14 Dec 2025' on another day. */
const checkedText = (at: Date, now: Date) =>
  t`Checked ${indianDay(at) === indianDay(now) ? formatTime(at) : formatDate(at.toISOString())}`;

/**
 * "Today": counts from the server, or from the packs on this device while the server gives none. Counts of
 * another day are not shown.
 */
export function Today() {
  const now = useNow();
  const { answer, isLoading, reload } = useStateCounts();
  const chosen = useChosenState();
  const isOld = answer !== undefined && answer.day !== indianDay(now);
  useEffect(() => {
    if (isOld) reload();
  }, [isOld, reload]);
  const isStalled = useIsStalled(isLoading ? 'counts' : null);
  if (isLoading && !isStalled) return <div className={css.waiting} />;
  if (!answer || isOld) return <TodayOnDevice isLoading={isLoading} />;
  const { closing, ...day } = dayFromCounts(answer, chosen);
  if (day.states.length === 0) return null;
  const source = answer.fetched_at ? checkedText(new Date(answer.fetched_at), now) : t`Not checked yet`;
  return (
    <TodayView {...day} hasAll={day.states.length > 1} facts={todayFacts(closing, now)} now={now} source={source} />
  );
}

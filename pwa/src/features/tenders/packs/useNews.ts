/** What stands on the dashboard about a state: its latest tenders, and what closes soon. */
import type { TenderSummary } from '@nivida/contract/tender';
import { useEffect, useState } from 'react';
import { useTenderLists } from '../../../data/tenders.ts';
import { closingWithinHours, newsOf, useCopies, useCopyOf } from './news.ts';

interface Asked<T> {
  /** What the device answered; the answer before stays until the next is there. */
  value: T | undefined;
  /** The device has not answered yet. */
  isWaiting: boolean;
}

/** Asks the device now, after each change of its copies, and each minute; a copy that cannot be read counts as none. */
function useDeviceAnswer<T>(key: string | null, now: Date, ask: () => Promise<T | undefined>): Asked<T> {
  const copies = useCopies();
  const [answered, setAnswered] = useState<{ key: string; value: T | undefined }>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the question
  useEffect(() => {
    if (key === null || copies === null) return;
    let isWanted = true;
    const put = (value: T | undefined) => isWanted && setAnswered({ key, value });
    ask().then(put, () => put(undefined));
    return () => {
      isWanted = false;
    };
  }, [key, copies, now]);

  const isAnswered = key !== null && answered?.key === key;
  return { value: isAnswered ? answered.value : undefined, isWaiting: !isAnswered };
}

/** The latest tenders as a screen shows them; `error` only beside no tenders. */
export interface Latest {
  tenders: readonly TenderSummary[] | undefined;
  error: unknown;
  reload: () => void;
}

const newestFirst = (one: TenderSummary, other: TenderSummary) =>
  other.published_date.localeCompare(one.published_date) || Number(other._id) - Number(one._id);

/** Where and for whom to look; without departments for all of them. */
interface Area {
  state: string;
  departments: readonly string[];
}

/** A list, here or on the server, is of one department or of all. */
function listsOf({ state, departments }: Area): { state: string; department?: string }[] {
  return departments.length === 0 ? [{ state }] : departments.map((department) => ({ state, department }));
}

const latest = (lists: readonly (readonly TenderSummary[])[], most: number) =>
  lists.flat().sort(newestFirst).slice(0, most);

async function latestHere(area: Area, most: number, now: Date) {
  const news = await Promise.all(listsOf(area).map((each) => newsOf(each, 0, most, now)));
  if (news.includes(undefined)) return undefined;
  return latest(
    news.map((each) => each?.tenders ?? []),
    most,
  );
}

function queriesOf(area: Area, most: number): string[] {
  const sorted = { sort: 'published_date', limit: String(most) };
  return listsOf(area).map((each) => new URLSearchParams({ ...each, ...sorted }).toString());
}

/**
 * The last published open tenders of a state's departments (none: of all), at most `most`, from the device's copy; where
 * it has none, from the server. Null asks nothing.
 */
export function useLatest(area: Area | null, most: number, now: Date): Latest {
  const key = area && JSON.stringify([area.state, area.departments]);
  const local = useDeviceAnswer(key, now, async () => (area ? latestHere(area, most, now) : undefined));
  const isHere = local.value !== undefined;
  const served = useTenderLists(area && !isHere && !local.isWaiting ? queriesOf(area, most) : null);
  const lists = served.answer?.map(({ tenders }) => tenders);
  return {
    tenders: local.value ?? (lists && latest(lists, most)),
    error: isHere || served.answer ? undefined : served.error,
    reload: served.reload,
  };
}

/** A state's tenders that close within `hours`, soonest first, at most `most`; undefined without a copy of the state. */
export function useClosingSoon(
  state: string | undefined,
  hours: number,
  most: number,
  now: Date,
): readonly TenderSummary[] | undefined {
  const hasCopy = useCopyOf(state ?? '') !== undefined;
  const key = state !== undefined && hasCopy ? `${state} ${hours} ${most}` : null;
  return useDeviceAnswer(key, now, async () =>
    state === undefined ? undefined : closingWithinHours(state, hours, most, now),
  ).value;
}

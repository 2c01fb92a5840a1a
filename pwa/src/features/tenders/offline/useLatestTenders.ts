/** The dashboard's tenders of a state: the latest ones, and those that close soon. */
import { EMPTY_FILTER, type PlaceFilter, placeFilterParams } from '@nivida/contract/filter/tender-filter';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
import { useTenderLists } from '../../../data/server/tenders.ts';
import { closingWithinHours, newestTenders, usePackOf, usePackVersions } from './newest-tenders.ts';

interface DeviceAnswer<T> {
  /** The device's answer; the last answer stays until the next one. */
  value: T | undefined;
  /** The device has not answered yet. */
  isWaiting: boolean;
}

/** Queries the device now, after each change of its packs, and each minute. An unreadable pack counts as none. */
function useDeviceAnswer<T>(key: string | null, now: Date, ask: () => Promise<T | undefined>): DeviceAnswer<T> {
  const packVersions = usePackVersions();
  const [answered, setAnswered] = useState<{ key: string; value: T | undefined }>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the question
  useEffect(() => {
    if (key === null || packVersions === null) return;
    let isWanted = true;
    const put = (value: T | undefined) => isWanted && setAnswered({ key, value });
    ask().then(put, () => put(undefined));
    return () => {
      isWanted = false;
    };
  }, [key, packVersions, now]);

  const isAnswered = key !== null && answered?.key === key;
  return { value: isAnswered ? answered.value : undefined, isWaiting: !isAnswered };
}

/** `error` is set only without tenders. */
export interface LatestTenders {
  tenders: readonly TenderSummary[] | undefined;
  error: unknown;
  reload: () => void;
}

const newestFirst = (one: TenderSummary, other: TenderSummary) =>
  other.published_date.localeCompare(one.published_date) || Number(other._id) - Number(one._id);

/** A state and its departments; no departments means all. */
interface LatestTendersArea {
  state: string;
  departments: readonly string[];
}

/** One filter per department: a list is of one department or of all. */
function listFilters({ state, departments }: LatestTendersArea): PlaceFilter[] {
  const ofState = { ...EMPTY_FILTER, state };
  return departments.length === 0 ? [ofState] : departments.map((each) => ({ ...ofState, departments: [each] }));
}

const mergeLatest = (lists: readonly (readonly TenderSummary[])[], limit: number) =>
  lists.flat().sort(newestFirst).slice(0, limit);

async function latestOnDevice(area: LatestTendersArea, limit: number, now: Date) {
  const news = await Promise.all(listFilters(area).map((each) => newestTenders(each, 0, limit, now)));
  if (news.includes(undefined)) return undefined;
  return mergeLatest(
    news.map((each) => each?.tenders ?? []),
    limit,
  );
}

function listQueries(area: LatestTendersArea, limit: number): string[] {
  return listFilters(area).map((each) => `${placeFilterParams(each)}&sort=published_date&limit=${limit}`);
}

/**
 * The last published open tenders of an area, at most `limit`, from the device's pack, or from the server without a
 * pack. Null requests nothing.
 */
export function useLatestTenders(area: LatestTendersArea | null, limit: number, now: Date): LatestTenders {
  const key = area && JSON.stringify([area.state, area.departments]);
  const local = useDeviceAnswer(key, now, async () => (area ? latestOnDevice(area, limit, now) : undefined));
  const isHere = local.value !== undefined;
  const serverResult = useTenderLists(area && !isHere && !local.isWaiting ? listQueries(area, limit) : null);
  const lists = serverResult.answer?.map(({ tenders }) => tenders);
  return {
    tenders: local.value ?? (lists && mergeLatest(lists, limit)),
    error: isHere || serverResult.answer ? undefined : serverResult.error,
    reload: serverResult.reload,
  };
}

/** A state's tenders that close within `hours`, soonest first, at most `limit`; undefined without a pack of the state. */
export function useClosingSoon(
  state: string | undefined,
  hours: number,
  limit: number,
  now: Date,
): readonly TenderSummary[] | undefined {
  const hasPack = usePackOf(state ?? '') !== undefined;
  const key = state !== undefined && hasPack ? `${state} ${hours} ${limit}` : null;
  return useDeviceAnswer(key, now, async () =>
    state === undefined ? undefined : closingWithinHours(state, hours, limit, now),
  ).value;
}

/** The dashboard's tenders of a state: the latest ones, and those that close soon. */
import {
  EMPTY_FILTER,
  MAX_FILTER_PLACES,
  type PlaceFilter,
  placeFilterParams,
} from '@nivida/contract/filter/tender-filter';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
import { useTenderList } from '../../data/server/tenders.ts';
import { closingWithinHours, newestTenders, usePackOf, usePackVersions } from './device-tenders.ts';

interface DeviceAnswer<T> {
  /** The device's last answer to `key`. It stays until the next one arrives. */
  value: T | undefined;
  /** True until the device has answered. */
  isWaiting: boolean;
}

/**
 * Queries the device now, after each change of its packs, and each minute. An unreadable pack counts as no
 * pack.
 */
export function useDeviceAnswer<T>(key: string | null, now: Date, ask: () => Promise<T | undefined>): DeviceAnswer<T> {
  const packVersions = usePackVersions();
  const [answered, setAnswered] = useState<{ key: string; value: T | undefined }>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies what `ask` asks
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
interface LatestTenders {
  tenders: readonly TenderSummary[] | undefined;
  error: unknown;
  /** The server has been asked and has not answered yet. */
  isLoading: boolean;
  reload: () => void;
}

/** The places and departments of a user. An empty list means all. */
interface TenderArea {
  state: string;
  districts: readonly string[];
  departments: readonly string[];
}

/** A filter has at most `MAX_FILTER_PLACES` names in a list. A longer list means the whole state. */
const atMost = (names: readonly string[]) => (names.length > MAX_FILTER_PLACES ? [] : names);

const areaFilter = ({ state, districts, departments }: TenderArea): PlaceFilter => ({
  ...EMPTY_FILTER,
  state,
  districts: atMost(districts),
  departments: atMost(departments),
});

/** The results of an area, as a path of the app. */
export const areaPath = (area: TenderArea): string => `/tenders/results?${placeFilterParams(areaFilter(area))}`;

/** The query of `GET /api/tenders` for the last published tenders of an area. */
export const latestTendersQuery = (area: TenderArea, limit: number): string =>
  `${placeFilterParams(areaFilter(area))}&sort=published_date&limit=${limit}`;

/**
 * The last published open tenders of an area, at most `limit`. They come from the device's pack, or from the
 * server when there is no pack. A null area requests nothing.
 */
export function useLatestTenders(area: TenderArea | null, limit: number, now: Date): LatestTenders {
  const key = area && latestTendersQuery(area, limit);
  const local = useDeviceAnswer(key, now, async () =>
    area ? (await newestTenders(areaFilter(area), 0, limit, now))?.tenders : undefined,
  );
  const isHere = local.value !== undefined;
  const asksServer = !isHere && !local.isWaiting;
  const serverResult = useTenderList(asksServer ? key : null);
  return {
    tenders: local.value ?? serverResult.answer?.tenders,
    error: isHere || serverResult.answer ? undefined : serverResult.error,
    isLoading: key !== null && asksServer && serverResult.isLoading,
    reload: serverResult.reload,
  };
}

/**
 * Tenders of an area that close within `hours`, soonest first, at most `limit`. Without a pack of the state there is
 * no value, and nothing is waited for.
 */
export function useClosingSoon(
  area: TenderArea | undefined,
  hours: number,
  limit: number,
  now: Date,
): DeviceAnswer<readonly TenderSummary[]> {
  const hasPack = usePackOf(area?.state ?? '') !== undefined;
  const key = area && hasPack ? `${placeFilterParams(areaFilter(area))} ${hours} ${limit}` : null;
  const { value, isWaiting } = useDeviceAnswer(
    key,
    now,
    async () => area && closingWithinHours(areaFilter(area), hours, limit, now),
  );
  return { value, isWaiting: hasPack && isWaiting };
}

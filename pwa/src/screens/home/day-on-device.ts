/** Today's counts of a state from its pack on the device, in the shape of `GET /api/regions`. */
import { indianDay, startOfIndianDay } from '@nivida/contract/format';
import { UNKNOWN_MINUTE } from '@nivida/contract/tenders/closing';
import type { ClosingMinutes } from '@nivida/contract/tenders/tender';
import { countMatches, listFromPack, usePackOf } from '../../offline/queries/device-tenders.ts';
import { useDeviceAnswer } from '../../offline/queries/useLatestTenders.ts';

/** No state has more closings on one day. */
const MAX_CLOSINGS = 1000;

interface DayOfState {
  open: number;
  fresh: number;
  closing: ClosingMinutes;
}

async function dayOnDevice(state: string, now: Date): Promise<DayOfState | undefined> {
  const from = startOfIndianDay(indianDay(now)).getTime();
  const lists = await Promise.all([
    listFromPack({ state, within: 0 }, MAX_CLOSINGS, now),
    listFromPack({ state, open: false }, MAX_CLOSINGS, now),
  ]);
  const [open, fresh] = await Promise.all([
    countMatches({ state }, now),
    countMatches({ state, publishedWithin: 1 }, now),
  ]);
  if (lists.includes(undefined) || open === undefined || fresh === undefined) return undefined;
  const tendersAt = new Map<number, number>();
  for (const { closing_date, closing_time_known } of lists.flatMap((list) => list ?? [])) {
    const minute = Math.floor((Date.parse(closing_date) - from) / 60_000);
    if (minute < 0) continue;
    const at = closing_time_known ? minute : UNKNOWN_MINUTE;
    tendersAt.set(at, (tendersAt.get(at) ?? 0) + 1);
  }
  return { open, fresh, closing: [...tendersAt].sort(([one], [other]) => one - other) };
}

/**
 * Today's counts of a state. `day` is undefined when there is no readable pack of the state. A null state
 * requests nothing.
 */
export function useDayOnDevice(state: string | null, now: Date): { day: DayOfState | undefined; isWaiting: boolean } {
  const hasPack = usePackOf(state ?? '') !== undefined;
  const key = state !== null && hasPack ? `day of ${state}` : null;
  const { value, isWaiting } = useDeviceAnswer(key, now, async () =>
    state === null ? undefined : dayOnDevice(state, now),
  );
  return { day: value, isWaiting };
}

/** Alerts are offered after a bookmark or a saved search; after "Not now" again in four weeks. */
import { indianDay } from '@nivida/contract/format';
import { create } from 'zustand';
import { currentTime } from '../../../data/clock.ts';
import { readSetting, writeSetting } from '../../../data/device/settings.ts';
import type { AlertState } from '../alert-state.ts';

const REFUSAL_KEY = 'alertsRefused';
const ASK_AGAIN_DAYS = 28;

/** Day of the last "Not now" (`indianDay`); null: none; undefined: not read yet. */
export const useAlertRefusal = create<{ day: number | null | undefined }>(() => ({ day: undefined }));

/** Whether to offer alerts at `now`. `hasReason`: there is a bookmark or a saved search. */
export function shouldOfferAlerts(
  state: AlertState,
  refusedDay: number | null | undefined,
  hasReason: boolean,
  now: Date,
): boolean {
  if (!hasReason || state !== 'off' || refusedDay === undefined) return false;
  return refusedDay === null || indianDay(now) - refusedDay >= ASK_AGAIN_DAYS;
}

/** Reads the last refusal. Opens the database, so call it only when there is a reason to offer. */
export async function readAlertRefusal(): Promise<void> {
  const day = await readSetting(REFUSAL_KEY);
  useAlertRefusal.setState({ day: Number.isSafeInteger(day) ? (day as number) : null });
}

/** The user tapped "Not now", or went on without an answer. */
export async function dismissAlertOffer(): Promise<void> {
  const day = indianDay(currentTime());
  useAlertRefusal.setState({ day });
  await writeSetting(REFUSAL_KEY, day);
}

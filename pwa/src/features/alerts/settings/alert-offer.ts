/** When alerts are offered: after a bookmark or a saved search, and to those who said "Not now" not for four weeks. */
import { indianDay } from '@nivida/contract/format';
import { create } from 'zustand';
import { currentTime } from '../../../data/clock.ts';
import { readSetting, writeSetting } from '../../../data/device/settings.ts';
import type { AlertState } from '../alert-state.ts';

const REFUSAL_KEY = 'alertsRefused';
const ASK_AGAIN_DAYS = 28;

/** The day of the last "Not now" as `indianDay` counts; null for none, undefined until it has been read. */
export const useAlertRefusal = create<{ day: number | null | undefined }>(() => ({ day: undefined }));

/** Whether to offer alerts at `now`; `hasReason`: there is a bookmark or a saved search. */
export function shouldOfferAlerts(
  state: AlertState,
  refusedDay: number | null | undefined,
  hasReason: boolean,
  now: Date,
): boolean {
  if (!hasReason || state !== 'off' || refusedDay === undefined) return false;
  return refusedDay === null || indianDay(now) - refusedDay >= ASK_AGAIN_DAYS;
}

/** Reads whether they were refused; opens the database, so call it when there is a reason to ask. */
export async function readAlertRefusal(): Promise<void> {
  const day = await readSetting(REFUSAL_KEY);
  useAlertRefusal.setState({ day: Number.isSafeInteger(day) ? (day as number) : null });
}

/** Not now. */
export async function dismissAlertOffer(): Promise<void> {
  const day = indianDay(currentTime());
  useAlertRefusal.setState({ day });
  await writeSetting(REFUSAL_KEY, day);
}

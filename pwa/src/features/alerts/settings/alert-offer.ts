/** The offer of alerts: shown after a bookmark or a saved search. After "Not now" it waits four weeks. */
import { indianDay } from '@nivida/contract/format';
import { create } from 'zustand';
import { currentTime } from '../../../data/clock.ts';
import { readSetting, writeSetting } from '../../../data/device/settings.ts';
import type { AlertState } from '../alert-state.ts';

const REFUSAL_KEY = 'alertsRefused';
const ASK_AGAIN_DAYS = 28;

/** Day of the last "Not now" (`indianDay`). Null when there was none; undefined until it is read. */
export const useAlertRefusal = create<{ day: number | null | undefined }>(() => ({ day: undefined }));

/** Whether to offer alerts at `now`. `hasReason` is true when there is a bookmark or a saved search. */
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

/** Records "Not now". Called also when the user went on without an answer. */
export async function dismissAlertOffer(): Promise<void> {
  const day = indianDay(currentTime());
  useAlertRefusal.setState({ day });
  await writeSetting(REFUSAL_KEY, day);
}

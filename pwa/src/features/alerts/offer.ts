/** When alerts are offered: after a bookmark or a saved search, and to those who said "Not now" not for four weeks. */
import { indianDay } from '@nivida/contract/format';
import { create } from 'zustand';
import { currentTime } from '../../data/clock.ts';
import { readSetting, writeSetting } from '../../data/settings.ts';
import type { AlertState } from './state.ts';

const SETTING = 'alertsRefused';
const ASK_AGAIN_DAYS = 28;

/** The day of the last "Not now" as `indianDay` counts; null for none, undefined until it has been read. */
export const useRefusal = create<{ day: number | null | undefined }>(() => ({ day: undefined }));

/** Whether to offer alerts at `now`; `hasReason`: there is a bookmark or a saved search. */
export function isOffered(
  state: AlertState,
  refused: number | null | undefined,
  hasReason: boolean,
  now: Date,
): boolean {
  if (!hasReason || state !== 'off' || refused === undefined) return false;
  return refused === null || indianDay(now) - refused >= ASK_AGAIN_DAYS;
}

/** Reads whether they were refused; opens the database, so call it when there is a reason to ask. */
export async function readRefusal(): Promise<void> {
  const day = await readSetting(SETTING);
  useRefusal.setState({ day: Number.isSafeInteger(day) ? (day as number) : null });
}

/** Not now. */
export async function refuseAlerts(): Promise<void> {
  const day = indianDay(currentTime());
  useRefusal.setState({ day });
  await writeSetting(SETTING, day);
}

/**
 * The switch "Works I may bid" of lists and saved searches, stored on this device. The limit itself is in the
 * user's figures.
 */
import { useEffect } from 'react';
import { create } from 'zustand';
import { whenDatabaseIsWanted } from '../../data/device/database.ts';
import { readInstantSetting, writeInstantSetting } from '../../data/device/instant-settings.ts';
import type { DeviceQuery } from '../../data/device/live-query.ts';
import { firstScreen } from '../../data/first-screen.ts';
import type { ReadCardMarks } from './read-card-marks.ts';

const KEY = 'works I may bid';

const useSwitch = create<{ isOn: boolean }>(() => ({ isOn: false }));

/** Whether the switch is on; false until it is read. */
export function useWithinLimit(): boolean {
  useEffect(() => useSwitch.setState({ isOn: readInstantSetting(KEY) === true }), []);
  return useSwitch(({ isOn }) => isOn);
}

/** Turns the switch on or off. It is stored on the device. */
export function setWithinLimit(isOn: boolean): void {
  writeInstantSetting(KEY, isOn || undefined);
  useSwitch.setState({ isOn });
}

/** The query of the marks of cards. It finds the works above the user's limit. */
export const loadMarks = async (): Promise<DeviceQuery<ReadCardMarks>> => {
  await firstScreen;
  // A new device has no profile.
  await whenDatabaseIsWanted();
  return (await import('./read-card-marks.ts')).readCardMarks;
};

/** When the tour of the app is shown by itself: once on a device, after its first real use. */
import { t } from '@lingui/core/macro';
import { readInstantSetting, writeInstantSetting } from '../../data/device/instant-settings.ts';

/** 'due' after the first tender that was opened on this device, then 'seen'. */
const TOUR_KEY = 'tour';

export const tourTitle = (): string => t`Nivida in three cards`;

/** Called when a tender is shown. */
export function noteFirstUse(): void {
  if (readInstantSetting(TOUR_KEY) === undefined) writeInstantSetting(TOUR_KEY, 'due');
}

export const isTourDue = (): boolean => readInstantSetting(TOUR_KEY) === 'due';

export const noteTourSeen = (): void => writeInstantSetting(TOUR_KEY, 'seen');

import { calendarName, toCalendar } from '@nivida/contract/calendar';
import type { Tender } from '@nivida/contract/tender';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toast.ts';

/** Saves the closing as a calendar file, which is made here: it needs no network. */
export function saveCalendar(tender: Tender, now: Date): void {
  saveFile(calendarName(tender), new Blob([toCalendar(tender, now, location.origin)], { type: 'text/calendar' }));
  showToast({ text: 'Calendar file saved. Open it to add the closing and its alarms.' });
}

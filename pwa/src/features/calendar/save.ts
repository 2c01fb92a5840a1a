import { calendarFileName, tenderCalendar } from '@nivida/contract/tenders/calendar';
import type { Tender } from '@nivida/contract/tenders/tender';
import { showToast } from '../../ui/feedback/toast.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Saves the closing as a calendar file, which is made here: it needs no network. */
export function saveCalendarFile(tender: Tender, now: Date): void {
  saveFile(
    calendarFileName(tender),
    new Blob([tenderCalendar(tender, now, location.origin)], { type: 'text/calendar' }),
  );
  showToast({ text: 'Calendar file saved. Open it to add the closing and its alarms.' });
}

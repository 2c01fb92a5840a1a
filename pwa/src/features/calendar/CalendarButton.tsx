import { calendarName, toCalendar } from '@nivida/contract/calendar';
import type { Tender } from '@nivida/contract/tender';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toast.ts';

interface CalendarButtonProps {
  tender: Tender;
  now: Date;
  look: 'icon' | 'stacked';
  /** Nothing is left to be reminded of. */
  isOver: boolean;
}

/** Puts the closing into the phone's calendar, by a file that is made here: it needs no network. */
export function CalendarButton({ tender, now, look, isOver }: CalendarButtonProps) {
  function save() {
    saveFile(calendarName(tender), new Blob([toCalendar(tender, now, location.origin)], { type: 'text/calendar' }));
    showToast({ text: 'Calendar file saved. Open it to add the closing and its alarms.' });
  }

  return (
    <Button look={look} aria-label="Add to calendar" disabled={isOver} onClick={save}>
      <Icon name="calendar" /> {look === 'stacked' && 'Calendar'}
    </Button>
  );
}

import { t } from '@lingui/core/macro';
import { allTexts } from '@nivida/contract/i18n';
import type { Tender } from '@nivida/contract/tenders/tender';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { saveFile } from '../../ui/save-file.ts';

/**
 * Saves the closing as a calendar file. The app makes the file, so this works without a network. Its code is loaded on
 * tap.
 */
export async function saveCalendarFile(tender: Tender, now: Date): Promise<void> {
  const [{ calendarFileName, tenderCalendar }] = await Promise.all([
    import('@nivida/contract/tenders/calendar'),
    allTexts(),
  ]);
  saveFile(
    calendarFileName(tender),
    new Blob([tenderCalendar(tender, now, location.origin)], { type: 'text/calendar' }),
  );
  showToast({ text: t`Calendar file saved. Open it to add the closing and its alarms.` });
}

interface CalendarButtonProps {
  tender: Tender;
  now: Date;
  look: 'icon' | 'stacked';
  /** True after the closing. */
  isOver: boolean;
}

/** Adds the closing to the phone's calendar. */
export function CalendarButton({ tender, now, look, isOver }: CalendarButtonProps) {
  return (
    <Button
      look={look}
      aria-label={t`Add to calendar`}
      disabled={isOver}
      onClick={() => void saveCalendarFile(tender, now)}
    >
      <Icon name="calendar" /> {look === 'stacked' && t`Calendar`}
    </Button>
  );
}

import type { Tender } from '@nivida/contract/tenders/tender';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { saveCalendarFile } from './save.ts';

interface CalendarButtonProps {
  tender: Tender;
  now: Date;
  look: 'icon' | 'stacked';
  /** Nothing is left to be reminded of. */
  isOver: boolean;
}

/** Puts the closing into the phone's calendar, by a file that is made here: it needs no network. */
export function CalendarButton({ tender, now, look, isOver }: CalendarButtonProps) {
  return (
    <Button look={look} aria-label="Add to calendar" disabled={isOver} onClick={() => saveCalendarFile(tender, now)}>
      <Icon name="calendar" /> {look === 'stacked' && 'Calendar'}
    </Button>
  );
}

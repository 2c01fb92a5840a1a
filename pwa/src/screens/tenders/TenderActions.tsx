import type { Tender } from '@nivida/contract/tenders/tender';
import { CalendarButton } from '../../features/calendar/CalendarButton.tsx';
import { ShareButton } from '../../features/share/ShareButton.tsx';
import { closingFacts } from '../../features/tender/labels.ts';
import { TenderBookmarkButton } from './TenderBookmarkButton.tsx';

/** A tender's actions, except downloading its documents. */
export function TenderActions({ tender, now, look }: { tender: Tender; now: Date; look: 'stacked' | 'icon' }) {
  return (
    <>
      <TenderBookmarkButton tender={tender} look={look} />
      <CalendarButton tender={tender} now={now} look={look} isOver={closingFacts(tender, now).isOver} />
      <ShareButton tender={tender} look={look} />
    </>
  );
}

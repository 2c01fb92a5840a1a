import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { expect, test } from 'vitest';
import { openTestPage } from '../../ui/test-page.tsx';
import { CalendarDialog } from './CalendarDialog.tsx';

test.each([
  [true, 'Closing: 20 Nov 2026, 11:59 PM'],
  [false, 'Closing: 20 Nov 2026, time not stated'],
])('the dialog names the closing; its hour is known: %s', async (isTimeKnown, text) => {
  const tender = {
    ...testTenderDetail(),
    closing_date: '2026-11-20T18:29:59.000Z',
    closing_time_known: isTimeKnown,
  };
  const now = new Date('2026-11-10T12:00:00+05:30');
  const dialog = await openTestPage(<CalendarDialog tender={tender} now={now} onClose={() => undefined} />);
  expect(dialog.text()).toContain(text);
});

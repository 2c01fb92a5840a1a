import type { Messages } from '@lingui/core';
import { addTexts, setLanguage, setTextsLoader } from '@nivida/contract/i18n';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestPage } from '../../ui/test-page.tsx';
import { saveCalendarFile } from './CalendarButton.tsx';
import { CalendarDialog } from './CalendarDialog.tsx';

const [hindi] = Object.values(
  import.meta.glob<{ messages: Messages }>('../../../../texts/hi.po', { query: '?part=app', eager: true }),
);

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

test('the calendar file waits for the texts of its language', async () => {
  const create = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:calendar');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  setLanguage('hi');
  setTextsLoader(async () => addTexts('hi', hindi?.messages ?? {}));
  onTestFinished(() => {
    setLanguage('en');
    setTextsLoader(async () => undefined);
  });
  await saveCalendarFile(testTenderDetail(), new Date('2026-11-10T12:00:00+05:30'));
  const [file] = create.mock.lastCall ?? [];
  expect(await (file as Blob).text()).toContain('SUMMARY:टेंडर बंद होगा: ');
});

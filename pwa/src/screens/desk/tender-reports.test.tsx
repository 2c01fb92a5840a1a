import { expect, test } from 'vitest';
import { TenderReports } from '../../features/desk/tenders/TenderReports.tsx';
import { openTestPage } from '../../ui/test-page.tsx';

import { loadDeskTexts } from './desk.tsx';

type Tender = Parameters<typeof TenderReports>[0]['tender'];

const openReports = (language: 'en' | 'hi' | null) =>
  openTestPage(
    <TenderReports
      tender={
        {
          ...{ id: 7, more_reports: 0 },
          reports: [
            {
              ...{ id: 'r', kind: 'date', text: '', at: '2026-11-10T06:00:00.000Z', closed_at: null },
              ...{ closed_reason: null, has_account: language !== null, language },
            },
          ],
        } as unknown as Tender
      }
    />,
  );

const FIELD = 'Answer to the reader goes to the app and by mail';

test('usual answers are in the language of the reader, and only for an empty field', async () => {
  await loadDeskTexts();
  const page = await openReports('hi');
  await page.press('Close report');
  const usual = () => page.texts('[lang="hi"] button');
  await expect.poll(() => usual().length).toBe(2);
  const [first = ''] = usual();
  expect(first).toMatch(/[\u0900-\u097f]/);
  await page.press(first);
  expect(page.field(FIELD).value).toBe(first);
  expect([usual(), document.activeElement]).toEqual([[], page.field(FIELD)]);
});

test('a reader without an account gets no answer', async () => {
  const page = await openReports(null);
  await page.press('Close report');
  expect(page.text()).toContain('The reader was not signed in and gets no answer.');
});

import type { TodayEntry } from '@nivida/contract/desk/today';
import { expect, test, vi } from 'vitest';
import { signInForTest } from '../../data/test-session.ts';
import { openTestPage } from '../../ui/test-page.tsx';
import { DeskToday } from './DeskToday.screen.tsx';

const finding = (subject: string, command: string | null): TodayEntry => ({
  ...{ kind: 'installation', count: 1, since: null, subject, text: `${subject} is broken`, isFailure: true },
  ...{ command, section: `docs/${subject}` },
});

test('a finding has a button only when a command repairs it', async () => {
  signInForTest('7');
  const entries = [finding('backup', 'npm run backup -- nivida-2026-11-10.zip'), finding('push', null)];
  vi.stubGlobal('fetch', async () => Response.json({ entries }));
  const { texts, names } = await openTestPage(<DeskToday />, '/desk');
  await expect.poll(() => texts('li')).toHaveLength(2);
  expect(texts('li p.s')).toEqual([
    'backup is broken',
    'On the server: npm run backup -- nivida-2026-11-10.zip · docs/backup',
    'push is broken',
    'docs/push',
  ]);
  expect(names('li button')).toEqual(['Copy the command']);
});

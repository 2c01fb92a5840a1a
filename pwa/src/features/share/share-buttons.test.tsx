import { testTender } from '@nivida/contract/tenders/test-tender';
import { afterEach, expect, test, vi } from 'vitest';
import { useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { CopyListButton } from './CopyListButton.tsx';
import { ShareButton } from './ShareButton.tsx';

afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  useToast.setState({ current: undefined });
});

/** A browser that can share or copy; the list has what it shared and copied. */
function stubBrowser(can: { share?: boolean; copy?: boolean }): string[] {
  const done: string[] = [];
  const browser = {
    ...(can.share && {
      // The browser's own function refuses any other `this`.
      share(this: unknown, { text }: { text: string }) {
        done.push(this === navigator ? `shared ${text}` : 'illegal invocation');
        return Promise.resolve();
      },
    }),
    ...(can.copy && { clipboard: { writeText: async (text: string) => void done.push(`copied ${text}`) } }),
  };
  vi.stubGlobal('navigator', browser);
  return done;
}
const toast = () => useToast.getState().current;
const openShare = (look: 'icon' | 'stacked' = 'icon') =>
  openTestPage(<ShareButton tender={testTender({ _id: '1234' })} look={look} />);
const openCopy = (label?: string) =>
  openTestPage(<CopyListButton {...(label && { label })} makeText={(origin) => `My list at ${origin}`} />);

test('a tender is sent with the apps of the device, without a message', async () => {
  const done = stubBrowser({ share: true, copy: true });
  const button = await openShare('stacked');
  expect(button.text()).toBe('Share');
  await button.press('Share tender');
  expect(done).toEqual([expect.stringMatching(/^shared 2026_PWD_100001_1\n(.+\n)+.*\/tenders\/1234$/)]);
  expect([toast(), button.page.querySelector('dialog')]).toEqual([undefined, null]);
});

test('a tender is copied where the browser cannot share, which a message says', async () => {
  const done = stubBrowser({ copy: true });
  const button = await openShare();
  expect(button.text()).toBe('');
  await button.press('Share tender');
  await expect.poll(toast).toEqual({ text: 'Copied' });
  expect(done).toHaveLength(1);
  expect(button.page.querySelector('dialog')).toBeNull();
});

test('a tender or a list is shown, selected for copying, where the browser can do neither', async () => {
  stubBrowser({});
  const tender = await openShare();
  await tender.press('Share tender');
  await expect.poll(() => tender.texts('h2')).toEqual(['Share tender']);
  const area = tender.field('Copy this text and paste it into a message.');
  expect(area.value).toMatch(/^2026_PWD_100001_1\n/);
  expect([area.readOnly, document.activeElement]).toEqual([true, area]);
  expect([area.selectionStart, area.selectionEnd]).toEqual([0, area.value.length]);
  await tender.press('Close');
  expect(tender.page.querySelector('dialog')).toBeNull();
  await tender.close();

  const list = await openCopy();
  await list.press('Copy for WhatsApp');
  await expect.poll(() => list.texts('h2')).toEqual(['Copy the list']);
  expect(list.field('Copy this text and paste it into a message.').value).toBe(`My list at ${location.origin}`);
  expect(toast()).toBeUndefined();
  await list.press('Close');
  expect(list.page.querySelector('dialog')).toBeNull();
});

test('a list is copied first, and then sent where the device has apps for it', async () => {
  const text = `My list at ${location.origin}`;
  const done = stubBrowser({ share: true, copy: true });
  const list = await openCopy('Copy the list');
  await list.press('Copy the list');
  await expect.poll(toast).toMatchObject({ text: 'Copied. Paste it into WhatsApp.', passing: true });
  expect(toast()?.action?.label).toBe('Send');
  expect(done).toEqual([`copied ${text}`]);
  toast()?.action?.run();
  expect(done).toEqual([`copied ${text}`, `shared ${text}`]);
  await list.close();

  useToast.setState({ current: undefined });
  stubBrowser({ copy: true });
  await (await openCopy()).press('Copy for WhatsApp');
  await expect.poll(toast).toEqual({ text: 'Copied. Paste it into WhatsApp.', passing: true });
});

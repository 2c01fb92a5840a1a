// @vitest-environment-options { "url": "http://localhost/" }
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { dismissToast, useToast } from '../../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../../ui/test-page.tsx';
import { ApiKeys } from './ApiKeys.tsx';

const SECRET = `nva_${'k'.repeat(43)}`;

let page: TestPage;
let calls: string[];
let stored: { id: string; name: string }[];
let copied: string[];

const listed = ({ id, name }: { id: string; name: string }) => ({
  ...{ id, name, hint: 'nva_kkkk', createdAt: '2026-11-10T06:00:00.000Z', usedAt: null },
  use: [
    { seconds: 60, calls: 3, limit: 600, resetsAt: null },
    { seconds: 86_400, calls: 1234, limit: 50_000, resetsAt: null },
  ],
});

beforeEach(() => {
  calls = [];
  copied = [];
  stored = [];
  signInForTest('7');
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({
    writeText: async (text: string) => void copied.push(text),
  } as Clipboard);
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    calls.push(`${request.method} ${pathname}`);
    if (request.method === 'POST') {
      const { name } = JSON.parse(await request.clone().text());
      stored = [{ id: `id-${name}`, name }, ...stored];
      return Response.json({ id: `id-${name}`, key: SECRET }, { status: 201 });
    }
    if (request.method === 'DELETE') {
      stored = stored.filter(({ id }) => !pathname.endsWith(`/${id}`));
      return new Response(null, { status: 204 });
    }
    return Response.json({ keys: stored.map(listed) });
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  while (useToast.getState().current) dismissToast();
});

const open = async () => {
  page = await openTestPage(<ApiKeys userId="7" />);
  await expect.poll(() => page.hasButton('Make a key') || stored.length === 5).toBe(true);
};

test('a new key is shown once, and can be copied', async () => {
  await open();
  await expect.poll(() => page.text()).toContain('You have no key.');
  await page.press('Make a key');
  await page.enter('Name of the key The program that uses it', ' Our program ');
  await page.press('Make');
  await expect.poll(() => page.texts('code')).toContain(SECRET);
  expect(page.text()).toContain('Copy the key now: it is not shown again.');
  await page.press('Copy the key');
  expect(copied).toEqual([SECRET]);
  await page.press('Close');
  await expect.poll(() => page.text()).toContain('Our program');
  expect(page.text()).not.toContain(SECRET);
  expect(page.text()).toContain('1,234 calls of 50,000 in 24 hours');
});

test('a key needs a name', async () => {
  await open();
  await page.press('Make a key');
  await page.press('Make');
  expect(page.errorAt('Name of the key The program that uses it')).toBe('Name is required');
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([]);
});

test('a revoked key leaves the list, after a question', async () => {
  stored = [
    { id: 'one', name: 'Old program' },
    { id: 'two', name: 'Our program' },
  ];
  await open();
  await expect.poll(() => page.text()).toContain('Old program');
  await page.press('Revoke Old program');
  expect(page.text()).toContain('Programs that use “Old program” are refused at once.');
  expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
  await page.press('Revoke');
  await expect.poll(() => page.text()).not.toContain('Old program');
  expect(calls).toContain('DELETE /api/keys/one');
  expect(page.text()).toContain('Our program');
});

test('with five keys no other can be made', async () => {
  stored = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ id: name, name }));
  await open();
  await expect.poll(() => page.names().filter((name) => name.startsWith('Revoke')).length).toBe(5);
  expect(page.hasButton('Make a key')).toBe(false);
});

// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, useDatabaseState, withDatabase } from '../../data/device/database.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { requestedIds } from '../../features/documents/requests.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { type TenderDocuments, useTenderDocuments } from './useTenderDocuments.ts';

const NOW = new Date('2026-04-12T09:00:00+05:30');
const ends: (() => Promise<void>)[] = [];

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete()).catch(() => undefined);
  await closeDatabase();
});

/** The documents of a tender that has no package. */
async function open(id = '17') {
  let shown: TenderDocuments | undefined;
  function Probe() {
    shown = useTenderDocuments(testTenderDetail({ _id: id }), NOW, false);
    return null;
  }
  const root = createRoot(document.createElement('div'));
  const router = createMemoryRouter([{ path: '/', element: createElement(Probe) }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  ends.push(() => act(async () => root.unmount()) as Promise<void>);
  return () => shown as TenderDocuments;
}

const requested = (owner: string) => withDatabase((db) => requestedIds(db, owner));
const toast = () => useToast.getState().current?.text;

test('a signed-in user asks for missing documents at once; without signal the request waits', async () => {
  signInForTest('7');
  const documents = await open();
  expect([documents().action.way, documents().isAsking]).toEqual(['ask', false]);
  await act(async () => documents().ask());
  await expect.poll(() => requested('7')).toEqual(['17']);
  await expect
    .poll(() => documents().action)
    .toEqual({
      way: 'asked',
      note: 'Saved on this phone. Sent when there is signal.',
    });
  await expect.poll(toast).toBe('Saved on this phone. Sent when there is signal.');
  expect(documents().isAsking).toBe(false);
  expect((await open('18'))().action.way).toBe('ask');
});

test('a visitor names an e-mail address first, or stops', async () => {
  const documents = await open();
  await act(async () => documents().ask());
  expect(documents().isAsking).toBe(true);
  await act(async () => documents().stopAsking());
  expect([documents().isAsking, await requested('')]).toEqual([false, []]);
  await act(async () => documents().ask());
  await act(async () => documents().send('ravi@works.example'));
  await expect.poll(() => documents().action.way).toBe('asked');
  expect(documents().isAsking).toBe(false);
});

test('a request that cannot be saved says why, and where else to ask', async () => {
  const documents = await open();
  useDatabaseState.setState({ state: 'unavailable' });
  await act(async () => documents().send('ravi@works.example'));
  await expect
    .poll(toast)
    .toBe('This browser blocks storage, so the request cannot be saved. Please ask through the contact form.');
});

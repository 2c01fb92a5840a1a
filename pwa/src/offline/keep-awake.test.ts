import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OfflinePack } from '../data/device/schema.ts';
import { keepAwakeWhileDownloading } from './keep-awake.ts';
import { setRow, setRun, usePacks } from './packs/pack-status.ts';

const SCOPE = 'goa';
const PACK: OfflinePack = { epoch: '1', rows: 1, segments: [], checked: {}, cursor: '1' };

/** What the browser was asked, in order. */
let calls: string[];
let visibility: DocumentVisibilityState;
let stop: () => void;

const row = (next: OfflinePack | null) => ({
  ...{ scope: SCOPE, current: null, next, files: {}, savedAt: 0, changed: 0, replaces: null },
});
const show = (value: DocumentVisibilityState) => {
  visibility = value;
  document.dispatchEvent(new Event('visibilitychange'));
};
/** A browser whose answer to the request is `answer`. */
function stubWakeLock(answer: () => Promise<unknown>) {
  const request = async (kind: string) => {
    calls.push(`request ${kind}`);
    return answer();
  };
  Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request } });
}

beforeEach(() => {
  calls = [];
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  stubWakeLock(async () => ({ release: async () => void calls.push('release') }));
  usePacks.setState({ scopes: {} });
  setRow(row(PACK));
  stop = keepAwakeWhileDownloading();
});
afterEach(() => {
  setRun(SCOPE, false, null);
  stop();
  Reflect.deleteProperty(navigator, 'wakeLock');
  vi.restoreAllMocks();
});

test('the screen stays on while a state downloads, and may sleep when it has arrived', async () => {
  expect(calls).toEqual([]);
  setRun(SCOPE, true, null);
  setRow({ ...row(PACK), files: { 'list a': 5 } });
  expect(calls).toEqual(['request screen']);
  setRow(row(null));
  await expect.poll(() => calls).toEqual(['request screen', 'release']);
});

test('it may sleep after an error, and the next attempt keeps it on again', async () => {
  setRun(SCOPE, true, null);
  setRun(SCOPE, false, 'network');
  await expect.poll(() => calls).toEqual(['request screen', 'release']);
  setRun(SCOPE, true, null);
  expect(calls).toEqual(['request screen', 'release', 'request screen']);
});

test('a hidden app lets it sleep, and a visible one keeps it on again', async () => {
  setRun(SCOPE, true, null);
  show('hidden');
  await expect.poll(() => calls).toEqual(['request screen', 'release']);
  show('visible');
  expect(calls).toEqual(['request screen', 'release', 'request screen']);
});

test('a small update of a saved state does not keep it on', () => {
  setRow(row(null));
  setRun(SCOPE, true, null);
  expect(calls).toEqual([]);
});

test('a browser that refuses, or has no such function, downloads without it', async () => {
  stubWakeLock(() => Promise.reject(new DOMException('low battery', 'NotAllowedError')));
  setRun(SCOPE, true, null);
  setRow({ ...row(PACK), files: { 'list a': 5 } });
  setRun(SCOPE, false, null);
  expect(calls).toEqual(['request screen']);
  Reflect.deleteProperty(navigator, 'wakeLock');
  setRun(SCOPE, true, null);
  setRun(SCOPE, false, null);
  await Promise.resolve();
  expect(calls).toEqual(['request screen']);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenUsed } from './when-used.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each(['pointerup', 'pointercancel', 'keydown', 'wheel'])('a page is used once with the first %s', (event) => {
  const used = vi.fn();
  whenUsed(used);
  expect(used).not.toHaveBeenCalled();
  window.dispatchEvent(new Event(event));
  window.dispatchEvent(new Event(event));
  vi.advanceTimersByTime(60_000);
  expect(used).toHaveBeenCalledOnce();
});

test('a page without a touch is used after twelve seconds', () => {
  const used = vi.fn();
  whenUsed(used);
  vi.advanceTimersByTime(11_999);
  expect(used).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(used).toHaveBeenCalledOnce();
});

test('a page that was opened by a link of the app is used at once', () => {
  vi.spyOn(document, 'referrer', 'get').mockReturnValue(`${location.origin}/tenders/results?state=Goa`);
  const used = vi.fn();
  whenUsed(used);
  expect(used).toHaveBeenCalledOnce();
});

test('a page that is left before its use is not used', () => {
  const used = vi.fn();
  whenUsed(used)();
  window.dispatchEvent(new Event('pointerup'));
  vi.advanceTimersByTime(60_000);
  expect(used).not.toHaveBeenCalled();
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reloadOnceForMissingChunk, showStartError, watchMissingChunks } from './missing-chunk.ts';

const reload = vi.fn();

/** A chunk fails as Vite reports it, before the import rejects with the same error. */
function failToLoad(chunk: string): Error {
  const payload = new TypeError(`Failed to fetch dynamically imported module: ${chunk}`);
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  return payload;
}

beforeEach(() => {
  vi.spyOn(location, 'reload').mockImplementation(reload);
  watchMissingChunks();
});
afterEach(() => {
  vi.restoreAllMocks();
  reload.mockReset();
  sessionStorage.clear();
  document.body.innerHTML = '';
});

test('a chunk that cannot be preloaded while a form is filled in leaves the page alone', () => {
  failToLoad('/assets/search-actions.js');
  expect(reload).not.toHaveBeenCalled();
});

test('a screen whose chunk is missing reloads the page once', () => {
  const error = failToLoad('/assets/Pricing.js');
  expect(reloadOnceForMissingChunk(error)).toBe(true);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(reloadOnceForMissingChunk(failToLoad('/assets/Pricing.js'))).toBe(false);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('another error of a screen, and a missing chunk without a network, reload nothing', () => {
  expect(reloadOnceForMissingChunk(new TypeError('x is undefined'))).toBe(false);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(reloadOnceForMissingChunk(failToLoad('/assets/Services.js'))).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

test('the text of a page whose app has not started stays, with a message, and only its button reloads it', () => {
  document.body.innerHTML = '<div id="root"><textarea>Typed words</textarea></div>';
  showStartError();
  const message = document.querySelector('[role="alert"]');
  expect(message?.textContent).toBe('A part of this page could not be loaded, so its buttons do not work. Try Again');
  expect(document.querySelector('textarea')?.value).toBe('Typed words');
  expect(reload).not.toHaveBeenCalled();
  message?.querySelector('button')?.click();
  expect(reload).toHaveBeenCalledTimes(1);
});

// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToast, showToast, useToast } from './toast.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  while (toastText() !== undefined) dismissToast();
  vi.useRealTimers();
});

const toastText = () => useToast.getState().current?.text;
const offer = { text: 'A new version is ready.', action: { label: 'Reload', run: () => undefined } };

test('a message disappears by itself', () => {
  showToast({ text: 'Link copied.' });
  vi.advanceTimersByTime(5999);
  expect(toastText()).toBe('Link copied.');
  vi.advanceTimersByTime(1);
  expect(toastText()).toBeUndefined();
});

test('an offer stays, and returns after a passing message', () => {
  showToast(offer);
  vi.advanceTimersByTime(3_600_000);
  expect(toastText()).toBe('A new version is ready.');
  showToast({ text: 'Link copied.' });
  expect(toastText()).toBe('Link copied.');
  vi.advanceTimersByTime(6000);
  expect(toastText()).toBe('A new version is ready.');
});

test('an accepted offer does not return', () => {
  showToast(offer);
  dismissToast();
  showToast({ text: 'Link copied.' });
  vi.advanceTimersByTime(6000);
  expect(toastText()).toBeUndefined();
});

test('a passing message with an undo action disappears by itself, and the covered offer returns', () => {
  showToast(offer);
  showToast({ text: 'Bookmarked.', action: { label: 'Undo', run: () => undefined }, passing: true });
  vi.advanceTimersByTime(5999);
  expect(toastText()).toBe('Bookmarked.');
  vi.advanceTimersByTime(1);
  expect(toastText()).toBe('A new version is ready.');
});

test('the undo action does not remove the offer', () => {
  showToast(offer);
  showToast({ text: 'Bookmarked.', action: { label: 'Undo', run: () => undefined }, passing: true });
  dismissToast();
  expect(toastText()).toBe('A new version is ready.');
});

test('a message that returns is shown once more after the message that covered it, and before a covered offer', () => {
  showToast(offer);
  showToast({ text: 'This phone is full.', returns: true });
  showToast({ text: 'Bookmarked.', action: { label: 'Undo', run: () => undefined }, passing: true });
  expect(toastText()).toBe('Bookmarked.');
  vi.advanceTimersByTime(6000);
  expect(toastText()).toBe('This phone is full.');
  vi.advanceTimersByTime(6000);
  expect(toastText()).toBe('A new version is ready.');
  showToast({ text: 'Link copied.' });
  vi.advanceTimersByTime(6000);
  expect(toastText()).toBe('A new version is ready.');
});

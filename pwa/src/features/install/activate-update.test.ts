import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { activateUpdate } from './activate-update.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A browser tab: its container, a waiting worker, and the calls of both. */
function tab() {
  const messages: unknown[] = [];
  const reloads: number[] = [];
  return {
    container: new EventTarget(),
    waiting: { postMessage: (message: unknown) => messages.push(message) },
    reload: () => reloads.push(Date.now()),
    messages,
    reloads,
  };
}

describe('after the user has tapped Reload', () => {
  test('the page reloads once when the new version is active', () => {
    const { container, waiting, reload, messages, reloads } = tab();
    activateUpdate(container, waiting, reload);
    expect(messages).toEqual([{ type: 'SKIP_WAITING' }]);
    expect(reloads).toHaveLength(0);

    container.dispatchEvent(new Event('controllerchange'));
    container.dispatchEvent(new Event('controllerchange'));
    vi.advanceTimersByTime(10_000);
    expect(reloads).toHaveLength(1);
  });

  test('a browser without the event of the change reloads after 4 seconds', () => {
    const { container, waiting, reload, reloads } = tab();
    activateUpdate(container, waiting, reload);
    vi.advanceTimersByTime(3999);
    expect(reloads).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(reloads).toHaveLength(1);
  });

  test('when another tab has activated the new version, the page reloads at once', () => {
    const { container, reload, reloads } = tab();
    activateUpdate(container, null, reload);
    expect(reloads).toHaveLength(1);
  });
});

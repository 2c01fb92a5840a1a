import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { type Reachability, useReachability } from '../../../data/server/reachability.ts';
import { useHasNoNetwork } from './NoNetwork.tsx';

afterEach(() => {
  vi.useRealTimers();
  useReachability.setState({ status: 'reachable', silentReads: 0 });
});

const BROKEN = new TypeError('Failed to fetch');
const REFUSED = new Error('Refused');

test.each<[string, boolean, Error | undefined, Reachability, boolean]>([
  ['loads from a server that answers', true, undefined, 'reachable', false],
  ['loads from a silent server', true, undefined, 'silent', true],
  ['loads while the server is unreachable', true, undefined, 'unreachable', true],
  ['has failed by the connection while the server is unreachable', false, BROKEN, 'unreachable', true],
  ['has failed by the connection to a server that answers', false, BROKEN, 'reachable', false],
  ['was refused before the server was unreachable', false, REFUSED, 'unreachable', false],
  ['is loaded', false, undefined, 'unreachable', false],
])('a screen without content that %s', (_what, isLoading, error, status, hasNoNetwork) => {
  useReachability.setState({ status });
  const Probe = () => String(useHasNoNetwork(isLoading, error));
  const page = document.createElement('div');
  const root = createRoot(page);
  flushSync(() => root.render(createElement(Probe)));
  expect(page.textContent).toBe(String(hasNoNetwork));
  root.unmount();
});

test('a screen that loads for three seconds and whose call is silent, while the server answers others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  useReachability.setState({ silentReads: 1 });
  let isLoading = true;
  const Probe = () => String(useHasNoNetwork(isLoading, undefined));
  const page = document.createElement('div');
  const root = createRoot(page);
  const show = async (passedMs: number) => {
    await act(() => root.render(createElement(Probe)));
    await act(() => void vi.advanceTimersByTime(passedMs));
    return page.textContent;
  };
  expect(await show(2_999)).toBe('false');
  expect(await show(1)).toBe('true');
  isLoading = false;
  expect(await show(0)).toBe('false');
  isLoading = true;
  expect(await show(0)).toBe('false');
  root.unmount();
});

import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { type Reachability, useReachability } from '../../../data/server/reachability.ts';
import { closeTestPages, openTestPage } from '../../../ui/test-page.tsx';
import { useHasNoNetwork } from './NoNetwork.tsx';

afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  useReachability.setState({ status: 'reachable', silentReads: 0 });
});

const BROKEN = new TypeError('Failed to fetch');
const REFUSED = new Error('Refused');
const Screen = ({ isLoading, error }: { isLoading: boolean; error?: Error | undefined }) =>
  String(useHasNoNetwork(isLoading, error));

test.each<[string, boolean, Error | undefined, Reachability, boolean]>([
  ['loads from a server that answers', true, undefined, 'reachable', false],
  ['loads from a silent server', true, undefined, 'silent', true],
  ['loads while the server is unreachable', true, undefined, 'unreachable', true],
  ['has failed by the connection while the server is unreachable', false, BROKEN, 'unreachable', true],
  ['has failed by the connection to a server that answers', false, BROKEN, 'reachable', false],
  ['was refused before the server was unreachable', false, REFUSED, 'unreachable', false],
  ['is loaded', false, undefined, 'unreachable', false],
])('a screen without content that %s waits in vain or not', async (_what, isLoading, error, status, hasNoNetwork) => {
  useReachability.setState({ status });
  const { text } = await openTestPage(<Screen isLoading={isLoading} error={error} />);
  expect(text()).toBe(String(hasNoNetwork));
});

test('a screen that loads for three seconds waits in vain if its call is silent, while the server answers others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  useReachability.setState({ silentReads: 1 });
  const { text, show } = await openTestPage(<Screen isLoading />);
  await act(async () => void vi.advanceTimersByTime(2_999));
  expect(text()).toBe('false');
  await act(async () => void vi.advanceTimersByTime(1));
  expect(text()).toBe('true');
  for (const isLoading of [false, true]) {
    await show(<Screen isLoading={isLoading} />);
    expect(text()).toBe('false');
  }
});

import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Reachability, useReachability } from '../../data/server/reachability.ts';
import { usePacks } from '../../offline/packs/pack-status.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { useHasNoNetwork } from './NoNetwork.tsx';

/** States on the phone. */
const setPacks = (...scopes: string[]) =>
  usePacks.setState({
    isRead: true,
    scopes: Object.fromEntries(
      scopes.map((scope) => [
        scope,
        {
          row: { scope, current: EMPTY_PACK, next: null, files: {}, savedAt: 0, changed: 0, replaces: null },
          ...{ isRunning: false, problem: null },
        },
      ]),
    ),
  });

afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  useReachability.setState({ status: 'reachable', silentReads: 0 });
  usePacks.setState({ isRead: false, scopes: {}, hinted: [] });
});

const EMPTY_PACK = { epoch: 'e', cursor: 'e 1', rows: 0, segments: [], checked: {} };
const BROKEN = new TypeError('Failed to fetch');
const REFUSED = new Error('Refused');
interface ScreenProps {
  isLoading: boolean;
  what?: string;
  error?: Error | undefined;
}
const Screen = ({ isLoading, what = 'list', error }: ScreenProps) =>
  String(useHasNoNetwork(isLoading ? what : null, error));

test.each<[string, boolean, Error | undefined, Reachability, boolean]>([
  ['loads from a server that answers', true, undefined, 'reachable', false],
  ['begins to load while another call is silent', true, undefined, 'silent', false],
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

test.each([
  ['is silent', { status: 'silent' as const }],
  ['is silent, while the server answers others', { silentReads: 1 }],
])('a screen that loads for three seconds waits in vain if its call %s', async (_what, state) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  useReachability.setState(state);
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

test.each<[string, Error, boolean]>([
  ['the connection', BROKEN, true],
  ['the page of a network that wants a sign-in', new SyntaxError('Unexpected token <'), true],
  ['the server', REFUSED, false],
])(
  'a screen that has failed by %s offers the states on this phone, or shows its error',
  async (_what, error, isOffer) => {
    setPacks('goa');
    const { text } = await openTestPage(<Screen isLoading={false} error={error} />);
    expect(text()).toBe(String(isOffer));
  },
);

test('a screen that loads for twenty seconds waits in vain, although bytes come', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { text, show } = await openTestPage(<Screen isLoading />);
  await act(async () => void vi.advanceTimersByTime(19_999));
  expect(text()).toBe('false');
  await act(async () => void vi.advanceTimersByTime(1));
  expect(text()).toBe('true');
  await show(<Screen isLoading={false} />);
  expect(text()).toBe('false');
});

test('a screen that has waited in vain does so until it is loaded, although a byte comes now and then', async () => {
  useReachability.setState({ status: 'unreachable' });
  const { text, show } = await openTestPage(<Screen isLoading />);
  await act(async () => useReachability.setState({ status: 'reachable' }));
  expect(text()).toBe('true');
  for (const isLoading of [false, true]) {
    await show(<Screen isLoading={isLoading} />);
    expect(text()).toBe('false');
  }
});

test('a screen that has waited in vain and loads something else starts over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { text, show } = await openTestPage(<Screen isLoading what="Assam" />);
  await act(async () => void vi.advanceTimersByTime(20_000));
  expect(text()).toBe('true');
  await show(<Screen isLoading what="Goa" />);
  expect(text()).toBe('false');
  await act(async () => void vi.advanceTimersByTime(19_999));
  expect(text()).toBe('false');
  await act(async () => void vi.advanceTimersByTime(1));
  expect(text()).toBe('true');
});

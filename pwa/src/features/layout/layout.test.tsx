// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import type { ComponentProps, ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, type Location, type RouteObject, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Reachability, useReachability } from '../../data/server/reachability.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { DashboardLayout } from './DashboardLayout.tsx';
import { DashboardNav } from './DashboardNav.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import { PublicLayout, scrollKey } from './PublicLayout.tsx';
import { StatesGrid } from './StatesGrid.tsx';
import { type AccountActions, TopBar } from './TopBar.tsx';

let menuClosed: number;
let closeFrames: (() => Promise<void>)[];

beforeEach(() => {
  menuClosed = 0;
  closeFrames = [];
  vi.stubGlobal('fetch', async () => Response.json({}));
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  // The browser of the tests has no popovers.
  Object.assign(HTMLElement.prototype, {
    hidePopover() {
      menuClosed += 1;
    },
  });
});
afterEach(async () => {
  for (const close of closeFrames) await close();
  await closeTestPages();
  vi.restoreAllMocks();
  clearSession();
  localStorage.clear();
  useReachability.setState({ status: 'reachable' });
});

/** A frame with its routes, at an address. */
async function openFrame(routes: RouteObject[], address = '/') {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  await act(async () => root.render(<RouterProvider router={router} />));
  closeFrames.push(async () => {
    await act(async () => root.unmount());
    page.remove();
  });
  return { page, router, go: (to: string) => act(async () => router.navigate(to)) };
}

const show = async (element: ReactNode, address?: string) => (await openTestPage(element, address)).page;
const click = (element: Element | null | undefined) => act(async () => (element as HTMLElement).click());
const links = (page: Element | null | undefined) =>
  [...(page?.querySelectorAll('a') ?? [])].map((link) => [link.textContent?.trim(), link.getAttribute('href')]);
const buttonNamed = (page: Element, name: string) =>
  [...page.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === name);

function account() {
  return { onSignIn: vi.fn(), onSignUp: vi.fn(), onLogout: vi.fn() } satisfies AccountActions;
}
const savedLinks = (look: 'icon' | 'line') => <a href="/bookmarks">Bookmarks as {look}</a>;

describe('the bar at the top', () => {
  const bar = (actions: AccountActions, header: ReactNode = null, address = '/') =>
    openTestPage(<TopBar header={header} savedLinks={savedLinks} account={actions} />, address);

  test('has the brand, the pages of the site and the ways into an account', async () => {
    const actions = account();
    const { page } = await bar(actions, <h1>Find tenders</h1>);
    expect(page.querySelector('h1')?.textContent).toBe('Find tenders');
    const pages = [
      ['Home', '/'],
      ['Tenders', '/tenders'],
      ['Competitive Analysis', '/analysis'],
      ['Contact', '/contact'],
    ];
    expect(links(page.querySelector('nav[aria-label="Main"]'))).toEqual(pages);
    expect(links(page.querySelector('nav[aria-label="Menu"]'))).toEqual(pages);
    const [brand] = [...page.querySelectorAll('a')].filter(({ textContent }) => textContent?.includes('निविदा'));
    expect([brand?.getAttribute('href'), brand?.querySelector('[lang="hi"]')?.textContent]).toEqual(['/', 'निविदा']);
    expect(page.querySelector('#menu')?.textContent).toContain('Bookmarks as line');
    expect(page.textContent?.match(/Bookmarks as icon/g)).toHaveLength(1);
    const menuButton = page.querySelector('[aria-label="Menu"][popovertarget]');
    expect(menuButton?.getAttribute('popovertarget')).toBe(page.querySelector('#menu')?.id);
    await click(buttonNamed(page, 'Sign in'));
    await click(buttonNamed(page, 'Sign up'));
    expect([actions.onSignIn, actions.onSignUp, actions.onLogout].map(({ mock }) => mock.calls.length)).toEqual([
      1, 1, 0,
    ]);
  });

  test('marks the page of the visitor; home only when it is home', async () => {
    const current = async (address: string) =>
      (await bar(account(), null, address)).texts('nav[aria-label="Main"] [aria-current="page"]');
    expect(await current('/')).toEqual(['Home']);
    expect(await current('/tenders/7')).toEqual(['Tenders']);
  });

  test('has the dashboard and Logout for a signed-in user', async () => {
    signInForTest('7');
    const actions = account();
    const { page, hasButton, press } = await bar(actions);
    expect(hasButton('Sign in')).toBe(false);
    expect(links(page).filter(([name]) => name === 'Dashboard')).toEqual(Array(2).fill(['Dashboard', '/dashboard']));
    await press('Logout');
    expect(actions.onLogout).toHaveBeenCalledOnce();
  });

  test('closes the menu with a navigation, and before a dialog is opened from it', async () => {
    const actions = account();
    const { page, router } = await bar(actions);
    const before = menuClosed;
    await act(async () => router.navigate('/contact'));
    expect(menuClosed).toBe(before + 1);
    const menu = page.querySelector('#menu') as HTMLElement;
    const closedBy = async (name: string, action: ReturnType<typeof vi.fn>) => {
      let closedFirst = 0;
      action.mockImplementation(() => {
        closedFirst = menuClosed;
      });
      const earlier = menuClosed;
      await click(buttonNamed(menu, name));
      return closedFirst - earlier;
    };
    expect(await closedBy('Sign in', actions.onSignIn)).toBe(1);
    expect(await closedBy('Sign up', actions.onSignUp)).toBe(1);
    expect([actions.onSignIn, actions.onSignUp].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    await act(async () => signInForTest('7'));
    expect(await closedBy('Logout', actions.onLogout)).toBe(1);
    expect(actions.onLogout).toHaveBeenCalledOnce();
  });
});

describe('the navigation of the dashboard', () => {
  const nav = (address: string, actions = account()) => openTestPage(<DashboardNav {...actions} />, address);

  test('leads a signed-in user to each page, and out', async () => {
    signInForTest('7');
    const actions = account();
    const { page, names, press } = await nav('/dashboard', actions);
    expect(links(page)).toEqual([
      ['Dashboard', '/dashboard'],
      ['My Applications', '/dashboard/applications'],
      ['Payments & EMD', '/dashboard/payments'],
      ['Analytics', '/dashboard/analytics'],
      ['Profile', '/dashboard/profile'],
      ['Settings', '/dashboard/settings'],
      ['Support', '/dashboard/support'],
    ]);
    expect(names('button')).toEqual(['Logout']);
    await press('Logout');
    expect([actions.onLogout.mock.calls.length, actions.onSignIn.mock.calls.length]).toEqual([1, 0]);
  });

  test('leads a visitor to the pages of the device, and in', async () => {
    const actions = account();
    const { page, names, press } = await nav('/dashboard/analytics', actions);
    expect(links(page)).toEqual([
      ['My Applications', '/dashboard/applications'],
      ['Analytics', '/dashboard/analytics'],
    ]);
    expect(names('button')).toEqual(['Sign in']);
    await press('Sign in');
    expect([actions.onSignIn.mock.calls.length, actions.onLogout.mock.calls.length]).toEqual([1, 0]);
  });

  test('marks one page; that of a bid is marked as the list of bids', async () => {
    signInForTest('7');
    const current = async (address: string) => (await nav(address)).texts('[aria-current="page"]');
    expect(await current('/dashboard')).toEqual(['Dashboard']);
    expect(await current('/dashboard/payments')).toEqual(['Payments & EMD']);
    expect(await current('/dashboard/applications/3f27a93c')).toEqual(['My Applications']);
    expect(await current('/dashboard/settings/more')).toEqual([]);
  });
});

describe('the frame of the dashboard', () => {
  const frame = (username: string) =>
    openFrame(
      [
        {
          element: <DashboardLayout username={username} savedLinks={savedLinks} account={account()} />,
          children: [
            { path: '/dashboard', element: <h1>Good morning</h1> },
            { path: '/dashboard/profile', element: <h1>Profile</h1> },
          ],
        },
      ],
      '/dashboard',
    );
  const bar = (page: Element) => page.querySelector('[aria-label="Your dashboard"]');

  test('has the screen in its main part, to which the first link skips', async () => {
    const { page } = await frame('Asha');
    expect(page.querySelector('main h1')?.textContent).toBe('Good morning');
    const skip = page.querySelector('a');
    expect([skip?.textContent, skip?.getAttribute('href')]).toEqual(['Skip to content', '#main']);
    expect(page.querySelector('main')?.id).toBe('main');
    expect(page.querySelector('footer')?.textContent).toContain('Nivida is not a government site.');
  });

  test.each([
    ['asha verma', 'A', 'asha verma'],
    [' Meena ', 'M', 'Meena'],
    ['दीपक', 'दी', 'दीपक'],
    ['', 'U', 'User'],
    ['  ', 'U', 'User'],
  ])('names the user "%s" with the letter %s', async (username, letter, name) => {
    signInForTest('7');
    const { page } = await frame(username);
    const owner = [...(bar(page)?.querySelectorAll('p > span') ?? [])];
    expect(owner.map((part) => [part.textContent, part.getAttribute('aria-hidden')])).toEqual([
      [letter, 'true'],
      [name, null],
    ]);
  });

  test('names no user to a visitor', async () => {
    expect(bar((await frame('')).page)?.textContent).not.toContain('User');
  });

  test('unfolds its pages on a phone until another page is opened', async () => {
    signInForTest('7');
    const { page, go } = await frame('Asha');
    const toggle = bar(page)?.querySelector('button');
    const side = () => page.querySelector(`#${toggle?.getAttribute('aria-controls')}`);
    const isOpen = () => [toggle?.getAttribute('aria-expanded'), side()?.hasAttribute('data-open')];
    expect(side()?.querySelector('nav')?.getAttribute('aria-label')).toBe('Dashboard');
    expect(isOpen()).toEqual(['false', false]);
    await click(toggle);
    expect(isOpen()).toEqual(['true', true]);
    await click(toggle);
    expect(isOpen()).toEqual(['false', false]);
    await click(toggle);
    await go('/dashboard/profile');
    expect(isOpen()).toEqual(['false', false]);
  });
});

describe('the frame of the public pages', () => {
  const layout = () => (
    <PublicLayout
      {...{ savedLinks, account: account(), states: 'The states.', source: 'Tenders checked 10 Nov 2026, 11:30 AM' }}
    />
  );
  const routes: RouteObject[] = [
    {
      element: layout(),
      children: [
        { path: '/', element: <h1>Home</h1> },
        { path: '/contact', element: <input ref={(field: HTMLElement | null) => field?.focus()} /> },
        { path: '/tenders', handle: { Header: () => 'Find tenders' }, element: <h1>Find</h1> },
      ],
    },
  ];

  test('has the screen, the states and the age of the data, and the header of a screen that has one', async () => {
    const { page, go } = await openFrame(routes);
    expect(page.querySelector('main')?.textContent).toBe('Home');
    expect(page.textContent).toContain('The states.');
    expect(page.querySelector('footer')?.textContent).toContain('Tenders checked 10 Nov 2026, 11:30 AM');
    expect(page.querySelector('header')?.textContent).not.toContain('Find tenders');
    await go('/tenders');
    expect(page.querySelector('header')?.textContent).toContain('Find tenders');
  });

  test('moves the focus to the next screen, unless that has focused a field of its own or only its query changes', async () => {
    const { page, go } = await openFrame(routes);
    const main = page.querySelector('main');
    expect(document.activeElement).not.toBe(main);
    await go('/?page=2');
    expect(document.activeElement).not.toBe(main);
    await go('/tenders');
    expect(document.activeElement).toBe(main);
    await go('/contact');
    expect(document.activeElement).toBe(page.querySelector('main input'));
  });

  test('says that the next screen loads', async () => {
    const loading = Promise.withResolvers<{ Component: () => string }>();
    const { page, router } = await openFrame([
      {
        element: layout(),
        children: [
          { path: '/', element: 'Home' },
          { path: '/next', lazy: () => loading.promise },
        ],
      },
    ]);
    expect(page.querySelector('progress')).toBeNull();
    let going: Promise<void> = Promise.resolve();
    await act(async () => {
      going = router.navigate('/next');
    });
    expect(page.querySelector('progress')?.getAttribute('aria-label')).toBe('Loading');
    await act(async () => {
      loading.resolve({ Component: () => 'The next screen' });
      await going;
    });
    expect(page.querySelector('main')?.textContent).toBe('The next screen');
    expect(page.querySelector('progress')).toBeNull();
  });
});

test('a scroll position belongs to an entry of the history; that of a loaded page to its address', () => {
  const at = (key: string) => ({ key, pathname: '/tenders/results', search: '?page=2', hash: '#x' }) as Location;
  expect([scrollKey(at('default')), scrollKey(at('k3x'))]).toEqual(['/tenders/results?page=2', 'k3x']);
});

describe('the line about the network', () => {
  const openLine = async () => {
    const { texts } = await openTestPage(<OfflineBar />);
    return () => texts('[role="status"] p');
  };
  const setStatus = (status: Reachability) => act(async () => useReachability.setState({ status }));

  test('is empty while the server answers, and in place for screen readers', async () => {
    const { page, text } = await openTestPage(<OfflineBar />);
    expect([page.querySelector('[role="status"]') === null, text()]).toEqual([false, '']);
  });

  test('says that there is no connection when the device or the server says so', async () => {
    const line = await openLine();
    await setStatus('unreachable');
    expect(line()).toEqual(['No connection. You can still use saved tenders.']);
    await setStatus('reachable');
    expect(line()).toEqual([]);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const offline = await openLine();
    await setStatus('silent');
    expect(offline()).toEqual(['No connection. You can still use saved tenders.']);
  });

  test('says that the network is silent', async () => {
    const line = await openLine();
    await setStatus('silent');
    expect(line()).toEqual(['The network is not responding. You can still use saved tenders.']);
  });
});

describe('the states below a page', () => {
  const COUNTS = new Map([
    ['Himachal Pradesh', 1_234],
    ['Goa', 7],
    ['Assam', 0],
  ]);
  const grid = (props: ComponentProps<typeof StatesGrid>, address = '/') => show(<StatesGrid {...props} />, address);
  const lists = (page: Element) => [...page.querySelectorAll('ul')].map((list) => links(list));

  test('are those with open tenders and their number, and the others folded', async () => {
    const page = await grid({ counts: COUNTS });
    const [shown, folded] = lists(page);
    expect(shown).toEqual([
      ['Goa7 open', '/tenders/results?state=Goa'],
      ['Himachal Pradesh1,234 open', '/tenders/results?state=Himachal+Pradesh'],
    ]);
    expect(page.querySelector('data')?.getAttribute('value')).toBe('7');
    expect(page.querySelector('h2')?.textContent).toBe('Browse Tenders by State');
    expect(page.querySelector('section')?.getAttribute('aria-labelledby')).toBe(page.querySelector('h2')?.id);
    expect(page.textContent).toContain('open now');
    expect([page.querySelector('details')?.open, page.querySelector('summary')?.textContent]).toEqual([
      false,
      '34 more states',
    ]);
    expect(folded).toHaveLength(34);
    expect(folded).toContainEqual(['Assam', '/tenders/results?state=Assam']);
  });

  test('are all folded while their numbers are unknown', async () => {
    const page = await grid({ counts: new Map() });
    expect(lists(page).map(({ length }) => length)).toEqual([36]);
    expect(page.querySelector('summary')?.textContent).toBe('All states and union territories');
    expect(page.textContent).not.toContain('open now');
  });

  test.each(['/tenders/7', '/tenders/results', '/tenders'])(
    'are all folded below %s, in one list with their numbers',
    async (address) => {
      const page = await grid({ counts: COUNTS }, address);
      expect(page.querySelector('section')).toBeNull();
      expect(page.querySelector('summary h2')?.textContent).toBe('Browse Tenders by State');
      expect(lists(page).map(({ length }) => length)).toEqual([36]);
      expect(lists(page)[0]).toContainEqual(['Goa7 open', '/tenders/results?state=Goa']);
    },
  );

  test('need no fold when all have open tenders', async () => {
    const all = new Map(lists(await grid({ counts: new Map() }))[0]?.map(([name]) => [name ?? '', 1]));
    const page = await grid({ counts: all });
    expect(page.querySelector('details')).toBeNull();
    expect(lists(page).map(({ length }) => length)).toEqual([36]);
  });
});

test('a clock that may be wrong is reported', async () => {
  vi.resetModules();
  const { writeSetting } = await import('../../data/device/settings.ts');
  // The last contact with the server was an hour after the time of this device.
  await writeSetting('clock', { offsetMs: 0, serverAt: Date.now() + 3_600_000 });
  const clock = await import('../../data/clock.ts');
  const { OfflineBar: Bar } = await import('./OfflineBar.tsx');
  const bar = await openTestPage(<Bar />);
  expect(bar.texts('p')).toEqual([]);
  await act(() => clock.startClock());
  expect(bar.texts('p')).toEqual([
    'This phone’s clock may be wrong, and so may the hours left. Check its date and time.',
  ]);
});

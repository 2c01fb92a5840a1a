// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { act } from 'preact/test-utils';
import { type ComponentProps, createElement as h, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, type Location, type RouteObject, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { useReachability } from '../../data/server/reachability.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { DashboardLayout } from './DashboardLayout.tsx';
import { DashboardNav } from './DashboardNav.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import { PublicLayout, scrollKey } from './PublicLayout.tsx';
import { StatesGrid } from './StatesGrid.tsx';
import { type AccountActions, TopBar } from './TopBar.tsx';

let menuClosed: number;

beforeEach(() => {
  menuClosed = 0;
  vi.stubGlobal('fetch', async () => Response.json({}));
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  // The browser of the tests has no popovers.
  Object.assign(HTMLElement.prototype, {
    hidePopover() {
      menuClosed += 1;
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  localStorage.clear();
  useReachability.setState({ status: 'reachable' });
  Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover');
});

/** Shows routes at an address. */
function open(routes: RouteObject[], address = '/') {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  act(() => void root.render(h(RouterProvider, { router })));
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
  });
  const go = (to: string | number) => act(async () => router.navigate(to as string));
  return { page, router, go };
}

const show = (element: ReactNode, address?: string) => open([{ path: '*', element }], address).page;
const click = (element: Element | null | undefined) => act(() => (element as HTMLElement).click());
const texts = (page: Element | null | undefined, selector: string) =>
  [...(page?.querySelectorAll(selector) ?? [])].map(({ textContent }) => textContent?.trim());
const links = (page: Element | null | undefined) =>
  [...(page?.querySelectorAll('a') ?? [])].map((link) => [link.textContent?.trim(), link.getAttribute('href')]);
const buttonNamed = (page: Element, name: string) =>
  [...page.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === name);

function account() {
  return { onSignIn: vi.fn(), onSignUp: vi.fn(), onLogout: vi.fn() } satisfies AccountActions;
}
const savedLinks = (look: 'icon' | 'line') => h('a', { href: '/bookmarks' }, `Bookmarks as ${look}`);

describe('the bar at the top', () => {
  const bar = (actions: AccountActions, header: ReactNode = null, address = '/') =>
    open([{ path: '*', element: h(TopBar, { header, savedLinks, account: actions }) }], address);

  test('has the brand, the pages of the site and the ways into an account', () => {
    const actions = account();
    const { page } = bar(actions, h('h1', null, 'Find tenders'));
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
    click(buttonNamed(page, 'Sign in'));
    click(buttonNamed(page, 'Sign up'));
    expect([actions.onSignIn, actions.onSignUp, actions.onLogout].map(({ mock }) => mock.calls.length)).toEqual([
      1, 1, 0,
    ]);
  });

  test('marks the page of the visitor; home only when it is home', () => {
    const current = (address: string) =>
      texts(bar(account(), null, address).page.querySelector('nav[aria-label="Main"]'), '[aria-current="page"]');
    expect(current('/')).toEqual(['Home']);
    expect(current('/tenders/7')).toEqual(['Tenders']);
  });

  test('has the dashboard and Logout for a signed-in user', () => {
    signInForTest('7');
    const actions = account();
    const { page } = bar(actions);
    expect(buttonNamed(page, 'Sign in')).toBeUndefined();
    expect(links(page).filter(([name]) => name === 'Dashboard')).toEqual(Array(2).fill(['Dashboard', '/dashboard']));
    click(buttonNamed(page, 'Logout'));
    expect(actions.onLogout).toHaveBeenCalledOnce();
  });

  test('closes the menu with a navigation, and before a dialog is opened from it', async () => {
    const actions = account();
    const { page, go } = bar(actions);
    const before = menuClosed;
    await go('/contact');
    expect(menuClosed).toBe(before + 1);
    const menu = page.querySelector('#menu') as HTMLElement;
    const closedBy = (name: string, action: ReturnType<typeof vi.fn>) => {
      let closedFirst = 0;
      action.mockImplementation(() => {
        closedFirst = menuClosed;
      });
      const earlier = menuClosed;
      click(buttonNamed(menu, name));
      return closedFirst - earlier;
    };
    expect([closedBy('Sign in', actions.onSignIn), closedBy('Sign up', actions.onSignUp)]).toEqual([1, 1]);
    expect([actions.onSignIn, actions.onSignUp].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    act(() => signInForTest('7'));
    expect(closedBy('Logout', actions.onLogout)).toBe(1);
    expect(actions.onLogout).toHaveBeenCalledOnce();
  });
});

describe('the navigation of the dashboard', () => {
  const nav = (address: string, actions = account()) => show(h(DashboardNav, actions), address);

  test('leads a signed-in user to each page, and out', () => {
    signInForTest('7');
    const actions = account();
    const page = nav('/dashboard', actions);
    expect(links(page)).toEqual([
      ['Dashboard', '/dashboard'],
      ['My Applications', '/dashboard/applications'],
      ['Payments & EMD', '/dashboard/payments'],
      ['Analytics', '/dashboard/analytics'],
      ['Profile', '/dashboard/profile'],
      ['Settings', '/dashboard/settings'],
      ['Support', '/dashboard/support'],
    ]);
    expect(texts(page, 'button')).toEqual(['Logout']);
    click(buttonNamed(page, 'Logout'));
    expect([actions.onLogout.mock.calls.length, actions.onSignIn.mock.calls.length]).toEqual([1, 0]);
  });

  test('leads a visitor to the pages of the device, and in', () => {
    const actions = account();
    const page = nav('/dashboard/analytics', actions);
    expect(links(page)).toEqual([
      ['My Applications', '/dashboard/applications'],
      ['Analytics', '/dashboard/analytics'],
    ]);
    expect(texts(page, 'button')).toEqual(['Sign in']);
    click(buttonNamed(page, 'Sign in'));
    expect([actions.onSignIn.mock.calls.length, actions.onLogout.mock.calls.length]).toEqual([1, 0]);
  });

  test('marks one page; that of a bid is marked as the list of bids', () => {
    signInForTest('7');
    const current = (address: string) => texts(nav(address), '[aria-current="page"]');
    expect(current('/dashboard')).toEqual(['Dashboard']);
    expect(current('/dashboard/payments')).toEqual(['Payments & EMD']);
    expect(current('/dashboard/applications/3f27a93c')).toEqual(['My Applications']);
    expect(current('/dashboard/settings/more')).toEqual([]);
  });
});

describe('the frame of the dashboard', () => {
  const routes = (username: string): RouteObject[] => [
    {
      element: h(DashboardLayout, { username, savedLinks, account: account() }),
      children: [
        { path: '/dashboard', element: h('h1', null, 'Good morning') },
        { path: '/dashboard/profile', element: h('h1', null, 'Profile') },
      ],
    },
  ];
  const frame = (username: string) => open(routes(username), '/dashboard');
  const bar = (page: Element) => page.querySelector('[aria-label="Your dashboard"]');

  test('has the screen in its main part, to which the first link skips', () => {
    const { page } = frame('Asha');
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
  ])('names the user "%s" with the letter %s', (username, letter, name) => {
    signInForTest('7');
    const { page } = frame(username);
    const owner = [...(bar(page)?.querySelectorAll('p > span') ?? [])];
    expect(owner.map((part) => [part.textContent, part.getAttribute('aria-hidden')])).toEqual([
      [letter, 'true'],
      [name, null],
    ]);
  });

  test('names nobody to a visitor', () => {
    expect(bar(frame('').page)?.textContent).not.toContain('User');
  });

  test('unfolds its pages on a phone until another page is opened', async () => {
    signInForTest('7');
    const { page, go } = frame('Asha');
    const toggle = bar(page)?.querySelector('button');
    const side = () => page.querySelector(`#${toggle?.getAttribute('aria-controls')}`);
    const isOpen = () => [toggle?.getAttribute('aria-expanded'), side()?.hasAttribute('data-open')];
    expect(side()?.querySelector('nav')?.getAttribute('aria-label')).toBe('Dashboard');
    expect(isOpen()).toEqual(['false', false]);
    click(toggle);
    expect(isOpen()).toEqual(['true', true]);
    click(toggle);
    expect(isOpen()).toEqual(['false', false]);
    click(toggle);
    await go('/dashboard/profile');
    expect(isOpen()).toEqual(['false', false]);
  });
});

describe('the frame of the public pages', () => {
  const layout = () =>
    h(PublicLayout, {
      savedLinks,
      account: account(),
      states: h('p', null, 'The states.'),
      source: 'Tenders checked 10 Nov 2026, 11:30 AM',
    });
  const routes: RouteObject[] = [
    {
      element: layout(),
      children: [
        { path: '/', element: h('h1', null, 'Home') },
        {
          path: '/contact',
          element: h('input', { autoFocus: true, ref: (field: HTMLElement | null) => field?.focus() }),
        },
        { path: '/tenders', handle: { Header: () => h('p', null, 'Find tenders') }, element: h('h1', null, 'Find') },
      ],
    },
  ];

  test('has the screen, the states and the age of the data, and the header of a screen that has one', async () => {
    const { page, go } = open(routes);
    expect(page.querySelector('main')?.textContent).toBe('Home');
    expect(page.textContent).toContain('The states.');
    expect(page.querySelector('footer')?.textContent).toContain('Tenders checked 10 Nov 2026, 11:30 AM');
    expect(page.querySelector('header')?.textContent).not.toContain('Find tenders');
    await go('/tenders');
    expect(page.querySelector('header')?.textContent).toContain('Find tenders');
  });

  test('moves the focus to the next screen, unless that has focused a field of its own or only its query changes', async () => {
    const { page, go } = open(routes);
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
    const { page, router } = open([
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
  const line = (page: Element) => texts(page.querySelector('[role="status"]'), 'p');

  test('is empty while the server answers, and in place for screen readers', () => {
    expect(line(show(h(OfflineBar)))).toEqual([]);
  });

  test('says that there is no signal when the device or the server says so', () => {
    const page = show(h(OfflineBar));
    act(() => useReachability.setState({ status: 'unreachable' }));
    expect(line(page)).toEqual(['No signal. You can still use saved tenders.']);
    act(() => useReachability.setState({ status: 'reachable' }));
    expect(line(page)).toEqual([]);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const offline = show(h(OfflineBar));
    act(() => useReachability.setState({ status: 'silent' }));
    expect(line(offline)).toEqual(['No signal. You can still use saved tenders.']);
  });

  test('says that the network is silent', () => {
    const page = show(h(OfflineBar));
    act(() => useReachability.setState({ status: 'silent' }));
    expect(line(page)).toEqual(['The network is not responding. You can still use saved tenders.']);
  });
});

describe('the states below a page', () => {
  const COUNTS = new Map([
    ['Himachal Pradesh', 1_234],
    ['Goa', 7],
    ['Assam', 0],
  ]);
  const grid = (props: ComponentProps<typeof StatesGrid>, address = '/') => show(h(StatesGrid, props), address);
  const lists = (page: Element) => [...page.querySelectorAll('ul')].map((list) => links(list));

  test('are those with open tenders and their number, and the others folded', () => {
    const page = grid({ counts: COUNTS });
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

  test('are all folded while their numbers are unknown', () => {
    const page = grid({ counts: new Map() });
    expect(lists(page).map(({ length }) => length)).toEqual([36]);
    expect(page.querySelector('summary')?.textContent).toBe('All states and union territories');
    expect(page.textContent).not.toContain('open now');
  });

  test('are all folded below a tender, in one list with their numbers', () => {
    const page = grid({ counts: COUNTS }, '/tenders/7');
    expect(page.querySelector('summary h2')?.textContent).toBe('Browse Tenders by State');
    expect(lists(page).map(({ length }) => length)).toEqual([36]);
    expect(lists(page)[0]).toContainEqual(['Goa7 open', '/tenders/results?state=Goa']);
    expect(grid({ counts: COUNTS }, '/tenders').querySelector('section')).not.toBeNull();
  });

  test('need no fold when all have open tenders', () => {
    const all = new Map(lists(grid({ counts: new Map() }))[0]?.map(([name]) => [name ?? '', 1]));
    const page = grid({ counts: all });
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
  const page = show(h(Bar));
  expect(texts(page, 'p')).toEqual([]);
  await act(() => clock.startClock());
  expect(texts(page, 'p')).toEqual([
    'This phone’s clock may be wrong, and so may the hours left. Check its date and time.',
  ]);
});

import { act } from 'preact/test-utils';
import { type ComponentProps, createElement as h, type ReactNode, useState } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, MemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Button, ButtonLink } from './Button.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';
import { AfterHydration, useMinWidth, useShownLocation } from './hydration.ts';
import { PageMeta } from './PageMeta.tsx';
import { saveFile } from './save-file.ts';
import { Tabs, tabIndexForKey } from './Tabs.tsx';
import { useIsPrinting } from './useIsPrinting.ts';
import { useOnline } from './useOnline.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Shows a component on a page of its own; `update` renders it again. */
function show(node: ReactNode) {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const update = (next: ReactNode) => act(() => void root.render(next));
  update(node);
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
  });
  return { page, update };
}

const click = (element: Element | null | undefined) => act(() => (element as HTMLElement).click());

function press(element: Element | null | undefined, key: string): Event {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  act(() => void element?.dispatchEvent(event));
  return event;
}

describe('tabs', () => {
  test.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 2, 0],
    ['ArrowLeft', 0, 2],
    ['ArrowLeft', 2, 1],
    ['Home', 2, 0],
    ['End', 0, 2],
  ])('%s on tab %i of three leads to tab %i', (key, from, to) => {
    expect(tabIndexForKey(key, from, 3)).toBe(to);
  });

  test('other keys leave the tab unchanged', () => {
    expect(tabIndexForKey('a', 1, 3)).toBeUndefined();
  });

  const TABS = [
    { id: 'terms', label: 'Terms', panel: 'The terms.' },
    { id: 'files', label: 'Documents', panel: 'The files.' },
    { id: 'changes', label: 'Changes', panel: 'The changes.' },
  ];
  const tabs = (selected: string, onSelect: (id: string) => void = () => undefined) =>
    h(Tabs, { label: 'About the tender', tabs: TABS, selected, onSelect });
  const labelled = (page: Element) =>
    [...page.querySelectorAll('[role="tab"]')].map((tab) => [
      tab.textContent,
      tab.getAttribute('aria-selected'),
      (tab as HTMLElement).tabIndex,
    ]);

  test('show the panel of the selected tab only, which names its tab; of an unknown one the first', () => {
    const { page, update } = show(tabs('files'));
    const panel = () => page.querySelector('[role="tabpanel"]');
    expect(page.querySelector('[role="tablist"]')?.getAttribute('aria-label')).toBe('About the tender');
    expect(labelled(page)).toEqual([
      ['Terms', 'false', -1],
      ['Documents', 'true', 0],
      ['Changes', 'false', -1],
    ]);
    expect(panel()?.textContent).toBe('The files.');
    const selected = page.querySelector('[aria-selected="true"]');
    expect(panel()?.getAttribute('aria-labelledby')).toBe(selected?.id);
    for (const tab of page.querySelectorAll('[role="tab"]'))
      expect(tab.getAttribute('aria-controls')).toBe(panel()?.id);
    update(tabs('unknown'));
    expect(panel()?.textContent).toBe('The terms.');
    expect(labelled(page)[0]).toEqual(['Terms', 'true', 0]);
  });

  test('are selected by a tap, and by the keys, which move the focus too', () => {
    const chosen: string[] = [];
    const { page } = show(tabs('files', (id) => chosen.push(id)));
    const [first, second, third] = page.querySelectorAll('button');
    click(third);
    expect(chosen).toEqual(['changes']);
    const arrow = press(second, 'ArrowLeft');
    expect(arrow.defaultPrevented).toBe(true);
    expect(document.activeElement).toBe(first);
    press(second, 'End');
    expect(document.activeElement).toBe(third);
    expect(chosen).toEqual(['changes', 'terms', 'changes']);
    expect(press(second, 'a').defaultPrevented).toBe(false);
    expect(chosen).toHaveLength(3);
  });
});

describe('a button', () => {
  const button = (props: ComponentProps<typeof Button>) => show(h(Button, props, 'Pay')).page.querySelector('button');

  test('submits a form only when it says so, and a tap is handed on', () => {
    const onClick = vi.fn();
    expect(button({ onClick })?.type).toBe('button');
    expect(button({ type: 'submit' })?.type).toBe('submit');
    const main = button({ look: 'main', onClick });
    click(main);
    expect(onClick).toHaveBeenCalledOnce();
    expect([main?.dataset.look, main?.textContent]).toEqual(['main', 'Pay']);
    expect(main?.hasAttribute('aria-busy')).toBe(false);
    expect(main?.children).toHaveLength(1);
  });

  test.each([
    ['busy', { busy: true }],
    ['aria-disabled', { 'aria-disabled': true }],
    ['aria-disabled as a text', { 'aria-disabled': 'true' as const }],
  ])('that is %s does nothing, and does not submit its form', (_state, props) => {
    const onClick = vi.fn();
    const element = button({ ...props, type: 'submit', onClick });
    const event = new MouseEvent('click', { bubbles: true, cancelable: true });
    act(() => void element?.dispatchEvent(event));
    expect(onClick).not.toHaveBeenCalled();
    expect(event.defaultPrevented).toBe(true);
  });

  test('shows that it is busy beside its word', () => {
    const element = button({ busy: true });
    expect(element?.getAttribute('aria-busy')).toBe('true');
    expect(element?.children).toHaveLength(2);
    expect(element?.textContent).toBe('Pay');
  });

  test('has the focus when it appears only if it asks for it', () => {
    button({});
    expect(document.activeElement).toBe(document.body);
    const focused = button({ autoFocus: true });
    expect(document.activeElement).toBe(focused);
  });

  test('that is a link leads to its page', () => {
    const { page } = show(h(MemoryRouter, null, h(ButtonLink, { look: 'plain', to: '/pricing' }, 'Prices')));
    const link = page.querySelector('a');
    expect([link?.getAttribute('href'), link?.dataset.look, link?.textContent]).toEqual([
      '/pricing',
      'plain',
      'Prices',
    ]);
  });
});

describe('a dialog', () => {
  function open(isForm?: boolean) {
    const onClose = vi.fn();
    const actions = h(DialogActions, null, h('button', { type: 'button' }, 'Save'));
    const { page } = show(
      h(
        Dialog,
        { title: 'Change the date', onClose, ...(isForm && { isForm }) } as unknown as ComponentProps<typeof Dialog>,
        actions,
      ),
    );
    return { page, onClose, dialog: page.querySelector('dialog') as HTMLDialogElement };
  }

  test('is open over the page, named by its title, with its buttons at the foot', () => {
    const { dialog, page } = open();
    expect(dialog.open).toBe(true);
    expect(page.querySelector('h2')?.textContent).toBe('Change the date');
    expect(dialog.getAttribute('aria-labelledby')).toBe(page.querySelector('h2')?.id);
    expect(page.querySelector('footer')?.textContent).toBe('Save');
  });

  test('is closed by its button', () => {
    const { page, onClose } = open();
    click(page.querySelector('[aria-label="Close"]'));
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('is closed by Escape through its parent, not by the browser', () => {
    const { dialog, onClose } = open(true);
    const cancel = new Event('cancel', { cancelable: true });
    act(() => void dialog.dispatchEvent(cancel));
    expect([cancel.defaultPrevented, dialog.open]).toEqual([true, true]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('that the browser has closed is closed for its parent too', () => {
    const { dialog, onClose } = open();
    act(() => void dialog.dispatchEvent(new Event('close')));
    expect(onClose).not.toHaveBeenCalled();
    act(() => dialog.close());
    expect(onClose).toHaveBeenCalled();
  });

  test('is closed by a tap beside it unless it is a form; a tap in it is no such tap', () => {
    const plain = open();
    click(plain.page.querySelector('h2'));
    expect(plain.onClose).not.toHaveBeenCalled();
    click(plain.dialog);
    expect(plain.onClose).toHaveBeenCalledOnce();
    const form = open(true);
    click(form.dialog);
    expect(form.onClose).not.toHaveBeenCalled();
  });
});

test('a screen sets title and description of the page, also on a page without a description', () => {
  for (const present of document.querySelectorAll('meta[name="description"]')) present.remove();
  const { update } = show(h(PageMeta, { title: 'Prices', description: 'What it costs.' }));
  const descriptions = () =>
    [...document.querySelectorAll('meta[name="description"]')].map((meta) => meta.getAttribute('content'));
  expect([document.title, descriptions()]).toEqual(['Prices · Nivida', ['What it costs.']]);
  update(h(PageMeta, { title: 'Prices', description: 'Other words.' }));
  expect(descriptions()).toEqual(['Other words.']);
  update(h(PageMeta, { title: 'Contact', description: 'Other words.' }));
  expect([document.title, descriptions()]).toEqual(['Contact · Nivida', ['Other words.']]);
});

test('a file is saved under its name, and its address stays for the browsers that read it later', () => {
  vi.useFakeTimers();
  const file = new Blob(['a,b']);
  const given: unknown[] = [];
  const ended: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    given.push(blob);
    return 'blob:nivida/1';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void ended.push(address));
  const saved: string[][] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.download, this.href]);
  });
  saveFile('my-bids.csv', file);
  expect([given, saved]).toEqual([[file], [['my-bids.csv', 'blob:nivida/1']]]);
  vi.advanceTimersByTime(59_999);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual(['blob:nivida/1']);
});

describe('what a component knows of its browser', () => {
  test('it prints, from before the page is copied until it is printed', () => {
    const Probe = () => (useIsPrinting() ? 'printed' : 'shown');
    const { page } = show(h(Probe));
    expect(page.textContent).toBe('shown');
    window.dispatchEvent(new Event('beforeprint'));
    expect(page.textContent).toBe('printed');
    act(() => void window.dispatchEvent(new Event('afterprint')));
    expect(page.textContent).toBe('shown');
  });

  test('it is offline, and online again', () => {
    vi.stubGlobal('fetch', async () => Response.json({}));
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    const Probe = () => (useOnline() ? 'online' : 'offline');
    const { page } = show(h(Probe));
    expect(page.textContent).toBe('online');
    onLine.mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(page.textContent).toBe('offline');
    onLine.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(page.textContent).toBe('online');
    onLine.mockReturnValue(false);
    expect(show(h(Probe)).page.textContent).toBe('offline');
    onLine.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
  });

  test('the window becomes wide or narrow', () => {
    const changed: (() => void)[] = [];
    let isWide = false;
    const asked: string[] = [];
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
      asked.push(query);
      return {
        matches: isWide,
        addEventListener: (_event: string, listener: () => void) => changed.push(listener),
        removeEventListener: (_event: string, listener: () => void) => changed.splice(changed.indexOf(listener), 1),
      } as unknown as MediaQueryList;
    });
    const Probe = () => (useMinWidth('60rem') ? 'wide' : 'narrow');
    const { page, update } = show(h(Probe));
    expect(page.textContent).toBe('narrow');
    isWide = true;
    act(() => {
      for (const listener of [...changed]) listener();
    });
    expect(page.textContent).toBe('wide');
    expect(new Set(asked)).toEqual(new Set(['(width >= 60rem)']));
    update(null);
    expect(changed).toEqual([]);
  });
});

test('what the server cannot know is on the page after hydration only', async () => {
  const Where = () => {
    const { pathname, search, hash, state } = useShownLocation();
    return h('p', null, `${pathname}${search}${hash} ${JSON.stringify(state)}`);
  };
  const Page = () => h('main', null, h(Where), h(AfterHydration, null, h('button', { type: 'button' }, 'Install')));
  const page = document.createElement('div');
  const entry = { pathname: '/tenders/7', search: '?q=road', hash: '#changes', state: { from: 'list' } };
  const routed = () =>
    h(RouterProvider, { router: createMemoryRouter([{ path: '*', Component: Page }], { initialEntries: [entry] }) });
  page.innerHTML = renderToString(routed());
  expect(page.textContent).toBe('/tenders/7?q=road null');
  expect(page.querySelector('button')).toBeNull();
  await act(async () => void hydrateRoot(page, routed()));
  expect(page.textContent).toBe('/tenders/7?q=road#changes {"from":"list"}Install');
});

test('a dialog can be opened again after it was closed', () => {
  function Page() {
    const [isOpen, setIsOpen] = useState(true);
    const props = { title: 'Sort', onClose: () => setIsOpen(false) } as ComponentProps<typeof Dialog>;
    return isOpen ? h(Dialog, props) : h('button', { type: 'button', onClick: () => setIsOpen(true) }, 'Open');
  }
  const { page } = show(h(Page));
  click(page.querySelector('[aria-label="Close"]'));
  expect(page.querySelector('dialog')).toBeNull();
  click(page.querySelector('button'));
  expect(page.querySelector('dialog')?.open).toBe(true);
});

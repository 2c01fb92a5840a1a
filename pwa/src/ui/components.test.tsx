import { Trans } from '@lingui/react/macro';
import { act, type ComponentProps, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Button, ButtonLink } from './Button.tsx';
import { useHydrated, useMinWidth, useOnline, useShownLocation } from './browser-state.ts';
import { Dialog, DialogActions } from './Dialog.tsx';
import { useIsPrinting } from './display/useIsPrinting.ts';
import { PageMeta } from './PageMeta.tsx';
import { saveFile } from './save-file.ts';
import { Tabs, tabIndexForKey } from './Tabs.tsx';
import { closeTestPages, openTestHook, openTestPage } from './test-page.tsx';

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const click = (element: Element | null | undefined) => act(() => (element as HTMLElement).click());

function press(element: Element | null | undefined, key: string): Event {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  act(() => void element?.dispatchEvent(event));
  return event;
}

test('a value of a translated text is shown as it is, also when it looks like an element of the text', async () => {
  const [words, place] = ['<0>wall</0>', '<script>alert(1)</script>'];
  const page = await openTestPage(
    <p>
      <Trans>
        No tender for {words} <b>in {place}</b>
      </Trans>
    </p>,
  );
  expect(page.text()).toContain('No tender for <0>wall</0> in <script>alert(1)</script>');
});

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
  const tabs = (selected: string, onSelect: (id: string) => void = () => undefined) => (
    <Tabs label="About the tender" tabs={TABS} selected={selected} onSelect={onSelect} />
  );
  const labelled = (page: Element) =>
    [...page.querySelectorAll<HTMLElement>('[role="tab"]')].map((tab) => [
      tab.textContent,
      tab.getAttribute('aria-selected'),
      tab.tabIndex,
    ]);

  test('show the panel of the selected tab only, which names its tab; of an unknown one the first', async () => {
    const { page, show } = await openTestPage(tabs('files'));
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
    await show(tabs('unknown'));
    expect(panel()?.textContent).toBe('The terms.');
    expect(labelled(page)[0]).toEqual(['Terms', 'true', 0]);
  });

  test('prepare their panel when a finger goes down on them, before they are selected', async () => {
    const events: string[] = [];
    const prepared = TABS.map((tab) =>
      tab.id === 'changes' ? { ...tab, prepare: () => events.push('prepared') } : tab,
    );
    const { button } = await openTestPage(
      <Tabs label="About the tender" tabs={prepared} selected="terms" onSelect={(id) => events.push(id)} />,
    );
    button('Changes').dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(events).toEqual(['prepared']);
    button('Documents').dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(events).toEqual(['prepared']);
  });

  test('are selected by a tap, and by the keys, which move the focus too', async () => {
    const chosen: string[] = [];
    const { button, press: tap } = await openTestPage(tabs('files', (id) => chosen.push(id)));
    await tap('Changes');
    expect(chosen).toEqual(['changes']);
    expect(press(button('Documents'), 'ArrowLeft').defaultPrevented).toBe(true);
    expect(document.activeElement).toBe(button('Terms'));
    press(button('Documents'), 'End');
    expect(document.activeElement).toBe(button('Changes'));
    expect(chosen).toEqual(['changes', 'terms', 'changes']);
    expect(press(button('Documents'), 'a').defaultPrevented).toBe(false);
    expect(chosen).toHaveLength(3);
  });
});

describe('a button', () => {
  const open = async (props: ComponentProps<typeof Button>) =>
    (await openTestPage(<Button {...props}>Pay</Button>)).button('Pay');

  test('submits a form only when it says so, and a tap is handed on', async () => {
    const onClick = vi.fn();
    expect((await open({ onClick })).type).toBe('button');
    expect((await open({ type: 'submit' })).type).toBe('submit');
    const main = await open({ look: 'main', onClick });
    click(main);
    expect(onClick).toHaveBeenCalledOnce();
    expect([main.dataset.look, main.textContent]).toEqual(['main', 'Pay']);
    expect(main.hasAttribute('aria-busy')).toBe(false);
    expect(main.children).toHaveLength(1);
  });

  test.each([
    ['busy', { busy: true }],
    ['aria-disabled', { 'aria-disabled': true }],
    ['aria-disabled as a text', { 'aria-disabled': 'true' as const }],
  ])('that is %s does nothing, and does not submit its form', async (_state, props) => {
    const onClick = vi.fn();
    const button = await open({ ...props, type: 'submit', onClick });
    const event = new MouseEvent('click', { bubbles: true, cancelable: true });
    act(() => void button.dispatchEvent(event));
    expect(onClick).not.toHaveBeenCalled();
    expect(event.defaultPrevented).toBe(true);
  });

  test('shows that it is busy beside its word', async () => {
    const button = await open({ busy: true });
    expect(button.getAttribute('aria-busy')).toBe('true');
    expect(button.children).toHaveLength(2);
    expect(button.textContent).toBe('Pay');
  });

  test('has the focus when it appears only if it asks for it', async () => {
    await open({});
    expect(document.activeElement).toBe(document.body);
    const focused = await open({ autoFocus: true });
    expect(document.activeElement).toBe(focused);
  });

  test('that is a link leads to its page', async () => {
    const {
      button,
      press: tap,
      address,
    } = await openTestPage(
      <ButtonLink look="plain" to="/pricing">
        Prices
      </ButtonLink>,
    );
    const link = button('Prices');
    expect([link.getAttribute('href'), link.dataset.look, link.textContent]).toEqual(['/pricing', 'plain', 'Prices']);
    await tap('Prices');
    expect(address()).toBe('/pricing');
  });
});

describe('a dialog', () => {
  async function open(isForm = false) {
    const onClose = vi.fn();
    const page = await openTestPage(
      <Dialog title="Change the date" onClose={onClose} isForm={isForm}>
        <DialogActions>
          <button type="button">Save</button>
        </DialogActions>
      </Dialog>,
    );
    const dialog = page.page.querySelector('dialog') as HTMLDialogElement;
    return { ...page, onClose, dialog, title: dialog.querySelector('h2') as HTMLElement };
  }

  test('is open over the page, named by its title, with its buttons at the foot', async () => {
    const { dialog, title, texts } = await open();
    expect(dialog.open).toBe(true);
    expect(title.textContent).toBe('Change the date');
    expect(dialog.getAttribute('aria-labelledby')).toBe(title.id);
    expect(texts('footer')).toEqual(['Save']);
  });

  test('puts the focus on its title rather than on its close button, and leaves it in a field', async () => {
    // as a browser does; the test's DOM opens a dialog without moving the focus
    vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (this: HTMLDialogElement) {
      this.open = true;
      (this.querySelector<HTMLElement>('[data-first]') ?? this.querySelector('button'))?.focus();
    });
    const { title } = await open();
    expect(document.activeElement).toBe(title);
    const { page } = await openTestPage(
      <Dialog title="Rename" onClose={() => undefined}>
        <input data-first />
      </Dialog>,
    );
    expect(document.activeElement).toBe(page.querySelector('input'));
  });

  test('is closed by its button', async () => {
    const { press: tap, onClose } = await open();
    await tap('Close');
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('is closed by Escape through its parent, not by the browser', async () => {
    const { dialog, onClose } = await open(true);
    const cancel = new Event('cancel', { cancelable: true });
    act(() => void dialog.dispatchEvent(cancel));
    expect([cancel.defaultPrevented, dialog.open]).toEqual([true, true]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('that the browser has closed is closed for its parent too', async () => {
    const { dialog, onClose } = await open();
    act(() => void dialog.dispatchEvent(new Event('close')));
    expect(onClose).not.toHaveBeenCalled();
    act(() => dialog.close());
    expect(onClose).toHaveBeenCalled();
  });

  test('is closed by a tap outside unless it is a form, and never by a tap inside', async () => {
    const plain = await open();
    click(plain.title);
    expect(plain.onClose).not.toHaveBeenCalled();
    click(plain.dialog);
    expect(plain.onClose).toHaveBeenCalledOnce();
    const form = await open(true);
    click(form.dialog);
    expect(form.onClose).not.toHaveBeenCalled();
  });

  test('can be opened again after it was closed', async () => {
    function Page() {
      const [isOpen, setIsOpen] = useState(true);
      if (isOpen)
        return (
          <Dialog title="Sort" onClose={() => setIsOpen(false)}>
            By date.
          </Dialog>
        );
      return (
        <button type="button" onClick={() => setIsOpen(true)}>
          Open
        </button>
      );
    }
    const { page, press: tap } = await openTestPage(<Page />);
    await tap('Close');
    expect(page.querySelector('dialog')).toBeNull();
    await tap('Open');
    expect(page.querySelector('dialog')?.open).toBe(true);
  });
});

test('a screen sets title and description of the page, also on a page without a description', async () => {
  for (const present of document.querySelectorAll('meta[name="description"]')) present.remove();
  const { show } = await openTestPage(<PageMeta title="Prices" description="What it costs." />);
  const descriptions = () =>
    [...document.querySelectorAll('meta[name="description"]')].map((meta) => meta.getAttribute('content'));
  expect([document.title, descriptions()]).toEqual(['Prices · Nivida', ['What it costs.']]);
  await show(<PageMeta title="Prices" description="Other words." />);
  expect(descriptions()).toEqual(['Other words.']);
  await show(<PageMeta title="Contact" description="Other words." />);
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
  test('it prints, from before the page is copied until it is printed', async () => {
    const Probe = () => (useIsPrinting() ? 'printed' : 'shown');
    const { text } = await openTestPage(<Probe />);
    expect(text()).toBe('shown');
    window.dispatchEvent(new Event('beforeprint'));
    expect(text()).toBe('printed');
    act(() => void window.dispatchEvent(new Event('afterprint')));
    expect(text()).toBe('shown');
  });

  test('it is offline, and online again', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get');
    const become = (isOnline: boolean) => {
      onLine.mockReturnValue(isOnline);
      act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')));
    };
    become(true);
    const { last: isOnline } = await openTestHook(useOnline);
    expect(isOnline()).toBe(true);
    become(false);
    expect(isOnline()).toBe(false);
    become(true);
    expect(isOnline()).toBe(true);
    become(false);
    expect((await openTestHook(useOnline)).last()).toBe(false);
  });

  test('the window becomes wide or narrow', async () => {
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
    const { last: isShown, close } = await openTestHook(() => useMinWidth('60rem'));
    expect(isShown()).toBe(false);
    isWide = true;
    act(() => {
      for (const listener of [...changed]) listener();
    });
    expect(isShown()).toBe(true);
    expect(new Set(asked)).toEqual(new Set(['(width >= 60rem)']));
    await close();
    expect(changed).toEqual([]);
  });
});

test('what the server cannot know is on the page after hydration only', async () => {
  const Where = () => {
    const { pathname, search, hash, state } = useShownLocation();
    return <p>{`${pathname}${search}${hash} ${JSON.stringify(state)}`}</p>;
  };
  const Page = () => (
    <main>
      <Where />
      {useHydrated() && <button type="button">Install</button>}
    </main>
  );
  const page = document.createElement('div');
  const entry = { pathname: '/tenders/7', search: '?q=road', hash: '#changes', state: { from: 'list' } };
  const routed = () => (
    <RouterProvider router={createMemoryRouter([{ path: '*', Component: Page }], { initialEntries: [entry] })} />
  );
  page.innerHTML = renderToString(routed());
  expect(page.textContent).toBe('/tenders/7?q=road null');
  expect(page.querySelector('button')).toBeNull();
  await act(async () => void hydrateRoot(page, routed()));
  expect(page.textContent).toBe('/tenders/7?q=road#changes {"from":"list"}Install');
});

import { act } from 'preact/test-utils';
import { type ComponentProps, createElement as h, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EmptyState } from './EmptyState.tsx';
import { RetryButtons } from './LazyPart.tsx';
import { ListError } from './ListError.tsx';
import { ErrorText, Note } from './Note.tsx';
import { OfferLine } from './OfferLine.tsx';
import { ScreenLoading } from './ScreenLoading.tsx';
import { Spinner } from './Spinner.tsx';
import { Toasts } from './Toasts.tsx';
import { dismissToast, showToast, useToast } from './toast.ts';

afterEach(() => {
  vi.restoreAllMocks();
  act(() => {
    while (useToast.getState().current) dismissToast();
  });
});

function show(node: ReactNode): HTMLElement {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  act(() => void root.render(node));
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
  });
  return page;
}

const click = (element: Element | null | undefined) => act(() => (element as HTMLElement).click());
const buttons = (page: Element) => [...page.querySelectorAll('button')];
const names = (page: Element) => buttons(page).map((button) => button.getAttribute('aria-label') ?? button.textContent);

test('an empty list says what is missing, why, and what helps; an error is announced', () => {
  const props = (more: object) => ({ title: 'No bids yet', ...more }) as ComponentProps<typeof EmptyState>;
  const plain = show(h(EmptyState, props({ actions: h('a', { href: '/tenders' }, 'Find tenders') }), 'Add one.'));
  expect(plain.querySelector('h2')?.textContent).toBe('No bids yet');
  expect(plain.querySelector('.muted')?.textContent).toBe('Add one.');
  expect(plain.querySelector('.row a')?.textContent).toBe('Find tenders');
  expect(plain.querySelector('[role="alert"]')).toBeNull();
  const error = show(h(EmptyState, props({ heading: 'h1', alert: true }), 'Try later.'));
  expect(error.querySelector('[role="alert"] h1')?.textContent).toBe('No bids yet');
  expect([error.querySelector('h2'), error.querySelector('.row')]).toEqual([null, null]);
});

test('a note has its colour, its icon and its text; only an alert is announced', () => {
  const props = (more: object) => more as ComponentProps<typeof Note>;
  const note = show(h(Note, props({ tone: 'amber', icon: 'warning' }), 'Moved.')).firstElementChild as HTMLElement;
  expect([note.dataset.tone, note.getAttribute('role'), note.textContent]).toEqual(['amber', null, 'Moved.']);
  expect(note.querySelectorAll('svg')).toHaveLength(1);
  const alert = show(h(Note, props({ alert: true }), 'Failed.')).firstElementChild;
  expect([alert?.getAttribute('role'), alert?.querySelector('svg')]).toEqual(['alert', null]);
});

test('the error of a call is announced in red; without one nothing is on the page', () => {
  const error = show(h(ErrorText, { text: 'Not stored.' })).firstElementChild as HTMLElement;
  expect([error.getAttribute('role'), error.dataset.tone, error.textContent]).toEqual(['alert', 'red', 'Not stored.']);
  expect(show(h(ErrorText, { text: '' })).children).toHaveLength(0);
  expect(show(h(ErrorText, { text: undefined })).childNodes).toHaveLength(0);
});

describe('the error of a list', () => {
  const error = (age: string | null, isOnline: boolean, onRetry: () => void = () => undefined) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
    return show(h(ListError, { text: 'No answer.', offlineText: 'You are offline.', age, onRetry }));
  };

  test('is that of the server with a way to try again, and the age of the list beside it', () => {
    const onRetry = vi.fn();
    const page = error('2 hours ago', true, onRetry);
    expect(page.querySelector('[role="alert"] p')?.textContent).toBe('No answer. As of 2 hours ago.');
    expect(names(page)).toEqual(['Try Again']);
    click(buttons(page)[0]);
    expect(onRetry).toHaveBeenCalledOnce();
    expect(error(null, true).querySelector('p')?.textContent).toBe('No answer.');
  });

  test('is that there is no network, and nothing to try, while the device is offline', () => {
    const page = error('2 hours ago', false);
    expect(page.querySelector('p')?.textContent).toBe('You are offline. As of 2 hours ago.');
    expect(names(page)).toEqual([]);
  });
});

test('after the second failure the page can be reloaded too', () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  const retry = vi.fn();
  const first = show(h(RetryButtons, { failures: 1, retry }));
  expect(names(first)).toEqual(['Try Again']);
  click(buttons(first)[0]);
  expect(retry).toHaveBeenCalledOnce();
  const second = show(h(RetryButtons, { failures: 2, retry }));
  expect(names(second)).toEqual(['Reload the page', 'Try Again']);
  click(buttons(second)[0]);
  expect([reload.mock.calls.length, retry.mock.calls.length]).toEqual([1, 1]);
});

test('what loads is named for screen readers, and a screen that loads is marked as busy', () => {
  expect(show(h(Spinner, { label: 'Loading the checklist' })).querySelector('[role="status"]')?.textContent).toBe(
    'Loading the checklist',
  );
  const screen = show(h(ScreenLoading));
  expect(screen.querySelector('[aria-busy="true"] .sr')?.textContent).toBe('Loading');
  expect(screen.querySelectorAll('[aria-hidden="true"]')).toHaveLength(2);
});

test('messages are shown one at a time in the one live region, and an action runs once', () => {
  const page = show(h(Toasts));
  const region = page.querySelector('[role="status"]');
  expect(region?.textContent).toBe('');
  act(() => showToast({ text: 'Link copied.' }));
  expect([region?.textContent, names(page)]).toEqual(['Link copied.', []]);
  const texts: unknown[] = [];
  // The action may show its own message.
  const run = () => {
    texts.push(useToast.getState().current?.text);
    showToast({ text: 'Restored.' });
  };
  act(() => showToast({ text: 'Removed.', action: { label: 'Undo', run }, passing: true }));
  expect([region?.textContent, names(page)]).toEqual(['Removed.Undo', ['Undo']]);
  expect(page.querySelector('button')?.type).toBe('button');
  click(buttons(page)[0]);
  expect(texts).toEqual([undefined]);
  expect(region?.textContent).toBe('Restored.');
  expect(page.querySelector('[role="status"]')).toBe(region);
});

describe('an offer over the foot of the page', () => {
  let nth = 0;
  function open(problem?: string) {
    const onRefuse = vi.fn();
    nth += 1;
    const props = {
      name: `offer ${nth}`,
      icon: 'bell',
      action: h('button', { type: 'button' }, 'Turn on'),
      onRefuse,
      ...(problem && { problem }),
    } as unknown as ComponentProps<typeof OfferLine>;
    const element = h(OfferLine, props, 'Alerts before a tender closes?');
    const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/tenders/7'] });
    return { page: show(h(RouterProvider, { router })), router, onRefuse };
  }

  test('is named by its text, can be accepted, and refused with Not now', () => {
    const { page, onRefuse } = open();
    const offer = page.querySelector('aside');
    const text = page.querySelector(`#${offer?.getAttribute('aria-labelledby')}`);
    expect([text?.textContent, text?.getAttribute('role')]).toEqual(['Alerts before a tender closes?', null]);
    expect(names(page)).toEqual(['Turn on', 'Not now']);
    expect(onRefuse).not.toHaveBeenCalled();
    click(buttons(page)[1]);
    expect(onRefuse).toHaveBeenCalledOnce();
  });

  test('announces its problem instead of its text', () => {
    const { page } = open('The browser refuses alerts.');
    expect(page.querySelector('[role="alert"]')?.textContent).toBe('The browser refuses alerts.');
    expect(page.textContent).not.toContain('before a tender closes');
  });

  test.each(['/bookmarks', '/tenders/7?tab=files'])('is refused by going on to %s', async (address) => {
    const { router, onRefuse } = open();
    await act(async () => router.navigate('/tenders/7'));
    expect(onRefuse).not.toHaveBeenCalled();
    await act(async () => router.navigate(address));
    expect(onRefuse).toHaveBeenCalled();
  });

  test('gives way to a message, and is not refused behind it', async () => {
    const { page, router, onRefuse } = open();
    act(() => showToast({ text: 'Bookmarked.' }));
    expect(page.querySelector('aside')).toBeNull();
    await act(async () => router.navigate('/bookmarks'));
    expect(onRefuse).not.toHaveBeenCalled();
    act(() => dismissToast());
    expect(onRefuse).toHaveBeenCalled();
  });
});

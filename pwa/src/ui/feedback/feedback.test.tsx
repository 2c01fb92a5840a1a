import { act } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RetryButtons } from '../lazy/lazy.tsx';
import { closeTestPages, openTestPage } from '../test-page.tsx';
import { EmptyState } from './EmptyState.tsx';
import { ListError } from './ListError.tsx';
import { ErrorText, Note } from './Note.tsx';
import { isOfferPassed, OfferLine } from './OfferLine.tsx';
import { ScreenLoading } from './ScreenLoading.tsx';
import { Spinner } from './Spinner.tsx';
import { Toasts } from './Toasts.tsx';
import { dismissToast, showToast, useToast } from './toast.ts';

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  while (useToast.getState().current) dismissToast();
});

test('an empty list says what is missing, why, and what helps; an error is announced', async () => {
  const plain = await openTestPage(
    <EmptyState title="No bids yet" actions={<a href="/tenders">Find tenders</a>}>
      Add one.
    </EmptyState>,
  );
  expect(['h2', '.muted', '.row a', '[role="alert"]'].map(plain.texts)).toEqual([
    ['No bids yet'],
    ['Add one.'],
    ['Find tenders'],
    [],
  ]);
  const error = await openTestPage(
    <EmptyState title="No bids yet" heading="h1" alert>
      Try later.
    </EmptyState>,
  );
  expect(['[role="alert"] h1', 'h2', '.row'].map(error.texts)).toEqual([['No bids yet'], [], []]);
});

test('a note has its colour, its icon and its text; only an alert is announced', async () => {
  const { page, show } = await openTestPage(
    <Note tone="amber" icon="warning">
      Moved.
    </Note>,
  );
  const note = () => page.firstElementChild as HTMLElement;
  expect([note().dataset.tone, note().getAttribute('role'), note().textContent]).toEqual(['amber', null, 'Moved.']);
  expect(page.querySelectorAll('svg')).toHaveLength(1);
  await show(<Note alert>Failed.</Note>);
  expect([note().getAttribute('role'), page.querySelector('svg')]).toEqual(['alert', null]);
});

test('the error of a call is announced in red; without one nothing is on the page', async () => {
  const { page, show } = await openTestPage(<ErrorText text="Not stored." />);
  const error = page.firstElementChild as HTMLElement;
  expect([error.getAttribute('role'), error.dataset.tone, error.textContent]).toEqual(['alert', 'red', 'Not stored.']);
  await show(<ErrorText text="" />);
  expect(page.children).toHaveLength(0);
  await show(<ErrorText text={undefined} />);
  expect(page.childNodes).toHaveLength(0);
});

describe('the error of a list', () => {
  const open = (age: string | null, isOnline: boolean, onRetry: () => void = () => undefined) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
    return openTestPage(<ListError text="No answer." offlineText="You are offline." age={age} onRetry={onRetry} />);
  };

  test('is that of the server with a way to try again, and the age of the list beside it', async () => {
    const onRetry = vi.fn();
    const { texts, names, press } = await open('2 hours ago', true, onRetry);
    expect(texts('[role="alert"] p')).toEqual(['No answer. As of 2 hours ago.']);
    expect(names()).toEqual(['Try Again']);
    await press('Try Again');
    expect(onRetry).toHaveBeenCalledOnce();
    expect((await open(null, true)).texts('p')).toEqual(['No answer.']);
  });

  test('is that there is no network, and nothing to try, while the device is offline', async () => {
    const { texts, names } = await open('2 hours ago', false);
    expect([texts('p'), names()]).toEqual([['You are offline. As of 2 hours ago.'], []]);
  });
});

test('after the second failure the page can be reloaded too', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  const retry = vi.fn();
  const { names, press, show } = await openTestPage(<RetryButtons failures={1} retry={retry} />);
  expect(names()).toEqual(['Try Again']);
  await press('Try Again');
  expect(retry).toHaveBeenCalledOnce();
  await show(<RetryButtons failures={2} retry={retry} />);
  expect(names()).toEqual(['Reload the page', 'Try Again']);
  await press('Reload the page');
  expect([reload.mock.calls.length, retry.mock.calls.length]).toEqual([1, 1]);
});

test('what loads is named for screen readers, and a screen that loads is marked as busy', async () => {
  const { page, texts, show } = await openTestPage(<Spinner label="Loading the checklist" />);
  expect(texts('[role="status"]')).toEqual(['Loading the checklist']);
  await show(<ScreenLoading />);
  expect(texts('[aria-busy="true"] .sr')).toEqual(['Loading']);
  expect(page.querySelectorAll('[aria-hidden="true"]')).toHaveLength(2);
});

test('messages are shown one at a time in the one live region, and an action runs once', async () => {
  const { page, button, names, press } = await openTestPage(<Toasts />);
  const region = page.querySelector('[role="status"]');
  expect(region?.textContent).toBe('');
  act(() => showToast({ text: 'Link copied.' }));
  expect([region?.textContent, names()]).toEqual(['Link copied.', []]);
  const texts: unknown[] = [];
  // The action may show its own message.
  const run = () => {
    texts.push(useToast.getState().current?.text);
    showToast({ text: 'Restored.' });
  };
  act(() => showToast({ text: 'Removed.', action: { label: 'Undo', run }, passing: true }));
  expect([region?.textContent, names()]).toEqual(['Removed.Undo', ['Undo']]);
  expect(button('Undo').type).toBe('button');
  await press('Undo');
  expect(texts).toEqual([undefined]);
  expect(region?.textContent).toBe('Restored.');
  expect(page.querySelector('[role="status"]')).toBe(region);
});

describe('an offer over the foot of the page', () => {
  let nth = 0;
  async function open(problem?: string) {
    const onRefuse = vi.fn();
    nth += 1;
    const page = await openTestPage(
      <OfferLine
        name={`offer ${nth}`}
        icon="bell"
        action={<button type="button">Turn on</button>}
        onRefuse={onRefuse}
        problem={problem}
      >
        Alerts before a tender closes?
      </OfferLine>,
      '/tenders/7',
    );
    return { ...page, onRefuse, goTo: (address: string) => act(() => page.router.navigate(address)) };
  }

  test('is named by its text, can be accepted, and refused with Not now', async () => {
    const { page, names, press, onRefuse } = await open();
    const text = page.querySelector(`#${page.querySelector('aside')?.getAttribute('aria-labelledby')}`);
    expect([text?.textContent, text?.getAttribute('role')]).toEqual(['Alerts before a tender closes?', null]);
    expect(names()).toEqual(['Turn on', 'Not now']);
    expect(onRefuse).not.toHaveBeenCalled();
    await press('Not now');
    expect(onRefuse).toHaveBeenCalledOnce();
  });

  test('announces its problem instead of its text', async () => {
    const { text, texts } = await open('The browser refuses alerts.');
    expect(texts('[role="alert"]')).toEqual(['The browser refuses alerts.']);
    expect(text()).not.toContain('before a tender closes');
  });

  test.each(['/bookmarks', '/tenders/7?tab=files'])('is refused by going on to %s', async (address) => {
    const { goTo, onRefuse } = await open();
    await goTo('/tenders/7');
    expect(onRefuse).not.toHaveBeenCalled();
    await goTo(address);
    expect(onRefuse).toHaveBeenCalled();
  });

  test('gives way to a message, and is not refused behind it', async () => {
    const { page, goTo, onRefuse } = await open();
    act(() => showToast({ text: 'Bookmarked.' }));
    expect(page.querySelector('aside')).toBeNull();
    await goTo('/bookmarks');
    expect(onRefuse).not.toHaveBeenCalled();
    act(() => dismissToast());
    expect(onRefuse).toHaveBeenCalled();
  });
});

test('an offer is passed when it is visible on another address than at first; each offer has its own', () => {
  expect(isOfferPassed('alerts', '/tenders/7')).toBe(false);
  expect(isOfferPassed('alerts', '/tenders/7')).toBe(false);
  expect(isOfferPassed('install', '/bookmarks')).toBe(false);
  expect(isOfferPassed('alerts', '/bookmarks')).toBe(true);
  expect(isOfferPassed('install', '/bookmarks')).toBe(false);
});

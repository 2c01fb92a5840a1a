import { expect, test, vi } from 'vitest';
import { Dialog } from '../Dialog.tsx';
import { openTestPage } from '../test-page.tsx';
import { lazyDialog, lazyPart } from './lazy.tsx';

const Content = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Ask for the documents" onClose={onClose}>
    Free.
  </Dialog>
);
const checklistTexts = {
  loading: () => 'Loading the checklist',
  failed: () => 'The checklist cannot be loaded now.',
};
const Checklist = ({ bid }: { bid: string }) => `Checklist of ${bid}`;

/** A component whose code cannot be loaded until there is a connection. */
function behindNetwork<C>(Component: C) {
  const network = { isReachable: false };
  const load = async () => {
    if (!network.isReachable) throw new TypeError('Failed to fetch dynamically imported module');
    return Component;
  };
  return { network, load };
}

test('a dialog whose code cannot be loaded says so in its place, and opens after Try Again', async () => {
  const { network, load } = behindNetwork(Content);
  const LazyDialog = lazyDialog(load, () => 'Ask for the documents');
  const { page, names, texts, text, press } = await openTestPage(
    <main>
      <textarea defaultValue="Typed words" />
      <LazyDialog onClose={() => undefined} />
    </main>,
  );
  await expect.poll(() => names()).toEqual(['Close', 'Try Again']);
  expect(texts('h2')).toEqual(['Ask for the documents']);
  expect(texts('[role="alert"]')).toEqual(['This could not be loaded. Please check your internet connection.']);
  await press('Try Again');
  await expect.poll(() => names()).toEqual(['Close', 'Reload the page', 'Try Again']);
  network.isReachable = true;
  await press('Try Again');
  await expect.poll(text).toContain('Free.');
  expect(page.querySelector('textarea')?.value).toBe('Typed words');
});

test('a part of a page whose code cannot be loaded says so in its place, and is shown after Try Again', async () => {
  const { network, load } = behindNetwork(Checklist);
  const LazyPart = lazyPart(load, checklistTexts);
  const { texts, text, press } = await openTestPage(
    <main>
      {'The tender. '}
      <LazyPart bid="a road" />
    </main>,
  );
  await expect.poll(() => texts('[role="alert"]')).toEqual(['The checklist cannot be loaded now.']);
  expect(text()).toContain('The tender. ');
  network.isReachable = true;
  await press('Try Again');
  await expect.poll(text).toBe('The tender. Checklist of a road');
});

test('while its code loads a dialog is an empty frame that can be closed', async () => {
  const onClose = vi.fn();
  const loading = Promise.withResolvers<typeof Content>();
  const LazyDialog = lazyDialog(
    () => loading.promise,
    () => 'Ask for the documents',
  );
  const { page, texts, press } = await openTestPage(<LazyDialog onClose={onClose} />);
  expect(page.querySelector('dialog')?.open).toBe(true);
  expect(['h2', '[role="status"]', '[role="alert"]'].map(texts)).toEqual([['Ask for the documents'], ['Loading'], []]);
  await press('Close');
  expect(onClose).toHaveBeenCalledOnce();
  loading.resolve(Content);
});

test('while its code loads a part of a page says what loads, and it gets its properties', async () => {
  const loading = Promise.withResolvers<typeof Checklist>();
  const LazyPart = lazyPart(() => loading.promise, checklistTexts);
  const { texts, text } = await openTestPage(<LazyPart bid="a road" />);
  expect(texts('[role="status"]')).toEqual(['Loading the checklist']);
  loading.resolve(Checklist);
  await expect.poll(text).toBe('Checklist of a road');
});

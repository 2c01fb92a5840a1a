import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import { openTestPage } from '../../../ui/test-page.tsx';
import { DeskChoice, DeskSearch } from './DeskFilter.tsx';
import { DeskList } from './DeskList.tsx';

interface Row {
  id: string;
  status: string;
}
type Rows = QueryResult<{ rows: Row[]; pages?: number }>;

const main = vi.fn();
const reload = vi.fn();
const loaded = (ids: string[], more: Partial<Rows> = {}): Rows => ({
  answer: { rows: ids.map((id) => ({ id, status: 'open' })) },
  receivedAt: new Date(),
  error: undefined,
  isLoading: false,
  reload,
  ...more,
});

/** The route has the id, as in the app; the test's router has none. */
const params = vi.hoisted(() => ({ useId: (): string | undefined => undefined }));
vi.mock('react-router-dom', async (original) => {
  const router = await original<typeof import('react-router-dom')>();
  params.useId = () => /^\/desk\/things\/(.+)$/.exec(router.useLocation().pathname)?.[1];
  return { ...router, useParams: () => ({ id: params.useId() }) };
});

const open = (rows: Rows, address = '/desk/things') =>
  openTestPage(
    <DeskList
      title="Things"
      path="/desk/things"
      rows={rows}
      idOf={({ id }) => id}
      columns={[
        { title: 'Thing', cell: ({ id }) => `Thing ${id}` },
        { title: 'Status', cell: ({ status }) => status },
      ]}
      filter={
        <>
          <DeskSearch label="Find" />
          <DeskChoice label="Status" name="status" options={[['open', 'Open']]} all="All" />
        </>
      }
      detail={(id) => (
        <button type="button" data-main-act="" onClick={() => main(id)}>
          Close {id}
        </button>
      )}
    />,
    address,
  );

const key = (name: string) =>
  act(async () => {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  });
const focused = () => document.activeElement?.textContent;

beforeEach(() => {
  main.mockClear();
  reload.mockClear();
});

test('rows are walked by keys, opened by their link, and the main act of the opened one begins with e', async () => {
  const page = await open(loaded(['a', 'b']));
  await key('j');
  expect(focused()).toBe('Thing a');
  await key('j');
  await key('j');
  expect(focused()).toBe('Thing b');
  await key('k');
  expect(focused()).toBe('Thing a');
  await page.press('Thing b');
  expect(page.address()).toBe('/desk/things/b');
  await key('e');
  expect(main).toHaveBeenCalledWith('b');
  await key('Escape');
  expect(page.address()).toBe('/desk/things');
});

test('keys that are typed into a field are text', async () => {
  const page = await open(loaded(['a', 'b']), '/desk/things/a');
  await key('/');
  expect(document.activeElement).toBe(page.field('Find'));
  await key('e');
  await key('j');
  expect(main).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(page.field('Find'));
});

test('the help names the keys', async () => {
  const page = await open(loaded(['a']));
  await key('?');
  await expect.poll(() => page.texts('kbd')).toEqual(['j', 'k', 'Enter', 'e', '/', 'Esc', '?']);
});

test('the address has the filter and the row; another choice begins at the first page', async () => {
  const page = await open(
    loaded(['a'], { answer: { rows: [{ id: 'a', status: 'open' }], pages: 3 } }),
    '/desk/things/a?page=2',
  );
  expect(page.texts('nav')).toEqual(['PreviousPage 2 of 3Next']);
  await page.press('Next');
  expect(page.address()).toBe('/desk/things/a?page=3');
  await page.enter('Find', '  road ');
  await page.press('Search');
  expect(page.address()).toBe('/desk/things/a?find=road');
  await page.enter('Status', 'open');
  expect(page.address()).toBe('/desk/things/a?find=road&status=open');
});

test('a list says that it loads, that nothing waits, or why it is missing', async () => {
  const page = await open({ ...loaded([]), answer: undefined, isLoading: true });
  expect(page.page.querySelector('[aria-busy]')).not.toBeNull();
  await page.close();
  expect((await open(loaded([]))).text()).toContain('Nothing waits');
  expect((await open(loaded([]), '/desk/things?find=x')).text()).toContain('No entry fits what is chosen above.');
  const failed = await open({ ...loaded([]), answer: undefined, error: new Error('broken') });
  expect(failed.text()).toContain('The list could not be loaded');
  await failed.press('Try Again');
  expect(reload).toHaveBeenCalled();
});

// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import type { NoticeRow } from '../../../data/device/schema.ts';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { closeTestPages, openTestPage } from '../../../ui/test-page.tsx';
import { useAlerts } from '../alert-state.ts';
import { loadMoreNotices, markNoticesRead } from './mark-read.ts';
import { NoticeList } from './NoticeList.tsx';
import { NoticesLink } from './NoticesLink.tsx';
import { storeNotices } from './notices.ts';

const NOW = new Date('2026-04-14T18:05:00+05:30');
const OFFICE = { id: '0123456789ab', name: 'Theog Division' };

const notice = (changes: Partial<NoticeRow> = {}): NoticeRow => ({
  ...{
    id: '1',
    owner: 'asha',
    isUnsent: false,
    kind: 'closing_tomorrow',
    at: '2026-04-14T12:30:00.000Z',
    readAt: null,
  },
  ...{ tenderId: '7', title: 'Footbridge at Bharmour', closingDate: '2026-04-15T05:30:00.000Z' },
  ...{ closingTimeKnown: true, works: 1, patch: null, fields: [], searchIds: [], office: null },
  ...changes,
});

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  useAlerts.setState({ state: 'unknown', preferences: null, unread: 0 });
});

describe('the list of notices', () => {
  const textsOf = (link: Element) =>
    [...link.querySelectorAll('span')].filter(({ children }) => children.length === 0).map((part) => part.textContent);
  const showList = (notices: NoticeRow[]) =>
    openTestPage(
      <NoticeList
        notices={notices}
        searchNames={new Map([['a', 'Bridges']])}
        now={NOW}
        renderUnfollow={({ id, name }) => `Unfollow ${name} ${id}`}
      />,
    );

  test('a row that the firm assigned links to its checklist, and a tap marks it as read', async () => {
    const path = '/dashboard/applications/b?firm=f#documents';
    const assigned = notice({
      ...{ owner: '', kind: 'assigned', tenderId: 'b', title: 'School wall' },
      assignment: { row: 'PAN card', firm: 'Verma Builders', path },
    });
    await withDatabase((db) => db.notices.put(assigned));
    const { page } = await showList([assigned]);
    const link = page.querySelector('a') as HTMLAnchorElement;
    expect(link.getAttribute('href')).toBe(path);
    expect(textsOf(link)).toEqual(['Yours to do: PAN card', 'New', 'School wall', 'Verma Builders']);
    link.click();
    await expect.poll(async () => (await withDatabase((db) => db.notices.toArray()))[0]?.readAt).not.toBeNull();
    await closeDatabase();
  });

  test('shows for each notice what happened, when and to which tender, with a link to it', async () => {
    const { page } = await showList([
      notice({ works: 3 }),
      notice({
        ...{ id: '2', tenderId: '8', title: 'Wall', kind: 'match', searchIds: ['a'] },
        at: '2026-04-12T12:30:00.000Z',
      }),
    ]);
    const links = [...page.querySelectorAll('a')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/tenders/7', '/tenders/8']);
    expect(links.map((link) => textsOf(link))).toEqual([
      [
        'Closes the next day',
        'New',
        'Footbridge at Bharmour',
        'Closing: 15 Apr 2026, 11:00 AM · and 2 more works of this NIT',
      ],
      ['New: Bridges', 'New', 'Wall', 'Closing: 15 Apr 2026, 11:00 AM'],
    ]);
    expect(links[0]?.textContent).toContain('New5 min ago');
    expect(links[1]?.textContent).toContain('New2 days ago');
  });

  test('marks those that are not read', async () => {
    const { page } = await showList([
      notice(),
      notice({ id: '2', tenderId: '8', readAt: '2026-04-14T12:31:00.000Z', at: '2026-04-14T11:35:00.000Z' }),
    ]);
    const links = [...page.querySelectorAll('a')];
    expect(links.map((link) => link.dataset.unread)).toEqual(['true', undefined]);
    expect(links.map((link) => link.querySelectorAll('[data-unread]').length)).toEqual([1, 0]);
    expect(links.map((link) => /New(?=\d)/.test(link.textContent ?? ''))).toEqual([true, false]);
    expect(links[1]?.textContent).toContain('1 h ago');
  });

  test('has a button to unfollow the office at a notice of an office only', async () => {
    const { page } = await showList([notice(), notice({ id: '2', kind: 'office', office: OFFICE })]);
    const rows = [...page.querySelectorAll('li')].map((row) => row.querySelector('a + div')?.textContent);
    expect(rows).toEqual([undefined, 'Unfollow Theog Division 0123456789ab']);
  });
});

describe('the link to the notices', () => {
  test.each([
    [0, 0, 'Notices', undefined, ''],
    [1, 0, 'Notices: 1 unread', '1', '1'],
    [0, 1, 'Notices: 1 unread', '1', '1'],
    [98, 1, 'Notices: 99 unread', '99', '99'],
    [98, 2, 'Notices: more than 99 unread', '99+', '99+'],
  ])('with %i unread ones and %i unread answers is called "%s"', async (unread, unreadAnswers, label, count, text) => {
    useAlerts.setState({ unread, unreadAnswers });
    const icon = (await openTestPage(<NoticesLink look="icon" />)).page.querySelector('a');
    expect([icon?.getAttribute('href'), icon?.getAttribute('aria-label')]).toEqual(['/notices', label]);
    expect([icon?.dataset.empty, icon?.textContent]).toEqual([text === '' ? 'true' : undefined, text]);
    expect(icon?.querySelector('span[aria-hidden="true"]')?.textContent).toBe(count);
    const { page, texts } = await openTestPage(<NoticesLink look="line" />);
    const line = page.querySelector('a');
    expect([line?.getAttribute('href'), line?.getAttribute('aria-label')]).toEqual(['/notices', label]);
    expect(texts('a')).toEqual([`Notices ${text}`.trim()]);
  });
});

describe('a notice', () => {
  let calls: { call: string; body: unknown }[];
  let status: number;

  beforeEach(async () => {
    [calls, status] = [[], 204];
    vi.stubGlobal('fetch', async (request: Request) => {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      calls.push({ call: `${request.method} ${pathname}${search}`, body: text ? JSON.parse(text) : undefined });
      if (status !== 204) return Response.json({ code: 'INVALID', message: 'x', requestId: 'r' }, { status });
      if (request.method !== 'GET') return new Response(null, { status });
      return Response.json({ notices: await stored(), unread: 0, next: null });
    });
    signInForTest('asha');
  });
  afterEach(async () => {
    await withDatabase((db) => db.delete());
    await closeDatabase();
  });

  const stored = () => withDatabase((db) => db.notices.where('owner').equals('asha').toArray());
  const readIds = async () => (await stored()).filter(({ readAt }) => readAt !== null).map(({ id }) => id);
  const store = () =>
    withDatabase(async (db) => {
      const notices = [notice(), notice({ id: '2', tenderId: '8' })];
      await storeNotices(db, 'asha', { notices, unread: 2, next: '1' });
      await storeNotices(db, 'ravi', { notices, unread: 2, next: null });
    });

  test('is read when its tender is opened, here and at the server, and is sent once', async () => {
    await store();
    await markNoticesRead('7');
    expect(await readIds()).toEqual(['1']);
    expect(calls.map(({ call }) => call)).toEqual(['POST /api/notices/read', 'GET /api/notices']);
    expect(calls[0]?.body).toEqual({ ids: ['1'] });
    await markNoticesRead('7');
    expect(calls).toHaveLength(2);
    await markNoticesRead();
    expect(await readIds()).toEqual(['1', '2']);
    expect(calls[2]?.body).toEqual({ ids: [], upTo: '2' });
    expect(await withDatabase((db) => db.notices.where('owner').equals('ravi').toArray())).toMatchObject([
      { readAt: null },
      { readAt: null },
    ]);
  });

  test('is read here also when the server fails', async () => {
    await store();
    status = 500;
    await markNoticesRead('7');
    expect(await withDatabase((db) => db.notices.get(['asha', '1']))).toMatchObject({
      readAt: expect.any(String),
      isUnsent: true,
    });
  });

  test('does not create a database on a device that has stored nothing', async () => {
    await withDatabase((db) => db.delete());
    await closeDatabase();
    await markNoticesRead('7');
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('nivida');
  });

  test('that is older is requested by the id of the oldest one; a failed request is reported to the button', async () => {
    await store();
    await loadMoreNotices();
    expect(calls.map(({ call }) => call)).toEqual(['GET /api/notices?before=1']);
    await store();
    status = 400;
    await expect(loadMoreNotices()).rejects.toThrow();
  });
});

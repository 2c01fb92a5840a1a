// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { OfficeReference } from '@nivida/contract/awards/awards';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { outboxAnswer } from '../../../data/outbox/test-outbox.ts';
import { useReachability } from '../../../data/server/reachability.ts';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { dismissToast, useToast } from '../../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../../ui/test-page.tsx';
import { FollowedOfficeList } from './FollowedOfficeList.tsx';
import { FollowOffice, UnfollowButton } from './FollowOffice.tsx';
import { setFollowed } from './follow-actions.ts';
import { followOffice, refreshOffices, visibleOffices } from './followed-offices.ts';

const officeOf = (n: number, fields: Partial<OfficeReference> = {}): OfficeReference => ({
  id: n.toString(16).padStart(12, '0'),
  ...{ key: `PWD||Division ${n}`, name: `Division ${n}`, kind: 'chain', department: 'PWD', state: 'Assam' },
  ...fields,
});
const [MANDI, KULLU] = [officeOf(1), officeOf(2)];
const BY_PIN = officeOf(3, { kind: 'pin', name: 'PIN 171001' });

let isOnline: boolean;

beforeEach(() => {
  isOnline = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  vi.stubGlobal('fetch', async (request: Request) => outboxAnswer(JSON.parse(await request.text())));
});
afterEach(async () => {
  await closeTestPages();
  clearSession();
  // without a user nothing is sent again later
  await refreshOffices();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  while (useToast.getState().current) dismissToast();
  await closeDatabase();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const toast = () => useToast.getState().current;
const followed = async (owner = '') =>
  (await withDatabase((db) => visibleOffices(db, owner))).map(({ office }) => office.name);
const follow = (office: OfficeReference, at: number) => withDatabase((db) => followOffice(db, '', office, at));

test('an office is followed and left by its button, and the visitor reads what alerts need', async () => {
  const { page, texts, press } = await openTestPage(<FollowOffice office={MANDI} />);
  const pressed = () => page.querySelector('button')?.getAttribute('aria-pressed');
  expect([texts('button, p'), pressed()]).toEqual([['Follow this office'], 'false']);
  await press('Follow this office');
  expect([texts('button, p'), pressed()]).toEqual([
    [
      'Following this office',
      'Saved on this phone. Alerts of its new tenders and results need an account with a plan or the free trial.',
    ],
    'true',
  ]);
  await expect.poll(() => followed()).toEqual(['Division 1']);
  await expect.poll(() => toast()?.text).toBe('You follow Division 1.');
  await expect.poll(pressed).toBe('true');
  await press('Following this office');
  await expect.poll(() => followed()).toEqual([]);
  await expect.poll(pressed).toBe('false');
});

test('a user reads which state the plan must cover', async () => {
  signInForTest('7');
  await withDatabase((db) => followOffice(db, '7', MANDI, 1));
  const { texts } = await openTestPage(<FollowOffice office={MANDI} />);
  await expect
    .poll(() => texts('p'))
    .toEqual(['New tenders and results come as alerts while a plan or the free trial covers Assam.']);
});

test('another office that is followed does not press the button', async () => {
  await follow(KULLU, 1);
  const { texts, button } = await openTestPage(
    <div>
      <FollowedOfficeList />
      <FollowOffice office={MANDI} />
    </div>,
  );
  await expect.poll(() => texts('li')).toHaveLength(1);
  expect(button('Follow this office').getAttribute('aria-pressed')).toBe('false');
});

test('followed offices are listed newest first, each with its page and a button that ends it', async () => {
  const { page, press } = await openTestPage(<FollowedOfficeList />);
  expect(page.innerHTML).toBe('');
  await follow(MANDI, 1);
  await follow(BY_PIN, 3);
  await follow(KULLU, 3);
  const rows = () =>
    [...page.querySelectorAll('li')].map((row) => [
      row.querySelector('a')?.textContent,
      row.querySelector('a')?.getAttribute('href'),
      row.querySelector('button')?.getAttribute('aria-label'),
    ]);
  await expect.poll(rows).toEqual([
    ['Division 2', '/analysis/offices/000000000002', 'Unfollow Division 2'],
    ['PWD, PIN 171001', '/analysis/offices/000000000003', 'Unfollow PWD, PIN 171001'],
    ['Division 1', '/analysis/offices/000000000001', 'Unfollow Division 1'],
  ]);
  await press('Unfollow PWD, PIN 171001');
  await expect.poll(() => rows().map(([name]) => name)).toEqual(['Division 2', 'Division 1']);
  await expect.poll(() => toast()?.text).toBe('You no longer follow PWD, PIN 171001.');
});

test('an office that is not followed has no button that ends it', async () => {
  const row = { owner: '', officeId: MANDI.id, office: MANDI, at: 1 };
  const { names, show } = await openTestPage(<UnfollowButton officeId={KULLU.id} followed={[row]} />);
  expect(names()).toEqual([]);
  await show(<UnfollowButton officeId={MANDI.id} followed={[row]} />);
  expect(names()).toEqual(['Unfollow Division 1']);
});

test('Undo takes back what the toast says', async () => {
  await setFollowed(MANDI, true);
  expect(toast()).toMatchObject({ text: 'You follow Division 1.', passing: true, action: { label: 'Undo' } });
  toast()?.action?.run();
  await expect.poll(() => followed()).toEqual([]);
  dismissToast();
  await follow(KULLU, 1);
  await setFollowed(KULLU, false);
  expect(toast()?.text).toBe('You no longer follow Division 2.');
  toast()?.action?.run();
  await expect.poll(() => followed()).toEqual(['Division 2']);
});

test('a user without a connection reads when the change is sent; a visitor has nothing to send', async () => {
  isOnline = false;
  await setFollowed(MANDI, true);
  expect(toast()?.text).toBe('You follow Division 1.');
  dismissToast();
  signInForTest('7');
  await setFollowed(KULLU, true);
  expect(toast()?.text).toBe('You follow Division 2. Sent when this app is open and there is a connection.');
  // a network that carries nothing
  isOnline = true;
  dismissToast();
  useReachability.setState({ status: 'unreachable' });
  await setFollowed(MANDI, true);
  expect(toast()?.text).toBe('You follow Division 1. Sent when this app is open and there is a connection.');
  useReachability.setState({ status: 'reachable' });
});

test('a 51st office is not followed, and the user reads why', async () => {
  await withDatabase(async (db) => {
    for (let n = 1; n <= 50; n++) await followOffice(db, '', officeOf(n), n);
  });
  await setFollowed(officeOf(51), true);
  expect(toast()?.text).toBe('At most 50 offices can be followed. Unfollow one first.');
  expect(await followed()).toHaveLength(50);
});

test('a phone without free storage follows no office, and the user reads why', async () => {
  await closeDatabase();
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw Object.assign(new Error('refused'), { name: 'QuotaExceededError' });
  });
  await setFollowed(MANDI, true);
  expect(toast()?.text).toBe('The storage of this phone is full, so no office can be followed.');
  expect(toast()?.action).toBeUndefined();
});

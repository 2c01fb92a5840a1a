// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { PROFILE_ID } from '@nivida/contract/bids/record-ids';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { readRecord, readRecords } from '../../data/records/record-rows.ts';
import { saveRecord } from '../../data/records/records.ts';
import { useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { BidLetters } from './BidLetters.tsx';
import type { BidLetterFacts } from './bid-letters.ts';
import { completedText } from './completed-text.ts';
import { LetterNotes } from './LetterNotes.tsx';
import type { StoredLetter } from './letter-kinds.ts';

const NOW = new Date('2026-05-10T18:30:00Z');
const BID_ID = '5f0c8a52-1c1e-4a54-9d3a-0f6f4b1f2a77';
const MONEY_ID = '0b7c1c0e-7a52-4f0e-9e5d-2f6a7d1c9b11';
const FACTS: BidLetterFacts = {
  ...{ end: 'rejected', title: 'Road', office: 'PWD', sourceTenderId: '2026_PWD_1', submittedAt: undefined },
  ...{ portalBidId: undefined, openedAt: null, contractOn: null, awardedPaise: undefined, winner: undefined },
  ...{ rejectionReason: 'GST', firm: 'Verma and Sons', address: '' },
};

afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  useToast.setState({ current: undefined });
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const stored = async (): Promise<StoredLetter[]> =>
  (await withDatabase((db) => readRecords(db, '', 'letter'))).map(({ id, fields }) => ({ ...fields, id }));
const toast = () => useToast.getState().current;

async function openLetters(
  facts: BidLetterFacts | null,
  letters: StoredLetter[] = [],
  held: Parameters<typeof BidLetters>[0]['held'] = [],
) {
  const copied: string[] = [];
  const renderCopy = (label: string, makeText: () => string) => (
    <button type="button" onClick={() => copied.push(makeText())}>
      {label}
    </button>
  );
  const depositName = (id: string) => (id === MONEY_ID ? 'EMD' : undefined);
  const props = { bidId: BID_ID, facts, held, letters, depositName, now: NOW, renderCopy };
  const page = await openTestPage(<BidLetters {...props} />);
  const learn = (more: Partial<BidLetterFacts>) =>
    page.show(<BidLetters {...props} facts={facts && { ...facts, ...more }} />);
  return { ...page, copied, learn };
}

test('a bid that is not submitted has no letters; each end offers its own', async () => {
  expect((await openLetters(null)).texts('button')).toEqual([]);
  const buttons = async (end: BidLetterFacts['end']) =>
    (await openLetters({ ...FACTS, end })).texts('[aria-haspopup="dialog"]');
  expect(await buttons('pending')).toEqual(['Clarification']);
  expect(await buttons('won')).toEqual(['Clarification', 'Grievance']);
  expect(await buttons('rejected')).toEqual(['Ask for the reasons', 'Clarification', 'Grievance', 'RTI application']);
  expect(await buttons('cancelled')).toEqual(['Ask for the reasons', 'Grievance', 'RTI application']);
  const deposit = { id: '1', kind: 'emd' as const };
  const dropped = await openLetters({ ...FACTS, end: 'dropped' }, [], [{ deposit, label: 'EMD', heldPaise: 100_000 }]);
  await dropped.press('Ask for the EMD back');
  expect(dropped.field('Letter').value).toContain('of ₹1,000 – Tender ID 2026_PWD_1');
});

test('a letter is edited, keeps what was written in each language, is shared as it stands, and is kept with the bid', async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const page = await openLetters(FACTS);
  await page.press('RTI application');
  expect(page.text()).toContain('Only a citizen may apply');
  const english = `${page.field('Letter').value}\nMy own line`;
  await page.fill({ Letter: english, Language: 'hi' });
  await expect.poll(() => page.field('Letter').lang).toBe('hi');
  expect(page.field('Letter').value).toContain('जन सूचना अधिकारी');
  await page.fill({ Language: 'en' });
  await expect.poll(() => page.field('Letter').value).toBe(english);
  await page.press('Share or copy');
  await page.press('Print');
  expect([page.copied, print.mock.calls.length]).toEqual([[english], 1]);
  expect(page.page.querySelector('[aria-hidden][lang="en"]')?.textContent).toBe(english);
  await page.fill({ 'Sent on': '2026-05-11' });
  expect(page.field('Answer due on').value).toBe('2026-06-10');
  await page.fill({ 'Answer due on': '2026-06-12' });
  await page.press('Keep');
  await expect.poll(stored).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{
        bidId: BID_ID,
        kind: 'rti',
        language: 'en',
        text: english,
        createdAt: expect.stringMatching(/^2026-05-10T18:3/),
      },
      ...{ sentOn: '2026-05-11', answerDueOn: '2026-06-12' },
    },
  ]);
  expect(toast()?.text).toBe('Kept with the bid, under Letters.');
});

test('a kept letter is marked as sent and as answered with Undo, is opened as it was kept, and can be removed', async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  await saveRecord('letter', '1', { bidId: BID_ID, kind: 'rti', language: 'hi', text: 'मेरा पत्र' }, 1);
  const page = await openLetters(FACTS, await stored());
  expect(page.texts('li p')).toEqual(['RTI application', 'हिन्दी']);
  await page.press('Open: RTI application');
  expect([page.field('Letter').value, page.field('Letter').lang]).toEqual(['मेरा पत्र', 'hi']);
  expect(page.texts('label')).not.toContain('Language');
  await page.press('Cancel');
  await page.press('I sent it');
  await expect.poll(stored).toMatchObject([{ sentOn: '2026-05-11', answerDueOn: '2026-06-10' }]);
  expect(toast()?.text).toBe('Sent. The answer is due by 10 Jun 2026.');
  const sent = await stored();
  toast()?.action?.run();
  await expect.poll(async () => (await stored())[0]?.sentOn).toBeUndefined();

  const later = await openLetters(FACTS, sent);
  expect(later.texts('li p')[1]).toBe('हिन्दी · sent 11 May 2026 · answer due 10 Jun 2026');
  await later.press('The answer came');
  await expect.poll(stored).toMatchObject([{ answeredOn: '2026-05-11' }]);
  await later.press('Remove: RTI application');
  await expect.poll(stored).toEqual([]);
});

test('facts that arrive while a letter is open fill its blanks, also around what the user has typed', async () => {
  const page = await openLetters({ ...FACTS, office: '' });
  await page.press('Grievance');
  const letter = () => page.field('Letter').value;
  expect(letter()).toContain('To\n____________\n');
  await page.learn({ office: 'PWD Rampur' });
  expect(letter()).toContain('To\nPWD Rampur\n');

  const later = await openLetters({ ...FACTS, office: '' });
  const text = () => later.field('Letter').value;
  await later.press('Grievance');
  await later.fill({ Letter: `${text()}\nMy own line` });
  await later.fill({ Language: 'hi' });
  await expect.poll(() => later.field('Letter').lang).toBe('hi');
  await later.learn({ office: 'PWD Rampur' });
  expect(text()).toContain('\nPWD Rampur\n');
  await later.fill({ Language: 'en' });
  await expect.poll(() => later.field('Letter').lang).toBe('en');
  expect(text()).toContain('To\nPWD Rampur\n');
  expect(text()).toMatch(/\nMy own line$/);
});

test.each([
  ['fills the blank that is left', 'A\n____________\nmine', 'A\nPWD\nmine'],
  ['keeps what the user wrote into the blank', 'A\nMy office\nmine', 'A\nMy office\nmine'],
  [
    'changes nothing when it cannot know which of two blanks it is',
    '____________\n____________',
    '____________\n____________',
  ],
])('a fact that arrives late %s', (_what, typed, completed) => {
  expect(completedText(typed, 'A\n____________', 'A\nPWD')).toBe(completed);
});

test('a kept letter that asks for money says for which', async () => {
  const deposit = { id: MONEY_ID, kind: 'emd' as const };
  const money = [{ deposit, label: 'EMD', heldPaise: 100_000 }];
  const page = await openLetters({ ...FACTS, end: 'dropped' }, [], money);
  await page.press('Ask for the EMD back');
  await page.press('Keep');
  await expect.poll(stored).toMatchObject([{ kind: 'return', depositId: MONEY_ID }]);
  const later = await openLetters({ ...FACTS, end: 'dropped' }, await stored(), money);
  expect(later.texts('li b')).toEqual(['Return of money (EMD)']);
});

test('a letter that the phone cannot store says so and stays open', async () => {
  const page = await openLetters(FACTS);
  await page.press('Grievance');
  await withDatabase(async (db) => {
    vi.spyOn(db.records, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'));
  });
  await page.press('Keep');
  await expect.poll(() => page.texts('[role="alert"]')).toEqual(['Not saved. Free some storage and try again.']);
  expect(await stored()).toEqual([]);
});

test('the address of the firm is kept for all letters', async () => {
  const page = await openLetters(FACTS);
  await page.fill({ "My firm's address for letters": 'Main Bazaar\nRampur' });
  await page.press('Save the address');
  const address = async () =>
    (await withDatabase((db) => readRecord(db, '', 'profile', PROFILE_ID)))?.fields.firmAddress;
  await expect.poll(address).toBe('Main Bazaar\nRampur');
});

test('after the day of an answer a note says so, with the appeal for an RTI application, until the answer came', async () => {
  await saveRecord('letter', '1', { bidId: BID_ID, kind: 'rti', answerDueOn: '2026-05-10' }, 1);
  await saveRecord('letter', '2', { bidId: BID_ID, kind: 'grievance', answerDueOn: '2026-05-09' }, 2);
  await saveRecord('letter', '3', { bidId: BID_ID, kind: 'rti', answerDueOn: '2026-05-11' }, 3);
  const notes = await openTestPage(<LetterNotes now={NOW} />);
  await expect
    .poll(() => notes.texts('p'))
    .toEqual([
      'The answer to your letter Grievance was due by 9 May 2026.',
      'The answer to your RTI application was due by 10 May 2026. A first appeal is possible within 30 days of that day (RTI Act 2005, section 19(1)).',
    ]);
  expect(notes.page.querySelector('a')?.getAttribute('href')).toBe(`/dashboard/applications/${BID_ID}#letters`);
  await notes.press('The answer came', 1);
  await expect.poll(() => notes.texts('p')).toHaveLength(1);
});

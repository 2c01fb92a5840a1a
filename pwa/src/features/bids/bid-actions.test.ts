// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { parse, safeParse } from 'valibot';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import { saveRecord } from '../../data/records/records.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { toTypedInstant } from '../../data/typed-values.ts';
import { useToast } from '../../ui/feedback/toast.ts';
import { addBidOn, bidIdOf, endReminder, moveBid, removeBid, saveBid } from './bid-actions.ts';
import { notesForm, ResultForm } from './bid-forms.ts';
import { refreshBidTenders } from './refresh-tenders.ts';

const TENDER = {
  _id: '77',
  title: 'Link road to Nirmand',
  org_name: 'PWD Division Nirmand',
  closing_date: '2026-04-15T05:30:00.000Z',
  closing_time_known: true,
} as Tender;

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const stages = async () =>
  (await withDatabase((db) => readRecords(db, '', 'bid'))).map(({ fields: { stage = 'preparing' } }) => stage);

test('a removed bid that is prepared again is in preparation, also when it was submitted', async () => {
  const id = await addBidOn(TENDER);
  expect([id, await stages()]).toEqual([bidIdOf('77'), ['preparing']]);
  await saveBid(bidIdOf('77'), { stage: 'submitted' });
  await removeBid(bidIdOf('77'));
  expect(await stages()).toEqual([]);
  await addBidOn(TENDER);
  expect(await stages()).toEqual(['preparing']);
});

test('a bid that is present keeps its stage when its tender is prepared again', async () => {
  const id = await addBidOn(TENDER);
  await saveBid(bidIdOf('77'), { stage: 'submitted' });
  expect(await addBidOn(TENDER)).toBe(id);
  expect(await stages()).toEqual(['submitted']);
});

test('a reminder that is done is removed, and comes back by Undo', async () => {
  const reminderAt = '2026-04-10T06:00:00.000Z';
  const id = await addBidOn(TENDER);
  await saveBid(bidIdOf('77'), { reminderAt });
  const reminders = async () =>
    (await withDatabase((db) => readRecords(db, '', 'bid'))).map(({ fields }) => fields.reminderAt);
  await endReminder({ id: id ?? '', reminderAt });
  expect(await reminders()).toEqual([undefined]);
  useToast.getState().current?.action?.run();
  await expect.poll(reminders).toEqual([reminderAt]);
});

test('Undo of a move does nothing for another user, and a moved-back bid has its EMD as before', async () => {
  const id = (await addBidOn(TENDER)) ?? '';
  await saveRecord('deposit', 'emd', { bidId: id, kind: 'emd', state: 'locked' }, 1);
  const deposits = async () => (await withDatabase((db) => readRecords(db, '', 'deposit'))).map(({ fields }) => fields);
  const move = async () => moveBid({ id }, 'lost', [{ id: 'emd', kind: 'emd', state: 'locked' }]);
  await move();
  const undo = useToast.getState().current?.action?.run;
  expect((await deposits())[0]?.state).toBe('due_back');
  signInForTest('8');
  undo?.();
  // A write waits for the one before it. One of the user's records would begin an exchange, which takes those of the device.
  await withDatabase((db) => db.transaction('rw', db.records, db.outbox, () => db.records.count()));
  expect(await withDatabase((db) => db.records.where('owner').equals('8').count())).toBe(0);
  clearSession();
  expect(await stages()).toEqual(['lost']);
  undo?.();
  await expect.poll(stages).toEqual(['preparing']);
  expect((await deposits())[0]).toEqual({ bidId: id, kind: 'emd', state: 'locked' });
});

test('a tender that its portal has withdrawn is asked for once, not with each sync', async () => {
  await addBidOn({ ...TENDER, _id: '78' });
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return Response.json({ code: 'NOT_FOUND', message: 'Tender not found', requestId: 'r' }, { status: 404 });
  });
  await refreshBidTenders();
  await refreshBidTenders();
  expect(asked).toEqual(['/api/tenders/78']);
});

/** The device's tenders, and the ids that the server is asked for; `answer` is its response. */
function stubServer(answer: (id: string) => Response): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const id = new URL(request.url).pathname.split('/').at(-1) ?? '';
    asked.push(id);
    return answer(id);
  });
  return asked;
}
const sendTender = (id: string) => Response.json({ tender: testTenderDetail({ _id: id, title: `Answer ${id}` }) });

test('the tenders of bids are stored as the server has them, and asked for again six hours later', async () => {
  await addBidOn({ ...TENDER, _id: '501' });
  const asked = stubServer(sendTender);
  await refreshBidTenders();
  const [row] = await withDatabase((db) => db.tenders.toArray());
  expect([row?.id, row?.tender.title]).toEqual(['501', 'Answer 501']);
  expect(Math.abs((row?.savedAt ?? 0) - Date.now())).toBeLessThan(60_000);
  await refreshBidTenders();
  expect(asked).toEqual(['501']);
  await withDatabase((db) => db.tenders.update('501', { savedAt: Date.now() - 6 * 3_600_000 }));
  await refreshBidTenders();
  expect(asked).toEqual(['501', '501']);
});

test('one sync asks for twenty tenders, stops at an error, and asks for none without a connection', async () => {
  for (let n = 0; n < 21; n += 1) await addBidOn({ ...TENDER, _id: `${600 + n}` });
  const offline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const asked = stubServer(sendTender);
  await refreshBidTenders();
  expect(asked).toEqual([]);
  offline.mockReturnValue(true);
  const failed = stubServer(() => Response.json({ message: 'No' }, { status: 500 }));
  await expect(refreshBidTenders()).rejects.toThrow();
  expect(failed).toHaveLength(1);
  const again = stubServer(sendTender);
  await refreshBidTenders();
  expect(again).toHaveLength(20);
  await refreshBidTenders();
  expect(again).toHaveLength(21);
  offline.mockRestore();
});

test('a full phone that had no room for the tender of a bid asks for it again six hours later', async () => {
  onTestFinished(() => localStorage.clear());
  await addBidOn({ ...TENDER, _id: '701' });
  const asked = stubServer(sendTender);
  await withDatabase(async (db) => {
    vi.spyOn(db.tenders, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
  });
  await expect(refreshBidTenders()).rejects.toMatchObject({ name: 'QuotaExceededError' });
  await refreshBidTenders();
  expect(asked).toEqual(['701']);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await expect(refreshBidTenders()).rejects.toThrow();
  expect(asked).toEqual(['701', '701']);
});

const toast = () => useToast.getState().current;
const failOnce = () =>
  withDatabase(async (db) => {
    vi.spyOn(db.records, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'));
  });
const NOT_SAVED = { text: 'Not saved. Free some storage and try again.' };

test('each move says where the bid is now and what else it changed', async () => {
  const id = (await addBidOn(TENDER)) ?? '';
  expect(await moveBid({ id, stage: 'preparing' }, 'submitted', [])).toBe(true);
  const moved = { action: { label: 'Undo' }, passing: true };
  expect(toast()).toMatchObject({ ...moved, text: 'Moved to Submitted. Bids are submitted at the portal, not here.' });
  await moveBid({ id, stage: 'submitted' }, 'won', []);
  expect(toast()).toMatchObject({ ...moved, text: 'Moved to Won.' });
  useToast.setState({ current: undefined });
  expect(await moveBid({ id, stage: 'won' }, 'won', [])).toBe(true);
  expect(toast()).toBeUndefined();
  await removeBid(id);
  expect(toast()).toMatchObject({ ...moved, text: 'Bid removed.' });
});

test('what the phone cannot store is said to be so, and is not done', async () => {
  await failOnce();
  expect(await addBidOn(TENDER)).toBeNull();
  expect(toast()).toEqual(NOT_SAVED);
  const id = (await addBidOn(TENDER)) ?? '';
  for (const change of [
    () => moveBid({ id, stage: 'preparing' }, 'submitted', []),
    () => removeBid(id),
    () => endReminder({ id, reminderAt: '2026-04-10T06:00:00.000Z' }),
  ]) {
    useToast.setState({ current: undefined });
    await failOnce();
    expect(await change()).toBeFalsy();
    expect(toast()).toEqual(NOT_SAVED);
  }
  expect(await stages()).toEqual(['preparing']);
});

test('a removed bid comes back by Undo with all its fields', async () => {
  const id = (await addBidOn(TENDER)) ?? '';
  await saveBid(id, { stage: 'submitted', note: 'Call' });
  await removeBid(id);
  expect(await stages()).toEqual([]);
  useToast.getState().current?.action?.run();
  await expect.poll(stages).toEqual(['submitted']);
});

const NOTES = {
  rateKind: 'percent',
  ratePaise: '',
  ratePercent: '',
  submittedAt: '',
  portalBidId: '',
  reminderAt: '',
  note: '',
};

test('the notes of a bid are saved as they are typed, each in its field, and an emptied one is removed', () => {
  const form = notesForm(new Date('2026-04-15T05:30:00Z'));
  expect(
    parse(form, {
      ...{ rateKind: 'amount', ratePaise: '9,00,000', ratePercent: '\u22124.5 %', submittedAt: '2026-04-15T11:00' },
      ...{ portalBidId: ' 4711 ', reminderAt: '2026-05-01T09:00', note: 'Call' },
    }),
  ).toEqual({
    ...{ rateKind: 'amount', ratePaise: 90_000_000, ratePercent: -4.5, submittedAt: '2026-04-15T05:30:00.000Z' },
    ...{ portalBidId: '4711', reminderAt: '2026-05-01T03:30:00.000Z', note: 'Call' },
  });
  const none = {
    ratePaise: null,
    ratePercent: null,
    submittedAt: null,
    portalBidId: null,
    reminderAt: null,
    note: null,
  };
  expect(parse(form, NOTES)).toEqual({ rateKind: 'percent', ...none });
  expect(toTypedInstant('2026-04-15T20:00:00.000Z')).toBe('2026-04-16T01:30');
  expect(toTypedInstant(undefined)).toBe('');
});

test.each([
  ['submittedAt', '2026-04-15T11:01', 'This time is in the future. Enter when you submitted it.'],
  ['ratePercent', '-100.5', 'Write percent as a number, such as -10.5'],
  ['ratePercent', '1001', 'Write percent as a number, such as -10.5'],
  ['ratePercent', 'ten', 'Write percent as a number, such as -10.5'],
])('the note %s is refused as "%s"', (name, text, message) => {
  const { issues } = safeParse(notesForm(new Date('2026-04-15T05:30:00Z')), { ...NOTES, [name]: text });
  expect(issues?.map((issue) => issue.message)).toEqual([message]);
});

test.each([
  ['2', 2],
  ['999', 999],
  ['', null],
  ['0', 'Write the rank as a number, such as 2'],
  ['1000', 'Write the rank as a number, such as 2'],
])('the rank "%s" gives %s', (rank, expected) => {
  const typed = { awardedPaise: '9,00,000', winner: 'Negi', rank, rejectionReason: '' };
  const { success, output, issues } = safeParse(ResultForm, typed);
  expect(success ? output : issues[0].message).toEqual(
    typeof expected === 'string'
      ? expected
      : { awardedPaise: 90_000_000, winner: 'Negi', rank: expected, rejectionReason: null },
  );
});

// @vitest-environment node
import { expect, test } from 'vitest';
import { type Deposit, expiryWarning, isHeld, leftPaise, placeOf, returnedPaise } from '../deposit.ts';
import { ledgerOf, moneyOfBid } from '../ledger.ts';
import { guaranteeCalendar } from './guarantee-calendar.ts';

// 11 May in India
const NOW = new Date('2026-05-10T18:30:00Z');
const GUARANTEE: Deposit = { id: '1', kind: 'performance', mode: 'bg', amountPaise: 50_000_033, state: 'locked' };

test.each([
  ['2026-08-10', null],
  ['2026-08-09', 90],
  ['2026-07-11', 90],
  ['2026-07-10', 60],
  ['2026-06-11', 60],
  ['2026-06-10', 30],
  ['2026-05-11', 30],
  ['2026-05-10', 0],
])('a guarantee until %s has the warning %s', (validUntil, warning) => {
  expect(expiryWarning({ ...GUARANTEE, validUntil }, NOW)).toBe(warning);
});

test.each<[Partial<Deposit>, number | null]>([
  [{}, 60],
  [{ kind: 'additional' }, 60],
  [{ kind: 'retention' }, 60],
  // An EMD and a deposit receipt are extended in days.
  [{ kind: 'emd' }, null],
  [{ mode: 'fdr' }, null],
  // The obligation goes on after the guarantee, ends with it, or is over.
  [{ obligationUntil: '2026-07-02' }, 60],
  [{ obligationUntil: '2026-07-01' }, null],
  [{ obligationUntil: '2026-05-01' }, null],
  [{ state: 'returned' }, null],
  [{ state: 'asked' }, 60],
  [{ validUntil: undefined }, null],
  // Renewed
  [{ validUntil: '2027-07-01' }, null],
])('60 days before the end of a guarantee with %j the warning is %s', (fields, warning) => {
  expect(expiryWarning({ ...GUARANTEE, validUntil: '2026-07-01', ...fields } as Deposit, NOW)).toBe(warning);
});

test.each<[Partial<Deposit>, string]>([
  [{ obligationUntil: '2026-05-11' }, 'locked'],
  [{ obligationUntil: '2026-05-10' }, 'due'],
  [{ obligationUntil: '2026-05-10', dueOn: '2026-05-09' }, 'overdue'],
])('the security of a work with %j is %s', (fields, place) => {
  expect(placeOf({ ...GUARANTEE, ...fields }, NOW)).toBe(place);
});

const release = (amountPaise: number) => ({ id: String(amountPaise), amountPaise, releasedOn: '2026-05-01' });

test('parts that came back leave the rest to the paisa, in the sums of a bid, an office and all', () => {
  const released = { ...GUARANTEE, releases: [release(10_000_001), release(31)] };
  expect([leftPaise(released), returnedPaise(released), isHeld(released)]).toEqual([40_000_001, 10_000_032, true]);
  expect(moneyOfBid([released])).toEqual({ heldPaise: 40_000_001, returnedPaise: 10_000_032 });
  const { sums, offices, returned } = ledgerOf([{ deposit: released, title: 'Road', office: 'PWD' }], NOW);
  expect(sums).toEqual({ held: 40_000_001, locked: 40_000_001, due: 0, overdue: 0 });
  expect([offices[0]?.sums.held, returned]).toEqual([40_000_001, 10_000_032]);
});

test('a deposit of which all parts came back is no longer held; the last part may close it too', () => {
  const whole = { ...GUARANTEE, releases: [release(20_000_000), release(30_000_033)] };
  expect([leftPaise(whole), isHeld(whole), placeOf(whole, NOW), returnedPaise(whole)]).toEqual([
    ...[0, false, 'done', 50_000_033],
  ]);
  const closed = { ...GUARANTEE, state: 'returned' as const, releases: [release(20_000_000)] };
  expect([isHeld(closed), returnedPaise(closed)]).toEqual([false, 50_000_033]);
  // Two devices may enter the same part.
  expect(leftPaise({ ...GUARANTEE, releases: [release(50_000_000), release(50_000_001)] })).toBe(0);
  expect(leftPaise({ id: '1', releases: [release(1)] })).toBeUndefined();
});

test('the calendar of a guarantee has its last day and alarms at 9 AM on the days of warning that are not past', () => {
  const guarantee = { ...GUARANTEE, validUntil: '2026-07-20', claimUntil: '2027-07-20', number: 'BG-1', bank: 'SBI' };
  const file = guaranteeCalendar(guarantee, { title: 'Road, Rampur', link: 'https://a.in/x' }, NOW);
  const lines = file.replaceAll('\r\n ', '').split('\r\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'UID:1@nivida',
      'DTSTART;VALUE=DATE:20260720',
      String.raw`SUMMARY:Bank guarantee ends: Performance security\, Road\, Rampur`,
      String.raw`DESCRIPTION:Amount: ₹5\,00\,000.33\nNumber: BG-1\nBank: SBI\nclaims until 20 Jul 2027\nhttps://a.in/x`,
    ]),
  );
  expect(lines.filter((line) => line.startsWith('TRIGGER'))).toEqual([
    'TRIGGER;VALUE=DATE-TIME:20260521T033000Z',
    'TRIGGER;VALUE=DATE-TIME:20260620T033000Z',
  ]);
  const renewed = guaranteeCalendar({ ...guarantee, validUntil: '2027-07-20' }, { title: 'Road', link: '' }, NOW);
  const version = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1]);
  expect(version(renewed)).toBeGreaterThan(version(file));
});

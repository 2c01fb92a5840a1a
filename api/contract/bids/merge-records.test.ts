import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correctStampsAhead, isAhead, newDeviceId, nextStamp, STAMP_PATTERN, stampTime } from './hybrid-clock.ts';
import {
  type BidRecordState,
  changeFields,
  correctState,
  deleteState,
  isDeleted,
  isSameState,
  mergeRecords,
} from './merge-records.ts';

const A = 'aaaaaaaaaaaaaaaa';
const B = 'bbbbbbbbbbbbbbbb';
const at = (time: number, device = A) => nextStamp(undefined, time, device);

test('stamps sort as text: by time, then by their counter, then by device', () => {
  const first = at(1_000);
  const second = nextStamp(first, 1_000, A);
  const third = nextStamp(second, 999, A);
  const sorted = [first, at(1_000, B), second, third, at(1_001), at(20_000)];
  expect(sorted).toEqual([
    '0000000001000-0000-aaaaaaaaaaaaaaaa',
    '0000000001000-0000-bbbbbbbbbbbbbbbb',
    '0000000001000-0001-aaaaaaaaaaaaaaaa',
    '0000000001000-0002-aaaaaaaaaaaaaaaa',
    '0000000001001-0000-aaaaaaaaaaaaaaaa',
    '0000000020000-0000-aaaaaaaaaaaaaaaa',
  ]);
  expect(sorted.toSorted()).toEqual(sorted);
});

test('a stamp is later than the latest one that the device has seen, also when its clock was put back', () => {
  const seen = at(5_000, B);
  const stamp = nextStamp(seen, 10, A);
  expect(stamp > seen).toBe(true);
  expect(stampTime(stamp)).toBe(5_000);
});

test('after 65,536 stamps of one millisecond the next stamp has the next millisecond', () => {
  expect(nextStamp(`0000000001000-ffff-${A}`, 1_000, B)).toBe(`0000000001001-0000-${B}`);
});

test('a later millisecond counts from zero again', () => {
  expect(nextStamp(`0000000001000-ffff-${A}`, 1_001, B)).toBe(`0000000001001-0000-${B}`);
});

test.each([-5, 0.5, 1e15, Date.parse('2026-04-15T10:00:00Z')])('a clock of %d makes a valid stamp', (now) => {
  expect(nextStamp(undefined, now, newDeviceId())).toMatch(STAMP_PATTERN);
});

test('a stamp is ahead from five minutes after the server time on', () => {
  expect([isAhead(at(300_000), 0), isAhead(at(300_001), 0)]).toEqual([false, true]);
});

test.each([
  ['the latest of the record stays', at(900_000, B), [at(900_000, B)], [at(900_000, B)]],
  [
    'one follows those that are not ahead',
    undefined,
    [at(200_000), at(900_000)],
    [at(200_000), `0000000200000-0001-${A}`],
  ],
  ['their order stays', undefined, [at(900_001), at(900_000)], [`0000000001000-0001-${A}`, `0000000001000-0000-${A}`]],
])('of corrected stamps %s', (_what, floor, given, expected) => {
  expect(given.map(correctStampsAhead(given, 1_000, A, floor))).toEqual(expected);
});

test('both changes of two devices stay when their fields differ; of one field the later change stays', () => {
  const start = changeFields(undefined, { stage: 'considering', note: 'Call the office' }, at(1));
  const onPhone = changeFields(start, { stage: 'preparing' }, at(2));
  const onLaptop = changeFields(start, { note: 'Called', stage: 'dropped' }, at(3, B));
  const merged = mergeRecords(onPhone, onLaptop);
  expect(merged.fields).toEqual({ stage: 'dropped', note: 'Called' });
  expect(mergeRecords(onLaptop, onPhone)).toEqual(merged);
});

test('if stamps are equal the present value stays, so that two copies of a device do not overwrite each other', () => {
  const [one, other] = ['Road', 'Bridge'].map((note) => changeFields(undefined, { note }, at(1)));
  expect(mergeRecords(one as BidRecordState, other as BidRecordState).fields).toEqual({ note: 'Road' });
});

test('a removed field stays removed against an earlier value, and a later value brings it back', () => {
  const start = changeFields(undefined, { note: 'Old' }, at(1));
  const removed = changeFields(start, { note: null }, at(3));
  expect(mergeRecords(changeFields(start, { note: 'Late' }, at(2, B)), removed).fields).toEqual({});
  expect(mergeRecords(changeFields(start, { note: 'New' }, at(4, B)), removed).fields).toEqual({ note: 'New' });
});

test('a deletion wins over earlier changes; a later change brings the whole record back', () => {
  const start = changeFields(undefined, { stage: 'preparing', note: 'Road' }, at(1));
  const deleted = deleteState(start, at(3));
  expect(isDeleted(mergeRecords(changeFields(start, { note: 'Bridge' }, at(2, B)), deleted))).toBe(true);
  const revived = mergeRecords(changeFields(start, { note: 'Bridge' }, at(4, B)), deleted);
  expect(isDeleted(revived)).toBe(false);
  expect(revived.fields).toEqual({ stage: 'preparing', note: 'Bridge' });
});

const stamps = fc.tuple(fc.nat(5), fc.constantFrom(A, B)).map(([time, device]) => at(time, device));
/** A value follows from its stamp, as a device issues each stamp once. */
const states: fc.Arbitrary<BidRecordState> = fc
  .record(
    { stamps: fc.dictionary(fc.constantFrom('note', 'stage', '__proto__'), stamps), deleted: stamps },
    { requiredKeys: ['stamps'] },
  )
  .map(({ stamps: byField, deleted }) => ({
    stamps: byField,
    fields: Object.fromEntries(Object.entries(byField).filter(([, stamp]) => stampTime(stamp) !== 3)),
    ...(deleted !== undefined && { deleted }),
  }));

test('the result of merges does not depend on their order, grouping or number', () => {
  fc.assert(
    fc.property(states, states, states, (one, other, third) => {
      expect(mergeRecords(one, other)).toEqual(mergeRecords(other, one));
      expect(mergeRecords(mergeRecords(one, other), third)).toEqual(mergeRecords(one, mergeRecords(other, third)));
      const merged = mergeRecords(one, other);
      expect(isSameState(mergeRecords(merged, one), merged)).toBe(true);
    }),
  );
});

test('stamps that are ahead get new ones after those of the server, in their order, and values and deletion stay', () => {
  const day = 86_400_000;
  const made = changeFields(changeFields(undefined, { stage: 'won' }, at(5)), { note: 'Road' }, at(day));
  const corrected = correctState(deleteState(made, at(day + 1)), 1_000, A, at(2_000, B));
  expect(corrected).toEqual({
    fields: { stage: 'won', note: 'Road' },
    stamps: { stage: at(5), note: `0000000002000-0001-${A}` },
    deleted: `0000000002000-0002-${A}`,
  });
});

import { ALERT_KINDS } from '@nivida/contract/push/alert-kinds';
import { HOUR_MS } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import { describe, expect, test, vi } from 'vitest';
import { recordAcceptedPushes } from '../sending/delivery-outcomes.ts';
import type { NoticeDelivery, PushDevice } from '../sending/due-deliveries.ts';
import { createPushMessages, type PushMessage } from './push-messages.ts';

const NOW = new Date('2026-11-10T22:00:00+05:30');
const MORNING = new Date('2026-11-11T07:00:00+05:30');

const delivery = (changes: Partial<NoticeDelivery> = {}): NoticeDelivery => ({
  id: '1',
  deviceId: 'device',
  tries: 0,
  kind: 'eve',
  version: 1,
  works: 1,
  detail: null,
  searchName: null,
  tenderId: 7,
  title: 'Construction of footbridge',
  sourceId: '2026_PWD_2_1',
  reference: null,
  nitKey: null,
  district: 'Shimla',
  state: 'Himachal Pradesh',
  closesAt: new Date(MORNING.getTime() + 3 * HOUR_MS),
  closingTimeKnown: true,
  isWithdrawn: false,
  isOutdated: false,
  isUnfollowed: false,
  isWanted: true,
  ...changes,
});
const plan = (deliveries: NoticeDelivery[], device: Partial<PushDevice> = {}) =>
  createPushMessages({ channel: 'push', countedToday: 0, quietUntil: null, ...device } as PushDevice, deliveries, NOW);

describe('in the quiet hours', () => {
  const closingAfter = (ms: number) =>
    plan([delivery({ closesAt: new Date(MORNING.getTime() + ms) })], { quietUntil: MORNING });

  test('a reminder waits for their end when the tender closes at least an hour after it', () => {
    expect(closingAfter(HOUR_MS)).toMatchObject({ messages: [], quiet: [{ id: '1' }], skipped: [] });
  });

  test.each([HOUR_MS - 1, 0, -HOUR_MS])('it comes at once and silently when only %d ms are left then', (ms) => {
    expect(closingAfter(ms)).toMatchObject({ messages: [{ isSilent: true }], quiet: [], skipped: [] });
  });
});

describe('the six limited messages of a day', () => {
  test.each(Object.entries(ALERT_KINDS))('end with the sixth for %s if it is limited', (kind, { isLimited }) => {
    expect(plan([delivery({ kind })], { countedToday: 5 }).messages).toHaveLength(1);
    expect(plan([delivery({ kind })], { countedToday: 6 }).messages).toHaveLength(isLimited ? 0 : 1);
  });

  test.each([
    [true, [true, false, false]],
    [false, [false, false, false]],
  ])('count one message once, with any number of notices (limited: %s)', async (isLimited, counted) => {
    const deliveries = ['1', '2', '3'].map((id) => delivery({ id }));
    const query = vi.fn(async (_text: string, _values: unknown[]) => []);
    const manager = { query };
    const message = { kind: 'match', deliveries, isLimited } as PushMessage;
    const outcome = { device: {} as PushDevice, message, nid: 'n', reply: { status: 201 } };
    await recordAcceptedPushes(manager as unknown as EntityManager, [outcome], NOW);
    expect(query.mock.calls[0]?.[1].slice(0, 2)).toEqual([['1', '2', '3'], counted]);
  });
});

test.each<[string, string, PushMessage['urgency']]>([
  ['eve', 'eve', 'normal'],
  ['eve', 'd7', 'normal'],
  ['d7', 'd7', 'low'],
  ['h3', 'd7', 'high'],
])('the message about reminders of the kinds %s and %s has the urgency %s', (kind, other, urgency) => {
  const deliveries = [delivery({ kind }), delivery({ id: '2', kind: other, tenderId: 8 })];
  expect(plan(deliveries).messages).toMatchObject([{ deliveries: [{ id: '1' }, { id: '2' }], urgency }]);
});

import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { ALERT_KINDS } from '@nivida/contract/push/alert-kinds';
import { DEFAULT_ALERT_PREFERENCES, PushPayload } from '@nivida/contract/push/push';
import { DAY_MS, HOUR_MS } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import type { NoticeDelivery, PushDevice } from '../sending/delivery.ts';
import { recordAcceptedPushes } from '../sending/delivery-outcomes.ts';
import { recipientTag } from '../subscriptions/subscriptions.service.ts';
import { messageText } from './message-texts.ts';
import { createPushMessages, type PushMessage } from './push-messages.ts';
import { createPushPayload } from './push-payload.ts';

const NOW = new Date('2026-11-10T22:00:00+05:30');
const MORNING = new Date('2026-11-11T07:00:00+05:30');

const delivery = (changes: Partial<NoticeDelivery> = {}): NoticeDelivery => ({
  id: '1',
  deviceId: 'device',
  tries: 0,
  dueAt: NOW,
  kind: 'closing_tomorrow',
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
  secondDistrict: null,
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

  test.each<[string, Partial<NoticeDelivery>]>([
    ['new tenders', { kind: 'match', closesAt: MORNING }],
    ['news of a followed office', { kind: 'office', closesAt: MORNING }],
    ['a result', { kind: 'changed', closesAt: new Date(NOW.getTime() - HOUR_MS), detail: { fields: ['result'] } }],
  ])('%s wait for their end, at any closing', (_what, changes) => {
    expect(plan([delivery(changes)], { quietUntil: MORNING })).toMatchObject({ messages: [], quiet: [{ id: '1' }] });
  });

  test('a notice that is not wanted any more does not wait, and one of the day makes a sound', () => {
    expect(plan([delivery({ isWanted: false })], { quietUntil: MORNING })).toMatchObject({
      messages: [],
      quiet: [],
      skipped: [{ id: '1' }],
    });
    expect(plan([delivery()])).toMatchObject({ messages: [{ isSilent: false }], quiet: [], skipped: [] });
  });
});

describe('of several reminders of a tender', () => {
  const sent = (...deliveries: Partial<NoticeDelivery>[]) => {
    const { messages, skipped } = plan(deliveries.map((changes, n) => delivery({ id: String(n + 1), ...changes })));
    const idsOf = (each: readonly NoticeDelivery[]) => each.map(({ id }) => id);
    return [messages.map((message) => idsOf(message.deliveries)), idsOf(skipped)];
  };

  test('only the most urgent one is sent, in any order', () => {
    expect(sent({ kind: 'closing_tomorrow' }, { kind: 'closing_in_3_hours' }, { kind: 'closing_in_3_days' })).toEqual([
      [['2']],
      ['1', '3'],
    ]);
    expect(sent({ kind: 'closing_in_3_hours' }, { kind: 'closing_tomorrow' })).toEqual([[['1']], ['2']]);
  });

  test('those of other tenders, and a change of the same tender, are sent too', () => {
    expect(sent({ kind: 'closing_tomorrow' }, { kind: 'closing_tomorrow', tenderId: 8 }, { kind: 'changed' })).toEqual([
      [['1', '2'], ['3']],
      [],
    ]);
  });
});

describe('of several changes of a tender', () => {
  const [at20, at24, at27] = ['2026-11-20', '2026-11-24', '2026-11-27'].map((day) => `${day}T11:30:00.000Z`);
  const moved = (version: number, oldClosing = '', newClosing = '', fields = ['closing_date']) => ({
    ...{ id: String(version), kind: 'changed', nitKey: 'nit 7', version, title: 'Road' },
    ...{ closesAt: new Date(at24 ?? ''), detail: { fields, oldClosing, newClosing } },
  });
  const textOf = (...changes: Partial<NoticeDelivery>[]) => {
    const [message, ...others] = plan(changes.map(delivery)).messages;
    const { title, lines } = messageText(message as PushMessage, NOW);
    return [title, ...lines, ...others];
  };

  test('one is sent, from the closing before the first to that after the last, and all are recorded as sent', () => {
    const changes = [moved(2, at20, at27), moved(3, at27, at24, ['closing_date', 'emd'])];
    for (const each of [changes, changes.toReversed()]) {
      expect(textOf(...each)).toEqual(['Closing moved to 24 Nov 2026, 5:00 PM', 'Road', 'It was 20 Nov 2026, 5:00 PM']);
      const { messages, skipped } = plan(each.map(delivery));
      expect(messages[0]?.deliveries.map(({ id }) => id).toSorted()).toEqual(['2', '3']);
      expect([messages[0]?.topic, messages[0]?.groups.map(({ works }) => works), skipped]).toEqual([
        'changed-7',
        [1],
        [],
      ]);
    }
  });

  const patchesOf = (...changes: Partial<NoticeDelivery>[]) => {
    const [message] = plan(changes.map(delivery)).messages;
    const to = { recipient: 'asha', preferences: DEFAULT_ALERT_PREFERENCES };
    const site = { origin: 'https://nivida.example', nid: 'n'.repeat(22), now: NOW };
    const { notification } = v.parse(
      PushPayload,
      JSON.parse(createPushPayload(message as PushMessage, to, site, false)),
    );
    return notification.data.patches;
  };

  test('the device gets one patch, of the last version, with the closings that it may have read in between', () => {
    expect(patchesOf(moved(2, at20, at27), moved(3, at27, at24))).toEqual([
      { tenderId: '7', version: 3, oldClosing: at20, newClosing: at24, interimClosings: [at27] },
    ]);
  });

  test.each<[string, string[], string[]]>([
    ['last', ['closing_date'], ['stage']],
    ['first', ['stage'], ['emd']],
    ['after its result', ['result'], ['stage']],
  ])('a cancellation is named, also when it came %s', (_when, fields, later) => {
    const changes = [moved(2, at20, at27, fields), moved(3, at27, at24, later)];
    expect(textOf(...changes.map((change) => ({ ...change, isWithdrawn: true })))).toEqual([
      'Tender cancelled or retendered',
      'Road',
    ]);
  });

  test('a cancellation that was revoked is not named, and not sent without another change', () => {
    const cancelled = moved(2, at20, at20, ['stage']);
    const movedLater = ['Closing moved to 24 Nov 2026, 5:00 PM', 'Road', 'It was 20 Nov 2026, 5:00 PM'];
    expect(textOf(cancelled, moved(3, at20, at24))).toEqual(movedLater);
    expect(textOf(moved(2, at20, at27, ['closing_date', 'stage']), moved(3, at27, at24))).toEqual(movedLater);
    expect(textOf(cancelled, moved(3, at20, at20, []))).toEqual(['Corrigendum to a tender', 'Road']);
    expect(textOf(cancelled, moved(3, '', '', ['result']))).toEqual(['Result is out', 'Road']);
    expect(plan([delivery(cancelled)])).toMatchObject({ messages: [], skipped: [{ id: '2' }], quiet: [] });
  });

  test('a closing that was moved back is not named', () => {
    expect(textOf(moved(2, at24, at27, ['closing_date', 'emd']), moved(3, at27, at24))).toEqual([
      'Corrigendum to a tender',
      'Road',
      'Changed: EMD',
    ]);
  });

  test('a closing that was moved back is named when nothing else changed, and the device gets it', () => {
    const changes = [moved(2, at24, at27), moved(3, at27, at24)];
    expect(textOf(...changes)).toEqual(['Closing is again 24 Nov 2026, 5:00 PM', 'Road']);
    const [message] = plan(changes.map(delivery)).messages;
    expect(inLanguage('hi', () => messageText(message as PushMessage, NOW)).title).toBe(
      'अंतिम तिथि फिर वही: 24 नवंबर 2026, शाम 5:00 बजे',
    );
    expect(patchesOf(...changes)).toEqual([
      { tenderId: '7', version: 3, oldClosing: at24, newClosing: at24, interimClosings: [at27] },
    ]);
  });

  test('those of another work of the NIT are a change of their own', () => {
    const both = [moved(2, at20, at27), moved(3, at27, at24), { ...moved(4, at20, at24), tenderId: 8 }];
    expect(textOf(...both)[0]).toBe('Closing moved to 24 Nov 2026, 5:00 PM');
    expect(plan(both.map(delivery)).messages[0]?.groups.map(({ works }) => works)).toEqual([2]);
  });
});

describe('the six limited messages of a day', () => {
  test('are counted within one run too: of two messages only the sixth is sent', () => {
    const news = [delivery({ kind: 'match' }), delivery({ id: '2', kind: 'office', tenderId: 8 })];
    const { messages, skipped } = plan(news, { countedToday: 5 });
    expect([messages.map(({ kind }) => kind), skipped.map(({ id }) => id)]).toEqual([['match'], ['2']]);
    expect(plan(news, { countedToday: 4 }).messages).toHaveLength(2);
  });

  test('do not count a message with a reminder of the last day', () => {
    const reminders = [
      delivery({ kind: 'closing_in_3_days' }),
      delivery({ id: '2', kind: 'closing_tomorrow', tenderId: 8 }),
    ];
    expect(plan(reminders, { countedToday: 6 }).messages).toMatchObject([{ isLimited: false }]);
    expect(plan(reminders.slice(0, 1)).messages).toMatchObject([{ isLimited: true }]);
  });

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
  ['closing_tomorrow', 'closing_tomorrow', 'normal'],
  ['closing_tomorrow', 'closing_in_7_days', 'normal'],
  ['closing_in_7_days', 'closing_in_7_days', 'low'],
  ['closing_in_3_hours', 'closing_in_7_days', 'high'],
])('the message about reminders of the kinds %s and %s has the urgency %s', (kind, other, urgency) => {
  const deliveries = [delivery({ kind }), delivery({ id: '2', kind: other, tenderId: 8 })];
  expect(plan(deliveries).messages).toMatchObject([{ deliveries: [{ id: '1' }, { id: '2' }], urgency }]);
});

describe('a notice that waited', () => {
  const sent = (changes: Partial<NoticeDelivery>) => plan([delivery(changes)]).messages.length === 1;
  const result = { kind: 'changed', detail: { fields: ['result'] } };

  test.each<[string, Partial<NoticeDelivery>, boolean]>([
    ['of a cancelled tender is no reminder', { isWithdrawn: true }, false],
    ['of a cancelled tender is no match', { kind: 'match', isWithdrawn: true }, false],
    ['of a cancelled tender names its change', { kind: 'changed', isWithdrawn: true }, true],
    ['of a tender that closes now is no match', { kind: 'match', closesAt: NOW }, false],
    ['of a tender that closes after now is a match', { kind: 'match', closesAt: new Date(NOW.getTime() + 1) }, true],
    ['of a closed tender is no change', { kind: 'changed', closesAt: NOW }, false],
    ['of a closed tender names its result', { ...result, closesAt: NOW }, true],
    ['of a result that is not wanted is not sent', { ...result, closesAt: NOW, isWanted: false }, false],
    ['of a result that is not followed is not sent', { ...result, closesAt: NOW, isUnfollowed: true }, false],
  ])('%s', (_name, changes, isSent) => {
    expect(sent(changes)).toBe(isSent);
  });
});

describe('the push service stores', () => {
  const days = (count: number) => new Date(NOW.getTime() + count * 24 * HOUR_MS);
  const ttl = (...deliveries: Partial<NoticeDelivery>[]) =>
    plan(deliveries.map((changes, n) => delivery({ tenderId: n + 1, ...changes }))).messages.map((each) => each.ttl);

  test('a change for a day, or until the first of its tenders closes', () => {
    expect(ttl({ kind: 'changed', closesAt: days(9) })).toEqual([86_400]);
    expect(ttl({ kind: 'changed', closesAt: days(9) }, { kind: 'changed', closesAt: days(0.5) })).toEqual([43_200]);
  });

  test('the last reminder until closing, and a match for a day at most', () => {
    expect(ttl({ kind: 'closing_in_3_hours', closesAt: days(2) })).toEqual([172_800]);
    expect(ttl({ kind: 'match', closesAt: days(2) })).toEqual([86_400]);
    expect(ttl({ kind: 'closing_tomorrow', closesAt: new Date(NOW.getTime() + 90_999) })).toEqual([90]);
  });

  test('a result for a day, and a message of the last second for a second', () => {
    expect(ttl({ kind: 'changed', detail: { fields: ['result'] }, closesAt: days(-9) })).toEqual([86_400]);
    expect(ttl({ kind: 'changed', closesAt: new Date(NOW.getTime() + 1) })).toEqual([1]);
  });
});

describe('works of one NIT', () => {
  const groups = (kind: string, ...changes: Partial<NoticeDelivery>[]) =>
    plan(changes.map((each, n) => delivery({ kind, tenderId: n + 1, nitKey: 'nit 7', ...each }))).messages.map(
      (message) => message.groups.map(({ first, works }) => [first.tenderId, works]),
    );

  test('with the same change are one entry, and with another change entries of their own', () => {
    const [emd, price] = [{ fields: ['emd'] }, { fields: ['price'] }];
    expect(groups('changed', { detail: emd }, { detail: price }, { detail: emd })).toEqual([
      [
        [1, 2],
        [2, 1],
      ],
    ]);
  });

  test('of a match are one entry with any other detail, and with another closing entries of their own', () => {
    expect(groups('match', { detail: null }, { detail: { fields: ['emd'] } })).toEqual([[[1, 2]]]);
    expect(groups('match', {}, { closesAt: new Date('2026-11-20T11:00:00+05:30') })).toEqual([
      [
        [1, 1],
        [2, 1],
      ],
    ]);
  });

  test('that new notices count are added, and another NIT is an entry of its own', () => {
    expect(groups('match', { works: 3 }, { works: 2 }, { nitKey: 'nit 8' })).toEqual([
      [
        [1, 5],
        [3, 1],
      ],
    ]);
  });
});

test('a message about one tender replaces only messages about it, and one about several those about several', () => {
  const topics = (...deliveries: Partial<NoticeDelivery>[]) =>
    plan(deliveries.map((changes, n) => delivery({ id: String(n + 1), ...changes }))).messages.map(
      ({ topic }) => topic,
    );
  expect(topics({ kind: 'changed' })).toEqual(['changed-7']);
  expect(topics({ kind: 'match' }, { kind: 'match', tenderId: 8 })).toEqual(['match-digest']);
  expect(topics({ nitKey: 'nit 7' }, { nitKey: 'nit 7', tenderId: 8 })).toEqual(['closing-7']);
});

test('the topics of two documents differ, and a push service accepts them', () => {
  const topics = ['11111111-2222-4333-8444-555555555555', '11111111-2222-4333-9444-555555555555'].map(
    (documentId) =>
      plan([delivery({ kind: 'expiry', tenderId: null, detail: { documentId, validUntil: '2026-11-17' } })]).messages[0]
        ?.topic,
  );
  expect(topics[0]).toBe('document-11111111-2222-4333-8');
  expect(topics[1]).toBe('document-11111111-2222-4333-9');
});

describe('the text of a message', () => {
  const text = (language: Language, kind: string, ...changes: Partial<NoticeDelivery>[]) => {
    const deliveries = changes.map((each, n) => delivery({ kind, tenderId: n + 1, ...each }));
    const [message] = plan(deliveries).messages;
    const { title, lines } = inLanguage(language, () => messageText(message as PushMessage, NOW));
    return [title, ...lines].join('\n');
  };
  const moved = { oldClosing: '2026-11-11T04:30:00.000Z', newClosing: '2026-11-20T05:30:00.000Z' };
  const unmoved = { oldClosing: moved.newClosing, newClosing: moved.newClosing };
  const closesAt = new Date(moved.newClosing);
  const road = { closesAt, title: 'Road', sourceId: '2026_PWD_3_1' };

  test.each<[string, Partial<NoticeDelivery>[], string, string]>([
    [
      'changed',
      [{ ...road, detail: { fields: ['closing_date'], ...moved } }],
      'Closing moved to 20 Nov 2026, 11:00 AM\nRoad\nIt was 11 Nov 2026, 10:00 AM',
      'अंतिम तिथि बदली: अब 20 नवंबर 2026, सुबह 11:00 बजे\nRoad\nपहले थी: 11 नवंबर 2026, सुबह 10:00 बजे',
    ],
    [
      'changed',
      [{ ...road, detail: { fields: ['opening_date', 'bid_start_date', 'documents'], ...unmoved } }],
      'Corrigendum to a tender\nRoad\nChanged: opening date, bid start, documents',
      'टेंडर में शुद्धिपत्र आया\nRoad\nबदलाव: बोली खुलने की तिथि, बोली शुरू होने की तिथि, दस्तावेज़',
    ],
    [
      'changed',
      [{ ...road, detail: { fields: [], ...unmoved } }],
      'Corrigendum to a tender\nRoad',
      'टेंडर में शुद्धिपत्र आया\nRoad',
    ],
    [
      'changed',
      [{ ...road, isWithdrawn: true, detail: { fields: ['closing_date', 'stage'], ...moved } }],
      'Tender cancelled or retendered\nRoad',
      'टेंडर रद्द हुआ या दोबारा निकला\nRoad',
    ],
    [
      'changed',
      [
        { ...road, detail: { fields: ['emd', 'price'], ...unmoved } },
        { closesAt, title: 'Bridge', detail: { fields: ['result'] } },
      ],
      '2 bookmarked tenders have changed\nCorrigendum to a tender: Road\nResult is out: Bridge',
      'बुकमार्क किए हुए 2 टेंडरों में बदलाव\nटेंडर में शुद्धिपत्र आया: Road\nनतीजा आ गया: Bridge',
    ],
    [
      'closing_in_3_hours',
      [
        { ...road, district: null, closesAt: MORNING },
        { title: 'Bridge', closesAt: new Date('2026-11-12T23:59:59+05:30'), closingTimeKnown: false },
      ],
      '2 tenders close soon\nClosing tomorrow · 7:00 AM: Road\n2 days left · time not stated: Bridge',
      '2 टेंडर जल्द बंद होंगे\nकल बंद होगा · सुबह 7:00 बजे तक: Road\n2 दिन बाकी · समय नहीं बताया गया: Bridge',
    ],
    [
      'closing_in_3_hours',
      [{ ...road, district: null, closesAt: MORNING }],
      'Closing tomorrow · 7:00 AM\nRoad\nHimachal Pradesh · 2026_PWD_3_1',
      'कल बंद होगा · सुबह 7:00 बजे तक\nRoad\nहिमाचल प्रदेश · 2026_PWD_3_1',
    ],
    [
      'closing_in_3_hours',
      [{ ...road, secondDistrict: 'Solan', closesAt: MORNING }],
      'Closing tomorrow · 7:00 AM\nRoad\nShimla and Solan · 2026_PWD_3_1',
      'कल बंद होगा · सुबह 7:00 बजे तक\nRoad\nशिमला और सोलन · 2026_PWD_3_1',
    ],
    [
      'closing_tomorrow',
      [{ ...road, closesAt: MORNING, works: 3, reference: 'NIT/7' }],
      'Closing tomorrow · 7:00 AM\n3 works in NIT NIT/7\nRoad\nShimla · 2026_PWD_3_1',
      'कल बंद होगा · सुबह 7:00 बजे तक\nNIT NIT/7 के 3 काम\nRoad\nशिमला · 2026_PWD_3_1',
    ],
    [
      'match',
      [
        { ...road, searchName: 'Roads', works: 2 },
        { closesAt, title: 'Bridge', searchName: 'Bridges' },
      ],
      '3 new tenders: your saved searches\n2 works in NIT 2026_PWD_3_1 · closes 20 Nov 2026, 11:00 AM\nBridge · closes 20 Nov 2026, 11:00 AM',
      '3 नए टेंडर: आपकी सहेजी खोजें\nNIT 2026_PWD_3_1 के 2 काम · बंद होगा: 20 नवंबर 2026, सुबह 11:00 बजे\nBridge · बंद होगा: 20 नवंबर 2026, सुबह 11:00 बजे',
    ],
    [
      'office',
      [
        { closesAt, title: 'Bridge', detail: { fields: ['result'], officeName: 'Kangra Zone' } },
        { ...road, detail: { fields: [], officeName: 'Central Zone' } },
      ],
      '1 new tender and 1 result: offices you follow\nRoad · closes 20 Nov 2026, 11:00 AM\nBridge · result is out',
      '1 नया टेंडर और 1 नतीजा: आपके फ़ॉलो किए हुए कार्यालय\nRoad · बंद होगा: 20 नवंबर 2026, सुबह 11:00 बजे\nBridge · नतीजा आ गया',
    ],
    [
      'office',
      [{ ...road, works: 2, detail: { fields: ['result'], officeName: 'Kangra Zone' } }],
      '2 results: Kangra Zone\n2 works in NIT 2026_PWD_3_1 · result is out',
      '2 नतीजे: Kangra Zone\nNIT 2026_PWD_3_1 के 2 काम · नतीजा आ गया',
    ],
    [
      'changed',
      [{ ...road, detail: { fields: ['price', 'emd', 'closing_date', 'a-field-of-a-newer-server'], ...unmoved } }],
      'Corrigendum to a tender\nRoad\nChanged: estimated value, EMD, closing date',
      'टेंडर में शुद्धिपत्र आया\nRoad\nबदलाव: अनुमानित लागत, EMD, बोली की अंतिम तिथि',
    ],
    [
      'changed',
      [{ ...road, closingTimeKnown: false, detail: { fields: ['closing_date'], ...moved } }],
      'Closing moved to 20 Nov 2026\nRoad\nIt was 11 Nov 2026',
      'अंतिम तिथि बदली: अब 20 नवंबर 2026\nRoad\nपहले थी: 11 नवंबर 2026',
    ],
    ['changed', [{ ...road, detail: { fields: ['result'] } }], 'Result is out\nRoad', 'नतीजा आ गया\nRoad'],
    [
      'changed',
      [{ ...road, detail: { fields: ['values'] } }],
      'Portal and documents name different estimates\nRoad\nLook which one is right before you bid',
      'पोर्टल और दस्तावेज़ों में अनुमानित मूल्य अलग-अलग है\nRoad\nबोली लगाने से पहले देखें कि कौन-सा सही है',
    ],
    [
      'match',
      [{ ...road, searchName: 'Roads' }],
      '1 new tender: Roads\nRoad · closes 20 Nov 2026, 11:00 AM',
      '1 नया टेंडर: Roads\nRoad · बंद होगा: 20 नवंबर 2026, सुबह 11:00 बजे',
    ],
    [
      'match',
      [
        { ...road, searchName: 'Roads' },
        { closesAt, closingTimeKnown: false, title: 'Bridge', searchName: 'Roads' },
      ],
      '2 new tenders: Roads\nRoad · closes 20 Nov 2026, 11:00 AM\nBridge · closes 20 Nov 2026',
      '2 नए टेंडर: Roads\nRoad · बंद होगा: 20 नवंबर 2026, सुबह 11:00 बजे\nBridge · बंद होगा: 20 नवंबर 2026',
    ],
    [
      'match',
      [{ ...road, searchName: null }],
      '1 new tender: your saved searches\nRoad · closes 20 Nov 2026, 11:00 AM',
      '1 नया टेंडर: आपकी सहेजी खोजें\nRoad · बंद होगा: 20 नवंबर 2026, सुबह 11:00 बजे',
    ],
    [
      'office',
      [
        { ...road, detail: { fields: [], officeName: 'Kangra Zone' } },
        { closesAt, title: 'Bridge', detail: { fields: [], officeName: 'Kangra Zone' } },
      ],
      '2 new tenders: Kangra Zone\nRoad · closes 20 Nov 2026, 11:00 AM\nBridge · closes 20 Nov 2026, 11:00 AM',
      '2 नए टेंडर: Kangra Zone\nRoad · बंद होगा: 20 नवंबर 2026, सुबह 11:00 बजे\nBridge · बंद होगा: 20 नवंबर 2026, सुबह 11:00 बजे',
    ],
    [
      'office',
      [{ ...road, detail: { fields: ['result'] } }],
      '1 result: offices you follow\nRoad · result is out',
      '1 नतीजा: आपके फ़ॉलो किए हुए कार्यालय\nRoad · नतीजा आ गया',
    ],
    [
      'expiry',
      [{ tenderId: null, closesAt, detail: { documentId: 'a', documentKind: 'solvency_credit', title: 'SBI' } }],
      'SBI: expires in 10 days\nValid till 20 Nov 2026. Renew it before the next bid.',
      'SBI: 10 दिन में वैधता ख़त्म\n20 नवंबर 2026 तक वैध। अगली बोली से पहले रिन्यू करा लें।',
    ],
    [
      'expiry',
      [
        { tenderId: null, closesAt, detail: { documentId: 'a', documentKind: 'solvency_credit', title: '' } },
        { tenderId: null, closesAt: MORNING, detail: { documentId: 'b', documentKind: null, title: null } },
      ],
      '2 documents of your vault expire soon\nSolvency / bank credit line: 20 Nov 2026\nA document: 11 Nov 2026',
      'आपके 2 दस्तावेज़ों की वैधता जल्द ख़त्म होगी\nसॉल्वेंसी / बैंक क्रेडिट लाइन: 20 नवंबर 2026\nदस्तावेज़: 11 नवंबर 2026',
    ],
    [
      'expiry',
      [{ tenderId: null, closesAt: MORNING, detail: { documentId: 'a', documentKind: null, title: 'SBI' } }],
      'SBI: expires in 1 day\nValid till 11 Nov 2026. Renew it before the next bid.',
      'SBI: 1 दिन में वैधता ख़त्म\n11 नवंबर 2026 तक वैध। अगली बोली से पहले रिन्यू करा लें।',
    ],
  ])('of the kind %s is the same in English and in Hindi (%#)', (kind, deliveries, english, hindi) => {
    expect(text('en', kind, ...deliveries)).toBe(english);
    expect(text('hi', kind, ...deliveries)).toBe(hindi);
  });

  test.each([
    [0, 'SBI: expires in 0 days', 'SBI: 0 दिन में वैधता ख़त्म'],
    [1, 'SBI: expires in 1 day', 'SBI: 1 दिन में वैधता ख़त्म'],
    [2, 'SBI: expires in 2 days', 'SBI: 2 दिन में वैधता ख़त्म'],
  ])('about a document that expires in %i days', (days, english, hindi) => {
    const detail = { documentId: 'a', documentKind: null, title: 'SBI' };
    const expiry = { tenderId: null, closesAt: new Date(NOW.getTime() + days * DAY_MS + HOUR_MS), detail };
    expect(text('en', 'expiry', expiry).split('\n')[0]).toBe(english);
    expect(text('hi', 'expiry', expiry).split('\n')[0]).toBe(hindi);
  });

  test.each([
    [1, '1 new tender', '1 नया टेंडर'],
    [2, '2 new tenders', '2 नए टेंडर'],
    [1_00_000, '1,00,000 new tenders', '1,00,000 नए टेंडर'],
  ])('about %i tenders', (works, english, hindi) => {
    const found = { ...road, searchName: 'Roads', works };
    expect(text('en', 'match', found).split('\n')[0]).toBe(`${english}: Roads`);
    expect(text('hi', 'match', found).split('\n')[0]).toBe(`${hindi}: Roads`);
  });

  test('has at most 120 letters in its title, and 90 in a line of several tenders', () => {
    const [title = '', first = ''] = text('en', 'match', { ...road, searchName: 'x'.repeat(200) }).split('\n');
    expect([title.length, title.at(-1), first.split(' · ')[0]]).toEqual([120, '…', 'Road']);
    const [, line = ''] = text('en', 'match', { ...road, title: 'y'.repeat(91) }).split('\n');
    expect(line.split(' · ')[0]).toBe(`${'y'.repeat(89)}…`);
  });

  test('has at most 120 letters of the title of its only tender, 45 of a NIT and 90 of the name of a document', () => {
    const long = 'z'.repeat(200);
    const [, title] = text('en', 'closing_tomorrow', { ...road, title: long }).split('\n');
    expect(title).toBe(`${'z'.repeat(119)}…`);
    const [, nit, work] = text('en', 'closing_tomorrow', { ...road, title: long, works: 2, reference: long }).split(
      '\n',
    );
    expect([nit, work]).toEqual([`2 works in NIT ${'z'.repeat(44)}…`, `${'z'.repeat(119)}…`]);
    const detail = { documentId: 'a', documentKind: null, title: long };
    const [name = ''] = text('en', 'expiry', { tenderId: null, closesAt, detail }).split(': expires');
    expect(name).toBe(`${'z'.repeat(89)}…`);
  });
});

describe('the payload of a push', () => {
  const site = { origin: 'https://nivida.example', nid: 'n'.repeat(22), now: NOW };
  const device = { recipient: 'asha', preferences: DEFAULT_ALERT_PREFERENCES };
  const payload = (deliveries: NoticeDelivery[], isShort = false) => {
    const json = createPushPayload(plan(deliveries).messages[0] as PushMessage, device, site, isShort);
    return { bytes: Buffer.byteLength(json), ...v.parse(PushPayload, JSON.parse(json)).notification };
  };
  const change = (tenderId: number, title: string): NoticeDelivery =>
    delivery({
      id: String(tenderId),
      kind: 'changed',
      tenderId,
      title,
      version: tenderId + 1,
      closesAt: new Date('2026-11-20T11:00:00+05:30'),
      detail: {
        fields: ['closing_date'],
        oldClosing: '2026-11-11T05:30:00.000Z',
        newClosing: '2026-11-20T05:30:00.000Z',
      },
    });

  test('of one tender opens it, adds it to the calendar and removes its bookmark', () => {
    const { actions, navigate, data } = payload([change(7, 'Road')]);
    const page = `https://nivida.example/tenders/7?n=${site.nid}`;
    expect(navigate).toBe(page);
    expect(actions).toEqual([
      { action: 'open', title: 'Open', navigate: page },
      { action: 'calendar', title: 'Calendar', navigate: 'https://nivida.example/tenders/7#calendar' },
      { action: 'unbookmark', title: 'Remove bookmark', navigate: page },
    ]);
    expect(data.patches).toEqual([
      { tenderId: '7', version: 8, oldClosing: '2026-11-11T05:30:00.000Z', newClosing: '2026-11-20T05:30:00.000Z' },
    ]);
  });

  test.each(['match', 'office'])('of a new tender (%s) has no bookmark that could be removed', (kind) => {
    const { actions, data } = payload([delivery({ kind })]);
    expect([actions.map(({ action }) => action), data.kind]).toEqual([['open', 'calendar'], kind]);
  });

  test('of two works of one NIT opens the first, without buttons for one of them', () => {
    const nit = { nitKey: 'nit 7', reference: 'NIT/7' };
    const { actions, navigate, tag, data } = payload([delivery(nit), delivery({ ...nit, id: '2', tenderId: 8 })]);
    expect([actions.map(({ action }) => action), navigate, tag, data.tenderIds]).toEqual([
      ['open'],
      `https://nivida.example/tenders/7?n=${site.nid}`,
      'closing-7',
      ['7', '8'],
    ]);
  });

  test('that is too large for its service has the title and the first tender only', () => {
    const { title, body, actions, data } = payload([change(7, 'Road')], true);
    expect([title, body, actions.map(({ action }) => action), data.tenderIds, data.patches]).toEqual([
      'Closing moved to 20 Nov 2026, 11:00 AM',
      '',
      ['open'],
      ['7'],
      [],
    ]);
  });

  test('is written in the language of the device, is silent in its quiet hours, and names its recipient by a tag', () => {
    const [message] = plan([delivery()], { quietUntil: MORNING }).messages;
    const late = plan([delivery({ closesAt: MORNING })], { quietUntil: MORNING }).messages[0] as PushMessage;
    expect(message).toBeUndefined();
    const hindi = { recipient: 'asha', preferences: { ...DEFAULT_ALERT_PREFERENCES, language: 'hi-IN' as const } };
    const read = (to: typeof hindi) =>
      v.parse(PushPayload, JSON.parse(createPushPayload(late, to, site, false))).notification;
    expect(read(hindi)).toMatchObject({
      ...{ title: 'कल बंद होगा · सुबह 7:00 बजे तक', lang: 'hi-IN', dir: 'ltr', tag: 'closing-7', silent: true },
      actions: [{ title: 'खोलें' }, { title: 'कैलेंडर' }, { title: 'बुकमार्क हटाएँ' }],
      data: { nid: site.nid, kind: 'closing', rcpt: recipientTag('asha') },
    });
    expect(recipientTag('asha')).toMatch(/^[\da-f]{16}$/);
    expect(read({ ...hindi, recipient: 'ravi' }).data.rcpt).not.toBe(recipientTag('asha'));
    expect(payload([delivery()]).silent).toBeUndefined();
  });

  test('of several tenders in Hindi counts the rest in Hindi', () => {
    const many = Array.from({ length: 10 }, (_, n) => delivery({ id: String(n), tenderId: n + 1 }));
    const hindi = { recipient: 'asha', preferences: { ...DEFAULT_ALERT_PREFERENCES, language: 'hi-IN' as const } };
    const json = createPushPayload(plan(many).messages[0] as PushMessage, hindi, site, false);
    expect(v.parse(PushPayload, JSON.parse(json)).notification.body.split('\n').at(-1)).toBe('और 2');
  });

  test('of several tenders opens the notices, names eight of them and counts the rest', () => {
    const { body, actions, navigate, data } = payload(
      Array.from({ length: 60 }, (_, n) => delivery({ id: String(n), tenderId: n + 1, title: `Road ${n + 1}` })),
    );
    const page = `https://nivida.example/notices?n=${site.nid}`;
    expect([navigate, actions]).toEqual([page, [{ action: 'open', title: 'Open', navigate: page }]]);
    expect(body.split('\n').map((line) => line.split(': ').at(-1))).toEqual([
      ...Array.from({ length: 8 }, (_, n) => `Road ${n + 1}`),
      'and 52 more',
    ]);
    expect(data.tenderIds).toEqual(Array.from({ length: 50 }, (_, n) => String(n + 1)));
  });

  test('has three lines at least as long as it has changes that a device need not fetch', () => {
    const changes = Array.from({ length: 40 }, (_, n) => change(n + 1, 'कार्य '.repeat(40)));
    const { body, bytes, data } = payload(changes);
    expect(bytes).toBeLessThanOrEqual(2_800);
    expect(body.split('\n')).toHaveLength(4);
    expect(body.split('\n').at(-1)).toBe('and 37 more');
    expect(data.patches.length).toBeGreaterThan(0);
    expect(data.patches[0]?.tenderId).toBe('1');
    const again = changes.map((each) => ({
      ...each,
      id: `later ${each.id}`,
      version: each.version + 1,
      detail: { ...each.detail, oldClosing: '2026-11-20T05:30:00.000Z', newClosing: '2026-11-27T05:30:00.000Z' },
    }));
    expect(payload([...changes, ...again]).bytes).toBeLessThanOrEqual(2_800);
    expect(payload([...changes, ...again]).data.patches[0]?.interimClosings).toEqual(['2026-11-20T05:30:00.000Z']);
    const short = payload(changes, true);
    expect([short.body, short.actions.length, short.data.patches, short.data.tenderIds]).toEqual(['', 1, [], ['1']]);
  });
});

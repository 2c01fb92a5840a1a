/** Histories of two or three devices of one user: steps as data, and the judgements on their end. */
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import type { RecordChangesPage, RecordChangesResponse, WireRecord } from '@nivida/contract/bids/records';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { RetentionService } from '../../src/retention/retention.service.ts';
import { createAccountRow } from '../support/accounts.ts';
import type { TestApp } from '../support/start-app.ts';
import {
  type Act,
  type Delivery,
  type DeviceState,
  liveRecords,
  type Network,
  sentBookmarks,
  TestDevice,
  World,
} from './test-device.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** At the end the devices sync until a round has changed nothing, at most so many times. */
const MAX_ROUNDS = 5;
const NOTHING_KEPT_MS = 91 * DAY_MS;

/** One step. `device` is a number; a history with fewer devices takes the rest of its division. */
export type Step =
  | { step: 'act'; device: number; what: Act }
  | { step: 'sync'; device: number; network: Network }
  | { step: 'sendClosed'; device: number; network: Network }
  | { step: 'restart'; device: number }
  | { step: 'newBuild'; device: number }
  | { step: 'clock'; device: number; errorMs: number }
  | { step: 'serverClock'; errorMs: number }
  | { step: 'wait'; ms: number }
  /** 91 days pass, and the server removes what it no longer keeps. */
  | { step: 'compact' };

export interface History {
  devices: 2 | 3;
  steps: Step[];
}

const device = fc.nat(2);
const record = fc.nat(1);
const field = fc.constantFrom('note' as const, 'winner' as const);
const value = fc.constantFrom('a', 'b', 'c', 'd', null);
const stage = fc.constantFrom('considering', 'preparing', 'submitted', 'won', null);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('set' as const), record, field, value }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('set' as const),
      record,
      field: fc.constant('stage' as const),
      value: stage,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('bookmark' as const), tender: fc.nat(1), wanted: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('rate' as const),
      row: fc.nat(1),
      value: fc.constantFrom('110', '110.5', null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('release' as const),
      release: fc.nat(2),
      paise: fc.constantFrom(1, 100),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('letter' as const), text: fc.constantFrom('x', 'y', null) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('delete' as const), record }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('restore' as const), record }) },
);
const network: fc.Arbitrary<Network> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.record({
      cutAt: fc.nat(3),
      lost: fc.constantFrom('request' as const, 'answer' as const),
      isTwice: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ isTwice: true }) },
);
const clockError = fc.constantFrom(
  0,
  30_000,
  -30_000,
  4 * MINUTE_MS,
  20 * HOUR_MS,
  -20 * HOUR_MS,
  9 * DAY_MS,
  -9 * DAY_MS,
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ step: fc.constant('act' as const), device, what: act }) },
  { weight: 8, arbitrary: fc.record({ step: fc.constant('sync' as const), device, network }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('sendClosed' as const), device, network }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('restart' as const), device }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('newBuild' as const), device }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('clock' as const), device, errorMs: clockError }) },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('serverClock' as const),
      errorMs: fc.constantFrom(0, 10 * MINUTE_MS, 9 * DAY_MS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 10 * MINUTE_MS, 3 * DAY_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('compact' as const) }) },
);

/** A change, and another one while the first is on its way. */
const overtaking: fc.Arbitrary<Step[]> = fc
  .record({ device, what: act, meanwhile: act, meanwhileAt: fc.nat(1) })
  .map(({ device, what, ...network }) => [
    { step: 'act', device, what },
    { step: 'sync', device, network },
  ]);
export const steps = fc.oneof(
  { weight: 4, arbitrary: step.map((one): Step[] => [one]) },
  { weight: 1, arbitrary: overtaking },
);

export const histories: fc.Arbitrary<History> = fc.record({
  devices: fc.constantFrom(2 as const, 2 as const, 3 as const),
  steps: fc.array(steps, { minLength: 1, maxLength: 16, size: 'max' }).map((lists) => lists.flat()),
});

/** What a history has broken, by its rule; empty when it has kept all. */
export interface Judgement {
  'D1 converged': string[];
  'D2 stable after restart': string[];
  'D3 nothing accepted is lost': string[];
}

/** True when a request or its answer has something new. */
function hasChanges({ path, body, answer }: Delivery): boolean {
  if (path === 'GET /api/bids/changes')
    return (answer as RecordChangesPage | undefined)?.records.length !== 0 && answer !== undefined;
  return Object.values((body ?? {}) as Record<string, unknown>).some((list) => Array.isArray(list) && list.length > 0);
}

export async function takeStep(world: World, devices: readonly TestDevice[], step: Step): Promise<void> {
  world.now += 1_000;
  if (step.step === 'wait') world.now += step.ms;
  else if (step.step === 'serverClock') world.serverClockError = step.errorMs;
  else if (step.step === 'compact') {
    world.now += NOTHING_KEPT_MS;
    await world.app.app.get(RetentionService).apply(new Date(world.serverNow));
  } else {
    const device = devices[step.device % devices.length] as TestDevice;
    if (step.step === 'act') await device.act(step.what);
    else if (step.step === 'sync') await device.sync(step.network);
    else if (step.step === 'sendClosed') await device.sendClosed(step.network);
    else if (step.step === 'restart') await device.restart();
    else if (step.step === 'newBuild') await device.startAfterLaterBuild();
    else device.clockError = step.errorMs;
  }
}

export async function syncAll(world: World, devices: readonly TestDevice[]): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = world.deliveries.length;
    for (const device of devices) {
      world.now += 1_000;
      await device.sync();
    }
    if (!world.deliveries.slice(before).some(hasChanges)) return;
  }
}

/** What the server has of an owner of records, without `ownerId` of the user, and of the user's bookmarks. */
export async function serverState({ app, user }: World, ownerId = user.id): Promise<Omit<DeviceState, 'unsent'>> {
  const { dataSource } = app.database;
  const rows = await dataSource.query('SELECT id, fields, stamps, deleted FROM bid_record WHERE owner_id = $1', [
    ownerId,
  ]);
  const bookmarks = await dataSource.query('SELECT tender_id FROM bookmark WHERE user_id = $1', [user.id]);
  return {
    records: liveRecords(
      rows.map((row: { deleted: string | null }) => ({ ...row, deleted: row.deleted ?? undefined })),
    ),
    bookmarks: bookmarks.map(({ tender_id }: { tender_id: string }) => String(tender_id)).sort(),
  };
}

export const stateText = (state: object) => JSON.stringify(state, (_key, value: unknown) => sorted(value));
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Bookmarks: the last change of each device has arrived, and the server has the last one that arrived. */
function lostBookmarks(world: World, bookmarks: readonly string[]): string[] {
  const sent = world.deliveries.flatMap((delivery) =>
    sentBookmarks(delivery).map((change) => ({ ...change, device: delivery.device, order: delivery.order })),
  );
  const last = <Row>(rows: readonly Row[], keyOf: (row: Row) => string) => [
    ...new Map(rows.map((row) => [keyOf(row), row])).values(),
  ];
  const unsent = last(world.bookmarkActs, ({ device, tenderId }) => `${device} ${tenderId}`).filter(
    (made) =>
      !sent.some(
        ({ device, tenderId, wanted, order }) =>
          device === made.device && tenderId === made.tenderId && wanted === made.wanted && order > made.order,
      ),
  );
  const reverted = last(sent, ({ tenderId }) => tenderId).filter(
    ({ tenderId, wanted }) => bookmarks.includes(tenderId) !== wanted,
  );
  return [
    ...unsent.map((made) => `never sent: ${JSON.stringify(made)}`),
    ...reverted.map((change) => `not on the server: ${JSON.stringify(change)}`),
  ];
}

/**
 * Records: the server has the latest stamp and value that it has ever accepted for each field. Retention erases the fields
 * of a deleted record (`isCompacted`), also when the record is set again later.
 */
function lostFields(world: World, records: DeviceState['records'], isCompacted: boolean): string[] {
  const accepted = new Map<string, { id: string; name: string; stamp: string; value: unknown }>();
  const deletions = new Map<string, string>();
  for (const { path, body, answer, status } of world.deliveries) {
    if (path !== 'POST /api/bids/changes' || status !== 200) continue;
    const { results } = answer as RecordChangesResponse;
    for (const [at, { id, fields, stamps, deleted }] of (body as { records: WireRecord[] }).records.entries()) {
      if (results[at]?.result !== 'accepted') continue;
      if (deleted !== undefined && deleted > (deletions.get(id) ?? '')) deletions.set(id, deleted);
      for (const [name, stamp] of Object.entries(stamps))
        if (stamp > (accepted.get(`${id} ${name}`)?.stamp ?? ''))
          accepted.set(`${id} ${name}`, { id, name, stamp, value: fields[name as keyof typeof fields] });
    }
  }
  const isLost = ({ id, name, stamp, value }: { id: string; name: string; stamp: string; value: unknown }) => {
    const stored = records[id] as { fields: Record<string, unknown>; stamps: Record<string, string> } | undefined;
    const isBeforeDeletion = stamp <= (deletions.get(id) ?? '');
    // A deleted record has no fields any more, unless one was changed later.
    if (!stored) return !isBeforeDeletion;
    if (isCompacted && isBeforeDeletion && stored.stamps[name] === undefined) return false;
    return (stored.stamps[name] ?? '') < stamp || (stored.stamps[name] === stamp && stored.fields[name] !== value);
  };
  return [...accepted.values()].filter(isLost).map((change) => `not on the server: ${JSON.stringify(change)}`);
}

let historyCount = 0;

/** Plays a history on new devices of a new user, and judges its end. */
export async function playHistory(
  app: TestApp,
  start: Date,
  tenderIds: readonly string[],
  { devices: deviceCount, steps }: History,
): Promise<Judgement> {
  historyCount += 1;
  const user = createAccountRow({ createdAt: start });
  await app.app.get(DataSource).getRepository(UserEntity).save(user);
  const address = `10.${(historyCount >> 16) & 255}.${(historyCount >> 8) & 255}.${historyCount & 255}`;
  const world = new World(app, user, tenderIds, address, start.getTime());
  const devices = ['phone', 'desk', 'tablet'].slice(0, deviceCount).map((name) => new TestDevice(name, world));
  for (const step of steps) await takeStep(world, devices, step);

  await syncAll(world, devices);
  const server = await serverState(world);
  const judgement: Judgement = { 'D1 converged': [], 'D2 stable after restart': [], 'D3 nothing accepted is lost': [] };
  judgement['D3 nothing accepted is lost'].push(
    ...lostBookmarks(world, server.bookmarks),
    ...lostFields(
      world,
      server.records,
      steps.some(({ step }) => step === 'compact'),
    ),
  );
  for (const device of devices) {
    const { unsent, ...state } = await device.state();
    if (unsent.length > 0) judgement['D1 converged'].push(`${device.name} has not sent ${unsent}`);
    if (stateText(state) !== stateText(server))
      judgement['D1 converged'].push(`${device.name} has ${stateText(state)}, the server ${stateText(server)}`);

    await device.restart();
    const before = world.deliveries.length;
    await device.sendClosed();
    await device.sync();
    const after = await device.state();
    if (stateText(after) !== stateText({ ...state, unsent }))
      judgement['D2 stable after restart'].push(`${device.name} had ${stateText(state)}, now ${stateText(after)}`);
    const written = world.deliveries.slice(before).filter(hasChanges);
    for (const { path, body } of written)
      judgement['D2 stable after restart'].push(`${device.name} sent ${path} ${JSON.stringify(body)}`);
  }

  // A device that has received everything makes the last change.
  const last = devices[0] as TestDevice;
  await last.act({ act: 'set', record: 0, field: 'note', value: 'the last change' });
  await last.sync();
  const end = (await serverState(world)).records[recordIdFor('bid', '0')] as { fields: { note?: string } } | undefined;
  if (end?.fields.note !== 'the last change')
    judgement['D3 nothing accepted is lost'].push(`the last change is lost to ${JSON.stringify(end)}`);
  for (const device of devices) await device.restart();
  return judgement;
}

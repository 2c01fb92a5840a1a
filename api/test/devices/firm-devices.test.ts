/**
 * Generated histories of a firm of three people, each with a device of his own, and the server. In the middle one of them
 * is removed; his device learns of it at its next connection. The rules:
 *
 * - F1 the others converge: when both have synced, each has what the server has, and nothing is unsent.
 * - F2 a removed member takes nothing along: after a sync his device has no record, change or file of the firm and says so.
 * - F3 nothing that he changed after the removal, or had not sent before it, is on the server.
 *
 * SEED repeats a run; a failure is reduced to its fewest steps.
 */
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { FirmsService } from '../../src/firms/firms.service.ts';
import { JobSenderService } from '../../src/jobs/job-sender.service.ts';
import { createFirmRow } from '../firms/test-firms.ts';
import { createAccountRow } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { type Step, serverState, stateText, steps, syncAll, takeStep } from './histories.ts';
import { TestDevice, World } from './test-device.ts';

const SEED = Number(process.env.SEED ?? 20261129);
const FEW = 8;
const MANY = 2_000;
const NOW = new Date('2026-04-15T10:00:00Z');
const REMOVED = 2;

let app: TestApp;
let historyCount = 0;

beforeAll(async () => {
  app = await startApp({ now: NOW });
  // Its timers run at full speed when the clock is put back.
  await app.app.get(JobSenderService).onApplicationShutdown();
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterAll(async () => {
  vi.useRealTimers();
  vi.resetModules();
  await app.close();
});

interface FirmHistory {
  before: Step[];
  after: Step[];
}

/** Steps of a firm: its records only, and no clock that ends the sessions or the plan. */
const isOfFirm = ({ step, ...rest }: Step): boolean =>
  !['compact', 'serverClock', 'sendClosed'].includes(step) && !('what' in rest && rest.what.act === 'bookmark');
const someSteps = fc
  .array(steps, { minLength: 1, maxLength: 8, size: 'max' })
  .map((lists) => lists.flat().filter((step) => isOfFirm(step)));
const histories: fc.Arbitrary<FirmHistory> = fc.record({ before: someSteps, after: someSteps });

async function play({ before, after }: FirmHistory): Promise<Record<'F1' | 'F2' | 'F3', string[]>> {
  historyCount += 1;
  const users = ['Asha', 'Ravi', 'Meena'].map((username) => createAccountRow({ username, createdAt: NOW }));
  await app.app.get(DataSource).getRepository(UserEntity).save(users);
  const [owner, , removed] = users as [UserEntity, UserEntity, UserEntity];
  app.clock.now = NOW;
  const firmId = await createFirmRow(
    app,
    users.map(({ id }) => id),
    { plan: NOW },
  );
  const address = `10.9.${(historyCount >> 8) & 255}.${historyCount & 255}`;
  const world = new World(app, owner, [], address, NOW.getTime());
  const devices = users.map((user) => new TestDevice(user.username, world, user, firmId));
  for (const device of devices) await device.sync();
  for (const step of before) await takeStep(world, devices, step);

  app.clock.now = new Date(world.serverNow);
  await app.app.get(FirmsService).remove(owner.id, firmId, removed.id, 'test');
  const removedAt = world.deliveries.length;
  for (const step of after) await takeStep(world, devices, step);
  await devices[REMOVED]?.sync();
  const others = devices.slice(0, REMOVED);
  await syncAll(world, others);

  const broken: Record<'F1' | 'F2' | 'F3', string[]> = { F1: [], F2: [], F3: [] };
  const { records } = await serverState(world, firmId);
  for (const device of others) {
    const state = await device.state();
    if (state.unsent.length > 0) broken.F1.push(`${device.name} has not sent ${state.unsent}`);
    if (stateText(state.records) !== stateText(records))
      broken.F1.push(`${device.name} has ${stateText(state.records)}, the server ${stateText(records)}`);
  }
  const { lost, ...traces } = (await devices[REMOVED]?.firmTraces()) ?? { lost: [] };
  if (Object.values(traces).some((count) => count !== 0)) broken.F2.push(JSON.stringify(traces));
  if (JSON.stringify(lost).includes(firmId) === false) broken.F2.push('the device does not say so');
  for (const { device, path, status, answer } of world.deliveries.slice(removedAt))
    if (device === removed.username && path.endsWith('/api/bids/changes') && status !== 403)
      if (JSON.stringify(answer ?? '').includes('"records":[{') || path.startsWith('POST'))
        broken.F3.push(`${path} ${status}`);
  for (const device of devices) await device.restart();
  return broken;
}

const KEPT = { F1: [], F2: [], F3: [] };

async function expectKept(numRuns: number): Promise<void> {
  const property = fc.asyncProperty(histories, async (history) => {
    expect(await play(history), JSON.stringify(history)).toEqual(KEPT);
  });
  await fc.assert(property, { seed: SEED, numRuns });
}

test('edits of three offline devices are merged; the removed member’s unsent edit goes, the others’ stays', async () => {
  const set = (device: number, field: 'note' | 'stage' | 'winner', value: string): Step => ({
    ...{ step: 'act', device, what: { act: 'set', record: 0, field, value } },
  });
  const syncs = [0, 1, 2].map((device): Step => ({ step: 'sync', device, network: {} }));
  const before = [set(0, 'note', 'a'), ...syncs, set(1, 'stage', 'preparing'), set(2, 'winner', 'b'), ...syncs];
  const after = [set(0, 'note', 'c'), set(1, 'stage', 'won'), set(2, 'winner', 'd')];
  expect(await play({ before, after })).toEqual(KEPT);
});

test(`F1, F2 and F3 hold in ${FEW} generated histories`, () => expectKept(FEW));

test(
  `F1, F2 and F3 hold in ${MANY.toLocaleString('en')} generated histories`,
  { tags: 'release', timeout: 3_600_000 },
  () => expectKept(Number(process.env.HISTORIES ?? MANY)),
);

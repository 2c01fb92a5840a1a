import type { PlanState } from '@nivida/contract/orders/order';
import { afterEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { CurrentPlan } from './CurrentPlan.tsx';

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const STATE: PlanState = {
  ...{ planId: 'basic', isTrial: false, isGift: false, states: ['Assam'], downloadsUsed: 0, downloadsPerMonth: 10 },
  ...{ startsAt: '2026-04-01T00:00:00Z', endsAt: '2027-04-01T00:00:00Z', statesChangeableAt: '2026-05-01T00:00:00Z' },
};
const LOCKED: Partial<PlanState> = { statesChangeableAt: '2026-05-31T00:00:00Z' };
const FIELD = 'State of the plan';

/** Shows a plan on 10 May 2026. */
const openPlan = (change: Partial<PlanState> | null = {}, onChange = async () => {}) =>
  openTestPage(
    <CurrentPlan {...{ state: change && { ...STATE, ...change }, now: new Date('2026-05-10T00:00:00Z'), onChange }} />,
  );

/** Opens the form that changes the states; `save` chooses a state and submits it. */
async function changeStates(change: Partial<PlanState> = {}, onChange = async () => {}) {
  const plan = await openPlan(change, onChange);
  await plan.press(change.states ? 'Choose states' : 'Change states');
  const save = async (state: string) => {
    await plan.enter(FIELD, state);
    await plan.press('Save states');
  };
  return { ...plan, save, hasForm: () => plan.page.querySelector('form') !== null };
}

test('a choice of no state is refused with its reason', async () => {
  const { save, errorAt } = await changeStates();
  await save('');
  expect(errorAt(FIELD)).toBe('State is required');
});

test('states that the server refuses stay in the form with the reason, and the form closes when they are saved', async () => {
  const answers = [
    Response.json({ code: 'CONFLICT', message: 'States can be changed once in 30 days' }, { status: 409 }),
    Response.json(STATE),
  ];
  vi.stubGlobal('fetch', async () => answers.shift());
  const { save, text, field, hasForm } = await changeStates();
  await save('Odisha');
  await expect.poll(text).toContain('States can be changed once in 30 days');
  expect(field(FIELD).value).toBe('Odisha');
  await save('Odisha');
  await expect.poll(hasForm).toBe(false);
});

test('changed states are sent, the plan is loaded again, and then the form closes', async () => {
  const calls: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    calls.push([request.method, new URL(request.url).pathname, await request.json()]);
    return Response.json(STATE);
  });
  const loaded = Promise.withResolvers<void>();
  const loads: string[] = [];
  const { save, hasForm } = await changeStates({}, () => {
    loads.push('plan');
    return loaded.promise;
  });
  await save('Odisha');
  await expect.poll(() => loads).toEqual(['plan']);
  expect(calls).toEqual([['PUT', '/api/plan/states', { states: ['Odisha'] }]]);
  expect(hasForm()).toBe(true);
  loaded.resolve();
  await expect.poll(hasForm).toBe(false);
});

test('a choice that is given up sends nothing, and the next one begins with the states of the plan', async () => {
  const calls: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => calls.push(request));
  const { enter, press, field, hasForm } = await changeStates();
  await enter(FIELD, 'Odisha');
  await press('Cancel');
  expect(hasForm()).toBe(false);
  await press('Change states');
  expect([field(FIELD).value, calls]).toEqual(['Assam', []]);
});

test('without a connection the states cannot be changed, and nothing is sent later', async () => {
  const calls: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => calls.push(request));
  const { save, texts } = await changeStates();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await save('Odisha');
  await expect
    .poll(() => texts('[role="alert"]'))
    .toEqual(['You are offline: this needs a connection. Nothing was sent.']);
  expect([(await openPlan()).button('Change states').disabled, calls]).toEqual([true, []]);
});

test('a failure without a reason says what failed', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }));
  const { save, texts } = await changeStates();
  await save('Odisha');
  await expect.poll(() => texts('[role="alert"]')).toEqual(['Failed to change the states']);
});

test.each<[string, Partial<PlanState>, string[]]>([
  ['that can be replaced', {}, ['After you replace a state, you can change again after 30 days.']],
  [
    'with room for more, whose others are locked',
    { planId: 'premium', ...LOCKED },
    ['You can add states now, and replace one from 31 May 2026.', 'Assam'],
  ],
  ['that has none yet', { states: [], ...LOCKED }, []],
])('the form of a plan %s says when its states can be replaced', async (_what, change, shown) => {
  const { texts } = await changeStates(change);
  expect(texts('form p')).toEqual(shown);
});

test('the downloads of the month are shown as a share, too', async () => {
  const { page } = await openPlan({ downloadsUsed: 3 });
  const bar = page.querySelector('progress');
  expect([bar?.getAttribute('value'), bar?.getAttribute('max')]).toEqual(['3', '10']);
  expect(page.querySelector(`[id="${bar?.getAttribute('aria-labelledby')}"]`)?.textContent).toBe(
    '3 of 10 document downloads used this month',
  );
  expect(page.querySelector('a')?.getAttribute('href')).toBe('/pricing');
});

test('an account without a plan reads what is free, and finds the plans', async () => {
  const { texts, names, page } = await openPlan(null);
  expect(texts('p')).toEqual(['No plan. Searching, reading and reminders are free; a plan adds alerts and downloads.']);
  expect([names(), page.querySelector('a')?.getAttribute('href')]).toEqual([['See plans'], '/pricing']);
});

test.each<[string, Partial<PlanState>, string]>([
  [
    'with its downloads of the month',
    { downloadsUsed: 3 },
    'Basic until 1 Apr 2027 | 3 of 10 document downloads used this month | States: Assam | Change states | Extend or change the plan',
  ],
  [
    'whose state is locked',
    LOCKED,
    'Basic until 1 Apr 2027 | 0 of 10 document downloads used this month | States: Assam Can be changed from 31 May 2026. | Extend or change the plan',
  ],
  [
    'with room for a state, although the others are locked',
    { planId: 'premium', downloadsPerMonth: null, ...LOCKED },
    'Premium until 1 Apr 2027 | 0 document downloads this month, without a monthly limit. | States: Assam Can be changed from 31 May 2026. | Change states | Extend or change the plan',
  ],
  [
    'without a state',
    { states: [], ...LOCKED },
    'Basic until 1 Apr 2027 | 0 of 10 document downloads used this month | States: No state chosen yet Can be changed from 31 May 2026. | Choose states | Extend or change the plan',
  ],
  [
    'for all of India',
    { planId: 'enterprise', states: [], downloadsUsed: 7, downloadsPerMonth: null, statesChangeableAt: null },
    'Enterprise until 1 Apr 2027 | 7 document downloads this month, without a monthly limit. | States: All India | Extend or change the plan',
  ],
  [
    'on trial',
    { isTrial: true, downloadsPerMonth: 0 },
    'Basic Trial until 1 Apr 2027 | Document downloads are not included in the trial. | States: Assam | See plans',
  ],
  [
    'on trial without a state',
    { isTrial: true, downloadsPerMonth: 0, states: [], ...LOCKED },
    'Basic Trial until 1 Apr 2027 | Document downloads are not included in the trial. | States: No state chosen yet | See plans',
  ],
])('a plan %s is shown with what it includes and what can be changed now', async (_what, change, text) => {
  expect((await openPlan(change)).texts('p, button, a').join(' | ')).toBe(text);
});

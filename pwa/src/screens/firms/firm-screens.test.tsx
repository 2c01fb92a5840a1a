// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Firm } from '@nivida/contract/firms/firms';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { firmListKey } from '../../data/firms/firm-list.ts';
import { chooseSpace, currentRecordOwner } from '../../data/firms/space.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { FirmPanel } from '../../features/firms/FirmPanel.tsx';
import { SpaceSwitch } from '../../features/firms/SpaceSwitch.tsx';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { FirmPlan } from './FirmPlan.tsx';

const ASHA = { id: 'asha', name: 'Asha Verma', role: 'owner', joinedAt: '2026-01-01T00:00:00.000Z' } as const;
const RAVI = { id: 'ravi', name: 'Ravi Negi', role: 'member', joinedAt: '2026-02-01T00:00:00.000Z' } as const;
const FIRM: Firm = {
  ...{ id: '5f0c8a52-1c1e-4a54-9d3a-0f6f4b1f2a77', name: 'Negi Roads', address: '', gstin: '', role: 'owner' },
  ...{ members: [ASHA, RAVI], formerMembers: [], invitations: [], planEndsAt: null, canWrite: false },
};
const WITH_PLAN: Firm = { ...FIRM, planEndsAt: '2027-04-10T06:00:00.000Z', canWrite: true };
const OFFER = {
  ...{ pricePaise: 2_999_900, totalPaise: 2_402_700 },
  credits: [{ planId: 'premium', unusedDays: 200, paise: 597_200 }],
  invoice: { firm: 'Negi Roads', address: 'Shimla', gstin: '' },
};

/** Calls as 'METHOD path body'. */
let calls: string[];
let answers: Record<string, unknown>;
beforeEach(() => {
  calls = [];
  answers = {};
  vi.stubGlobal('fetch', async (given: Request | string) => {
    const request = given instanceof Request ? given : new Request(new URL(given, location.origin));
    const { pathname } = new URL(request.url);
    calls.push([request.method, pathname, await request.text()].filter(Boolean).join(' '));
    return Response.json(answers[pathname] ?? {});
  });
  signInForTest('asha');
});
afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  chooseSpace(undefined);
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const openPanel = (firm: Firm, isMain = true) =>
  openTestPage(
    <FirmPanel userId="asha" firm={firm} isMain={isMain} plan={null} action={null}>
      {null}
    </FirmPanel>,
  );
const mainButtons = (page: HTMLElement) =>
  [...page.querySelectorAll('[data-look="main"]')].map(({ textContent }) => textContent);

describe('the panel of a firm', () => {
  test('lets an owner change roles, remove and invite; a member reads the roles and leaves', async () => {
    const owner = await openPanel(WITH_PLAN);
    expect(owner.names('button')).toEqual([
      ...['Leave', 'Remove Ravi Negi', 'Invite', 'Name and invoice data', 'Export all records'],
    ]);
    answers[`/api/firms/${FIRM.id}/members/ravi`] = WITH_PLAN;
    await owner.enter('Role of Ravi Negi', 'owner');
    await expect.poll(() => calls).toContain(`PUT /api/firms/${FIRM.id}/members/ravi {"role":"owner"}`);

    const member = await openPanel({ ...WITH_PLAN, role: 'member', members: [{ ...ASHA, role: 'member' }, RAVI] });
    expect(member.names('button')).toEqual(['Leave']);
    expect(member.texts('li p')).toEqual(['Asha Verma You Member', 'Ravi Negi Member']);
  });

  test('has one main button: Invite with a plan, none without one or beside another firm', async () => {
    expect(mainButtons((await openPanel(WITH_PLAN)).page)).toEqual(['Invite']);
    expect(mainButtons((await openPanel(FIRM)).page)).toEqual([]);
    expect(mainButtons((await openPanel(WITH_PLAN, false)).page)).toEqual([]);
  });

  test('offers the end of a firm to its last member, and no place when all five are taken', async () => {
    expect((await openPanel({ ...WITH_PLAN, members: [ASHA] })).names('button')).toContain('Close the firm');
    const invited = { email: 'kiran@example.in', role: 'member', expiresAt: '2026-05-01T00:00:00.000Z' } as const;
    const full = await openPanel({ ...WITH_PLAN, invitations: ['1', '2', '3'].map((id) => ({ ...invited, id })) });
    expect(full.button('Invite').disabled).toBe(true);
    expect(full.texts('p')).toContain('All 5 places are taken.');
  });
});

describe('the plan of a firm', () => {
  const openPlan = (firm: Firm) => openTestPage(<FirmPlan firm={firm} userId="asha" isMain />);

  test('is offered to its owners with the credit line by line, and ordered at the server’s price', async () => {
    answers[`/api/firms/${FIRM.id}/plan-offer`] = OFFER;
    const plan = await openPlan(FIRM);
    expect(mainButtons(plan.page)).toEqual(['Plan for the firm']);
    await act(async () => plan.button('Plan for the firm').click());
    await expect
      .poll(() => [...document.querySelectorAll('dialog tr, [role="dialog"] tr')].map(({ textContent }) => textContent))
      .toEqual([
        ...['Firm plan, one year₹29,999.00', 'Credit: Premium plan, 200 unused days-₹5,972.00'],
        'To pay, tax included₹24,027.00',
      ]);
    await act(async () => plan.button('Pay ₹24,027.00').click());
    await expect
      .poll(() => calls.find((call) => call.startsWith('POST /api/create-order')))
      .toMatch(new RegExp(`"amount":24027.*"firmId":"${FIRM.id}"|"firmId":"${FIRM.id}".*"amount":24027`));
  });

  test('says until when it lasts; an owner adds a year, and members cannot buy', async () => {
    const present = await openPlan(WITH_PLAN);
    expect(present.texts('p')).toEqual(['Firm plan until 10 Apr 2027']);
    expect(mainButtons(present.page)).toEqual([]);
    expect(present.names('button')).toEqual(['Add a year to the plan']);
    expect((await openPlan({ ...FIRM, role: 'member' })).names('button')).toEqual([]);
  });
});

describe('the switch of spaces', () => {
  test('names the shown firm and changes it; a user of no firm gets the link to firms where it is wanted', async () => {
    expect((await openTestPage(<SpaceSwitch onlyChoice />)).names()).toEqual([]);
    const lonely = await openTestPage(<SpaceSwitch />);
    await expect.poll(() => lonely.names()).toEqual(['Work with others of my firm']);
    await withDatabase((db) => db.settings.put({ key: firmListKey('asha'), value: [FIRM] }));
    const page = await openTestPage(<SpaceSwitch onlyChoice />);
    await expect.poll(() => page.texts('option')).toEqual(['My own', 'Negi Roads']);
    await page.enter('Shown here', FIRM.id);
    expect(currentRecordOwner()).toBe(`asha ${FIRM.id}`);
    await expect.poll(page.text).toContain('This firm has no plan');
  });
});

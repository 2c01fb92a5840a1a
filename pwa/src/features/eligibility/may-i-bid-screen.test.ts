// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { EMPTY_BID_PROFILE } from '@nivida/contract/rules/may-i-bid';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, useDatabaseState, withDatabase } from '../../data/device/database.ts';
import { figuresConsentRow } from '../../data/records/figures-consent.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { changeBidProfile, readBidProfile, saveBidProfile } from './bid-profile.ts';
import { MayIBid } from './MayIBid.tsx';
import { answerSendQuestion } from './send-figures.ts';

const ends: (() => Promise<void>)[] = [];

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete()).catch(() => undefined);
  await closeDatabase();
});

const stored = (owner = '') => withDatabase((db) => readBidProfile(db, owner));
const toast = () => useToast.getState().current?.text;

/** Shows the part on 12 April 2026. Fields are found by their label, forms by their button. */
async function open(tender: Partial<Tender> = {}) {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const props = { tender: testTenderDetail(tender), now: new Date('2026-04-12T09:00:00+05:30') };
  const router = createMemoryRouter([{ path: '/', element: createElement(MayIBid, props) }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  ends.push(async () => {
    await act(async () => root.unmount());
    page.remove();
  });
  const textOf = ({ textContent }: Element) => textContent?.replace(/\s+/g, ' ').trim() ?? '';
  const texts = (selector: string) => [...page.querySelectorAll(selector)].map(textOf);
  const field = (label: string, form = 'Add') => {
    const labels = [...page.querySelectorAll('form')]
      .filter((each) => textOf(each.querySelector('[type="submit"]') as Element).startsWith(form))
      .flatMap((each) => [...each.querySelectorAll('label')]);
    const id = labels.find((each) => textOf(each).startsWith(label))?.getAttribute('for');
    return document.getElementById(id ?? '') as (HTMLInputElement & HTMLSelectElement) | null;
  };
  return {
    page,
    texts,
    field,
    error: (label: string, form?: string) =>
      document.getElementById(field(label, form)?.getAttribute('aria-describedby') ?? '')?.textContent ?? null,
    fill: async (values: Record<string, string>, form?: string) => {
      for (const [label, value] of Object.entries(values)) {
        const control = field(label, form) as HTMLInputElement;
        control.value = value;
        const event = control.tagName === 'SELECT' ? 'change' : 'input';
        await act(async () => void control.dispatchEvent(new Event(event, { bubbles: true })));
      }
    },
    submit: (button: string) =>
      act(async () =>
        [...page.querySelectorAll('form')]
          .find((each) => textOf(each.querySelector('[type="submit"]') as Element) === button)
          ?.requestSubmit(),
      ),
    press: (name: string) =>
      act(async () =>
        [...page.querySelectorAll('button')]
          .find((each) => (each.getAttribute('aria-label') ?? textOf(each)) === name)
          ?.click(),
      ),
    entries: () => texts('li > span:first-child:not([aria-hidden])'),
  };
}

const AMOUNT = 'Write rupees as a number, such as 25,00,000';

describe('the answer', () => {
  test('is a question with its reasons while nothing is entered', async () => {
    const { texts, page } = await open();
    expect(texts('[data-tone="amber"]')[0]).toBe('Ask');
    expect(texts('li[data-tone]')).toEqual([
      '?You entered no enlistment of Himachal Pradesh PWD.',
      '?Similar works: you entered none.',
      '?Turnover: enter the last 3 financial years.',
      '?Bid capacity: the portal names no period of work.',
    ]);
    expect(page.querySelector('section')?.getAttribute('aria-labelledby')).toBe('may-i-bid');
    expect(page.textContent).not.toContain('Send to my account');
    expect(page.textContent).not.toContain('stay on this phone only');
  });

  test('is no above the limit of the certificate, with its own sign and colour', async () => {
    const enlistment = {
      ...{ id: '1', authority: 'hp_pwd', className: '', ownLimit: 1_000_000 },
      validUntil: '2099-12-31',
    };
    await saveBidProfile((profile) => ({ ...profile, enlistments: [enlistment] }));
    const { texts } = await open();
    await expect
      .poll(() => texts('[data-tone="red"]'))
      .toEqual([
        'No, by what you entered',
        '✗The estimate ₹11.75 Lakh is above the limit ₹10.00 Lakh of your enlistment of Himachal Pradesh PWD.',
      ]);
  });

  test('names the rule of a reason, and none for own figures', async () => {
    const enlistment = {
      ...{ id: '1', authority: 'hp_jal_shakti', className: 'B', ownLimit: null },
      validUntil: '2099-12-31',
    };
    await saveBidProfile((profile) => ({ ...profile, enlistments: [enlistment] }));
    const { texts } = await open({ department: 'Irrigation & Public Health' });
    await expect
      .poll(() => texts('li[data-tone] small'))
      .toEqual(['Rule: press report (Punjab Kesari) of September 2018. Check the NIT.']);
  });
});

describe('an enlistment', () => {
  test('is added with what is entered, listed, and its form is emptied', async () => {
    const { fill, submit, entries, field, texts, page } = await open();
    expect(texts('h3')).toEqual(['Enlistments', 'Works done in the last 7 years', 'Turnover and works in hand']);
    await fill({ 'Enlisted at': 'hp_jal_shakti' });
    expect(page.textContent).toContain('limits from 1 Sep 2018, press report (Punjab Kesari) of September 2018');
    expect([...(field('Class')?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent)).toEqual([
      ...['Not chosen', 'A', 'B', 'C', 'D'],
    ]);
    const certificate = { For: 'electrical', Class: 'B', 'Limit in my certificate': '₹ 25,00,000.50' };
    await fill({ ...certificate, 'Valid until': '2027-03-31' });
    await submit('Add enlistment');
    await expect
      .poll(entries)
      .toEqual(['Himachal Pradesh Jal Shakti Vibhag, Electrical works, class B, up to ₹25.00 Lakh, until 31 Mar 2027']);
    expect((await stored()).enlistments).toEqual([
      {
        ...{ id: expect.any(String), authority: 'hp_jal_shakti', trade: 'electrical', className: 'B' },
        ...{ ownLimit: 2_500_000.5, validUntil: '2027-03-31' },
      },
    ]);
    const values = () =>
      ['Enlisted at', 'For', 'Limit in my certificate', 'Valid until'].map((each) => field(each)?.value);
    await expect.poll(values).toEqual(['', '', '', '']);
    expect(field('Class')).toBeNull();
  });

  test('needs its office only; a class belongs to the chosen office', async () => {
    const { fill, submit, entries, error, field } = await open();
    await submit('Add enlistment');
    expect(error('Enlisted at')).toBe('Choose the office');
    await fill({ 'Enlisted at': 'hp_jal_shakti', Class: 'B' });
    expect(error('Enlisted at')).toBeNull();
    await fill({ 'Enlisted at': 'odisha_works' });
    expect(field('Class')?.value).toBe('');
    await fill({ 'Enlisted at': 'hp_pwd' });
    expect(field('Class')).toBeNull();
    await submit('Add enlistment');
    await expect.poll(entries).toEqual(['Himachal Pradesh PWD']);
    expect((await stored()).enlistments).toEqual([
      { id: expect.any(String), authority: 'hp_pwd', className: '', ownLimit: null, validUntil: '' },
    ]);
  });

  test.each([
    ['Limit in my certificate', '25 lakh', AMOUNT],
    ['Limit in my certificate', '1.234', AMOUNT],
    ['Limit in my certificate', '-5', AMOUNT],
    ['Limit in my certificate', '1000000000001', AMOUNT],
    ['Valid until', '0202-12-31', 'Check the year'],
  ])('with %s "%s" is refused: %s', async (label, value, message) => {
    const { fill, submit, entries, error } = await open();
    await fill({ 'Enlisted at': 'hp_pwd', [label]: value });
    await submit('Add enlistment');
    expect(error(label)).toBe(message);
    expect(entries()).toEqual([]);
  });

  test('is removed by its own button, and the others stay', async () => {
    const { press, entries, fill, submit, field } = await open();
    for (const office of ['hp_pwd', 'cpwd', 'assam_pwd']) {
      await fill({ 'Enlisted at': office });
      await submit('Add enlistment');
      await expect.poll(() => field('Enlisted at')?.value).toBe('');
    }
    await expect.poll(entries).toEqual(['Himachal Pradesh PWD', 'CPWD', 'Assam PWD']);
    await press('Remove CPWD');
    await expect.poll(entries).toEqual(['Himachal Pradesh PWD', 'Assam PWD']);
  });
});

describe('a completed work', () => {
  const WORK = { Work: ' Road to Theog ', Client: 'HPPWD Rampur', Value: '5,00,000', 'Completed on': '2025-03-31' };

  test('is added with or without its client, listed, and removed', async () => {
    const { fill, submit, entries, press, field } = await open();
    await fill(WORK);
    await submit('Add work');
    await expect.poll(entries).toEqual(['Road to Theog, for HPPWD Rampur, ₹5.00 Lakh, completed 31 Mar 2025']);
    const values = () => ['Work', 'Client', 'Value', 'Completed on'].map((each) => field(each)?.value);
    await expect.poll(values).toEqual(['', '', '', '']);
    await fill({ ...WORK, Work: 'Weir', Client: '', Value: '1000.5' });
    await submit('Add work');
    await expect.poll(entries).toContain('Weir, ₹1,000.50, completed 31 Mar 2025');
    const { works } = await stored();
    expect(works).toEqual(
      expect.arrayContaining([
        {
          ...{ id: expect.any(String), name: 'Road to Theog', client: 'HPPWD Rampur' },
          ...{ value: 500_000, completedOn: '2025-03-31' },
        },
        { id: expect.any(String), name: 'Weir', value: 1_000.5, completedOn: '2025-03-31' },
      ]),
    );
    await press('Remove Weir, ₹1,000.50, completed 31 Mar 2025');
    await expect.poll(entries).toEqual(['Road to Theog, for HPPWD Rampur, ₹5.00 Lakh, completed 31 Mar 2025']);
  });

  test.each([
    ['Work', '  ', 'Name the work'],
    ['Work', 'x'.repeat(201), 'At most 200 letters'],
    ['Client', 'x'.repeat(201), 'At most 200 letters'],
    ['Value', '', AMOUNT],
    ['Completed on', '', 'Choose the day'],
    ['Completed on', '2026-04-13', 'This day is in the future. Add the work when it is completed.'],
  ])('with %s "%s" is refused: %s', async (label, value, message) => {
    const { fill, submit, entries, error, field } = await open();
    await fill({ ...WORK, [label]: value });
    await submit('Add work');
    expect(error(label)).toBe(message);
    expect(field(label)?.getAttribute('aria-invalid')).toBe('true');
    expect(entries()).toEqual([]);
  });
});

describe('turnover and works in hand', () => {
  const FORM = 'Save';

  test('are saved for the last five financial years, and figures of earlier years stay', async () => {
    await saveBidProfile((profile) => ({
      ...profile,
      turnover: { '2019-20': 7, '2024-25': 900_000, '2023-24': 800_000 },
    }));
    const { fill, submit, field, texts } = await open();
    await expect.poll(() => field('Turnover from works 2024-25', FORM)?.value).toBe('900000');
    expect(texts('label').filter((text) => text.startsWith('Turnover'))).toEqual(
      ['2025-26', '2024-25', '2023-24', '2022-23', '2021-22'].map((year) => `Turnover from works ${year} rupees`),
    );
    expect(field('M of the bid capacity', FORM)?.value).toBe('2');
    await fill(
      {
        ...{ 'Turnover from works 2025-26': '12,00,000', 'Turnover from works 2023-24': '' },
        ...{ 'Works in hand': '3,00,000', 'M of the bid capacity': '3' },
      },
      FORM,
    );
    await submit('Save figures');
    await expect.poll(toast).toBe('Saved on this phone.');
    expect(await stored()).toEqual({
      ...EMPTY_BID_PROFILE,
      ...{ turnover: { '2019-20': 7, '2024-25': 900_000, '2025-26': 1_200_000 }, commitments: 300_000, multiplier: 3 },
    });
    await expect.poll(() => field('Works in hand', FORM)?.value).toBe('300000');
    expect(field('M of the bid capacity', FORM)?.value).toBe('3');
  });

  test('raise the values of past works when the user says so', async () => {
    const { page, submit } = await open();
    const box = [...page.querySelectorAll('label')]
      .find(({ textContent }) => textContent === 'Raise the values of past works by 7 % a year (CPWD)')
      ?.querySelector('input');
    expect(box?.checked).toBe(false);
    await act(async () => box?.click());
    await submit('Save figures');
    await expect.poll(async () => (await stored()).raisesValues).toBe(true);
  });

  test.each(['Turnover from works 2022-23', 'Works in hand'])('with a wrong %s are not saved', async (label) => {
    const { fill, submit, error } = await open();
    await fill({ [label]: 'five' }, FORM);
    await submit('Save figures');
    expect(error(label, FORM)).toBe(AMOUNT);
    expect(await stored()).toEqual(EMPTY_BID_PROFILE);
  });
});

test('figures that the phone cannot store stay in the form, and the user reads why', async () => {
  const { fill, submit, field } = await open();
  await fill({ 'Enlisted at': 'hp_pwd' });
  await withDatabase(async (db) => {
    vi.spyOn(db.records, 'put').mockRejectedValue(new Error('disk'));
  });
  await submit('Add enlistment');
  await expect.poll(toast).toBe('Your figures were not saved. Free some storage and save again.');
  expect(field('Enlisted at')?.value).toBe('hp_pwd');
});

test('the 101st enlistment is refused, and a browser without storage says so', async () => {
  const enlistments = Array.from({ length: 100 }, (_, n) => ({
    ...{ id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, authority: 'hp_pwd', className: '' },
    ...{ ownLimit: null, validUntil: '' },
  }));
  await withDatabase((db) => changeBidProfile(db, '', (profile) => ({ ...profile, enlistments }), 1));
  const more = { ...enlistments[0], id: '00000000-0000-4000-8000-000000000100' } as (typeof enlistments)[number];
  expect(await saveBidProfile((profile) => ({ ...profile, enlistments: [...profile.enlistments, more] }))).toBe(false);
  expect(toast()).toBe('There are too many entries. Remove one first.');
  expect((await stored()).enlistments).toHaveLength(100);
  useDatabaseState.setState({ state: 'unavailable' });
  expect(await saveBidProfile((profile) => ({ ...profile, commitments: 1 }))).toBe(false);
  expect(toast()).toBe('This browser blocks storage, so your figures cannot be saved.');
  await answerSendQuestion(true);
  expect(toast()).toBe('This browser blocks storage, so your answer cannot be saved.');
});

test('figures of an earlier build are sent only when the user agrees, also after a no', async () => {
  signInForTest('7');
  const work = { id: '00000000-0000-4000-8000-000000000001', name: 'Road', value: 5, completedOn: '2025-03-31' };
  await saveBidProfile((profile) => ({ ...profile, works: [work] }));
  await withDatabase((db) => db.settings.put(figuresConsentRow('7', [`workDone ${work.id}`])));
  const { page, press } = await open();
  await expect.poll(() => page.textContent).toContain('The figures that you entered earlier are on this phone only.');
  await press('Keep on this phone');
  await expect.poll(() => page.textContent).toContain('The figures that you entered earlier stay on this phone only');
  expect(page.textContent).not.toContain('Send them to your account');
  expect(toast()).toBeUndefined();
  await press('Send to my account');
  await expect.poll(toast).toBe('Your figures will be sent to your account.');
  await expect.poll(() => page.textContent).not.toContain('stay on this phone only');
  expect(await withDatabase((db) => readRecords(db, '7', 'workDone'))).toHaveLength(1);
});

test('an answer that the phone cannot store is asked for again', async () => {
  signInForTest('7');
  await saveBidProfile((profile) => ({ ...profile, commitments: 1 }));
  await withDatabase(async (db) => {
    await db.settings.put(figuresConsentRow('7', ['profile x']));
    vi.spyOn(db.settings, 'put').mockRejectedValue(new Error('disk'));
    vi.spyOn(db.settings, 'delete').mockRejectedValue(new Error('disk'));
  });
  await answerSendQuestion(false);
  expect(toast()).toBe('Your answer was not saved. Free some storage and answer again.');
});

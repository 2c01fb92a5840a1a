// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { EMPTY_BID_PROFILE } from '@nivida/contract/rules/may-i-bid';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, useDatabaseState, withDatabase } from '../../data/device/database.ts';
import { clearSession } from '../../data/session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { changeBidProfile, readBidProfile, saveBidProfile } from './bid-profile.ts';
import { MayIBid } from './MayIBid.tsx';

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  clearSession();
  while (useToast.getState().current) dismissToast();
  await closeDatabase();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const stored = (owner = '') => withDatabase((db) => readBidProfile(db, owner));
const toast = () => useToast.getState().current?.text;

/** Shows the part on 12 April 2026. A field is found by its label without the hint. */
async function open(tender: Partial<Tender> = {}) {
  const props = { tender: testTenderDetail(tender), now: new Date('2026-04-12T09:00:00+05:30') };
  const page = await openTestPage(<MayIBid {...props} />);
  const whole = (label: string) => page.texts('label').find((each) => `${each} `.startsWith(`${label} `));
  const field = (label: string) => page.field(whole(label) ?? label);
  return {
    ...page,
    field,
    hasField: (label: string) => whole(label) !== undefined,
    values: (...labels: string[]) => labels.map((label) => field(label).value),
    errorAt: (label: string) => page.errorAt(whole(label) ?? label),
    fill: async (values: Record<string, string>) => {
      for (const [label, value] of Object.entries(values)) await page.enter(whole(label) ?? label, value);
    },
    entries: () => page.texts('li > span:first-child:not([aria-hidden])'),
  };
}

const AMOUNT = 'Write rupees as a number, such as 25,00,000';

describe('the answer', () => {
  test('is a question with its reasons while nothing is entered', async () => {
    const { texts, text, page } = await open();
    expect(texts('[data-tone="amber"]')[0]).toBe('Ask');
    expect(texts('li > [data-tone]')).toEqual([
      '?You entered no enlistment of Himachal Pradesh PWD.',
      '?Similar works: you entered none.',
      '?Turnover: enter the last 3 financial years.',
      '?Bid capacity: the portal names no period of work.',
    ]);
    expect(page.querySelector('section')?.getAttribute('aria-labelledby')).toBe('may-i-bid');
    expect(text()).not.toContain('Send to my account');
    expect(text()).not.toContain('stay on this phone only');
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
      .poll(() => texts('li > [data-tone] small'))
      .toEqual(['Rule: press report (Punjab Kesari) of September 2018. Check the NIT.']);
  });
});

describe('a missing figure is asked for at its reason', () => {
  const LIMIT = 'Up to what amount are you enlisted at Himachal Pradesh PWD?';
  const UNTIL = 'Until when is your enlistment of Himachal Pradesh PWD valid?';
  const LARGEST = 'Your largest similar work of the last 7 years?';
  const TURNOVER = 'Your turnover from works in 2025-26?';
  const IN_HAND = 'Your works in hand that fall due while this work runs?';
  const TENDER = { price: 1_000_000, period_of_work_days: 365 };

  async function openQuestions() {
    const page = await open(TENDER);
    /** The question that is asked, with the reason it stands at. */
    const asked = () => {
      const forms = [...page.page.querySelectorAll('li > form')];
      return forms.map((form) => form.querySelector('label')?.childNodes[0]?.textContent);
    };
    const answer = async (question: string, value: string) => {
      await expect.poll(asked).toEqual([question]);
      await page.fill({ [question]: value });
      await page.press('Save');
    };
    return { ...page, asked, answer };
  }

  test('one after the other, with the focus in the field, until every reason has an answer', async () => {
    const { answer, asked, texts, field } = await openQuestions();
    await expect.poll(asked).toEqual([LIMIT]);
    expect(document.activeElement).toBe(document.body);
    await answer(LIMIT, '५०,००,०००');
    await expect.poll(asked).toEqual([UNTIL]);
    await expect.poll(() => document.activeElement === field(UNTIL)).toBe(true);
    await answer(UNTIL, '2027-03-31');
    await answer(LARGEST, 'Road to Theog');
    await answer('What was the value of Road to Theog?', '9,00,000');
    await answer('When was Road to Theog completed?', '2025-03-31');
    await answer(TURNOVER, '40,00,000');
    await answer('Your turnover from works in 2024-25?', '30,00,000');
    await answer('Your turnover from works in 2023-24?', '20,00,000');
    await answer(IN_HAND, '0');
    await expect.poll(asked).toEqual([]);
    expect(texts('li > [data-tone] > p')).toEqual([
      expect.stringMatching(/^Your enlistment of Himachal Pradesh PWD is up to ₹50\.00 Lakh\./),
      expect.stringMatching(/^Your works reach the usual/),
      expect.stringMatching(/^Your average turnover ₹30\.00 Lakh reaches/),
      expect.stringMatching(/^Your bid capacity is ₹80\.00 Lakh, at least/),
    ]);
    const { enlistments, works, turnover, commitments } = await stored();
    expect(enlistments).toEqual([
      {
        ...{ id: expect.any(String), authority: 'hp_pwd', className: '' },
        ...{ ownLimit: 5_000_000, validUntil: '2027-03-31' },
      },
    ]);
    expect(works).toEqual([
      { id: expect.any(String), name: 'Road to Theog', value: 900_000, completedOn: '2025-03-31' },
    ]);
    expect({ turnover, commitments }).toEqual({
      turnover: { '2025-26': 4_000_000, '2024-25': 3_000_000, '2023-24': 2_000_000 },
      commitments: 0,
    });
  });

  test('a wrong answer is refused at the field, and nothing is saved', async () => {
    const { asked, fill, press, errorAt, field } = await openQuestions();
    await expect.poll(asked).toEqual([LIMIT]);
    await fill({ [LIMIT]: 'five' });
    await press('Save');
    expect(errorAt(LIMIT)).toBe(AMOUNT);
    await expect.poll(() => document.activeElement === field(LIMIT)).toBe(true);
    await fill({ [LIMIT]: '' });
    await press('Save');
    expect(errorAt(LIMIT)).toBe(AMOUNT);
    expect(await stored()).toEqual(EMPTY_BID_PROFILE);
  });

  test('the amount is said in lakhs and crores while it is typed', async () => {
    const { asked, fill, text } = await openQuestions();
    await expect.poll(asked).toEqual([LIMIT]);
    await fill({ [LIMIT]: '25000000' });
    expect(text()).toContain('₹2.50 Cr');
  });

  test('an answer that the user does not know is skipped and can be given later', async () => {
    const { asked, press, answer, button } = await openQuestions();
    await expect.poll(asked).toEqual([LIMIT]);
    await press('Skip');
    await expect.poll(asked).toEqual([LARGEST]);
    await press('Skip');
    await answer(TURNOVER, '40,00,000');
    await press(`Answer: ${LIMIT}`);
    await answer(LIMIT, '50,00,000');
    await expect.poll(asked).toEqual([UNTIL]);
    await press('Skip');
    await press('Skip');
    await press('Skip');
    await expect.poll(asked).toEqual([]);
    await expect.poll(() => document.activeElement === button(`Answer: ${IN_HAND}`)).toBe(true);
  });

  test('Undo takes an answer back, also the first of an entry', async () => {
    const { asked, answer, press, texts } = await openQuestions();
    await answer(LIMIT, '50,00,000');
    await expect.poll(asked).toEqual([UNTIL]);
    expect(texts('li [role="status"]')).toEqual(['Saved on this phone.Undo', '', '', '']);
    // it covers nothing
    expect(toast()).toBeUndefined();
    await press('Undo');
    await expect.poll(asked).toEqual([LIMIT]);
    await expect.poll(() => stored()).toEqual(EMPTY_BID_PROFILE);
    expect(texts('li [role="status"]').join('')).toBe('');
  });

  test('an answer is changed or forgotten at its reason', async () => {
    await saveBidProfile((profile) => ({ ...profile, turnover: { '2025-26': 4_000_000, '2024-25': 3_000_000 } }));
    const { asked, press, answer, texts, field, button } = await openQuestions();
    await expect.poll(asked).toEqual([LIMIT]);
    await press('My figures');
    expect(texts('li li > span')).toEqual([
      'Turnover 2025-26: ₹40.00 Lakh',
      'Turnover 2024-25: ₹30.00 Lakh',
      'Turnover 2023-24: not entered',
    ]);
    expect(asked()).toEqual([]);
    await press('Change: Turnover 2025-26');
    expect(field(TURNOVER).value).toBe('4000000');
    await answer(TURNOVER, '41,00,000');
    await expect.poll(() => texts('li li > span')[0]).toBe('Turnover 2025-26: ₹41.00 Lakh');
    await expect.poll(() => document.activeElement === button('My figures')).toBe(true);
    await press('Change: Turnover 2024-25');
    await answer('Your turnover from works in 2024-25?', '');
    await expect.poll(() => texts('li li > span')[1]).toBe('Turnover 2024-25: not entered');
    expect((await stored()).turnover).toEqual({ '2025-26': 4_100_000 });
    await press('My figures');
    await expect.poll(asked).toEqual([LIMIT]);
  });

  test('a further work is begun at its reason', async () => {
    const work = { id: '00000000-0000-4000-8000-000000000001', name: 'Weir', value: 5, completedOn: '2025-03-31' };
    await saveBidProfile((profile) => ({ ...profile, works: [work] }));
    const { asked, press, answer } = await openQuestions();
    await expect.poll(asked).toEqual([LIMIT]);
    await press('My figures');
    await press('Add a work');
    await answer('Another similar work of the last 7 years?', 'Road to Theog');
    await expect.poll(asked).toEqual(['What was the value of Road to Theog?']);
    expect((await stored()).works.map(({ name, value }) => [name, value])).toEqual([
      ['Weir', 5],
      ['Road to Theog', null],
    ]);
  });

  test('nothing is asked where the tender leaves the reason open, or the browser stores nothing', async () => {
    const { page } = await open({ price: null, department: 'Horticulture' });
    await expect.poll(() => page.querySelector('section')).not.toBeNull();
    await stored();
    expect(page.querySelectorAll('li > form')).toHaveLength(0);
    expect(page.textContent).not.toContain('Answer');
  });
});

describe('an enlistment', () => {
  test('is added with what is entered, listed, and its form is emptied', async () => {
    const { fill, press, entries, field, values, texts, text, hasField } = await open();
    expect(texts('h3')).toEqual(['Enlistments', 'Works done in the last 7 years', 'Turnover and works in hand']);
    await fill({ 'Enlisted at': 'hp_jal_shakti' });
    expect(text()).toContain('limits from 1 Sep 2018, press report (Punjab Kesari) of September 2018');
    expect([...field('Class').options].map(({ textContent }) => textContent)).toEqual([
      ...['Not chosen', 'A', 'B', 'C', 'D'],
    ]);
    const certificate = { For: 'electrical', Class: 'B', 'Limit in my certificate': '₹ 25,00,000.50' };
    await fill({ ...certificate, 'Valid until': '2027-03-31' });
    await press('Add enlistment');
    await expect
      .poll(entries)
      .toEqual(['Himachal Pradesh Jal Shakti Vibhag, Electrical works, class B, up to ₹25.00 Lakh, until 31 Mar 2027']);
    expect((await stored()).enlistments).toEqual([
      {
        ...{ id: expect.any(String), authority: 'hp_jal_shakti', trade: 'electrical', className: 'B' },
        ...{ ownLimit: 2_500_000.5, validUntil: '2027-03-31' },
      },
    ]);
    await expect
      .poll(() => values('Enlisted at', 'For', 'Limit in my certificate', 'Valid until'))
      .toEqual(['', '', '', '']);
    expect(hasField('Class')).toBe(false);
  });

  test('needs its office only; a class belongs to the chosen office', async () => {
    const { fill, press, entries, errorAt, field, hasField } = await open();
    await press('Add enlistment');
    expect(errorAt('Enlisted at')).toBe('Choose the office');
    await fill({ 'Enlisted at': 'hp_jal_shakti', Class: 'B' });
    expect(errorAt('Enlisted at')).toBeUndefined();
    await fill({ 'Enlisted at': 'odisha_works' });
    expect(field('Class').value).toBe('');
    await fill({ 'Enlisted at': 'hp_pwd' });
    expect(hasField('Class')).toBe(false);
    await press('Add enlistment');
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
    const { fill, press, entries, errorAt } = await open();
    await fill({ 'Enlisted at': 'hp_pwd', [label]: value });
    await press('Add enlistment');
    expect(errorAt(label)).toBe(message);
    expect(entries()).toEqual([]);
  });

  test('is removed by its own button, and the others stay', async () => {
    const { fill, press, entries, field } = await open();
    for (const office of ['hp_pwd', 'cpwd', 'assam_pwd']) {
      await fill({ 'Enlisted at': office });
      await press('Add enlistment');
      await expect.poll(() => field('Enlisted at').value).toBe('');
    }
    await expect.poll(entries).toEqual(['Himachal Pradesh PWD', 'CPWD', 'Assam PWD']);
    await press('Remove CPWD');
    await expect.poll(entries).toEqual(['Himachal Pradesh PWD', 'Assam PWD']);
  });
});

describe('a completed work', () => {
  const WORK = { Work: ' Road to Theog ', Client: 'HPPWD Rampur', Value: '5,00,000', 'Completed on': '2025-03-31' };

  test('is added with or without its client, listed, and removed', async () => {
    const { fill, press, entries, values } = await open();
    await fill(WORK);
    await press('Add work');
    await expect.poll(entries).toEqual(['Road to Theog, for HPPWD Rampur, ₹5.00 Lakh, completed 31 Mar 2025']);
    await expect.poll(() => values('Work', 'Client', 'Value', 'Completed on')).toEqual(['', '', '', '']);
    await fill({ ...WORK, Work: 'Weir', Client: '', Value: '1000.5' });
    await press('Add work');
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
    const { fill, press, entries, errorAt } = await open();
    await fill({ ...WORK, [label]: value });
    await press('Add work');
    expect(errorAt(label)).toBe(message);
    expect(entries()).toEqual([]);
  });
});

describe('turnover and works in hand', () => {
  test('are saved for the last five financial years, and figures of earlier years stay', async () => {
    await saveBidProfile((profile) => ({
      ...profile,
      turnover: { '2019-20': 7, '2024-25': 900_000, '2023-24': 800_000 },
    }));
    const { fill, press, field, texts } = await open();
    await expect.poll(() => field('Turnover from works 2024-25').value).toBe('900000');
    expect(texts('label').filter((text) => text.startsWith('Turnover'))).toEqual(
      ['2025-26', '2024-25', '2023-24', '2022-23', '2021-22'].map((year) => `Turnover from works ${year} rupees`),
    );
    expect(field('M of the bid capacity').value).toBe('2');
    await fill({
      ...{ 'Turnover from works 2025-26': '12,00,000', 'Turnover from works 2023-24': '' },
      ...{ 'Works in hand': '3,00,000', 'M of the bid capacity': '3' },
    });
    await press('Save figures');
    await expect.poll(toast).toBe('Saved on this phone.');
    expect(await stored()).toEqual({
      ...EMPTY_BID_PROFILE,
      ...{ turnover: { '2019-20': 7, '2024-25': 900_000, '2025-26': 1_200_000 }, commitments: 300_000, multiplier: 3 },
    });
    await expect.poll(() => field('Works in hand').value).toBe('300000');
    expect(field('M of the bid capacity').value).toBe('3');
  });

  test('raise the values of past works when the user says so', async () => {
    const { field, toggle, press } = await open();
    const box = 'Raise the values of past works by 7 % a year (CPWD)';
    expect(field(box).checked).toBe(false);
    await toggle(box);
    await press('Save figures');
    await expect.poll(toast).toBe('Saved on this phone.');
    expect((await stored()).raisesValues).toBe(true);
  });

  test.each(['Turnover from works 2022-23', 'Works in hand'])('with a wrong %s are not saved', async (label) => {
    const { fill, press, errorAt } = await open();
    await fill({ [label]: 'five' });
    await press('Save figures');
    expect(errorAt(label)).toBe(AMOUNT);
    expect(await stored()).toEqual(EMPTY_BID_PROFILE);
  });
});

test('figures that the phone cannot store stay in the form, and the user reads why', async () => {
  const { fill, press, field } = await open();
  await fill({ 'Enlisted at': 'hp_pwd' });
  await withDatabase(async (db) => {
    vi.spyOn(db.records, 'put').mockRejectedValue(new Error('disk'));
  });
  await press('Add enlistment');
  await expect.poll(toast).toBe('Your figures were not saved. Free some storage and save again.');
  expect(field('Enlisted at').value).toBe('hp_pwd');
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
});

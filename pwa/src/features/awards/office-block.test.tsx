// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { packOffices } from '@nivida/contract/awards/award-pack';
import type { AwardSummary, OfficeAwards, SimilarWork } from '@nivida/contract/awards/awards';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentTime } from '../../data/clock.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { useTenderOffice } from './award-queries.ts';
import { OfficeBlock } from './OfficeBlock.tsx';

const shown = (low: number, high: number) =>
  ({ isShown: true, basis: 'office', awards: 96, officeAwards: 96, low, high, coverage: null }) as const;
const OFFICE: OfficeAwards = {
  office: {
    ...{ id: '1f9bdfe7817f', key: 'PWD||Mandi Division', name: 'Mandi Division' },
    ...{ kind: 'chain', department: 'PWD', state: 'Assam' },
  },
  ...{ awards: 96, firstKnownOn: '2026-01-01', lastKnownOn: '2026-10-01', isOld: false },
  ...{ bidders: shown(2, 5), price: shown(-1_000, 0), daysToContract: shown(72, 311), masses: [] },
  ...{ refused: null, singleBid: null, lateBids: null, computedOn: '2026-11-09', isDemonstration: false },
};
const AWARD: AwardSummary = {
  ...{ id: '7', title: 'Repair of the bridge', state: 'Assam', department: 'PWD', officeId: OFFICE.office.id },
  ...{ category: 'Works', estimate: 1_000_000, awardedValue: 900_000, price: -1_000, bidders: 3 },
  ...{ publishedOn: '2026-06-01', closesOn: '2026-06-20', contractOn: '2026-09-01', knownOn: '2025-09-01' },
  ...{ tenderId: null, isDemonstration: false },
};
const work = (fields: Partial<SimilarWork>): SimilarWork => ({ ...AWARD, likeness: 'related', ...fields });

let page: TestPage;
/** The server's answers by path; other paths are refused. */
let answers: Record<string, unknown>;

beforeEach(() => {
  answers = {};
  vi.stubGlobal('fetch', async (request: Request) => {
    const answer = answers[new URL(request.url).pathname];
    return answer === undefined
      ? Response.json({ code: 'REFUSED', message: 'Figures are being renewed', requestId: 'r' }, { status: 400 })
      : Response.json(answer);
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Another tender for each test: answers stay for a minute. */
let last = 100;
async function showBlock(answer: unknown) {
  last += 1;
  const id = `${last}`;
  if (answer) answers[`/api/tenders/${id}/office`] = answer;
  const tender = testTenderDetail({
    ...{ _id: id, title: 'Retaining wall near Chandmari school', price: 900_000, state: 'Assam' },
    organisation_chain: ['PWD', 'Mandi Division'],
  });
  const Answered = () => useTenderOffice(id).answer && <i>answered</i>;
  await closeTestPages();
  page = await openTestPage(
    <>
      <OfficeBlock tender={tender} />
      <Answered />
    </>,
  );
  return { works: `/api/tenders/${id}/similar-works` };
}
const answerOf = (office: OfficeAwards | null, award: AwardSummary | null = null) => ({
  ...{ office, award },
  stateHasAwards: true,
});
const links = () => [...page.page.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);

/** Stores the figures of the office on the device, as of three and a half hours ago, with past works. */
async function saveOnDevice(works: boolean): Promise<void> {
  const savedAt = currentTime().getTime() - 3.5 * 3_600_000;
  await withDatabase(async (db) => {
    await db.awardPacks.put({
      ...{ state: 'Assam', version: '1', awards: 96, savedAt, bytes: 1 },
      works: works ? { version: '1', savedAt: savedAt - 48 * 3_600_000, bytes: 1 } : null,
    });
    const pack = { state: 'Assam', version: '1', offices: 1, columns: packOffices([OFFICE]) };
    await db.awardFiles.put({ state: 'Assam', kind: 'offices', pack });
    const columns = {
      ...{ office: [0], id: ['31'], tenderId: [null], title: ['Retaining wall near Chandmari school'] },
      ...{ estimate: [1_000_000], price: [-1_200], knownOn: ['2025-03-01'] },
    };
    if (works)
      await db.awardFiles.put({
        ...{ state: 'Assam', kind: 'works' },
        pack: { state: 'Assam', version: '1', offices: [OFFICE.office.id], works: columns },
      });
  });
}

test('a tender has the figures of its office, with advice and the way to all of them', async () => {
  await showBlock(answerOf({ ...OFFICE, isDemonstration: true }));
  await expect.poll(page.text).toContain('Typically 2 to 5 bidders.');
  const heading = page.page.querySelector('[aria-labelledby]')?.getAttribute('aria-labelledby');
  expect(page.texts(`[id="${heading}"]`)).toEqual(['What happens at this office']);
  expect(page.text()).toContain('Before you bid: work out your own rate and compare it with the past ones here.');
  expect(page.text()).toContain('96 works of this division were awarded');
  expect(page.text()).toContain('Demonstration: these awards are generated.');
  expect(page.text()).toContain('Follow this office');
  expect(page.text()).not.toMatch(/Result is out|Offline copy/);
  expect(links()).toEqual([['All figures of Mandi Division', '/analysis/offices/1f9bdfe7817f']]);
});

test('the block leads with what can be said; what is withheld follows once, in small print', async () => {
  const withheld = (reason: 'too-wide' | 'past-ranges-wrong') =>
    ({ isShown: false, reason, officeAwards: 96, changedOn: null }) as const;
  const office: OfficeAwards = {
    ...{ ...OFFICE, price: withheld('too-wide'), singleBid: { count: 9, of: 96 }, lateBids: { count: 68, of: 98 } },
    refused: { count: 14, of: 98, technical: 12, notAdmitted: 2, isMoreThanUsual: false },
  };
  const sentences = () => page.texts('ul > li').map((text) => text.replace(/[.)]12345678.*$/, '.'));
  const small = () => page.texts('ul ~ p.xs');
  await showBlock(answerOf(office));
  await expect
    .poll(sentences)
    .toEqual([
      'Typically 2 to 5 bidders.',
      '1 in 7 bids was refused before prices were opened (14 of 98: 12 technical, 2 not admitted).',
      'Most contracts were dated 72 to 311 days after closing.',
      '9 of 96 awarded works had one bidder.',
      '7 in 10 bids came in the last 24 hours.',
    ]);
  expect(small()).toEqual(['Awards here range too widely to give a typical rate.']);
  expect(page.text().match(/range too widely/g)).toHaveLength(1);

  const wrong = withheld('past-ranges-wrong');
  await showBlock(answerOf({ ...office, bidders: wrong, price: wrong }));
  await expect.poll(sentences).toHaveLength(4);
  expect(sentences()[0]).toMatch(/^1 in 7 bids was refused/);
  expect(small()).toEqual(['Our past ranges were wrong too often here recently.']);

  await showBlock(answerOf({ ...office, price: shown(-1_000, 0) }));
  await expect.poll(sentences).toHaveLength(6);
  expect(sentences()[2]).toMatch(/^Most awards were between 10 % below and the estimate\./);
  expect(small()).toEqual([]);
});

test('an office of few awards says so in a sentence of its own, not in small print', async () => {
  const few = { isShown: false, reason: 'too-few', officeAwards: 4, changedOn: null } as const;
  await showBlock(answerOf({ ...OFFICE, bidders: few, price: few, daysToContract: few }));
  await expect.poll(page.text).toContain('Only 4 awards known here; too few to say.');
  expect(page.texts('p.xs')).toEqual([]);
  expect(page.text()).not.toContain('awarded prices known');
});

test('a tender of an office without awards has the figures of its department, which cannot be followed', async () => {
  const office = { ...OFFICE.office, kind: 'department', key: 'PWD||', name: 'PWD' } as const;
  await showBlock(answerOf({ ...OFFICE, office }));
  await expect.poll(links).toEqual([['All figures of PWD', '/analysis/Assam?department=PWD']]);
  expect(page.text()).not.toMatch(/Follow this office|Demonstration/);
});

test('a tender whose result is out says its value and leads to the award', async () => {
  await showBlock(answerOf(null, AWARD));
  await expect
    .poll(page.text)
    .toContain('Result is out. Awarded at ₹9.00 Lakh (10 % below the estimate). See the award');
  expect(links()).toEqual([['See the award', '/awards/7']]);
  await showBlock(answerOf(null, { ...AWARD, price: null }));
  await expect.poll(page.text).toContain('Result is out. Awarded at ₹9.00 Lakh. See the award');
  await showBlock(answerOf(null, { ...AWARD, price: null, awardedValue: null }));
  await expect.poll(page.text).toContain('Result is out. See the award');
});

test('a tender without known awards has no such block', async () => {
  await showBlock(answerOf(null));
  await expect.poll(() => page.page.innerHTML).toBe('<i>answered</i>');
});

test('without an answer the block has the figures of the phone, with their age', async () => {
  await saveOnDevice(false);
  await showBlock(undefined);
  await expect.poll(page.text).toContain('Typically 2 to 5 bidders.');
  expect(page.text()).toContain('Offline copy · Saved 3 h ago.');
});

test('similar past works are asked for by a tap: a work let before with its history, a related one with its rate', async () => {
  const { works } = await showBlock(answerOf(OFFICE));
  await expect.poll(() => page.names()).toContain('Similar past works');
  answers[works] = {
    works: [
      work({ id: '21', title: 'Wall of the school', likeness: 'let-before', knownOn: '2023-03-04', price: -1_200 }),
      work({ id: '22', title: 'Wall of the temple' }),
      work({ id: '23', title: 'Wall of the road', knownOn: null, price: null }),
    ],
  };
  await page.press('Similar past works');
  await expect
    .poll(() => page.texts('li:has(> a)'))
    .toEqual([
      'A work with nearly the same title was awarded here in Mar 2023 at 12 % below its estimate.Wall of the school',
      'A related work of this office:Wall of the templeSep 2025 · 10 % below the estimate',
      'A related work of this office:Wall of the road',
    ]);
  expect(
    links()
      .slice(0, 3)
      .map(([, href]) => href),
  ).toEqual(['/awards/21', '/awards/22', '/awards/23']);
  expect(page.hasButton('Similar past works')).toBe(false);
  expect(page.text()).not.toMatch(/Offline copy|No similar past work/);
});

test('the block says when there is no similar past work', async () => {
  const { works } = await showBlock(answerOf(OFFICE));
  await expect.poll(() => page.names()).toContain('Similar past works');
  answers[works] = { works: [] };
  await page.press('Similar past works');
  await expect.poll(page.text).toContain('No similar past work found.');
});

test('similar works that cannot be loaded say why, and are loaded again by the button', async () => {
  const { works } = await showBlock(answerOf(OFFICE));
  await expect.poll(() => page.names()).toContain('Similar past works');
  await page.press('Similar past works');
  await expect.poll(page.text).toContain('Figures are being renewed Try Again');
  answers[works] = { works: [] };
  await page.press('Try Again');
  await expect.poll(page.text).toContain('No similar past work found.');
});

test('similar works without a connection are those of the phone, with their age', async () => {
  await saveOnDevice(true);
  await showBlock(answerOf(OFFICE));
  await expect.poll(() => page.names()).toContain('Similar past works');
  await page.press('Similar past works');
  await expect.poll(page.text).toContain('was awarded here in Mar 2025 at 12 % below its estimate.');
  expect(links()[0]).toEqual(['Retaining wall near Chandmari school', '/awards/31']);
  expect(page.text()).toContain('Offline copy · Saved 2 days ago.');
});

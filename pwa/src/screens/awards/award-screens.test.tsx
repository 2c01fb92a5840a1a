// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { packOffices } from '@nivida/contract/awards/award-pack';
import type { AwardGroupResponse, AwardSummary, OfficeAwards } from '@nivida/contract/awards/awards';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { currentTime } from '../../data/clock.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { AwardDetail } from './AwardDetail.screen.tsx';
import { AwardState } from './AwardState.screen.tsx';
import { OfficeDetail } from './OfficeDetail.screen.tsx';

let page: TestPage;
/** The calls to the server, and its answer to each. */
let calls: string[];
let respond: (call: string) => Response | Promise<Response>;

const refused = (status: number, message: string) =>
  Response.json({ code: 'REFUSED', message, requestId: 'r' }, { status });

beforeEach(() => {
  calls = [];
  respond = () => refused(404, 'Not found');
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    calls.push(pathname + search);
    return respond(pathname);
  });
});
afterEach(async () => {
  await closeTestPages();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

async function open(address: string): Promise<void> {
  const screens = (
    <Routes>
      <Route path="/awards/:id" element={<AwardDetail />} />
      <Route path="/analysis/offices/:id" element={<OfficeDetail />} />
      <Route path="/analysis/:state" element={<AwardState />} />
    </Routes>
  );
  page = await openTestPage(screens, address);
}
const heading = () => page.texts('h1')[0];
const text = () => page.text();

describe.each([
  ['award', '/awards/404', '/awards/400', 'Award not found', 'There is no award at this address.'],
  [
    'office',
    '/analysis/offices/000000000404',
    '/analysis/offices/000000000400',
    'No awards known here',
    'There is no office at this address.',
  ],
  ['state', '/analysis/atlantis', '/analysis/elsewhere', 'No awards known here', 'No data for this state yet.'],
])('an %s', (_what, unknown, broken, title, sentence) => {
  test('that does not exist says so, and leads to the states with awards', async () => {
    await open(unknown);
    await expect.poll(heading).toBe(title);
    expect(text()).toContain(sentence);
    const links = [...page.page.querySelectorAll('a')];
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['States with awards', '/analysis'],
    ]);
    expect(page.hasButton('Try Again')).toBe(false);
  });

  test('that cannot be loaded says why, and is loaded again by the button', async () => {
    const answer = Promise.withResolvers<Response>();
    respond = () => answer.promise;
    await open(broken);
    expect(text()).toContain('Loading awards');
    answer.resolve(refused(400, 'The figures are being renewed'));
    await expect.poll(heading).toBe('Awards cannot be loaded now');
    expect(page.texts('[role="alert"]')[0]).toContain('The figures are being renewed');
    respond = () => refused(404, 'Not found');
    await page.press('Try Again');
    await expect.poll(heading).toBe(title);
  });
});

const HIDDEN = { isShown: false, reason: 'too-few', officeAwards: 3, changedOn: null } as const;
const MANDI: OfficeAwards = {
  office: {
    ...{ id: '1f9bdfe7817f', key: 'PWD||Mandi Division', name: 'Mandi Division' },
    ...{ kind: 'chain', department: 'PWD', state: 'Assam' },
  },
  ...{ awards: 12, firstKnownOn: '2026-01-01', lastKnownOn: '2026-10-01', isOld: false },
  ...{
    bidders: HIDDEN,
    price: { ...HIDDEN, reason: 'too-wide', officeAwards: 12 },
    daysToContract: HIDDEN,
    masses: [],
    refused: null,
    singleBid: null,
  },
  ...{ lateBids: null, computedOn: '2026-11-09', isDemonstration: false },
};

/** Stores the figures of an office on the device, as of three hours ago. */
async function save(office: OfficeAwards): Promise<void> {
  await withDatabase(async (db) => {
    const savedAt = currentTime().getTime() - 3 * 3_600_000;
    await db.awardPacks.put({ state: 'Assam', version: '1', awards: 12, savedAt, bytes: 1, works: null });
    const pack = { state: 'Assam', version: '1', offices: 1, columns: packOffices([office]) };
    await db.awardFiles.put({ state: 'Assam', kind: 'offices', pack });
  });
}

test('an office without a connection shows what the phone has, with its age, and says what needs a connection', async () => {
  await save(MANDI);
  respond = () => refused(400, 'broken');
  await open('/analysis/offices/1f9bdfe7817f');
  await expect.poll(heading).toBe('Mandi Division');
  expect(text()).toContain('Only 3 awards known here; too few to say.');
  await expect.poll(text).toContain('Offline copy · Saved 3 h ago.');
  expect(text()).toContain('Awards by quarter and the newest awards need a connection.');
  expect(text()).not.toMatch(/By quarter|cannot be loaded/);
  expect(document.title).toBe('Awarded tenders: Mandi Division · Nivida');
});

test("the server's answer replaces that of the phone", async () => {
  // Another office: the app remembers answers.
  const theog = { ...MANDI, office: { ...MANDI.office, id: '2f9bdfe7817f' } };
  await save(theog);
  const statistics = { ...theog, awards: 40, isOld: true };
  respond = () =>
    Response.json({ statistics, quarters: [], newest: [], companies: [], regimes: [], portals: ['a.gov.in'] });
  await open('/analysis/offices/2f9bdfe7817f?x=1');
  await expect.poll(text).toContain('40 works of this division were awarded');
  expect(text()).not.toMatch(/Offline copy|need a connection/);
});

test('the newest awards of an office are copied as a message, each with its result and its page', async () => {
  const copied: string[] = [];
  const writeText = async (written: string) => void copied.push(written);
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as Clipboard);
  const statistics = { ...MANDI, office: { ...MANDI.office, id: '3f9bdfe7817f' } };
  const award: AwardSummary = {
    ...{ id: '91', title: 'Footbridge', state: 'Assam', department: 'PWD', officeId: '3f9bdfe7817f', category: null },
    ...{ estimate: 500_000, awardedValue: 450_000, price: -1_000, bidders: 3, publishedOn: null, closesOn: null },
    ...{ contractOn: null, knownOn: '2026-04-19', tenderId: null, isDemonstration: false },
  };
  const newest = [award, { ...award, id: '92', title: 'Well', awardedValue: null, price: null, bidders: 1 }];
  respond = () =>
    Response.json({ statistics, quarters: [], newest, companies: [], regimes: [], portals: ['a.gov.in'] });
  await open('/analysis/offices/3f9bdfe7817f');
  await expect.poll(() => page.hasButton('Copy for WhatsApp')).toBe(true);
  await page.press('Copy for WhatsApp');
  await expect
    .poll(() => copied)
    .toEqual([
      [
        '*Newest awards: Mandi Division*',
        [
          '1. Footbridge',
          'Awarded at ₹4.50 Lakh · 10 % below the estimate · 3 bidders · 19 Apr 2026',
          'http://localhost/awards/91',
        ].join('\n'),
        '2. Well\n1 bidder · 19 Apr 2026\nhttp://localhost/awards/92',
        'All: http://localhost/analysis/offices/3f9bdfe7817f',
      ].join('\n\n'),
    ]);
});

const COUNTS: AwardGroupResponse['counts'] = {
  ...{ stored: 120, excluded: 2, older: 18, newer: 0, recent: 100 },
  lists: {
    departments: { of: 100, unnamed: 0 },
    districts: { of: 100, unnamed: 0 },
    categories: { of: 100, unnamed: 3 },
  },
};

test('a choice of the explorer is in the address, beside the others, and leaves it again', async () => {
  const choice = (name: string) => ({ name, awards: 90 });
  const answer = (filter: AwardGroupResponse['filter']): AwardGroupResponse => ({
    ...{ state: 'Assam', filter, group: MANDI, quarters: [], departments: [choice('PWD')] },
    ...{ districts: [choice('Cachar')], categories: [choice('Works')], offices: [], regimes: [], coverage: [] },
    ...{ portals: ['a.gov.in'], computedOn: '2026-11-09', isDemonstration: false, counts: COUNTS },
  });
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams, search } = new URL(request.url);
    calls.push(pathname + search);
    const chosen = (name: string) => searchParams.get(name) ?? '';
    const filter = { department: chosen('department'), district: chosen('district'), category: chosen('category') };
    return Response.json(answer({ ...filter, band: chosen('band') as '' }));
  });
  await open('/analysis/assam?utm=x');
  await expect.poll(heading).toBe('Awarded tenders: Assam');
  expect(text()).toContain('120 awards of Assam are stored. The figures and lists count 100, ');
  expect(text()).toContain('Kinds of work list 90 of 100 awards of Assam: 3 name no kind of work, 7 are in kinds');
  const choose = async (label: string, value: string) => {
    await page.fill({ [label]: value });
    return page.router.state.location.search;
  };
  expect(await choose('Department', 'PWD')).toBe('?utm=x&department=PWD');
  await expect.poll(heading).toBe('Awarded tenders: PWD, Assam');
  expect(await choose('District', 'Cachar')).toBe('?utm=x&department=PWD&district=Cachar');
  await expect.poll(heading).toBe('Awarded tenders: PWD, Cachar, Assam');
  expect(await choose('Kind of work', 'Works')).toBe('?utm=x&department=PWD&district=Cachar&category=Works');
  await expect.poll(text).toContain('Works');
  await expect.poll(() => page.texts('select').length).toBe(4);
  expect(await choose('Estimate', 'over-1-crore')).toMatch(/&band=over-1-crore$/);
  await expect.poll(text).toContain('Works · Estimate over ₹1 crore');
  expect(await choose('Department', '')).toBe('?utm=x&district=Cachar&category=Works&band=over-1-crore');
  await expect.poll(heading).toBe('Awarded tenders: Cachar, Assam');
  expect(calls.at(-1)).toBe('/api/awards/states/assam?district=Cachar&category=Works&band=over-1-crore');
  expect(document.title).toBe('Awarded tenders: Cachar, Assam · Nivida');
});

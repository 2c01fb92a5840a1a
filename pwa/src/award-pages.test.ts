// @vitest-environment node
import type { AwardGroupResponse, AwardResponse, OfficeAwards, OfficeResponse } from '@nivida/contract/awards/awards';
import { describe, expect, test } from 'vitest';
import { currentSite } from './data/server/site.ts';
import { renderPage } from './page.tsx';

const AT = '2026-11-10T06:00:00.000Z';

/** The main part of the page that the server renders at an address with the answer of its call. */
async function mainOf(address: string, call: string, answer: unknown): Promise<string> {
  const site = { ...currentSite(), payments: 'live' as const };
  const html = await renderPage(address, { site, answer: { call, at: AT, answer } });
  return html.slice(html.indexOf('<main'), html.indexOf('<footer')).replaceAll('<!-- -->', '').replaceAll('&amp;', '&');
}

const textIn = (html: string) => html.replace(/<[^>]*>/g, '|').replace(/\|+/g, '|');

/** Its texts. */
const textOf = async (address: string, call: string, answer: unknown) => textIn(await mainOf(address, call, answer));

/** The links of its screen, without the list of all states: texts and addresses. */
const linksIn = (html: string) =>
  [...html.slice(0, html.indexOf('id="states"')).matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(
    ([, href, content = '']) => [content.replace(/<[^>]*>/g, ''), href],
  );

const shown = (low: number, high: number) =>
  ({
    isShown: true,
    basis: 'office',
    awards: 96,
    officeAwards: 96,
    low,
    high,
    coverage: { count: 91, of: 100 },
  }) as const;
const OFFICE: OfficeAwards = {
  office: {
    id: '0123456789ab',
    key: 'PWD||Mandi Division',
    name: 'Mandi Division',
    kind: 'chain',
    department: 'PWD',
    state: 'Goa',
  },
  awards: 96,
  firstKnownOn: '2024-11-14',
  lastKnownOn: '2026-10-30',
  isOld: false,
  bidders: shown(2, 5),
  price: shown(-1_000, 0),
  daysToContract: shown(72, 311),
  masses: [{ price: 0, count: 40, of: 96 }],
  refused: { count: 14, of: 98, technical: 12, notAdmitted: 2, isMoreThanUsual: false },
  singleBid: { count: 9, of: 96 },
  lateBids: { count: 68, of: 98 },
  computedOn: '2026-11-09',
  isDemonstration: false,
};
const AWARD: AwardResponse['award'] = {
  id: '7',
  title: 'Repair of the bridge',
  state: 'Goa',
  department: 'PWD',
  officeId: OFFICE.office.id,
  category: 'Works',
  estimate: 1_000_000,
  awardedValue: 900_000,
  price: -1_000,
  bidders: 3,
  publishedOn: '2026-06-01',
  closesOn: '2026-06-20',
  contractOn: '2026-09-01',
  knownOn: '2026-09-01',
  tenderId: null,
  isDemonstration: false,
  office: OFFICE.office,
  sourceTenderId: '2026_PWD_7_1',
  portal: 'eprocure.goa.gov.in',
  winner: { name: 'A Builders Pvt Ltd', isCompany: true },
  bids: { accepted: 2, refusedTechnical: 1, notAdmitted: 0, other: 0 },
  exclusion: null,
  importedAt: AT,
};

describe('the page of an office', () => {
  const { importedAt, bids, winner, portal, sourceTenderId, office, exclusion, ...summary } = AWARD;
  const htmlOf = (changes: Partial<OfficeAwards>, more: Partial<OfficeResponse> = {}) => {
    const answer: OfficeResponse = {
      statistics: { ...OFFICE, ...changes },
      quarters: [{ quarter: '2026-Q3', awards: 24, bidders: 3, price: -600, daysToContract: null }],
      newest: [summary],
      companies: [],
      regimes: [],
      portals: [portal],
      ...more,
    };
    return mainOf(`/analysis/offices/${OFFICE.office.id}`, `api/awards/offices/${OFFICE.office.id}`, answer);
  };
  const page = async (...parts: Parameters<typeof htmlOf>) => textIn(await htmlOf(...parts));

  test('says how many bid, how many are refused, and at what prices works go, with the source', async () => {
    const text = await page({});
    expect(text).toContain('|Typically 2 to 5 bidders, in about 9 in 10 works.|');
    expect(text).toContain(
      '1 in 7 bids was refused before prices were opened (14 of 98: 12 technical, 2 not admitted).',
    );
    expect(text).toContain(
      'Most awards were between 10 % below and the estimate. 40 of 96 were recorded at the estimate.',
    );
    expect(text).toContain('96 works of this division were awarded from Nov 2024 to Oct 2026; newest 30 Oct 2026.');
    expect(text).toContain('Source: award notices of eprocure.goa.gov.in.');
    expect(text).toContain('|Jul to Sep 2026|24|3|6 % below|too few|');
  });

  test('has a table of the ranges, and of single and late bids a sentence each', async () => {
    const text = await page({});
    expect(text).toContain('|Bidders|2|5|96|');
    expect(text).toContain('|Price|10 % below|the estimate|96|');
    expect(text).toContain('|Days to contract|72|311|96|');
    expect(text).toContain('|Most contracts (about 9 in 10 works) were dated 72 to 311 days after closing.|');
    expect(text).toContain('|9 of 96 awarded works had one bidder.|');
    expect(text).toContain('|7 in 10 bids came in the last 24 hours.|');
    const office = await page({ bidders: { ...shown(2, 5), basis: 'department', officeAwards: 4 } });
    expect(office).toContain('|Department figures: this office has only 4.|');
    const prices = await page({ price: { ...shown(-1_000, 0), basis: 'department', officeAwards: 0 } });
    expect(prices).toContain('|Department figures: no award of this office is known.|');
    expect(text).not.toContain('Department figures');
  });

  test('leads to its state and department, and has its awards as a file', async () => {
    const html = await htmlOf({});
    expect(linksIn(html)).toEqual([
      ['Competitive Analysis', '/analysis'],
      ['Goa', '/analysis/Goa'],
      ['PWD', '/analysis/Goa?department=PWD'],
      ['Awards as CSV', `/api/awards/offices/${OFFICE.office.id}.csv`],
      ['Repair of the bridge', '/awards/7'],
    ]);
    expect(textIn(html)).toContain('|Mandi Division|PWD, Goa|');
    expect(textIn(html)).toContain('Follow this office');
  });

  test('lists its newest awards with value, rate, bidders and day', async () => {
    expect(await page({})).toContain(
      '|Repair of the bridge|3 bidders · 1 Sep 2026|₹9.00 Lakh|10 % below the estimate|',
    );
    const bare = { ...summary, awardedValue: null, price: null, knownOn: null, bidders: 1 };
    expect(await page({}, { newest: [bare] })).toContain('|Repair of the bridge|1 bidder|');
  });

  test('names companies with several awards, where there are some', async () => {
    const companies = [{ name: 'A Builders Pvt Ltd', awards: 1_200 }];
    expect(await page({}, { companies })).toContain('|Companies with awards here|A Builders Pvt Ltd |1,200 awards|');
    expect(await page({})).not.toContain('Companies with awards here');
  });

  test('that is known by its PIN code says that several offices may share it', async () => {
    const pin = { ...OFFICE.office, kind: 'pin', name: 'PIN 781003' } as const;
    expect(await page({ office: pin })).toContain(
      '|PWD, Goa. The portal names only department and PIN code; several offices may share them.|',
    );
    expect(await page({ office: pin })).toContain('96 works of the department at PIN 781003 were awarded');
    expect(await page({})).not.toContain('several offices');
  });

  test('marks the quarters with the first and last one, the most awards, and the quarter of a changed rule', async () => {
    const quarter = (name: string, awards: number, price: number | null) => ({
      ...{ quarter: name, awards, price },
      ...{ bidders: null, daysToContract: 120 },
    });
    const quarters = [quarter('2025-Q4', 12, null), quarter('2026-Q1', 1_200, -5), quarter('2026-Q2', 600, 300)];
    const regimes = [{ department: 'PWD', from: '2026-01-03', rule: null, source: null }];
    const html = await htmlOf({}, { quarters, regimes });
    const text = textIn(html);
    expect(text).toContain('|Oct to Dec 2025|most: 1,200 awards|Apr to Jun 2026|');
    expect(text).toContain('|Oct to Dec 2025|12|too few|too few|120|');
    expect(text).toContain('|Jan to Mar 2026|1200|too few|the estimate|120|');
    expect(text).toContain('|Apr to Jun 2026|600|too few|3 % above|120|');
    expect(text).toContain('|Rates changed for tenders published from about 3 Jan 2026 (PWD)|');
    const bars = /<svg[^>]*viewBox="0 0 30 60".*?<\/svg>/s.exec(html)?.[0] ?? '';
    const rects = [...bars.matchAll(/<rect[^>]* x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)];
    expect(rects.map((rect) => rect.slice(1).map(Number))).toEqual([
      [1, 59, 8, 1],
      [11, 0, 8, 60],
      [10, 0, 1, 60],
      [21, 30, 8, 30],
    ]);
  });

  test('shows no range, no plot and no mass of a statistic that is withheld', async () => {
    const few = { isShown: false, reason: 'too-few', officeAwards: 4, changedOn: null } as const;
    const text = await page({ bidders: few, price: few, daysToContract: few, masses: [], refused: null, awards: 4 });
    expect(text).toContain('|Only 4 awards known here; too few to say.|');
    expect(text).not.toMatch(/Typically|Most awards|refused before|\|Range\|/);
  });

  test('says that rates changed, and when', async () => {
    const changed = { isShown: false, reason: 'rates-changed', officeAwards: 40, changedOn: '2026-01-03' } as const;
    const rule = { department: null, from: '2026-01-03', rule: 'A ceiling of 14.99 %', source: 'the gazette' };
    const text = await page({ price: changed, masses: [] }, { regimes: [rule] });
    expect(text).toContain('Rates changed for tenders published from about 3 Jan 2026. Older rates are not shown.');
    expect(text).toContain('A ceiling of 14.99 % · Source: the gazette');
  });

  test('begins with the age of old awards', async () => {
    const text = await page({ isOld: true, lastKnownOn: '2024-02-27' });
    expect(text).toMatch(/What happens at this office\|Awards known until Feb 2024\.\|Typically/);
  });

  test('marks generated awards', async () => {
    const text = await page({ isDemonstration: true });
    expect(text).toContain('Demonstration: these awards are generated.');
    expect(text).toContain('Source: generated for the demonstration.');
    expect(text).not.toContain('eprocure.goa.gov.in');
  });

  test('has no empty plot, list or source for a department', async () => {
    const office = { ...OFFICE.office, key: 'PWD||', name: 'PWD', kind: 'department' } as const;
    const text = await page({ office, awards: 0 }, { quarters: [], newest: [], portals: [] });
    expect(text).toContain('Typically 2 to 5 bidders');
    expect(text).not.toMatch(/By quarter|Newest awards|Source:/);
  });
});

test('the page of an award names the winner with the portal that published the name', async () => {
  const text = await textOf('/awards/7', 'api/awards/7', { award: AWARD });
  expect(text).toContain('|Awarded to|A Builders Pvt Ltd, as published on eprocure.goa.gov.in|');
  expect(text).toContain('|Against the estimate|10 % below the estimate|');
  const hidden = await textOf('/awards/7', 'api/awards/7', { award: { ...AWARD, winner: null } });
  expect(hidden).not.toContain('Awarded to');
  const excluded = await textOf('/awards/7', 'api/awards/7', {
    award: { ...AWARD, price: null, exclusion: 'several-winners' },
  });
  expect(excluded).toContain('It has several winners, so its price does not count.');
});

describe('the page of an award', () => {
  const page = (changes: Partial<AwardResponse['award']>) =>
    mainOf('/awards/7', 'api/awards/7', { award: { ...AWARD, ...changes } });

  test('has what the portal published, and its source', async () => {
    const text = textIn(await page({}));
    expect(text).toContain('|Mandi Division|Repair of the bridge|2026_PWD_7_1 · PWD, Goa|Result|');
    expect(text).toContain(
      '|Estimate|₹10,00,000|Awarded at|₹9,00,000|Against the estimate|10 % below the estimate|Bidders|3|',
    );
    expect(text).toContain('|Refused before prices were opened|1: 1 technical, 0 not admitted|');
    expect(text).toContain('|Published|1 Jun 2026|Closed|20 Jun 2026|Contract|1 Sep 2026|');
    expect(text).toContain('|Source: eprocure.goa.gov.in. The portal’s own notice of the award decides.|');
    expect(text).not.toMatch(/Demonstration|See the tender|count/);
  });

  test('has nothing that the portal did not publish', async () => {
    const unknown = {
      estimate: null,
      awardedValue: null,
      price: null,
      publishedOn: null,
      closesOn: null,
      contractOn: null,
    };
    const bids = { accepted: 2, refusedTechnical: 0, notAdmitted: 0, other: 0 };
    const html = await page({ ...unknown, winner: null, bids, office: null, department: null });
    expect(textIn(html)).toMatch(/\|Repair of the bridge\|2026_PWD_7_1 · Goa\|Result\|Bidders\|3\|Source: /);
    expect(linksIn(html)).toEqual([]);
  });

  test('counts all refused bids', async () => {
    const bids = { accepted: 2, refusedTechnical: 0, notAdmitted: 2, other: 1 };
    expect(textIn(await page({ bids }))).toContain('|2: 0 technical, 2 not admitted|');
  });

  test('leads to its office and its tender', async () => {
    expect(linksIn(await page({ tenderId: '12' }))).toEqual([
      ['Competitive Analysis', '/analysis'],
      ['Mandi Division', `/analysis/offices/${OFFICE.office.id}`],
      ['See the tender', '/tenders/12'],
    ]);
  });

  test('that is generated says so, and names no portal as its source', async () => {
    const text = textIn(await page({ isDemonstration: true }));
    expect(text).toContain('|Demonstration: this award is generated.|');
    expect(text).not.toContain('Source:');
  });

  test.each([
    ['no-organisation', 'The portal names no organisation, so we count it for no office.'],
    ['not-awarded', 'The portal names no award, so we do not count it.'],
    ['bids-unknown', 'Its bids are not published, so we do not count it.'],
    ['no-dates', 'The portal gives no usable dates, so we do not count it.'],
    ['published-after-closing', 'Its dates contradict each other, so we do not count it.'],
    ['awarded-before-closing', 'Its dates contradict each other, so we do not count it.'],
    ['open-too-long', 'It was open for more than 180 days, so we do not count it.'],
    ['no-estimate', 'It has no estimate, so its price does not count.'],
    ['no-value', 'It has no awarded value, so its price does not count.'],
    ['value-too-small', 'Its value looks like a rate and not like rupees, so its price does not count.'],
    ['estimate-too-small', 'Its estimate looks like a rate and not like rupees, so its price does not count.'],
    ['value-far-from-estimate', 'Its value is far from its estimate, so its price does not count.'],
    ['other-currency', 'Its value is not in rupees, so its price does not count.'],
  ] as const)('that does not count (%s) says why', async (exclusion, sentence) => {
    expect(textIn(await page({ exclusion }))).toContain(`|${sentence}|`);
  });
});

const STATE_ANSWER: AwardGroupResponse = {
  state: 'Goa',
  filter: { department: '', district: '', category: '', band: '' },
  group: {
    awards: 1_200,
    firstKnownOn: '2024-11-14',
    lastKnownOn: '2026-10-30',
    isOld: false,
    bidders: { ...shown(1, 6), coverage: null },
    price: { isShown: false, reason: 'too-wide', officeAwards: 1_200, changedOn: null },
    daysToContract: shown(72, 311),
    refused: null,
    singleBid: null,
  },
  quarters: [],
  departments: [{ name: 'PWD', awards: 800 }],
  districts: [],
  categories: [],
  offices: [],
  regimes: [],
  coverage: [],
  portals: ['eprocure.goa.gov.in'],
  computedOn: '2026-11-09',
  isDemonstration: false,
  counts: null,
};

test('the page of a state leads to its departments, and of a department to its offices', async () => {
  const answer = STATE_ANSWER;
  const state = await textOf('/analysis/goa', 'api/awards/states/goa', answer);
  expect(state).toContain('|Awarded tenders: Goa|');
  expect(state).toContain('|Typically 1 to 6 bidders.|');
  expect(state).toContain('Awards here range too widely to give a typical rate.');
  expect(state).toContain('|Departments|PWD |800 awards|');
  expect(state).not.toMatch(/Demonstration|Offices|Estimate ₹/);
  const old = { ...answer, group: { ...answer.group, isOld: true, lastKnownOn: '2024-02-27' } };
  expect(await textOf('/analysis/goa', 'api/awards/states/goa', old)).toContain('|Awards known until Feb 2024.|');
  const offices = [{ ...OFFICE.office, awards: 96, lastKnownOn: '2026-10-30' }];
  const ofDepartment = { ...answer, filter: { ...answer.filter, department: 'PWD' }, offices };
  const call = 'api/awards/states/goa?department=PWD';
  const department = await textOf('/analysis/goa?department=PWD', call, ofDepartment);
  expect(department).toContain('|Awarded tenders: PWD, Goa|');
  expect(department).toContain('|Offices|Mandi Division |96 awards|');
  const html = await mainOf('/analysis/goa?department=PWD', call, ofDepartment);
  expect(linksIn(html)).toEqual([
    ['Competitive Analysis', '/analysis'],
    ['Awards as CSV', '/api/awards/states/goa.csv?department=PWD'],
    ['Mandi Division 96 awards', `/analysis/offices/${OFFICE.office.id}`],
  ]);
  expect(linksIn(await mainOf('/analysis/goa', 'api/awards/states/goa', answer))).toEqual([
    ['Competitive Analysis', '/analysis'],
    ['Awards as CSV', '/api/awards/states/goa.csv'],
    ['PWD 800 awards', '/analysis/goa?department=PWD'],
  ]);
  const none = await textOf('/analysis/goa?department=PWD', call, { ...ofDepartment, offices: [] });
  expect(none).toContain('|No office of this department has awards in this selection.|');
  const generated = await textOf('/analysis/goa', 'api/awards/states/goa', { ...answer, isDemonstration: true });
  expect(generated).toContain('|Demonstration: these awards are generated.|');
  expect(generated).toContain('Source: generated for the demonstration.');

  // a rule of one department is named on its own page only
  const quarters = [{ quarter: '2026-Q3', awards: 24, bidders: 3, price: -600, daysToContract: null }];
  const rule = (name: string | null, text: string) => ({
    department: name,
    from: '2026-01-03',
    rule: text,
    source: null,
  });
  const regimes = [rule(null, 'A rule of Goa'), rule('PWD', 'A rule of the PWD')];
  const ofState = await textOf('/analysis/goa', 'api/awards/states/goa', { ...answer, quarters, regimes });
  expect(ofState).toContain(': A rule of Goa|');
  expect(ofState).not.toContain('A rule of the PWD');
  const ofPwd = await textOf('/analysis/goa?department=PWD', call, { ...ofDepartment, quarters, regimes });
  expect(ofPwd).toContain('(PWD): A rule of the PWD|');

  const choice = (name: string, awards: number) => ({ name, awards });
  const filter = { department: 'PWD', district: 'North Goa', category: 'Works', band: '5-to-25-lakh' } as const;
  const chosen = {
    ...{ ...answer, filter },
    ...{ districts: [choice('North Goa', 1_100)], categories: [choice('Works', 90)] },
  };
  const query = 'department=PWD&district=North+Goa&category=Works&band=5-to-25-lakh';
  const narrowed = await mainOf(`/analysis/goa?page=2&${query}`, `api/awards/states/goa?${query}`, chosen);
  expect(textIn(narrowed)).toContain('|Awarded tenders: PWD, North Goa, Goa|Works · Estimate ₹5 to 25 lakh|');
  expect(textIn(narrowed)).toContain('|Department |All departments|PWD (800)|');
  expect(textIn(narrowed)).toContain('|District |All districts|North Goa (1,100)|');
  expect(textIn(narrowed)).toContain('|Kind of work |All kinds|Works (90)|');
  expect(textIn(narrowed)).toContain(
    '|Estimate |All values|up to ₹5 lakh|₹5 to 25 lakh|₹25 lakh to 1 crore|over ₹1 crore|',
  );
  expect([...narrowed.matchAll(/<option[^>]* selected[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
    ...['PWD (800)', 'North Goa (1,100)', 'Works (90)', '₹5 to 25 lakh'],
  ]);
  expect(linksIn(narrowed)).toContainEqual(['Awards as CSV', `/api/awards/states/goa.csv?${query}`]);
  expect(state).not.toContain('All districts');
});

test('the page of a state says which awards its figures and lists leave out, and of a selection which of the selection', async () => {
  const counts = {
    ...{ stored: 2_000, excluded: 17, older: 754, newer: 29, recent: 1_200 },
    lists: {
      departments: { of: 1_200, unnamed: 0 },
      districts: { of: 1_200, unnamed: 50 },
      categories: { of: 1_200, unnamed: 5 },
    },
  };
  const answer = {
    ...{ ...STATE_ANSWER, counts, departments: [{ name: 'PWD', awards: 800 }] },
    ...{ districts: [{ name: 'North Goa', awards: 1_150 }], categories: [{ name: 'Works', awards: 1_180 }] },
  };
  const text = await textOf('/analysis/goa', 'api/awards/states/goa', answer);
  expect(text).toContain(
    '|2,000 awards of Goa are stored. The figures and lists count 1,200, those of the 24 months up to 9 Nov 2026; left out: 754 older, 29 newer, 17 without usable dates, bids or office.|' +
      'Departments list 800 of 1,200 awards of Goa: 400 are in departments too small to list.|' +
      'Districts list 1,150 of 1,200 awards of Goa: 50 name no district.|' +
      'Kinds of work list 1,180 of 1,200 awards of Goa: 5 name no kind of work, 15 are in kinds too small to list.|',
  );
  const filter = { department: 'PWD', district: 'North Goa', category: '', band: '' } as const;
  const lists = { ...counts.lists, districts: { of: 1_150, unnamed: 0 }, categories: { of: 1_181, unnamed: 1 } };
  const chosen = {
    ...answer,
    filter,
    counts: { ...counts, stored: 90, older: 60, excluded: 0, newer: 0, recent: 30, lists },
  };
  const query = 'department=PWD&district=North+Goa';
  const narrowed = await textOf(`/analysis/goa?${query}`, `api/awards/states/goa?${query}`, chosen);
  expect(narrowed).toContain(
    '|90 awards of PWD, North Goa, Goa are stored. The figures and lists count 30, those of the 24 months up to 9 Nov 2026; left out: 60 older.|' +
      'Departments list 800 of 1,200 awards of Goa: 400 are in departments too small to list.|' +
      'Kinds of work list 1,180 of 1,181 awards of PWD, Goa: 1 names no kind of work.|',
  );
  const uncounted = await textOf('/analysis/goa', 'api/awards/states/goa', { ...answer, counts: null });
  expect(uncounted).toContain('|Awarded tenders: Goa|');
  expect(uncounted).not.toMatch(/are stored|too small to list/);
});

test('Competitive Analysis is planned until there are awards, then lists the states with awards', async () => {
  const planned = await textOf('/analysis', 'api/awards', { states: [] });
  expect(planned).toContain('It does not work yet.');
  for (const title of ['Who bids here', 'Award prices', 'Seasons and trends'])
    expect(planned).toMatch(new RegExp(`\\|${title}\\|[^|]+\\|Coming soon\\|`));
  expect(planned).toMatch(/\|Your own record\|[^|]+\|Until then\|/);
  const known = { lastKnownOn: '2026-10-30', isDemonstration: false, version: null };
  const goa = { state: 'Goa', awards: 1_200, offices: 31, ...known };
  const text = await textOf('/analysis', 'api/awards', { states: [goa] });
  expect(text).toContain('1,200 awards · 31 offices · until Oct 2026');
  expect(text).not.toMatch(/It does not work yet|Until then|Who bids here|Award prices/);
  expect(text).toMatch(/\|Your own record\|.*\|My bids in figures\|Coming Soon\|Seasons and trends\|/);
});

test('Competitive Analysis says nothing about awards before its answer', async () => {
  const text = await textOf('/analysis', 'api/other', {});
  expect(text).toContain('Loading awards');
  expect(text).not.toMatch(/Coming Soon|does not work yet/);
});

// @vitest-environment node
import type { AwardGroupResponse, AwardResponse, OfficeAwards, OfficeResponse } from '@nivida/contract/awards/awards';
import { describe, expect, test } from 'vitest';
import { currentSite } from './data/server/site.ts';
import { renderPage } from './page.tsx';

const AT = '2026-11-10T06:00:00.000Z';

/** The texts of the page that the server renders at an address with the answer of its call. */
async function textOf(address: string, call: string, answer: unknown): Promise<string> {
  const site = { ...currentSite(), payments: 'live' as const };
  const html = await renderPage(address, { site, answer: { call, at: AT, answer } });
  return html
    .slice(html.indexOf('<main'), html.indexOf('<footer'))
    .replaceAll('<!-- -->', '')
    .replace(/<[^>]*>/g, '|')
    .replaceAll('&amp;', '&')
    .replace(/\|+/g, '|');
}

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
  const page = (changes: Partial<OfficeAwards>, more: Partial<OfficeResponse> = {}) => {
    const { importedAt, bids, winner, portal, sourceTenderId, office, exclusion, ...summary } = AWARD;
    const answer: OfficeResponse = {
      statistics: { ...OFFICE, ...changes },
      quarters: [{ quarter: '2026-Q3', awards: 24, bidders: 3, price: -600, daysToContract: null }],
      newest: [summary],
      companies: [],
      regimes: [],
      portals: [portal],
      ...more,
    };
    return textOf(`/analysis/offices/${OFFICE.office.id}`, `api/awards/offices/${OFFICE.office.id}`, answer);
  };

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

test('the page of a state leads to its departments, and of a department to its offices', async () => {
  const answer: AwardGroupResponse = {
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
  };
  const state = await textOf('/analysis/goa', 'api/awards/states/goa', answer);
  expect(state).toContain('|Awarded tenders: Goa|');
  expect(state).toContain('|Typically 1 to 6 bidders.|');
  expect(state).toContain('Awards here range too widely to give a typical rate.');
  expect(state).toContain('|PWD |800 awards|');
  const old = { ...answer, group: { ...answer.group, isOld: true, lastKnownOn: '2024-02-27' } };
  expect(await textOf('/analysis/goa', 'api/awards/states/goa', old)).toContain('|Awards known until Feb 2024.|');
  const offices = [{ ...OFFICE.office, awards: 96, lastKnownOn: '2026-10-30' }];
  const ofDepartment = { ...answer, filter: { ...answer.filter, department: 'PWD' }, offices };
  const call = 'api/awards/states/goa?department=PWD';
  const department = await textOf('/analysis/goa?department=PWD', call, ofDepartment);
  expect(department).toContain('|Awarded tenders: PWD, Goa|');
  expect(department).toContain('|Mandi Division |96 awards|');
});

test('Competitive Analysis is planned until there are awards, then lists the states with awards', async () => {
  const planned = await textOf('/analysis', 'api/awards', { states: [] });
  expect(planned).toContain('It does not work yet.');
  for (const title of ['Who bids here', 'Award prices', 'Seasons and trends'])
    expect(planned).toMatch(new RegExp(`\\|${title}\\|[^|]+\\|Coming soon\\|`));
  expect(planned).toMatch(/\|Your own record\|[^|]+\|Until then\|/);
  const goa = { state: 'Goa', awards: 1_200, offices: 31, lastKnownOn: '2026-10-30', isDemonstration: false };
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

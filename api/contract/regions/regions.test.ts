import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { foldDepartment } from './fold-name.ts';
import posts from './posts.json' with { type: 'json' };
import {
  departmentName,
  findDepartment,
  findDepartmentOfChain,
  findDistrict,
  findRegion,
  foldName,
  REGIONS,
  type Region,
} from './regions.ts';
import { STATES } from './states.ts';

const shared = path.resolve(import.meta.dirname, '../../../../shared');
const geo = path.join(shared, 'data/geo');

function region(name: string): Region {
  const found = findRegion(name);
  if (!found) throw new Error(`no state ${name}`);
  return found;
}

/** Rows of a simple CSV (quotes around a field, never inside it), keyed by the header. */
function readRows(file: string): Record<string, string>[] {
  const [header = [], ...lines] = readFileSync(path.join(geo, file), 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((match) => match[1] ?? match[2] ?? ''));
  return lines.map((cells) => Object.fromEntries(header.map((key, at) => [key, cells[at] ?? ''])));
}

function unknownDistricts(rows: { state: string; district: string }[]): string[] {
  return rows
    .filter(({ state, district }) => {
      const found = findRegion(state);
      return !found || !findDistrict(found, district);
    })
    .map(({ state, district }) => `${state}: ${district}`);
}

function shareOfKnownTenders(state: string, file: string): number {
  let known = 0;
  let all = 0;
  for (const row of readRows(file)) {
    const tenders = Number(row.tenders);
    all += tenders;
    if (findDepartment(region(state), row.organisation_chain_level1 ?? '')) known += tenders;
  }
  return known / all;
}

describe('states', () => {
  test('all 36 are in the order of the state list', () => {
    expect(REGIONS).toHaveLength(36);
    expect(REGIONS.map(({ state }) => state)).toEqual(STATES);
  });

  test('every state has districts and at least ten departments', () => {
    for (const { state, districts, departments } of REGIONS) {
      expect(districts.length, state.name).toBeGreaterThan(0);
      expect(departments.length, state.name).toBeGreaterThanOrEqual(10);
    }
  });

  test.each([
    ['Himachal Pradesh', 'Himachal Pradesh'],
    ['himachal-pradesh', 'Himachal Pradesh'],
    ['IN-HP', 'Himachal Pradesh'],
    ['HP', 'Himachal Pradesh'],
    ['himachal', 'Himachal Pradesh'],
    ['Orissa', 'Odisha'],
    ['Uttaranchal', 'Uttarakhand'],
    ['Pondicherry', 'Puducherry'],
    ['NCT of Delhi', 'Delhi'],
    ['J&K', 'Jammu and Kashmir'],
    ['JAMMU & KASHMIR', 'Jammu and Kashmir'],
    ['UP', 'Uttar Pradesh'],
    ['MP', 'Madhya Pradesh'],
    ['THE DADRA AND NAGAR HAVELI AND DAMAN AND DIU', 'Dadra and Nagar Haveli and Daman and Diu'],
  ])('%s means %s', (text, name) => {
    expect(findRegion(text)?.state.name).toBe(name);
  });

  test.each(['', ' ', 'Atlantis', 'IN-XX'])('"%s" is no state', (text) => {
    expect(findRegion(text)).toBeUndefined();
  });

  test('no name, code or alias means two states', () => {
    for (const each of REGIONS) {
      for (const text of [each.state.name, each.state.slug, each.state.iso, ...each.aliases]) {
        expect(findRegion(text)?.state.name, text).toBe(each.state.name);
      }
    }
  });
});

describe('the lists of SPEC', () => {
  test('Himachal Pradesh has its eleven old districts in order, and Kangra', () => {
    expect(region('Himachal Pradesh').districts.map(({ name }) => name)).toEqual([
      'Bilaspur',
      'Chamba',
      'Hamirpur',
      'Kinnaur',
      'Kullu',
      'Lahaul and Spiti',
      'Mandi',
      'Shimla',
      'Sirmaur',
      'Solan',
      'Una',
      'Kangra',
    ]);
  });

  test('Himachal Pradesh begins with its twelve departments in order', () => {
    const names = region('Himachal Pradesh').departments.map(({ name }) => name);
    expect(names.slice(0, 12)).toEqual([
      'PWD',
      'Irrigation & Public Health',
      'Health & Family Welfare',
      'Education Department',
      'Urban Development',
      'Rural Development & Panchayati Raj',
      'Tribal Development',
      'Energy Department',
      'Information Technology',
      'Transport Department',
      'Agriculture',
      'Industries',
    ]);
    expect(names).toEqual(expect.arrayContaining(['HPSEBL', 'Municipal Corporation Shimla', 'HIMUDA', 'BBNDA']));
  });

  test('Delhi has its ten old districts in order, then Shahdara and those of 2026', () => {
    expect(region('Delhi').districts.map(({ name }) => name)).toEqual([
      'Central Delhi',
      'East Delhi',
      'New Delhi',
      'North Delhi',
      'North East Delhi',
      'North West Delhi',
      'South Delhi',
      'South East Delhi',
      'South West Delhi',
      'West Delhi',
      'Shahdara',
      'Old Delhi',
      'Central North Delhi',
      'Outer North Delhi',
    ]);
  });

  test('Delhi begins with its six departments in order', () => {
    const names = region('Delhi').departments.map(({ name }) => name);
    expect(names.slice(0, 6)).toEqual([
      'Delhi Jal Board',
      'Delhi Urban Shelter Improvement Board',
      'IPGCL-PPCL',
      'Irrigation and Flood Control',
      'New Delhi Municipal Council',
      'Public Works Department',
    ]);
  });
});

describe('districts', () => {
  test.each([
    ['Himachal Pradesh', 'Sirmour', 'Sirmaur'],
    ['Himachal Pradesh', 'LAHUL AND SPITI', 'Lahaul and Spiti'],
    ['Himachal Pradesh', 'lahaul-and-spiti', 'Lahaul and Spiti'],
    ['Himachal Pradesh', 'Lahaul & Spiti', 'Lahaul and Spiti'],
    ['Delhi', 'North East', 'North East Delhi'],
    ['Delhi', 'South-East Delhi', 'South East Delhi'],
    ['Assam', 'Kamrup Metro', 'Kamrup Metropolitan'],
    ['Assam', 'Karimganj', 'Sribhumi'],
    ['Uttar Pradesh', 'Allahabad', 'Prayagraj'],
    ['Haryana', 'Gurgaon', 'Gurugram'],
    ['Karnataka', 'Bangalore Urban', 'Bengaluru Urban'],
    ['Punjab', 'SAS Nagar', 'S.A.S. Nagar'],
    ['Punjab', 'Mohali', 'S.A.S. Nagar'],
    ['Andhra Pradesh', 'Y.S.R.', 'Y.S.R. Kadapa'],
    ['Nagaland', 'Chümoukedima', 'Chumoukedima'],
  ])('in %s, %s is %s', (state, text, name) => {
    expect(findDistrict(region(state), text)?.name).toBe(name);
  });

  test('a district of another state is not found', () => {
    expect(findDistrict(region('Himachal Pradesh'), 'Pune')).toBeUndefined();
  });

  test('no name or alias means two districts of a state', () => {
    for (const each of REGIONS) {
      for (const district of each.districts) {
        for (const text of [district.name, district.slug, ...district.aliases]) {
          expect(findDistrict(each, text)?.name, `${each.state.name}: ${text}`).toBe(district.name);
        }
      }
    }
  });
});

describe('departments', () => {
  test.each([
    ['Himachal Pradesh', 'HP Irrigation and Public Health', 'Irrigation & Public Health'],
    ['Himachal Pradesh', 'Jal Shakti Vibhag', 'Irrigation & Public Health'],
    ['Himachal Pradesh', 'Jal Shakti', 'Irrigation & Public Health'],
    ['Himachal Pradesh', 'irrigation-and-public-health', 'Irrigation & Public Health'],
    ['Himachal Pradesh', 'IPH', 'Irrigation & Public Health'],
    ['Himachal Pradesh', 'HPSEB', 'HPSEBL'],
    ['Himachal Pradesh', 'HPPWD', 'PWD'],
    ['Himachal Pradesh', 'Public Works Department', 'PWD'],
    ['Himachal Pradesh', 'Directorate of Urban Development', 'Urban Development'],
    ['Delhi', 'DJB', 'Delhi Jal Board'],
    ['Assam', 'Department of Water Resources', 'Water Resources'],
    ['Odisha', 'Orissa Lift Irrigation Corporation', 'Odisha Lift Irrigation Corporation'],
    ['Odisha', 'ORISSA LIFT IRRIGATION CORPORATION LTD.', 'Odisha Lift Irrigation Corporation'],
    ['Odisha', 'Lift Irrigation Corporation Ltd', 'Odisha Lift Irrigation Corporation'],
    ['Odisha', 'ST and SC Development Deptt', 'ST and SC Development'],
    ['Odisha', 'S.T. & S.C. Development Dept., Govt. of Odisha', 'ST and SC Development'],
    ['Odisha', 'Works Deptt.', 'Works Department'],
    ['Odisha', 'Orissa Power Transmission Corpn. Ltd.', 'OPTCL'],
    ['Odisha', 'Housing & Urban Development Deptt', 'Housing and Urban Development'],
    ['Delhi', 'Delhi Transco Pvt. Ltd.', 'Delhi Transco Limited'],
    ['Himachal Pradesh', 'P.W.D', 'PWD'],
    ['Himachal Pradesh', 'Public Works Department, Government of Himachal Pradesh', 'PWD'],
  ])('in %s, %s is %s', (state, text, name) => {
    expect(findDepartment(region(state), text)?.name).toBe(name);
  });

  test.each([
    '',
    'Department',
    'Department of',
    'Harbour Master',
    'Himachal Pradesh',
    'Govt of HP',
    'Corporation',
    'Ltd',
  ])('"%s" is no department', (text) => {
    expect(findDepartment(region('Himachal Pradesh'), text)).toBeUndefined();
  });

  test.each([
    ['Odisha', 'CE RW I', 'Rural Development'],
    ['Odisha', 'EIC-CIVIL', 'Works Department'],
    ['Odisha', 'E-in-C (Civil), Odisha', 'Works Department'],
    ['Odisha', 'CE-NH', 'Works Department'],
    ['Odisha', 'Chief Engineer, Minor Irrigation', 'Water Resources'],
    ['Odisha', 'CE,Minor Irrigation,BBSR', 'Water Resources'],
    ['Odisha', 'CE-BM, Tel Basin,Bhawanipatna', 'Water Resources'],
    ['Odisha', 'CE and BM Brahmani Basin Samal', 'Water Resources'],
    ['Odisha', 'CCE Potteru Irr.Project,Balimela', 'Water Resources'],
    ['Odisha', 'CCE,Anandapur Barrage Project', 'Water Resources'],
    ['Odisha', 'Kanapur Irrigation Project', 'Water Resources'],
    ['Odisha', 'Orissa Mining Corporation Ltd.', 'Odisha Mining Corporation'],
    ['Odisha', 'PHEO', 'Housing and Urban Development'],
    ['Uttar Pradesh', 'Chief Engineer, Minor Irrigation', 'Minor Irrigation'],
    ['Uttar Pradesh', 'CE Jal Nigam (Rural)', 'UP Jal Nigam (Rural)'],
    ['Uttar Pradesh', 'Superintending Engineer, Drainage Circle Meerut', 'Irrigation and Water Resources'],
    ['Himachal Pradesh', 'Executive Engineer, HPPWD Division Theog', 'PWD'],
    ['Himachal Pradesh', 'Chief Engineer National Highways', 'PWD'],
    ['Assam', 'Chief Engineer, PWD Roads, Chandmari', 'Public Works Roads Department'],
    ['Karnataka', 'SE Minor Irrigation Circle', 'Minor Irrigation and Ground Water Development'],
  ])('of %s is meant by the post "%s": %s', (state, post, name) => {
    expect(findDepartment(region(state), post)?.name).toBe(name);
  });

  test.each([
    ['Odisha', 'Chief Engineer, Zone I'],
    ['Odisha', 'Chief Engineer Quality Assurance Bhubaneswar'],
    ['Himachal Pradesh', 'Executive Engineer'],
    ['Himachal Pradesh', 'Chief Engineer, Police and Education'],
  ])('of %s is not guessed from the post "%s"', (state, post) => {
    expect(findDepartment(region(state), post)).toBeUndefined();
  });

  test.each([
    [['Chief Engineer, Zone I', 'Rural Works Circle Cuttack', 'RW Division Puri'], 'Rural Development'],
    [['Chief Engineer, Zone I', 'Executive Engineer', 'Water Resources Department'], 'Water Resources'],
    [['Harbour Master of Paradip', 'Works Department'], 'Works Department'],
    [['Harbour Master of Paradip', 'Executive Engineer, Rural Works'], undefined],
    [['CE RW I', 'Works Department'], 'Rural Development'],
    [[], undefined],
  ])('of the chain %j is %s', (chain, name) => {
    expect(findDepartmentOfChain(region('Odisha'), chain)?.name).toBe(name);
  });

  test('every department of a post is one of a state, and every source is given', () => {
    for (const { state, departments, sources } of posts.subjects) {
      const regions = REGIONS.filter((each) => state === null || each.state.slug === state);
      for (const name of departments)
        expect(
          regions.some((each) => findDepartment(each, name)),
          name,
        ).toBe(true);
      expect(Object.keys(posts.sources)).toEqual(expect.arrayContaining(sources));
    }
  });

  test('a name that two departments share, apart from the name of the state, finds neither', () => {
    const made = (...names: string[]): Region => ({
      ...region('Odisha'),
      departments: names.map((name) => ({ name, slug: name, aliases: [] })),
    });
    const one = 'Odisha Coir Board';
    expect(findDepartment(made(one), 'Coir Board')?.name).toBe(one);
    const two = made(one, 'Coir Board of Orissa');
    expect(findDepartment(two, 'State Coir Board')).toBeUndefined();
    expect(findDepartment(two, one)?.name).toBe(one);
  });

  test('no name or alias means two departments of a state', () => {
    for (const each of REGIONS) {
      for (const department of each.departments) {
        for (const text of [department.name, department.slug, ...department.aliases]) {
          expect(findDepartment(each, text)?.name, `${each.state.name}: ${text}`).toBe(department.name);
        }
      }
    }
  });
});

describe('the name of an organisation', () => {
  test('is that of the known department', () => {
    expect(departmentName(region('Odisha'), 'Works Deptt.')).toBe('Works Department');
  });

  test('is its own where no department is known', () => {
    expect(departmentName(region('Odisha'), ' Harbour Master of Paradip ')).toBe('Harbour Master of Paradip');
  });

  test('is none without a text', () => {
    expect(departmentName(region('Odisha'), '  ')).toBeNull();
  });
});

test('slugs are plain and unique within a state', () => {
  for (const { state, districts, departments } of REGIONS) {
    for (const places of [districts, departments]) {
      const slugs = places.map(({ slug }) => slug);
      expect(new Set(slugs).size, state.name).toBe(slugs.length);
      for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  }
});

test.each([
  ['  Lahaul  &  Spiti ', 'lahaul and spiti'],
  ['S.A.S. Nagar (Mohali)', 's a s nagar mohali'],
  ['SOUTH-EAST_Delhi', 'south east delhi'],
  ['Chümoukedima', 'chumoukedima'],
  ['...', ''],
])('"%s" is looked up as "%s"', (text, folded) => {
  expect(foldName(text)).toBe(folded);
});

test.each([
  ['ST & SC Development Deptt.', 'st sc development'],
  ['Department of ST and SC Development', 'st sc development'],
  ['P.W.D.', 'pwd'],
  ['Assam Govt. Corpn. Ltd', 'assam government corporation'],
  ['The Directorate of Health Engg', 'health engineering'],
  ['Orissa Power Dev. Pvt Limited', 'odisha power development'],
])('the department "%s" is looked up as "%s"', (text, folded) => {
  expect(foldDepartment(text)).toBe(folded);
});

describe.skipIf(!existsSync(shared))('real names (needs ../shared)', () => {
  test('names and ISO codes of the states are those of the government directory', () => {
    const rows = readRows('states_lgd_iso.csv');
    expect(rows).toHaveLength(36);
    for (const row of rows) {
      const found = region(row.name ?? '').state;
      expect(found.iso).toBe(row.iso_3166_2);
      expect(found.name.toUpperCase()).toBe(row.name?.replace(/^THE /, ''));
    }
  });

  test('every district of the government directory of 2022 is known in its state', () => {
    const rows = readRows('districts_lgd_2022.csv');
    expect(rows).toHaveLength(763);
    const named = rows.map((row) => ({ state: row['State Name'] ?? '', district: row['District Name'] ?? '' }));
    expect(unknownDistricts(named)).toEqual([]);
  });

  test('every district of the PIN code directory is known in its state', () => {
    const rows = readRows('pincode_district_state.csv');
    expect(rows).toHaveLength(19_586);
    const named = rows.map((row) => ({ state: row.state ?? '', district: row.district ?? '' }));
    // 'NA' marks offices without a place.
    expect(unknownDistricts(named.filter(({ state }) => state !== 'NA'))).toEqual([]);
  });

  test('the departments cover at least 95% of the tenders of Himachal Pradesh and Assam', () => {
    expect(shareOfKnownTenders('Himachal Pradesh', 'organisations_hp.csv')).toBeGreaterThanOrEqual(0.95);
    expect(shareOfKnownTenders('Assam', 'organisations_assam.csv')).toBeGreaterThanOrEqual(0.95);
  });
});

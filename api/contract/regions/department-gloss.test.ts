import { expect, test } from 'vitest';
import { addTexts, inLanguage } from '../i18n.ts';
import { departmentGloss, GLOSSED_DEPARTMENTS } from './department-gloss.ts';
import { foldDepartment } from './fold-name.ts';
import { REGIONS } from './regions.ts';

test('a department has its gloss in every spelling of portals', () => {
  addTexts('hi', { 'department: water resources': ['जल संसाधन विभाग'] });
  inLanguage('hi', () => {
    for (const name of ['Water Resources Department', 'Department of Water Resources', 'WATER RESOURCES DEPTT.'])
      expect(departmentGloss(name)).toBe('जल संसाधन विभाग');
    expect(departmentGloss('Odisha Mining Corporation')).toBeNull();
  });
  expect(departmentGloss('Water Resources Department')).toBeNull();
});

test('every glossed department is one of a state, in its folded spelling', () => {
  const known = new Set(
    REGIONS.flatMap(({ departments }) =>
      departments.flatMap(({ name, aliases }) =>
        [name, ...aliases].map((each) => `department: ${foldDepartment(each)}`),
      ),
    ),
  );
  expect(GLOSSED_DEPARTMENTS.filter((id) => !known.has(id))).toEqual([]);
  expect(GLOSSED_DEPARTMENTS).toEqual([...new Set(GLOSSED_DEPARTMENTS)].sort());
});

test('most departments of states where Hindi is spoken have a gloss', () => {
  const glossed = new Set(GLOSSED_DEPARTMENTS);
  for (const slug of ['himachal-pradesh', 'uttar-pradesh', 'delhi', 'bihar', 'uttarakhand', 'rajasthan']) {
    const { departments = [] } = REGIONS.find(({ state }) => state.slug === slug) ?? {};
    const has = departments.filter(({ name }) => glossed.has(`department: ${foldDepartment(name)}`));
    expect(has.length / departments.length, slug).toBeGreaterThan(0.5);
  }
});

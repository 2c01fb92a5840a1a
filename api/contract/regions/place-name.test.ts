import type { Messages } from '@lingui/core';
import { afterEach, expect, test } from 'vitest';
import { districtsText } from '../format.ts';
import { addTexts, setLanguage } from '../i18n.ts';
import { REGIONS } from './regions.ts';
import { comparePlaces, placeName, STATE_NAMES, stateOptions, statesByName } from './states.ts';

const [catalogue] = Object.values(
  import.meta.glob<{ messages: Messages }>('../../../texts/hi.po', { query: '?part=server', eager: true }),
);
addTexts('hi', catalogue?.messages ?? {});
afterEach(() => setLanguage('en'));

test('places have their Hindi name in Hindi, and their listed name in English', () => {
  const names = ['Himachal Pradesh', 'Shimla', 'Lahaul and Spiti'];
  expect(names.map(placeName)).toEqual(names);
  setLanguage('hi');
  expect(names.map(placeName)).toEqual(['हिमाचल प्रदेश', 'शिमला', 'लाहौल और स्पीति']);
  expect(districtsText({ district: 'Solan', second_district: 'Sirmaur' })).toBe('सोलन और सिरमौर');
});

test('a name without a Hindi name stays as it is listed', () => {
  setLanguage('hi');
  expect(['Coimbatore', 'Port Trust', ''].map(placeName)).toEqual(['Coimbatore', 'Port Trust', '']);
});

test('all states and all districts of the Hindi-speaking states have a Hindi name', () => {
  setLanguage('hi');
  const districts = REGIONS.filter(({ state }) =>
    /^(?:Himachal|Uttar|Haryana|Delhi|Raj|Madhya|Chhatt|Bihar|Jhar)/.test(state.name),
  ).flatMap((region) => region.districts.map(({ name }) => name));
  expect(districts.length).toBeGreaterThan(300);
  for (const name of [...STATE_NAMES, ...districts]) expect(placeName(name)).toMatch(/^[\u0900-\u097f -]+$/);
});

test('states are listed before union territories, by the name that is shown', () => {
  expect(statesByName().map(({ name }) => name)).toEqual(STATE_NAMES);
  expect(stateOptions().slice(0, 2)).toEqual([
    ['Andhra Pradesh', 'Andhra Pradesh'],
    ['Arunachal Pradesh', 'Arunachal Pradesh'],
  ]);
  setLanguage('hi');
  const shown = stateOptions().map(([, text]) => text);
  expect(shown.slice(0, 4)).toEqual(['अरुणाचल प्रदेश', 'असम', 'आंध्र प्रदेश', 'उत्तर प्रदेश']);
  expect(shown.slice(28)).toContain('दिल्ली');
  expect(['Shimla', 'Una', 'Kullu'].sort(comparePlaces)).toEqual(['Una', 'Kullu', 'Shimla']);
});

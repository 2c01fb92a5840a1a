import { type Region, regionOf } from '@nivida/contract/regions';
import { describe, expect, test } from 'vitest';
import { findDistrict, type PincodeTable, type PlaceTexts, pincodeKey } from './places.ts';

const HIMACHAL = regionOf('Himachal Pradesh') as Region;

const PINCODES: PincodeTable = new Map([
  [pincodeKey('Himachal Pradesh', '171001'), new Map([['Shimla', 1]])],
  [
    pincodeKey('Himachal Pradesh', '172104'),
    new Map([
      ['Kinnaur', 0.75],
      ['Shimla', 0.25],
    ]),
  ],
  [pincodeKey('Assam', '175001'), new Map([['Cachar', 1]])],
]);

function find(texts: Partial<PlaceTexts>, region = HIMACHAL) {
  const nothing = { pincode: null, title: '', description: '', place: null, address: null, organisationChain: [] };
  return findDistrict(region, { ...nothing, ...texts }, PINCODES);
}

describe('the PIN code', () => {
  test('alone gives its district', () => {
    expect(find({ pincode: '171001' })).toEqual({ district: 'Shimla', confidence: 0.9 });
  });

  test('of two districts gives the one with more post offices, with less confidence', () => {
    const { district, confidence } = find({ pincode: '172104' });
    expect(district).toBe('Kinnaur');
    expect(confidence).toBeLessThan(0.75);
  });

  test('that agrees with the texts is as sure as can be', () => {
    expect(find({ pincode: '171001', title: 'Repair of quarters at Shimla' })).toEqual({
      district: 'Shimla',
      confidence: 1,
    });
  });

  test('of the office yields to a text that says the district', () => {
    const { district, confidence } = find({ pincode: '171001', title: 'Footbridge at Bharmour, Distt. Chamba (HP)' });
    expect(district).toBe('Chamba');
    expect(confidence).toBeGreaterThan(0.5);
    expect(confidence).toBeLessThan(0.8);
  });

  test('that is unknown, or of another state, says nothing', () => {
    expect(find({ pincode: '999999' })).toEqual({ district: null, confidence: null });
    expect(find({ pincode: '175001' })).toEqual({ district: null, confidence: null });
  });
});

describe('a text that says which district', () => {
  test.each([
    ['Distt. Chamba', 'Chamba'],
    ['Distt.Chamba', 'Chamba'],
    ['Dist: Chamba', 'Chamba'],
    ['district-Chamba', 'Chamba'],
    ['DISTRICT CHAMBA', 'Chamba'],
    ['Zila Parishad hall, Zila Mandi', 'Mandi'],
    ['in Solan district', 'Solan'],
    ['Distt. Sirmour', 'Sirmaur'],
    ['District Lahaul & Spiti', 'Lahaul and Spiti'],
    ['Distt Lahaul-Spiti', 'Lahaul and Spiti'],
    ['Distt. Una', 'Una'],
  ])('%s means %s', (words, district) => {
    expect(find({ title: `Repair of school building ${words}` }).district).toBe(district);
  });
});

describe('a name without the word district', () => {
  test('in title, description, place, address or organisation counts, each for less than the one before', () => {
    const confidences = [
      find({ place: 'Kullu' }),
      find({ title: 'Road to Kullu' }),
      find({ description: 'Road to Kullu' }),
      find({ address: 'Dhalpur Kullu' }),
      find({ organisationChain: ['PWD', 'Kullu Circle'] }),
    ].map(({ district, confidence }) => {
      expect(district).toBe('Kullu');
      return confidence;
    });
    expect(confidences).toEqual([0.7, 0.6, 0.5, 0.4, 0.3]);
  });

  test('is a whole word', () => {
    expect(find({ title: 'Unaided school, Mandir road, Solanki lane' })).toEqual({ district: null, confidence: null });
  });

  test.each(['sabzi mandi', 'Sabji Mandi', 'anaj mandi', 'GRAIN MANDI', 'fruit mandi'])('%s is no place', (market) => {
    expect(find({ title: `Construction of shed at ${market}` })).toEqual({ district: null, confidence: null });
  });

  test('a market in Mandi is a place', () => {
    expect(find({ title: 'Shed at sabzi mandi, Mandi' }).district).toBe('Mandi');
  });
});

test('texts that name two districts give the better founded one, with less confidence', () => {
  const sure = find({ title: 'Supply of pipes', place: 'Hamirpur', address: 'Hamirpur' });
  const torn = find({ title: 'Supply of pipes from Una', place: 'Hamirpur', address: 'Hamirpur' });
  expect(sure).toEqual({ district: 'Hamirpur', confidence: 1 });
  expect(torn.district).toBe('Hamirpur');
  expect(torn.confidence).toBe(0.65);
});

test('a description that repeats the title counts once', () => {
  const title = 'Road to Kullu';
  expect(find({ title, description: title })).toEqual(find({ title }));
});

test('nothing that points to a place gives none', () => {
  expect(find({ title: 'Supply of laptops', place: 'Head office', organisationChain: ['Electricity Board'] })).toEqual({
    district: null,
    confidence: null,
  });
});

test('a bid is not in Beed', () => {
  const maharashtra = regionOf('Maharashtra') as Region;
  expect(find({ title: 'Last date of bid' }, maharashtra).district).toBeNull();
  expect(find({ title: 'Road works, Dist. Beed' }, maharashtra).district).toBe('Beed');
});

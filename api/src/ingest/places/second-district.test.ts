import { findRegion, type Region } from '@nivida/contract/regions/regions';
import { describe, expect, test } from 'vitest';
import { deriveDistrict, type PlaceTexts, pincodeKey } from './places.ts';

const HIMACHAL = findRegion('Himachal Pradesh') as Region;
const ASSAM = findRegion('Assam') as Region;
const PINCODES = new Map([
  [pincodeKey('Himachal Pradesh', '171001'), new Map([['Shimla', 1]])],
  [pincodeKey('Himachal Pradesh', '173212'), new Map([['Solan', 1]])],
]);

function find(texts: Partial<PlaceTexts>, region = HIMACHAL): (string | undefined)[] {
  const nothing = { pincode: null, title: '', description: '', place: null, address: null, organisationChain: [] };
  const { district, secondDistrict } = deriveDistrict(region, { ...nothing, ...texts }, PINCODES);
  return [district ?? undefined, secondDistrict].sort();
}

describe('a work of two districts names both', () => {
  test.each([
    'Widening of road from Kothi to Jamna in districts Solan and Sirmaur',
    'Widening of road from Kothi to Jamna in Solan and Sirmaur districts',
    'Bridge over the Giri, Distt. Solan and Sirmaur',
    'Bridge over the Giri, Distt. Sirmour & Solan (HP)',
    'Bridge over the Giri, Solan/Sirmaur district',
    'Bridge over the Giri (Distt. Solan/ Sirmaur)',
    'Bridge over the Giri, Districts: Solan, Sirmaur',
    'Bridge over the Giri in Solan-Sirmaur districts',
    'Check dams in both the districts of Solan and Sirmaur, phase 2',
    'Check dams in Distt. Solan as well as Sirmaur',
    'Check dams at Kothi Distt. Solan and at Jamna Distt. Sirmaur',
    'Check dams at Kothi, Solan Distt. and Jamna, Sirmaur Distt.',
    'Check dams in Distt Solan & Distt. Sirmaur under the Giri project',
    'Link road Kothi (Distt. Solan) to Jamna (Distt. Sirmaur) km 0/0 to 4/500',
    'Check dams at Kothi Khurd, Solan and Sirmaur districts',
    'DISTRICT SOLAN AND SIRMAUR: FENCING OF FARMS',
    'Rest houses in Solan and Sirmaur, special repair',
    'Supply of seeds to farmers of Solan and Sirmaur district during 2026-27',
  ])('%s', (title) => {
    expect(find({ title })).toEqual(['Sirmaur', 'Solan']);
    expect(find({ title, pincode: '173212', place: 'Solan', address: 'Executive Engineer, Solan' })).toEqual([
      'Sirmaur',
      'Solan',
    ]);
    expect(find({ title: 'Phase 2', description: title })).toEqual(['Sirmaur', 'Solan']);
  });

  test.each([
    'Solan and Sirmaur',
    'Distt. Solan & Sirmaur',
    'Solan / Sirmaur',
    'Sirmour; Solan',
    'Solan and Sirmaur Districts (HP)',
    'Districts Solan, Sirmaur',
  ])('in the cell of the place: %s', (place) => {
    expect(find({ title: 'Check dams', place, pincode: '171001' })).toEqual(['Sirmaur', 'Solan']);
  });

  test.each([
    ['District Lahaul & Spiti and Kullu', ['Kullu', 'Lahaul and Spiti']],
    ['Kullu and Lahaul-Spiti districts', ['Kullu', 'Lahaul and Spiti']],
  ])('%s, of which one has two names', (place, both) => {
    expect(find({ title: `Snow clearance, ${place}` })).toEqual(both);
  });

  test('the confidence is that of both', () => {
    const texts = { title: 'Bridge, Distt. Solan and Sirmaur', description: '', place: null, address: null };
    const found = deriveDistrict(HIMACHAL, { ...texts, pincode: null, organisationChain: [] }, PINCODES);
    expect(found).toEqual({ district: 'Solan', secondDistrict: 'Sirmaur', confidence: 1 });
  });
});

describe('one district is named', () => {
  test.each([
    ['of a single district with two names', 'Snow clearance, Distt. Lahaul and Spiti'],
    ['of a town with its district', 'Ward hall at Una, Distt. Hamirpur'],
    ['of a route', 'Repair of Shimla and Mandi road at Jamna, Distt. Solan'],
    ['of a route between two ends', 'Restoration of Shimla to Mandi road km 6/0 to 22/0'],
    ['of a road that joins two districts', 'Metalling of the Solan and Sirmaur district connecting road'],
    ['of an office', 'Meters for M and T Division Solan and Kangra'],
    ['of an office with its districts', 'Hall of the Superintending Engineer, Solan and Sirmaur districts'],
    ['of an office after it', 'School at Jamna under Solan and Sirmaur District Building Division'],
    ['of an office in short', 'School at Jamna, Distt. Solan under Solan and Sirmaur DTBD'],
    ['of an office of one of them', 'School under Solan Dist. and Sirmaur Dist. TBD at Jamna'],
    ['of a division after its district', 'Hut at Jamna, Distt. Solan under Wild Life Division Sirmaur'],
    ['of a court', 'Chairs for the Solan and Sirmaur District Courts'],
    ['of a constituency', 'Tube wells in Solan and Sirmaur Assembly Constituency'],
    ['of three districts', 'Check dams in Solan, Sirmaur and Shimla districts'],
    ['of three districts without commas', 'Check dams in districts Solan Sirmaur and Shimla'],
    ['of three, one by its town', 'Check dams in Solan, Nalagarh Shimla and Sirmaur districts'],
    ['of three, one with its villages', 'Check dams in Shimla (Kothi, Jamna), Solan and Sirmaur districts'],
    ['of three, one misspelt', 'Check dams in Shimlla, Solan and Sirmaur districts'],
    ['of three named ones', 'Check dams in Distt. Solan, Distt. Sirmaur and Distt. Shimla'],
    ['of one of two', 'Control rooms in Solan and Sirmaur districts (in Sirmaur District)'],
    ['of either', 'Store in Distt. Solan or Sirmaur'],
    ['of a border', 'Check post near the border of Solan and Sirmaur districts'],
    ['of an exception', 'Survey of forests except Solan and Sirmaur districts'],
    ['of a neighbour', 'Hostel for students from Solan and Sirmaur districts'],
    ['of bidders', 'Lease of shops to registered contractors of Solan and Sirmaur districts'],
    ['of a former district', 'School at Jamna, Solan District under undivided Sirmaur District'],
    ['of a transport', 'Carriage of pipes from Distt. Solan to Distt. Sirmaur'],
    ['of a town elsewhere', 'Repair at Nahan and Solan road'],
    ['of a town with its district, twice named', 'Ward hall at Una, Distt. Hamirpur District'],
    ['of two villages', 'Ward halls at Solan and Sirmaur, Gram Panchayat Jamna'],
    ['of a market', 'Shed in Distt. Solan and fruit mandi'],
    ['of a hospital of one', 'District Hospital Solan and Regional Hospital, repair'],
  ])('%s: %s', (_what, title) => {
    expect(find({ title })).toContain(undefined);
  });

  test('by the cell of the place, if it names a town or repeats the office', () => {
    expect(find({ title: 'Check dams', place: 'Nahan, Solan' })).toContain(undefined);
    expect(find({ title: 'Check dams', place: 'Una, Hamirpur' })).toContain(undefined);
    const address = 'Chief Engineer, Solan and Sirmaur';
    expect(find({ title: 'Check dams', place: 'Solan and Sirmaur', address })).toContain(undefined);
  });

  test('if one of the texts states it', () => {
    const title = 'Road from Kothi to Jamna in districts Solan and Sirmaur';
    expect(find({ title, description: 'Retaining wall at Jamna, Distt. Sirmaur' })).toContain(undefined);
  });

  test('where the second name is of a place that was cut off, or is no district of the state', () => {
    expect(find({ title: 'Check dams in districts Solan and Sir…' })).toContain(undefined);
    expect(find({ title: 'Check dams in districts Solan and Patiala' })).toContain(undefined);
    expect(find({ title: 'Hall at Tamulpur, Baksa District' }, ASSAM)).toContain(undefined);
  });
});

import { findRegion, REGIONS, type Region } from '@nivida/contract/regions/regions';
import { describe, expect, test } from 'vitest';
import { deriveDistrict, type PincodeTable, type PlaceTexts, pincodeKey } from './places.ts';
import { TOWNS_BY_STATE } from './towns.ts';

const HIMACHAL = findRegion('Himachal Pradesh') as Region;
const ASSAM = findRegion('Assam') as Region;

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
  [pincodeKey('Assam', '781006'), new Map([['Kamrup Metropolitan', 1]])],
  [pincodeKey('Assam', '783370'), new Map([['Kokrajhar', 1]])],
  [pincodeKey('Assam', '786001'), new Map([['Dibrugarh', 1]])],
  [pincodeKey('Himachal Pradesh', '174303'), new Map([['Una', 1]])],
  [
    pincodeKey('Himachal Pradesh', '175040'),
    new Map([
      ['Mandi', 0.6],
      ['Bilaspur', 0.4],
    ]),
  ],
]);

function find(texts: Partial<PlaceTexts>, region = HIMACHAL) {
  const nothing = { pincode: null, title: '', description: '', place: null, address: null, organisationChain: [] };
  return deriveDistrict(region, { ...nothing, ...texts }, PINCODES);
}

describe('the PIN code', () => {
  test('alone gives its district', () => {
    expect(find({ pincode: '171001' })).toEqual({ district: 'Shimla', confidence: 0.9 });
  });

  test('that is in two districts gives the one with more post offices, with less confidence', () => {
    const { district, confidence } = find({ pincode: '172104' });
    expect(district).toBe('Kinnaur');
    expect(confidence).toBeLessThan(0.75);
  });

  test('that agrees with the texts has full confidence', () => {
    expect(find({ pincode: '171001', title: 'Repair of quarters at Shimla' })).toEqual({
      district: 'Shimla',
      confidence: 1,
    });
  });

  test('of the office weighs less than a text that states the district', () => {
    const { district, confidence } = find({ pincode: '171001', title: 'Footbridge at Bharmour, Distt. Chamba (HP)' });
    expect(district).toBe('Chamba');
    expect(confidence).toBeGreaterThan(0.5);
    expect(confidence).toBeLessThan(0.8);
  });

  test('of the office weighs more than a district that the description merely names', () => {
    const office = { pincode: '175040', place: 'Jal Bhawan', address: 'Jal Bhawan, Mandi' };
    const texts = {
      title: 'Repair of a pump house',
      description: 'Repair of a pump house, like the one of Kullu, by night',
    };
    expect(find({ ...office, ...texts }).district).toBe('Mandi');
  });

  test('that is in several districts is ignored if the place does not name its main one', () => {
    const mandi = { pincode: '175040', title: 'Street lights' };
    expect(find({ ...mandi, place: 'Bilaspur' })).toEqual({ district: 'Bilaspur', confidence: 0.67 });
    expect(find({ ...mandi, place: 'Mandi' })).toEqual({ district: 'Mandi', confidence: 0.77 });
  });

  test('that is unknown, or of another state, is ignored', () => {
    expect(find({ pincode: '999999' })).toEqual({ district: null, confidence: null });
    expect(find({ pincode: '175001' })).toEqual({ district: null, confidence: null });
  });
});

describe('a text that states the district', () => {
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
    ['Zilla Una', 'Una'],
    ['Districts of Una', 'Una'],
  ])('%s means %s', (words, district) => {
    expect(find({ title: `Repair of school building ${words}` })).toEqual({ district, confidence: 1 });
  });
});

describe('a name without the word district', () => {
  test('counts in title, description, place and address, and last in a local body, with decreasing weight', () => {
    const confidences = [
      find({ place: 'Kullu' }),
      find({ title: 'Road to Kullu' }),
      find({ description: 'Road to Kullu' }),
      find({ address: 'Dhalpur Kullu' }),
      find({ organisationChain: ['Urban Development', 'Municipal Council Kullu'] }),
    ].map(({ district, confidence }) => {
      expect(district).toBe('Kullu');
      return confidence;
    });
    expect(confidences).toEqual([0.7, 0.6, 0.5, 0.4, 0.3]);
  });

  test('counts only as a whole word', () => {
    expect(find({ title: 'Unaided school, Mandir road, Solanki lane' })).toEqual({ district: null, confidence: null });
  });

  test.each([
    ...['sabzi mandi', 'Sabji Mandi', 'anaj mandi', 'anaz mandi', 'GRAIN MANDI', 'fruit mandi'],
    ...['apple mandi', 'Krishi mandi'],
  ])('%s is no place', (market) => {
    expect(find({ title: `Construction of shed at ${market}` })).toEqual({ district: null, confidence: null });
    expect(find({ title: `${market} shed` })).toEqual({ district: null, confidence: null });
  });

  test('a market in Mandi is a place', () => {
    expect(find({ title: 'Shed at sabzi mandi, Mandi' }).district).toBe('Mandi');
  });
});

test('texts that name two districts give the one with more evidence, with less confidence', () => {
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

test('texts without evidence give no district', () => {
  expect(find({ title: 'Supply of laptops', place: 'Head office', organisationChain: ['Electricity Board'] })).toEqual({
    district: null,
    confidence: null,
  });
});

test('a bid is not in Beed', () => {
  const maharashtra = findRegion('Maharashtra') as Region;
  expect(find({ title: 'Last date of bid' }, maharashtra).district).toBeNull();
  expect(find({ title: 'Road works, Dist. Beed' }, maharashtra).district).toBe('Beed');
});

describe('an office elsewhere', () => {
  // The office's town is the place of the notice, and the address and PIN code belong to it.
  const capital = { place: 'Dispur', address: 'Housing Board, Dispur, Ghy-06', pincode: '781006' };
  const council = {
    place: 'Kokrajhar',
    address: 'O/o the Chief Engineer, Kokrajhar',
    pincode: '783370',
    organisationChain: ['Territorial Council'],
  };
  const una = { place: 'Una', address: 'Electrical Division Una', pincode: '174303' };

  test.each<[string, Partial<PlaceTexts>, Region, string]>([
    ['Repair of the ferry office in the District of Majuli', capital, ASSAM, 'Majuli'],
    ['Girls hostel at Lakeside Academy, Dhubri', capital, ASSAM, 'Dhubri'],
    ['Reading room at Riverbank College Hojai', capital, ASSAM, 'Hojai'],
    ['Skill centre, Golaghat', capital, ASSAM, 'Golaghat'],
    ['Boundary wall of the school at Sapekhati', capital, ASSAM, 'Charaideo'],
    ['Statue at the market, Chirang', council, ASSAM, 'Chirang'],
    ['Renovation of Green Hill School in Udalguri District', council, ASSAM, 'Udalguri'],
    ['Class rooms under No. 7 Hillview Constituency in Baksa District', council, ASSAM, 'Baksa'],
    ['Lighting of the guest house at Hamirpur', una, HIMACHAL, 'Hamirpur'],
    ['Lifts of the auditorium in Distt. Bilaspur', una, HIMACHAL, 'Bilaspur'],
  ])('%s', (title, office, region, district) => {
    expect(find({ title, ...office }, region).district).toBe(district);
  });

  test('counts when the text of the work has no other evidence', () => {
    expect(find({ title: 'Supply of chairs', ...capital }, ASSAM).district).toBe('Kamrup Metropolitan');
    expect(find({ title: 'Supply of chairs', ...una }).district).toBe('Una');
  });

  test('in the capital is no evidence without a PIN code', () => {
    expect(find({ title: 'Supply of chairs', address: 'Chandmari, Guwahati-3' }, ASSAM).district).toBeNull();
  });

  test('weighs less than the place of the notice when only the PIN code is of another district', () => {
    expect(find({ title: 'Street lights', place: 'Guwahati', pincode: '786001' }, ASSAM).district).toBe(
      'Kamrup Metropolitan',
    );
  });
});

describe('an office in the organisation', () => {
  test.each([
    'Electrical Division Hamirpur',
    'CE(ES) Hamirpur',
    'Sr. Xen (ES) Hamirpur',
    'Executive Engineer Electrical Dn,Hamirpur',
    'Hamirpur Circle',
  ])('%s is no place of the work', (office) => {
    expect(find({ organisationChain: ['HPSEBL', office] }).district).toBeNull();
    expect(find({ place: 'Nalagarh', organisationChain: ['HPSEBL', office] }).district).toBe('Solan');
  });

  test('does not decide against another text, nor does a local body; it raises or lowers the confidence', () => {
    const beside = (organisation: string) => find({ title: 'Footbridge at Una', organisationChain: [organisation] });
    const alone = find({ title: 'Footbridge at Una' }).confidence ?? 0;
    expect(find({ address: 'Una', organisationChain: ['Municipal Council Mandi', 'Mandi'] }).district).toBe('Una');
    expect(beside('Electrical Division Una')).toEqual({ district: 'Una', confidence: expect.any(Number) });
    expect(beside('Electrical Division Una').confidence).toBeGreaterThanOrEqual(alone);
    expect(beside('Electrical Division Mandi').confidence).toBeLessThan(alone);
  });
});

describe('a town beyond a city with the same post', () => {
  const bengal = findRegion('West Bengal') as Region;

  test.each([
    ['Repair of the pump house at Salt Lake, Kolkata', 'North 24 Parganas'],
    ['Hostel in Sector V, Salt Lake City, Kolkata - 91', 'North 24 Parganas'],
    ['Boundary wall at Sonarpur, Kolkata', 'South 24 Parganas'],
    ['Lift of the office in Kolkata', 'Kolkata'],
    ['Bus service from Kolkata to Barasat', 'Kolkata'],
  ])('%s', (title, district) => {
    expect(find({ title }, bengal).district).toBe(district);
  });

  test('weighs more than the PIN code of the city', () => {
    const pincodes: PincodeTable = new Map([[pincodeKey('West Bengal', '700001'), new Map([['Kolkata', 1]])]]);
    const texts = { title: 'Road', description: '', place: 'Salt Lake', address: null, organisationChain: [] };
    expect(deriveDistrict(bengal, { ...texts, pincode: '700001' }, pincodes).district).toBe('North 24 Parganas');
  });
});

test.each([
  ['Odisha', 'Nawarangpur', 'Nabarangpur'],
  ['Odisha', 'Nowrangapur', 'Nabarangpur'],
  ['Odisha', 'Sonpur', 'Subarnapur'],
  ['Odisha', 'Rourkela', 'Sundargarh'],
  ['West Bengal', 'Burdwan', 'Purba Bardhaman'],
  ['Assam', 'Baska', 'Baksa'],
  ['Bihar', 'Motihari', 'East Champaran'],
])('%s: %s is in %s, by an old name or another spelling', (state, name, district) => {
  expect(find({ title: `Culvert at ${name}` }, findRegion(state) as Region).district).toBe(district);
});

describe('a name that is not the place of the work', () => {
  const nalbari = { place: 'Tihu', address: 'Irrigation Division' };

  test.each([
    'Bank protection, Barpeta LAC',
    'Bank protection, Barpeta East (SC) Assembly Constituency',
    'Bank protection for Barpeta A.C.',
    'Bank protection, Barpeta Vidhan Sabha',
  ])('an Assembly constituency: %s', (title) => {
    expect(find({ title, ...nalbari }, ASSAM).district).toBe('Nalbari');
  });

  test('a constituency counts without other evidence', () => {
    expect(find({ title: 'Tube wells, Dhemaji LAC' }, ASSAM).district).toBe('Dhemaji');
  });

  test.each([
    'Restoration of the Shimla Kunihar Nalagarh road',
    'Retaining wall on Shimla Bye Pass',
    'Shifting of the 33 kV Shimla feeder',
    'Widening of Old Shimla Upper Bazaar road',
    'Four lanes from Lower Bazaar to Shimla',
  ])('a road or a line: %s', (title) => {
    expect(find({ title, place: 'Arki' }).district).toBe('Solan');
  });

  test.each<[string, number, string[]]>([
    [
      'a name alone',
      0.6,
      ['Footbridge Una', 'Footbridge from Una', 'Una, for road users', 'Office of the XEN in charge: Una'],
    ],
    [
      'the place of the work',
      1,
      ['Footbridge, Una', 'Footbridge at Una', 'Footbridge in ward no. 4 Una', 'Footbridge in village 4, Una.'],
    ],
    [
      'a road or a line',
      0.24,
      [
        ...['Widening of Una road', 'Una feeder', 'Una Amb highway', 'Una bye pass', 'Line of Amb to Una'],
        ...['Una - Amb Rd', 'Una bypass', 'Una marg', 'Una 33 kV line', 'Una section'],
      ],
    ],
    [
      'an office',
      0.42,
      [
        'Tower under Division Una',
        'Tower at Una Division',
        'Una Circle: repair',
        ...[
          'Una Zone',
          'Una Sub-Division',
          'Una Divn',
          'Una Building',
          'Una Territorial',
          'Una TRD',
          'Una District Circle',
        ],
        'Repairs, PWD Una',
        'O/o Una',
        ...['PIU No. 2, Una', 'PIU Una', 'HPPWD Una', 'HPSEBL Una', 'ED Una', 'ESD Una', 'Section Una', 'Zone Una'],
        ...['Circle Una', 'Divn Una', 'Division No. II, Una', 'Office, Una', 'Una DTRD', 'Una DTBD', 'Una Subdivision'],
      ],
    ],
    [
      'a constituency',
      0.18,
      [
        'Una Assembly Constituency',
        'Una North (SC) Assembly Constituency',
        'Una Vidhan Sabha',
        'Una Sadar LAC',
        ...['Una A.C.', 'Una AC', 'Una MLA', 'Una HPC', 'Una Urban Constituency', 'Una-Amb Vidhan Sabha'],
      ],
    ],
    ['a town at the end, which may be that of the office', 0.48, ['Footbridge, Haroli', 'Footbridge Haroli']],
    ['a town as the place of the work', 1, ['Footbridge at Haroli']],
  ])('%s has the confidence %d', (_kind, confidence, titles) => {
    for (const title of titles) expect({ title, ...find({ title }) }).toEqual({ title, district: 'Una', confidence });
  });

  test('a road is in the district that its text names', () => {
    expect(find({ title: 'Mandi Manali road in Kullu District', place: 'Ner Chowk' }).district).toBe('Kullu');
  });

  test('an office in the text weighs less than the place', () => {
    expect(find({ title: 'Repair of tower under Division Bilaspur', place: 'Pandoh' }).district).toBe('Mandi');
  });
});

test.each([
  ['Kamrup (Metro)', 'Kamrup Metropolitan'],
  ['Kamrup (M)', 'Kamrup Metropolitan'],
  ['Kamrup (R)', 'Kamrup'],
  ['North Guwahati', 'Kamrup'],
  ['Guwahati', 'Kamrup Metropolitan'],
])('%s is in %s', (place, district) => {
  expect(find({ place }, ASSAM).district).toBe(district);
});

test('every town lies in one listed district of its state, and a place of its name is in that district', () => {
  for (const [slug, districts] of Object.entries(TOWNS_BY_STATE)) {
    const region = REGIONS.find(({ state }) => state.slug === slug) as Region;
    const towns = Object.values(districts).flat();
    expect(towns.filter((town, at) => towns.indexOf(town) !== at)).toEqual([]);
    for (const [district, names] of Object.entries(districts)) {
      expect(region.districts.map(({ name }) => name)).toContain(district);
      for (const place of names)
        expect({ place, ...find({ place }, region) }).toEqual({ place, district, confidence: expect.any(Number) });
    }
  }
});

test.each<[Region, string, string]>([
  [HIMACHAL, 'Bilaspur', 'Ghumarwin, Naina Devi, Jhandutta, Barmana'],
  [HIMACHAL, 'Chamba', 'Dalhousie, Bharmour, Pangi, Salooni, Tissa'],
  [HIMACHAL, 'Hamirpur', 'Nadaun, Sujanpur, Sujanpur Tihra, Barsar, Bhoranj'],
  [HIMACHAL, 'Kangra', 'Dharamshala, Dharamsala, Palampur, Nurpur, Baijnath, Jawali, Dehra, Mcleodganj'],
  [HIMACHAL, 'Kinnaur', 'Reckong Peo, Kalpa, Pooh, Sangla, Karchham, Bhabanagar, Bhaba Nagar'],
  [HIMACHAL, 'Kullu', 'Manali, Banjar, Bhuntar, Anni, Nirmand, Manikaran'],
  [HIMACHAL, 'Lahaul and Spiti', 'Keylong, Kaza, Udaipur, Sissu'],
  [
    HIMACHAL,
    'Mandi',
    'Sundernagar, Sundarnagar, Jogindernagar, Joginder Nagar, Ner Chowk, Nerchowk, Sarkaghat, Karsog',
  ],
  [HIMACHAL, 'Shimla', 'Rohru, Theog, Rampur, Rampur Bushahr, Chopal, Chaupal, Jubbal, Kotkhai, Narkanda'],
  [HIMACHAL, 'Sirmaur', 'Nahan, Paonta, Paonta Sahib, Rajgarh, Shillai, Kala Amb'],
  [HIMACHAL, 'Solan', 'Nalagarh, Baddi, Kasauli, Arki, Parwanoo, Kandaghat, Barotiwala'],
  [HIMACHAL, 'Una', 'Haroli, Gagret, Bangana, Mehatpur'],
  [ASSAM, 'Bajali', 'Pathsala'],
  [ASSAM, 'Baksa', 'Mushalpur'],
  [ASSAM, 'Barpeta', 'Barpeta Road, Howly, Sorbhog'],
  [ASSAM, 'Biswanath', 'Biswanath Chariali, Gohpur'],
  [ASSAM, 'Bongaigaon', 'Abhayapuri'],
  [ASSAM, 'Cachar', 'Silchar'],
  [ASSAM, 'Charaideo', 'Sonari, Moranhat'],
  [ASSAM, 'Chirang', 'Kajalgaon, Bijni'],
  [ASSAM, 'Darrang', 'Mangaldoi, Mangaldai, Kharupetia'],
  [ASSAM, 'Dhemaji', 'Jonai, Silapathar'],
  [ASSAM, 'Dhubri', 'Bilasipara, Gauripur'],
  [ASSAM, 'Dibrugarh', 'Duliajan, Naharkatia, Naharkatiya, Namrup'],
  [ASSAM, 'Dima Hasao', 'Haflong, Umrangso'],
  [ASSAM, 'Golaghat', 'Bokakhat, Dergaon'],
  [ASSAM, 'Hojai', 'Lumding'],
  [ASSAM, 'Jorhat', 'Titabor, Titabar, Mariani, Teok'],
  [ASSAM, 'Kamrup', 'North Guwahati, Rangia, Chaygaon, Chhaygaon, Hajo'],
  [ASSAM, 'Kamrup Metropolitan', 'Guwahati, Gauhati, Dispur, Jalukbari, Khanapara'],
  [ASSAM, 'Karbi Anglong', 'Diphu, Bokajan'],
  [ASSAM, 'Kokrajhar', 'Gossaigaon'],
  [ASSAM, 'Majuli', 'Garamur, Kamalabari'],
  [ASSAM, 'Morigaon', 'Jagiroad'],
  [ASSAM, 'Nagaon', 'Kaliabor, Raha, Rupahihat, Rupohihat'],
  [ASSAM, 'Sivasagar', 'Nazira'],
  [ASSAM, 'Sonitpur', 'Tezpur, Dhekiajuli, Rangapara'],
  [ASSAM, 'South Salmara-Mankachar', 'Hatsingimari, Mankachar'],
  [ASSAM, 'Sribhumi', 'Badarpur, Patharkandi'],
  [ASSAM, 'Tamulpur', 'Kumarikata'],
  [ASSAM, 'Tinsukia', 'Digboi, Margherita, Doom Dooma, Doomdooma, Sadiya'],
  [ASSAM, 'Udalguri', 'Tangla'],
  [ASSAM, 'West Karbi Anglong', 'Hamren'],
])('$1 has its larger towns, also by older names and other spellings: $2', (region, district, towns) => {
  for (const town of towns.split(', '))
    expect([town, find({ title: `Road at ${town}` }, region).district]).toEqual([town, district]);
});

test('a village with the name of a town elsewhere is ignored', () => {
  for (const place of ['Sainj', 'Bharari', 'Lal Tikkar']) expect(find({ place }).district).toBeNull();
});

import { describe, expect, test } from 'vitest';
import { readTypedQuery } from '../search/read-query.ts';
import { findConditions, toQueryConditions } from './conditions-in-query.ts';

const ANYWHERE = { state: null, districts: [] };
/** A Tuesday. */
const NOW = new Date('2025-12-16T09:00:00+05:30');

/** The labels of the conditions, and the text without them. */
function read(text: string): [labels: string[], rest: string] {
  const { conditions, rest } = findConditions(text, ANYWHERE, NOW);
  return [toQueryConditions(conditions, NOW).map(({ label }) => label), rest];
}

const labelsOf = (text: string) => read(text)[0].join(' · ');

describe('amounts', () => {
  test.each([
    ['road below 10 lakh', 'road'],
    ['road under ₹10 lakhs', 'road'],
    ['road upto Rs 10,00,000', 'road'],
    ['road up to rs. 10 lac', 'road'],
    ['road less than 1000000', 'road'],
    ['road not more than 10 lakh', 'road'],
    ['road < 10L', 'road'],
    ['road 10 lakh max', 'road'],
    ['road 10 lakh or less', 'road'],
    ['road of value upto 10 lakh', 'road of'],
    ['road 10 lakh se kam', 'road'],
    ['road 10 lakh tak ka', 'road'],
    ['road 10 lakh ke andar', 'road'],
    ['10 lakh se zyada nahi road', 'road'],
    ['das lakh se neeche road', 'road'],
    ['सड़क 10 लाख से कम', 'सड़क'],
    ['सड़क १० लाख तक', 'सड़क'],
    ['सड़क दस लाख से कम की', 'सड़क'],
  ])('%s', (text, rest) => {
    expect(read(text)).toEqual([['Value up to ₹10 Lakh'], rest]);
  });

  test.each([
    'above 1.5 crore',
    'more than 1.5 cr',
    'at least 1.5 crore',
    '> 1.5cr',
    '1.5 crore+',
    '1.5 crore and above',
    '1.5 crore se upar',
    '1.5 crore se zyada',
    'dedh crore se adhik',
    '1 crore 50 lakh se upar',
    'kam se kam 1.5 crore',
    '1.5 करोड़ से अधिक',
    'डेढ़ करोड़ से ऊपर',
  ])('%s', (text) => {
    expect(labelsOf(text)).toBe('Value from ₹1.50 Cr');
  });

  test.each([
    ['between 10 and 20 lakh', 'Value ₹10 Lakh to ₹20 Lakh'],
    ['from 10 lakh to 20 lakh', 'Value ₹10 Lakh to ₹20 Lakh'],
    ['10-20 lakh', 'Value ₹10 Lakh to ₹20 Lakh'],
    ['10 se 20 lakh', 'Value ₹10 Lakh to ₹20 Lakh'],
    ['10 lakh se lekar 20 lakh tak', 'Value ₹10 Lakh to ₹20 Lakh'],
    ['10 लाख और 20 लाख के बीच', 'Value ₹10 Lakh to ₹20 Lakh'],
    ['50 to 1 crore', 'Value ₹50 Lakh to ₹1 Cr'],
    ['50k se 2 lakh', 'Value ₹50,000 to ₹2 Lakh'],
    ['Rs.10 lakh to Rs.20 lakh', 'Value ₹10 Lakh to ₹20 Lakh'],
    ['maximum value 10 lakh', 'Value up to ₹10 Lakh'],
    ['10 lakh k andar', 'Value up to ₹10 Lakh'],
    ['above 10 lakh below 20 lakh', 'Value from ₹10 Lakh · Value up to ₹20 Lakh'],
  ])('%s', (text, label) => {
    expect(labelsOf(text)).toBe(label);
  });
});

/** The Hindi number words from 1 to 100. */
const HINDI_NUMBERS = (
  'एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस ' +
  'इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस चालीस ' +
  'इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ साठ ' +
  'इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी अस्सी ' +
  'इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे सौ'
).split(' ');

describe('spoken numbers', () => {
  test.each(HINDI_NUMBERS.map((word, index) => [word, index + 1] as const))('%s is %i', (word, number) => {
    expect(findConditions(`सड़क ${word} लाख से कम`, ANYWHERE, NOW)).toMatchObject({
      conditions: [{ meaning: { kind: 'price', min: null, max: number * 100_000 } }],
      rest: 'सड़क',
    });
  });

  test.each([
    ['आधा करोड़', 5_000_000],
    ['सवा लाख', 125_000],
    ['सवा दो लाख', 225_000],
    ['डेढ़ लाख', 150_000],
    ['पौन लाख', 75_000],
    ['पौने दो लाख', 175_000],
    ['ढाई करोड़', 25_000_000],
    ['साढ़े तीन लाख', 350_000],
    ['साढ़े ३ लाख', 350_000],
    ['पचास हज़ार', 50_000],
    ['डेढ़ सौ लाख', 15_000_000],
    ['पाँच सौ करोड़', 5_000_000_000],
    ['एक करोड़ बीस लाख', 12_000_000],
    ['दो लाख पचास हजार', 250_000],
    ['sava do lakh', 225_000],
    ['paune do lakh', 175_000],
    ['sadhe teen lakh', 350_000],
    ['fifty lakh', 5_000_000],
    ['twenty five lakh', 2_500_000],
    ['twenty-five lakh', 2_500_000],
    ['ninety nine thousand', 99_000],
    ['thirteen crore', 130_000_000],
    ['two hundred crore', 2_000_000_000],
    ['one crore and fifty lakh', 15_000_000],
    ['एक करोड़ और पचास लाख', 15_000_000],
    ['one hundred and fifty crore', 1_500_000_000],
    ['two thousand five hundred', 2_500],
    ['दो हज़ार पाँच सौ', 2_500],
  ])('below %s is below ₹%i', (amount, max) => {
    expect(findConditions(`below ${amount}`, ANYWHERE, NOW).conditions.map(({ meaning }) => meaning)).toEqual([
      { kind: 'price', min: null, max },
    ]);
  });

  test.each(['२५', '২৫', '੨੫', '૨૫', '୨୫', '௨௫', '౨౫', '೨೫', '൨൫', '۲۵'])('%s lakh is ₹25 Lakh', (number) => {
    expect(labelsOf(`${number} lakh tak`)).toBe('Value up to ₹25 Lakh');
  });
});

describe('EMD', () => {
  test.each([
    ['road emd under 50k', 'EMD up to ₹50,000'],
    ['emd 50 hazar tak', 'EMD up to ₹50,000'],
    ['50k se kam emd', 'EMD up to ₹50,000'],
    ['emd less than 5000', 'EMD up to ₹5,000'],
    ['earnest money above 1 lakh', 'EMD from ₹1 Lakh'],
    ['emd 10k-50k', 'EMD ₹10,000 to ₹50,000'],
    ['ईएमडी 50 हजार से कम', 'EMD up to ₹50,000'],
    ['बयाना राशि 1 लाख तक', 'EMD up to ₹1 Lakh'],
    ['no emd', 'No EMD'],
    ['road without emd', 'No EMD'],
    ['bina emd ke tender', 'No EMD'],
    ['emd free', 'No EMD'],
    ['emd nil', 'No EMD'],
    ['no emd required', 'No EMD'],
    ['emd nahi lagega', 'No EMD'],
    ['बिना ईएमडी', 'No EMD'],
    ['emd exempted', 'No EMD or exemption allowed'],
    ['emd chhoot', 'No EMD or exemption allowed'],
    ['below 10 lakh no emd', 'Value up to ₹10 Lakh · No EMD'],
    ['below 20 lakh emd under 20k', 'Value up to ₹20 Lakh · EMD up to ₹20,000'],
  ])('%s', (text, label) => {
    expect(labelsOf(text)).toBe(label);
  });
});

describe('days, on a Tuesday', () => {
  test.each([
    ['closing today', 'Closing today'],
    ['road aaj band hone wale', 'Closing today'],
    ['आज बंद', 'Closing today'],
    ['last date today', 'Closing today'],
    ['closing tomorrow', 'Closing tomorrow'],
    ['kal band', 'Closing tomorrow'],
    ['kal tak', 'Closing by tomorrow'],
    ['closing this week', 'Closing today to 21 Dec 2025'],
    ['is hafte', 'Closing today to 21 Dec 2025'],
    ['agle hafte band', 'Closing 22 Dec 2025 to 28 Dec 2025'],
    ['closing in 3 days', 'Closing by 19 Dec 2025'],
    ['teen din me band', 'Closing by 19 Dec 2025'],
    ['अगले 3 दिन में बंद', 'Closing by 19 Dec 2025'],
    ['closing within 48 hours', 'Closing by 18 Dec 2025'],
    ['by friday', 'Closing by 19 Dec 2025'],
    ['somvar tak', 'Closing by 22 Dec 2025'],
    ['सोमवार तक', 'Closing by 22 Dec 2025'],
    ['closing on 20th dec', 'Closing on 20 Dec 2025'],
    ['closing by 05/01/2026', 'Closing by 5 Jan 2026'],
    ['closing before 20 dec', 'Closing by 19 Dec 2025'],
    ['20 दिसंबर तक', 'Closing by 20 Dec 2025'],
    ['20.12.2025 tak', 'Closing by 20 Dec 2025'],
    ['till 20 dec', 'Closing by 20 Dec 2025'],
    ['aaj shaam tak', 'Closing today'],
    ['2 din baad band', 'Closing on 18 Dec 2025'],
    ['closing next tuesday', 'Closing on 23 Dec 2025'],
    ['agle somvar', 'Closing on 22 Dec 2025'],
    ['less than 3 days left', 'Closing by 19 Dec 2025'],
    ['20 tarikh tak', 'Closing by 20 Dec 2025'],
    ['closing 5 jan', 'Closing on 5 Jan 2026'],
    ['closing 18-20 dec', 'Closing 18 Dec 2025 to 20 Dec 2025'],
    ['by month end', 'Closing by 31 Dec 2025'],
    ['new tenders', 'Published since yesterday'],
    ['naye tender', 'Published since yesterday'],
    ['नई निविदाएं', 'Published since yesterday'],
    ['latest tenders', 'Published since yesterday'],
    ['recently published road', 'Published since yesterday'],
    ['since yesterday', 'Published since yesterday'],
    ['kal se', 'Published since yesterday'],
    ["today's tenders", 'Published today'],
    ['aaj ke tender', 'Published today'],
    ['आज के टेंडर', 'Published today'],
    ['published this week', 'Published yesterday to today'],
    ['is hafte ke naye tender', 'Published yesterday to today'],
    ['last 3 days', 'Published since 13 Dec 2025'],
    ['since monday', 'Published since yesterday'],
    ['published yesterday closing tomorrow', 'Published yesterday · Closing tomorrow'],
  ])('%s', (text, label) => {
    expect(labelsOf(text)).toBe(label);
  });

  test('days are Indian: at 19:00 UTC it is tomorrow', () => {
    const evening = new Date('2025-12-16T19:00:00Z');
    const [condition] = findConditions('closing today', ANYWHERE, evening).conditions;
    expect(condition?.meaning).toEqual({ kind: 'closing', from: 20439, to: 20439 });
    expect(new Date(20439 * 86_400_000).toISOString()).toContain('2025-12-17');
  });
});

describe('kinds of purchase', () => {
  test.each([
    ['goods tenders', 'Goods'],
    ['services in solan', 'Services'],
    ['works below 5 lakh', 'Works · Value up to ₹5 Lakh'],
    ['only goods', 'Goods'],
    ['cement category goods', 'Goods'],
    ['service tenders', 'Services'],
    ['category: services', 'Services'],
    ['solan goods tenders', 'Goods'],
  ])('%s', (text, label) => {
    expect(labelsOf(text)).toBe(label);
  });
});

describe('exclusions', () => {
  test.each([
    ['road not bridge', 'Without “bridge”', 'road'],
    ['road except retaining wall and culvert', 'Without “retaining wall” or “culvert”', 'road'],
    ['building -repair -painting', 'Without “repair” · Without “painting”', 'building'],
    ['road without bridge in kangra', 'Without “bridge”', 'road in kangra'],
    ['pul ke alawa sadak', 'Without “pul”', 'sadak'],
    ['sadak pul ko chhodkar', 'Without “pul”', 'sadak'],
    ['सड़क पुल छोड़कर', 'Without “पुल”', 'सड़क'],
    ['सड़क लेकिन पुल नहीं', 'Without “पुल”', 'सड़क'],
    ['सड़क, पुल नहीं', 'Without “पुल”', 'सड़क'],
    ['pul aur nali ke alawa sadak', 'Without “pul” or “nali”', 'sadak'],
    ['road but no bridge', 'Without “bridge”', 'road'],
    ['road except kangra', 'Not in kangra', 'road'],
  ])('%s', (text, label, rest) => {
    expect([labelsOf(text), read(text)[1]]).toEqual([label, rest]);
  });

  test('synonyms are excluded too; broader words are not', () => {
    const [condition] = findConditions('road not bridge', ANYWHERE, NOW).conditions;
    const exclusions = condition?.meaning.kind === 'without' ? condition.meaning.exclusions : [];
    const alternatives = exclusions.flatMap(({ words }) => words.flatMap((word) => word.alternatives));
    const terms = alternatives.map((each) => each.terms.join(' '));
    expect(terms).toContain('pul');
    expect(terms).not.toContain('culvert');
  });
});

describe('words that are no conditions', () => {
  test.each([
    ...[
      'NH 5',
      'ward 10',
      '33 kv',
      'upto 33 kv line',
      '100 mm pipe',
      'class D',
      'phase 2',
      '2025_PWD_109746_1',
      '171001',
    ],
    ...['m20 concrete', '2 km road', 'road upto km 5', 'km 0 to 5', 'RD 0 to 1500', '1500 kl tank', '20 m span bridge'],
    ...['50 lakh litre tank', 'tank below 50000 litre', 'tank upto 500 l', 'plantation of 10 lakh trees', '10 lakh'],
    ...['below ground tank', 'road above nala', 'under bridge', 'above 60 years', 'building above shops', 'under 14'],
    ...[
      'goods shed',
      'supply of goods carrier',
      'goods lift',
      'manpower services',
      'manpower services tenders',
      'works and goods',
      'road works',
      'service centre',
    ],
    ...[
      'new building',
      'new school building',
      'naya bhavan',
      'new delhi',
      'non-residential',
      'not completed',
      'Sub -Head',
    ],
    ...[
      'road closing',
      'end wall',
      'bandh nirman',
      'sunday market',
      'weekend',
      'kal',
      'aaj',
      'may',
      'emd',
      'last date',
    ],
    ...['road from solan to shimla', 'mandi to kullu', 'solan se shimla tak road', 'AMC upto 31-03-2026'],
    ...['from 01.04.2025 to 31.03.2026', 'upto 31 march 2026', 'w.e.f. from 01 april 2025'],
    ...[
      'damage of 15.09.2025 due flash flood',
      'completion in 30 days',
      'within 6 months',
      'W/O Ram Lal',
      'rs 24-25/-',
      'साठ मीटर पुल',
      'twenty four hours supply',
      'सवा मीटर से कम पाइप',
    ],
  ])('%s', (text) => {
    expect(read(text)).toEqual([[], text]);
  });
});

test('filler words next to a condition are not searched', () => {
  const words = (text: string) => readTypedQuery(text, ANYWHERE, null, NOW).words.map(({ typed }) => typed);
  expect(words('mujhe 10 lakh tak ke road ke tender dikhao')).toEqual(['road']);
  expect(words('10 lakh se kam ke kaam kangra')).toEqual([]);
});

test('each condition has its own words and the text without them', () => {
  const { conditions } = findConditions('road below 10 lakh closing today', ANYWHERE, NOW);
  expect(toQueryConditions(conditions, NOW)).toEqual([
    {
      ...{ kind: 'price', label: 'Value up to ₹10 Lakh', text: 'below 10 lakh', rest: 'road closing today' },
      facts: { from: null, to: 1_000_000, names: [] },
    },
    {
      ...{ kind: 'closing', label: 'Closing today', text: 'closing today', rest: 'road below 10 lakh' },
      facts: { from: 20438, to: 20438, names: [] },
    },
  ]);
});

test('"conditions" and "all" search the words as typed', () => {
  for (const literal of ['conditions', 'all'] as const)
    expect(readTypedQuery('road below 10 lakh', ANYWHERE, literal, NOW).conditions).toEqual([]);
  for (const literal of ['place', 'words'] as const)
    expect(readTypedQuery('road below 10 lakh', ANYWHERE, literal, NOW).conditions).toHaveLength(1);
});

test('a place is found in a text that has conditions', () => {
  expect(readTypedQuery('10 lakh se kam sadak kangra me', ANYWHERE, null, NOW)).toMatchObject({
    place: { text: 'kangra', rest: 'sadak' },
    conditions: [{ text: '10 lakh se kam' }],
  });
});

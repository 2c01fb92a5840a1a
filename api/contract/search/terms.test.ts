import { describe, expect, test } from 'vitest';
import { indexTerms, SEARCHED_FIELDS } from './index-terms.ts';
import { foldText, isTenderId, rewriteQuery, searchTerms, wholeIdTerm } from './terms.ts';

test('titles, descriptions, ids, references, organisations, places and PIN codes are searched', () => {
  expect(SEARCHED_FIELDS).toEqual([
    'title',
    'source_tender_id',
    'reference_number',
    'description',
    'organisation_chain',
    'district',
    'second_district',
    'department',
    'place',
    'pincode',
  ]);
});

describe('folding removes insignificant differences', () => {
  test.each([
    ['ROAD', 'road'],
    ['Ｒｏａｄ', 'road'],
    ['Café Señor', 'cafe senor'],
    ['\u0938\u095c\u0915', '\u0938\u0921\u0915'],
    ['\u0938\u0921\u093c\u0915', '\u0938\u0921\u0915'],
    ['\u0929', '\u0928'],
    ['चाँद', 'चांद'],
    ['चम्बा', 'चंबा'],
    ['मण्डी', 'मंडी'],
    ['सम्मान', 'सम्मान'],
    ['गङ्गा', 'गंगा'],
    ['पञ्चायत', 'पंचायत'],
    ['हिन्दी', 'हिंदी'],
    ['क्\u200dष \u200cरा', 'क्ष रा'],
    ['२०२५', '2025'],
    ['किन्नौर', 'किन्नौर'],
    ['কোৰ', 'কোর'],
    ['கோவை', 'கோவை'],
    ['ബെംഗളൂരു', 'ബെംഗളൂരു'],
  ])('%s is read as %s', (written, read) => {
    expect(foldText(written)).toBe(read);
  });
});

describe('index terms', () => {
  test.each([
    ['Construction of road, Road!', ['construction', 'of', 'road']],
    ['ward no 1 a', ['ward', 'no', '1']],
    ['C/o', ['co']],
    ['C.O.', ['co']],
    ['A/R & M/O', ['ar', 'mo']],
    ['M/T', ['mt']],
    ['H.P.P.W.D.', ['hppwd']],
    ['P/L/J', ['plj']],
    ['HT/LT', ['ht', 'lt']],
    ['H.P.SH', ['hpsh', 'hp', 'sh']],
    ['R/Wall', ['rwall', 'wall']],
    ['R Walls', ['rwall', 'wall']],
    ['R.wall', ['rwall', 'wall']],
    ['B-wall', ['bwall', 'wall']],
    ['C O R Wall', ['co', 'cor', 'rwall', 'wall']],
    ['C o PCC', ['co', 'opcc', 'pcc']],
    ['R R and', ['rr', 'and']],
    ['5 m span', ['5', 'span']],
    ['a road', ['road']],
    ['R\nWall', ['wall']],
    ['2025_PWD_109746_1', ['2025_pwd_109746_1', '2025', 'pwd', '109746', '1']],
    ['bridges works batteries branches', ['bridge', 'work', 'battery', 'branch']],
    ['boxes marshes passes', ['box', 'marsh', 'pass']],
    ['bus glass chassis gas', ['bus', 'glass', 'chassis', 'gas']],
    ['500MT', ['500mt', '500', 'mt']],
    ['33/11kV', ['33', '11kv', '11', 'kv']],
    ['11 kV', ['11', 'kv']],
    ['NH5 3rd', ['nh5', 'nh', '5', '3rd']],
    ['1st 2nd 4th 5km', ['1st', '2nd', '4th', '5km', '5', 'km']],
    ['सड़क का निर्माण', ['सडक', 'का', 'निर्माण']],
    ["o'brien \\ back'slash", ['brien', 'back', 'slash']],
    ['', []],
    ['- / _ .', []],
  ])('%j gives %j', (text, terms) => {
    expect(searchTerms(text)).toEqual(terms);
  });

  test('a term has at most 40 characters and never half a character', () => {
    expect(searchTerms('x'.repeat(50))).toEqual(['x'.repeat(40)]);
    expect(searchTerms('𝒂𐐨'.repeat(40)).every((term) => term.isWellFormed() && [...term].length <= 40)).toBe(true);
  });
});

describe('the terms of a tender', () => {
  const tender = {
    title: 'Repair of road in Ward No. 07',
    source_tender_id: '2026_PWD_5_1',
    reference_number: 'NIT 12',
    description: 'Road and drain at W.No-3',
    organisation_chain: ['HPPWD', 'Solan Road Division'],
    district: 'Solan',
    second_district: null,
    department: 'PWD',
    place: 'Kasauli',
    pincode: '173204',
  };

  test('each term has the best class of the fields that have it', () => {
    const terms = indexTerms(tender);
    const classes = Object.fromEntries(
      ['road', 'repair', 'nit', 'drain', 'solan', 'kasauli', '173204'].map((term) => [term, terms.get(term)]),
    );
    expect(indexTerms({ ...tender, second_district: 'Sirmaur' }).get('sirmaur')).toBe('C');
    expect(classes).toEqual({
      road: 'A',
      repair: 'A',
      nit: 'A',
      drain: 'B',
      solan: 'C',
      kasauli: 'C',
      '173204': 'C',
    });
  });

  test('a numbered ward is a term of its own, however it is written', () => {
    const terms = indexTerms(tender);
    expect([terms.get('ward7'), terms.get('ward3')]).toEqual(['A', 'B']);
    for (const text of ['Ward No 7', 'ward number 7', 'WARD-07', 'W. No. 7', 'ward7', 'ward no ७'])
      expect(indexTerms({ ...tender, title: text }).get('ward7')).toBe('A');
    for (const text of [
      'वार्ड नं. ७',
      'वार्ड नंबर 7',
      'वॉर्ड संख्या ०७',
      'वार्ड क्र. 7',
      'वार्ड-7 में सड़क',
      'वार्ड७',
      'वार्ड नं0 7 में नाली',
      'वार्ड सं०-७',
      'वार्ड न० 7',
    ])
      expect(indexTerms({ ...tender, title: text }).get('ward7')).toBe('A');
    expect(indexTerms({ ...tender, title: 'Ward7' }).get('ward')).toBe('A');
    expect(indexTerms({ ...tender, title: 'W beam 7' }).has('ward7')).toBe(false);
  });

  test('what a title lists after "including" counts less than the work itself', () => {
    const terms = indexTerms({ ...tender, title: 'Widening of road including side drains' });
    expect(terms.get('road')).toBe('A');
    expect(terms.get('drain')).toBe('B');
    for (const words of ['incl.', 'incl', 'i/c', 'along with'])
      expect(indexTerms({ ...tender, title: `Widening of road ${words} side drains` }).get('drain')).toBe('B');
    expect(indexTerms({ ...tender, title: 'Including drain' }).get('drain')).toBe('A');
    expect(indexTerms({ ...tender, title: 'Repair of inclined drain' }).get('drain')).toBe('A');
  });

  test('a description that repeats the title adds nothing', () => {
    expect(indexTerms({ ...tender, description: tender.title }).has('drain')).toBe(false);
  });

  test('a tender has at most 1,000 terms, those of the title first', () => {
    const description = Array.from({ length: 2_000 }, (_, at) => `x${at}y`).join(' ');
    const terms = indexTerms({ ...tender, description });
    expect(terms.size).toBe(1_000);
    expect(terms.get('ward7')).toBe('A');
  });
});

test.each([
  ['2025_PWD_109746_1', true],
  [' 2025_pwd_109746_1 ', true],
  ['GEM/2026/B/7654321', true],
  ['gem/2026/ra/7654321', true],
  ['30255012A', true],
  ['2025_PWD_109746', false],
  ['171001', false],
  ['15/12/2026', false],
  ['33/11 kv', false],
  ['tender 2025_PWD_109746_1', false],
  ['', false],
])('the text %j is exactly one tender id: %s', (text, isId) => {
  expect(isTenderId(text)).toBe(isId);
});

test.each([
  ['GEM/2026/B/7654321', 'gem_2026_b_7654321'],
  [' 35-TRL-26-27 ', '35_trl_26_27'],
  ['निविदा/२०२६/७८५४', 'निविदा_2026_7854'],
  ['2025_PWD_109746_1', undefined],
  ['15/12/2026', undefined],
  ['2026-12-15', undefined],
  ['2025-26', undefined],
  ['25000-50000', undefined],
  ['33/11kV', undefined],
  ['C/o', undefined],
  ['road at 35-TRL-26-27', undefined],
  ["O'N/2026/77", undefined],
])('the text %j is the term %j of a whole id', (text, term) => {
  expect(wholeIdTerm(text)).toBe(term);
});

describe('the text behind "Showing results for"', () => {
  test.each([
    ['Road  Widning Shmla', 'road widening shimla'],
    ['widnings, shmla', 'widening, shimla'],
    ['सड़क Shmla', 'सड़क shimla'],
    ['C/o widning', 'c/o widening'],
    ['road/widning', 'road/widening'],
    ['2025_PWD_109746_1', '2025_pwd_109746_1'],
  ])('%s is shown as %s', (typed, expected) => {
    const replacements = new Map([
      ['widning', 'widening'],
      ['shmla', 'shimla'],
    ]);
    expect(rewriteQuery(typed, replacements)).toBe(expected);
  });
});

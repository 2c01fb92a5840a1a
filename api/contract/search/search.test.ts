import { describe, expect, test } from 'vitest';
import { ONE_WAY_SYNONYMS, SYNONYM_GROUPS } from './dictionary.ts';
import { foldText, parseQuery, rewriteQuery, SEARCHED_FIELDS, searchTerms, spellingCorrections } from './search.ts';

const ways = (text: string) =>
  parseQuery(text).map((word) => word.alternatives.map((alternative) => alternative.join(' ')));

/** Whether a query matches a text, by the rules of server and device. */
function finds(query: string, text: string): boolean {
  const terms = searchTerms(text);
  return parseQuery(query).every(({ alternatives, prefix }) =>
    alternatives.some((alternative, place) =>
      alternative.every(
        (term, at) =>
          terms.includes(term) ||
          (prefix && place === 0 && at === alternative.length - 1 && terms.some((longer) => longer.startsWith(term))),
      ),
    ),
  );
}

test('titles, descriptions, ids, references, organisations and places are searched', () => {
  expect(SEARCHED_FIELDS).toEqual([
    'title',
    'description',
    'source_tender_id',
    'reference_number',
    'organisation_chain',
    'district',
    'department',
    'place',
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
    ['क्\u200dष \u200cरा', 'क्ष रा'],
    ['२०२५', '2025'],
    ['किन्नौर', 'किन्नौर'],
    ['কোৰ', 'কোৰ'],
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
    ['bus glass chassis gas', ['bus', 'glass', 'chassis', 'gas']],
    ['500MT', ['500mt', '500', 'mt']],
    ['33/11kV', ['33', '11kv', '11', 'kv']],
    ['11 kV', ['11', 'kv']],
    ['NH5 3rd', ['nh5', 'nh', '5', '3rd']],
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

describe('queries', () => {
  test('Hindi in Latin letters and in Devanagari gives the same query', () => {
    for (const text of ['sadak shimla', 'सड़क शिमला', 'सडक की शिमला']) {
      const [road, shimla, ...more] = ways(text);
      expect(road).toEqual(expect.arrayContaining(['road', 'sadak', 'सडक']));
      expect(shimla).toEqual(expect.arrayContaining(['shimla', 'शिमला']));
      expect(more).toEqual([]);
    }
  });

  test('abbreviations and long forms find each other', () => {
    const [construction, wall] = ways('c/o r/wall');
    expect(construction).toEqual(expect.arrayContaining(['co', 'construction']));
    expect(wall).toEqual(expect.arrayContaining(['rwall', 'retaining wall']));
    expect(wall).not.toContain('wall');
  });

  test('the longest entry of the dictionary wins', () => {
    expect(parseQuery('retaining wall').map((word) => word.typed)).toEqual(['retaining wall']);
    expect(parseQuery('jal shakti kangra').map((word) => word.typed)).toEqual(['jal shakti', 'kangra']);
  });

  test('only the last word is a prefix, and an unfinished word has no other meaning', () => {
    expect(parseQuery('retaining wal')).toEqual([
      { typed: 'retaining', alternatives: [['retaining']], prefix: false },
      { typed: 'wal', alternatives: [['wal']], prefix: true },
    ]);
    expect(ways('sad')).toEqual([['sad']]);
    expect(ways('retain')).toEqual([['retain']]);
  });

  test('a last word that could be a plural is a prefix as typed and a whole word in the singular', () => {
    expect(parseQuery('Beas')).toEqual([{ typed: 'bea', alternatives: [['beas'], ['bea']], prefix: true }]);
    expect(finds('cons', 'Construction of road')).toBe(true);
    expect(finds('beas', 'RCC beam')).toBe(false);
    expect(finds('beas', 'River Beas')).toBe(true);
  });

  test('complete words are no prefix', () => {
    expect(parseQuery('2025_PWD_109746_1')).toEqual([
      { typed: '2025_pwd_109746_1', alternatives: [['2025_pwd_109746_1']], prefix: false },
    ]);
    expect(parseQuery('c/o')[0]?.prefix).toBe(false);
    expect(parseQuery('ward no 1').at(-1)?.prefix).toBe(false);
    expect(parseQuery('2025_PWD_10974')[0]).toMatchObject({ prefix: true });
  });

  test('words without meaning are ignored unless nothing else remains', () => {
    expect(parseQuery('tender for the road in shimla').map((word) => word.typed)).toEqual(['road', 'shimla']);
    expect(parseQuery('शिमला में सड़क का काम').map((word) => word.typed)).toEqual(['शिमला', 'सडक']);
    expect(parseQuery('tenders').map((word) => word.typed)).toEqual(['tender']);
    expect(parseQuery('निविदा के').map((word) => word.typed)).toEqual(['निविदा', 'के']);
    expect(parseQuery(' / ')).toEqual([]);
  });

  test.each([
    ['11 kV line', '11kV lines'],
    ['11kV', '33/11 kV'],
    ['500 mt', '500MT godown'],
    ['5 m span', '5m span'],
    ['r wall', 'Rwall at RD 0/100'],
    ['r/wall', 'R.Wall'],
    ['retaining wall', 'C O R Wall'],
    ['C o', 'construction of bridge'],
    ['pwd road', 'HPPWD roads'],
    ['a road', 'Roads'],
    ['pulia', 'Culverts'],
    ['jal shakti', 'HP Irrigation and Public Health'],
    ['चम्बा पुल', 'Bridge in Chamba'],
    ['2025_PWD_109746', '2025_PWD_109746_12'],
    ['2025_pwd_109746 shimla', '2025_PWD_109746_12 Shimla'],
  ])('%s finds %s', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  test.each([
    ['r wall', 'Toe wall'],
    ['2025_PWD_109746_1', '2025_PWD_109746_12'],
    ['special repair', 'Sr Executive Engineer'],
    ['government middle school', 'GMS pipe'],
  ])('%s does not find %s', (query, text) => {
    expect(finds(query, text)).toBe(false);
  });
});

describe('the dictionary', () => {
  const entries = [...SYNONYM_GROUPS.flat(), ...ONE_WAY_SYNONYMS.flatMap(([asked]) => asked)];
  const termsOf = (entry: string) => parseQuery(entry).flatMap((word) => word.typed.split(' '));

  test('has at least 150 groups of two words or more', () => {
    expect(SYNONYM_GROUPS.length).toBeGreaterThanOrEqual(150);
    expect(SYNONYM_GROUPS.filter((group) => group.length < 2)).toEqual([]);
  });

  test('each entry is one unit of a query', () => {
    expect(entries.filter((entry) => parseQuery(entry).length !== 1)).toEqual([]);
  });

  test('each entry finds every other of its group', () => {
    const lost = SYNONYM_GROUPS.flatMap((group) =>
      group.flatMap((from) =>
        group.filter((to) => !(ways(from)[0] ?? []).includes(termsOf(to).join(' '))).map((to) => `${from} → ${to}`),
      ),
    );
    expect(lost).toEqual([]);
  });

  test('each entry is in one group, once', () => {
    const keys = SYNONYM_GROUPS.flat().map((entry) => termsOf(entry).join(' '));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  test('no term has a sign with a meaning in a query language', () => {
    const terms = entries.flatMap((entry) => parseQuery(entry).flatMap((word) => word.alternatives.flat()));
    expect(terms.filter((term) => !/^[\p{L}\p{M}\p{N}_]{1,40}$/u.test(term))).toEqual([]);
  });

  test('a general word finds its kinds in addition to its group, but kinds do not find it', () => {
    expect(ways('danga')[0]).toEqual(expect.arrayContaining(['rwall', 'retaining wall', 'bwall', 'breast wall']));
    expect(ways('retaining wall')[0]).not.toContain('bwall');
    expect(ways('wall')[0]).toContain('rwall');
    expect(ways('bijli')[0]).toEqual(expect.arrayContaining(['electrical', 'power']));
    expect(ways('power')[0]).not.toContain('electrical');
  });
});

describe('corrections', () => {
  test.each([
    ['widning', ['widening']],
    ['shmla', ['shimla']],
    ['constrction', ['construction']],
    ['raod', ['road']],
    ['चौडिकरण', ['चौडीकरण']],
    ['road', ['raod']],
    ['rod', []],
    ['11kv', []],
    ['shimlaaaa', []],
    ['bidgee', ['bridge']],
    ['bidgo', []],
  ])('%s may mean %j', (word, meant) => {
    const vocabulary = ['construction', 'road', 'shimla', 'widening', 'bridge', 'raod', '12kv', 'चौडीकरण'];
    expect(spellingCorrections(word, vocabulary)).toEqual(meant);
  });

  test('the nearest come first, then the order of the vocabulary, at most five', () => {
    const vocabulary = ['wallss', 'walx', 'waly', 'waller', 'walk', 'walls', 'wally', 'walla'];
    expect(spellingCorrections('wallx', vocabulary)).toEqual(['walx', 'walls', 'wally', 'walla']);
    expect(spellingCorrections('wallxx', ['walls', 'wallx', 'wally', 'wallsx', 'wallax', 'wallix', 'wallox'])).toEqual([
      'wallx',
      'wallsx',
      'wallax',
      'wallix',
      'wallox',
    ]);
  });
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

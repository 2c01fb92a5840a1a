import { describe, expect, test } from 'vitest';
import { ONE_WAY_SYNONYMS, SYNONYM_GROUPS } from './dictionary.ts';
import { MATCH_QUALITY, type PrefixRule, parseQuery, toSearchedWords } from './query-words.ts';
import { joinWardNumbers, searchTerms } from './terms.ts';

/** The whole-word alternatives of each word. */
const ways = (text: string) =>
  parseQuery(text, 'never').map((word) => word.alternatives.map(({ terms }) => terms.join(' ')));

/** Whether a query matches a text, by the rules of server and device. */
function finds(query: string, text: string): boolean {
  const terms = searchTerms(joinWardNumbers(text));
  const has = (term: string, isPrefix: boolean) =>
    terms.includes(term) || (isPrefix && terms.some((longer) => longer.startsWith(term)));
  return parseQuery(query, 'always').every(({ alternatives }) =>
    alternatives.some((alternative) =>
      alternative.terms.every((term, at) =>
        has(term, alternative.quality === MATCH_QUALITY.prefix && at === alternative.terms.length - 1),
      ),
    ),
  );
}

const isPrefix = (text: string) =>
  parseQuery(text)
    .at(-1)
    ?.alternatives.some(({ quality }) => quality === MATCH_QUALITY.prefix);

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

  test('an unknown last word is a prefix; known and complete words are not', () => {
    expect(isPrefix('retaining wx')).toBe(true);
    expect(isPrefix('constr')).toBe(false);
    expect(isPrefix('road')).toBe(false);
    expect(isPrefix('shimla')).toBe(false);
    expect(isPrefix('c/o')).toBe(false);
    expect(isPrefix('ward no 1')).toBe(false);
    expect(isPrefix('2025_PWD_109746_1')).toBe(false);
    expect(isPrefix('2025_PWD_10974')).toBe(true);
    expect(parseQuery('xyzz road')[0]?.alternatives).toEqual([{ terms: ['xyzz'], quality: 8 }]);
  });

  test('a last word that could be a plural is a prefix as typed and a whole word in the singular', () => {
    expect(parseQuery('Beasxs')[0]?.alternatives).toEqual([
      { terms: ['beasx'], quality: 8 },
      { terms: ['beasxs'], quality: 2 },
    ]);
    expect(finds('beas', 'RCC beam')).toBe(false);
    expect(finds('beas', 'River Beas')).toBe(true);
  });

  test('what is typed counts most, then synonyms, one-way synonyms, and the beginnings of words', () => {
    const quality = (text: string, found: string) =>
      parseQuery(text)
        .flatMap(({ alternatives }) => alternatives)
        .find(({ terms }) => terms.join(' ') === found)?.quality;
    expect([quality('nalka', 'nalka'), quality('nalka', 'tap'), quality('nalka', 'handpump')]).toEqual([8, 7, 3]);
    // A one-way row speaks for the whole group of its words.
    expect([quality('mazdur', 'beldar'), quality('beldar', 'mazdur')]).toEqual([3, undefined]);
  });

  test('an earlier saved search finds the words of a dictionary entry each for itself, too', () => {
    const reads = (rule: PrefixRule) =>
      parseQuery('cc pavement', rule)[0]?.alternatives.map(({ terms }) => terms.join(' '));
    expect(reads('unknown')).not.toContain('pcc pavement');
    expect(reads('always')).toEqual(expect.arrayContaining([...(reads('unknown') ?? []), 'pcc pavement']));
  });

  test('rarer words weigh more, by a table that is the same on all devices', () => {
    const weights = (text: string) => parseQuery(text).map(({ weight }) => weight);
    expect(weights('xyzz')).toEqual([12]);
    const [road = 0, helipad = 0] = weights('road helipad');
    expect(road).toBeLessThan(helipad);
    expect(road).toBeGreaterThanOrEqual(1);
  });

  test.each<[string, [string, number, boolean][]]>([
    ['road', [['road', 2, true]]],
    ['helipad', [['helipad', 10, true]]],
    ['bailey bridge', [['bailey bridge', 10, true]]],
    ['toe wall', [['toe wall', 8, true]]],
    [
      '33/11kv',
      [
        ['33', 6, true],
        ['11kv', 4, true],
      ],
    ],
    [
      'centre road',
      [
        ['centre', 1, false],
        ['road', 2, true],
      ],
    ],
    ['service', [['service', 7, true]]],
    [
      'all new',
      [
        ['all', 7, true],
        ['new', 5, true],
      ],
    ],
  ])('the words of "%s" weigh and are required as %j: a phrase is as frequent as its rarest word', (text, words) => {
    expect(parseQuery(text, 'never').map(({ typed, weight, required }) => [typed, weight, required])).toEqual(words);
  });

  test('an answer names the words with their alternatives, a beginning with a star', () => {
    expect(toSearchedWords(parseQuery('parapet wx'))).toEqual([
      { typed: 'parapet', alternatives: ['parapet', 'munder', 'मुंडेर', 'पैरापेट'] },
      { typed: 'wx', alternatives: ['wx', 'wx*'] },
    ]);
    expect(toSearchedWords(parseQuery('2025_PWD_10974'))).toEqual([
      { typed: '2025_pwd_10974', alternatives: ['2025_pwd_10974', '2025 pwd 10974', '2025_pwd_10974*'] },
    ]);
  });

  test('the parts of a word that are found for it are a synonym', () => {
    expect(parseQuery('11kv', 'never')[0]?.alternatives).toEqual([
      { terms: ['11kv'], quality: 8 },
      { terms: ['11', 'kv'], quality: 7 },
    ]);
  });

  test('words such as service only add to the score, unless there are no others', () => {
    const required = (text: string) => parseQuery(text).map((word) => word.required);
    expect(required('ambulance service chahiye')).toEqual([true, false, false]);
    expect(parseQuery('ambulance service')[1]?.weight).toBe(1);
    expect(required('service centre')).toEqual([true, true]);
  });

  test('a word counts once, and twelve words are enough', () => {
    expect(parseQuery('road road sadak Road').map(({ typed }) => typed)).toEqual(['road', 'sadak']);
    const text = Array.from({ length: 40 }, (_, at) => `w${at}x`).join(' ');
    expect(parseQuery(text)).toHaveLength(12);
    expect(parseQuery('\ufdfa'.repeat(95)).length).toBeLessThanOrEqual(12);
  });

  test('a ward with its number is one word', () => {
    expect(parseQuery('road ward no. 07').map(({ typed }) => typed)).toEqual(['road', 'ward7']);
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
  const termsOf = (entry: string) => parseQuery(entry, 'never').flatMap((word) => word.typed.split(' '));

  test('has at least 150 groups of two words or more', () => {
    expect(SYNONYM_GROUPS.length).toBeGreaterThanOrEqual(150);
    expect(SYNONYM_GROUPS.filter((group) => group.length < 2)).toEqual([]);
  });

  test('each entry is one unit of a query', () => {
    expect(entries.filter((entry) => parseQuery(entry, 'never').length !== 1)).toEqual([]);
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
    const terms = entries.flatMap((entry) =>
      parseQuery(entry).flatMap((word) => word.alternatives.flatMap(({ terms }) => terms)),
    );
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

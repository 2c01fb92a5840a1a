import { describe, expect, test } from 'vitest';
import { ONE_WAY_SYNONYMS, SYNONYM_GROUPS } from './dictionary.ts';
import { findPlace, foldPlaceName } from './place-names.ts';
import { MATCH_QUALITY, type PrefixRule, parseQuery, toSearchedWords } from './query-words.ts';
import { termFrequency } from './term-frequencies.ts';
import { joinWardNumbers, readQueryWords, searchTerms } from './terms.ts';

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

  test('a saved search of the earlier rules finds the words of a dictionary entry separately too', () => {
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

  test('words that say little of a work are not required, in English and Hindi', () => {
    const words = [
      'service work project centre center kendra new naya nayi various etc year government govt sarkari latest all',
      'par liye chahiye hetu wala wale contract notice bid nit number no',
      'सेवा केंद्र नया नई सरकारी लिए लिये हेतु कार्यों',
    ].flatMap((line) => line.split(' '));
    for (const word of words)
      expect([word, parseQuery(`culvert ${word}`).map(({ required }) => required)]).toEqual([word, [true, false]]);
  });

  test('a word counts once, and twelve words are enough', () => {
    expect(parseQuery('road road sadak Road').map(({ typed }) => typed)).toEqual(['road', 'sadak']);
    const text = Array.from({ length: 40 }, (_, at) => `w${at}x`).join(' ');
    expect(parseQuery(text)).toHaveLength(12);
    expect(parseQuery('\ufdfa'.repeat(95)).length).toBeLessThanOrEqual(12);
  });

  test('a ward with its number is one word', () => {
    expect(parseQuery('road ward no. 07').map(({ typed }) => typed)).toEqual(['road', 'ward7']);
    expect(parseQuery('road ward no ५').map(({ typed }) => typed)).toEqual(['road', 'ward5']);
    expect(parseQuery('सड़क वार्ड नं. ५').map(({ typed }) => typed)).toEqual(['सडक', 'ward5']);
  });

  test('words without meaning are ignored unless nothing else remains', () => {
    expect(parseQuery('tender for the road in shimla').map((word) => word.typed)).toEqual(['road', 'shimla']);
    expect(parseQuery('शिमला में सड़क का काम').map((word) => word.typed)).toEqual(['शिमला', 'सडक']);
    expect(parseQuery('school ke paas road').map((word) => word.typed)).toEqual(['school', 'road']);
    expect(parseQuery('tenders').map((word) => word.typed)).toEqual(['tender']);
    expect(parseQuery('निविदा के').map((word) => word.typed)).toEqual(['निविदा', 'के']);
    expect(parseQuery(' / ')).toEqual([]);
    const ignored = [
      'an and at by from for in near of on or the to with tender tenders etender tendering etendering',
      'department dept deptt vibhag se me mein main ka ki ke ko aur kaam kam karya paas pass',
      'का की के को में मे से पर और व पास विभाग काम कार्य निविदा निविदाएं टेंडर',
    ].flatMap((line) => line.split(' '));
    for (const word of ignored)
      expect([word, parseQuery(`${word} culvert`).map(({ typed }) => typed)]).toEqual([word, ['culvert']]);
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

describe('a Latin word in an Indian script', () => {
  const alternativesOf = (text: string) =>
    parseQuery(text).map(({ alternatives }) => alternatives.map(({ terms }) => terms.join(' ')));

  test('finds the word with its synonyms, and itself as it is written', () => {
    const [word] = parseQuery('कंस्ट्रक्शन');
    expect(word?.alternatives[0]).toEqual({ terms: ['कंस्ट्रक्शन'], quality: MATCH_QUALITY.typed });
    expect(alternativesOf('कंस्ट्रक्शन')[0]).toEqual(expect.arrayContaining(['construction', 'co', 'nirman']));
  });

  test('is part of a longer entry', () => {
    expect(alternativesOf('डीप ट्यूबवेल')).toEqual([expect.arrayContaining(['deep tubewell', 'tube well', 'mdtw'])]);
    expect(alternativesOf('लिफ्ट इरिगेशन स्कीम')).toEqual([expect.arrayContaining(['lis'])]);
  });

  test('is finished: it is no prefix', () => {
    expect(parseQuery('रिपेयर')[0]?.alternatives.some(({ quality }) => quality === MATCH_QUALITY.prefix)).toBe(false);
  });

  test('of which no tender has the sound stays as it is', () => {
    expect(alternativesOf('ज़्वॉक्सप')).toEqual([[expect.any(String), expect.any(String)]]);
  });
});

describe('a single word of a pair', () => {
  test.each([
    ['boundry', 'boundary wall'],
    ['interlock', 'paver block'],
    ['crate wall', 'wire crate'],
    ['blacktop', 'bituminous'],
    ['शिफ्टिंग', 'shifting'],
  ])('%s finds %s', (typed, found) => {
    const [word] = parseQuery(typed);
    expect(word?.alternatives.map(({ terms }) => terms.join(' '))).toContain(found);
  });
});

describe('the dictionary', () => {
  const entries = [...SYNONYM_GROUPS.flat(), ...ONE_WAY_SYNONYMS.flatMap(([asked]) => asked)];
  const termsOf = (entry: string) => parseQuery(entry, 'never').flatMap((word) => word.typed.split(' '));

  test('has at least 150 groups of two words or more', () => {
    expect(SYNONYM_GROUPS.length).toBeGreaterThanOrEqual(150);
    expect(SYNONYM_GROUPS.filter((group) => group.length < 2)).toEqual([]);
  });

  test('no entry contains a comma, which would mean two entries in one text', () => {
    expect(entries.filter((entry) => entry.includes(','))).toEqual([]);
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

  /** Latin spellings of the signs of Devanagari, a letter each. A short English o, as in 'stock', is ॉ. */
  const LATIN_SPELLINGS: Readonly<Record<string, string>> = {
    ...{ अ: 'a|u', आ: 'a+', इ: 'i', ई: 'ee|i', उ: 'u', ऊ: 'oo|u', ए: 'e|a', ऐ: 'ai|a', ओ: 'o', औ: 'au|o', ऑ: 'o|au' },
    ...{ 'ा': 'a+|u|o', 'ि': 'i|y|e', 'ी': 'ee|ii?|ea|ie|y|e', 'ु': 'u|oo', 'ू': 'oo|u', 'े': 'e|a[iy]?', 'ै': 'ai|a|e' },
    ...{ 'ो': 'oa|ow|o(?!ck)', 'ौ': 'au|ou?', 'ॉ': 'o|a', 'ृ': 'ri', 'ं': '[nm]?', 'ँ': 'n?', 'ः': '' },
    ...{ क: 'k|ck?|q', ख: 'kh', ग: 'g', घ: 'gh', च: 'ch', छ: 'chh?', ज: 'j|z|g', झ: 'jh', ञ: 'n', ट: 't', ठ: 'th' },
    ...{
      ड: 'd|r',
      ढ: 'dh?|rh?',
      ण: 'n',
      त: 't',
      थ: 'th',
      द: 'd',
      ध: 'dh?',
      न: 'n',
      प: 'p',
      फ: 'ph|f',
      ब: 'b',
      भ: 'bh',
    },
    ...{ म: 'm', य: 'y|i', र: 'r', ल: 'l', व: 'v|w', श: 'sh|s|t(?=i)', ष: 'sh', स: 's|c(?=[ei])', ह: 'h' },
  };

  function latinPattern(word: string): RegExp {
    const signs = [...word.normalize('NFD').replaceAll('\u093c', '')];
    const spelled = signs.map((sign, at) => {
      if (sign === '\u094d') return '';
      if (!/[क-ह]/.test(sign)) return `(?:${LATIN_SPELLINGS[sign]})`;
      const hasOwnVowel = /[\u093e-\u094d]/.test(signs[at + 1] ?? '');
      return `(?:${LATIN_SPELLINGS[sign]})+${hasOwnVowel ? '' : '[aeiou]?'}`;
    });
    return new RegExp(`^${spelled.join('')}[ae]?h?$`);
  }

  test('each entry in Devanagari spells one in Latin letters, or is one of these: synonyms and irregular English words', () => {
    const others = SYNONYM_GROUPS.flatMap((group) => {
      const latin = group
        .flatMap((entry) => [entry, ...entry.split(' ')])
        .map((entry) => entry.toLowerCase().replace(/[^a-z]/g, ''));
      const isSpelled = (word: string) => latin.some((each) => latinPattern(word).test(each));
      return group
        .filter((entry) => /\p{Script=Devanagari}/u.test(entry))
        .filter((entry) => !isSpelled(entry.replaceAll(' ', '')) && !entry.split(' ').every(isSpelled));
    });
    expect(others.join(', ').split(', ')).toEqual(
      [
        'एंबुलेंस सड़क, नेशनल हाईवे, हाईवे, बाईपास, क्रैश बैरियर, बेली ब्रिज, बैली पुल, बेली पुल, कलवर्ट निर्माण',
        'ह्यूम पाइप, ब्रेस्ट वॉल, दीवाल, जाली डंगा, बाड़, कंटीले तार, नवीकरण, सुधार, सुधारीकरण, अपग्रेडेशन, सप्लाई',
        'किराए, सर्वे, स्वच्छता, कोलतार, बिटुमिनस, तारकोल, आरसीसी, आर सी सी, मृदा, टाइल, टाइल्स',
        'एल्युमिनियम, जलापूर्ति योजना, कूल्ह, कुल्ह, मलनिकासी, मल शोधन संयंत्र, ओवरहेड टैंक, कुंआ, बावली, ट्यूबवेल',
        'पाइपलाइन, पाइप लाइन, विद्युत उपकेंद्र, सब स्टेशन, सबस्टेशन, एचटी, एलटी, स्ट्रीट लाइट, स्ट्रीट लाईट',
        'हाई मास्ट, वरिष्ठ माध्यमिक विद्यालय, उच्च पाठशाला, यूनिवर्सिटी, आईटीआई, पॉलिटेक्निक, पालीटेक्निक',
        'लाइब्रेरी, चिकित्सा केंद्र, आयुर्विज्ञान महाविद्यालय, दवाएं, सामुदायिक केंद्र, सर्किट हाउस, रज्जू मार्ग, शौचालय निर्माण',
        'पार्कों, स्टेडियम, ऑडिटोरियम, थाना, पुलिस थाना, पुलिस चौकी, घर, भंडार, शीत भंडार, शीतगृह',
        'सीढ़ियां, जनपद, अधिशासी अभियंता, मंडल, लोनिवि, पीडब्ल्यूडी, सिंचाई एवं जन स्वास्थ्य, आईपीएच',
        'विद्युत परिषद, एचआरटीसी, पथ परिवहन निगम, उद्यानिकी, नौणी विश्वविद्यालय, जल जीवन मिशन, स्वच्छ भारत',
        'अमृत योजना, जेसीबी, जे सी बी, टैक्सी, आउटसोर्स, आउटसोर्सिंग, सुरक्षा गार्ड, कचरा प्रबंधन, वृक्ष, बाग',
        'सीसीटीवी, सीसीटीवी कैमरा, औजार, लीज, पट्टा, पांवटा, पांवटा साहिब, ठियोग, जोगिंद्रनगर, डलहौजी',
        'हरियाणा, लद्दाख, उड़ीसा, लखनऊ, इलाहाबाद, मेरठ, गाजियाबाद, ग्वालियर, गुड़गांव, लुधियाना, मैसूर',
        'तिरुवनंतपुरम, कोच्चि, डीआई पाइप, जीआई, एचडीपीई, वायरिंग, एलईडी, एसी, सीलिंग, पार्टीशन, फुटपाथ पक्का',
        'पक्की सड़क, साइन बोर्ड, स्पीड ब्रेकर, नदी तटीकरण, स्टेशनरी, डीजल, टायर, चुंगी, विज्ञापन, सॉफ्टवेयर',
        'एक्सरे, रसायन, ऑक्सीजन, लॉन्ड्री, टरबाइन, खाई, किताबें, पुस्तकें, गद्दा, गद्दे, ड्राइवर, मशीनें, फ्रिज',
        'टीवी, टेलीविजन',
      ].flatMap((line) => line.split(', ')),
    );
  });

  const isInTenders = (entry: string) => readQueryWords(entry).every(({ term }) => termFrequency(term) > 0);

  test('tenders have the first entry of each group, but for places and these works', () => {
    const firsts = SYNONYM_GROUPS.map(([first = '']) => first);
    expect(firsts.filter((first) => !isInTenders(first) && !findPlace(foldPlaceName(first))).join(', ')).toBe(
      [
        ...['odr', 'footbridge', 'suspension bridge', 'p/l/j', 'bajri', 'ugt', 'bauri', 'gurudwara', 'ropeway'],
        ...['hppcl', 'amrut', 'mgnrega', 'orchard', 'auction', 'lease', 'kashmir', 'kochi', 'air conditioner'],
        ...['kachchi sadak', 'speed breaker', 'roadside drain', 'tent', 'sound system', 'uniform', 'tyre'],
        ...['boat', 'piggery', 'greenhouse', 'swimming pool', 'toll', 'advertisement', 'photocopier', 'software'],
        ...['laundry', 'geotechnical', 'insurance', 'mattress', 'bedding', 'blanket', 'shoe', 'ration', 'wheat'],
        ...['sapling', 'refrigerator', 'television', 'projector', 'swing', 'clean', 'graveyard', 'signal board'],
        ...['rooftop solar', 'moorum', 'fstp'],
      ].join(', '),
    );
  });

  test('tenders have the words that are found one way, but for these', () => {
    const found = ONE_WAY_SYNONYMS.flatMap(([, entries]) => entries);
    expect([...new Set(found)].filter((entry) => !isInTenders(entry))).toEqual([
      ...['tonne', 'metric ton', 'orchard', 'sound system', 'tyre', 'pick up', 'scorpio', 'kgbv'],
      ...['illumination', 'distributary', 'engaging', 'lamp', 'gsr', 'esr', 'personnel', 'bathing ghat', 'sapling'],
      ...['vending zone', 'r/bank', 'l/bank', 'scupper', 'feasibility', 'vaccine', 'injection', 'scientific'],
      ...['microscope', 'ration', 'moorum', 'pqc'],
    ]);
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

import { describe, expect, test } from 'vitest';
import { EMPTY_FILTER, type LiteralPart, type TenderFilter } from '../filter/tender-filter.ts';
import {
  correctionsOf,
  editCost,
  isCorrectable,
  MIN_COUNT_WITHOUT_CORRECTION,
  soundSkeleton,
  wholeLog2,
} from './corrections.ts';
import { nearestCandidates, pickNearest } from './nearest-searches.ts';
import type { QueryWord } from './query-words.ts';
import { type QueryReading, readQuery, readTypedQuery } from './read-query.ts';
import { searchTerms } from './terms.ts';

const ANYWHERE = { state: null, districts: [] };
const NOW = new Date('2025-12-16T09:00:00+05:30');

/** Reads a text beside tenders with these titles. */
function readBeside(titles: readonly string[], text: string, literal: LiteralPart | null = null): QueryReading {
  const tenders = titles.map(searchTerms);
  const has = (terms: readonly string[], word: QueryWord) =>
    word.alternatives.some((alternative) =>
      alternative.terms.every((term) =>
        terms.some((each) => each === term || (alternative.quality === 2 && each.startsWith(term))),
      ),
    );
  const steps = readQuery(text, ANYWHERE, literal, NOW);
  for (let step = steps.next(); ; ) {
    if (step.done) return step.value;
    const counts = step.value.map(
      ({ words }) => tenders.filter((terms) => words.every((word) => !word.required || has(terms, word))).length,
    );
    step = steps.next(counts);
  }
}

const TITLES = [
  'Construction of road',
  'Widening of road',
  'Repair of bridge',
  'School building at Kasauli',
  'Hospital building',
  'Retaining wall',
  'Irrigation channel',
  'Substation',
  'Naukuchia Tal',
];

describe('misspelt words', () => {
  test.each([
    ['raod', 'road'],
    ['brige', 'bridge'],
    ['hosptal building', 'hospital building'],
    ['raod widning', 'road widening'],
    ['irigation chanel', 'irrigation channel'],
    ['substaton', 'substation'],
    ['Retaning wall', 'retaining wall'],
  ])('%s is searched as %s', (typed, meant) => {
    expect(readBeside(TITLES, typed).showingFor).toBe(meant);
  });

  test.each(['road', 'skool', 'naukar chahiye', 'camera', 'submarine hull', 'saree blouse', 'constr', '11kv', 'kasau'])(
    '%s is searched as typed',
    (typed) => {
      expect(readBeside(TITLES, typed).showingFor).toBe(null);
    },
  );

  test('a word that few tenders have is searched together with its correction', () => {
    const reading = readBeside(['Brige at Una', ...TITLES], 'brige');
    expect(reading.showingFor).toBe('bridge');
    expect(reading.words[0]?.alternatives.at(-1)).toEqual({ terms: ['brige'], quality: 7 });
  });

  test('a corrected word may be a place, unless the user searches words instead of the place', () => {
    const titles = ['Road at Kinnaur', ...TITLES];
    const reading = readBeside(titles, 'road kinnuar');
    expect(reading.place?.districts.map(({ district }) => district) ?? []).toEqual(['Kinnaur']);
    expect(readBeside(titles, 'road kinnuar', 'place')).toMatchObject({ showingFor: 'road kinnaur', place: null });
  });

  test('a corrected text is parsed like a typed one, so an unfinished word stays unfinished', () => {
    const reading = readBeside(TITLES, 'retainning wal');
    expect(reading.showingFor).toBe('retaining wal');
    expect(reading.words.at(-1)?.alternatives.at(-1)).toEqual({ terms: ['wal'], quality: 2 });
    expect(reading.words).toEqual(readTypedQuery('retaining wal', ANYWHERE, null, NOW).words);
  });

  test('the user can search what was typed', () => {
    const typed = readBeside(TITLES, 'raod mandi', 'words');
    expect([typed.showingFor, typed.place?.text]).toEqual([null, 'mandi']);
    const words = readBeside(TITLES, 'road mandi', 'place');
    expect([words.place, words.words.map((word) => word.typed)]).toEqual([null, ['road', 'mandi']]);
    const all = readBeside(TITLES, 'raod mandi', 'all');
    expect([all.showingFor, all.place, all.words.at(-1)?.alternatives.at(-1)?.quality]).toEqual([null, null, 2]);
    expect(readBeside(TITLES, 'hosptal building', 'all').showingFor).toBe(null);
  });

  test('a long text asks for few counts', () => {
    const steps = readQuery(
      'raod brige skul hosptal schol bulding repar culvrt wal drane nalh pond sdak',
      ANYWHERE,
      null,
      NOW,
    );
    const counts: number[] = [];
    for (let step = steps.next(); !step.done; step = steps.next(step.value.map(() => 0)))
      counts.push(step.value.length);
    expect(counts.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(12 + 3 * 7);
    // One for the words, one for each of three corrected ones.
    expect(counts.length).toBeLessThanOrEqual(1 + 3);
  });

  test('the first three misspelt words are corrected', () => {
    expect(readBeside(['Wall, road, bridge, school, culvert'], 'wall raod brige skhool culvvert').showingFor).toBe(
      'wall road bridge school culvvert',
    );
  });

  test('if no tender has all words, a word of six letters is corrected to a close spelling, and one of five is not', () => {
    expect(readBeside(['School', 'Helipad'], 'skhool helipad').showingFor).toBe('school helipad');
    expect(readBeside(['Road', 'Helipad'], 'rhoad helipad').showingFor).toBe(null);
    // a farther spelling
    expect(readBeside(['Hospital', 'Helipad'], 'hosptal helipad').showingFor).toBe(null);
  });

  test('a word that is not required is not corrected', () => {
    expect(readBeside([...TITLES, 'Pump and wall'], 'pump wale').showingFor).toBe(null);
  });

  test('text without a word or a place is empty', () => {
    expect(readBeside(TITLES, ' / ').isEmpty).toBe(true);
    expect(readBeside(TITLES, 'mandi').isEmpty).toBe(false);
  });
});

describe('the cost of edits, in quarters', () => {
  test.each([
    ['road', 'road', 0],
    ['raod', 'road', 3],
    ['brige', 'bridge', 4],
    ['skool', 'school', 4],
    ['widning', 'widening', 3],
    ['bijlee', 'bijli', 4],
    ['vidyut', 'bidyut', 2],
    ['wal', 'wall', 2],
    ['rood', 'road', 2],
    ['kamara', 'camara', 2],
    ['jone', 'zone', 2],
    ['kahna', 'kana', 2],
    ['rod', 'road', 3],
    ['toad', 'road', 3],
    ['gridge', 'bridge', 3],
    ['pole', 'mole', 4],
    ['bride', 'bridge', 4],
  ])('%s and %s: %i', (one, other, cost) => {
    expect(editCost(one, other, 16)).toBe(cost);
    expect(editCost(other, one, 16)).toBe(cost);
  });

  test.each([31, 32, 33, 70])('are counted in words of %i letters too', (length) => {
    const word = 'r'.repeat(length);
    expect([editCost(word, word, 16), editCost(`${word.slice(1)}m`, word, 16)]).toEqual([0, 4]);
  });

  test('letters with similar sounds cost two quarters, neighbours on a keyboard three, others four', () => {
    const costs = (pairs: string) =>
      pairs.split(' ').map(([one = '', other = '']) => [one + other, editCost(`${one}mm`, `${other}mm`, 16)]);
    const all = (pairs: string, cost: number) => pairs.split(' ').map((pair) => [pair, cost]);
    const sounds = 'bv vw bw ck cs jz sz iy gj fp dr ae io';
    const neighbours = 'qw op as kl xc qa wa ws dx gv hb jn';
    const others = 'qs ac kp mt xb';
    expect(costs(sounds)).toEqual(all(sounds, 2));
    expect(costs(neighbours)).toEqual(all(neighbours, 3));
    expect(costs(others)).toEqual(all(others, 4));
  });

  test('edits above the limit are too many', () => {
    expect(editCost('road', 'bridge', 8)).toBe(Infinity);
  });

  test.each([
    ['skool', 'school'],
    ['vidyalay', 'vidyalaya'],
    ['bijalee', 'bijali'],
    ['phatak', 'fatak'],
    ['xray', 'zray'],
    ['tax', 'taks'],
    ['block', 'blok'],
    ['cess', 'sess'],
    ['shed', 'sed'],
    ['dhaba', 'daba'],
    ['ward', 'vard'],
    ['zone', 'jone'],
    ['bee', 'bi'],
    ['moon', 'mun'],
    ['rail', 'rel'],
    ['auto', 'oto'],
    ['baad', 'bad'],
    ['bell', 'bel'],
    ['mela', 'mel'],
  ])('%s sounds like %s', (one, other) => {
    expect(soundSkeleton(one)).toBe(soundSkeleton(other));
  });
});

describe('candidates', () => {
  test('only Latin words of four letters that are no dictionary word and no place are corrected', () => {
    expect(['raod', 'wal', 'road', 'shimla', '11kv', 'सड़क', 'constrction'].map(isCorrectable)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test.each([
    ['roda', 'road', 3],
    ['rokd', undefined, undefined],
    ['brige', 'bridge', 4],
    ['brigxe', undefined, undefined],
    ['culvret', 'culvert', 3],
    ['constrction', 'construction', 3],
  ])('%s may mean %s, at a cost of %s', (typed, meant, cost) => {
    const [best] = correctionsOf(typed, 0);
    expect([best?.word, best?.cost]).toEqual([meant, cost]);
  });

  test.each([
    ['rood', ['road 2 18', 'roof 3 3', 'raod 2 2']],
    ['schol', ['school 2 12', 'schl 3 -5']],
    ['sadek', ['sadak 2 6', 'sadk 3 3', 'sadke 3 3', 'sarak 4 0']],
    ['hosptal', ['hospital 3 7', 'hostel 6 -2', 'haspatal 5 -3', 'hospitol 5 -3']],
    ['construtcion', ['construction 3 15', 'constrution 4 -4', 'contruction 7 -9', 'constrcution 8 -18']],
    ['kushinagr', ['kushinagar 3 -1']],
    ['buldng', []],
  ])('of %s are %j: each with its cost and rank', (typed, expected) => {
    expect(correctionsOf(typed, 0).map(({ word, cost, rank }) => `${word} ${cost} ${rank}`)).toEqual(expected);
  });

  test('of a word that tenders have are fifty times as frequent as it, and as near', () => {
    const words = (found: number) => correctionsOf('rood', found).map(({ word }) => word);
    expect([0, 1, 2].map(words)).toEqual([['road', 'roof', 'raod'], ['road', 'roof'], ['road']]);
    // road is in 6,972 tenders of the reference
    expect([words(139), words(140)]).toEqual([['road'], []]);
    expect(MIN_COUNT_WITHOUT_CORRECTION).toBe(356);
    // a nearer limit than without tenders
    expect(correctionsOf('hosptal', 0).map(({ word }) => word)).toContain('hostel');
    expect(correctionsOf('hosptal', 1).map(({ word }) => word)).toEqual(['hospital']);
  });

  test('are ranked by whole powers of two, which are the same on all devices', () => {
    expect([0, 1, 2, 3, 4, 7, 8, 1_000].map(wholeLog2)).toEqual([0, 1, 1, 2, 2, 3, 3, 9]);
  });

  test('of a word are other words, also of one that no tender has', () => {
    for (const word of ['kushinagar', 'pagdandi', 'surang', 'roof'])
      expect(correctionsOf(word, 0).map(({ word: other }) => other)).not.toContain(word);
  });

  test('begin with the letter or sound that was typed', () => {
    expect(correctionsOf('vridge', 0)[0]?.word).toBe('bridge');
    expect(correctionsOf('kulvert', 0)[0]?.word).toBe('culvert');
    expect(correctionsOf('mulvert', 0)).toEqual([]);
  });

  test('are at most five, best first, and a word that tenders have is corrected to far more frequent ones only', () => {
    expect(correctionsOf('constrction', 0)[0]?.word).toBe('construction');
    expect(correctionsOf('rood', 0).length).toBeLessThanOrEqual(5);
    expect(correctionsOf('raod', 100_000)).toEqual([]);
  });
});

test('if corrections are equally good, the first is used on the server and on the device', () => {
  expect(readBeside(['Repair of bhatta', 'Repair of bath'], 'bhaat').showingFor).toBe('bath');
  expect(readBeside(['Repair of bath', 'Repair of bhatta'], 'bhaat').showingFor).toBe('bath');
});

describe('searches near one that finds nothing', () => {
  const candidatesOf = (changes: Partial<TenderFilter>) => {
    const filter = { ...EMPTY_FILTER, ...changes };
    const context = { state: filter.state || null, districts: filter.districts };
    return nearestCandidates(filter, readTypedQuery(filter.q, context, null, NOW));
  };
  const named = (changes: Partial<TenderFilter>) =>
    candidatesOf(changes).map(({ kind, name }) => `${kind} ${name}`.trim());
  /** The offered searches when the candidates have so many tenders, in their order. */
  const picked = (changes: Partial<TenderFilter>, counts: number[]) =>
    pickNearest(candidatesOf(changes), counts).map(({ kind, name, total }) =>
      `${kind} ${name} ${total}`.replace('  ', ' '),
    );

  test.each<[string, Partial<TenderFilter>, string[]]>([
    ['a district in the words', { q: 'road kullu' }, ['state Himachal Pradesh', 'closed']],
    ['a state in the words', { q: 'road assam' }, ['anywhere', 'closed']],
    ['only a state in the words', { q: 'assam' }, ['closed']],
    ['a district', { state: 'Assam', districts: ['Jorhat'], q: 'road' }, ['state Assam', 'closed']],
    ['a state with words', { state: 'Assam', q: 'road' }, ['anywhere', 'closed']],
    ['a state without words', { state: 'Assam' }, ['closed']],
    ['a department with words', { state: 'Assam', departments: ['PWD'], q: 'road' }, ['filters', 'closed']],
    ['an amount', { state: 'Assam', min: 0 }, ['filters', 'closed']],
    ['closed tenders', { q: 'road', open: false }, []],
    ['two words', { q: 'road culvert' }, ['closed', 'words culvert', 'words road']],
    [
      'three words',
      { q: 'road culvert parapet' },
      [
        'closed',
        'words culvert parapet',
        'words road parapet',
        'words road culvert',
        'words road',
        'words culvert',
        'words parapet',
      ],
    ],
    [
      'five words',
      { q: 'road culvert parapet drain bridge' },
      [
        'closed',
        ...['culvert parapet drain bridge', 'road parapet drain bridge', 'road culvert drain bridge'],
        ...['road culvert parapet bridge', 'road culvert parapet drain'],
        ...['road', 'culvert', 'parapet', 'drain', 'bridge'],
      ].map((each) => (each === 'closed' ? each : `words ${each}`)),
    ],
    ['six words', { q: 'road culvert parapet drain bridge school' }, ['closed']],
    ['a condition', { q: 'road below 10 lakh' }, ['filters', 'closed']],
    ['a condition and a place', { q: 'road kullu no emd' }, ['state Himachal Pradesh', 'filters', 'closed']],
    ['only a condition', { q: 'no emd' }, ['closed']],
  ])('beside %s', (_what, changes, expected) => {
    expect(named(changes)).toEqual(expected);
  });

  test('keep the conditions of the words, or drop all of them', () => {
    const queries = candidatesOf({ q: 'road kullu below 10 lakh culvert' }).map(({ kind, filter }) => [kind, filter.q]);
    expect(queries).toEqual([
      ['state', 'road culvert below 10 lakh'],
      ['filters', 'road culvert kullu'],
      ['closed', 'road kullu below 10 lakh culvert'],
      ['words', 'culvert kullu below 10 lakh'],
      ['words', 'road kullu below 10 lakh'],
    ]);
  });

  test('drop only what their kind names', () => {
    const asked = { state: 'Assam', q: 'road', min: 5, within: 3, category: 'Works' as const };
    const [anywhere, filters, closed] = candidatesOf(asked).map(({ filter }) => filter);
    expect(anywhere).toEqual({ ...EMPTY_FILTER, ...asked, state: '' });
    expect(filters).toEqual({ ...EMPTY_FILTER, state: 'Assam', q: 'road' });
    expect(closed).toEqual({ ...EMPTY_FILTER, ...asked, open: false, within: null });
  });

  test('keep the place in the words', () => {
    const words = candidatesOf({ q: 'road culvert parapet kullu' }).filter(({ kind }) => kind === 'words');
    expect(words.map(({ filter }) => filter.q)).toEqual([
      ...['culvert parapet kullu', 'road parapet kullu', 'road culvert kullu'],
      ...['road kullu', 'culvert kullu', 'parapet kullu'],
    ]);
  });

  test('that find nothing either are not offered', () => {
    expect(picked({ state: 'Assam', q: 'road' }, [0, 0])).toEqual([]);
    expect(picked({ state: 'Assam', q: 'road' }, [0, 4])).toEqual(['closed 4']);
    expect(picked({ state: 'Assam', q: 'road' }, [])).toEqual([]);
  });

  test('are at most three: of each kind the one with the most tenders, and the single word with the fewest', () => {
    expect(picked({ q: 'road culvert' }, [1, 2, 3])).toEqual(['closed 1', 'words road 3']);
    expect(picked({ q: 'road culvert' }, [1, 3, 3])).toEqual(['closed 1', 'words culvert 3']);
    expect(picked({ q: 'road culvert parapet' }, [1, 0, 2, 0, 1, 1, 1])).toEqual(['closed 1', 'words road parapet 2']);
    expect(picked({ q: 'road culvert parapet' }, [1, 0, 0, 0, 9, 4, 7])).toEqual(['closed 1', 'words culvert 4']);
    expect(picked({ state: 'Assam', min: 1, q: 'road culvert' }, [1, 2, 3, 4, 5])).toEqual([
      'anywhere 1',
      'filters 2',
      'closed 3',
    ]);
  });
});

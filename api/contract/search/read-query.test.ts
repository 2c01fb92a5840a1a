import { describe, expect, test } from 'vitest';
import type { LiteralPart } from '../filter/tender-filter.ts';
import { correctionsOf, editCost, isCorrectable, soundSkeleton } from './corrections.ts';
import type { QueryWord } from './query-words.ts';
import { type QueryReading, readQuery } from './read-query.ts';
import { searchTerms } from './terms.ts';

const ANYWHERE = { state: null, districts: [] };

/** Reads a text beside tenders with these titles. */
function readBeside(titles: readonly string[], text: string, literal: LiteralPart | null = null): QueryReading {
  const tenders = titles.map(searchTerms);
  const has = (terms: readonly string[], word: QueryWord) =>
    word.alternatives.some((alternative) =>
      alternative.terms.every((term) =>
        terms.some((each) => each === term || (alternative.quality === 2 && each.startsWith(term))),
      ),
    );
  const steps = readQuery(text, ANYWHERE, literal);
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

  test('a word that few tenders have stays beside its correction', () => {
    const reading = readBeside(['Brige at Una', ...TITLES], 'brige');
    expect(reading.showingFor).toBe('bridge');
    expect(reading.words[0]?.alternatives.at(-1)).toEqual({ terms: ['brige'], quality: 7 });
  });

  test('a corrected word may be a place', () => {
    const reading = readBeside(['Road at Kinnaur', ...TITLES], 'road kinnuar');
    expect(reading.place?.districts.map(({ district }) => district) ?? []).toEqual(['Kinnaur']);
  });

  test('the user can search what was typed', () => {
    const typed = readBeside(TITLES, 'raod mandi', 'words');
    expect([typed.showingFor, typed.place?.text]).toEqual([null, 'mandi']);
    const words = readBeside(TITLES, 'road mandi', 'place');
    expect([words.place, words.words.map((word) => word.typed)]).toEqual([null, ['road', 'mandi']]);
    const all = readBeside(TITLES, 'raod mandi', 'all');
    expect([all.showingFor, all.place, all.words.at(-1)?.alternatives.at(-1)?.quality]).toEqual([null, null, 2]);
  });

  test('a long text asks for few counts', () => {
    const steps = readQuery('raod brige skul hosptal schol bulding repar culvrt wal drane nalh pond sdak', ANYWHERE);
    const counts: number[] = [];
    for (let step = steps.next(); !step.done; step = steps.next(step.value.map(() => 0)))
      counts.push(step.value.length);
    expect(counts.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(12 + 3 * 7);
    // One for the words, one for each of three corrected ones.
    expect(counts.length).toBeLessThanOrEqual(1 + 3);
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
  ])('%s and %s: %i', (one, other, cost) => {
    expect(editCost(one, other, 16)).toBe(cost);
    expect(editCost(other, one, 16)).toBe(cost);
  });

  test('edits above the limit are too many', () => {
    expect(editCost('road', 'bridge', 8)).toBe(Infinity);
  });

  test.each([
    ['skool', 'school'],
    ['vidyalay', 'vidyalaya'],
    ['bijalee', 'bijali'],
    ['phatak', 'fatak'],
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

  test('are at most five, best first, and a word that tenders have is corrected to far more frequent ones only', () => {
    expect(correctionsOf('constrction', 0)[0]?.word).toBe('construction');
    expect(correctionsOf('rood', 0).length).toBeLessThanOrEqual(5);
    expect(correctionsOf('raod', 100_000)).toEqual([]);
  });
});

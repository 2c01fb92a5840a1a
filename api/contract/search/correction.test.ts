import { describe, expect, test } from 'vitest';
import { correctableWords, correctionRounds } from './correction.ts';
import { parseQuery, tenderTerms } from './search.ts';

describe('corrections of a search without results', () => {
  test('only single words of four letters or more are corrected', () => {
    expect(correctableWords(parseQuery('widning of nh5 rod 2025_PWD_1_1 culvrt'))).toEqual(['widning', 'culvrt']);
  });

  test('each word is replaced by each candidate, then all words by their nearest', () => {
    const candidates = new Map([
      ['widning', ['widening', 'winning']],
      ['culvrt', ['culvert']],
    ]);
    const rounds = correctionRounds(parseQuery('widning culvrt'), candidates);
    const texts = rounds.map((round) => round.map(({ words }) => words.map(({ typed: asked }) => asked).join(' ')));
    expect(texts).toEqual([['widening culvrt', 'winning culvrt', 'widning culvert'], ['widening culvert']]);
    expect([...(rounds[1]?.[0]?.replacements ?? [])]).toEqual([
      ['widning', 'widening'],
      ['culvrt', 'culvert'],
    ]);
  });

  test('one word has no second round, and no candidates give no rounds', () => {
    expect(
      correctionRounds(
        parseQuery('widning culvrt'),
        new Map([
          ['widning', ['widening']],
          ['culvrt', []],
        ]),
      ),
    ).toHaveLength(1);
    expect(correctionRounds(parseQuery('zzzzzz'), new Map([['zzzzzz', []]]))).toEqual([[]]);
  });
});

describe('the terms of a tender', () => {
  const tender = {
    title: 'Repair of road',
    description: 'Repair of road',
    source_tender_id: '7_A',
    reference_number: null,
    organisation_chain: ['PWD', 'Shimla Circle'],
    district: 'Mandi',
    department: null,
    place: 'Theog',
  };

  test('come from its searched fields', () => {
    expect(tenderTerms({ ...tender, reference_number: 'NIT 9' })).toEqual([
      'repair',
      'of',
      'road',
      '7_a',
      '7',
      'nit',
      '9',
      'pwd',
      'shimla',
      'circle',
      'mandi',
      'theog',
    ]);
  });

  test('are at most a thousand', () => {
    const description = Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(' ');
    expect(tenderTerms({ ...tender, description })).toHaveLength(1_000);
  });
});

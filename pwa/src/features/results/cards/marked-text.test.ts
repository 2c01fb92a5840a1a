// @vitest-environment node
import { markWords } from '@nivida/contract/words/mark-words';
import { describe, expect, test } from 'vitest';
import { cutTitleLine, markReasons, snippetOf } from './marked-text.ts';

const WORDS = [
  { typed: 'danga', alternatives: ['danga', 'retaining wall', 'rwall'] },
  { typed: 'constr', alternatives: ['constr', 'constr*'] },
];
const shown = (parts: ReturnType<typeof markWords> | undefined) =>
  parts?.map(({ text, isMarked, reason }) => (isMarked ? `[${text}${reason ? ` = ${reason}` : ''}]` : text)).join('');

describe('marked words', () => {
  test('name the synonym that was found', () => {
    expect(shown(markWords('Construction of R/Wall at Km 3', WORDS))).toBe(
      '[Construction] of [R/Wall = danga: r/wall] at Km 3',
    );
  });

  test('are marked as one where the index reads them as one', () => {
    expect(shown(markWords('SH C o R wall, at RD 0/305', WORDS))).toBe('SH C o [R wall, = danga: r wall] at RD 0/305');
    const ward = [{ typed: 'ward7', alternatives: ['ward7'] }];
    expect(shown(markWords('Culvert in Ward No. 07, Una', ward))).toBe('Culvert in [Ward No. 07,] Una');
  });

  test('of several terms are marked only where all of them are', () => {
    expect(shown(markWords('Retaining of a wall', WORDS))).toBe(
      '[Retaining = danga: retaining wall] of a [wall = danga: retaining wall]',
    );
    expect(shown(markWords('Toe wall', WORDS))).toBe('Toe wall');
  });

  test('as they were typed need no reason', () => {
    expect(shown(markWords('Danga, Solan', WORDS))).toBe('[Danga,] Solan');
    expect(shown(markWords('Road', []))).toBe('Road');
  });
});

describe('the line of the description', () => {
  test('begins shortly before a word that the title lacks, and goes on with the text after it', () => {
    const description = `Repair of the road from the bus stand to the school with one retaining wall and ${'more '.repeat(40)}`;
    const line = shown(snippetOf({ title: 'Repair of road', description }, WORDS));
    expect(line).toMatch(/^…\S.* \[retaining = danga: retaining wall\]/);
    expect(line).toContain('[wall = danga: retaining wall] and more more');
  });

  test('is left out where the title has the words, or the description repeats it', () => {
    expect(snippetOf({ title: 'Danga', description: 'A danga' }, WORDS.slice(0, 1))).toBeUndefined();
    expect(snippetOf({ title: 'Danga', description: 'Danga' }, WORDS)).toBeUndefined();
  });
});

test('a title that is cut before its marked word has a line around it', () => {
  const drain = [{ typed: 'drain', alternatives: ['drain'] }];
  const title =
    'Periodical renewal of the market road km 5/0 to 12/650 including earth work and side drains, allied works';
  const line = cutTitleLine(title, drain);
  expect(line?.parts.map(({ text }) => text).join('')).toBe('…work and side drains, allied works');
  expect(line?.isForPhone).toBe(true);
  expect(cutTitleLine('Side drains of the road', drain)).toBeUndefined();
  expect(cutTitleLine('A road without one', drain)).toBeUndefined();
  expect(cutTitleLine(`${'Repair of a long road '.repeat(6)} drain`, drain)?.isForPhone).toBe(false);
});

test('why words were found is said once, in the order of the tenders, also for words of descriptions', () => {
  const tenders = [
    { title: 'Danga', description: 'Danga' },
    { title: 'R/Wall', description: 'R/Wall' },
    { title: 'Road', description: 'With a retaining wall' },
    { title: 'R/Wall at Una', description: 'Another' },
  ];
  expect(markReasons(tenders, WORDS)).toEqual(['danga: r/wall', 'danga: retaining wall']);
  expect(markReasons(tenders, [])).toEqual([]);
});

test('a line around a marked word begins at a word and ends on the line of a phone', () => {
  const far = `${'word '.repeat(30)}drain ${'after '.repeat(30)}`;
  const line = snippetOf({ title: 'Road', description: far }, [{ typed: 'drain', alternatives: ['drain'] }]);
  expect(line?.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')).toMatch(
    /^…(word ){3,4}\[drain\] after/,
  );
  const near = snippetOf({ title: 'Road', description: 'Side drain' }, [{ typed: 'drain', alternatives: ['drain'] }]);
  expect(near?.[0]?.text).toBe('Side ');
});

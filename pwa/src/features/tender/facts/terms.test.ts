// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { explainedPieces } from './terms.ts';

const explained = (text: string) =>
  explainedPieces(text)
    .filter(({ meaning }) => meaning !== undefined)
    .map(({ text, meaning }) => `${text} = ${meaning}`);

describe('short forms of a title', () => {
  test.each([
    ['C/o 900 mm dia HPC at R.D. 0/700', ['C/o = construction of', 'HPC = hume pipe culvert']],
    ['Repair of R/Wall, r/walls and R/wall', ['R/Wall = retaining wall: holds the road above the valley']],
    ['A/R and M/O LWSS Kamli', ['A/R = annual repair', 'M/O = maintenance of', 'LWSS = lift water supply scheme']],
    ['HPSEBL/TED/NIT-7 and No-HT', []],
    ['Drains in the ward', []],
  ])('%s', (title, forms) => {
    expect(explained(title)).toEqual(forms);
  });

  test('the pieces are the whole text', () => {
    const title = 'C/o HPC and R/wall at RD 0/150, C/o parapet';
    expect(
      explainedPieces(title)
        .map(({ text }) => text)
        .join(''),
    ).toBe(title);
  });
});

import type { AwardRange } from '@nivida/contract/awards/awards';
import { describe, expect, test } from 'vitest';
import { openTestPage } from '../../ui/test-page.tsx';
import { BidderDots, PriceBar } from './AwardPlots.tsx';
import { bidderDots, priceScale } from './plot-scale.ts';

const shown = (low: number, high: number) =>
  ({
    ...{ isShown: true, basis: 'office', awards: 96, officeAwards: 96, low, high },
    coverage: null,
  }) as const satisfies AwardRange;
const HIDDEN = { isShown: false, reason: 'too-few', officeAwards: 3, changedOn: null } as const;

describe('the dots of bidders', () => {
  const typical = (range: ReturnType<typeof shown>) =>
    bidderDots(range).flatMap(({ bidders, isTypical }) => (isTypical ? bidders : []));

  test('are 1 to 8, those of the range filled, both ends included', () => {
    expect(bidderDots(shown(2, 5)).map(({ bidders }) => bidders)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(typical(shown(2, 5))).toEqual([2, 3, 4, 5]);
    expect(typical(shown(1, 1))).toEqual([1]);
  });

  test('go on for more bidders, up to 20', () => {
    expect(bidderDots(shown(2, 9)).at(-1)).toEqual({ bidders: 9, isTypical: true });
    expect(bidderDots(shown(2, 9.5))).toHaveLength(10);
    expect(bidderDots(shown(2, 40))).toHaveLength(20);
  });

  test('are shown with their numbers, and not for a withheld range', async () => {
    const { page, show } = await openTestPage(<BidderDots range={shown(2, 3)} />);
    const dots = [...page.querySelectorAll('g')].map((dot) => [dot.textContent, dot.hasAttribute('data-typical')]);
    expect(dots.slice(0, 4)).toEqual([
      ['1', false],
      ['2', true],
      ['3', true],
      ['4', false],
    ]);
    await show(<BidderDots range={HIDDEN} />);
    expect(page.innerHTML).toBe('');
  });
});

describe('the scale of prices', () => {
  test('is 30 % below to 10 % above the estimate', () => {
    const { low, high, at } = priceScale(shown(-1_000, 0), []);
    expect([low, high]).toEqual([-3_000, 1_000]);
    expect([-3_000, -1_000, 0, 1_000].map(at)).toEqual([0, 50, 75, 100]);
    expect([-4_000, 2_000].map(at)).toEqual([0, 100]);
  });

  test.each([
    [shown(-3_000, 1_000), [], -3_000, 1_000],
    [shown(-3_001, 0), [], -4_000, 1_000],
    [shown(-1_000, 1_001), [], -3_000, 2_000],
    [shown(-1_000, 0), [{ price: -5_500, count: 1, of: 2 }], -6_000, 1_000],
    [shown(-1_000, 0), [{ price: 1_500, count: 1, of: 2 }], -3_000, 2_000],
    [HIDDEN, [], -3_000, 1_000],
  ])('of %j and %j is %i to %i: wider in steps of 10 %%', (range, masses, low, high) => {
    expect(priceScale(range, masses)).toMatchObject({ low, high });
  });

  test('has a bar for the range, a line at the estimate, and a tick for each common price', async () => {
    const { page, show, texts } = await openTestPage(null);
    const draw = async (range: AwardRange) => {
      const masses = [
        { price: 0, count: 40, of: 96 },
        { price: -1_000, count: 22, of: 96 },
      ];
      await show(<PriceBar range={range} masses={masses} />);
      return [...page.querySelectorAll('rect')].map((rect) =>
        ['x', 'width'].map((name) => Number(rect.getAttribute(name))),
      );
    };
    expect(await draw(shown(-2_000, -1_000))).toEqual([
      [0, 100],
      [25, 25],
      [74.75, 0.5],
      [74.6, 0.8],
      [49.6, 0.8],
    ]);
    expect(page.querySelector('text')?.getAttribute('x')).toBe('75%');
    expect(texts('p span')).toEqual(['30 % below', '10 % above']);
    // a range of one price is still visible
    expect((await draw(shown(-1_000, -1_000)))[1]).toEqual([50, 1]);
    expect(await draw(HIDDEN)).toEqual([]);
  });
});

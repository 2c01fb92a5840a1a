import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EdgeGauge, ShareRail, WeekGauge } from './Gauge.tsx';
import { Status } from './Status.tsx';

function render(node: ReactNode): HTMLElement {
  const page = document.createElement('div');
  page.innerHTML = renderToStaticMarkup(node);
  return page;
}

/** Where the bars of a gauge begin and end, in percent of its length. */
const bars = (node: ReactNode, start: 'x' | 'y', length: 'width' | 'height') =>
  [...render(node).querySelectorAll('rect')].map((bar) => {
    const from = Number(bar.getAttribute(start) ?? 0);
    return [from, from + Number(bar.getAttribute(length))];
  });

test.each([
  [1, [0, 100]],
  [0.3, [70, 100]],
  [0, [100, 100]],
  [-1, [100, 100]],
  [2, [0, 100]],
])('the gauge on the edge of a card stands on its lower end; the share left is %d', (left, bar) => {
  expect(bars(createElement(EdgeGauge, { tone: 'red', left }), 'y', 'height')).toEqual([bar]);
});

test('the gauge of a week ends at its right end: its last parts are full, and one is full in part', () => {
  const gauge = createElement(WeekGauge, { tone: 'red', left: 2.25 / 7, start: '', end: '' });
  const empty = Array.from({ length: 4 }, () => [100, 100]);
  expect(bars(gauge, 'x', 'width')).toEqual([...empty, [75, 100], [0, 100], [0, 100]]);
});

test('the rail of a share begins at its left end', () => {
  expect(bars(createElement(ShareRail, { share: 0.2 }), 'x', 'width')).toEqual([[0, 20]]);
});

test('the word of a status is visible; that of a quiet one is for screen readers only', () => {
  const hidden = (quiet: boolean) =>
    render(createElement(Status, { tone: 'green', label: 'Active', quiet })).querySelector('.sr')?.textContent;
  expect(hidden(false)).toBeUndefined();
  expect(hidden(true)).toBe('Active');
});

import type { ComponentProps, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Badge } from './Badge.tsx';
import { BarPlot } from './BarPlot.tsx';
import { Disclosure } from './Disclosure.tsx';
import { EdgeGauge, ShareRail, WeekGauge } from './Gauge.tsx';
import { Icon, Logo } from './Icon.tsx';
import { Panel } from './Panel.tsx';
import { Status, StatusStamp } from './Status.tsx';

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
  expect(bars(<EdgeGauge tone="red" left={left} />, 'y', 'height')).toEqual([bar]);
});

test('the gauge of a week ends at its right end: its last parts are full, and one is full in part', () => {
  const gauge = <WeekGauge tone="red" left={2.25 / 7} start="" end="" />;
  const empty = Array.from({ length: 4 }, () => [100, 100]);
  expect(bars(gauge, 'x', 'width')).toEqual([...empty, [75, 100], [0, 100], [0, 100]]);
});

test('the rail of a share begins at its left end', () => {
  expect(bars(<ShareRail share={0.2} />, 'x', 'width')).toEqual([[0, 20]]);
});

test('the word of a status is visible; that of a quiet one is for screen readers only', () => {
  const hidden = (quiet: boolean) =>
    render(<Status tone="green" label="Active" quiet={quiet} />).querySelector('.sr')?.textContent;
  expect(hidden(false)).toBeUndefined();
  expect(hidden(true)).toBe('Active');
});

test('the ends of a week are labelled, the last one more strongly; the parts are hidden from screen readers', () => {
  const page = render(<WeekGauge tone="amber" left={1} start="Monday" end="11:00 AM" />);
  expect([page.querySelector('span')?.textContent, page.querySelector('strong')?.textContent]).toEqual([
    'Monday',
    '11:00 AM',
  ]);
  expect(page.querySelector('[aria-hidden="true"]')?.querySelectorAll('rect')).toHaveLength(7);
  expect(page.querySelector('[data-tone]')?.getAttribute('data-tone')).toBe('amber');
});

test('the gauge of a card has the tone of its closing, and shows that it is stale or over', () => {
  const gauge = (look?: 'stale' | 'hollow') =>
    render(<EdgeGauge tone="red" left={1} look={look} />).querySelector('svg');
  expect(gauge()?.getAttribute('data-tone')).toBe('red');
  expect([gauge(), gauge('stale'), gauge('hollow')].map((svg) => svg?.getAttribute('data-look'))).toEqual([
    null,
    'stale',
    'hollow',
  ]);
  expect(gauge()?.getAttribute('aria-hidden')).toBe('true');
});

test('a status has its tone and its word, framed or in a line', () => {
  const stamp = render(<StatusStamp tone="gray" label="Coming soon" />).firstElementChild;
  expect([stamp?.getAttribute('data-tone'), stamp?.textContent]).toEqual(['gray', 'Coming soon']);
  const status = render(<Status tone="green" label="Active" />).firstElementChild;
  expect([status?.getAttribute('data-tone'), status?.textContent]).toEqual(['green', 'Active']);
});

test('a badge has its tone, its text and the closing it stands for', () => {
  const badge = (closes?: string) =>
    render(
      <Badge tone="today" closes={closes}>
        Closes in 2 h
      </Badge>,
    ).firstElementChild;
  expect([badge()?.getAttribute('data-tone'), badge()?.textContent]).toEqual(['today', 'Closes in 2 h']);
  expect(badge()?.hasAttribute('data-closes')).toBe(false);
  expect(badge('2026-11-20T05:30:00Z')?.getAttribute('data-closes')).toBe('2026-11-20T05:30:00Z');
});

test('counts are bars from one base line, and the same figures are a table', () => {
  const plot = (values: number[]) =>
    render(
      <BarPlot
        names="Month"
        unit="Bids"
        bars={values.map((value, nth) => ({ label: `Month ${nth + 1}`, short: `M${nth + 1}`, value }))}
      />,
    );
  const page = plot([50, 100, 0, 1]);
  const [half, full, none, least] = [...page.querySelectorAll('rect')].map((bar) =>
    ['x', 'y', 'width', 'height'].map((name) => Number(bar.getAttribute(name))),
  );
  // A bar above zero can be seen.
  expect([half, full, none, least]).toEqual([
    [3, 68, 20, 48],
    [29, 20, 20, 96],
    [55, 116, 20, 0],
    [81, 114, 20, 2],
  ]);
  const texts = [...page.querySelectorAll('text')].map((text) => [
    text.textContent,
    ...['x', 'y'].map((name) => Number(text.getAttribute(name))),
  ]);
  expect(texts.slice(0, 4)).toEqual([
    ['50', 13, 63],
    ['M1', 13, 131],
    ['100', 39, 15],
    ['M2', 39, 131],
  ]);
  const svg = page.querySelector('svg');
  expect(['width', 'viewBox', 'aria-hidden'].map((name) => svg?.getAttribute(name))).toEqual([
    '104',
    '0 0 104 136',
    'true',
  ]);
  expect(page.querySelector('summary')?.textContent).toBe('Show as a table');
  expect([...page.querySelectorAll('th, td')].map(({ textContent }) => textContent)).toEqual([
    ...['Month', 'Bids'],
    ...['Month 1', '50', 'Month 2', '100', 'Month 3', '0', 'Month 4', '1'],
  ]);
  expect([...page.querySelectorAll('th')].map((head) => head.getAttribute('scope'))).toEqual([
    ...['col', 'col'],
    ...Array(4).fill('row'),
  ]);
  expect([...plot([0, 0]).querySelectorAll('rect')].map((bar) => bar.getAttribute('height'))).toEqual(['0', '0']);
});

test('what is folded is named by its line', () => {
  const page = render(
    <Disclosure title="More" className="wide">
      The rest.
    </Disclosure>,
  );
  const details = page.querySelector('details');
  expect([details?.open, details?.querySelector('summary')?.textContent, details?.textContent]).toEqual([
    false,
    'More',
    'MoreThe rest.',
  ]);
  expect(details?.classList.contains('wide')).toBe(true);
});

test('icons and the logo are hidden from screen readers; a small icon is marked', () => {
  const icon = (small?: boolean) => render(<Icon name="close" small={small} />).querySelector('svg');
  expect(icon()?.getAttribute('aria-hidden')).toBe('true');
  expect([icon()?.hasAttribute('data-small'), icon(true)?.hasAttribute('data-small')]).toEqual([false, true]);
  expect(icon()?.querySelector('path')?.getAttribute('d')).toBe('m6 6 12 12M18 6 6 18');
  expect(
    render(<Logo />)
      .querySelector('svg')
      ?.getAttribute('aria-hidden'),
  ).toBe('true');
});

test('a panel is a section with its own attributes, and has space between its parts when it asks for it', () => {
  const panel = (props: ComponentProps<typeof Panel>) =>
    render(<Panel {...props}>The office.</Panel>).querySelector('section');
  const plain = panel({ id: 'office', 'aria-labelledby': 'title', className: 'wide' });
  expect([plain?.id, plain?.getAttribute('aria-labelledby'), plain?.textContent]).toEqual([
    'office',
    'title',
    'The office.',
  ]);
  expect([plain?.classList.contains('wide'), plain?.classList.contains('stack')]).toEqual([true, false]);
  expect(panel({ stack: true })?.classList.contains('stack')).toBe(true);
});

import { t } from '@lingui/core/macro';
import css from './BarPlot.module.css';
import { Disclosure } from './Disclosure.tsx';

/** One bar. */
export interface Bar {
  label: string;
  /** The text below the bar. Use the label if it is short enough. */
  short: string;
  value: number;
}

// Twelve bars fit on a phone without being scaled.
const BAR_WIDTH = 20;
const GAP = 6;
const HEIGHT = 96;
const LABEL_SPACE = 20;

/** The height of each bar in a plot of `height`. A bar above zero is at least 2 high. */
function barHeights(values: readonly number[], height: number): number[] {
  const highest = Math.max(0, ...values);
  return values.map((value) => (value <= 0 ? 0 : Math.max(2, (value / highest) * height)));
}

/** Counts as bars, with the same figures in a table. */
export function BarPlot({ bars, unit, names }: { bars: readonly Bar[]; unit: string; names: string }) {
  const heights = barHeights(
    bars.map(({ value }) => value),
    HEIGHT,
  );
  const width = bars.length * (BAR_WIDTH + GAP);
  return (
    <div className={css.plot}>
      <svg width={width} viewBox={`0 0 ${width} ${HEIGHT + 2 * LABEL_SPACE}`} aria-hidden="true">
        {bars.map(({ label, short, value }, index) => {
          const x = index * (BAR_WIDTH + GAP) + GAP / 2;
          const height = heights[index] ?? 0;
          const top = LABEL_SPACE + HEIGHT - height;
          return (
            <g key={label}>
              <rect className={css.bar} x={x} y={top} width={BAR_WIDTH} height={height} />
              <text className={css.value} x={x + BAR_WIDTH / 2} y={top - 5} textAnchor="middle">
                {value}
              </text>
              <text x={x + BAR_WIDTH / 2} y={HEIGHT + LABEL_SPACE + 15} textAnchor="middle">
                {short}
              </text>
            </g>
          );
        })}
        <line className={css.axis} x1="0" x2={width} y1={LABEL_SPACE + HEIGHT} y2={LABEL_SPACE + HEIGHT} />
      </svg>
      <Disclosure title={t`Show as a table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{names}</th>
              <th scope="col">{unit}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </div>
  );
}

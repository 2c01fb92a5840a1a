import { plural, t } from '@lingui/core/macro';
import { formatTime, formatWeekday, groupIndian, indianDay, startOfIndianDay } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import { Link } from 'react-router-dom';
import { type BarLook, barHeight, barText, closingsAttribute } from '../../data/stored-pages/correct-closings.ts';
import { chooseState } from './chosen-state.ts';
import css from './Today.module.css';
import { closingsOf, type HourBar, hourLabel, hourName, type TodayFacts } from './today.ts';

/** 'Mon 15 Dec'. */
const dayText = (day: Date) => formatWeekday(day, day);

const count = (number: number) => groupIndian(String(number));

function resultsPath(state: string, params: Record<string, string>): string {
  return `/tenders/results?${new URLSearchParams({ ...(state && { state }), ...params })}`;
}

/** The list of the tenders that close in an hour: those still open, or the closed ones when none is left. */
const hourPath = (state: string, { hour, left }: HourBar) =>
  resultsPath(state, { hour: String(hour), ...(left > 0 ? { sort: 'closing_date' } : { open: '0' }) });

interface HourChartProps {
  state: string;
  facts: TodayFacts;
  day: Date;
}

/**
 * A bar for each hour; its height is the number of closings. Closed tenders are gray, the next to close red.
 * The bars of a state link to the lists of their hours. On a stored page `correctClosings` sets
 * the numbers of a later time than its data.
 */
function HourChart({ state, facts: { bars, closing }, day }: HourChartProps) {
  const highest = Math.max(1, ...bars.map(({ total }) => total));
  return (
    <ol className={css.bars} data-clock="day" aria-label={t`Closings by hour on ${dayText(day)}`}>
      {bars.map((bar, index) => {
        const { hour, total, left, isNext } = bar;
        const isEnd = index === 0 || index === bars.length - 1;
        const look: BarLook = left === 0 ? 'gone' : isNext ? 'next' : 'later';
        const content = (
          <>
            <span className="sr" suppressHydrationWarning>
              {`${hourName(hour)}: ${barText(left, total)}`}
            </span>
            <span className={css.count} aria-hidden="true">
              <del suppressHydrationWarning>{total - left || ''}</del>
              <b suppressHydrationWarning>{left || ''}</b>
            </span>
            <svg viewBox={`0 0 1 ${highest}`} preserveAspectRatio="none" aria-hidden="true">
              <BarRect height={total === 0 ? highest / 100 : barHeight(total, highest)} highest={highest} />
              <BarRect height={barHeight(left, highest)} highest={highest} />
            </svg>
            <span className={css.hour} aria-hidden="true">
              {hourLabel(hour, isEnd)}
            </span>
          </>
        );
        return (
          <li key={hour} data-look={look} data-closings={closingsAttribute(closingsOf(closing, hour))}>
            {state && total > 0 ? <Link to={hourPath(state, bar)}>{content}</Link> : <div>{content}</div>}
          </li>
        );
      })}
    </ol>
  );
}

const BarRect = ({ height, highest }: { height: number; highest: number }) => (
  <rect y={highest - height} width="1" height={height} />
);

const nextHourText = (tenders: number) =>
  plural(tenders, { one: '# closes in the next hour', other: '# close in the next hour' });

/** The next closings, as a link to those tenders. */
function NextClosing({ state, facts, now }: { state: string; facts: TodayFacts; now: Date }) {
  const { nextHour, nextMinute, left } = facts;
  if (nextMinute === null && left === 0)
    return <Link to={resultsPath(state, { within: '1', sort: 'closing_date' })}>{t`See what closes tomorrow`}</Link>;
  const text =
    nextHour > 0
      ? nextHourText(nextHour)
      : nextMinute === null
        ? t`${left} close today, hour not stated`
        : t`Next closing at ${formatTime(new Date(startOfIndianDay(indianDay(now)).getTime() + nextMinute * 60_000))}`;
  return <Link to={resultsPath(state, { within: '0', sort: 'closing_date' })}>{text}</Link>;
}

interface TodayViewProps {
  /** '' means all states. */
  state: string;
  /** States with open tenders, to choose from. */
  states: readonly string[];
  /** The user can also choose all states. */
  hasAll: boolean;
  open: number;
  fresh: number;
  facts: TodayFacts;
  now: Date;
  /** 'Checked 10:32 AM' or 'On this phone'. */
  source: string;
}

/** Today in a state: open tenders, tenders that still close today, new tenders, and the closings by hour. */
export function TodayView({ state, states, hasAll, open, fresh, facts, now, source }: TodayViewProps) {
  return (
    <section className={css.today} aria-labelledby="today">
      <dl className={`figures ${css.figures}`}>
        <div>
          <dt data-short={t`open now`}>{t`tenders open now`}</dt>
          <dd data-clock="">
            <Link to={state ? resultsPath(state, {}) : '/tenders'}>{count(open)}</Link>
          </dd>
        </div>
        <div>
          <dt>{t`still close today`}</dt>
          <dd data-clock="day" data-closings={closingsAttribute(facts.closing)} suppressHydrationWarning>
            {state && facts.left > 0 ? (
              <Link to={resultsPath(state, { within: '0', sort: 'closing_date' })} suppressHydrationWarning>
                {count(facts.left)}
              </Link>
            ) : (
              count(facts.left)
            )}
          </dd>
        </div>
        <div>
          <dt>{t`new since yesterday`}</dt>
          <dd data-clock="day">
            {state && fresh > 0 ? (
              <Link to={resultsPath(state, { published_within: '1' })}>{count(fresh)}</Link>
            ) : (
              count(fresh)
            )}
          </dd>
        </div>
      </dl>
      <div className={css.head}>
        <div>
          <h2 id="today">{t`Closing today, by hour`}</h2>
          <p className="xs muted" data-clock="day">
            {dayText(now)}
            <span data-clock="">{t`, now ${formatTime(now)}`}</span>
          </p>
        </div>
        <label className={css.state}>
          <span className="sr">{t`State`}</span>
          <select value={state} onChange={({ target }) => chooseState(target.value)}>
            {hasAll && <option value="">{t`All of India`}</option>}
            {states.map((name) => (
              <option key={name} value={name}>
                {placeName(name)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <HourChart state={state} facts={facts} day={now} />
      <p className="xs muted" data-clock="">
        {state ? <NextClosing state={state} facts={facts} now={now} /> : nextHourText(facts.nextHour)} · {source}
      </p>
    </section>
  );
}

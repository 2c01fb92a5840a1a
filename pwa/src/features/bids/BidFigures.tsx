import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { formatRupees } from '@nivida/contract/format';
import { BarPlot } from '../../ui/display/BarPlot.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import css from './BidFigures.module.css';
import { type ListedBid, monthLabel } from './rules/bid-list.ts';
import { stageLabel } from './rules/stages.ts';
import { type BidStatistics, bidStatistics, type HitRate, MIN_DECIDED_BIDS } from './rules/statistics.ts';

/** '10.5 % below the estimate' */
function rateText(percent: number): string {
  const rounded = Math.abs(percent).toFixed(1);
  if (rounded === '0.0') return t`at the estimate`;
  const text = `${rounded} %`;
  return percent < 0 ? t`${{ percent: text }} below the estimate` : t`${{ percent: text }} above the estimate`;
}

function hitRateText({ rate, won, decided }: HitRate): string {
  if (rate === null) return t`${won} of ${decided}`;
  return t`${won} of ${decided} (${{ percent: `${Math.round(rate * 100)} %` }})`;
}

function HitRates({ title, names, rates }: { title: string; names: string; rates: readonly HitRate[] }) {
  if (rates.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{names}</th>
            <th scope="col">{t`Won of decided`}</th>
          </tr>
        </thead>
        <tbody>
          {rates.map((rate) => (
            <tr key={rate.name}>
              <th scope="row">{rate.name || t`No office entered`}</th>
              <td>{hitRateText(rate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Rates({ rates }: { rates: NonNullable<BidStatistics['rates']> }) {
  const [own, awarded] = [rateText(rates.own), rateText(rates.awarded)];
  return (
    <section>
      <h3>{t`My rate against the award`}</h3>
      <p>
        <Trans>
          On average of <Plural value={rates.bids} one="# bid" other="# bids" />: mine {own}, awarded {awarded}.
        </Trans>
      </p>
      <p className="xs muted">{t`Bids with an estimate, an own rate and an awarded value.`}</p>
    </section>
  );
}

/** The value of bids that are not decided. An unknown value is not counted as zero. */
function Pipeline({ pipeline: { bids, valued, rupees } }: Pick<BidStatistics, 'pipeline'>) {
  if (bids === 0) return <>{t`No bid waits for a decision.`}</>;
  if (valued === 0)
    return plural(bids, {
      one: 'Value not known in # bid that is not decided.',
      other: 'Value not known in # bids that are not decided.',
    });
  const value = formatRupees(rupees);
  if (valued === bids)
    return (
      <Trans>
        <strong>{value}</strong> in{' '}
        <Plural value={bids} one="# bid that is not decided." other="# bids that are not decided." />
      </Trans>
    );
  return (
    <Trans>
      <strong>{value}</strong> in{' '}
      <Plural value={bids} one="# bid that is not decided" other="# bids that are not decided" />, {valued} of them with
      a known value.
    </Trans>
  );
}

/** Pipeline, bids by month, and how often bids win. */
export function BidFigures({ bids, now }: { bids: readonly ListedBid[]; now: Date }) {
  const figures = bidStatistics(bids, now);
  const { pipeline, months, wrongDates, all, offices, bands, rates } = figures;
  return (
    <Panel stack aria-labelledby="figures">
      <h2 id="figures">{t`My bids in figures`}</h2>
      <p>
        <Pipeline pipeline={pipeline} />
      </p>
      {months.length > 0 && (
        <section>
          <h3>{t`Submitted by month`}</h3>
          <BarPlot
            names={t`Month`}
            unit={t`Bids submitted`}
            bars={months.map(({ month, bids: value }) => ({
              label: monthLabel(month),
              short: monthLabel(month).split(' ')[0] ?? '',
              value,
            }))}
          />
        </section>
      )}
      {wrongDates > 0 && (
        <p className="xs muted">
          {plural(wrongDates, {
            one: '# bid is not shown by month: its day of submission is in the future or before 2005. Correct it in the bid.',
            other:
              '# bids are not shown by month: its day of submission is in the future or before 2005. Correct it in the bid.',
          })}
        </p>
      )}
      <section>
        <h3>{t`Won and lost`}</h3>
        {all.decided === 0 ? (
          <p className="muted">{t`No bid is decided yet.`}</p>
        ) : (
          <BarPlot
            names={t`Result`}
            unit={t`Bids`}
            bars={[
              { label: stageLabel('won'), short: stageLabel('won'), value: figures.won },
              { label: stageLabel('lost'), short: stageLabel('lost'), value: figures.lost },
            ]}
          />
        )}
      </section>
      <HitRates title={t`By office`} names={t`Office`} rates={offices} />
      <HitRates title={t`By estimate`} names={t`Estimate`} rates={bands} />
      {all.decided > 0 && <p className="xs muted">{t`Percentages appear from ${MIN_DECIDED_BIDS} decided bids.`}</p>}
      {rates && <Rates rates={rates} />}
    </Panel>
  );
}

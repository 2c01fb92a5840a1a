import { t } from '@lingui/core/macro';
import { PLAN_IDS, PLANS } from '@nivida/contract/orders/plans';
import { Icon } from '../../ui/display/Icon.tsx';
import { type ComparisonRow, comparisonRows } from './labels.ts';
import css from './PlanComparison.module.css';

function ComparisonCell({ word }: { word: string }) {
  if (word === 'Yes') {
    return (
      <>
        <span className="sr">{t`Yes`}</span>
        <Icon name="check" />
      </>
    );
  }
  if (word === 'No') {
    return (
      <>
        <span className="sr">{t`No`}</span>
        <span aria-hidden="true">–</span>
      </>
    );
  }
  return <span data-soon={word === 'Coming soon' || undefined}>{word === 'Coming soon' ? t`Coming soon` : word}</span>;
}

/**
 * A row of the comparison. On a phone its title has its own line, so that the table does not scroll sideways.
 * On a wide screen the title is beside the values. Only one of the two titles is shown.
 */
function ComparisonTableRow({ row, heads }: { row: ComparisonRow; heads: readonly string[] }) {
  return (
    <tbody>
      <tr className={css.narrow}>
        <th scope="rowgroup" colSpan={heads.length}>
          {row.title}
        </th>
      </tr>
      <tr>
        <th scope="row" className={css.wide}>
          {row.title}
        </th>
        {heads.map((head, index) => (
          <td key={head}>
            <ComparisonCell word={row.cells[index] ?? ''} />
          </td>
        ))}
      </tr>
    </tbody>
  );
}

/** A table of what is free and what each plan adds. */
export function PlanComparison() {
  const heads = [
    t({ message: 'Free', context: 'column beside those of the plans' }),
    ...PLAN_IDS.map((id) => PLANS[id].name),
  ];
  return (
    <table className={css.table}>
      <caption className="sr">{t`What is free and what each plan adds`}</caption>
      <thead>
        <tr>
          <td className={css.wide} />
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {comparisonRows().map((row) => (
        <ComparisonTableRow key={row.title} row={row} heads={heads} />
      ))}
    </table>
  );
}

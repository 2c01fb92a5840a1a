import { t } from '@lingui/core/macro';
import type { TenderSourceRow, TenderStages } from '@nivida/contract/desk/tenders';
import { formatCount, formatDateTime } from '@nivida/contract/format';
import { Icon } from '../../../ui/display/Icon.tsx';
import { langOf } from '../../../ui/words/lang-of.ts';
import css from './TenderPanel.module.css';

/** Rows with more filled cells are closed at first. */
const MAX_OPEN_CELLS = 12;

/** What the files of a tender say: rows of tables, or releases. */
export function SourceRows({ source: { rows, releases } }: { source: TenderStages['source'] }) {
  if (rows.length === 0 && releases.length === 0) return <p className="s">{t`The row of the file is not stored.`}</p>;
  return (
    <>
      {rows.map((row) => (
        <SourceRow key={String(row.is_listed)} row={row} />
      ))}
      {rows.length > 0 && (
        <p className="s">{t`Columns that name people are left out. ••• is an e-mail address or a mobile number.`}</p>
      )}
      {releases.map((release, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: releases have no key and their order stays
        <details key={n} open={releases.length === 1}>
          <summary>
            <Icon name="next" small /> {t`Release ${{ number: formatCount(n + 1) }}`}
          </summary>
          <pre className={css.release}>{JSON.stringify(release, null, 2)}</pre>
        </details>
      ))}
    </>
  );
}

function SourceRow({ row: { is_listed, file, line, read_at, cells } }: { row: TenderSourceRow }) {
  const filled = cells.filter(({ value }) => value.trim() !== '');
  const empty = cells.filter(({ value }) => value.trim() === '').map(({ column }) => column);
  const name = is_listed ? t`Row of a list` : t`Row of a notice file`;
  return (
    <details open={filled.length <= MAX_OPEN_CELLS}>
      <summary>
        <Icon name="next" small />
        <span>
          <b>{name}</b>{' '}
          <span className="s muted">{t`${{ file }}, line ${{ line: formatCount(line) }}, first read ${{ time: formatDateTime(new Date(read_at)) }}`}</span>
        </span>
      </summary>
      <table className={css.cells} aria-label={name}>
        <tbody>
          {filled.map(({ column, value }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names of columns may repeat and their order stays
            <tr key={n}>
              <th scope="row" lang={langOf(column)}>
                {column}
              </th>
              <td lang={langOf(value)}>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {empty.length > 0 && <p className="s">{t`Empty: ${{ columns: empty.join(', ') }}`}</p>}
    </details>
  );
}

import { t } from '@lingui/core/macro';
import { type ReactNode, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { PageMeta } from '../../../ui/PageMeta.tsx';
import { DeskAnswer } from './DeskAnswer.tsx';
import css from './DeskList.module.css';
import { KeysHelp, type KeysOfPage } from './KeysHelp.tsx';
import { useDeskParam } from './useDeskParam.ts';
import { useListKeys } from './useListKeys.ts';

/** A column of a list. The first one names the row and is its link. */
export interface DeskColumn<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
}

interface DeskListProps<Row> {
  /** The heading of the page. */
  title: string;
  /** Address of the list; that of a row has its id after it. */
  path: string;
  rows: QueryResult<{ rows: readonly Row[]; total?: number; pages?: number }>;
  idOf: (row: Row) => string;
  columns: readonly DeskColumn<Row>[];
  /** Fields that choose rows: `DeskSearch`, `DeskChoice`. */
  filter?: ReactNode;
  /** Acts of the list itself. */
  actions?: ReactNode;
  /** Between the heading and the filter. */
  intro?: ReactNode;
  /** What an empty list says; without it 'Nothing waits'. */
  empty?: string;
  /** The side panel of a row. */
  detail?: (id: string) => ReactNode;
  /** Below the rows of a list that has no numbered pages. */
  footer?: ReactNode;
}

/**
 * A list of the desk: filter, rows, and the opened row beside them. Rows are a table on a laptop and cards on a phone, where
 * an opened row takes the place of the list. The keys are in `KeysHelp`. The address has the filter, the page and the row.
 */
export function DeskList<Row>(props: DeskListProps<Row>) {
  const { title, path, rows, idOf, columns, filter, actions, intro, empty, detail, footer } = props;
  const { answer, reload } = rows;
  const { id } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const frame = useRef<HTMLDivElement>(null);
  const [helpOn, setHelpOn] = useState<KeysOfPage>();
  const showHelp = () =>
    setHelpOn({ rows: detail !== undefined, search: frame.current?.querySelector('[data-desk-search]') != null });
  useListKeys(frame, {
    onHelp: showHelp,
    onClose: () => id !== undefined && void navigate(path + search),
  });
  const [main, ...others] = columns;

  return (
    <div className={`page ${css.frame}`} ref={frame} data-open={id === undefined ? undefined : ''}>
      <PageMeta title={title} description={title} />
      <section className={`${css.list} stack`} aria-labelledby="list">
        <div className={css.head}>
          <h1 id="list">{title}</h1>
          <div className="row">
            {actions}
            <Button look="plain" onClick={reload}>{t`Refresh`}</Button>
            <Button look="icon" aria-label={t`Keys of this page`} onClick={showHelp}>
              <Icon name="help" />
            </Button>
          </div>
        </div>
        {intro}
        {filter && (
          <search className={css.filter} aria-label={t`Choose rows`}>
            {filter}
          </search>
        )}
        <DeskAnswer query={rows} failure={t`The list could not be loaded`}>
          {(answer) =>
            answer.rows.length === 0 ? (
              <EmptyState title={empty ?? t`Nothing waits`}>
                <p>{search === '' ? t`New entries appear here.` : t`No entry fits what is chosen above.`}</p>
              </EmptyState>
            ) : (
              <table className={css.table}>
                <thead>
                  <tr>
                    {columns.map((column) => (
                      <th key={column.title} scope="col" data-number={column.isNumber || undefined}>
                        {column.title}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {answer.rows.map((row) => (
                    <tr key={idOf(row)} data-current={idOf(row) === id || undefined}>
                      <th scope="row">
                        {detail ? (
                          <Link
                            className={css.link}
                            data-row=""
                            aria-current={idOf(row) === id || undefined}
                            to={`${path}/${encodeURIComponent(idOf(row))}${search}`}
                          >
                            {main?.cell(row)}
                          </Link>
                        ) : (
                          main?.cell(row)
                        )}
                      </th>
                      {others.map((column) => (
                        <td key={column.title} data-title={column.title} data-number={column.isNumber || undefined}>
                          {column.cell(row)}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </DeskAnswer>
        {answer && <DeskPages pages={answer.pages ?? 1} />}
        {footer}
      </section>
      {id !== undefined && detail && (
        <section className={css.detail} aria-label={t`Details`} data-detail="">
          <p className={css.back}>
            <ButtonLink look="plain" to={path + search}>
              <Icon name="back" /> {t`Back to the list`}
            </ButtonLink>
          </p>
          <div className="stack" key={id}>
            {detail(id)}
          </div>
        </section>
      )}
      {helpOn && <KeysHelp {...helpOn} onClose={() => setHelpOn(undefined)} />}
    </div>
  );
}

/** Links to the pages before and after; nothing for a single one. */
function DeskPages({ pages }: { pages: number }) {
  const [text, setPage] = useDeskParam('page');
  const page = Number(text || 1);
  if (pages <= 1) return null;
  return (
    <nav className="row" aria-label={t`Pages`}>
      <Button disabled={page <= 1} onClick={() => setPage(page === 2 ? '' : String(page - 1))}>{t`Previous`}</Button>
      <span className="s">{t`Page ${page} of ${pages}`}</span>
      <Button disabled={page >= pages} onClick={() => setPage(String(page + 1))}>{t`Next`}</Button>
    </nav>
  );
}

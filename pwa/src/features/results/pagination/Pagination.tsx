import { t } from '@lingui/core/macro';
import { type TenderListQuery, tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import { Link } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import css from './Pagination.module.css';
import { visiblePages } from './pagination.ts';

/** Previous, next and the page numbers. The page is in the address and in the navigation state. */
export function Pagination({ search, count }: { search: TenderListQuery; count: number }) {
  if (count < 2) return null;
  const to = (page: number) => ({ to: { search: `?${tenderFilterParams({ ...search, page })}` }, state: { page } });
  return (
    <nav className={css.pages} aria-label={t`Pages`}>
      {search.page > 1 ? (
        <Link {...to(search.page - 1)} rel="prev" aria-label={t`Previous`}>
          <Icon name="previous" />
        </Link>
      ) : (
        <span />
      )}
      {visiblePages(search.page, count).map((page, index, all) =>
        page === '…' ? (
          <span key={`after ${all[index - 1]}`}>…</span>
        ) : (
          <Link
            key={page}
            {...to(page)}
            aria-label={t`Page ${page}`}
            aria-current={page === search.page ? 'page' : undefined}
          >
            {page}
          </Link>
        ),
      )}
      {search.page < count ? (
        <Link {...to(search.page + 1)} rel="next" aria-label={t`Next`}>
          <Icon name="next" />
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}

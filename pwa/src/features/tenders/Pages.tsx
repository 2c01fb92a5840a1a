import { type TenderSearch, writeSearch } from '@nivida/contract/list-address';
import { Link } from 'react-router-dom';
import { Icon } from '../../ui/Icon.tsx';
import css from './Pages.module.css';
import { pagesShown } from './pages.ts';

/** Previous, next and the page numbers; the page stands in the address and in the navigation state. */
export function Pages({ search, count }: { search: TenderSearch; count: number }) {
  if (count < 2) return null;
  const to = (page: number) => ({ to: { search: `?${writeSearch({ ...search, page })}` }, state: { page } });
  return (
    <nav className={css.pages} aria-label="Pages">
      {search.page > 1 ? (
        <Link {...to(search.page - 1)} rel="prev" aria-label="Previous">
          <Icon name="previous" />
        </Link>
      ) : (
        <span />
      )}
      {pagesShown(search.page, count).map((page, index, all) =>
        page === '…' ? (
          <span key={`after ${all[index - 1]}`}>…</span>
        ) : (
          <Link
            key={page}
            {...to(page)}
            aria-label={`Page ${page}`}
            aria-current={page === search.page ? 'page' : undefined}
          >
            {page}
          </Link>
        ),
      )}
      {search.page < count ? (
        <Link {...to(search.page + 1)} rel="next" aria-label="Next">
          <Icon name="next" />
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}

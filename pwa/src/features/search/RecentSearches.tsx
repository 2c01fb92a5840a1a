import { t } from '@lingui/core/macro';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import css from './RecentSearches.module.css';
import { recentSearchName, removeRecentSearch, useOwnRecentSearches } from './recent-searches.ts';

/** The last searches of the user; each can be removed. Renders nothing without any. */
export function RecentSearches() {
  const heading = useId();
  const searches = useOwnRecentSearches();
  if (searches.length === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className={css.heading}>
        {t`Recent searches`}
      </h2>
      <ul className={`${css.searches} entries`}>
        {searches.map((query) => (
          <li key={query}>
            <Link to={`/tenders/results?${query}`}>{recentSearchName(query)}</Link>
            <Button
              look="icon"
              aria-label={t`Remove ${recentSearchName(query)}`}
              onClick={() => removeRecentSearch(query)}
            >
              <Icon name="close" small />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

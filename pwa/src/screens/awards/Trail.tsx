import { t } from '@lingui/core/macro';
import { Link } from 'react-router-dom';
import css from '../../features/awards/awards.module.css';
import { Icon } from '../../ui/display/Icon.tsx';

/** Links to the pages above the current one, outermost first. */
export function Trail({ pages }: { pages: readonly { to: string; name: string }[] }) {
  return (
    <nav className={css.trail} aria-label={t`Pages above this one`}>
      {pages.map(({ to, name }) => (
        <Link key={to} to={to}>
          {name}
          <Icon name="next" small />
        </Link>
      ))}
    </nav>
  );
}

/** The top page of awards. */
export const analysisPage = () => ({ to: '/analysis', name: t`Competitive Analysis` });

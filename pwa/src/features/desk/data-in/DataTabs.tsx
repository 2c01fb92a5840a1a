import { t } from '@lingui/core/macro';
import { PAGES, type PagePath, pageText } from '@nivida/contract/site/pages';
import { NavLink } from 'react-router-dom';
import css from './DataIn.module.css';

const DATA_PAGES = [
  '/desk/data',
  '/desk/data/feeds',
  '/desk/data/keys',
  '/desk/data/portals',
] as const satisfies readonly PagePath[];

/** Links between the pages of data in. */
export const DataTabs = () => (
  <nav className={css.tabs} aria-label={t`Data in`}>
    {DATA_PAGES.map((to) => (
      <NavLink key={to} to={to} end>
        {to === '/desk/data' ? t`Files` : pageText(PAGES[to]).title}
      </NavLink>
    ))}
  </nav>
);

import { t } from '@lingui/core/macro';
import { PAGES, type Page, type PagePath, pageText } from '@nivida/contract/site/pages';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router-dom';
import { useSellsNothing } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { Icon, type IconName } from '../../ui/display/Icon.tsx';
import css from './DashboardNav.module.css';
import type { AccountActions } from './TopBar.tsx';

// SPEC's entries in its order. Logout follows them.
const NAV_ENTRIES: readonly [to: PagePath, icon: IconName][] = [
  ['/dashboard', 'home'],
  ['/dashboard/applications', 'list'],
  ['/dashboard/payments', 'rupee'],
  ['/dashboard/analytics', 'chart'],
  ['/dashboard/profile', 'user'],
  ['/dashboard/settings', 'gear'],
  ['/dashboard/support', 'help'],
];

type DashboardNavProps = Pick<AccountActions, 'onLogout' | 'onSignIn'> & {
  /** Shown beside the link to support. */
  supportCount?: ReactNode;
};

/**
 * The links to the dashboard's pages, and Logout. Signed out: the pages that work without a session, and Sign
 * in.
 */
export function DashboardNav({ onLogout, onSignIn, supportCount }: DashboardNavProps) {
  const isSignedIn = useSession() !== null;
  const sellsNothing = useSellsNothing();
  const pages = NAV_ENTRIES.map(([to, icon]) => ({ to, icon, page: PAGES[to] as Page }));
  const entries = pages.filter(({ page }) => isSignedIn || !page.needsSession);
  return (
    <nav aria-label={t`Dashboard`} className={css.nav}>
      <ul>
        {entries.map(({ to, icon, page }) => (
          <li key={to}>
            <NavLink to={to} end={to !== '/dashboard/applications'}>
              <Icon name={icon} /> {pageText(page, sellsNothing).title}
              {to === '/dashboard/support' && supportCount}
            </NavLink>
          </li>
        ))}
        <li>
          {isSignedIn ? (
            <button type="button" onClick={onLogout}>
              <Icon name="out" /> {t`Logout`}
            </button>
          ) : (
            <button type="button" onClick={onSignIn}>
              <Icon name="user" /> {t`Sign in`}
            </button>
          )}
        </li>
      </ul>
    </nav>
  );
}

import { NavLink } from 'react-router-dom';
import { useSellsNothing } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { Icon, type IconName } from '../../ui/display/Icon.tsx';
import css from './DashboardNav.module.css';
import type { AccountActions } from './TopBar.tsx';

// SPEC's entries in its order, followed by Logout.
const NAV_ENTRIES: readonly [to: string, label: string, icon: IconName][] = [
  ['/dashboard', 'Dashboard', 'home'],
  ['/dashboard/applications', 'My Applications', 'list'],
  ['/dashboard/payments', 'Payments & EMD', 'rupee'],
  ['/dashboard/analytics', 'Analytics', 'chart'],
  ['/dashboard/profile', 'Profile', 'user'],
  ['/dashboard/settings', 'Settings', 'gear'],
  ['/dashboard/support', 'Support', 'help'],
];

/** The pages that work signed out, with the data of the device. */
const OPEN_PAGES: readonly string[] = ['/dashboard/applications', '/dashboard/analytics'];

/** The links to the dashboard's pages, and Logout; signed out the pages that work then, and Sign in. */
export function DashboardNav({ onLogout, onSignIn }: Pick<AccountActions, 'onLogout' | 'onSignIn'>) {
  const isSignedIn = useSession() !== null;
  const sellsNothing = useSellsNothing();
  const entries = NAV_ENTRIES.filter(([to]) => isSignedIn || OPEN_PAGES.includes(to));
  return (
    <nav aria-label="Dashboard" className={css.nav}>
      <ul>
        {entries.map(([to, label, icon]) => (
          <li key={to}>
            <NavLink to={to} end={to !== '/dashboard/applications'}>
              <Icon name={icon} /> {to === '/dashboard/payments' && sellsNothing ? 'Documents & EMD' : label}
            </NavLink>
          </li>
        ))}
        <li>
          {isSignedIn ? (
            <button type="button" onClick={onLogout}>
              <Icon name="out" /> Logout
            </button>
          ) : (
            <button type="button" onClick={onSignIn}>
              <Icon name="user" /> Sign in
            </button>
          )}
        </li>
      </ul>
    </nav>
  );
}

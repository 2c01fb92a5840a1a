import { NavLink } from 'react-router-dom';
import { Icon, type IconName } from '../../ui/display/Icon.tsx';
import css from './DashboardNav.module.css';

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

/** The links to the dashboard's pages, and Logout. */
export function DashboardNav({ onLogout }: { onLogout: () => void }) {
  return (
    <nav aria-label="Dashboard" className={css.nav}>
      <ul>
        {NAV_ENTRIES.map(([to, label, icon]) => (
          <li key={to}>
            <NavLink to={to} end>
              <Icon name={icon} /> {label}
            </NavLink>
          </li>
        ))}
        <li>
          <button type="button" onClick={onLogout}>
            <Icon name="out" /> Logout
          </button>
        </li>
      </ul>
    </nav>
  );
}

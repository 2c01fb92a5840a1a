import { t } from '@lingui/core/macro';
import type { StaffRole } from '@nivida/contract/desk/act';
import type { DeskMeResponse } from '@nivida/contract/desk/me';
import { formatTime } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Link, NavLink, ScrollRestoration, useLocation } from 'react-router-dom';
import { useHasConnection } from '../../../data/server/reachability.ts';
import { Icon } from '../../../ui/display/Icon.tsx';
import { Status } from '../../../ui/display/Status.tsx';
import { Toasts } from '../../../ui/feedback/Toasts.tsx';
import css from './DeskLayout.module.css';
import { deskMenu } from './desk-menu.ts';

/** The name of a role. */
export function roleLabel(role: StaffRole): string {
  return { support: t`Support`, operator: t`Operator`, owner: t`Owner` }[role];
}

/** When the desk closes, and whether the server answers. Screen readers are told of a change of the connection. */
function DeskState({ closesAt }: { closesAt: string | null }) {
  const hasConnection = useHasConnection();
  return (
    <p className={css.state}>
      {closesAt && <span>{t`Desk closes at ${{ time: formatTime(new Date(closesAt)) }}`}</span>}
      <span role="status">
        {hasConnection ? (
          <Status tone="green" label={t`Connected`} />
        ) : (
          <Status tone="red" label={t`No connection. Nothing is sent.`} />
        )}
      </span>
    </p>
  );
}

interface DeskLayoutProps {
  me: DeskMeResponse;
  /** The switch of the language. */
  language: ReactNode;
  children: ReactNode;
}

/** A browser opens a file that is dropped beside the places for files, in place of the desk. */
function useNoStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}

/** The frame of the desk: who works here, until when it is open, and the pages of the role. */
export function DeskLayout({ me, language, children }: DeskLayoutProps) {
  useNoStrayDrops();
  const navigation = useId();
  const { pathname } = useLocation();
  // A navigation to another page closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === pathname;
  return (
    <div className={css.frame}>
      <a className="skip" href="#main">
        {t`Skip to content`}
      </a>
      <header className={css.top}>
        <button
          type="button"
          className={css.toggle}
          aria-expanded={isOpen}
          aria-controls={navigation}
          onClick={() => setOpenAt(isOpen ? null : pathname)}
        >
          <Icon name="menu" /> {t`Desk`}
        </button>
        <p className={css.title}>{t`Desk`}</p>
        <DeskState closesAt={me.closesAt} />
        <p className={css.who}>
          {me.username} <span className="muted">· {roleLabel(me.role)}</span>
        </p>
        <div className={css.language}>{language}</div>
      </header>
      <div className={css.split}>
        <nav className={css.side} id={navigation} aria-label={t`Desk`} data-open={isOpen || undefined}>
          <ul>
            {deskMenu(me.role).map(({ to, icon }) => (
              <li key={to}>
                <NavLink to={to} end={to === '/desk'}>
                  <Icon name={icon} /> {pageText(PAGES[to]).title}
                </NavLink>
              </li>
            ))}
            <li>
              <Link to="/dashboard">
                <Icon name="out" /> {t`Leave the desk`}
              </Link>
            </li>
          </ul>
        </nav>
        <main className={css.main} id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Toasts />
      <ScrollRestoration />
    </div>
  );
}

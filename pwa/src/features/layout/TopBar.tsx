import { type ReactNode, useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon, Mark } from '../../ui/Icon.tsx';
import css from './TopBar.module.css';
import { LEAD_SLOT } from './TopLead.tsx';

function Pages({ label }: { label: string }) {
  return (
    <nav aria-label={label}>
      <NavLink to="/" end>
        Home
      </NavLink>
      <NavLink to="/tenders">Tenders</NavLink>
      <NavLink to="/analysis">Competitive Analysis</NavLink>
      <NavLink to="/contact">Contact</NavLink>
    </nav>
  );
}

/** What the buttons for the account do. */
export interface AccountActions {
  onSignIn: () => void;
  onSignUp: () => void;
  onLogout: () => void;
}

/** Who is signed out may sign in or up; who is signed in finds the dashboard and the way out. */
function Account({ onSignIn, onSignUp, onLogout }: AccountActions) {
  if (useSession()) {
    return (
      <>
        <ButtonLink look="plain" to="/dashboard">
          Dashboard
        </ButtonLink>
        <Button onClick={onLogout}>Logout</Button>
      </>
    );
  }
  return (
    <>
      <Button look="plain" onClick={onSignIn}>
        Sign in
      </Button>
      <Button look="main" onClick={onSignUp}>
        Sign up
      </Button>
    </>
  );
}

/** The phone's menu. The browser closes it on Escape and on a tap beside it; a move to another page does not. */
function Menu({ kept, account }: { kept: ReactNode; account: AccountActions }) {
  const menu = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each move has a key of its own
  useEffect(() => menu.current?.hidePopover(), [key]);
  // the focus is back at the menu's button before a dialog remembers where it was
  const closing = (act: () => void) => () => {
    menu.current?.hidePopover();
    act();
  };
  return (
    <div className={css.menu} id="menu" popover="auto" ref={menu}>
      <Pages label="Menu" />
      {kept}
      <div className="row">
        <Account
          onSignIn={closing(account.onSignIn)}
          onSignUp={closing(account.onSignUp)}
          onLogout={closing(account.onLogout)}
        />
      </div>
    </div>
  );
}

export interface TopBarProps {
  /** The ways to notices and bookmarks, as icons in the bar and as lines of the menu. */
  kept: (look: 'icon' | 'line') => ReactNode;
  account: AccountActions;
}

/** The brand, or on a phone what a screen put there by `TopLead`, then the pages and the account. */
export function TopBar({ kept, account }: TopBarProps) {
  return (
    <header className={css.top}>
      <div className={css.bar}>
        <div className={css.lead} id={LEAD_SLOT} />
        <Link className={css.brand} to="/">
          <Mark />
          Nivida <span lang="hi">निविदा</span>
        </Link>
        <Pages label="Main" />
        <div className={css.end}>
          {kept('icon')}
          <div className={css.wide}>
            <Account {...account} />
          </div>
          <div className={css.narrow}>
            <Button look="icon" popoverTarget="menu" aria-label="Menu">
              <Icon name="menu" />
            </Button>
          </div>
        </div>
      </div>
      <Menu kept={kept('line')} account={account} />
    </header>
  );
}

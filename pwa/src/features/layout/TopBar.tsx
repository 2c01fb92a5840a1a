import { type ReactNode, useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon, Logo } from '../../ui/display/Icon.tsx';
import css from './TopBar.module.css';

function PageLinks({ label }: { label: string }) {
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
function AccountMenu({ onSignIn, onSignUp, onLogout }: AccountActions) {
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
function PhoneMenu({ savedLinks, account }: { savedLinks: ReactNode; account: AccountActions }) {
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
      <PageLinks label="Menu" />
      {savedLinks}
      <div className="row">
        <AccountMenu
          onSignIn={closing(account.onSignIn)}
          onSignUp={closing(account.onSignUp)}
          onLogout={closing(account.onLogout)}
        />
      </div>
    </div>
  );
}

export interface TopBarProps {
  /** The page header of the screen, which stands on a phone in the place of the brand; null for none. */
  header: ReactNode;
  /** The ways to notices and bookmarks, as icons in the bar and as lines of the menu. */
  savedLinks: (look: 'icon' | 'line') => ReactNode;
  account: AccountActions;
}

/** The brand, or on a phone the header of the page, then the pages and the account. */
export function TopBar({ header, savedLinks, account }: TopBarProps) {
  return (
    <header className={css.top}>
      <div className={css.bar}>
        <div className={css.lead}>{header}</div>
        <Link className={css.brand} to="/">
          <Logo />
          Nivida <span lang="hi">निविदा</span>
        </Link>
        <PageLinks label="Main" />
        <div className={css.end}>
          {savedLinks('icon')}
          <div className={css.wide}>
            <AccountMenu {...account} />
          </div>
          <div className={css.narrow}>
            <Button look="icon" popoverTarget="menu" aria-label="Menu">
              <Icon name="menu" />
            </Button>
          </div>
        </div>
      </div>
      <PhoneMenu savedLinks={savedLinks('line')} account={account} />
    </header>
  );
}

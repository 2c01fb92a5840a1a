import { type ReactNode, useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
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

const soon = { 'aria-disabled': true, 'aria-describedby': 'coming-soon', title: 'Coming soon' } as const;

function Account() {
  return (
    <>
      <Button look="plain" {...soon}>
        Sign in
      </Button>
      <Button look="main" {...soon}>
        Sign up
      </Button>
    </>
  );
}

/** The phone's menu. The browser closes it on Escape and on a tap beside it; a move to another page does not. */
function Menu({ bookmarks }: { bookmarks: ReactNode }) {
  const menu = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each move has a key of its own
  useEffect(() => menu.current?.hidePopover(), [key]);
  return (
    <div className={css.menu} id="menu" popover="auto" ref={menu}>
      <Pages label="Menu" />
      {bookmarks}
      <div className="row">
        <Account />
      </div>
    </div>
  );
}

export interface TopBarProps {
  /** The way to the bookmarks, as an icon in the bar and as a line of the menu. */
  bookmarks: (look: 'icon' | 'line') => ReactNode;
}

/** The brand, or on a phone what a screen put there by `TopLead`, then the pages and the account. */
export function TopBar({ bookmarks }: TopBarProps) {
  return (
    <header className={css.top}>
      <span className="sr" id="coming-soon">
        Coming soon
      </span>
      <div className={css.bar}>
        <div className={css.lead} id={LEAD_SLOT} />
        <Link className={css.brand} to="/">
          <Mark />
          Nivida <span lang="hi">निविदा</span>
        </Link>
        <Pages label="Main" />
        <div className={css.end}>
          {bookmarks('icon')}
          <div className={css.wide}>
            <Account />
          </div>
          <div className={css.narrow}>
            <Button look="icon" popoverTarget="menu" aria-label="Menu">
              <Icon name="menu" />
            </Button>
          </div>
        </div>
      </div>
      <Menu bookmarks={bookmarks('line')} />
    </header>
  );
}

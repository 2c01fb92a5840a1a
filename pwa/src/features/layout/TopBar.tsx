import { t } from '@lingui/core/macro';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon, Logo } from '../../ui/display/Icon.tsx';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import css from './TopBar.module.css';

function PageLinks({ label }: { label: string }) {
  return (
    <nav aria-label={label}>
      <NavLink to="/" end>
        {t`Home`}
      </NavLink>
      <NavLink to="/tenders">{t`Tenders`}</NavLink>
      <NavLink to="/analysis">{t`Competitive Analysis`}</NavLink>
      <NavLink to="/contact">{t`Contact`}</NavLink>
    </nav>
  );
}

/** Actions of the account buttons. */
export interface AccountActions {
  onSignIn: () => void;
  onSignUp: () => void;
  onLogout: () => void;
}

/** Login and Register for visitors, the dashboard and Logout for signed-in users. */
function AccountMenu({ onSignIn, onSignUp, onLogout }: AccountActions) {
  if (useSession()) {
    return (
      <>
        <ButtonLink look="plain" to="/dashboard">
          {t`Dashboard`}
        </ButtonLink>
        <Button onClick={onLogout}>{t`Logout`}</Button>
      </>
    );
  }
  return (
    <>
      <Button look="plain" onClick={onSignIn}>
        {t`Sign in`}
      </Button>
      <Button look="main" onClick={onSignUp}>
        {t`Sign up`}
      </Button>
    </>
  );
}

/**
 * Opens the menu directly below the bar. A note above the bar moves the bar down until the page is scrolled.
 */
function usePlaceUnderBar(menu: RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    const element = menu.current;
    const place = () => {
      const { bottom = 0 } = element?.parentElement?.getBoundingClientRect() ?? {};
      if (bottom > 0) element?.style.setProperty('--bar-end', `${bottom}px`);
    };
    element?.addEventListener('beforetoggle', place);
    return () => element?.removeEventListener('beforetoggle', place);
  }, [menu]);
}

/**
 * The menu of a phone. The browser closes it on Escape and on a tap outside. This component closes it on a
 * navigation.
 */
function PhoneMenu({ savedLinks, account }: { savedLinks: ReactNode; account: AccountActions }) {
  const menu = useRef<HTMLDivElement>(null);
  usePlaceUnderBar(menu);
  const { key } = useLocation();
  // It may have been opened before the app runs, and stays open then.
  const shownKey = useRef(key);
  useEffect(() => {
    if (shownKey.current !== key) menu.current?.hidePopover?.();
    shownKey.current = key;
  }, [key]);
  // Returns the focus to the menu's button, before a dialog records which element has the focus.
  const closing = (act: () => void) => () => {
    menu.current?.hidePopover?.();
    act();
  };
  return (
    <div className={css.menu} id="menu" popover="auto" ref={menu}>
      <PageLinks label={t`Menu`} />
      {savedLinks}
      <Link to="/help">{t`Help`}</Link>
      <LanguageSwitch onSwitch={closing(() => undefined)} />
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
  /** The screen's page header, which replaces the brand on a phone. Null for none. */
  header: ReactNode;
  /** Renders the links to notices and bookmarks: as icons in the bar, as lines in the menu. */
  savedLinks: (look: 'icon' | 'line') => ReactNode;
  account: AccountActions;
}

/** The bar with the brand (on a phone the page header), the links to pages, and the account. */
export function TopBar({ header, savedLinks, account }: TopBarProps) {
  return (
    <header className={css.top}>
      <div className={css.bar}>
        <div className={css.lead}>{header}</div>
        <Link className={css.brand} to="/">
          <Logo />
          Nivida <span lang="hi">निविदा</span>
        </Link>
        <PageLinks label={t({ message: 'Main', context: 'navigation' })} />
        <div className={css.end}>
          {savedLinks('icon')}
          <div className={css.wide}>
            <LanguageSwitch />
            <AccountMenu {...account} />
          </div>
          <div className={css.narrow}>
            <Button look="icon" popoverTarget="menu" aria-label={t`Menu`}>
              <Icon name="menu" />
            </Button>
          </div>
        </div>
      </div>
      <PhoneMenu savedLinks={savedLinks('line')} account={account} />
    </header>
  );
}

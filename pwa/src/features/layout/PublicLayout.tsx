import { t } from '@lingui/core/macro';
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { type Location, Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from 'react-router-dom';
import { Toasts } from '../../ui/feedback/Toasts.tsx';
import { Footer } from './Footer.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import css from './PublicLayout.module.css';
import { TopBar, type TopBarProps } from './TopBar.tsx';

/** Data that a screen's route gives to the layout. */
export interface ScreenHandle {
  /** The page header. On a phone it replaces the brand in the top bar. */
  Header: ComponentType;
}

/** The page header of the current screen. Null when the screen has none. */
function ScreenHeader() {
  const handle = useMatches().at(-1)?.handle as ScreenHandle | undefined;
  return handle ? <handle.Header /> : null;
}

/** Shows the current screen while the code of the next one loads. */
function Pending() {
  if (useNavigation().state === 'idle') return null;
  return <progress className={css.pending} aria-label={t`Loading`} />;
}

/** The container of the screen. A navigation moves the focus to its start, like a page load. */
export function MainContent() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    const moved = before.current !== pathname;
    before.current = pathname;
    // The screen may have moved the focus to one of its fields.
    if (moved && !main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <main className={css.main} id="main" ref={main} tabIndex={-1}>
      <Pending />
      <Outlet />
    </main>
  );
}

/**
 * Key of a stored scroll position. A loaded page has no unique history key, so its address is used: when the
 * buyer returns from the payment page to another page, that page must start at the top.
 */
export function scrollKey({ key, pathname, search }: Location): string {
  return key === 'default' ? pathname + search : key;
}

interface PublicLayoutProps extends Omit<TopBarProps, 'header'> {
  states: ReactNode;
  source: ReactNode;
}

/**
 * The frame of the public pages. `states` is the grid above the footer, `source` is the age of the data in
 * the footer. A forward navigation starts at the top; going back restores the scroll position.
 */
export function PublicLayout({ states, source, ...topBar }: PublicLayoutProps) {
  return (
    <div className={css.frame}>
      <a className="skip" href="#main">
        {t`Skip to content`}
      </a>
      <TopBar {...topBar} header={<ScreenHeader />} />
      <OfflineBar />
      <Suspense>
        <MainContent />
      </Suspense>
      <Suspense>
        {states}
        <Footer source={source} />
      </Suspense>
      <Toasts />
      <ScrollRestoration getKey={scrollKey} />
    </div>
  );
}

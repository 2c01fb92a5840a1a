import { type ComponentType, type ReactNode, useEffect, useRef } from 'react';
import { type Location, Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from 'react-router-dom';
import { Toasts } from '../../ui/feedback/Toasts.tsx';
import { Footer } from './Footer.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import css from './PublicLayout.module.css';
import { TopBar, type TopBarProps } from './TopBar.tsx';

/** What a screen's route says to the layout. */
export interface ScreenHandle {
  /** The page header: on a phone it stands in the top bar, in the place of the brand. */
  Header: ComponentType;
}

/** The page header of the present screen; null for a screen without one. */
export function ScreenHeader() {
  const handle = useMatches().at(-1)?.handle as ScreenHandle | undefined;
  return handle ? <handle.Header /> : null;
}

/** Shown while the code of the next screen is being fetched. */
function Pending() {
  if (useNavigation().state === 'idle') return null;
  return <progress className={css.pending} aria-label="Loading" />;
}

/** The screen's place; a move to another page puts the focus at its start, as a page load would. */
export function MainContent() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    const moved = before.current !== pathname;
    before.current = pathname;
    // A screen that has focused a field of its own knows better.
    if (moved && !main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <main className={css.main} id="main" ref={main} tabIndex={-1}>
      <Pending />
      <Outlet />
    </main>
  );
}

/** Under which a position is remembered. A page that was loaded, not moved to, has no key of its own: whoever comes back from the payment page to another one must start at its top. */
export function scrollKey({ key, pathname, search }: Location): string {
  return key === 'default' ? pathname + search : key;
}

/**
 * The frame of the public pages; `states` is the grid above the footer. A move forward starts at the top, going back
 * restores the position.
 */
export function PublicLayout({ states, ...topBar }: Omit<TopBarProps, 'header'> & { states: ReactNode }) {
  return (
    <div className={css.frame}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <TopBar {...topBar} header={<ScreenHeader />} />
      <OfflineBar />
      <MainContent />
      {states}
      <Footer />
      <Toasts />
      <ScrollRestoration getKey={scrollKey} />
    </div>
  );
}

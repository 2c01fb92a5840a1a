import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Toasts } from '../../ui/Toasts.tsx';
import { Footer } from './Footer.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import css from './PublicLayout.module.css';
import { TopBar, type TopBarProps } from './TopBar.tsx';

function Loading() {
  return (
    <div className="page stack" aria-busy="true">
      <p className="sr">Loading</p>
      <p>
        <Skeleton>The title of the next screen</Skeleton>
      </p>
      <p>
        <Skeleton>A line of it</Skeleton>
      </p>
    </div>
  );
}

/** The screen's place; a move to another page puts the focus at its start, as a page load would. */
function Main() {
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
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </main>
  );
}

/**
 * The frame of the public pages; `states` is the grid above the footer. A move forward starts at the top, going back
 * restores the position.
 */
export function PublicLayout({ states, bookmarks }: TopBarProps & { states: ReactNode }) {
  return (
    <div className={css.frame}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <TopBar bookmarks={bookmarks} />
      <OfflineBar />
      <Main />
      {states}
      <Footer />
      <Toasts />
      <ScrollRestoration />
    </div>
  );
}

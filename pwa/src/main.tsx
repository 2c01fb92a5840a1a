import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, type Language, splitLanguage } from '@nivida/contract/languages';
import { findPage } from '@nivida/contract/site/pages';
import { StrictMode, startTransition, useEffect } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom';
import './ui/tokens.css';
import './ui/base.css';
import { isSavingData } from './data/device/connection.ts';
import { expectFirstScreen, firstScreen, nextTask, reportScreenReady } from './data/first-screen.ts';
import { loadRepeatedly, preload } from './data/preload.ts';
import { PAGE_ROUTE, page } from './data/server/page.ts';
import { currentSession, onOwnerChange, onSessionRefused } from './data/session.ts';
import { deleteStoredPages, removeSavedNote, STORE_PAGE, showClockTexts } from './data/stored-pages/shown-page.ts';
import { loadLanguage, onLanguageChange, showLanguage, startLanguage } from './data/texts/language.ts';
import { whenUsed } from './data/when-used.ts';
import { dropEarlyInput, repeatEarlyInput } from './early.ts';
import { hasSynced } from './features/bookmarks/bookmark-store.ts';
import { reloadOnceForMissingChunk, showStartError, watchMissingChunks } from './features/install/missing-chunk.ts';
import { routes, screenLoader } from './routes.tsx';
import type { ReturnState } from './screens/account/SignedInOnly.tsx';
import { removeWideParts } from './ui/browser-state.ts';
import { dismissToast } from './ui/feedback/toast.ts';
import { hasEnteredText } from './ui/form/entered-text.ts';

type Router = ReturnType<typeof createBrowserRouter>;

/** Calls `then` when the code of the first screen is loaded. */
function whenInitialized(router: Router, then: () => void): () => void {
  if (router.state.initialized) then();
  return router.subscribe(({ initialized }) => initialized && then());
}

function App({ router }: { router: Router }) {
  useEffect(() => whenInitialized(router, reportScreenReady), [router]);
  useEffect(showClockTexts, []);
  // Transitions would hide the pending state of a navigation.
  return <RouterProvider router={router} useTransitions={false} />;
}

/** After this time the frame with a skeleton is shown. */
const SKELETON_AFTER_MS = 700;

/** The part of all addresses of a language. */
const basenameOf = (language: Language): string => LANGUAGES[language].prefix || '/';

/** Loads the code of the page's screen, so that hydration renders the same content as the server. */
async function loadScreen(): Promise<void> {
  const basename = basenameOf(splitLanguage(location.pathname).language);
  await Promise.all(
    (matchRoutes(routes, location, basename) ?? []).map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return;
      Object.assign(route, await route.lazy());
      delete route.lazy;
    }),
  );
}

/**
 * Shows the visitor parts, which `early.ts` hides for a signed-in user. The app renders other parts for that
 * user.
 */
function showVisitorParts(): void {
  const show = () => document.documentElement.removeAttribute('data-signed-in');
  if (!currentSession()) show();
  onOwnerChange(show);
}

const createRouter = (language: Language): Router =>
  createBrowserRouter(routes, {
    basename: basenameOf(language),
    hydrationData: { loaderData: { [PAGE_ROUTE]: page } },
  });

/** Changes the language when the user goes back to a page in another one. */
async function showLanguageOfAddress(): Promise<void> {
  const { language } = splitLanguage(location.pathname);
  if (language === currentLanguage()) return;
  await loadLanguage(language).catch(() => undefined);
  if (splitLanguage(location.pathname).language === language) showLanguage(language);
}

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  const isRendered = root.hasChildNodes();
  let reactRoot: Root | undefined;
  const { pathname, search } = location;
  // Starts in a new task, not in the one that runs the modules.
  await nextTask();
  const texts = startLanguage();
  const screen = Promise.all([loadScreen(), texts]);
  // Needed for Chrome below 114 and Firefox below 125, where a button with a popover would do nothing.
  if (!('popover' in HTMLElement.prototype)) await import('@oddbird/popover-polyfill').catch(() => undefined);
  if (isRendered) await screen;
  // The route shows the error when a screen fails to load.
  else await Promise.race([screen.catch(() => undefined), new Promise((go) => setTimeout(go, SKELETON_AFTER_MS))]);
  await nextTask();
  // The user may go back to another page while this one starts.
  const isSamePage = location.pathname === pathname && location.search === search;
  if (!isSamePage) await startLanguage();
  const isHydrated = (await texts) && isRendered && isSamePage;
  let router = createRouter(currentLanguage());
  await nextTask();
  const renderApp = () => {
    preloadScreensAhead(router);
    storeShownPages(router);
    return (
      <StrictMode>
        <App key={currentLanguage()} router={router} />
      </StrictMode>
    );
  };
  const app = renderApp();
  showVisitorParts();
  onOwnerChange(() => void deleteStoredPages());
  // React writes the screen's own description.
  document.head.querySelector('meta[name="description"]')?.remove();
  if (isHydrated) {
    removeWideParts(root);
    await nextTask();
    // A transition lets the browser handle input first.
    startTransition(() => {
      reactRoot = hydrateRoot(root, app);
    });
  } else {
    reactRoot = createRoot(root);
    reactRoot.render(app);
  }
  repeatEarlyInput();
  onLanguageChange(() => {
    router.dispose();
    dismissToast();
    router = createRouter(currentLanguage());
    reactRoot?.render(renderApp());
    storeShownPage(router.state.location);
  });
  window.addEventListener('popstate', () => void showLanguageOfAddress());
  void showLanguageOfAddress();

  // When the server ends a session, the app navigates home. After a sign-in it returns to the page (R5, R18).
  onSessionRefused(() => {
    const { pathname, search, hash } = router.state.location;
    // The router adds the language again.
    const { path } = splitLanguage(pathname);
    const state: ReturnState = { returnTo: path + search + hash };
    if (path !== '/') void router.navigate('/', { replace: true, state });
  });
}

/** For each shown address, preloads the screens that are one tap away, unless the user saves data. */
function preloadScreensAhead(router: Router): void {
  if (isSavingData()) return;
  const preloadFrom = (pathname: string) => {
    const ahead = findPage(splitLanguage(pathname).path)?.page.ahead;
    const loads = ahead?.pages.flatMap((path) => screenLoader(path) ?? []) ?? [];
    if (ahead?.when === 'used') whenUsed(() => loads.forEach(preload));
    else loads.forEach(preload);
  };
  preloadFrom(router.state.location.pathname);
  router.subscribe(({ location }) => preloadFrom(location.pathname));
}

/** Asks the worker to store the page that the app shows, unless the user saves data. */
function storeShownPage({ pathname, search }: Router['state']['location']): void {
  removeSavedNote();
  if (isSavingData()) return;
  const address = pathname + search;
  preload(async () => navigator.serviceWorker?.controller?.postMessage({ type: STORE_PAGE, address }));
}

/** Stores the pages that the app renders. The first one comes from the server or the worker. */
function storeShownPages(router: Router): void {
  let shown = router.state.location.key;
  router.subscribe(({ location, navigation }) => {
    if (navigation.state !== 'idle' || location.key === shown) return;
    shown = location.key;
    storeShownPage(location);
  });
}

/**
 * Starts the work after the first screen: the sync with the server (on a new device once the app is used),
 * the install offer, and the service worker with its downloads.
 */
async function startBackgroundWork(): Promise<void> {
  await firstScreen;
  const sync = () => void loadRepeatedly(() => import('./sync.ts')).then(({ startSync }) => startSync());
  if (currentSession() || hasSynced()) sync();
  else whenUsed(sync);
  await nextTask();
  void import('./features/layout/offer-language.ts').then(({ followLanguage }) => followLanguage());
  void import('./features/install/install.ts').then(({ watchInstallPrompt }) => watchInstallPrompt());
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    void import('./features/install/updates.ts').then(({ watchForUpdates }) => watchForUpdates());
  }
}

watchMissingChunks(hasEnteredText);
expectFirstScreen();
// Without the screen's code the server-rendered page stays readable, and its links work.
start().catch((error: unknown) => {
  if (!reloadOnceForMissingChunk(error)) {
    dropEarlyInput();
    document.documentElement.removeAttribute('data-signed-in');
    showStartError();
  }
  throw error;
});
void startBackgroundWork();

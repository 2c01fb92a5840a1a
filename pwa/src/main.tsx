import { StrictMode, startTransition, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import './ui/tokens.css';
import './ui/base.css';
import { expectFirstScreen, firstScreen } from './data/first-screen.ts';
import { onSessionRefused } from './data/session.ts';
import { watchInstallPrompt } from './features/install/install.ts';
import { reloadOnceForMissingChunks } from './features/install/missing-chunk.ts';
import { loadScreen, routes } from './routes.tsx';
import type { ReturnState } from './screens/account/SignedInOnly.tsx';
import { giveTouches } from './touches.ts';

const router = createBrowserRouter(routes);

reloadOnceForMissingChunks();
watchInstallPrompt();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

/** Its code comes beside the app's own; on a link where it does not, the frame and a skeleton are better than nothing. */
const MAX_SCREEN_WAIT_MS = 700;

/** The app in the place of what stood in the page. */
function App({ container }: { container: HTMLElement }) {
  useEffect(() => {
    delete container.dataset.drawn;
    giveTouches();
  }, [container]);
  // With transitions the old screen would stay, without a sign, while the next one's code loads on a slow link.
  return <RouterProvider router={router} useTransitions={false} />;
}

async function renderApp(container: HTMLElement): Promise<void> {
  const screen = loadScreen(router);
  // what the server has drawn says more than a skeleton
  const isDrawn = container.dataset.drawn !== undefined;
  await (isDrawn ? screen : Promise.race([screen, new Promise((resolve) => setTimeout(resolve, MAX_SCREEN_WAIT_MS))]));
  const app = createRoot(container);
  // In slices: a tap on a slow phone is not kept waiting for the whole screen.
  startTransition(() =>
    app.render(
      <StrictMode>
        <App container={container} />
      </StrictMode>,
    ),
  );
}
expectFirstScreen();
void renderApp(root);

/** What the device keeps, what the server has to say about it, and the service worker with its downloads. */
async function startBackgroundWork(): Promise<void> {
  await firstScreen;
  void import('./sync.ts').then(({ startSync }) => startSync());
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    void import('./features/install/updates.ts').then(({ watchForUpdates }) => watchForUpdates());
  }
}
void startBackgroundWork();

// A session that the server has ended: home, and back to the same page after signing in (RESOLUTIONS R5, R18).
onSessionRefused(() => {
  const { pathname, search, hash } = router.state.location;
  const state: ReturnState = { returnTo: pathname + search + hash };
  if (pathname !== '/') void router.navigate('/', { replace: true, state });
});

import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import './ui/tokens.css';
import './ui/base.css';
import { expectScreen, firstScreen } from './data/first-screen.ts';
import { watchInstall } from './features/install/install.ts';
import { reloadOnceForMissingChunks } from './features/install/missing-chunk.ts';
import { loadFirstScreen, router } from './routes.tsx';

reloadOnceForMissingChunks();
watchInstall();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

/** Its code comes beside the app's own; on a link where it does not, the frame and a skeleton are better than nothing. */
const LATEST_MS = 700;

async function draw(container: HTMLElement): Promise<void> {
  await Promise.race([loadFirstScreen(), new Promise((resolve) => setTimeout(resolve, LATEST_MS))]);
  const app = createRoot(container);
  // In slices: a tap on a slow phone is not kept waiting for the whole screen.
  startTransition(() =>
    app.render(
      <StrictMode>
        {/* With transitions the old screen would stay, without a sign, while the next one's code loads on a slow link. */}
        <RouterProvider router={router} useTransitions={false} />
      </StrictMode>,
    ),
  );
}
expectScreen();
void draw(root);

/** What the device keeps, what the server has to say about it, and the service worker with its downloads. */
async function goOn(): Promise<void> {
  await firstScreen;
  void import('./sync.ts').then(({ startSync }) => startSync());
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    void import('./features/install/updates.ts').then(({ keepUpToDate }) => keepUpToDate());
  }
}
void goOn();

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import './ui/tokens.css';
import './ui/base.css';
import { firstScreen } from './data/first-screen.ts';
import { watchInstall } from './features/install/install.ts';
import { reloadOnceForMissingChunks } from './features/install/missing-chunk.ts';
import { router } from './routes.tsx';

reloadOnceForMissingChunks();
watchInstall();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    {/* With transitions the old screen would stay, without a sign, while the next one's code loads on a slow link. */}
    <RouterProvider router={router} useTransitions={false} />
  </StrictMode>,
);

/** What the device keeps, what the server has to say about it, and the service worker with its downloads. */
async function goOn(): Promise<void> {
  await firstScreen;
  void import('./sync.ts').then(({ startSync }) => startSync());
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    void import('./features/install/updates.ts').then(({ keepUpToDate }) => keepUpToDate());
  }
}
void goOn();

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import './ui/tokens.css';
import './ui/base.css';
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

// After the screen too: what the device keeps, and what the server has to say about it.
void import('./sync.ts').then(({ startSync }) => startSync());

// After the screen: the first visit must not share its connection with the service worker's downloads.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  void import('./features/install/updates.ts').then(({ keepUpToDate }) => keepUpToDate());
}

import { lazy } from 'react';
import { createBrowserRouter, Navigate } from 'react-router-dom';
import { onRefusal } from './data/session.ts';
import { Home } from './screens/Home.tsx';
import { PublicFrame } from './screens/PublicFrame.tsx';
import { RouteError } from './screens/RouteError.tsx';
import type { ReturnState } from './screens/SignedInOnly.tsx';

const TenderSearch = lazy(() => import('./screens/TenderSearch.tsx').then((m) => ({ default: m.TenderSearch })));
const TenderResults = lazy(() => import('./screens/TenderResults.tsx').then((m) => ({ default: m.TenderResults })));
const TenderDetail = lazy(() => import('./screens/TenderDetail.tsx').then((m) => ({ default: m.TenderDetail })));
const ShareTarget = lazy(() => import('./screens/ShareTarget.tsx').then((m) => ({ default: m.ShareTarget })));
const Bookmarks = lazy(() => import('./screens/Bookmarks.tsx').then((m) => ({ default: m.Bookmarks })));
const ComingPage = lazy(() => import('./screens/ComingPage.tsx').then((m) => ({ default: m.ComingPage })));
const NotFound = lazy(() => import('./screens/NotFound.tsx').then((m) => ({ default: m.NotFound })));

const toHome = <Navigate to="/" replace />;

// SPEC's route table in its order. Who is signed out does not see the dashboard and the bookmarks (RESOLUTIONS R18).
const pages = [
  { index: true, element: <Home /> },
  { path: 'register', element: toHome },
  { path: 'tenders', element: <TenderSearch /> },
  { path: 'tenders/results', element: <TenderResults /> },
  { path: 'tenders/:id', element: <TenderDetail /> },
  { path: 'pricing', element: <ComingPage title="Pricing" /> },
  { path: 'payment-status', element: <ComingPage title="Payment status" /> },
  { path: 'about', element: <ComingPage title="About Us" /> },
  { path: 'contact', element: <ComingPage title="Contact" /> },
  { path: 'services', element: <ComingPage title="Services" /> },
  { path: 'analysis', element: <ComingPage title="Competitive Analysis" /> },
  { path: 'privacy', element: <ComingPage title="Privacy" /> },
  { path: 'terms', element: <ComingPage title="Terms" /> },
  { path: 'cookies', element: <ComingPage title="Cookies" /> },
  { path: 'gdpr', element: <ComingPage title="GDPR" /> },
  { path: 'refund', element: <ComingPage title="Refund" /> },
  { path: 'dashboard/tenders', element: <Navigate to="/tenders" replace /> },
  { path: 'dashboard/*', element: toHome },
  { path: 'bookmarks', element: <Bookmarks /> },
  // Beyond SPEC's table: what other apps share (the manifest's share_target).
  { path: 'share', element: <ShareTarget /> },
  { path: '*', element: <NotFound /> },
];

/** The app's addresses. A screen that fails is replaced by its error and keeps the frame around it. */
export const router = createBrowserRouter([
  {
    element: <PublicFrame />,
    errorElement: <RouteError />,
    children: pages.map((page) => ({ ...page, errorElement: <RouteError /> })),
  },
]);

// A session that the server has ended: home, and back to the same page after signing in (RESOLUTIONS R5, R18).
onRefusal(() => {
  const { pathname, search, hash } = router.state.location;
  const state: ReturnState = { returnTo: pathname + search + hash };
  if (pathname !== '/') void router.navigate('/', { replace: true, state });
});

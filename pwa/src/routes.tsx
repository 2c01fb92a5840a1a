import { Navigate, type RouteObject } from 'react-router-dom';
import { PAGE_ROUTE, page } from './data/server/page.ts';
import type { DashboardHandle } from './screens/frame/DashboardFrame.tsx';
import { PublicFrame } from './screens/frame/PublicFrame.tsx';
import { Home } from './screens/home/Home.tsx';
import type { RegisterState } from './screens/home/home-state.ts';
import { RouteError } from './screens/RouteError.tsx';
import { ScreenLoading } from './ui/feedback/ScreenLoading.tsx';

// SPEC's route table in its order. Signed-out visitors do not see the dashboard and the bookmarks (R18).
const pages: RouteObject[] = [
  { index: true, Component: Home },
  // home with the registration open
  { path: 'register', element: <Navigate to="/" replace state={{ register: true } satisfies RegisterState} /> },
  {
    path: 'tenders',
    lazy: async () => ({ Component: (await import('./screens/tenders/TenderSearch.tsx')).TenderSearch }),
  },
  {
    path: 'tenders/results',
    lazy: async () => {
      const { TenderResults, handle } = await import('./screens/tenders/TenderResults.tsx');
      return { Component: TenderResults, handle };
    },
  },
  {
    path: 'tenders/:id',
    lazy: async () => {
      const { TenderDetail, handle } = await import('./screens/tenders/TenderDetail.tsx');
      return { Component: TenderDetail, handle };
    },
  },
  { path: 'pricing', lazy: async () => ({ Component: (await import('./screens/payment/Pricing.tsx')).Pricing }) },
  {
    path: 'payment-status',
    lazy: async () => ({ Component: (await import('./screens/payment/PaymentStatus.tsx')).PaymentStatus }),
  },
  { path: 'about', lazy: async () => ({ Component: (await import('./screens/info/About.tsx')).About }) },
  { path: 'contact', lazy: async () => ({ Component: (await import('./screens/info/Contact.tsx')).Contact }) },
  { path: 'services', lazy: async () => ({ Component: (await import('./screens/info/Services.tsx')).Services }) },
  { path: 'analysis', lazy: async () => ({ Component: (await import('./screens/info/Analysis.tsx')).Analysis }) },
  {
    path: 'analysis/offices/:id',
    lazy: async () => ({ Component: (await import('./screens/awards/OfficeDetail.tsx')).OfficeDetail }),
  },
  {
    path: 'analysis/:state',
    lazy: async () => ({ Component: (await import('./screens/awards/AwardState.tsx')).AwardState }),
  },
  {
    path: 'awards/:id',
    lazy: async () => ({ Component: (await import('./screens/awards/AwardDetail.tsx')).AwardDetail }),
  },
  { path: 'privacy', lazy: async () => ({ Component: (await import('./screens/info/Privacy.tsx')).Privacy }) },
  { path: 'terms', lazy: async () => ({ Component: (await import('./screens/info/Terms.tsx')).Terms }) },
  { path: 'cookies', lazy: async () => ({ Component: (await import('./screens/info/Cookies.tsx')).Cookies }) },
  { path: 'gdpr', lazy: async () => ({ Component: (await import('./screens/info/Gdpr.tsx')).Gdpr }) },
  { path: 'refund', lazy: async () => ({ Component: (await import('./screens/info/Refund.tsx')).Refund }) },
  { path: 'dashboard/tenders', element: <Navigate to="/tenders" replace /> },
  { path: 'bookmarks', lazy: async () => ({ Component: (await import('./screens/tenders/Bookmarks.tsx')).Bookmarks }) },
  // Beyond SPEC's table: notices, a new password by a mail's link, and what other apps share (the manifest's share_target).
  { path: 'notices', lazy: async () => ({ Component: (await import('./screens/alerts/Notices.tsx')).Notices }) },
  {
    path: 'reset-password',
    lazy: async () => ({ Component: (await import('./screens/account/ResetPassword.tsx')).ResetPassword }),
  },
  { path: 'share', lazy: async () => ({ Component: (await import('./screens/tenders/ShareTarget.tsx')).ShareTarget }) },
  { path: '*', lazy: async () => ({ Component: (await import('./screens/NotFound.tsx')).NotFound }) },
];

/** A dashboard page for a planned function. */
const coming = (path: 'support'): RouteObject => ({
  path,
  lazy: async () => {
    const { DashboardComingSoon } = await import('./screens/dashboard/DashboardComingSoon.tsx');
    return { element: <DashboardComingSoon page={path} /> };
  },
});

const dashboardPages: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('./screens/dashboard/DashboardHome.tsx')).DashboardHome }),
  },
  { path: 'profile', lazy: async () => ({ Component: (await import('./screens/dashboard/Profile.tsx')).Profile }) },
  {
    path: 'applications',
    handle: { isOpen: true } satisfies DashboardHandle,
    lazy: async () => ({ Component: (await import('./screens/bids/MyBids.tsx')).MyBids }),
  },
  {
    path: 'applications/:id',
    handle: { isOpen: true } satisfies DashboardHandle,
    lazy: async () => ({ Component: (await import('./screens/bids/BidPage.tsx')).BidPage }),
  },
  {
    path: 'documents',
    lazy: async () => ({ Component: (await import('./screens/dashboard/DocumentVault.tsx')).DocumentVault }),
  },
  { path: 'payments', lazy: async () => ({ Component: (await import('./screens/dashboard/Payments.tsx')).Payments }) },
  {
    path: 'analytics',
    handle: { isOpen: true } satisfies DashboardHandle,
    lazy: async () => ({ Component: (await import('./screens/bids/Analytics.tsx')).Analytics }),
  },
  coming('support'),
  { path: 'settings', lazy: async () => ({ Component: (await import('./screens/dashboard/Settings.tsx')).Settings }) },
];

/** The frame stays around a screen that fails or is still loading. */
const guarded = (routes: readonly RouteObject[]) =>
  routes.map((route) => ({ ...route, ErrorBoundary: RouteError, HydrateFallback: ScreenLoading }) as RouteObject);

/** The app's addresses. */
export const routes: RouteObject[] = [
  {
    id: PAGE_ROUTE,
    // on the server each request has its own data
    loader: ({ context }) => context ?? page,
    shouldRevalidate: () => false,
    ErrorBoundary: RouteError,
    children: [
      { Component: PublicFrame, ErrorBoundary: RouteError, children: guarded(pages) },
      {
        path: 'dashboard',
        lazy: async () => ({ Component: (await import('./screens/frame/DashboardFrame.tsx')).DashboardFrame }),
        ErrorBoundary: RouteError,
        HydrateFallback: ScreenLoading,
        children: guarded(dashboardPages),
      },
    ],
  },
];

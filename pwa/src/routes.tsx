import { isValidElement } from 'react';
import { type DataRouter, matchRoutes, Navigate } from 'react-router-dom';
import { DashboardFrame } from './screens/frame/DashboardFrame.tsx';
import { PublicFrame } from './screens/frame/PublicFrame.tsx';
import { Home } from './screens/home/Home.tsx';
import { Register } from './screens/home/Register.tsx';
import { type LazyScreen, lazyScreen } from './screens/lazy-screen.tsx';
import { RouteError } from './screens/RouteError.tsx';

const TenderSearch = lazyScreen(() => import('./screens/tenders/TenderSearch.tsx').then((m) => m.TenderSearch));
const TenderResults = lazyScreen(() => import('./screens/tenders/TenderResults.tsx').then((m) => m.TenderResults));
const TenderDetail = lazyScreen(() => import('./screens/tenders/TenderDetail.tsx').then((m) => m.TenderDetail));
const ResetPassword = lazyScreen(() => import('./screens/account/ResetPassword.tsx').then((m) => m.ResetPassword));
const ShareTarget = lazyScreen(() => import('./screens/tenders/ShareTarget.tsx').then((m) => m.ShareTarget));
const Bookmarks = lazyScreen(() => import('./screens/tenders/Bookmarks.tsx').then((m) => m.Bookmarks));
const Notices = lazyScreen(() => import('./screens/alerts/Notices.tsx').then((m) => m.Notices));
const DashboardHome = lazyScreen(() => import('./screens/dashboard/DashboardHome.tsx').then((m) => m.DashboardHome));
const DashboardComing = lazyScreen(() =>
  import('./screens/dashboard/DashboardComingSoon.tsx').then((m) => m.DashboardComingSoon),
);
const Profile = lazyScreen(() => import('./screens/dashboard/Profile.tsx').then((m) => m.Profile));
const Payments = lazyScreen(() => import('./screens/dashboard/Payments.tsx').then((m) => m.Payments));
const Settings = lazyScreen(() => import('./screens/dashboard/Settings.tsx').then((m) => m.Settings));
const Pricing = lazyScreen(() => import('./screens/payment/Pricing.tsx').then((m) => m.Pricing));
const PaymentStatus = lazyScreen(() => import('./screens/payment/PaymentStatus.tsx').then((m) => m.PaymentStatus));
const About = lazyScreen(() => import('./screens/info/About.tsx').then((m) => m.About));
const Contact = lazyScreen(() => import('./screens/info/Contact.tsx').then((m) => m.Contact));
const Services = lazyScreen(() => import('./screens/info/Services.tsx').then((m) => m.Services));
const Analysis = lazyScreen(() => import('./screens/info/Analysis.tsx').then((m) => m.Analysis));
const Privacy = lazyScreen(() => import('./screens/info/Privacy.tsx').then((m) => m.Privacy));
const Terms = lazyScreen(() => import('./screens/info/Terms.tsx').then((m) => m.Terms));
const Cookies = lazyScreen(() => import('./screens/info/Cookies.tsx').then((m) => m.Cookies));
const Gdpr = lazyScreen(() => import('./screens/info/Gdpr.tsx').then((m) => m.Gdpr));
const Refund = lazyScreen(() => import('./screens/info/Refund.tsx').then((m) => m.Refund));
const NotFound = lazyScreen(() => import('./screens/NotFound.tsx').then((m) => m.NotFound));

// SPEC's route table in its order. Who is signed out does not see the dashboard and the bookmarks (RESOLUTIONS R18).
const pages = [
  { index: true, element: <Home /> },
  { path: 'register', element: <Register /> },
  { path: 'tenders', element: <TenderSearch /> },
  { path: 'tenders/results', element: <TenderResults /> },
  { path: 'tenders/:id', element: <TenderDetail /> },
  { path: 'pricing', element: <Pricing /> },
  { path: 'payment-status', element: <PaymentStatus /> },
  { path: 'about', element: <About /> },
  { path: 'contact', element: <Contact /> },
  { path: 'services', element: <Services /> },
  { path: 'analysis', element: <Analysis /> },
  { path: 'privacy', element: <Privacy /> },
  { path: 'terms', element: <Terms /> },
  { path: 'cookies', element: <Cookies /> },
  { path: 'gdpr', element: <Gdpr /> },
  { path: 'refund', element: <Refund /> },
  { path: 'dashboard/tenders', element: <Navigate to="/tenders" replace /> },
  { path: 'bookmarks', element: <Bookmarks /> },
  // Beyond SPEC's table: notices, a new password by a mail's link, and what other apps share (the manifest's share_target).
  { path: 'notices', element: <Notices /> },
  { path: 'reset-password', element: <ResetPassword /> },
  { path: 'share', element: <ShareTarget /> },
  { path: '*', element: <NotFound /> },
];

const dashboardPages = [
  { index: true, element: <DashboardHome /> },
  { path: 'profile', element: <Profile /> },
  { path: 'applications', element: <DashboardComing page="applications" /> },
  { path: 'payments', element: <Payments /> },
  { path: 'analytics', element: <DashboardComing page="analytics" /> },
  { path: 'support', element: <DashboardComing page="support" /> },
  { path: 'settings', element: <Settings /> },
];

/** The app's addresses. A screen that fails is replaced by its error and keeps the frame around it. */
export const routes = [
  {
    element: <PublicFrame />,
    errorElement: <RouteError />,
    children: pages.map((page) => ({ ...page, errorElement: <RouteError /> })),
  },
  {
    path: 'dashboard',
    element: <DashboardFrame />,
    errorElement: <RouteError />,
    children: dashboardPages.map((page) => ({ ...page, errorElement: <RouteError /> })),
  },
];

/** Fetches the code of the screen that the page begins with, so that it is drawn at once and not after a skeleton. */
export async function loadScreen(router: DataRouter): Promise<void> {
  const matches = matchRoutes(router.routes, router.state.location) ?? [];
  await Promise.all(
    matches.map(({ route: { element } }) => {
      const screen = isValidElement(element) ? (element.type as Partial<LazyScreen<object>>) : {};
      return screen.load?.();
    }),
  );
}

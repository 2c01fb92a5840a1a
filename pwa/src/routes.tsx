/** The router's routes, made from the table of pages in `@nivida/contract/site/pages`. */
import { allTexts } from '@nivida/contract/i18n';
import { isDeskPath, PAGES, type Page, type PagePath, pageEntries } from '@nivida/contract/site/pages';
import type { ComponentType } from 'react';
import { Navigate, type RouteObject } from 'react-router-dom';
import { PAGE_ROUTE, page } from './data/server/page.ts';
import { RequireSession } from './screens/account/SignedInOnly.tsx';
import { PublicFrame } from './screens/frame/PublicFrame.tsx';
import { Home } from './screens/home/Home.screen.tsx';
import { RouteError } from './screens/RouteError.tsx';
import { ScreenLoading } from './ui/feedback/ScreenLoading.tsx';

/**
 * The exports of a screen's file: the component, named like the file, and the route's `handle` if there is
 * one.
 */
type ScreenModule = Record<string, unknown>;

// Home is in the first script, and the desk's screens are loaded together, so they are left out here.
const SCREEN_FILES = import.meta.glob<ScreenModule>([
  './screens/**/*.screen.tsx',
  '!./screens/home/**',
  '!./screens/desk/**',
]);

/**
 * Returns the function that loads the code of a page's screen; always the same function. Undefined for home
 * and for redirects.
 */
export function screenLoader(path: string): (() => Promise<ScreenModule>) | undefined {
  const page = (PAGES as Record<string, Page>)[path];
  return SCREEN_FILES[`./screens/${page?.screen}.screen.tsx`];
}

function sessionOnly(Screen: ComponentType): ComponentType {
  return () => (
    <RequireSession>
      <Screen />
    </RequireSession>
  );
}

/** The frame stays around a screen that fails or is loading. */
const GUARDS = { ErrorBoundary: RouteError, HydrateFallback: ScreenLoading };

function routeOf(path: PagePath, { screen, redirect, needsSession, isStored }: Page): RouteObject {
  if (redirect) return { path, element: <Navigate {...redirect} replace /> };
  if (path === '/') return { path, Component: Home, ...GUARDS };
  const load = screenLoader(path);
  if (!load) throw new Error(`the screen of ${path} is missing`);
  const lazy = async () => {
    const [{ [screen?.split('/').at(-1) ?? '']: Screen, handle }] = await Promise.all([load(), isStored || allTexts()]);
    return { Component: needsSession ? sessionOnly(Screen as ComponentType) : (Screen as ComponentType), handle };
  };
  return { path, lazy, ...GUARDS };
}

/** The code and the texts of the desk, which only its staff load. */
async function loadDesk() {
  const desk = await import('./screens/desk/desk.tsx');
  await Promise.all([allTexts(), desk.loadDeskTexts()]);
  return desk;
}

/** A list and the page of one of its rows are one route, so that a list stays when a row is opened. */
const deskRoutes = (): RouteObject[] =>
  pageEntries()
    .filter(([path]) => isDeskPath(path) && !(`${path}/:id` in PAGES))
    .map(([path, { screen }]) => ({
      path: path.replace('/:id', '/:id?'),
      lazy: async () => ({ Component: (await loadDesk()).deskScreen(screen ?? '') }),
      ...GUARDS,
    }));

const isOfDashboard = (path: string) => /^\/dashboard(?:\/|$)/.test(path);
const routesOf = (isIncluded: (path: string) => boolean) =>
  pageEntries()
    .filter(([path]) => isIncluded(path))
    .map(([path, each]) => routeOf(path, each));

/** The app's addresses. */
export const routes: RouteObject[] = [
  {
    id: PAGE_ROUTE,
    // On the server each request has its own data.
    loader: ({ context }) => context ?? page,
    shouldRevalidate: () => false,
    ErrorBoundary: RouteError,
    children: [
      {
        Component: PublicFrame,
        ErrorBoundary: RouteError,
        children: [
          ...routesOf((path) => !isOfDashboard(path) && !isDeskPath(path)),
          {
            path: '*',
            lazy: async () => {
              const [{ NotFound }] = await Promise.all([import('./screens/NotFound.tsx'), allTexts()]);
              return { Component: NotFound };
            },
            ...GUARDS,
          },
        ],
      },
      {
        lazy: async () => {
          const [{ DashboardFrame }] = await Promise.all([import('./screens/frame/DashboardFrame.tsx'), allTexts()]);
          return { Component: DashboardFrame };
        },
        ...GUARDS,
        children: routesOf(isOfDashboard),
      },
      {
        lazy: async () => ({ Component: (await loadDesk()).DeskFrame }),
        ...GUARDS,
        children: deskRoutes(),
      },
    ],
  },
];

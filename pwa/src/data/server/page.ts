/** Data that the server embedded in the page: the operator's settings and the response of the first screen's call. */
import type { SiteSettings } from '@nivida/contract/site/site';
import { useRouteLoaderData } from 'react-router-dom';

/** The response of one API call. */
interface EmbeddedAnswer {
  /** The call as the app makes it, such as 'api/tenders/5592'. */
  call: string;
  /** Server time of the response (ISO 8601). The page was rendered for this instant. */
  at: string;
  answer: unknown;
}

/** Empty in the offline app, whose page is the same for every address. */
export interface PageData {
  site?: SiteSettings | undefined;
  answer?: EmbeddedAnswer | undefined;
}

/** Id of the root route. Its loader data is the page's data, on the server and in the browser. */
export const PAGE_ROUTE = 'page';

function readBlock<T>(id: string): T | undefined {
  try {
    return JSON.parse(globalThis.document?.getElementById(id)?.textContent ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** The data of this page. Empty on the server, where each request has its own data. */
export const page: PageData = { site: readBlock('site'), answer: readBlock('answer') };

const EMPTY: PageData = {};

/** The page's data for server snapshots, from which hydration starts. */
export function usePage(): PageData {
  return (useRouteLoaderData(PAGE_ROUTE) as PageData | undefined) ?? EMPTY;
}

/** What the served page says of itself before any script runs: for search engines, link previews and the first paint. */
import { PAGE_TEXTS, type PageText } from '@nivida/contract/site/pages';
import type { SiteSettings } from '@nivida/contract/site/site';
import { escapeUTF8 } from 'entities';

/** The head of one page. `status` is that of the whole answer. */
export interface PageMetadata {
  status: 200 | 404;
  /** Without the product's name. */
  title: string;
  description: string;
  /** Absolute address under which this page should be known. */
  canonical: string;
  /** schema.org facts, for pages about one thing. */
  jsonLd?: object;
  /** Search engines shall not list it. */
  isNoIndex?: boolean;
}

/** The API's answer that a page's first screen would ask for, written into the page: the list or the tender is there at once. */
export interface PageData {
  /** The call, as the app makes it: 'api/tenders/5592'. */
  call: string;
  /** The answer as JSON. */
  json: string;
  at: Date;
}

const NOT_FOUND_PAGE: PageText = { title: 'Page not found', description: 'There is no page at this address.' };

/** Pages whose own words come from the user's device: they have no entry of their own and are not for search engines. */
const PRIVATE_PAGES: Record<string, string> = {
  '/register': 'Create account',
  '/reset-password': 'Reset password',
  '/share': 'Find tenders',
  '/bookmarks': 'Bookmarked tenders',
  '/notices': 'Notices',
  '/payment-status': 'Payment status',
  '/dashboard': 'Dashboard',
  '/dashboard/profile': 'Profile',
  '/dashboard/applications': 'My Applications',
  '/dashboard/payments': 'Payments & EMD',
  '/dashboard/analytics': 'Analytics',
  '/dashboard/support': 'Support',
  '/dashboard/settings': 'Settings',
  '/dashboard/tenders': 'Find tenders',
};

/** Head of a page whose words do not depend on data; an unknown path is 404. `state` is that of a list of results. */
export function staticPageMetadata(path: string, origin: string, state: string | null): PageMetadata {
  const canonical = `${origin}${path}`;
  if (path === '/tenders/results') {
    const of = state ? ` in ${state}` : '';
    const query = state ? `?state=${encodeURIComponent(state)}` : '';
    return {
      status: 200,
      title: `Open tenders${of}`,
      description: `Government tenders${of || ' in India'} that are open now, with value, EMD and the closing hour of each.`,
      canonical: `${canonical}${query}`,
    };
  }
  const own = PRIVATE_PAGES[path];
  if (own) return { status: 200, title: own, description: PAGE_TEXTS['/'].description, canonical, isNoIndex: true };
  const page: PageText | undefined = (PAGE_TEXTS as Record<string, PageText>)[path];
  if (!page) return { status: 404, ...NOT_FOUND_PAGE, canonical, isNoIndex: true };
  return { status: 200, ...page, canonical };
}

/**
 * `value` as an element that the security policy's script-src does not concern, with `answer`, which is JSON already;
 * '<' could end it.
 */
function dataBlock(attributes: string, value: object, answer?: string): string {
  const json = JSON.stringify(value);
  const text = answer === undefined ? json : `${json.slice(0, -1)},"answer":${answer}}`;
  return `<script ${attributes}>${text.replaceAll('<', '\\u003c')}</script>`;
}

/** The page with an answer: what its first screen shows, and hydration starts from. */
export function withPageData(page: string, { call, json, at }: PageData): string {
  const block = dataBlock('type="application/json" id="answer"', { call, at }, json);
  return page.replace('</head>', () => `${block}</head>`);
}

/** The page with its first screen, which the app hydrates; an empty one is rendered in the browser. */
export function withRenderedContent(page: string, html: string): string {
  return page.replace('<div id="root"></div>', () => `<div id="root">${html}</div>`);
}

/** The built page with what the operator configured: known before the first paint, it moves nothing when it comes. */
export function withSiteSettings(page: string, site: SiteSettings): string {
  return page.replace('</head>', () => `${dataBlock('type="application/json" id="site"', site)}</head>`);
}

/** The built page with `head` in the place of its own title and description. */
export function withMetadata(page: string, head: PageMetadata, origin: string): string {
  const title = escapeUTF8(`${head.title} · Nivida`);
  const description = escapeUTF8(head.description);
  const canonical = escapeUTF8(head.canonical);
  const lines = [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}" />`,
    `<link rel="canonical" href="${canonical}" />`,
    head.isNoIndex ? '<meta name="robots" content="noindex" />' : '',
    `<meta property="og:title" content="${title}" />`,
    `<meta property="og:description" content="${description}" />`,
    `<meta property="og:url" content="${canonical}" />`,
    '<meta property="og:type" content="website" />',
    '<meta property="og:site_name" content="Nivida" />',
    '<meta property="og:locale" content="en_IN" />',
    `<meta property="og:image" content="${escapeUTF8(origin)}/icons/any-512.png" />`,
    '<meta name="twitter:card" content="summary" />',
    head.jsonLd ? dataBlock('type="application/ld+json"', head.jsonLd) : '',
  ];
  return page
    .replace(/<title>[^<]*<\/title>/, () => lines.filter(Boolean).join('\n    '))
    .replace(/<meta\s+name="description"\s+content="[^"]*"\s*\/?>\s*(?=<link rel="icon")/, '');
}

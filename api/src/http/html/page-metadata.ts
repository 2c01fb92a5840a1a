/** Metadata of the served page, for search engines, link previews and the first paint. */
import { t } from '@lingui/core/macro';
import { inLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, type Language, languages, pathIn } from '@nivida/contract/languages';
import { placeName } from '@nivida/contract/regions/states';
import { findPage, NOT_FOUND_TEXT, pageText } from '@nivida/contract/site/pages';
import type { SiteSettings } from '@nivida/contract/site/site';
import { escapeUTF8 } from 'entities';

/** The head of one page. `status` is the status of the response. */
export interface PageMetadata {
  status: 200 | 404;
  /** Without the product's name. */
  title: string;
  description: string;
  /** The card of a shared link, if it differs from title and description. */
  preview?: { title: string; description: string };
  /** The canonical absolute address of the page in English. */
  canonical: string;
  /** schema.org data, for pages about one thing. */
  jsonLd?: object;
  /** Search engines must not index it. */
  isNoIndex?: boolean;
  /** The same list for feed readers and calendars. */
  feeds?: { type: string; path: string }[];
}

/** The API response that a page's first screen would request, embedded in the page. */
export interface PageAnswer {
  /** The call as the app makes it, such as 'api/tenders/5592'. */
  call: string;
  /** The response as JSON. */
  json: string;
  at: Date;
}

/** The head of an address without a page. */
export function notFoundMetadata(path: string, origin: string): PageMetadata {
  return { status: 404, ...pageText(NOT_FOUND_TEXT), canonical: `${origin}${path}`, isNoIndex: true };
}

/** The head of a page that needs no data; 404 for an unknown path. `state` is the Indian state of a results page. */
export function staticPageMetadata(
  path: string,
  origin: string,
  state: string | null,
  sellsNothing = false,
): PageMetadata {
  const canonical = `${origin}${path}`;
  if (path === '/tenders/results' && state)
    return {
      status: 200,
      title: t`Open tenders in ${{ state: placeName(state) }}`,
      description: t`Government tenders in ${{ state: placeName(state) }} that are open now, with value, EMD and the closing hour of each.`,
      canonical: `${canonical}?state=${encodeURIComponent(state)}`,
    };
  const page = findPage(path)?.page;
  if (!page) return notFoundMetadata(path, origin);
  const isNoIndex = page.isPrivate || !page.landing;
  return { status: 200, ...pageText(page, sellsNothing), canonical, ...(isNoIndex && { isNoIndex }) };
}

/**
 * `value` as a JSON element, to which the script-src of the security policy does not apply. `answer` is JSON already and
 * is added as a property. '<' is escaped because it could end the element.
 */
function dataBlock(attributes: string, value: object, answer?: string): string {
  const json = JSON.stringify(value);
  const text = answer === undefined ? json : `${json.slice(0, -1)},"answer":${answer}}`;
  return `<script ${attributes}>${text.replaceAll('<', '\\u003c')}</script>`;
}

/** Embeds data in the page. The first screen shows them, and hydration starts from them. */
export function withPageAnswer(page: string, { call, json, at }: PageAnswer): string {
  const block = dataBlock('type="application/json" id="answer"', { call, at }, json);
  return page.replace('</head>', () => `${block}</head>`);
}

/** Inserts the rendered first screen, which the app hydrates. Without it the app renders in the browser. */
export function withRenderedContent(page: string, html: string): string {
  return page.replace('<div id="root"></div>', () => `<div id="root">${html}</div>`);
}

/** Embeds the operator's settings in the page. They are known at the first paint, so they cause no layout shift. */
export function withSiteSettings(page: string, site: SiteSettings): string {
  return page.replace('</head>', () => `${dataBlock('type="application/json" id="site"', site)}</head>`);
}

/** A page's address in a language. `canonical` is the English one. */
export const addressIn = (language: Language, canonical: string, origin: string): string =>
  language === 'en' ? canonical : `${origin}${pathIn(language, canonical.slice(origin.length))}`;

/** The links to a page in each language, for its head; `element` is `xhtml:link` in a sitemap. */
export function alternates(canonical: string, origin: string, element = 'link'): string[] {
  const link = (hreflang: string, language: Language) =>
    `<${element} rel="alternate" hreflang="${hreflang}" href="${escapeUTF8(addressIn(language, canonical, origin))}" />`;
  return [...languages().map((language) => link(language, language)), link('x-default', 'en')];
}

/** The picture of link previews has a text, so each language has its own. */
const pictureName = (language: Language): string => (language === 'en' ? 'preview.png' : `preview-${language}.png`);

const ogLocale = (language: Language): string => LANGUAGES[language].locale.replace('-', '_');

/** The built page in a language, with the title and description of `head`. */
export function withMetadata(page: string, head: PageMetadata, origin: string, language: Language = 'en'): string {
  const { locale } = LANGUAGES[language];
  const title = escapeUTF8(`${head.title} · Nivida`);
  const description = escapeUTF8(head.description);
  const canonical = escapeUTF8(addressIn(language, head.canonical, origin));
  const pictureText = inLanguage(language, () => t`Nivida: government tenders, down to the closing hour`);
  const preview = head.preview ?? { title: `${head.title} · Nivida`, description: head.description };
  const lines = [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}" />`,
    `<link rel="canonical" href="${canonical}" />`,
    ...(head.isNoIndex ? ['<meta name="robots" content="noindex" />'] : alternates(head.canonical, origin)),
    ...(head.feeds ?? []).map(
      ({ type, path }) => `<link rel="alternate" type="${type}" title="${title}" href="${escapeUTF8(path)}" />`,
    ),
    `<meta property="og:title" content="${escapeUTF8(preview.title)}" />`,
    `<meta property="og:description" content="${escapeUTF8(preview.description)}" />`,
    `<meta property="og:url" content="${canonical}" />`,
    '<meta property="og:type" content="website" />',
    '<meta property="og:site_name" content="Nivida" />',
    `<meta property="og:locale" content="${ogLocale(language)}" />`,
    ...languages().flatMap((other) =>
      other === language ? [] : `<meta property="og:locale:alternate" content="${ogLocale(other)}" />`,
    ),
    `<meta property="og:image" content="${escapeUTF8(origin)}/icons/${pictureName(language)}" />`,
    '<meta property="og:image:type" content="image/png" />',
    '<meta property="og:image:width" content="1200" />',
    '<meta property="og:image:height" content="630" />',
    `<meta property="og:image:alt" content="${escapeUTF8(pictureText)}" />`,
    '<meta name="twitter:card" content="summary_large_image" />',
    head.jsonLd ? dataBlock('type="application/ld+json"', head.jsonLd) : '',
  ];
  return page
    .replace('<html lang="en-IN"', `<html lang="${locale}"`)
    .replace('href="/manifest.webmanifest"', `href="${pathIn(language, '/manifest.webmanifest')}"`)
    .replace(/<title>[^<]*<\/title>/, () => lines.filter(Boolean).join('\n    '))
    .replace(/<meta\s+name="description"\s+content="[^"]*"\s*\/?>\s*(?=<link rel="icon")/, '');
}

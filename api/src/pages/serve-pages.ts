/** Serves the built app: its files, and its page for every other address that requests one. */
import { basename, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { type Language, splitLanguage } from '@nivida/contract/languages';
import { isDeskPath } from '@nivida/contract/site/pages';
import type { SiteSettings } from '@nivida/contract/site/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { nothingHere } from '../base/app-error.ts';
import { sendError } from '../http/errors/error.filter.ts';
import { readBuiltPage, readServiceWorker, withAssetOrigin } from '../http/html/built-page.ts';
import {
  type PageAnswer,
  type PageMetadata,
  withMetadata,
  withPageAnswer,
  withRenderedContent,
  withSiteSettings,
} from '../http/html/page-metadata.ts';
import { isPageOrApiPath } from '../http/routing/rewrite-url.ts';
import { dictionaryHeader, serveDifferences } from './earlier-files.ts';
import { loadPageRenderer } from './page-renderer.ts';
import { preloadElements, readScreenFiles } from './screen-files.ts';

const YEAR_SECONDS = 31_536_000;

/** Finds the metadata of a page in a language. `path` is without the language. */
export type GetPageMetadata = (path: string, query: URLSearchParams, language: Language) => Promise<PageMetadata>;

/** Finds the API answer that the page at an address starts with; undefined for a page without one, or when it is unavailable. */
export type GetPageAnswer = (path: string, query: URLSearchParams) => Promise<PageAnswer | undefined>;

/** Sources of the pages. `site` is the operator's data that the pages show. */
interface PageOptions {
  getMetadata: GetPageMetadata;
  getAnswer: GetPageAnswer;
  site: SiteSettings;
  assetOrigin: string | undefined;
  /** The folder of the files of earlier builds. */
  earlierFiles: string;
  now: Date;
}

/** Registers the files below `folder` and the page fallback; without a build only the API answers. */
export async function servePages(
  server: FastifyInstance,
  folder: string,
  origin: string,
  { getMetadata, getAnswer, site, assetOrigin, earlierFiles, now }: PageOptions,
): Promise<void> {
  const built = readBuiltPage(folder, assetOrigin);
  if (!built) return;
  const page = withSiteSettings(built.html, site);
  const screenFilesOf = await readScreenFiles(folder);
  const renderPage = await loadPageRenderer(folder, site);
  // A CDN asks as one client for all. It gets whole files.
  const withDifferences = assetOrigin === undefined;
  if (withDifferences) await serveDifferences(server, join(folder, 'assets'), earlierFiles, now);
  await server.register(fastifyStatic, {
    root: folder,
    index: false,
    // One route per existing file; the fallback gets all other addresses.
    wildcard: false,
    ...(assetOrigin && { globIgnore: ['index.html', 'sw.js'] }),
    // The build writes a .br file for each file of /assets.
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      // Names under /assets contain a hash of the content; all other files are revalidated.
      const lasting = path.startsWith(join(folder, 'assets'));
      reply.header('Cache-Control', lasting ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      if (lasting && withDifferences)
        reply.headers({ Vary: 'Available-Dictionary', ...dictionaryHeader(basename(path).replace(/\.br$/, '')) });
    },
  });
  if (assetOrigin) {
    const worker = readServiceWorker(folder, built, assetOrigin);
    const send = (path: string, type: string, text: string) =>
      server.get(path, (_request, reply) => reply.type(type).header('Cache-Control', 'no-cache').send(text));
    send('/index.html', 'text/html; charset=utf-8', built.html);
    send('/sw.js', 'text/javascript; charset=utf-8', worker);
  }
  server.get('/*', async (request: FastifyRequest, reply: FastifyReply) => {
    // Not parsed as a URL, because `//host` is a path here, and every path must work.
    const [path = '', search = ''] = request.url.split(/(?=\?)/, 2);
    const searchParams = new URLSearchParams(search);
    if (/^\/api(?:\/|$)/.test(path) || /\.[a-z0-9]+$/i.test(path)) {
      sendError(reply, request, nothingHere());
      return reply;
    }
    if (isPageOrApiPath(path)) reply.header('Vary', 'Accept, User-Agent');
    const { language, path: pagePath } = splitLanguage(path);
    const metadata = await getMetadata(pagePath, searchParams, language);
    const full = withMetadata(page, metadata, origin, language).replace(
      '</head>',
      () => `${withAssetOrigin(preloadElements(screenFilesOf(path)), assetOrigin)}</head>`,
    );
    // Above the rate limit the page is sent without data. The app then requests them and gets the 429.
    const answer =
      request.isSearchLimited || metadata.status !== 200 ? undefined : await getAnswer(pagePath, searchParams);
    const renderedHtml = await renderPage(path + search, answer).catch((error: unknown) => {
      request.log.warn({ err: error }, 'A page could not be rendered on the server: the browser renders it');
      return '';
    });
    return (
      reply
        .code(metadata.status)
        .type('text/html; charset=utf-8')
        .header('X-Build', built.build)
        .headers(isDeskPath(pagePath) ? { 'X-Robots-Tag': 'noindex' } : {})
        // A shared cache that knows this header (RFC 9213) may answer lists, which browsers must not store.
        .headers(answer && pagePath === '/tenders/results' ? { 'CDN-Cache-Control': 'max-age=30' } : {})
        // Closing times change: a browser that goes back must not show a stored copy.
        .header(
          'Cache-Control',
          isDeskPath(pagePath) || (answer && pagePath.startsWith('/tenders/')) ? 'no-store' : 'no-cache',
        )
        .send(withRenderedContent(answer ? withPageAnswer(full, answer) : full, renderedHtml))
    );
  });
}

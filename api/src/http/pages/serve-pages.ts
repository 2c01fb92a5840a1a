/** Serves the built app: its files as they are, its page for every other address that asks for one. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { SiteSettings } from '@nivida/contract/site/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { sendError } from '../errors/error.filter.ts';
import { isPageOrApiPath } from '../routing/rewrite-url.ts';
import {
  type PageData,
  type PageMetadata,
  withMetadata,
  withPageData,
  withRenderedContent,
  withSiteSettings,
} from './page-metadata.ts';
import { loadPageRenderer } from './page-renderer.ts';
import { readPreloads } from './screen-preloads.ts';

const YEAR_SECONDS = 31_536_000;

/** Finds the head of the page at an address. */
export type GetPageMetadata = (path: string, query: URLSearchParams) => Promise<PageMetadata>;

/** Finds the answer that the page at an address begins with; undefined for a page without one, or when there is none now. */
export type GetPageData = (path: string, query: URLSearchParams) => Promise<PageData | undefined>;

/** What pages are made of; `site` is what they show of the operator. */
interface PageOptions {
  getMetadata: GetPageMetadata;
  getData: GetPageData;
  site: SiteSettings;
}

/** Registers the files below `folder` and the page fallback; without a build only the API answers. */
export async function servePages(
  server: FastifyInstance,
  folder: string,
  origin: string,
  { getMetadata: headOf, getData: answerOf, site }: PageOptions,
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  const page = withSiteSettings(await readFile(join(folder, 'index.html'), 'utf8'), site);
  const preloadsOf = await readPreloads(folder);
  const renderPage = await loadPageRenderer(folder, site);
  await server.register(fastifyStatic, {
    root: folder,
    index: false,
    // Routes per file, so that only what exists is a file and the fallback sees the rest.
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      // Names under /assets hold a hash of their content; everything else is asked for again.
      const lasting = path.startsWith(join(folder, 'assets'));
      reply.header('Cache-Control', lasting ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  server.get('/*', async (request: FastifyRequest, reply: FastifyReply) => {
    const { pathname: path, search, searchParams } = new URL(request.url, origin);
    if (/^\/api(?:\/|$)/.test(path) || /\.[a-z0-9]+$/i.test(path)) {
      sendError(reply, request.id, new AppError('NOT_FOUND', 'There is nothing at this address'));
      return reply;
    }
    if (isPageOrApiPath(path)) reply.header('Vary', 'Accept, User-Agent');
    const head = await headOf(path, searchParams);
    const full = withMetadata(page, head, origin).replace('</head>', () => `${preloadsOf(path)}</head>`);
    // Who asks too often gets the page all the same, and an honest refusal when the app asks.
    const answer = request.isSearchLimited || head.status !== 200 ? undefined : await answerOf(path, searchParams);
    const renderedHtml = await renderPage(path + search, answer).catch((error: unknown) => {
      request.log.warn({ err: error }, 'A page could not be rendered on the server: the browser renders it');
      return '';
    });
    return (
      reply
        .code(head.status)
        .type('text/html; charset=utf-8')
        // A list or a tender shows how long bids are taken: a browser that goes back must not show a stored copy.
        .header('Cache-Control', answer && path.startsWith('/tenders/') ? 'no-store' : 'no-cache')
        .send(withRenderedContent(answer ? withPageData(full, answer) : full, renderedHtml))
    );
  });
}

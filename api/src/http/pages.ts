/** Serves the built app: its files as they are, its page for every other address that asks for one. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Site } from '@nivida/contract/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isPageOrCall } from './addresses.ts';
import { AppError } from './app-error.ts';
import { sendError } from './error.filter.ts';
import { loadDrawing } from './page-draw.ts';
import { type PageAnswer, type PageHead, withAnswer, withDrawing, withHead, withSite } from './page-head.ts';
import { readPreloads } from './screen-files.ts';

/** What phones and tablets say of themselves. */
const PHONE = /Mobi|Android/;
const YEAR_SECONDS = 31_536_000;

/** Finds the head of the page at an address. */
export type HeadOf = (path: string, query: URLSearchParams) => Promise<PageHead>;

/** Finds the answer that the page at an address begins with; undefined for a page without one, or when there is none now. */
export type AnswerOf = (path: string, query: URLSearchParams) => Promise<PageAnswer | undefined>;

/** What pages are made of; `site` is what they show of the operator. */
interface PageParts {
  headOf: HeadOf;
  answerOf: AnswerOf;
  site: Site;
  now: () => Date;
}

/** Registers the files below `folder` and the page fallback; without a build only the API answers. */
export async function servePages(
  server: FastifyInstance,
  folder: string,
  origin: string,
  { headOf, answerOf, site, now }: PageParts,
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  const page = withSite(await readFile(join(folder, 'index.html'), 'utf8'), site);
  const preloadsOf = await readPreloads(folder);
  const drawOf = await loadDrawing(folder, site);
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
    reply.header('Vary', isPageOrCall(path) ? 'Accept, User-Agent' : 'User-Agent');
    const head = await headOf(path, searchParams);
    const full = withHead(page, head, origin).replace('</head>', () => `${preloadsOf(path)}</head>`);
    // Who asks too often gets the page all the same, and an honest refusal when the app asks.
    const answer = request.isBraked || head.status !== 200 ? undefined : await answerOf(path, searchParams);
    const isWide = !PHONE.test(request.headers['user-agent'] ?? '');
    const drawn = await drawOf({ address: path + search, now: now(), isWide, answer }).catch((error: unknown) => {
      request.log.warn({ err: error }, 'A page could not be drawn: the app draws it');
      return '';
    });
    return reply
      .code(head.status)
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .send(withDrawing(answer ? withAnswer(full, answer) : full, drawn, answer?.at));
  });
}

/** Serves the built app: its files as they are, its page for every other address that asks for one. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isPageOrCall } from './addresses.ts';
import { AppError } from './app-error.ts';
import { sendError } from './error.filter.ts';

const YEAR_SECONDS = 31_536_000;

/** Registers the files below `folder` and the page fallback; without a build only the API answers. */
export async function servePages(server: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  const page = await readFile(join(folder, 'index.html'));
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
  server.get('/*', (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    if (/^\/api(?:\/|$)/.test(path) || /\.[a-z0-9]+$/i.test(path)) {
      sendError(reply, request.id, new AppError('NOT_FOUND', 'There is nothing at this address'));
      return;
    }
    if (isPageOrCall(path)) reply.header('Vary', 'Accept, User-Agent');
    void reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-cache').send(page);
  });
}

/** What a request may carry: JSON only, bounded in size and depth, without keys that reach a prototype. */
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppError } from './app-error.ts';

const DEEPEST = 8;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by BodyLimit. */
    bodyBytes?: number;
  }
}

/** Decorates a route whose body may be of another size than the server's limit. */
export const BodyLimit = (bytes: number) => RouteConfig({ bodyBytes: bytes });

/** Makes the server read JSON and refuse everything else; call it before the routes are made. */
export function acceptJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients name the type also where they send nothing.
    if (body === '') return done(null, undefined);
    parse(request, body, (error, value) => {
      const tooDeep = !error && isDeeper(value, DEEPEST);
      done(tooDeep ? new AppError('INVALID', `The request is nested deeper than ${DEEPEST} levels`) : error, value);
    });
  });
  server.addHook('onRoute', (route) => {
    const bytes = route.config?.bodyBytes;
    if (bytes !== undefined) route.bodyLimit = bytes;
  });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

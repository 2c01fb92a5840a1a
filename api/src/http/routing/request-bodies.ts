/** What a request may carry: JSON only, bounded in size and depth, without keys that reach a prototype. */
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';

/** Lists and objects inside one another, the outermost included: `[[1]]` has two levels. */
const MAX_JSON_DEPTH = 8;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by BodyLimit. */
    bodyBytes?: number;
    /** Set by RawBody. */
    isRawBody?: boolean;
    /** Set by FormPost. */
    isFormPost?: boolean;
    /** Set by OneClickPost. */
    isOneClickPost?: boolean;
  }
}

/** Decorates a route whose body may be of another size than the server's limit. */
export const BodyLimit = (bytes: number) => RouteConfig({ bodyBytes: bytes });

/**
 * Decorates a route that is given its body as it came, a Buffer of at most `bytes`: a signature is over bytes, and
 * reading and writing JSON changes them. What is compressed is refused.
 */
export const RawBody = (bytes: number) => RouteConfig({ bodyBytes: bytes, isRawBody: true });

/** Decorates a route that the button of a plain HTML page may call; what the form says is not read. */
export const FormPost = () => RouteConfig({ isFormPost: true });

/** Decorates a route that the button of a page or of a mail program may call, which may send either type (RFC 8058). */
export const OneClickPost = () => RouteConfig({ isFormPost: true, isOneClickPost: true });

/** Makes the server read JSON and refuse everything else; call it before the routes are made. */
export function acceptJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (request.routeOptions.config.isRawBody) return done(null, bytes);
    const body = bytes.toString('utf8');
    // Clients name the type also where they send nothing.
    if (body === '') return done(null, undefined);
    parse(request, body, (error, value) => {
      const tooDeep = !error && isDeeper(value, MAX_JSON_DEPTH);
      done(
        tooDeep ? new AppError('INVALID', `The request is nested deeper than ${MAX_JSON_DEPTH} levels`) : error,
        value,
      );
    });
  });
  for (const [type, flag] of [
    ['application/x-www-form-urlencoded', 'isFormPost'],
    ['multipart/form-data', 'isOneClickPost'],
  ] as const)
    server.addContentTypeParser(type, { parseAs: 'string' }, (request, _body, done) => {
      const isTaken = request.routeOptions.config[flag];
      done(isTaken ? null : new AppError('INVALID', 'Only JSON is accepted', undefined, 415));
    });
  server.addHook('onRoute', (route) => {
    const bytes = route.config?.bodyBytes;
    if (bytes !== undefined) route.bodyLimit = bytes;
    if (route.config?.isRawBody) route.onRequest = [route.onRequest ?? [], rejectEncodedBody].flat();
  });
}

async function rejectEncodedBody({ headers }: FastifyRequest): Promise<void> {
  if (headers['content-encoding'] !== undefined)
    throw new AppError('INVALID', 'A compressed body is not accepted', undefined, 415);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

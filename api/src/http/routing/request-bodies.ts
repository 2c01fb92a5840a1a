/** Rules for request bodies: JSON only, limited in size and depth, without keys that pollute a prototype. */
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, forPrograms } from '../../base/app-error.ts';

/** Levels of nested lists and objects: `[[1]]` has two. */
const MAX_JSON_DEPTH = 8;
/** The type that bodies of StreamBody get. */
const STREAM_TYPE = 'application/vnd.nivida.stream';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by BodyLimit. */
    bodyBytes?: number;
    /** Set by RawBody. */
    isRawBody?: boolean;
    /** Set by StreamBody. */
    isStreamBody?: boolean;
    /** Set by FormPost. */
    isFormPost?: boolean;
    /** Set by FormFieldsPost. */
    readsForm?: boolean;
    /** Set by OneClickPost. */
    isOneClickPost?: boolean;
  }
}

/** Decorates a route with a body limit of its own. */
export const BodyLimit = (bytes: number) => RouteConfig({ bodyBytes: bytes });

/**
 * Decorates a route that receives its body as a Buffer of at most `bytes`. Signatures are over bytes, and parsing JSON does
 * not preserve them. Compressed bodies are refused.
 */
export const RawBody = (bytes: number) => RouteConfig({ bodyBytes: bytes, isRawBody: true });

/**
 * Decorates a route that receives its body of any content type as a stream. The route limits the bytes. Compressed
 * bodies are refused.
 */
export const StreamBody = () => RouteConfig({ isStreamBody: true });

/** Decorates a route that a plain HTML form may post to; the form's fields are not read. */
export const FormPost = () => RouteConfig({ isFormPost: true });

/** Decorates a route that a plain HTML form may post to; the body is an object of its fields. */
export const FormFieldsPost = () => RouteConfig({ isFormPost: true, readsForm: true });

/** Decorates a route that a plain HTML form or the unsubscribe button of a mail program may post to (RFC 8058). */
export const OneClickPost = () => RouteConfig({ isFormPost: true, isOneClickPost: true });

/** Makes the server accept JSON only; call it before the routes are registered. */
export function acceptJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (request.routeOptions.config.isRawBody) return done(null, bytes);
    const body = bytes.toString('utf8');
    // Some clients send the content type without a body.
    if (body === '') return done(null, undefined);
    parse(request, body, (error, value) => {
      const tooDeep = !error && isDeeper(value, MAX_JSON_DEPTH);
      done(
        tooDeep
          ? new AppError('INVALID', forPrograms(`The request is nested deeper than ${MAX_JSON_DEPTH} levels`))
          : error,
        value,
      );
    });
  });
  server.addContentTypeParser<Buffer>('application/octet-stream', { parseAs: 'buffer' }, (request, bytes, done) => {
    const isTaken = request.routeOptions.config.isRawBody;
    done(isTaken ? null : new AppError('INVALID', forPrograms('Only JSON is accepted'), undefined, 415), bytes);
  });
  for (const [type, flag] of [
    ['application/x-www-form-urlencoded', 'isFormPost'],
    ['multipart/form-data', 'isOneClickPost'],
  ] as const)
    server.addContentTypeParser(type, { parseAs: 'string' }, (request, body, done) => {
      const { [flag]: isTaken, readsForm } = request.routeOptions.config;
      const fields = readsForm ? Object.fromEntries(new URLSearchParams(body as string)) : undefined;
      done(isTaken ? null : new AppError('INVALID', forPrograms('Only JSON is accepted'), undefined, 415), fields);
    });
  server.addContentTypeParser(STREAM_TYPE, (request, payload, done) => {
    const isTaken = request.routeOptions.config.isStreamBody;
    done(isTaken ? null : new AppError('INVALID', forPrograms('Only JSON is accepted'), undefined, 415), payload);
  });
  server.addHook('onRoute', (route) => {
    const bytes = route.config?.bodyBytes;
    if (bytes !== undefined) route.bodyLimit = bytes;
    if (route.config?.isStreamBody) route.onRequest = [route.onRequest ?? [], rejectEncodedBody, readAsStream].flat();
    if (route.config?.isRawBody) route.onRequest = [route.onRequest ?? [], rejectEncodedBody].flat();
  });
}

async function rejectEncodedBody({ headers }: FastifyRequest): Promise<void> {
  if (headers['content-encoding'] !== undefined)
    throw new AppError('INVALID', forPrograms('A compressed body is not accepted'), undefined, 415);
}

/** The content type decides about the parser, and the stream has one for all types. */
async function readAsStream({ raw }: FastifyRequest): Promise<void> {
  raw.headers['content-type'] = STREAM_TYPE;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

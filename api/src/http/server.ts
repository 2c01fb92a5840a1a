/** Builds the HTTP server: Fastify under Nest with the security headers, compression, ETags and the app's files. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import etag from '@fastify/etag';
import helmet from '@fastify/helmet';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { isPageOrCall, routedUrl } from './addresses.ts';
import { AppError } from './app-error.ts';
import { acceptJsonOnly } from './bodies.ts';
import { ContractPipe } from './contract.pipe.ts';
import { ErrorFilter, sendError } from './error.filter.ts';
import { serveOpenApi } from './openapi.ts';
import { servePages } from './pages.ts';

const COMPRESS_FROM_BYTES = 1_024;
const HSTS_SECONDS = 63_072_000;
const BODY_BYTES = 32_768;

/** What the server needs; `now` is the clock by which tenders are open or closed. */
export interface ServerParts {
  config: Config;
  database: Database;
  now: () => Date;
  /** Folder of the built app. */
  pagesFolder: string;
}

/** A server of `module` that is ready to listen. */
export async function createServer(module: DynamicModule, parts: ServerParts): Promise<NestFastifyApplication> {
  const { config } = parts;
  const adapter = new FastifyAdapter({
    rewriteUrl: routedUrl,
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < config.trustProxyHops,
    bodyLimit: BODY_BYTES,
    requestTimeout: 15_000,
    // An address that cannot be decoded never reaches a route.
    frameworkErrors: (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendError(reply, request.id, new AppError('INVALID', 'The address cannot be read')),
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: config.production ? ['log', 'warn', 'error'] : ['warn', 'error'],
    abortOnError: false,
    bodyParser: false,
  });
  app.useGlobalPipes(new ContractPipe());
  app.useGlobalFilters(new ErrorFilter());

  const server = adapter.getInstance();
  acceptJsonOnly(server);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    const path = (request.originalUrl ?? '').split('?', 1)[0] ?? '';
    if (isPageOrCall(path)) reply.header('Vary', 'Accept, User-Agent');
  });
  await server.register(helmet, securityHeaders(config));
  await server.register(etag, { algorithm: 'sha1', weak: true });
  await server.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['br', 'gzip'],
    // The default 11 costs more than it saves for an answer that is made once.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  serveOpenApi(app);
  await servePages(server, parts.pagesFolder);
  return app;
}

/** Folder of the built app beside the built API. */
export const builtPagesFolder = (): string => join(import.meta.dirname, '../../pwa/dist');

function securityHeaders(config: Config): Parameters<typeof helmet>[1] {
  const overHttps = config.publicOrigin.startsWith('https:');
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'"],
        'connect-src': ["'self'"],
        'worker-src': ["'self'"],
        'manifest-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'require-trusted-types-for': ["'script'"],
        'trusted-types': ['nivida-sw', 'nivida-engine'],
      },
    },
    strictTransportSecurity: overHttps ? { maxAge: HSTS_SECONDS, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xPoweredBy: false,
  };
}

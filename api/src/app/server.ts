/** Builds the HTTP server: Fastify under Nest with the security headers, compression, ETags and the app's files. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import etag from '@fastify/etag';
import { t } from '@lingui/core/macro';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { AppError } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { createLog, type Log, logResponse, NestLog } from '../base/log.ts';
import { ApiKeysService } from '../data-out/keys/api-keys.service.ts';
import { registerApiKeys } from '../data-out/keys/register-api-keys.ts';
import { ErrorFilter, sendError } from '../http/errors/error.filter.ts';
import { createParserErrorHandler } from '../http/errors/parser-errors.ts';
import { paceSyncRequests } from '../http/limits/pace-requests.ts';
import { registerRateLimits } from '../http/limits/register-rate-limits.ts';
import { Metrics } from '../http/monitoring/metrics.ts';
import { Readiness, registerGracefulClose } from '../http/monitoring/readiness.ts';
import { registerRequestSpans } from '../http/monitoring/request-spans.ts';
import { serveOpenApi } from '../http/openapi.ts';
import { ContractPipe } from '../http/routing/contract.pipe.ts';
import { rejectInvalidHosts } from '../http/routing/host-header.ts';
import { acceptJsonOnly } from '../http/routing/request-bodies.ts';
import { isPageOrApiPath, rewriteUrl } from '../http/routing/rewrite-url.ts';
import { registerDevices } from '../http/security/devices.ts';
import { cdnHeaders, keepPrivate, securityHeaders } from '../http/security/security-headers.ts';
import { createGetPageMetadata } from '../pages/find-page-metadata.ts';
import { createGetPageAnswer } from '../pages/page-answer.ts';
import { servePages } from '../pages/serve-pages.ts';
import type { Database } from '../schema/database.ts';
import { SiteController } from './site.controller.ts';

const MIN_COMPRESSED_BYTES = 1_024;
const MAX_BODY_BYTES = 32_768;
const MAX_HEADER_BYTES = 16_384;
const MAX_URL_CHARACTERS = 4_096;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** How often Node checks the timeouts; with its default of 30 s requests would last up to 45 s. */
const TIMEOUT_CHECK_INTERVAL_MS = 500;
const BAD_REQUEST = 400;

/** Options of the server; `now` is the clock that opens and closes tenders. */
export interface ServerOptions {
  config: Config;
  database: Database;
  now: () => Date;
  /** Folder of the built app. */
  pagesFolder: string;
  /** Default: a log on stderr. */
  log?: Log;
}

/** Creates the server of `module`, ready to listen. */
export async function createServer(module: DynamicModule, parts: ServerOptions): Promise<NestFastifyApplication> {
  const { config, log = createLog(config) } = parts;
  const headers = securityHeaders(config, parts.pagesFolder);
  const adapter = createAdapter(config, headers, log);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLog(log),
    abortOnError: false,
    bodyParser: false,
  });
  app.useGlobalPipes(new ContractPipe());
  const metrics = app.get(Metrics);
  app.useGlobalFilters(new ErrorFilter((limit) => metrics.countRefusal(limit)));

  const server = adapter.getInstance();
  registerRequestSpans(server);
  registerGracefulClose(server, app.get(Readiness));
  acceptJsonOnly(server);
  paceSyncRequests(server);
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('X-Request-Id', request.id);
    if ((request.raw.url ?? '').length > MAX_URL_CHARACTERS) {
      sendError(reply, request, new AppError('INVALID', () => t`The address is too long`, undefined, 414));
      return reply;
    }
    const path = (request.originalUrl ?? '').split('?', 1)[0] ?? '';
    reply.headers(cdnHeaders(config, path));
    if (isPageOrApiPath(path)) reply.header('Vary', 'Accept, User-Agent');
  });
  rejectInvalidHosts(server);
  server.addHook('onResponse', async (request, reply) => logResponse(request, reply));
  registerApiKeys(server, app.get(ApiKeysService), config.production, (limit) => metrics.countRefusal(limit));
  await registerRateLimits(server, config.production, (limit) => metrics.countRefusal(limit));
  await server.register(cookie);
  registerDevices(server, config, parts.now);
  await server.register(etag, { algorithm: 'sha1', weak: true });
  // Error bodies contain the request id and are never equal, so an ETag is useless.
  server.addHook('onSend', async (request, reply) => {
    if (reply.statusCode >= BAD_REQUEST) reply.removeHeader('etag');
    // A shared cache that ignores Vary would show the data as the page of the same address.
    if (isPageOrApiPath((request.originalUrl ?? '').split('?', 1)[0] ?? '')) keepPrivate(reply);
  });
  await server.register(compress, {
    threshold: MIN_COMPRESSED_BYTES,
    encodings: ['br', 'gzip'],
    // The default 11 is too slow for answers that are compressed on every request.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  metrics.register(server);
  serveOpenApi(app);
  const { publicOrigin } = config;
  await servePages(server, parts.pagesFolder, publicOrigin, {
    getMetadata: createGetPageMetadata(app, publicOrigin),
    getAnswer: createGetPageAnswer(app),
    site: app.get(SiteController).site(),
    assetOrigin: config.assetOrigin,
    earlierFiles: join(config.dataDir, 'app-files'),
    now: parts.now(),
  });
  return app;
}

function createAdapter(config: Config, headers: Record<string, string>, log: Log): FastifyAdapter {
  return new FastifyAdapter({
    loggerInstance: log,
    // Fastify's own request lines contain whole URLs with their secrets.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    rewriteUrl,
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < config.trustProxyHops,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Requests that arrive during the shutdown are answered as usual.
    return503OnClosing: false,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    },
    clientErrorHandler: createParserErrorHandler(headers),
    // A URL that cannot be decoded reaches neither routes nor hooks.
    frameworkErrors: (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(headers);
      sendError(reply, request, new AppError('INVALID', () => t`The address cannot be read`));
    },
  });
}

/** Folder of the built app, next to the built API. */
export const builtPagesFolder = (): string => join(import.meta.dirname, '../../pwa/dist');

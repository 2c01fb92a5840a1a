/** Builds the HTTP server: Fastify under Nest with the security headers, compression, ETags and the app's files. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import etag from '@fastify/etag';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { isPageOrCall, routedUrl } from './addresses.ts';
import { AppError } from './app-error.ts';
import { acceptJsonOnly } from './bodies.ts';
import { ContractPipe } from './contract.pipe.ts';
import { ErrorFilter, sendError } from './error.filter.ts';
import { brakeFloods } from './flood.ts';
import { securityHeaders } from './headers.ts';
import { createLog, type Log, logAnswer, NestLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { serveOpenApi } from './openapi.ts';
import { pageAnswers } from './page-answers.ts';
import { pageHeads } from './page-heads.ts';
import { servePages } from './pages.ts';
import { finishRequests, Readiness } from './readiness.ts';
import { SiteController } from './site.controller.ts';
import { refuseUnread } from './unread.ts';

const COMPRESS_FROM_BYTES = 1_024;
const BODY_BYTES = 32_768;
const HEADER_BYTES = 16_384;
const LONGEST_URL = 4_096;
const HEADERS_MS = 10_000;
const REQUEST_MS = 15_000;
/** How often Node looks for requests that take longer; its default is 30 s, and so they would last up to 45 s. */
const CHECK_MS = 500;
const BAD_REQUEST = 400;

/** What the server needs; `now` is the clock by which tenders are open or closed. */
export interface ServerParts {
  config: Config;
  database: Database;
  now: () => Date;
  /** Folder of the built app. */
  pagesFolder: string;
  /** Where it writes its log; stderr when left out. */
  log?: Log;
}

/** A server of `module` that is ready to listen. */
export async function createServer(module: DynamicModule, parts: ServerParts): Promise<NestFastifyApplication> {
  const { config, log = createLog(config) } = parts;
  const headers = securityHeaders(config);
  const adapter = createAdapter(config, headers, log);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLog(log),
    abortOnError: false,
    bodyParser: false,
  });
  app.useGlobalPipes(new ContractPipe());
  app.useGlobalFilters(new ErrorFilter());

  const server = adapter.getInstance();
  finishRequests(server, app.get(Readiness));
  acceptJsonOnly(server);
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('X-Request-Id', request.id);
    if ((request.raw.url ?? '').length > LONGEST_URL) {
      sendError(reply, request.id, new AppError('INVALID', 'The address is too long', undefined, 414));
      return reply;
    }
    const path = (request.originalUrl ?? '').split('?', 1)[0] ?? '';
    if (isPageOrCall(path)) reply.header('Vary', 'Accept, User-Agent');
  });
  server.addHook('onResponse', async (request, reply) => logAnswer(request, reply));
  await brakeFloods(server, config.production);
  await server.register(cookie);
  await server.register(etag, { algorithm: 'sha1', weak: true });
  // Each error has an id of its own, so nobody ever holds the same one.
  server.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode >= BAD_REQUEST) reply.removeHeader('etag');
  });
  await server.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['br', 'gzip'],
    // The default 11 costs more than it saves for an answer that is made once.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  app.get(Metrics).watch(server);
  serveOpenApi(app);
  const { publicOrigin } = config;
  await servePages(server, parts.pagesFolder, publicOrigin, {
    headOf: pageHeads(app, publicOrigin),
    answerOf: pageAnswers(app),
    site: app.get(SiteController).site(),
    now: parts.now,
  });
  return app;
}

function createAdapter(config: Config, headers: Record<string, string>, log: Log): FastifyAdapter {
  return new FastifyAdapter({
    loggerInstance: log,
    // The lines of its own repeat whole addresses, with what is secret in them.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    rewriteUrl: routedUrl,
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < config.trustProxyHops,
    bodyLimit: BODY_BYTES,
    requestTimeout: REQUEST_MS,
    // What still comes while it closes is answered like any other.
    return503OnClosing: false,
    http: {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    clientErrorHandler: refuseUnread(headers),
    // An address that cannot be decoded never reaches a route, nor the hooks.
    frameworkErrors: (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(headers);
      sendError(reply, request.id, new AppError('INVALID', 'The address cannot be read'));
    },
  });
}

/** Folder of the built app beside the built API. */
export const builtPagesFolder = (): string => join(import.meta.dirname, '../../pwa/dist');

/** The monitoring addresses of a process without a web server. */
import type { INestApplicationContext } from '@nestjs/common';
import { type FastifyError, type FastifyInstance, fastify, LogController } from 'fastify';
import { nothingHere } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import { sendError, toErrorResponse } from '../http/errors/error.filter.ts';
import { MetricsController } from '../http/monitoring/metrics.controller.ts';
import { securityHeaders } from '../http/security/security-headers.ts';
import { HealthController } from './health.controller.ts';

/** Answers /api/metrics, /api/ready and /api/health on METRICS_PORT. */
export async function startMonitoringServer(
  services: Pick<INestApplicationContext, 'get'>,
  config: Config,
  log: Log,
): Promise<FastifyInstance> {
  const server: FastifyInstance = fastify({
    loggerInstance: log as FastifyInstance['log'],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
  });
  const headers = { ...securityHeaders(config), 'Cache-Control': 'no-store' };
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
  const health = services.get(HealthController);
  const metrics = services.get(MetricsController);
  server.get('/api/health', (_request, reply) => health.health(reply));
  server.get('/api/ready', (_request, reply) => health.ready(reply));
  server.get('/api/metrics', (request, reply) => metrics.read(request, reply));
  server.setNotFoundHandler((request, reply) => sendError(reply, request, nothingHere()));
  server.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(reply, request, toErrorResponse(error, request)),
  );
  await server.listen({ port: config.metricsPort ?? 0, host: config.host });
  return server;
}

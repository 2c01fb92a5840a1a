/** A span for each request, named by its route: addresses have secrets in them. Jobs that a request causes join its trace. */
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { REQUEST_ID_ATTRIBUTE, runInRequest, tracer } from '../../base/call-context.ts';
import { routeTemplate } from './metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span;
  }
}

/** Registers the hooks. Call it before all others. */
export function registerRequestSpans(server: FastifyInstance): void {
  // A request property needs a default, which is never read.
  server.decorateRequest('span', null as unknown as Span);
  const enter = (request: FastifyRequest, _reply: unknown, done: () => void) =>
    runInRequest(request.id, request.span, done);
  server.addHook('onRequest', (request, reply, done) => {
    const attributes = { 'http.request.method': request.method, [REQUEST_ID_ATTRIBUTE]: request.id };
    // A client does not choose the trace.
    request.span = tracer().startSpan(request.method, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT);
    enter(request, reply, done);
  });
  // The body is read outside of the context of the request.
  server.addHook('preValidation', enter);
  server.addHook('onResponse', (request, { statusCode }, done) => {
    const { span } = request;
    const route = routeTemplate(request);
    span.updateName(`${request.method} ${route}`);
    span.setAttributes({ 'http.route': route, 'http.response.status_code': statusCode });
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    done();
  });
}

/**
 * What a request and the jobs that it causes have in common: the id of the request, which the log names, and the trace.
 * Without an exporter (`OTEL_EXPORTER_OTLP_ENDPOINT`) spans cost nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** Attribute of a span: the id of the request, as in the log. */
export const REQUEST_ID_ATTRIBUTE = 'nivida.request_id';

/** The request that has caused a job, as the job carries it. */
export interface CallOrigin {
  requestId?: string;
  /** W3C Trace Context; missing without an exporter. */
  traceparent?: string;
}

const requestIds = new AsyncLocalStorage<string>();

/** The tracer of this program. */
export const tracer = (): Tracer => trace.getTracer('nivida');

/** The id of the request that is answered or whose job runs; undefined elsewhere. */
export const currentRequestId = (): string | undefined => requestIds.getStore();

/** Runs a part of a request's answer. */
export function runInRequest<T>(requestId: string, span: Span, run: () => T): T {
  return requestIds.run(requestId, () => context.with(trace.setSpan(context.active(), span), run));
}

/** The origin that a job of this moment carries; undefined outside of requests. */
export function currentOrigin(): CallOrigin | undefined {
  const requestId = currentRequestId();
  if (requestId === undefined) return undefined;
  const origin: CallOrigin = { requestId };
  propagation.inject(context.active(), origin);
  return origin;
}

/** Runs a job in a span of its own, in the trace of the request that has caused it. `data` is what the job carries. */
export function runJobInSpan<T>(job: string, data: { origin?: CallOrigin }, run: () => Promise<T>): Promise<T> {
  const { origin = {} } = data;
  const parent: Context = propagation.extract(ROOT_CONTEXT, origin);
  const { requestId } = origin;
  const attributes = { 'nivida.job': job, ...(requestId && { [REQUEST_ID_ATTRIBUTE]: requestId }) };
  return tracer().startActiveSpan(`job ${job}`, { kind: SpanKind.CONSUMER, attributes }, parent, async (span) => {
    try {
      return await (requestId === undefined ? run() : requestIds.run(requestId, run));
    } catch (error) {
      // Without the message, which may repeat personal data. The log has it masked.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

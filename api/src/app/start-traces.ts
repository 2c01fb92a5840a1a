/** Exports spans of requests, statements and jobs by OTLP. Import it before all that loads `pg`. */
import { register } from 'node:module';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';

/** A collector that does not answer delays the end of the process by this time at most. */
const EXPORT_TIMEOUT_MS = 3_000;

/** Starts the export to a collector. Returns what sends the rest and ends it. OpenTelemetry reads its other variables itself, such as those of sampling. */
export function startTraces(
  endpoint: string,
  { role, version }: { role: string; version: string },
): () => Promise<void> {
  // The package of `pg` is loaded by an import, which this hook sees.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `nivida-${role}`, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(withoutMessages(exporter), { exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  // Statements have their text, never their values. The many statements that look for jobs have no parent and no span.
  registerInstrumentations({
    instrumentations: [new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true })],
  });
  return () => provider.shutdown().catch(() => {});
}

/** Messages of database errors may repeat values, so they are not exported. */
function withoutMessages(exporter: SpanExporter): SpanExporter {
  const withoutMessage = (span: ReadableSpan): ReadableSpan =>
    Object.create(span, { status: { value: { code: span.status.code } }, events: { value: [] } });
  return {
    export: (spans, done) => exporter.export(spans.map(withoutMessage), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

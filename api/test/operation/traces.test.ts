/** Traces: a process of its own sends its spans to a collector, here an HTTP server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deriveVapidKeys } from '../../src/base/vapid-keys.ts';
import { findFreePort, type RunningProgram, startProgram, toDatabaseUrl } from '../support/programs.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string } }[];
}

let app: TestApp;
let collector: Server;
let program: RunningProgram;
let origin: string;
let folder: string;
const exported: string[] = [];

beforeAll(async () => {
  app = await startApp({ now: new Date() });
  folder = await mkdtemp(join(tmpdir(), 'nivida-traces-'));
  collector = createServer(async (request, response) => {
    if (request.url === '/v1/traces') exported.push(await text(request));
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening));
  const port = await findFreePort();
  const vapid = deriveVapidKeys('traces');
  origin = `http://127.0.0.1:${port}`;
  program = startProgram('main.js', [], {
    PORT: port,
    PUBLIC_ORIGIN: origin,
    DATABASE_URL: toDatabaseUrl(app.database.address),
    DATA_DIR: folder,
    SESSION_KEYS: app.config.sessionKeys.join(','),
    OTP_PEPPER: app.config.otpPepper,
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    DEMO: 'off',
    PAYMENT_PROVIDER: 'none',
    SUPPORT_EMAIL: 'help@nivida.example',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  await program.waitForOutput('Nivida is ready');
});
afterAll(async () => {
  program.child.kill('SIGTERM');
  await program.ended;
  collector.close();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const spans = (): ExportedSpan[] =>
  exported.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: ExportedSpan[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
const named = (name: string | RegExp) =>
  expect.poll(() => spans().find((span) => (typeof name === 'string' ? span.name === name : name.test(span.name))), {
    timeout: 15_000,
  });
const find = (name: string) => spans().find((span) => span.name === name) as ExportedSpan;
const attribute = (span: ExportedSpan, key: string) =>
  span.attributes.find((each) => each.key === key)?.value.stringValue;

test('a request, its statements and the mail that it causes are one trace with the id of the request', async () => {
  const answer = await fetch(`${origin}/api/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Asha Thakur',
      email: 'asha@firm.example',
      subject: 'Works',
      message: 'Where are the works of Solan?',
      agreeToTerms: true,
    }),
  });
  expect(answer.status, await answer.text()).toBeLessThan(300);
  await named('job mail').toBeTruthy();
  await named('POST /api/contact').toBeTruthy();
  const request = find('POST /api/contact');
  const job = find('job mail');
  const requestId = answer.headers.get('x-request-id');
  expect([attribute(request, 'nivida.request_id'), attribute(job, 'nivida.request_id')]).toEqual([
    requestId,
    requestId,
  ]);
  expect([job.traceId, request.parentSpanId]).toEqual([request.traceId, undefined]);
  const statements = spans().filter(({ name, traceId }) => name.startsWith('pg') && traceId === request.traceId);
  expect(statements.map(({ parentSpanId }) => parentSpanId)).toContain(request.spanId);
  expect(statements.map(({ parentSpanId }) => parentSpanId)).toContain(job.spanId);
});

test('no span has an address with a secret, a value of a statement or an e-mail address', async () => {
  const secret = 's'.repeat(43);
  await fetch(`${origin}/d/${secret}`);
  await named('GET /d/:token').toBeTruthy();
  expect(exported.join()).not.toContain(secret);
  expect(exported.join()).not.toContain('asha@');
});

test('a trace of a client is not continued', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await fetch(`${origin}/api/regions`, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
  await named('GET /api/regions').toBeTruthy();
  expect(exported.join()).not.toContain(traceId);
});

/** Sends requests byte by byte as generated, and returns those at which the server failed. */
import { type AddressInfo, connect } from 'node:net';
import type { GeneratedRequest } from '../http/fuzz-requests.ts';
import type { TestApp } from './start-app.ts';

/** Longer than the server's timeout for an incomplete request. */
const MAX_WAIT_MS = 20_000;

/** Result of a request: the status of its response, 0 when the connection ended without one. */
export interface RawResponse {
  status: number;
  ms: number;
  text: string;
}

/** A request at which the server failed, and the failure. */
export interface RequestFailure {
  request: string;
  what: string;
}

/** Results of many requests. */
export interface RequestResults {
  /** Number of responses by status. */
  statuses: Map<number, number>;
  failures: RequestFailure[];
  slowestMs: number;
}

/** Sends to a port of this machine; throws without a response in time. */
function sendRaw(port: number, request: GeneratedRequest, token: string | undefined): Promise<RawResponse> {
  const started = performance.now();
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      const bytes = toBytes(request, token);
      if (request.isCut) socket.end(bytes.subarray(0, Math.ceil(bytes.length * 0.9)));
      // The server may wait for the rest of an incomplete request.
      else if (hasLengthHeader(request)) socket.end(bytes);
      else socket.write(bytes);
    });
    const timeout = setTimeout(() => {
      socket.destroy();
      fail(new Error('was not answered'));
    }, MAX_WAIT_MS);
    socket.on('data', (chunk) => chunks.push(chunk));
    // The server may close the connection during a body; its response before that counts.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timeout);
      const text = Buffer.concat(chunks).toString('latin1');
      const status = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
        .map(([, code]) => Number(code))
        .find((code) => code >= 200);
      done({ status: status ?? 0, ms: performance.now() - started, text });
    });
  });
}

const hasLengthHeader = ({ headers }: GeneratedRequest): boolean =>
  headers.some(([name]) => name === 'Content-Length' || name === 'Transfer-Encoding');

function toBytes({ method, target, headers, body }: GeneratedRequest, token: string | undefined): Buffer {
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const all: [string, string][] = [['Connection', 'close'], ...headers];
  if (!named.has('host')) all.unshift(['Host', 'localhost']);
  if (token && !named.has('authorization')) all.push(['Authorization', `Bearer ${token}`]);
  if (body.length > 0 && !named.has('content-length') && !named.has('transfer-encoding'))
    all.push(['Content-Length', String(body.length)]);
  const head = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  );
  return Buffer.concat([Buffer.from(head), body]);
}

/**
 * Sends all requests, several at once. A failure is a status of 500 or more, or no response. `tokens` returns the current
 * tokens of the accounts; `between` is called after every hundredth request.
 */
export async function sendAll(
  port: number,
  requests: readonly GeneratedRequest[],
  { tokens, between, atOnce = 8 }: { tokens: () => readonly string[]; between: () => Promise<void>; atOnce?: number },
): Promise<RequestResults> {
  const findings: RequestResults = { statuses: new Map(), failures: [], slowestMs: 0 };
  let next = 0;
  const client = async () => {
    while (next < requests.length) {
      const request = requests[next++] as GeneratedRequest;
      if (next % 100 === 0) await between();
      const token = request.account === null ? undefined : tokens()[request.account];
      try {
        const { status, ms, text } = await sendRaw(port, request, token);
        findings.statuses.set(status, (findings.statuses.get(status) ?? 0) + 1);
        findings.slowestMs = Math.max(findings.slowestMs, ms);
        if (status >= 500) findings.failures.push({ request: describeRequest(request), what: text.slice(-200) });
      } catch (error) {
        findings.failures.push({ request: describeRequest(request), what: (error as Error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return findings;
}

function describeRequest({ method, target, headers, body, account, isCut }: GeneratedRequest): string {
  const headerText = body.length > 400 ? `${body.subarray(0, 400)}… (${body.length} bytes)` : String(body);
  return JSON.stringify({ method, target: target.slice(0, 400), headers, body: headerText, account, isCut });
}

/** The response to this text, up to the end of the connection. */
export async function sendText({ app }: TestApp, text: string): Promise<string> {
  const server = app.getHttpServer();
  if (!server.listening) await app.listen(0, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (piece) => {
      answer += piece;
    });
    socket.on('end', () => done(answer)).on('error', fail);
  });
}

/**
 * Malformed requests, and some valid ones, generated from the server's own OpenAPI document: each operation with valid
 * or invalid paths, queries, headers and bodies.
 */
import * as fc from 'fast-check';
import { brokenText, generatedBody } from './generated-bodies.ts';
import { hostileSegment, percentEncoded } from './hostile-values.ts';
import { type KnownValues, type Schema, validValue } from './schema-values.ts';

/** A request as written to the socket. */
export interface GeneratedRequest {
  method: string;
  /** Path and query as sent. */
  target: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** The known account that sends it. */
  account: number | null;
  /** The body is shorter than announced, then the sender closes the connection. */
  isCut: boolean;
}

/** The parts of an OpenAPI document that the generator uses. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Addresses that the document omits: pages, downloads, webhooks. */
const UNDOCUMENTED: OpenApi['paths'] = {
  '/d/{token}': { get: {}, post: {} },
  '/api/files/{ticket}': { get: {}, head: {} },
  '/api/webhooks/payments/{provider}': { post: { requestBody: anything() } },
  '/api/metrics': { get: {} },
  '/api/openapi.json': { get: {} },
  '/dev/mail': { get: {} },
  '/dev/mail/{name}': { get: {} },
  '/tenders/{id}': { get: {} },
  '/tenders/results': { get: {} },
  '/assets/{name}': { get: {} },
  '/': { get: {} },
};

function anything(): Operation['requestBody'] {
  return { content: { 'application/json': { schema: { type: 'object', properties: { event: {}, attemptRef: {} } } } } };
}

const ACCOUNTS = 4;
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'CONNECT',
  'get',
  'X',
];
const TYPES = [
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;;',
  'APPLICATION/JSON',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  '*/*',
  'application/vnd.api+json',
];
/** Headers that the server reads, with unexpected values. */
const HEADERS: [string, string][] = [
  ['Authorization', 'Bearer'],
  ['Authorization', 'Bearer a.b.c'],
  ['Authorization', `Bearer ${'e'.repeat(9_000)}`],
  ['Authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
  ['Authorization', 'Device __proto__'],
  ['Authorization', `Device ${'A'.repeat(43)}`],
  ['Authorization', 'Basic %%%'],
  ['Cookie', 'otp_ctx=%zz; device=%00; __proto__=1'],
  ['Cookie', `otp_ctx=${'a'.repeat(4_000)}`],
  ['Cookie', ';;;=;=;otp_ctx'],
  ['Accept', 'text/html;q=x, */*;q=-1'],
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'identity;q=0, *;q=0'],
  ['Accept-Encoding', 'br;q=nan, gzip;;'],
  ['If-None-Match', 'W/"'],
  ['If-Modified-Since', 'yesterday'],
  ['If-Range', '"x"'],
  ['Range', 'bytes=9-1,-,0-99999999999999999999'],
  ['Idempotency-Key', 'key'],
  ['Idempotency-Key', 'k'.repeat(4_000)],
  ['X-Terms-Version', 'v'.repeat(3_000)],
  ['Content-Encoding', 'gzip'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Transfer-Encoding', 'identity'],
  ['Content-Length', '-1'],
  ['Content-Length', '99999999999999999999'],
  ['Expect', '100-continue'],
  ['Expect', 'gold'],
  ['Upgrade', 'websocket'],
  ['Host', ''],
  ['Host', 'a b'],
  ['Origin', 'null'],
  ['User-Agent', 'Googlebot'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-For', 'unknown, ::1, 300.1.1.1'],
  ['X-Forwarded-For', '2001:db8::1%eth0'],
  ['X-Forwarded-Proto', 'gopher'],
  ['X-Sandbox-Signature', 't=x,v1=0'],
  ['X-Sandbox-Event-Id', 'a'],
];

/** Requests for all operations of a document; `known` values refer to stored rows. */
export function generatedRequests(document: OpenApi, known: KnownValues): fc.Arbitrary<GeneratedRequest> {
  const operations = Object.entries({ ...document.paths, ...UNDOCUMENTED }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      generatedRequest(method.toUpperCase(), path, operation, known),
    ),
  );
  return fc.oneof(...operations);
}

function generatedRequest(
  method: string,
  path: string,
  { parameters = [], requestBody }: Operation,
  known: KnownValues,
): fc.Arbitrary<GeneratedRequest> {
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  const schema = requestBody?.content['application/json']?.schema;
  return fc.record({
    method: weighted(15, fc.constant(method), fc.constantFrom(...METHODS)),
    target: fc
      .tuple(generatedPath(path, known), generatedQuery(queries, known), fc.nat(19))
      // These calls also work without /api.
      .map(([filled, query, n]) => (n === 0 ? filled.replace(/^\/api/, '') || '/' : filled) + query),
    headers: fc
      .tuple(
        weighted(8, fc.constant('application/json'), fc.constantFrom(...TYPES)),
        fc.uuid(),
        fc.array(fc.constantFrom(...HEADERS), { maxLength: 2 }),
      )
      .map(([type, key, more]): [string, string][] => {
        const usual: [string, string][] = [['Idempotency-Key', key]];
        if (schema && type) usual.push(['Content-Type', type]);
        const named = new Set(more.map(([name]) => name));
        return [...usual.filter(([name]) => !named.has(name)), ...more];
      }),
    body: schema
      ? generatedBody(schema, known)
      : weighted(15, fc.constant(Buffer.alloc(0)), brokenText(fc.constant('{}'))),
    account: fc.option(fc.nat(ACCOUNTS - 1), { freq: 3 }),
    isCut: fc.nat(39).map((n) => n === 0),
  });
}

/** `usual` in `weight` of `weight + 1` cases. */
function weighted<T>(weight: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
}

function generatedPath(path: string, known: KnownValues): fc.Arbitrary<string> {
  const parts = path.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return fc.constant(part);
    const values = known[`${path.split('/')[2]}.${name}`] ?? known[name];
    return values ? weighted(2, fc.constantFrom(...values).map(percentEncoded), hostileSegment) : hostileSegment;
  });
  return weighted(
    30,
    fc.tuple(...parts).map((filled) => filled.join('')),
    fc.constantFrom(`/${path}`, `${path}/`, `/.${path}`, `http://evil.example${path}`, `${path}#x`, '*', path.slice(1)),
  );
}

function generatedQuery(parameters: { name: string; schema?: Schema }[], known: KnownValues): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema = {} }) => {
    const valid = validValue(schema, known, name).map((value) => percentEncoded(String(value)));
    return fc.option(
      fc.oneof(
        { weight: 4, arbitrary: valid.map((value) => `${name}=${value}`) },
        { weight: 2, arbitrary: hostileSegment.map((value) => `${name}=${value}`) },
        { weight: 1, arbitrary: hostileSegment.map((value) => `${name}=1&${name}=${value}`) },
        { weight: 1, arbitrary: hostileSegment.map((value) => `${name}[]=${value}&${name}[$ne]=`) },
      ),
      { freq: 1 },
    );
  });
  const extra = fc.constantFrom('', '', '', '', 'cursor=%00', 'details=1', '__proto__[a]=1', 'a', '&&==&', 'x=%');
  return fc.tuple(fc.tuple(...pairs), extra).map(([given, more]) => {
    const all = [...given.filter((pair) => pair !== null), ...(more ? [more] : [])];
    return all.length > 0 ? `?${all.join('&')}` : '';
  });
}

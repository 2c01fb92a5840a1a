/** All calls to the server: same origin, retries for reads, and error messages. */
import { t } from '@lingui/core/macro';
import type { ErrorCode } from '@nivida/contract/errors';
import { currentLanguage } from '@nivida/contract/i18n';
import ky, {
  type BeforeRequestState,
  type BeforeRetryState,
  type HTTPError,
  isHTTPError,
  isNetworkError,
  isTimeoutError,
  SchemaValidationError,
} from 'ky';
import { setServerTime } from '../clock.ts';
import { chosenLanguage } from '../device/chosen-language.ts';
import { currentOwner, currentSession, endRefusedSession, onOwnerChange, SessionNotStoredError } from '../session.ts';
import { fetchWithTimeout } from './fetch-with-timeout.ts';
import { noteByte, noteFailure, noteSilence, SILENT_AFTER_MS } from './reachability.ts';

/**
 * Calls that start a session or reset a password. Their 401 is about the typed data, not about a session.
 * Changing the password and deleting the account are not in the list, because they reject data with other
 * statuses.
 */
const SIGN_IN_PATHS =
  /^\/(api\/)?auth\/(login|register|forgot-password|reset-password|google|passkey\/[\w-]+|otp\/(generate|verify))$/;

/**
 * The user has signed out, or another user has signed in, before the response to a call for the user's
 * session.
 */
class SessionEndedError extends Error {
  override name = 'SessionEndedError';
}

/** Rejects a call whose owner has signed out, even in the pause before a retry. */
function endWithSession({ options }: BeforeRequestState | BeforeRetryState): void {
  const { owner } = options.context;
  if (owner !== undefined && owner !== currentOwner())
    throw new SessionEndedError('The session ended before the request');
}

/** Sends the stored token, unless the call has its own authorization or `withoutSession` in its context. */
function addSessionToken({ request, options }: BeforeRequestState): void {
  const session = options.context.withoutSession ? null : currentSession();
  if (session && !request.headers.has('authorization')) {
    request.headers.set('authorization', `Bearer ${session.token}`);
    options.context.owner = currentOwner();
  }
}

/** The server answers in the language of the page. The language chosen on this device becomes that of the account. */
function addLanguage({ request }: BeforeRequestState): void {
  request.headers.set('accept-language', currentLanguage());
  const chosen = chosenLanguage();
  if (chosen) request.headers.set('chosen-language', chosen);
}

/** R5: only a 401 to a call with the token ends the session. */
function endSessionOnUnauthorized({ request, response }: { request: Request; response: Response }): void {
  if (response.status !== 401 || SIGN_IN_PATHS.test(new URL(request.url).pathname)) return;
  const token = request.headers.get('authorization')?.match(/^Bearer (.+)$/)?.[1];
  if (token) endRefusedSession(token);
}

const READ_DEADLINE_MS = 120_000;
const WRITE_DEADLINE_MS = 20_000;

/** Sets the default timeout of a call that has none. */
function setDeadline(options: { method?: string; timeout?: number | false }): void {
  const isRead = (options.method ?? 'get').toLowerCase() === 'get';
  options.timeout ??= isRead ? READ_DEADLINE_MS : WRITE_DEADLINE_MS;
}

const SILENCE = { afterMs: SILENT_AFTER_MS, onSilence: noteSilence, onByte: noteByte };

const GATEWAY_STATUSES = [502, 503, 504];

/**
 * Treats a gateway's error like a broken connection, because the server was not reached. The server's own
 * errors have a code.
 */
async function rejectGatewayAnswer(response: Response): Promise<Response> {
  if (!GATEWAY_STATUSES.includes(response.status)) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body === 'object' && body !== null && 'code' in body) return response;
  // ky retries a read after this message of the browser.
  throw new TypeError('Failed to fetch', { cause: response.status });
}

/**
 * `fetch` for all calls. It ends a silent connection. Reads also report whether the server answers; writes do
 * not, because the server may need a while for a write.
 */
export async function apiFetch(input: RequestInfo | URL, init?: RequestInit, maxSilenceMs?: number): Promise<Response> {
  const isRead = (input instanceof Request ? input.method : (init?.method ?? 'GET')) === 'GET';
  try {
    return await fetchWithTimeout(input, init, maxSilenceMs, isRead ? SILENCE : undefined, rejectGatewayAnswer);
  } catch (error) {
    if (isRead && error instanceof TypeError) noteFailure();
    throw error;
  }
}

/**
 * `apiFetch`, but a read with the session's token is given up when the session ends before the response: the
 * server would reject the token. Writes continue, because aborting a write does not undo it.
 */
async function fetchInSession(request: Request, init?: RequestInit): Promise<Response> {
  if (request.method !== 'GET' || !request.headers.has('authorization')) return apiFetch(request, init);
  const abort = new AbortController();
  const forwardAbort = () => abort.abort(request.signal.reason);
  if (request.signal.aborted) forwardAbort();
  request.signal.addEventListener('abort', forwardAbort);
  const unsubscribe = onOwnerChange(() => abort.abort(new SessionEndedError('The session ended before the response')));
  try {
    return await apiFetch(request, { ...init, signal: abort.signal });
  } finally {
    unsubscribe();
  }
}

/**
 * The ky instance for every call. Paths have no leading slash ('api/tenders').
 *
 * Reads are retried twice after a broken connection or a gateway's 502 to 504, which are common on weak
 * networks and short. After a 500 or a 429, and on an offline device, a call fails at once. Writes are never
 * retried here; their features decide.
 *
 * 20 seconds of silence end every call. `.json()` and similar methods also have a deadline for the whole
 * body: two minutes for reads, because a weak network is slow, and 20 seconds for writes. Read a large body
 * with `timeout: false`. Call the body methods on the call itself (`api.get(…).json()`): on its response only
 * the deadline for silence applies.
 */
export const api = ky.create({
  prefix: '/',
  fetch: (input, init) => fetchInSession(input as Request, init),
  // Always asks the server, which may respond 304, so that the Date header is current.
  cache: 'no-cache',
  hooks: {
    init: [setDeadline],
    beforeRequest: [endWithSession, addSessionToken, addLanguage],
    beforeRetry: [endWithSession],
    afterResponse: [({ response }) => setServerTime(response.headers.get('date')), endSessionOnUnauthorized],
  },
  retry: {
    limit: 2,
    methods: ['get'],
    statusCodes: [502, 503, 504],
    afterStatusCodes: [],
    shouldRetry: () => (globalThis.navigator?.onLine === false ? false : undefined),
  },
});

/**
 * `api` for work that began for the signed-in user `owner`. No call is sent in another user's session or
 * without a session; it then rejects with SessionEndedError.
 */
export const apiOf = (owner: string): typeof api => api.extend({ context: { owner } });

/** The server's `message` for the user. Undefined when the response has none, for example a proxy's page. */
function serverMessage(error: HTTPError): string | undefined {
  const body: unknown = error.data;
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' && body.message !== '' ? body.message : undefined;
}

/** True when the response, or a required part of it, is absent. A response of another shape is not empty. */
function isEmptyResponse(error: SchemaValidationError): boolean {
  return error.issues.some((issue) => {
    const path = issue.path ?? [];
    const input = 'input' in issue ? issue.input : undefined;
    return path.length <= 1 && (input === undefined || input === null);
  });
}

/** True when the server was not reached, or the connection broke during the response. */
export function isConnectionError(error: unknown): boolean {
  // fetch throws a plain TypeError when the connection breaks while the body is read.
  return isNetworkError(error) || isTimeoutError(error) || error instanceof TypeError;
}

/** The server's messages, by the name of the wrong field. Empty when there are none. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const body: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  if (typeof body !== 'object' || body === null || !('fields' in body)) return {};
  const named = Object.entries(body.fields ?? {});
  return Object.fromEntries(named.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Code and message of the server's answer. Undefined for other failures. */
export function refusalOf(error: unknown): { code: ErrorCode; message: string } | undefined {
  const body: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body
    ? (body as { code: ErrorCode; message: string })
    : undefined;
}

const noResponseText = () => t`No response from server. Please check your internet connection.`;

/**
 * The message for a failed call (R25).
 * - Failed status: the server's message, or 'Server error occurred'.
 * - No response: the text about the connection.
 * - Response without data: `empty`.
 * - Anything else: `fallback`.
 */
export function errorMessage(error: unknown, fallback: string, empty = t`No data received from server`): string {
  if (isHTTPError(error)) return serverMessage(error) ?? t`Server error occurred`;
  if (isConnectionError(error)) return noResponseText();
  if (error instanceof SchemaValidationError && isEmptyResponse(error)) return empty;
  return fallback;
}

/**
 * The server's message for a failed call of a form. Without one, and without a response, `fallback` (SPEC
 * section 8).
 */
export function serverMessageOr(error: unknown, fallback: string): string {
  return (isHTTPError(error) && serverMessage(error)) || fallback;
}

/** Thrown instead of a call when the device is offline. */
class OfflineError extends Error {}

/** Throws when the device is offline. */
export function assertOnline(): void {
  if (!navigator.onLine) throw new OfflineError(t`You are offline: this needs a connection. Nothing was sent.`);
}

/**
 * Why the call of a form failed: the server's message, or `fallback` (no full stop). When there was no
 * response, the reason is added.
 */
export function failureText(error: unknown, fallback: string): string {
  if (error instanceof OfflineError) return error.message;
  if (error instanceof SessionNotStoredError)
    return t`This browser does not store the sign-in. Allow this site to store data.`;
  if (isConnectionError(error)) return t`${{ problem: fallback }}. ${{ advice: noResponseText() }}`;
  return serverMessageOr(error, fallback);
}

/** What a form shows of a failed call: the errors at its fields, or why it failed, as `failureText` says it. */
export function formFailure(error: unknown, fallback: string, fields: object) {
  const errors = fieldErrorsOf(error);
  return Object.keys(errors).some((name) => name in fields)
    ? { text: '', errors }
    : { text: failureText(error, fallback) };
}

/** True when the server responded that the resource does not exist (404). */
export function isNotFoundError(error: unknown): boolean {
  return isHTTPError(error) && error.response.status === 404;
}

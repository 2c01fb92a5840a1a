/** The one way to the server: same origin, retries for reads, and the words for what went wrong. */
import ky, {
  type BeforeRequestState,
  type HTTPError,
  isHTTPError,
  isNetworkError,
  isTimeoutError,
  SchemaValidationError,
} from 'ky';
import { setServerTime } from '../clock.ts';
import { currentSession, endRefusedSession, SessionNotStoredError } from '../session.ts';
import { fetchWithTimeout } from './fetch-with-timeout.ts';

/**
 * Calls that make a session or a forgotten password: their 401 is an answer to what was typed, not about a session.
 * Changing the password and deleting the account are not among them: what they refuse is answered otherwise.
 */
const SIGN_IN_PATHS = /^\/(api\/)?auth\/(login|register|forgot-password|reset-password|google|otp\/(generate|verify))$/;

/** Sends the stored token, unless the call brings a proof of its own or has `withoutSession` in its context. */
function addSessionToken({ request, options }: BeforeRequestState): void {
  const session = options.context.withoutSession ? null : currentSession();
  if (session && !request.headers.has('authorization')) {
    request.headers.set('authorization', `Bearer ${session.token}`);
  }
}

/** RESOLUTIONS R5: only a 401 to a call that carried the token ends the session. */
function endSessionOnUnauthorized({ request, response }: { request: Request; response: Response }): void {
  if (response.status !== 401 || SIGN_IN_PATHS.test(new URL(request.url).pathname)) return;
  const token = request.headers.get('authorization')?.match(/^Bearer (.+)$/)?.[1];
  if (token) endRefusedSession(token);
}

/**
 * The ky instance of every call; paths are written without a leading slash ('api/tenders').
 *
 * Reads are asked twice more after a broken connection or a gateway's 502 to 504: both are common on a hill road and
 * pass within a second. A 500 would fail the same way again and a 429 asks for patience, so these answer at once;
 * so does a device that knows it is offline. Writes are never repeated here: their features decide.
 *
 * Every call has a deadline that covers its body: headers within 20 seconds, then `.json()` and the like within 20 more.
 * A large body is read with `timeout: false`; then only 20 seconds of silence end it. Call the body methods on the call
 * itself (`api.get(…).json()`): on its response they have the deadline for silence only.
 */
export const api = ky.create({
  prefix: '/',
  timeout: 20_000,
  fetch: (input, init) => fetchWithTimeout(input as RequestInfo, init),
  // always asks the server, which may answer 304; its Date is then the present, never that of a kept copy
  cache: 'no-cache',
  hooks: {
    beforeRequest: [addSessionToken],
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

/** The server's `message` for people, or undefined when its answer has none (a proxy's page, for one). */
function serverMessage(error: HTTPError): string | undefined {
  const body: unknown = error.data;
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' && body.message !== '' ? body.message : undefined;
}

/** True when the answer, or a whole part of it, is absent; an answer of another shape is not "empty". */
function isEmptyResponse(error: SchemaValidationError): boolean {
  return error.issues.some((issue) => {
    const path = issue.path ?? [];
    const input = 'input' in issue ? issue.input : undefined;
    return path.length <= 1 && (input === undefined || input === null);
  });
}

/** True when the server was not reached, or the connection broke before its answer was here. */
export function isConnectionError(error: unknown): boolean {
  // fetch itself throws a plain TypeError when the connection breaks while the body is read
  return isNetworkError(error) || isTimeoutError(error) || error instanceof TypeError;
}

/** The server's message per wrong field of what was sent, by the field's name; empty when it named none. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const body: unknown = isHTTPError(error) ? error.data : undefined;
  if (typeof body !== 'object' || body === null || !('fields' in body)) return {};
  const named = Object.entries(body.fields ?? {});
  return Object.fromEntries(named.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/**
 * What to tell a person about a failed call (RESOLUTIONS R25): the server's own message, 'Server error occurred' for a
 * reply without one, the connection text when there was no reply, `empty` for an answer without data, else `fallback`.
 */
export function errorMessage(error: unknown, fallback: string, empty = 'No data received from server'): string {
  if (isHTTPError(error)) return serverMessage(error) ?? 'Server error occurred';
  if (isConnectionError(error)) return 'No response from server. Please check your internet connection.';
  if (error instanceof SchemaValidationError && isEmptyResponse(error)) return empty;
  return fallback;
}

/** What the server said about a failed call of a form, else `fallback`: also when there was no reply (SPEC section 8). */
export function serverMessageOr(error: unknown, fallback: string): string {
  return (isHTTPError(error) && serverMessage(error)) || fallback;
}

/** Thrown instead of a call that the device cannot make without signal. */
class OfflineError extends Error {}

/** Throws when the device knows that it is offline. */
export function assertOnline(): void {
  if (!navigator.onLine) throw new OfflineError('You are offline: this needs a connection. Nothing was sent.');
}

/** Why the call of a form failed: the server's message, else `fallback` (no full stop), and without a reply the reason. */
export function failureText(error: unknown, fallback: string): string {
  if (error instanceof OfflineError) return error.message;
  if (error instanceof SessionNotStoredError) return 'This browser keeps no sign-in. Allow this site to store data.';
  if (isConnectionError(error)) return `${fallback}. No response from server. Please check your internet connection.`;
  return serverMessageOr(error, fallback);
}

/** True when the server answered that there is no such thing (404). */
export function isNotFoundError(error: unknown): boolean {
  return isHTTPError(error) && error.response.status === 404;
}

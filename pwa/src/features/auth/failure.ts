/** What a failed call says in these forms, and where. */
import { isConnectionError, serverMessageOr } from '../../data/server/api.ts';
import { SessionNotStoredError } from '../../data/session.ts';

/**
 * The server's message, else SPEC's words for the call (section 8); without a reply they are followed by the reason,
 * since on the road that is the usual one.
 */
export function failureText(error: unknown, fallback: string): string {
  if (error instanceof SessionNotStoredError) return 'This browser keeps no sign-in. Allow this site to store data.';
  if (isConnectionError(error)) return `${fallback}. No response from server. Please check your internet connection.`;
  return serverMessageOr(error, fallback);
}

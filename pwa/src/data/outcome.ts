/** What a failed call means for something that waits on the device to be sent. */
import { isHTTPError } from 'ky';

/**
 * 'wait' for a sign-in (401), 'rejected' for good (other 4xx), else 'retry': 5xx, 429, 408, no network, and an answer
 * that is none of ours (the page of a captive portal).
 */
export function classifySendError(error: unknown): 'wait' | 'rejected' | 'retry' {
  if (!isHTTPError(error)) return 'retry';
  const { status } = error.response;
  if (status === 401) return 'wait';
  return status >= 500 || status === 429 || status === 408 ? 'retry' : 'rejected';
}

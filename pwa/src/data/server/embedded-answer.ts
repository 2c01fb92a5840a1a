/** The answer that the server wrote into the page: what its first screen would ask for, without the way there and back. */

import { currentTime } from '../clock.ts';
import type { CachedAnswer } from './query-cache.ts';

/** A page that the browser had kept, and a device whose clock is wrong, ask the server. */
const FRESH_FOR_MS = 60_000;

/** An answer, the call that it belongs to and when it was given, as they stand in the page. */
export interface EmbeddedAnswer {
  call: string;
  at: string;
  answer: unknown;
}

function readEmbeddedAnswer(): Partial<EmbeddedAnswer> {
  try {
    return JSON.parse(globalThis.document?.getElementById('answer')?.textContent ?? '{}');
  } catch {
    return {};
  }
}

/**
 * The answer to the call that begins with `prefix`, kept under the rest of it; empty when the page brought none, or one
 * that `check` does not take. A page that the server is drawing has no document yet: its answer is handed over.
 */
export function embeddedAnswerFor<T>(
  prefix: string,
  check: (given: unknown) => T | undefined,
  embedded: Partial<EmbeddedAnswer> = readEmbeddedAnswer(),
): Record<string, CachedAnswer<T>> {
  const { call = '', at = '', answer: given } = embedded;
  if (!call.startsWith(prefix)) return {};
  const receivedAt = new Date(at);
  const answer = check(given);
  if (answer === undefined || !(Math.abs(currentTime().getTime() - receivedAt.getTime()) < FRESH_FOR_MS)) return {};
  return { [call.slice(prefix.length)]: { answer, receivedAt } };
}

/** Chooses between two answers to a search: the device's, from its offline packs, and the server's. */
import { SEARCH_VERSION } from '@nivida/contract/search/search-version';

/**
 * True when the server reads words by other rules than this app. A server that names no version counts as
 * equal.
 */
export function hasOtherRules(words: string, serverVersion: string | null): boolean {
  return words !== '' && (serverVersion ?? SEARCH_VERSION) !== SEARCH_VERSION;
}

interface AnswerFacts {
  /** The packs may lack tenders of this search: closed tenders, or tenders of other states. */
  isPartial: boolean;
  /** The server reads the words of this search by other rules. */
  isOutdated: boolean;
  /** The user looks up an id, and only the device's answer has it. For example, the tender has closed. */
  isOnlyOnDevice: boolean;
  /** Number of tenders on the device's page. */
  rows: number;
  server: { answer?: unknown; error?: unknown };
}

/**
 * Chooses which answer to show. The device's answer is shown by default. The server's answer replaces it when
 * the packs may lack tenders, or when the server reads the words by other rules. A looked-up id that only the
 * device has is never replaced.
 *
 * `missingPart` is set while the packs may lack tenders and the server has not answered: 'loading' while the
 * call runs, 'unreachable' after it has failed.
 */
export function chooseAnswer({ isPartial, isOutdated, isOnlyOnDevice, rows, server }: AnswerFacts): {
  isFromDevice: boolean;
  missingPart: 'loading' | 'unreachable' | undefined;
} {
  const isServed = server.answer !== undefined;
  const state = server.error === undefined ? 'loading' : 'unreachable';
  const missingPart = isPartial && !isServed ? state : undefined;
  // The device's page is empty, and the server may have tenders for it: wait for the server.
  const isUseful = missingPart !== 'loading' || rows > 0;
  const isReplaced = isServed && (isPartial || isOutdated) && !isOnlyOnDevice;
  return { isFromDevice: !isReplaced && isUseful, missingPart };
}

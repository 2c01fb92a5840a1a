/** Which side's answer a search shows: the device's, from its offline pack, or the server's. */
import { SEARCH_VERSION } from '@nivida/contract/search/search-version';

/** True when the server reads words by other rules than this app. An older server names no version. */
export function hasOtherRules(words: string, serverVersion: string | null): boolean {
  return words !== '' && (serverVersion ?? SEARCH_VERSION) !== SEARCH_VERSION;
}

interface AnswerFacts {
  /** The packs may lack tenders of this search: closed ones, or those of other states. */
  isPartial: boolean;
  /** The words have other rules on the server. */
  isOutdated: boolean;
  /** The device's answer has the looked up id and the server's has not, such as that of a tender that has closed. */
  isOnlyOnDevice: boolean;
  /** Tenders of the device's page. */
  rows: number;
  server: { answer?: unknown; error?: unknown };
}

/**
 * Chooses the device's answer, unless the server's is there and better: where packs may lack tenders, and for words that
 * the server reads by other rules; an id that only the device finds stays. `older`: whether the server was asked for the missing tenders, or could not be.
 */
export function chooseAnswer({ isPartial, isOutdated, isOnlyOnDevice, rows, server }: AnswerFacts): {
  isFromDevice: boolean;
  older: 'asked' | 'missing' | undefined;
} {
  const isServed = server.answer !== undefined;
  const missing = server.error === undefined ? 'asked' : 'missing';
  const older = isPartial && !isServed ? missing : undefined;
  // The server may have tenders for a page that is empty on the device.
  const isUseful = older !== 'asked' || rows > 0;
  const isReplaced = isServed && (isPartial || isOutdated) && !isOnlyOnDevice;
  return { isFromDevice: !isReplaced && isUseful, older };
}

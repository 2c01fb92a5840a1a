/** Shares from other apps: a link to a tender, a tender's id at its portal, or any text. */
import { MAX_QUERY_CHARACTERS } from '@nivida/contract/tenders/tender';
import { linkedIds, namesSeveral, portalIds } from '@nivida/contract/tenders/tender-numbers';

/** A tender of this app, an id to search for, a list of several, or text for the search form. The text may be empty. */
type ReceivedShare = { tender: string } | { sourceId: string } | { list: string } | { words: string };

/**
 * Reads `?title&text&url` of the share target. Each of the three may contain the whole message. `host` is
 * this app's.
 */
export function parseReceivedShare(params: URLSearchParams, host: string): ReceivedShare {
  const texts = ['text', 'url', 'title'].map((name) => params.get(name) ?? '');
  const message = texts.join('\n');
  if (namesSeveral(message, host)) return { list: message };
  const [tender] = linkedIds(message, host);
  if (tender) return { tender };
  const sourceId = portalIds(message).find((id) => !isNit(id));
  if (sourceId) return { sourceId };
  const words = texts.map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()).find((text) => text !== '') ?? '';
  return { words: words.slice(0, MAX_QUERY_CHARACTERS).trim() };
}

/** An NIT of GePNIC has several works, so it is searched like words. */
const isNit = (id: string): boolean => /^\d{4}_[A-Za-z0-9]+_\d+$/.test(id);

/** The address that shows a received share. */
export function pageForShare(received: ReceivedShare): string {
  if ('tender' in received) return `/tenders/${received.tender}`;
  if ('list' in received) return '/add-tenders';
  if ('sourceId' in received) return `/tenders/results?q=${encodeURIComponent(received.sourceId)}`;
  return received.words === '' ? '/tenders' : `/tenders?${new URLSearchParams({ q: received.words })}`;
}

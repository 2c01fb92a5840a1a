/** Shares from other apps: a link to a tender, a tender's id at its portal, or any text. */
import { MAX_QUERY_CHARACTERS, type TenderSummary } from '@nivida/contract/tenders/tender';

/** A tender of this app, an id to search, or text for the search form (empty without any). */
export type ReceivedShare = { tender: string } | { sourceId: string } | { words: string };

// Messengers put * and _ around words, so an underscore may precede the id.
const SOURCE_ID_PATTERN = /(?<![A-Za-z0-9])(?:\d{4}_[A-Za-z0-9]+_\d+_\d+|GEM\/\d{4}\/[A-Z]{1,2}\/\d+)(?![A-Za-z0-9])/;

/** Reads `?title&text&url` of the share target, each of which may hold the whole message; `host` is this app's. */
export function parseReceivedShare(params: URLSearchParams, host: string): ReceivedShare {
  const texts = ['text', 'url', 'title'].map((name) => params.get(name) ?? '');
  const message = texts.join('\n');
  const link = new RegExp(
    `(?<![\\w.-])${host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/tenders/(\\d{1,10})(?![\\w-])`,
    'i',
  );
  const tender = link.exec(message)?.[1];
  if (tender) return { tender };
  const sourceId = SOURCE_ID_PATTERN.exec(message)?.[0];
  if (sourceId) return { sourceId };
  const words = texts.map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()).find((text) => text !== '') ?? '';
  return { words: words.slice(0, MAX_QUERY_CHARACTERS).trim() };
}

/** The address that shows a received share. */
export function pageForShare(received: ReceivedShare): string {
  if ('tender' in received) return `/tenders/${received.tender}`;
  if ('sourceId' in received) return `/tenders/results?q=${encodeURIComponent(received.sourceId)}`;
  return received.words === '' ? '/tenders' : `/tenders?${new URLSearchParams({ q: received.words })}`;
}

/**
 * The address after a search for a received id: the one tender with this id; the closed tenders when no open one has it,
 * and back when none has; else null, to stay at the list. A tender that only mentions the id does not count. `state` is the
 * one that was searched, '' for all.
 */
export function nextPageForSourceId(
  sourceId: string,
  isOpen: boolean,
  found: readonly TenderSummary[],
  state = '',
): string | null {
  const wantedId = sourceId.toUpperCase();
  const [one, ...more] = found.filter((tender) => tender.source_tender_id.toUpperCase() === wantedId);
  if (one) return more.length === 0 ? `/tenders/${one._id}` : null;
  const search = new URLSearchParams({ ...(state && { state }), q: sourceId });
  if (isOpen) search.set('open', '0');
  return `/tenders/results?${search}`;
}

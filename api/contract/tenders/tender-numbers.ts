/** The tenders that a text names plainly: by ids of GePNIC and GeM, and by links of this app. Screens load it at once. */
import { MAX_INTEGER_ID } from '../limits.ts';

// Messengers put * and _ around words, so an underscore may precede the id.
const PORTAL_ID = /(?<![A-Za-z0-9])(?:\d{4}_[A-Za-z0-9]+_\d+(?:_\d+)?|GEM\/\d{4}\/[A-Z]{1,2}\/\d+)(?![A-Za-z0-9])/gi;
export const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

/** The ids of this app's tenders in links of a text. `host` is this app's. */
export function linkedIds(text: string, host: string): string[] {
  const link = new RegExp(
    `(?<![\\w.-])${host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:/[a-z]{2})?/tenders/(\\d{1,10})(?![\\w-])`,
    'gi',
  );
  return distinct(Array.from(text.matchAll(link), ([, id = '']) => id)).filter((id) => Number(id) <= MAX_INTEGER_ID);
}

/** The ids of GePNIC and GeM in a text, and NITs of GePNIC. Links of portals may contain them. */
export const portalIds = (text: string): string[] =>
  distinct(Array.from(text.replace(/%2F/gi, '/').matchAll(PORTAL_ID), ([id]) => id));

/** True when the words of a search name several tenders by their ids. */
export const hasSeveralIds = (words: string): boolean => portalIds(words).length > 1;

/** True when a shared or typed text names several tenders. The link and the number of one tender count once. */
export const namesSeveral = (text: string, host: string): boolean =>
  Math.max(linkedIds(text, host).length, portalIds(text).length) > 1;

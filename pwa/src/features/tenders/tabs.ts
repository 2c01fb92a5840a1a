/** The tabs of the tender page, by the URL's fragment. */
export type TenderTab = 'overview' | 'documents' | 'bidding';

/** The tab of '#documents', '#bidding' or '#changes' (a part of bidding); anything else is the overview. */
export function tenderTabOfHash(hash: string): TenderTab {
  if (hash === '#documents') return 'documents';
  return hash === '#bidding' || hash === '#changes' ? 'bidding' : 'overview';
}

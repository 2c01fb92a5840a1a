/** The tabs of the detail page, by the name in the address's fragment. */
export type TenderTab = 'overview' | 'documents' | 'bidding';

/** The tab of '#documents', '#bidding' or '#changes' (a part of bidding); anything else is the overview. */
export function tenderTabOfHash(hash: string): TenderTab {
  if (hash === '#documents') return 'documents';
  return hash === '#bidding' || hash === '#changes' ? 'bidding' : 'overview';
}

/** One tender of a source with its bids and its result. Days are Indian, 'YYYY-MM-DD'; money is rupees. */
export interface Award {
  portal: string;
  sourceId: string;
  /** Listed name of the state. */
  state: string;
  title: string;
  organisationChain: string[];
  category: string | null;
  pincode: string | null;
  /** Null when the source publishes none, or 0. */
  estimate: number | null;
  awardedValue: number | null;
  publishedOn: string | null;
  closesOn: string | null;
  contractOn: string | null;
  bids: Bid[];
}

/** One bid as the source lists it. */
export interface Bid {
  bidId: string;
  /** Name of the firm as the source writes it. */
  bidder: string | null;
  /** Indian wall time 'YYYY-MM-DDTHH:MM'. */
  submittedAt: string | null;
  /** The portal's word, like 'Rejected-Technical'. */
  status: string;
  remarks: string | null;
  updatedOn: string | null;
  rank: string | null;
  /** Quoted rupees, if the source publishes them. */
  value: number | null;
  awarded: boolean;
}

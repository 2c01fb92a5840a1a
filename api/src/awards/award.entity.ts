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
  /** Set when the source's amounts are not in rupees. All amounts are then null. */
  currency?: string;
  publishedOn: string | null;
  closesOn: string | null;
  contractOn: string | null;
  bids: AwardBid[];
  /** True when the source names only the winners: the number of bidders is then unknown. */
  areBidsUnknown?: true;
}

/** One bid as the source lists it. */
export interface AwardBid {
  /** Name of the firm as the source writes it. */
  bidder: string | null;
  submittedAt: Date | null;
  /** The portal's word, like 'Rejected-Technical'. */
  status: string;
  updatedOn: string | null;
  /** The source marks it as the winner. */
  awarded: boolean;
}

/** Rupees; the columns cannot store more. */
export const MAX_AWARD_AMOUNT = 1e14;

/** Whether the source lists the bid as accepted. */
export const isAcceptedBid = ({ status }: Pick<AwardBid, 'status'>): boolean => status.startsWith('Accepted');

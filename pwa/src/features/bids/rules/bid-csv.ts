/** The user's bids as a CSV file. */
import { csvLine } from '@nivida/contract/csv';
import { formatDate, formatDateTime } from '@nivida/contract/format';
import { closingText } from '@nivida/contract/tenders/closing';
import { ownRatePercent, ownRateRupees, stageOf } from './bid.ts';
import type { ListedBid } from './bid-list.ts';
import { STAGE_LABELS } from './stages.ts';

/** The sums of a bid's deposits. */
interface CsvMoney {
  heldPaise: number;
  returnedPaise: number;
}

const HEADERS = [
  'Stage',
  'Title',
  'Office',
  'Tender ID',
  'Portal',
  'Closing',
  'Estimate (₹)',
  'My rate (₹)',
  'My rate (% of the estimate, above positive)',
  'Submitted',
  'Bid ID at the portal',
  'Awarded value (₹)',
  'Winner as the source writes it',
  'My rank',
  'Reason of rejection',
  'Money held (₹)',
  'Money returned (₹)',
  'Note',
  'Added',
];

type Cell = string | number | null | undefined;

const cellText = (value: Cell): string => String(value ?? '');

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);
const rupees = (paise: number | undefined): number | null => (paise === undefined ? null : paise / 100);

/** The text of the file. It begins with a byte order mark, which Excel needs for Hindi. */
export function bidsCsv(bids: readonly ListedBid[], moneyOf: (bidId: string) => CsvMoney): string {
  const rows = bids.map(({ bid, facts }): Cell[] => {
    const { heldPaise, returnedPaise } = moneyOf(bid.id);
    return [
      STAGE_LABELS[stageOf(bid)],
      facts.title,
      facts.office,
      facts.sourceTenderId,
      facts.sourcePortal,
      facts.closing && closingText(facts.closing),
      facts.estimate,
      rounded(ownRateRupees(bid, facts.estimate)),
      rounded(ownRatePercent(bid, facts.estimate)),
      bid.submittedAt && formatDateTime(bid.submittedAt),
      bid.portalBidId,
      rupees(bid.awardedPaise),
      bid.winner,
      bid.rank,
      bid.rejectionReason,
      heldPaise / 100,
      returnedPaise / 100,
      bid.note,
      bid.createdAt && formatDate(bid.createdAt),
    ];
  });
  return `\ufeff${[HEADERS, ...rows].map((row) => csvLine(row.map(cellText))).join('')}`;
}

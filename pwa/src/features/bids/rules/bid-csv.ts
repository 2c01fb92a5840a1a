/** The user's bids as a CSV file. */
import { t } from '@lingui/core/macro';
import { csvLine } from '@nivida/contract/csv';
import { formatDate, formatDateTime } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import { type Closing, closingText } from '@nivida/contract/tenders/closing';
import { ownRatePercent, ownRateRupees, stageOf } from './bid.ts';
import type { ListedBid } from './bid-list.ts';
import { stageLabel } from './stages.ts';

/** The sums of a bid's deposits. */
interface CsvMoney {
  heldPaise: number;
  returnedPaise: number;
}

const headers = (): string[] => [
  t`Stage`,
  t`Title`,
  t`Office`,
  t`Tender ID`,
  t`Portal`,
  t`Closing`,
  t`Estimate (₹)`,
  t`My rate (₹)`,
  t`My rate (% of the estimate, above positive)`,
  t`Submitted`,
  t`Bid ID at the portal`,
  t`Awarded value (₹)`,
  t`Winner as the source writes it`,
  t`My rank`,
  t`Reason of rejection`,
  t`Money held (₹)`,
  t`Money returned (₹)`,
  t`Note`,
  t`Added`,
];

/** Spreadsheets sort and read dates in English only. */
const inEnglish = (date: () => string): string => inLanguage('en', date);

type Cell = string | number | null | undefined;

const cellText = (value: Cell): string => String(value ?? '');

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);
const rupees = (paise: number | undefined): number | null => (paise === undefined ? null : paise / 100);

/** The text of the file. It begins with a byte order mark, which Excel needs for Hindi. */
export function bidsCsv(bids: readonly ListedBid[], moneyOf: (bidId: string) => CsvMoney): string {
  const rows = bids.map(({ bid, facts }): Cell[] => {
    const { heldPaise, returnedPaise } = moneyOf(bid.id);
    return [
      stageLabel(stageOf(bid)),
      facts.title,
      facts.office,
      facts.sourceTenderId,
      facts.sourcePortal,
      facts.closing && inEnglish(() => closingText(facts.closing as Closing)),
      facts.estimate,
      rounded(ownRateRupees(bid, facts.estimate)),
      rounded(ownRatePercent(bid, facts.estimate)),
      bid.submittedAt && inEnglish(() => formatDateTime(bid.submittedAt)),
      bid.portalBidId,
      rupees(bid.awardedPaise),
      bid.winner,
      bid.rank,
      bid.rejectionReason,
      heldPaise / 100,
      returnedPaise / 100,
      bid.note,
      bid.createdAt && inEnglish(() => formatDate(bid.createdAt)),
    ];
  });
  return `\ufeff${[headers(), ...rows].map((row) => csvLine(row.map(cellText))).join('')}`;
}

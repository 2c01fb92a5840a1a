/** Words for what a tender does not have. */
import { t } from '@lingui/core/macro';
import { amountText } from '../format.ts';
import type { TenderSummary } from './tender.ts';

type MaybeListed = Pick<TenderSummary, 'is_listed'>;

/** A full notice leaves a value out; a portal's list never has it, and a later file may. */
export const missingValueText = ({ is_listed }: MaybeListed): string =>
  is_listed ? t`Not in the list` : t`Not specified`;

/** EMD or a fee of a tender, like `amountText`. */
export const tenderAmount = (rupees: string | null, tender: MaybeListed): string =>
  rupees === null ? missingValueText(tender) : amountText(rupees);

/** What stands for an estimate that a tender does not have. */
export const missingEstimate = ({ is_listed }: MaybeListed): string =>
  is_listed ? t`Estimate not in the list` : t`Estimate not published`;

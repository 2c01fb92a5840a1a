/**
 * The cash that a bid on a tender locks: EMD, tender fee, performance security, and additional security at the bidder's
 * rate. An amount that neither the portal nor a rule states is unknown, never zero. Money is in rupees.
 */
import { t } from '@lingui/core/macro';
import { formatRupees } from '../format.ts';
import type { Tender } from '../tenders/tender.ts';
import biddingRules from './bidding-rules.json' with { type: 'json' };
import { authorityOf, type RuledTender, sourceText, wasInForceAtPublication } from './may-i-bid.ts';

export type CashTender = RuledTender & Pick<Tender, 'emd' | 'tender_fee' | 'emd_exemption_allowed'>;

export interface OwnTerms {
  /** The bidder's rate in percent of the estimate: 10 % below is -10. Null while it is unknown. */
  ratePercent: number | null;
  /** Performance security of the NIT in percent of the contract's value; null while it is unknown. */
  performancePercent: number | null;
}

export interface CashLine {
  id: 'emd' | 'tender_fee' | 'performance' | 'additional';
  label: string;
  /** Null: unknown. */
  rupees: number | null;
  text: string;
  /** The rule's source with its date; null for the portal's or the bidder's own figure. */
  source: string | null;
}

interface CashNeeded {
  lines: CashLine[];
  /** Sum of the known lines. */
  total: number;
  /** Labels of the unknown lines. */
  unknown: string[];
}

function emdLine({ emd, price, emd_exemption_allowed, category }: CashTender): CashLine {
  const line = { id: 'emd', label: t`EMD` } as const;
  if (emd === null) {
    const { lowPercent, highPercent, source } = biddingRules.emd;
    const text =
      price === null
        ? t`Not published. Usually ${lowPercent} % to ${highPercent} % of the estimate.`
        : t`Not published. Usually ${lowPercent} % to ${highPercent} % of the estimate: ${{ low: formatRupees((price * lowPercent) / 100) }} to ${{ high: formatRupees((price * highPercent) / 100) }}.`;
    return { ...line, rupees: null, text, source: sourceText(source) };
  }
  if (Number(emd) === 0) return { ...line, rupees: 0, text: t`Not required, as the portal says.`, source: null };
  if (emd_exemption_allowed && category === 'Works') {
    const text = t`The portal allows an exemption, but that for MSE does not extend to works contracts.`;
    return { ...line, rupees: Number(emd), text, source: sourceText(biddingRules.mseExemption.source) };
  }
  const text = emd_exemption_allowed
    ? t`As the portal publishes it. It allows an exemption; read in the NIT for whom.`
    : t`As the portal publishes it.`;
  return { ...line, rupees: Number(emd), text, source: null };
}

function feeLine(tender: CashTender): CashLine {
  const line = { id: 'tender_fee', label: t`Tender fee` } as const;
  if (tender.tender_fee !== null)
    return { ...line, rupees: Number(tender.tender_fee), text: t`As the portal publishes it.`, source: null };
  const authority = authorityOf(tender);
  const table = biddingRules.tenderFees.find(
    (each) => each.authority === authority?.id && wasInForceAtPublication(each, tender),
  );
  const { price } = tender;
  const band = price === null ? undefined : table?.bands.find(({ upTo }) => upTo === null || price <= upTo);
  if (!table || !band) return { ...line, rupees: null, text: t`Not published. Read the NIT.`, source: null };
  const text = t`Not published; the usual fee of this department.`;
  return { ...line, rupees: band.rupees, text, source: sourceText(table.source) };
}

/** The value of the contract at the bidder's rate. */
const contractValue = ({ price }: CashTender, { ratePercent }: OwnTerms): number | null =>
  price === null || ratePercent === null ? null : price * (1 + ratePercent / 100);

function performanceLine(tender: CashTender, own: OwnTerms): CashLine {
  const line = { id: 'performance', label: t`Performance security` } as const;
  const value = contractValue(tender, own);
  if (own.performancePercent !== null) {
    const text = t`${{ percent: own.performancePercent }} % of the contract's value, as you entered.`;
    return { ...line, rupees: value === null ? null : (value * own.performancePercent) / 100, text, source: null };
  }
  const authority = authorityOf(tender);
  const rule = biddingRules.performanceSecurity.find((each) => each.authority === authority?.id);
  if (!rule)
    return { ...line, rupees: null, text: t`Not known for this office. Enter the percent of the NIT.`, source: null };
  const basis = value === null || tender.price === null ? null : Math.max(value, tender.price);
  const text = t`${{ percent: rule.percent }} % of the higher of estimate and contract.`;
  return {
    ...line,
    rupees: basis === null ? null : (basis * rule.percent) / 100,
    text,
    source: sourceText(rule.source),
  };
}

type AdditionalRule = (typeof biddingRules.additionalSecurity)[number];

function additionalAmount(rule: AdditionalRule, price: number, ratePercent: number): CashLine['rupees'] {
  const bid = price * (1 + ratePercent / 100);
  if (rule.sharePercent !== undefined) return Math.max(0, (price * rule.sharePercent) / 100 - bid);
  const below = Math.max(0, -ratePercent);
  const band = rule.bands?.find(({ belowPercent }) => below <= belowPercent);
  return band ? (Math.max(0, price - bid) * band.differencePercent) / 100 : null;
}

function additionalLine(tender: CashTender, { ratePercent }: OwnTerms): CashLine {
  const line = { id: 'additional', label: t`Additional security for a low bid` } as const;
  const authority = authorityOf(tender);
  const rule = biddingRules.additionalSecurity.find(
    (each) =>
      (each.state === null || each.state === tender.state) &&
      (each.authority === null || each.authority === authority?.id) &&
      wasInForceAtPublication(each, tender),
  );
  if (!rule) return { ...line, rupees: null, text: t`Not known for this office. Read the NIT.`, source: null };
  const source = sourceText(rule.source);
  if (tender.price === null || ratePercent === null)
    return { ...line, rupees: null, text: t`Depends on your rate and the estimate.`, source };
  const rupees = additionalAmount(rule, tender.price, ratePercent);
  if (rupees === null) return { ...line, rupees, text: t`So low a bid was rejected under this rule.`, source };
  return { ...line, rupees, text: rupees === 0 ? t`None at this rate.` : t`At this rate.`, source };
}

/** The cash that a bid locks: one line for each amount, with its rule. */
export function cashNeeded(tender: CashTender, own: OwnTerms): CashNeeded {
  const lines = [emdLine(tender), feeLine(tender), performanceLine(tender, own), additionalLine(tender, own)].map(
    (line) => ({ ...line, rupees: line.rupees === null ? null : Math.round(line.rupees * 100) / 100 }),
  );
  return {
    lines,
    total: lines.reduce((sum, { rupees }) => sum + (rupees ?? 0), 0),
    unknown: lines.filter(({ rupees }) => rupees === null).map(({ label }) => label),
  };
}

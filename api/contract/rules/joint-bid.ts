/**
 * Whether partners may bid together, by the rule for joint bids in the NIT and their own figures. Each text says which
 * figure is whose. Money is in rupees. Nothing of it leaves the device.
 */
import { plural, t } from '@lingui/core/macro';
import * as v from 'valibot';
import { formatRupees } from '../format.ts';
import { inPresentLanguage } from '../i18n.ts';
import biddingRules from './bidding-rules.json' with { type: 'json' };
import {
  BidProfile,
  type BidReason,
  bidCapacity,
  enlistmentReason,
  profileYears,
  type RuledTender,
  similarWorksReason,
  sourceText,
  turnoverYears,
} from './may-i-bid.ts';

/** Maximum partners of a user. */
export const MAX_PARTNERS = 3;

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));

/** Another firm with the figures that it gave the user. */
export const BidPartner = v.object({
  id: v.string(),
  name,
  works: BidProfile.entries.works,
  turnover: BidProfile.entries.turnover,
  commitments: BidProfile.entries.commitments,
});
export type BidPartner = v.InferOutput<typeof BidPartner>;

/** The rule of the NIT: figures are added; `shares`: they are added, and each partner must reach a share of what is asked. */
const JointRule = v.variant('kind', [
  v.object({ kind: v.literal('sum') }),
  v.object({ kind: v.literal('shares'), leadPercent: percent, partnerPercent: percent }),
]);
export type JointRule = v.InferOutput<typeof JointRule>;

/** The joint bid for one tender. */
export const JointBid = v.object({
  partnerIds: v.array(v.string()),
  /** Id of the lead partner; null for the user. */
  lead: v.nullable(v.string()),
  /** Null while the user has not read it in the NIT. */
  rule: v.nullable(JointRule),
});
export type JointBid = v.InferOutput<typeof JointBid>;

type Figures = Pick<BidProfile, 'works' | 'turnover' | 'commitments'>;
type Member = Figures & {
  /** Name of the partner; null for the user. */
  name: string | null;
  isLead: boolean;
};

const ask = (text: string, source: string | null = null): BidReason => ({ verdict: 'ask', text, source });
const memberName = ({ name: partner }: Member): string => partner ?? t({ message: 'You', context: 'partner of a bid' });

/** 'You ₹5.00 Lakh, Asha & Co ₹2.00 Lakh' */
const whose = (members: readonly Member[], figureOf: (member: Member) => string): string =>
  members.map((member) => `${memberName(member)} ${figureOf(member)}`).join(', ');

/** A member's average of the years of the rule; undefined while one of them is missing. */
function averageTurnover({ turnover }: Figures, now: Date): number | undefined {
  const values = turnoverYears(now).flatMap((year) => turnover[year] ?? []);
  const { years } = biddingRules.turnover;
  return values.length < years ? undefined : values.reduce((sum, value) => sum + value, 0) / years;
}

function turnoverReason({ price }: RuledTender, members: readonly Member[], rule: JointRule, now: Date): BidReason {
  if (price === null) return ask(t`Turnover: the portal publishes no estimate.`);
  const { years, percent: share } = biddingRules.turnover;
  const missing = members.filter((member) => averageTurnover(member, now) === undefined);
  if (missing.length > 0)
    return ask(
      t`Turnover of the last ${years} financial years is not entered for: ${{ names: missing.map(memberName).join(', ') }}.`,
    );
  const averageOf = (member: Member) => averageTurnover(member, now) ?? 0;
  const together = members.reduce((sum, member) => sum + averageOf(member), 0);
  const needed = (price * share) / 100;
  const source = sourceText(biddingRules.turnover.source);
  const figures = t`Average turnover together ${{ sum: formatRupees(together) }}: ${{ list: whose(members, (member) => formatRupees(averageOf(member))) }}.`;
  const asked = formatRupees(needed);
  if (together < needed)
    return ask(`${figures} ${t`That is below ${asked}. Does this NIT ask for ${share} % of the estimate?`}`, source);
  const short =
    rule.kind === 'shares' ? members.filter((member) => averageOf(member) < ownShare(member, rule, needed)) : [];
  if (rule.kind === 'shares' && short.length > 0)
    return ask(
      `${figures} ${t`By the shares that you entered, too little alone: ${{ list: whose(short, (member) => t`(at least ${{ amount: formatRupees(ownShare(member, rule, needed)) }})`) }}.`}`,
      source,
    );
  return ask(`${figures} ${t`That reaches ${share} % of the estimate. Does this NIT ask for more?`}`, source);
}

const ownShare = ({ isLead }: Member, rule: JointRule & { kind: 'shares' }, needed: number): number =>
  (needed * (isLead ? rule.leadPercent : rule.partnerPercent)) / 100;

function worksReason(tender: RuledTender, profile: BidProfile, members: readonly Member[], now: Date): BidReason {
  const reason = similarWorksReason(tender, { ...profile, works: members.flatMap(({ works }) => works) }, now);
  if (tender.price === null) return reason;
  const list = whose(members, ({ works }) => plural(works.length, { one: '# work', other: '# works' }));
  return { ...reason, text: `${t`Works of all partners: ${list}.`} ${reason.text}` };
}

/** A·N·M − B of each member, added. */
function capacityReason(
  { price, period_of_work_days: days }: RuledTender,
  { multiplier }: BidProfile,
  members: readonly Member[],
  now: Date,
): BidReason {
  if (price === null) return ask(t`Bid capacity: the portal publishes no estimate.`);
  if (days === null || days <= 0) return ask(t`Bid capacity: the portal names no period of work.`);
  const capacities = members.map((member) => {
    const values = profileYears(now).flatMap((year) => member.turnover[year] ?? []);
    if (values.length === 0 || member.commitments === null) return null;
    const largest = Math.max(...values);
    return bidCapacity({ largest, years: days / 365, multiplier, commitments: member.commitments });
  });
  const missing = members.filter((_, index) => capacities[index] === null);
  if (missing.length > 0)
    return ask(
      t`Bid capacity: turnover or works in hand are not entered for: ${{ names: missing.map(memberName).join(', ') }}.`,
    );
  const known = capacities.map((capacity) => Math.max(0, Math.round(capacity ?? 0)));
  const together = known.reduce((sum, capacity) => sum + capacity, 0);
  const source = t`A·N·M − B with M ${multiplier}, ${{ source: inPresentLanguage(biddingRules.bidCapacity.source) }}. Check the NIT.`;
  const list = whose(members, (member) => formatRupees(known[members.indexOf(member)] ?? 0));
  const figures = t`Bid capacity together ${{ sum: formatRupees(together) }}: ${list}.`;
  return ask(
    `${figures} ${together < price ? t`That is below the estimate. Does this NIT ask for it?` : t`That is at least the estimate. Does this NIT add capacities?`}`,
    source,
  );
}

/** Whose enlistment counts is written in the NIT, so a missing one of the user is a question. */
function jointEnlistmentReason(tender: RuledTender, profile: BidProfile): BidReason {
  const own = enlistmentReason(tender, profile);
  if (own.verdict === 'yes')
    return ask(`${own.text} ${t`Must each partner be enlisted? Read it in the NIT.`}`, own.source);
  return ask(`${own.text} ${t`A partner's enlistment may count. Read it in the NIT.`}`, own.source);
}

/**
 * What is to say about a joint bid. Only questions: which rule applies stands in the NIT. Without the rule of the NIT it is
 * the question for it.
 */
export function jointReasons(
  tender: RuledTender,
  profile: BidProfile,
  partners: readonly BidPartner[],
  { partnerIds, lead, rule }: JointBid,
  now: Date,
): BidReason[] {
  if (rule === null)
    return [ask(t`Which rule for joint bids stands in the NIT? Choose it, and the figures are added by it.`)];
  const chosen = partners.filter(({ id }) => partnerIds.includes(id));
  const leadId = chosen.some(({ id }) => id === lead) ? lead : null;
  const members: Member[] = [
    { ...profile, name: null, isLead: leadId === null },
    ...chosen.map((partner) => ({ ...partner, isLead: leadId === partner.id })),
  ];
  return [
    jointEnlistmentReason(tender, profile),
    worksReason(tender, profile, members, now),
    turnoverReason(tender, members, rule, now),
    capacityReason(tender, profile, members, now),
  ];
}

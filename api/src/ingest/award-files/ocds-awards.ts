/** The award in an OCDS release: `awards`, `tender.tenderers` and the extension for bids. */
import type { Readable } from 'node:stream';
import { indianDay } from '@nivida/contract/format';
import { dayText } from '@nivida/contract/time';
import { type Award, type AwardBid, MAX_AWARD_AMOUNT } from '../../awards/award.entity.ts';
import { optionalText } from '../cells/normalise.ts';
import { type OcdsRow, readOcds } from '../ocds/ocds.ts';
import { instantOf, mergeReleases } from '../ocds/ocds-merge.ts';
import type { Release } from '../ocds/ocds-schema.ts';
import type { OcdsOptions } from '../ocds/ocds-tender.ts';
import type { MergedRow } from '../ocds/release-history.ts';
import type { SourceTender } from '../source-tender.ts';

/** Yields the awards of a file's releases, or of the rows that `merge` makes of them. Releases without an award are skipped. */
export async function* readOcdsAwards(
  input: Readable,
  options: OcdsOptions,
  merge: (rows: AsyncIterable<OcdsRow>) => AsyncIterable<MergedRow> = readAlone,
): AsyncGenerator<{ line: number; award: Award }> {
  for await (const row of merge(readOcds(input, options))) {
    const award = 'tender' in row && row.hasAwardNews && row.merged && toAward(row.merged, row.tender);
    if (award) yield { line: row.line, award };
  }
}

async function* readAlone(rows: AsyncIterable<OcdsRow>): AsyncGenerator<MergedRow> {
  for await (const { release, ...row } of rows)
    yield { ...row, ...(release && { merged: mergeReleases(release), hasAwardNews: true }) };
}

/** The Indian day 'YYYY-MM-DD'. */
const indianDayText = (instant: Date) => dayText(indianDay(instant));

function toAward(release: Release, tender: SourceTender): Award | null {
  const awards = (release.awards ?? []).filter(({ status }) => status === 'active' || status == null);
  if (awards.length === 0) return null;
  const [first] = awards;
  const currency = first?.value?.currency ?? 'INR';
  const isRupees = currency === 'INR' && tender.priceText === null;
  const amount = awards.length === 1 && isRupees ? (first?.value?.amount ?? null) : null;
  const days = awards.flatMap(({ date }) => (date ? [indianDayText(new Date(instantOf(date)))] : [])).sort();
  const { bids, areBidsUnknown } = readBids(release, awards, days.at(-1) ?? null);
  return {
    portal: tender.portal,
    sourceId: tender.sourceId,
    state: tender.state,
    title: tender.title,
    organisationChain: tender.organisationChain,
    category: tender.category,
    pincode: tender.pincode,
    estimate: isRupees && tender.price !== null ? Number(tender.price) : null,
    awardedValue: amount && amount > 0 && amount < MAX_AWARD_AMOUNT ? amount : null,
    ...(isRupees ? {} : { currency }),
    publishedOn: indianDayText(tender.publishedAt),
    closesOn: indianDayText(tender.closesAt),
    contractOn: days.at(-1) ?? null,
    bids,
    ...(areBidsUnknown ? { areBidsUnknown } : {}),
  };
}

type OcdsAward = NonNullable<Release['awards']>[number];

/** The winners, and the other bids with the portals' status. */
function readBids(
  { bids: published, tender }: Release,
  awards: readonly OcdsAward[],
  updatedOn: string | null,
): { bids: AwardBid[]; areBidsUnknown?: true } {
  const winners = awards
    .flatMap(({ suppliers }) => suppliers ?? [])
    .map(({ name }) => toBid(optionalText(name), 'Accepted-AOC', updatedOn));
  const isWinner = (name: string | null | undefined) => winners.some(({ bidder }) => bidder === optionalText(name));
  const details = published?.details;
  if (details) {
    const others = details
      .filter(({ status, tenderers }) => status !== 'withdrawn' && !tenderers?.some(({ name }) => isWinner(name)))
      .map(({ status }) => toBid(null, status === 'disqualified' ? 'Rejected-Technical' : 'Rejected-Finance', null));
    return { bids: [...winners, ...others] };
  }
  const count = tender?.numberOfTenderers ?? tender?.tenderers?.length;
  if (count === undefined || count < winners.length) return { bids: winners, areBidsUnknown: true };
  const others = Array.from({ length: Math.min(count, 1_000) - winners.length }, () =>
    toBid(null, 'Rejected-Finance', null),
  );
  return { bids: [...winners, ...others] };
}

const toBid = (bidder: string | null, status: string, updatedOn: string | null): AwardBid => ({
  bidder,
  submittedAt: null,
  status,
  updatedOn,
  awarded: status === 'Accepted-AOC',
});

import type { Tender } from '@nivida/contract/tenders/tender';
import { useAward, useTenderOffice } from '../../features/awards/award-queries.ts';
import type { DeskBid } from '../../features/bids/desk.ts';
import type { DeskRows } from '../../features/bids/read-desk.ts';
import { isHeld, kindLabel, leftPaise } from '../../features/deposits/deposit.ts';
import { BidLetters } from '../../features/letters/BidLetters.tsx';
import { type BidLetterFacts, bidEnd } from '../../features/letters/bid-letters.ts';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';
import { depositNames, useBidLetters } from './bid-letter-rows.ts';

interface LettersPartProps {
  listed: DeskBid;
  rows: DeskRows;
  tender: Tender | undefined;
  now: Date;
}

/** What the source says of a tender's award; null while it is not known. */
function useSourceAward(tenderId: string | undefined) {
  const award = useTenderOffice(tenderId ?? null).answer?.award ?? null;
  const winner = useAward(award?.id ?? null).answer?.award.winner?.name;
  return award && { ...award, winner };
}

/** The letters of a bid, with its facts and those of its award. */
export function LettersPart({ listed, rows, tender, now }: LettersPartProps) {
  const { bid, facts, deposits } = listed;
  const award = useSourceAward(tender?._id);
  const letters = useBidLetters(bid.id);
  const end = bidEnd(bid, facts.status);
  const awardedPaise = award?.awardedValue ? Math.round(award.awardedValue * 100) : undefined;
  const letterFacts: BidLetterFacts | null = end && {
    end,
    title: facts.title,
    office: facts.office,
    sourceTenderId: facts.sourceTenderId,
    submittedAt: bid.submittedAt,
    portalBidId: bid.portalBidId,
    openedAt: facts.openingAt && facts.openingAt <= now ? facts.openingAt : null,
    contractOn: award?.contractOn ?? null,
    awardedPaise: bid.awardedPaise ?? awardedPaise,
    winner: bid.winner ?? award?.winner,
    rejectionReason: bid.rejectionReason,
    firm: rows.firmNames[0] ?? '',
    address: rows.firmAddress,
  };
  const isOver = end !== null && end !== 'pending' && end !== 'won';
  const held = isOver
    ? deposits.filter(isHeld).map((deposit) => ({ deposit, label: kindLabel(deposit), heldPaise: leftPaise(deposit) }))
    : [];
  return (
    <BidLetters
      bidId={bid.id}
      facts={letterFacts}
      held={held}
      letters={letters}
      depositName={depositNames(deposits)}
      now={now}
      renderCopy={(label, makeText) => <CopyListButton label={label} makeText={makeText} />}
    />
  );
}

import { bidValidity } from '@nivida/contract/documents/bid-validity';
import { findContradictions } from '@nivida/contract/documents/contradictions';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useTenderReading } from '../../data/readings/readings.ts';
import { type BidStage, isFinished } from '../../features/bids/rules/stages.ts';
import type { Deposit } from '../../features/deposits/deposit.ts';
import { shortInstruments } from '../../features/deposits/instrument-validity.ts';
import { Contradictions } from '../../features/document-facts/Contradictions.tsx';
import { Note } from '../../ui/feedback/Note.tsx';

interface BidReadingNotesProps {
  tender: Tender;
  stage: BidStage;
  deposits: readonly Deposit[];
}

/** Instruments that end too early, and where portal and documents differ. Renders nothing for a bid that is decided. */
export function BidReadingNotes({ tender, stage, deposits }: BidReadingNotesProps) {
  const { reading } = useTenderReading(tender._id);
  if (isFinished(stage)) return null;
  const short = shortInstruments(deposits, tender, bidValidity(tender, reading));
  return (
    <>
      {short.length > 0 && (
        <Note tone="amber" icon="clock">
          {short.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Note>
      )}
      {reading && <Contradictions tenderId={tender._id} found={findContradictions(tender, reading)} />}
    </>
  );
}

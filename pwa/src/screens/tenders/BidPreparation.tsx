import type { Tender } from '@nivida/contract/tenders/tender';
import { Checklist } from '../../features/checklist/Checklist.tsx';
import { MayIBid } from '../../features/eligibility/MayIBid.tsx';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';

/** Whether the user may bid for a tender, then what to upload. */
export function BidPreparation({ tender, now }: { tender: Tender; now: Date }) {
  return (
    <>
      <MayIBid tender={tender} now={now} />
      <Checklist
        tender={tender}
        now={now}
        renderCopy={(label, makeText) => <CopyListButton label={label} makeText={makeText} />}
      />
    </>
  );
}

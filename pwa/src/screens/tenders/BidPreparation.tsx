import { t } from '@lingui/core/macro';
import type { Tender } from '@nivida/contract/tenders/tender';
import { CashNeeded } from '../../features/deposits/CashNeeded.tsx';
import { MayIBid } from '../../features/eligibility/MayIBid.tsx';
import { Disclosure } from '../../ui/display/Disclosure.tsx';
import { BidChecklist } from '../bids/BidChecklist.tsx';
import { PrepareBid } from '../bids/PrepareBid.tsx';
import { OwnFilesOfTender } from '../readings/OwnFilesOfTender.tsx';

/** The button that adds the tender to the bids, whether the user may bid, and the checklist. */
export function BidPreparation({ tender, now }: { tender: Tender; now: Date }) {
  return (
    <>
      <PrepareBid tender={tender} />
      <MayIBid tender={tender} now={now} />
      <Disclosure title={t`Cash this bid locks`}>
        <CashNeeded tender={tender} ratePercent={null} />
      </Disclosure>
      <BidChecklist tender={tender} now={now} />
      <Disclosure title={t`Read my own NIT or BOQ`}>
        <OwnFilesOfTender tenderId={tender._id} />
      </Disclosure>
    </>
  );
}

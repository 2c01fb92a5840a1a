import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatDay } from '@nivida/contract/format';
import { missingValueText, tenderAmount } from '@nivida/contract/tenders/missing-value';
import { portalInfo } from '@nivida/contract/tenders/portals';
import type { Tender } from '@nivida/contract/tenders/tender';
import { CorrigendumList } from './corrigenda/CorrigendumList.tsx';
import { Fact, FactList } from './facts/FactList.tsx';
import { TenderFacts } from './facts/TenderFacts.tsx';
import { TenderTerm } from './facts/TenderTerm.tsx';
import { closingDateText, shortInstantText, submissionAdvice } from './labels.ts';

/** Dates, place and conditions of a bid, and the corrigenda. */
export function Bidding({ tender, now }: { tender: Tender; now: Date }) {
  const portal = portalInfo(tender.source_portal);
  const preBid = [tender.pre_bid_date && formatDay(tender.pre_bid_date, now), tender.pre_bid_place].filter(Boolean);
  const where = portal.address ? portal.name : t`the portal`;
  return (
    <>
      <FactList>
        <Fact name={t`Bid submission ends`} look="full">
          <time dateTime={tender.closing_date}>{closingDateText(tender, now)}</time>
          <p className="xs muted">{submissionAdvice(tender, now)}</p>
        </Fact>
        <Fact name={t`Bid submission starts`}>
          {tender.bid_start_date === null ? missingValueText(tender) : shortInstantText(tender.bid_start_date, now)}
        </Fact>
        <Fact name={t`Bid opening`}>{shortInstantText(tender.opening_date, now)}</Fact>
        <TenderFacts tender={tender} group="fees" />
        <Fact name={<TenderTerm form="EMD" word="emd" />}>{tenderAmount(tender.emd, tender)}</Fact>
        <TenderFacts tender={tender} group="conditions" />
        {preBid.length > 0 && (
          <Fact name={t`Pre-bid meeting`} look="full">
            {preBid.join(', ')}
          </Fact>
        )}
        <TenderFacts tender={tender} group="offices" />
        <Fact name={t`You need`} look="text">
          <Trans>
            A class 3 <TenderTerm form="DSC" word="dsc" /> token, registration in the required class, and GST
            registration. Bids are submitted at {where}, never here.
          </Trans>
        </Fact>
      </FactList>
      <CorrigendumList corrigenda={tender.corrigenda} now={now} />
    </>
  );
}

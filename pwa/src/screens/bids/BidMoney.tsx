import { t } from '@lingui/core/macro';
import { currentLanguage } from '@nivida/contract/i18n';
import { pathIn } from '@nivida/contract/languages';
import { emdValidity } from '@nivida/contract/rules/emd';
import type { Tender } from '@nivida/contract/tenders/tender';
import { Link } from 'react-router-dom';
import { bidPath } from '../../features/bids/BidCard.tsx';
import { type Bid, type BidFacts, ownRatePercent, stageOf } from '../../features/bids/rules/bid.ts';
import { BidDeposits } from '../../features/deposits/BidDeposits.tsx';
import { CashNeeded } from '../../features/deposits/CashNeeded.tsx';
import type { Deposit } from '../../features/deposits/deposit.ts';

/** The money of a bid: what is paid, and the cash that the bid needs. */
export function BidMoney(props: {
  bid: Bid;
  facts: BidFacts;
  tender: Tender | undefined;
  deposits: readonly Deposit[];
  now: Date;
}) {
  const { bid, facts, tender, deposits, now } = props;
  const stage = stageOf(bid);
  return (
    <div className="stack">
      {bid.tenderId && (
        <p>
          <Link to={`/tenders/${bid.tenderId}/boq`}>{t`Items of the BOQ, and my rates`}</Link>
        </p>
      )}
      <BidDeposits
        bid={{ id: bid.id, title: facts.title, path: pathIn(currentLanguage(), bidPath(bid.id)) }}
        deposits={deposits}
        expected={{ emd: facts.emd, tenderFee: facts.tenderFee }}
        emdValidity={tender ? emdValidity(tender) : null}
        end={stage === 'won' || stage === 'lost' ? stage : null}
        now={now}
      />
      {tender && (
        <section className="stack" aria-labelledby="cash-needed">
          <h2 id="cash-needed">{t`Cash this bid locks`}</h2>
          <CashNeeded tender={tender} ratePercent={ownRatePercent(bid, facts.estimate)} />
        </section>
      )}
    </div>
  );
}

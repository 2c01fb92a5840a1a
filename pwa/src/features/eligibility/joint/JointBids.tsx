import { t } from '@lingui/core/macro';
import { formatCount, formatRupees } from '@nivida/contract/format';
import { type BidPartner, jointReasons, MAX_PARTNERS } from '@nivida/contract/rules/joint-bid';
import { type BidProfile, turnoverYears } from '@nivida/contract/rules/may-i-bid';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useState } from 'react';
import { type DeviceQuery, useLiveRows } from '../../../data/device/live-query.ts';
import type { JointBidRows } from '../../../data/joint-bids.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { ReasonLine } from '../BidReasons.tsx';
import css from '../Eligibility.module.css';
import { JointRuleForm } from './JointRuleForm.tsx';
import { changeJointBid, EMPTY_JOINT_BID, removePartner } from './joint-actions.ts';
import { PartnerDialog } from './PartnerDialog.tsx';

const loadJointBids = async (): Promise<DeviceQuery<JointBidRows>> =>
  (await import('../../../data/joint-bids.ts')).readJointBids;

interface JointBidsProps {
  tender: Tender;
  /** The user's own figures. */
  profile: BidProfile;
  now: Date;
}

/** The partners on this device, and what their figures and the user's say together about a tender. */
export function JointBids({ tender, profile, now }: JointBidsProps) {
  const { rows } = useLiveRows(loadJointBids);
  const [opened, setOpened] = useState<BidPartner | 'new' | null>(null);
  const { partners, bids } = rows ?? { partners: [], bids: {} };
  const bid = bids[tender._id] ?? EMPTY_JOINT_BID;
  const chosen = partners.filter(({ id }) => bid.partnerIds.includes(id));
  const toggle = (id: string, isIn: boolean) =>
    void changeJointBid(tender._id, ({ partnerIds }) => ({
      partnerIds: [...partnerIds.filter((each) => each !== id), ...(isIn ? [id] : [])],
    }));
  return (
    <div className={`stack ${css.group}`}>
      <p className="s muted">
        {t`Figures of partners stay on this phone. They are never sent, not to your account either, and you can use them for the next tender.`}
      </p>
      {partners.length > 0 && (
        <ul>
          {partners.map((partner) => (
            <PartnerRow
              key={partner.id}
              partner={partner}
              now={now}
              isChosen={chosen.includes(partner)}
              onToggle={(isIn) => toggle(partner.id, isIn)}
              onChange={() => setOpened(partner)}
            />
          ))}
        </ul>
      )}
      {partners.length < MAX_PARTNERS && (
        <div>
          <Button aria-haspopup="dialog" onClick={() => setOpened('new')}>
            {t`Add partner`}
          </Button>
        </div>
      )}
      {chosen.length > 0 && (
        <>
          <JointRuleForm
            key={tender._id}
            bid={bid}
            partners={chosen}
            onSave={(change) => changeJointBid(tender._id, () => change)}
          />
          <section aria-labelledby="together">
            <h3 id="together">{t`Together with ${{ names: chosen.map(({ name }) => name).join(', ') }}`}</h3>
            <ul className={css.reasons}>
              {jointReasons(tender, profile, partners, bid, now).map((reason) => (
                <li key={reason.text}>
                  <ReasonLine reason={reason} />
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
      {opened && <PartnerDialog partner={opened === 'new' ? null : opened} now={now} onClose={() => setOpened(null)} />}
    </div>
  );
}

interface PartnerRowProps {
  partner: BidPartner;
  now: Date;
  isChosen: boolean;
  onToggle: (isIn: boolean) => void;
  onChange: () => void;
}

function PartnerRow({ partner, now, isChosen, onToggle, onChange }: PartnerRowProps) {
  const { name, turnover, works } = partner;
  const facts = [
    ...turnoverYears(now).flatMap((year) => {
      const rupees = turnover[year];
      return rupees === undefined ? [] : `${year} ${formatRupees(rupees)}`;
    }),
    t`similar works: ${{ count: formatCount(works.length) }}`,
  ];
  return (
    <li className={css.entry}>
      <div>
        <Checkbox checked={isChosen} onChange={({ target }) => onToggle(target.checked)}>
          {t`Bid with ${name}`}
        </Checkbox>
        <p className="xs muted">{facts.join(' · ')}</p>
        <Button look="link" aria-label={t`Change ${{ kind: name }}`} onClick={onChange}>
          {t`Change`}
        </Button>
      </div>
      <Button look="icon" aria-label={t`Remove ${{ text: name }}`} onClick={() => void removePartner(partner)}>
        <Icon name="close" />
      </Button>
    </li>
  );
}

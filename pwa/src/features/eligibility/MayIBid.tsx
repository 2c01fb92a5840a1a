import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { i18n } from '@nivida/contract/i18n';
import { bidQuestions } from '@nivida/contract/rules/bid-questions';
import type { BidProfile } from '@nivida/contract/rules/may-i-bid';
import { EMPTY_BID_PROFILE, mayIBid } from '@nivida/contract/rules/may-i-bid';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useEffect, useRef, useState } from 'react';
import type { DeviceQuery } from '../../data/device/live-query.ts';
import { useSpaceRows } from '../../data/firms/useSpaceRows.ts';
import { Badge } from '../../ui/display/Badge.tsx';
import { Disclosure } from '../../ui/display/Disclosure.tsx';
import { BidReasons, VERDICTS } from './BidReasons.tsx';
import { readBidProfile, saveBidProfile } from './bid-profile.ts';
import css from './Eligibility.module.css';
import { JointBids } from './joint/JointBids.tsx';
import { ProfileForms } from './ProfileForms.tsx';

const loadProfile = async (): Promise<DeviceQuery<BidProfile>> => readBidProfile;

/** The user's figures. Undefined until they are read. A saved change shows at once. */
function useBidProfile() {
  const { rows } = useSpaceRows(loadProfile);
  const [saved, setSaved] = useState<BidProfile>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: new `rows` contain what was saved
  useEffect(() => setSaved(undefined), [rows]);
  const read = saved ?? rows;
  const latest = useRef(read);
  latest.current = read;
  const save = async (change: (profile: BidProfile) => BidProfile) => {
    const isSaved = await saveBidProfile(change);
    if (isSaved && latest.current) setSaved(change(latest.current));
    return isSaved;
  };
  return { read, save };
}

/**
 * Says whether the user may bid for a tender, with the reasons. Asks for the next missing figure, and has the
 * forms of all figures.
 */
export function MayIBid({ tender, now }: { tender: Tender; now: Date }) {
  const { read, save } = useBidProfile();
  const profile = read ?? EMPTY_BID_PROFILE;
  const { verdict, reasons } = mayIBid(tender, profile, now);
  return (
    <section className={css.part} aria-labelledby="may-i-bid">
      <div className={css.head}>
        <h2 id="may-i-bid">{t`May I bid?`}</h2>
        <Badge tone={VERDICTS[verdict].tone}>{i18n._(VERDICTS[verdict].label)}</Badge>
      </div>
      <BidReasons reasons={reasons} questions={read ? bidQuestions(tender, read, now) : []} now={now} onSave={save} />
      <Disclosure title={t`Enter my enlistment, works and turnover`}>
        <p className="s muted">
          <Trans>
            They are saved on this phone and, when you are signed in, in your account for your other devices. No other
            user sees them.
          </Trans>
        </p>
        <ProfileForms profile={profile} now={now} />
      </Disclosure>
      <Disclosure title={t`Bid together with partners`}>
        <JointBids tender={tender} profile={profile} now={now} />
      </Disclosure>
    </section>
  );
}

import type { BidProfile } from '@nivida/contract/rules/may-i-bid';
import { type BidVerdict, EMPTY_BID_PROFILE, mayIBid } from '@nivida/contract/rules/may-i-bid';
import type { Tender } from '@nivida/contract/tenders/tender';
import { type DeviceQuery, useLiveRows } from '../../data/device/live-query.ts';
import { Badge, type Tone } from '../../ui/display/Badge.tsx';
import { Disclosure } from '../../ui/display/Disclosure.tsx';
import { readBidProfile } from './bid-profile.ts';
import css from './Eligibility.module.css';
import { ProfileForms } from './ProfileForms.tsx';
import { SendFiguresNote, UnsentFiguresNote } from './SendFiguresNote.tsx';
import { readSendQuestion, type SendQuestion } from './send-figures.ts';

const VERDICTS: Record<BidVerdict, { tone: Tone; label: string; sign: string }> = {
  yes: { tone: 'green', label: 'Yes, by what you entered', sign: '✓' },
  no: { tone: 'red', label: 'No, by what you entered', sign: '✗' },
  ask: { tone: 'amber', label: 'Ask', sign: '?' },
};

const loadProfile = async (): Promise<DeviceQuery<BidProfile>> => readBidProfile;
const loadQuestion = async (): Promise<DeviceQuery<SendQuestion>> => readSendQuestion;

/** Whether the user may bid for a tender, with the reasons, and the forms of the figures that the rules read. */
export function MayIBid({ tender, now }: { tender: Tender; now: Date }) {
  const { rows: profile = EMPTY_BID_PROFILE } = useLiveRows(loadProfile);
  const { rows: question } = useLiveRows(loadQuestion);
  const { verdict, reasons } = mayIBid(tender, profile, now);
  return (
    <section className={css.part} aria-labelledby="may-i-bid">
      <div className={css.head}>
        <h2 id="may-i-bid">May I bid?</h2>
        <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].label}</Badge>
      </div>
      <ul className={css.reasons}>
        {reasons.map(({ verdict: each, text, source }) => (
          <li key={text} data-tone={VERDICTS[each].tone}>
            <span aria-hidden="true">{VERDICTS[each].sign}</span>
            <p>
              {text}
              {source && <small>Rule: {source}</small>}
            </p>
          </li>
        ))}
      </ul>
      {question === 'ask' && <SendFiguresNote />}
      <Disclosure title="Enter my enlistment, works and turnover">
        <p className="s muted">
          They are saved on this phone and, when you are signed in, in your account for your other devices. No other
          user sees them.
        </p>
        {question === 'declined' && <UnsentFiguresNote />}
        <ProfileForms profile={profile} now={now} />
      </Disclosure>
    </section>
  );
}

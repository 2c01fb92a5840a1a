import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatDateTime } from '@nivida/contract/format';
import { Link } from 'react-router-dom';
import { useRecords } from '../../data/records/useRecords.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { bidPath } from './BidCard.tsx';
import { endReminder } from './bid-actions.ts';
import { type Bid, isReminderDue } from './rules/bid.ts';

/** The reminder of a bid. Renders nothing before it is due. */
export function BidReminder({ bid, now, isLinked }: { bid: Bid; now: Date; isLinked?: boolean }) {
  if (!isReminderDue(bid, now)) return null;
  const { title = '' } = bid;
  const name = bid.title ?? t`Bid without a title`;
  const time = formatDateTime(bid.reminderAt);
  return (
    <Note tone="amber" icon="bell">
      <div className="stack">
        <p>
          {isLinked ? (
            <Trans>
              Your reminder of {time}: <Link to={`${bidPath(bid.id)}#notes`}>{name}</Link>
            </Trans>
          ) : (
            t`Your reminder of ${time}`
          )}
          {bid.note && ` – ${bid.note}`}
        </p>
        <Button onClick={() => void endReminder(bid)}>
          <Trans>
            Done<span className="sr"> with the reminder of {title}</span>
          </Trans>
        </Button>
      </div>
    </Note>
  );
}

/** Reminders of bids that are due, oldest first. The device computes them. Renders nothing without any. */
export function BidReminders({ now }: { now: Date }) {
  const rows = useRecords('bid') ?? [];
  const due = rows
    .map(({ id, fields }): Bid => ({ ...fields, id }))
    .filter((bid) => isReminderDue(bid, now))
    .sort((a, b) => (a.reminderAt ?? '').localeCompare(b.reminderAt ?? ''));
  return due.map((bid) => <BidReminder key={bid.id} bid={bid} now={now} isLinked />);
}

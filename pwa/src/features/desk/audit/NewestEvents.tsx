import { t } from '@lingui/core/macro';
import type { ListedAuditEvent } from '@nivida/contract/desk/audit-log';
import { formatDateTime } from '@nivida/contract/format';
import { PersonSection } from '../people/PersonSection.tsx';
import { actionLabel } from './action-labels.ts';
import { EventActor, EventDetail } from './EventDetail.tsx';

/** The newest events about an account or a firm. `isLink`: the actors are links. */
export function NewestEvents({ events, isLink }: { events: readonly ListedAuditEvent[]; isLink: boolean }) {
  return (
    <PersonSection title={t`Events`} empty={t`No events`}>
      {events.map((event) => (
        <li key={event.id}>
          <span className="s">{actionLabel(event.action)}</span>
          <span className="facts">
            {formatDateTime(event.at)}
            <EventActor event={event} isLink={isLink} />
          </span>
          <span className="xs">
            <EventDetail event={event} />
          </span>
        </li>
      ))}
    </PersonSection>
  );
}

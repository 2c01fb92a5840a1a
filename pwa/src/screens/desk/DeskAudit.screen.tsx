import { t } from '@lingui/core/macro';
import { AuditLogResponse, COMMAND_ACTOR, type ListedAuditEvent } from '@nivida/contract/desk/audit-log';
import { formatDateTime } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { actionLabel, actionObjects } from '../../features/desk/audit/action-labels.ts';
import { EventActor, EventDetail, EventSubject } from '../../features/desk/audit/EventDetail.tsx';
import { createDeskQuery, useDeskQuery } from '../../features/desk/data/desk-query.ts';
import { DeskChoice, DeskDay, DeskSearch } from '../../features/desk/list/DeskFilter.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';
import { useAddressQuery, useDeskParam } from '../../features/desk/list/useDeskParam.ts';
import { Button } from '../../ui/Button.tsx';

const PATH = '/desk/audit';

const log = createDeskQuery(AuditLogResponse);

/** `/desk/audit`: who did what, when and why. */
export function DeskAudit() {
  // A page begins after the last event of the page before.
  const query = useAddressQuery(['subject', 'find'], 'actor', 'action', 'from', 'to', ['before', 'page']);
  const events = useDeskQuery(log, `audit?${query}`);
  const { answer } = events;
  return (
    <DeskList<ListedAuditEvent>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      rows={{ ...events, answer: answer && { rows: answer.events } }}
      idOf={({ id }) => id}
      empty={t`No event`}
      columns={[
        { title: t`What`, cell: ({ action }) => actionLabel(action) },
        { title: t`When`, cell: ({ at }) => formatDateTime(at) },
        { title: t`Who`, cell: (event) => <EventActor event={event} isLink /> },
        { title: t`About`, cell: (event) => <EventSubject event={event} /> },
        { title: t`Why, and what changed`, cell: (event) => <EventDetail event={event} /> },
      ]}
      filter={
        <>
          <DeskSearch label={t`About: id of an account, order, tender or message`} />
          <DeskSearch label={t`Who: id of an account, or "${{ word: COMMAND_ACTOR }}"`} name="actor" />
          <DeskChoice label={t`What`} name="action" options={actionObjects()} all={t`All`} />
          <DeskDay label={t`From day`} name="from" />
          <DeskDay label={t`To day`} name="to" />
        </>
      }
      footer={answer && <Turn next={answer.next} />}
    />
  );
}

/** To older events, and back to the newest. */
function Turn({ next }: { next: string | null }) {
  const [before, setBefore] = useDeskParam('page');
  if (next === null && before === '') return null;
  return (
    <nav className="row" aria-label={t`Pages`}>
      <Button disabled={before === ''} onClick={() => setBefore('')}>{t`Newest events`}</Button>
      <Button disabled={next === null} onClick={() => setBefore(next ?? '')}>{t`Older events`}</Button>
    </nav>
  );
}

import { t } from '@lingui/core/macro';
import { ChangedId } from '@nivida/contract/desk/notices';
import { formatDateTime } from '@nivida/contract/format';
import type { Incident } from '@nivida/contract/site/status';
import type { ComponentType } from 'react';
import { Link } from 'react-router-dom';
import { Status } from '../../../ui/display/Status.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { type EntryState, type StatusEntry, stateOf, useCurrentTime } from './desk-notices.ts';
import { CloseIncident, UpdateIncident } from './IncidentActs.tsx';
import { type NoticeLine, NoticePreview } from './PublishNotice.tsx';

const at = (instant: string): string => formatDateTime(new Date(instant));

/** Where a notice or an incident stands. */
export function EntryStatus({ row, state }: { row: StatusEntry; state: EntryState }) {
  if (state === 'planned') return <Status tone="blue" label={t`Planned`} />;
  if (state === 'past') return <Status tone="gray" label={row.kind === 'notice' ? t`Ended` : t`Closed`} />;
  return row.kind === 'notice' ? (
    <Status tone="green" label={t`Shown now`} />
  ) : (
    <Status tone="amber" label={t`Going on`} />
  );
}

/** From when to when, in Indian time. */
export const spanText = ({ startsAt, endsAt }: StatusEntry): string =>
  endsAt === null ? t`From ${at(startsAt)}` : t`${at(startsAt)} to ${at(endsAt)}`;

interface StatusEntryPanelProps {
  row: StatusEntry;
  line: NoticeLine;
  /** The updates of incidents, as the status page shows it. */
  updates: ComponentType<{ incidents: readonly Incident[] }>;
}

/** The side panel of a notice or an incident. */
export function StatusEntryPanel({ row, line, updates: Updates }: StatusEntryPanelProps) {
  const state = stateOf(row, useCurrentTime());
  if (row.kind === 'incident') {
    const { incident } = row;
    return (
      <>
        <h2>{t`Incident`}</h2>
        <Updates incidents={[incident]} />
        <p className="s">
          <Link to="/status">{t`The status page`}</Link>
        </p>
        {incident.ended_at === null && (
          <div className="row">
            <UpdateIncident id={incident.id} />
            <CloseIncident id={incident.id} />
          </div>
        )}
      </>
    );
  }
  const { notice } = row;
  return (
    <>
      <h2>{t`Notice to all`}</h2>
      <p>
        <EntryStatus row={row} state={state} /> {spanText(row)}
      </p>
      <NoticePreview line={line} tone={notice.tone} texts={notice.texts} />
      {state !== 'past' && (
        <div className="row">
          <ActButton
            label={t`End this notice`}
            title={t`End this notice now?`}
            path={`notices/${notice.id}/end`}
            schema={ChangedId}
            done={() => t`Ended`}
            usualReasons={[t`No longer true`, t`Wrong text`]}
            isMain
          />
        </div>
      )}
    </>
  );
}

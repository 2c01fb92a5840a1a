import { t } from '@lingui/core/macro';
import type { ListedAuditEvent } from '@nivida/contract/desk/audit-log';
import { formatRupees } from '@nivida/contract/format';
import { Link } from 'react-router-dom';
import { subjectPath } from './action-labels.ts';
import css from './EventDetail.module.css';

/** Who acted; `isLink`: with a link to all acts of the account. */
export function EventActor({ event, isLink }: { event: ListedAuditEvent; isLink: boolean }) {
  const { actorId, actorName, detail } = event;
  const name = actorName || actorId;
  if (name !== null) return isLink ? <Link to={`/desk/audit?actor=${actorId}`}>{name}</Link> : name;
  return 'reason' in detail ? t`Command on the server` : '–';
}

/** What an event is about, as a link to its screen. */
export function EventSubject({ event: { action, subject } }: { event: ListedAuditEvent }) {
  const path = subjectPath(action, subject);
  return path === null ? (
    <span className={css.wrap}>{subject}</span>
  ) : (
    <Link className={css.wrap} to={path}>
      {subject}
    </Link>
  );
}

const factText = ([name, value]: [string, unknown]): string =>
  name === 'amountPaise' ? `amount: ${formatRupees(Number(value) / 100)}` : `${name}: ${[value].flat().join(', ')}`;

/** The reason of an act, and what it changed. */
export function EventDetail({ event: { detail } }: { event: ListedAuditEvent }) {
  const { reason, ...others } = detail;
  const facts = Object.entries(others).map(factText);
  return (
    <>
      {reason !== undefined && <span dir="auto">{String(reason)}</span>}
      {facts.length > 0 && (
        <span className={`xs muted ${css.wrap}`} lang="en">
          {reason !== undefined && ' '}
          {facts.join(' · ')}
        </span>
      )}
    </>
  );
}

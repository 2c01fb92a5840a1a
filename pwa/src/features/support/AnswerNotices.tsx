import { t } from '@lingui/core/macro';
import { Link } from 'react-router-dom';
import { useLiveRows } from '../../data/device/live-query.ts';
import { Note } from '../../ui/feedback/Note.tsx';

const loadUnread = async () => (await import('../../data/support/support-rows.ts')).readUnreadThreads;

/** The unread answers of support among the notices, each with a link to its thread. */
export function AnswerNotices() {
  const threads = useLiveRows(loadUnread).rows ?? [];
  return threads.map(({ id, subject }) => (
    <Note key={id} tone="blue" icon="help">
      <Link to={`/dashboard/support/${id}`}>{t`Support has answered: ${subject}`}</Link>
    </Note>
  ));
}

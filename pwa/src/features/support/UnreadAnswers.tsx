import { plural } from '@lingui/core/macro';
import { useLiveRows } from '../../data/device/live-query.ts';
import css from '../../ui/display/count-link.module.css';

const loadCount = async () => (await import('../../data/support/thread-rows.ts')).countUnreadAnswers;

/** The number of unread answers of support. Renders nothing without one. */
export function UnreadAnswers() {
  const count = useLiveRows(loadCount).rows ?? 0;
  if (count === 0) return null;
  return (
    <span className={css.mark}>
      <span aria-hidden="true">{count}</span>
      <span className="sr"> {plural(count, { one: '# unread answer', other: '# unread answers' })}</span>
    </span>
  );
}

import { t } from '@lingui/core/macro';
import { Link } from 'react-router-dom';
import css from '../../../ui/display/count-link.module.css';
import { Icon } from '../../../ui/display/Icon.tsx';
import { useAlerts } from '../alert-state.ts';

/**
 * Link to the notices with the number of unread ones and of unread answers, which stand above them. A phone's
 * bar shows it only while there are any.
 */
export function NoticesLink({ look }: { look: 'icon' | 'line' }) {
  const unread = useAlerts((alerts) => alerts.unread + alerts.unreadAnswers);
  const count = unread > 99 ? '99+' : unread;
  const many = unread > 99 ? t`Notices: more than 99 unread` : t`Notices: ${unread} unread`;
  const label = unread > 0 ? many : t`Notices`;
  if (look === 'line') {
    return (
      <Link to="/notices" className={css.line} aria-label={label}>
        {t`Notices`} {unread > 0 && <span className={css.count}>{count}</span>}
      </Link>
    );
  }
  return (
    <Link to="/notices" className={css.icon} data-empty={unread === 0 || undefined} aria-label={label}>
      <Icon name="bell" />
      {unread > 0 && (
        <span className={css.count} aria-hidden="true">
          {count}
        </span>
      )}
    </Link>
  );
}

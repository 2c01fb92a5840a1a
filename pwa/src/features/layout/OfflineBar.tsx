import { t } from '@lingui/core/macro';
import { useIsClockDoubtful } from '../../data/clock.ts';
import { useHasConnection, useReachability } from '../../data/server/reachability.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import css from './OfflineBar.module.css';

/**
 * Shows that the device is offline or that its clock is wrong. It is always mounted, so that screen readers
 * announce a change.
 */
export function OfflineBar() {
  const hasConnection = useHasConnection();
  const status = useReachability((reachability) => reachability.status);
  const isClockDoubtful = useIsClockDoubtful();
  return (
    <div role="status" className={css.place}>
      {!hasConnection && (
        <p className={css.bar}>
          <Icon name="offline" small />
          {t`No connection. You can still use saved tenders.`}
        </p>
      )}
      {hasConnection && status === 'silent' && (
        <p className={css.bar}>
          <Icon name="offline" small />
          {t`The network is not responding. You can still use saved tenders.`}
        </p>
      )}
      {isClockDoubtful && (
        <p className={`${css.bar} ${css.clock}`}>
          <Icon name="clock" small />
          {t`This phone’s clock may be wrong, and so may the hours left. Check its date and time.`}
        </p>
      )}
    </div>
  );
}

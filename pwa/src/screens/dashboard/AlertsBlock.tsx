import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatCount } from '@nivida/contract/format';
import { useNow } from '../../data/clock.ts';
import { useAlerts } from '../../features/alerts/alert-state.ts';
import { alertStateLabel } from '../../features/alerts/labels.ts';
import { NoticeList } from '../../features/alerts/notices/NoticeList.tsx';
import { useNotices } from '../../features/alerts/notices/useNotices.ts';
import { UnfollowButton, useFollowedOffices } from '../../features/awards/follow/FollowOffice.tsx';
import { useSearchNames } from '../alerts/DeviceAlerts.tsx';
import { DashboardBlock, EmptyBlock } from './DashboardBlock.tsx';

const MAX_NOTICES = 3;

/** Says whether this device gets alerts, and shows the last notices. */
export function AlertsBlock() {
  const now = useNow();
  const { state, unread } = useAlerts();
  const { notices = [] } = useNotices();
  const searchNames = useSearchNames();
  const followed = useFollowedOffices();
  const count = formatCount(unread);
  return (
    <DashboardBlock
      title={t`Alerts`}
      all={{
        to: '/notices',
        label:
          unread > 0 ? (
            <Trans>
              {count} unread<span className="sr"> and alert settings</span>
            </Trans>
          ) : (
            <Trans>
              All notices<span className="sr"> and alert settings</span>
            </Trans>
          ),
      }}
    >
      {(notices.length === 0 || state !== 'on') && (
        <EmptyBlock>
          {alertStateLabel(state)} {notices.length === 0 && t`No notices yet.`}
        </EmptyBlock>
      )}
      {notices.length > 0 && (
        <NoticeList
          notices={notices.slice(0, MAX_NOTICES)}
          searchNames={searchNames}
          now={now}
          renderUnfollow={(office) => <UnfollowButton officeId={office.id} followed={followed} />}
        />
      )}
    </DashboardBlock>
  );
}

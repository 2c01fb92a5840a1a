import { groupIndian } from '@nivida/contract/format';
import { useNow } from '../data/clock.ts';
import { NoticeList } from '../features/alerts/NoticeList.tsx';
import { useAlerts } from '../features/alerts/state.ts';
import { useNotices } from '../features/alerts/useNotices.ts';
import { stateLine } from '../features/alerts/words.ts';
import { DashboardBlock, Nothing } from './DashboardBlock.tsx';
import { useSearchNames } from './PhoneAlerts.tsx';

const FEW = 3;

/** Whether this device is told, and the last notices. */
export function AlertsBlock() {
  const now = useNow();
  const { state, unread } = useAlerts();
  const { notices = [] } = useNotices();
  const searchNames = useSearchNames();
  return (
    <DashboardBlock
      title="Alerts"
      all={{
        to: '/notices',
        label: unread > 0 ? `${groupIndian(String(unread))} unread` : 'All notices',
        more: 'and alert settings',
      }}
    >
      {(notices.length === 0 || state !== 'on') && (
        <Nothing>
          {stateLine(state)} {notices.length === 0 && 'No notices yet.'}
        </Nothing>
      )}
      {notices.length > 0 && <NoticeList notices={notices.slice(0, FEW)} searchNames={searchNames} now={now} />}
    </DashboardBlock>
  );
}

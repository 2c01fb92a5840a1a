import { t } from '@lingui/core/macro';
import { formatDateTime } from '@nivida/contract/format';
import { useStateCounts } from '../../data/server/state-counts.ts';
import { PublicLayout } from '../../features/layout/PublicLayout.tsx';
import { StatesGrid } from '../../features/layout/StatesGrid.tsx';
import { AuthDialogs } from '../account/AuthDialogs.tsx';
import { useAccountActions } from '../account/useAccountActions.ts';
import { Offers } from '../lazy.tsx';
import { paymentBanners, savedLinks } from './frame-parts.tsx';

/** The 36 states. They have the number of open tenders once these are loaded. */
function CountedStates() {
  const { answer } = useStateCounts();
  return <StatesGrid counts={new Map(answer?.states.map(({ state, open }) => [state, open]))} />;
}

/** Says when the tenders were last compared with their portals. */
function DataSource() {
  const checkedAt = useStateCounts().answer?.fetched_at;
  return checkedAt ? t`Tenders checked ${formatDateTime(checkedAt)}` : null;
}

/** The public layout. The states have no counts until these are loaded. */
export function PublicFrame() {
  const account = useAccountActions();
  return (
    <>
      {paymentBanners}
      <PublicLayout account={account} savedLinks={savedLinks} states={<CountedStates />} source={<DataSource />} />
      <AuthDialogs />
      <Offers />
    </>
  );
}

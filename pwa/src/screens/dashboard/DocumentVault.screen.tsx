import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useNow } from '../../data/clock.ts';
import { ExpiryNotices } from '../../features/bid-documents/ExpiryNotices.tsx';
import { Vault } from '../../features/bid-documents/Vault.tsx';
import { OptionalSpaceSwitch } from '../bids/OptionalSpaceSwitch.tsx';
import { DashboardPage } from './DashboardPage.tsx';

/** `/dashboard/documents`. */
export function DocumentVault() {
  const now = useNow();
  return (
    <DashboardPage {...pageText(PAGES['/dashboard/documents'])}>
      <OptionalSpaceSwitch />
      <ExpiryNotices now={now} />
      <Vault now={now} />
    </DashboardPage>
  );
}

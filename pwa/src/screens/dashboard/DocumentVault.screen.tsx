import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useNow } from '../../data/clock.ts';
import { ExpiryNotices } from '../../features/bid-documents/ExpiryNotices.tsx';
import { Vault } from '../../features/bid-documents/Vault.tsx';
import { optionalPart } from '../../ui/lazy/lazy.tsx';
import { DashboardPage } from './DashboardPage.tsx';

const SpaceSwitch = optionalPart(async () => (await import('../../features/firms/SpaceSwitch.tsx')).SpaceSwitch);

/** `/dashboard/documents`. */
export function DocumentVault() {
  const now = useNow();
  return (
    <DashboardPage {...pageText(PAGES['/dashboard/documents'])}>
      <SpaceSwitch />
      <ExpiryNotices now={now} />
      <Vault now={now} />
    </DashboardPage>
  );
}

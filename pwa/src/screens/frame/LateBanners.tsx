import { hasDatabase } from '../../data/device/database.ts';
import { SiteNoticeBanner } from '../../features/info/status/SiteNoticeBanner.tsx';
import { optionalPart } from '../../ui/lazy/lazy.tsx';

/** The unfinished payment of this device, which is in its database. */
const PendingOrderBanner = optionalPart(async () => {
  if (!(await hasDatabase())) return () => null;
  return (await import('../../features/orders/payment/PendingOrderBanner.tsx')).PendingOrderBanner;
});

/** The notice to all, and the unfinished payment of this device. */
export const LateBanners = () => (
  <>
    <SiteNoticeBanner />
    <PendingOrderBanner />
  </>
);

import { hasDatabase } from '../../../data/device/database.ts';
import { firstScreen } from '../../../data/first-screen.ts';
import { useSite } from '../../../data/server/site.ts';
import { AfterHydration } from '../../../ui/hydration.ts';
import { optionalPart } from '../../../ui/lazy/optional-part.ts';
import css from './PaymentBanners.module.css';

const NoBanner = () => null;

// Loaded after the first screen, because it reads the device's database.
const PendingOrderBanner = optionalPart(async () => {
  await firstScreen;
  if (!(await hasDatabase())) return NoBanner;
  return (await import('./PendingOrderBanner.tsx')).PendingOrderBanner;
});

/** Says on every page that payments are tests. Only the operator can turn it off. */
function TestModeBanner() {
  if (useSite().payments !== 'sandbox') return null;
  return (
    <aside className={css.ribbon} aria-label="Payments">
      Test payments
    </aside>
  );
}

/**
 * The banners about payments at the top of every page. They are part of the page's flow, so they cover
 * nothing.
 */
export function PaymentBanners() {
  return (
    <>
      <TestModeBanner />
      <AfterHydration>
        <PendingOrderBanner />
      </AfterHydration>
    </>
  );
}

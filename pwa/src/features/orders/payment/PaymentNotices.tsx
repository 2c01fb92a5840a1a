import { lazy, Suspense } from 'react';
import { firstScreen } from '../../../data/first-screen.ts';
import { AfterHydration } from '../../../ui/hydration.ts';
import { TestModeBanner } from './TestModeBanner.tsx';

// After the first screen: it asks the device's database.
const PendingOrderNotice = lazy(() =>
  firstScreen.then(() => import('./PendingOrderNotice.tsx')).then((m) => ({ default: m.PendingOrderNotice })),
);

/** What both frames say about payments, above everything else and in the flow of the page, so that it covers nothing. */
export function PaymentNotices() {
  return (
    <>
      <TestModeBanner />
      <AfterHydration>
        <Suspense>
          <PendingOrderNotice />
        </Suspense>
      </AfterHydration>
    </>
  );
}

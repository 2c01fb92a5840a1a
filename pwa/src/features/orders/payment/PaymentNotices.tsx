import { lazy, Suspense } from 'react';
import { firstScreen } from '../../../data/first-screen.ts';
import { AfterHydration } from '../../../ui/hydration.ts';
import { TestModeBanner } from './TestModeBanner.tsx';

// loaded after the first screen, since it reads the device's database
const PendingOrderNotice = lazy(() =>
  firstScreen.then(() => import('./PendingOrderNotice.tsx')).then((m) => ({ default: m.PendingOrderNotice })),
);

/** The notices about payments, at the top of every page and in its flow, so that they cover nothing. */
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

import { lazy, Suspense } from 'react';
import { firstScreen } from '../../data/first-screen.ts';
import { TestRibbon } from './TestRibbon.tsx';

// After the first screen: it asks the device's database.
const PendingOffer = lazy(() =>
  firstScreen.then(() => import('./PendingOffer.tsx')).then((m) => ({ default: m.PendingOffer })),
);

/** What both frames say about payments, above everything else and in the flow of the page, so that it covers nothing. */
export function PaymentNotices() {
  return (
    <>
      <TestRibbon />
      <Suspense>
        <PendingOffer />
      </Suspense>
    </>
  );
}

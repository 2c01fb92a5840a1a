import { useSite } from '../../../data/server/site.ts';
import css from './PaymentNotices.module.css';

/** Says on every page that no real money moves here; nothing takes it away but the operator. */
export function TestModeBanner() {
  if (useSite().payments !== 'sandbox') return null;
  return (
    <aside className={css.ribbon} aria-label="Payments">
      Test payments
    </aside>
  );
}

import { t } from '@lingui/core/macro';
import { useSite } from '../../../data/server/site.ts';
import css from './PaymentBanners.module.css';

/** Says on every page that payments are tests. Only the operator can turn it off. */
export function TestModeBanner() {
  if (useSite().payments !== 'sandbox') return null;
  return (
    <aside className={css.ribbon} aria-label={t`Payments`}>
      {t`Test payments`}
    </aside>
  );
}

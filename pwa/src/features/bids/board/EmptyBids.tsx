import { t } from '@lingui/core/macro';
import { ButtonLink } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { HindiGloss } from '../../../ui/words/HindiGloss.tsx';
import css from '../Bids.module.css';

const path = () => [
  {
    en: t`Open a tender and tap “Prepare bid”.`,
    hi: 'टेंडर खोलें और “Prepare bid” दबाएँ।',
  },
  {
    en: t`Tick off the documents, and enter the EMD you paid.`,
    hi: 'काग़ज़ों पर निशान लगाएँ, दी गई EMD लिखें।',
  },
  {
    en: t`Submit at the portal, then mark the bid as submitted here.`,
    hi: 'बोली पोर्टल पर जमा करें, फिर यहाँ “Submitted” करें।',
  },
  {
    en: t`Enter the result, and get your EMD back on time.`,
    hi: 'परिणाम लिखें, और EMD समय पर वापस लें।',
  },
];

/** Explains the steps of a bid in four lines. */
export function EmptyBids() {
  return (
    <EmptyState
      title={t`No bids yet`}
      actions={
        <ButtonLink look="main" to="/tenders">
          {t`Find tenders`}
        </ButtonLink>
      }
    >
      <ol className={css.path}>
        {path().map(({ en, hi }) => (
          <li key={en}>
            {en} <HindiGloss>{hi}</HindiGloss>
          </li>
        ))}
      </ol>
    </EmptyState>
  );
}

import { t } from '@lingui/core/macro';
import { NOT_FOUND_TEXT, pageText } from '@nivida/contract/site/pages';
import { ButtonLink } from '../ui/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageMeta } from '../ui/PageMeta.tsx';

/** The screen of an unknown address. */
export function NotFound() {
  return (
    <div className="page">
      <PageMeta {...pageText(NOT_FOUND_TEXT)} />
      <EmptyState
        title={t`Page not found`}
        heading="h1"
        actions={
          <ButtonLink look="main" to="/">
            {t`Return Home`}
          </ButtonLink>
        }
      >
        <p>{t`There is nothing at this address. It may have been mistyped, or the page has moved.`}</p>
      </EmptyState>
    </div>
  );
}

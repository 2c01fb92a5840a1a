import { t } from '@lingui/core/macro';
import { errorMessage } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';

export function AwardsLoading() {
  return <Spinner label={t`Loading awards`} isScreen />;
}

interface AwardsErrorProps {
  error: unknown;
  onRetry: () => void;
  /** `h2` when the screen has a heading above. */
  heading?: 'h1' | 'h2';
}

export function AwardsError({ error, onRetry, heading = 'h1' }: AwardsErrorProps) {
  return (
    <EmptyState
      heading={heading}
      title={t`Awards cannot be loaded now`}
      actions={
        <Button look="main" onClick={onRetry}>
          {t`Try Again`}
        </Button>
      }
      alert
    >
      {errorMessage(error, t`Please try again.`)}
    </EmptyState>
  );
}

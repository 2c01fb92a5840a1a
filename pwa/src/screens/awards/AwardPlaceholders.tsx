import { errorMessage } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';

export function AwardsLoading() {
  return <Spinner label="Loading awards" />;
}

export function AwardsError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <EmptyState
      heading="h1"
      title="Awards cannot be loaded now"
      actions={
        <Button look="main" onClick={onRetry}>
          Try Again
        </Button>
      }
      alert
    >
      {errorMessage(error, 'Please try again.')}
    </EmptyState>
  );
}

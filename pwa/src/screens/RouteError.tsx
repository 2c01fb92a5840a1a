import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { reloadOnceForMissingChunk } from '../features/install/missing-chunk.ts';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageMeta } from '../ui/PageMeta.tsx';

/**
 * Replaces a screen that failed to load or render. Try Again reloads the page, because a failed chunk stays
 * failed. A screen of an earlier build is reloaded at once: the user's input is lost already.
 */
export function RouteError() {
  const error = useRouteError();
  useEffect(() => void reloadOnceForMissingChunk(error), [error]);
  return (
    <div className="page">
      <PageMeta title="Something went wrong" description="This page could not be shown." />
      <EmptyState
        title="Something went wrong"
        heading="h1"
        alert
        actions={
          <>
            <Button look="main" onClick={() => location.reload()}>
              Try Again
            </Button>
            <ButtonLink to="/">Home</ButtonLink>
          </>
        }
      >
        <p>This page could not be shown. Try again, or start from Home.</p>
      </EmptyState>
    </div>
  );
}

import { t } from '@lingui/core/macro';
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
      <PageMeta title={t`Something went wrong`} description={t`This page could not be shown.`} />
      <EmptyState
        title={t`Something went wrong`}
        heading="h1"
        alert
        actions={
          <>
            <Button look="main" onClick={() => location.reload()}>
              {t`Try Again`}
            </Button>
            <ButtonLink to="/">{t`Home`}</ButtonLink>
          </>
        }
      >
        <p>{t`This page could not be shown. Try again, or start from Home.`}</p>
      </EmptyState>
    </div>
  );
}

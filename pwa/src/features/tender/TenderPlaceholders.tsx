import { t } from '@lingui/core/macro';
import { errorMessage } from '../../data/server/api.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Fact, FactList } from './facts/FactList.tsx';
import css from './TenderView.module.css';

/** The detail page while it loads. */
export function TenderSkeleton() {
  return (
    <div className={css.waiting}>
      <Panel stack className={css.head} aria-busy="true">
        <h1 className="sr">{t`Loading the tender`}</h1>
        <p className={css.id}>
          <Skeleton>{40}</Skeleton>
        </p>
        <p className={css.title}>
          <Skeleton>{90}</Skeleton>
        </p>
        <p>
          <Skeleton>{20}</Skeleton>
        </p>
        <FactList four>
          {[t`Estimated value`, 'EMD', t`Tender fee`, t`Bid opening`].map((name) => (
            <Fact key={name} name={name}>
              <Skeleton>{10}</Skeleton>
            </Fact>
          ))}
        </FactList>
      </Panel>
    </div>
  );
}

interface TenderErrorProps {
  error: unknown;
  onBack: () => void;
  onRetry: () => void;
}

export function TenderError({ error, onBack, onRetry }: TenderErrorProps) {
  return (
    <EmptyState
      title={t`Error Loading Tender`}
      heading="h1"
      alert
      actions={
        <>
          <Button look="main" onClick={onBack}>
            {t`Go Back`}
          </Button>
          <Button onClick={onRetry}>{t`Try Again`}</Button>
        </>
      }
    >
      {errorMessage(error, t`Failed to load tender details. Please try again.`, t`No tender data received from server`)}
    </EmptyState>
  );
}

export function TenderNotFound() {
  return (
    <EmptyState
      title={t`Tender not found`}
      heading="h1"
      actions={
        <ButtonLink look="main" to="/dashboard/tenders">
          {t`Browse Tenders`}
        </ButtonLink>
      }
    >
      {t`There is no tender at this address. The portal may have withdrawn it, or we have taken it down because it was wrong.`}
    </EmptyState>
  );
}
